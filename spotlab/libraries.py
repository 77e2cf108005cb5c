"""Libraries that take long to import: each is imported when something of it is used first.

``from spotlab.libraries import shapely`` costs nothing, where ``import shapely`` would be a part of
every start of the window and of every command, also of those that never use it. `extras` has those
that need not be installed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = [
    "DamerauLevenshtein",
    "Indel",
    "LateModule",
    "Levenshtein",
    "csgraph",
    "fft",
    "fuzz",
    "hierarchy",
    "interpolate",
    "linalg",
    "load_ahead",
    "ndimage",
    "ops",
    "optimize",
    "process",
    "pypdfium2",
    "shapely",
    "signal",
    "sparse",
    "spatial",
    "special",
]


class LateModule(ModuleType):
    """Stands for a module until something of it is used, and then gives what that has.

    Parameters
    ----------
    name : str
    load : callable
        Imports the module of a name.
    """

    def __init__(self, name: str, load: Callable[[str], ModuleType] = import_module) -> None:
        super().__init__(name)
        self._load = load

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name != "__version__":  # what others ask of every module
            raise AttributeError(name)
        value = getattr(self._load(self.__name__), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    import pypdfium2
    import shapely
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import DamerauLevenshtein, Indel, Levenshtein
    from scipy import (
        fft,
        interpolate,
        linalg,
        ndimage,
        optimize,
        signal,
        sparse,
        spatial,
        special,
    )
    from scipy.cluster import hierarchy
    from scipy.sparse import csgraph
    from shapely import ops
else:
    pypdfium2 = LateModule("pypdfium2")
    shapely, ops = LateModule("shapely"), LateModule("shapely.ops")
    fuzz, process = LateModule("rapidfuzz.fuzz"), LateModule("rapidfuzz.process")
    DamerauLevenshtein = LateModule("rapidfuzz.distance.DamerauLevenshtein")
    Indel = LateModule("rapidfuzz.distance.Indel")
    Levenshtein = LateModule("rapidfuzz.distance.Levenshtein")
    fft, interpolate = LateModule("scipy.fft"), LateModule("scipy.interpolate")
    linalg, ndimage = LateModule("scipy.linalg"), LateModule("scipy.ndimage")
    optimize, signal = LateModule("scipy.optimize"), LateModule("scipy.signal")
    sparse, csgraph = LateModule("scipy.sparse"), LateModule("scipy.sparse.csgraph")
    spatial, special = LateModule("scipy.spatial"), LateModule("scipy.special")
    hierarchy = LateModule("scipy.cluster.hierarchy")

_SOON = ("cv2", "shapely", "scipy.ndimage", "scipy.sparse.csgraph", "scipy.spatial")


def load_ahead(_: object = None) -> None:
    """Import what work on a page needs, so that the first stroke does not wait for it."""
    for name in _SOON:
        with suppress(ImportError):  # who uses it will say that it is missing
            import_module(name)
