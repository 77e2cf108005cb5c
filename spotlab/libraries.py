"""Modules that take long to import: each is imported when something of it is used first.

``from spotlab.libraries import shapely`` costs nothing, where ``import shapely`` would be a part of
every start of the window and of every command, also of those that never use it. `extras` has those
that need not be installed. Other modules import what they only call later in a block::

    with late_imports(__name__):
        from spotlab.gui.words.means import save_report
"""

from __future__ import annotations

import builtins
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import Lock, RLock
from types import ModuleType, SimpleNamespace
from typing import Any

__all__ = [
    "DamerauLevenshtein",
    "Indel",
    "LateModule",
    "Levenshtein",
    "fuzz",
    "import_alone",
    "late_imports",
    "load_ahead",
    "ops",
    "process",
    "pypdfium2",
    "shapely",
]


_LOCKS: defaultdict[str, RLock] = defaultdict(RLock)
_LOCKS_LOCK = Lock()
_LATE_LOCK = Lock()


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


@contextmanager
def late_imports(module: str, load: Callable[[str], ModuleType] = import_module) -> Iterator[None]:
    """Have the imports in a block give stand-ins of modules, each a `LateModule`.

    Parameters
    ----------
    module : str
        ``__name__`` of the module that has the block; what others import meanwhile is imported.
    load : callable
        Imports the module of a name.

    Examples
    --------
    >>> with late_imports(__name__):
    ...     from json import decoder
    >>> type(decoder).__name__, decoder.JSONDecoder.__name__
    ('LateModule', 'JSONDecoder')
    """

    def stand_in(
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> object:
        if globals is None or globals.get("__name__") != module:
            return usual(name, globals, locals, fromlist, level)
        if not fromlist:
            return LateModule(name, load)
        modules = {each: LateModule(f"{name}.{each}", load) for each in fromlist}
        return SimpleNamespace(**modules)

    with _LATE_LOCK:
        usual = builtins.__import__
        vars(builtins)["__import__"] = stand_in
        try:
            yield
        finally:
            vars(builtins)["__import__"] = usual


with late_imports(__name__, import_alone):
    import pypdfium2
    import shapely
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import DamerauLevenshtein, Indel, Levenshtein
    from shapely import ops

_SOON = ("cv2", "shapely", "scipy.ndimage", "scipy.sparse.csgraph", "scipy.spatial")


def load_ahead(_: object = None) -> None:
    """Import what work on a page needs, so that the first stroke does not wait for it."""
    for name in _SOON:
        with suppress(ImportError):  # who uses it will say that it is missing
            import_alone(name)
