"""Libraries that take long to import: each is imported when something of it is used first.

``from spotlab.libraries import shapely`` costs nothing, where ``import shapely`` would be a part of
every start of the window and of every command, also of those that never use it. `extras` has those
that need not be installed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from threading import Lock, RLock
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
    "import_alone",
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
    "stats",
]


_LOCKS: defaultdict[str, RLock] = defaultdict(RLock)
_LOCKS_LOCK = Lock()


def import_alone(name: str) -> ModuleType:
    """Import a module while no other thread imports one of the same package here.

    Python does not wait for a package that another thread is still importing before it imports a
    module in it. The two may then need each other's modules, and one of them fails because what it
    needs is initialised in part.

    Parameters
    ----------
    name : str

    Examples
    --------
    >>> import_alone("json.decoder").__name__
    'json.decoder'
    """
    with _LOCKS_LOCK:
        lock = _LOCKS[name.partition(".")[0]]
    with lock:
        return import_module(name)


class LateModule(ModuleType):
    """Stands for a module until something of it is used, and then gives what that has.

    Parameters
    ----------
    name : str
    load : callable
        Imports the module of a name.
    """

    def __init__(self, name: str, load: Callable[[str], ModuleType] = import_alone) -> None:
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
        stats,
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
    hierarchy, stats = LateModule("scipy.cluster.hierarchy"), LateModule("scipy.stats")

_SOON = ("cv2", "shapely", "scipy.ndimage", "scipy.sparse.csgraph", "scipy.spatial")


def load_ahead(_: object = None) -> None:
    """Import what work on a page needs, so that the first stroke does not wait for it."""
    for name in _SOON:
        with suppress(ImportError):  # who uses it will say that it is missing
            import_alone(name)
