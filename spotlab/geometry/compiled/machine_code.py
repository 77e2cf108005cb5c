"""Storage of numba's machine code between starts, and checks that it is available.

Compiling takes many seconds during which Python's lock is held, so that the window would not
respond. It can be done in another process instead: the code is stored in a folder that is named by
everything it depends on, and loading it from there takes a fraction of a second. Each file begins
with a digest of the rest: damaged code is compiled anew and never run.
"""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_cache_path

from spotlab.geometry.compiled.checked_files import (
    is_complete,
    mark_complete,
    remove_damaged_files,
    remove_old_folders,
)
from spotlab.processes import own_command, started
from spotlab.progress import Progress, silent

Function = TypeVar("Function", bound=Callable[..., Any])


@cache
def is_installed() -> bool:
    """Tell whether numba is installed, without importing it."""
    try:
        return find_spec("numba") is not None
    except ImportError:
        return False


@dataclass(frozen=True)
class MachineCode:
    """Functions that are compiled and stored together.

    Attributes
    ----------
    name : str
        Name of the folder that holds them, without the digest of what they depend on.
    sources : tuple of Path
        The files that define them: all that call each other.
    module : str
        ``python -m`` with this module calls every function once and then `mark_stored`.
    """

    name: str
    sources: tuple[Path, ...]
    module: str

    def folder(self) -> Path:
        """Return where the code of this version, for this processor, belongs.

        In ``NUMBA_CACHE_DIR`` if that is set, else in the user's cache. numba itself would not
        notice a change in a function that is called from another file.
        """
        return _folder(self)

    def is_stored(self) -> bool:
        """Tell whether the folder holds all of the code, undamaged."""
        return is_installed() and is_complete(self.folder())

    def mark_stored(self) -> None:
        """Record that the folder holds all of the code; does nothing if it cannot be written."""
        mark_complete(self.folder())
        remove_old_folders(self.folder(), f"{self.name}-")

    def compile_ahead(self, progress: Progress = silent) -> bool:
        """Compile in another process, so that this one keeps responding.

        Parameters
        ----------
        progress : Progress
            Called while the other process works; it may raise to stop it.

        Returns
        -------
        bool
            Whether the code is ready. False where numba is missing or the code cannot be stored.
        """
        if self.is_stored() or not is_installed():
            return self.is_stored()
        remove_damaged_files(self.folder())
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with started(own_command(self.module), **pipes) as process:
            while process.poll() is None:
                progress(0, None, "compiling, once")
                time.sleep(0.05)
        return self.is_stored()

    def compiled(self, function: Function) -> Function:
        """Decorate a function to be compiled at its first call, or loaded from the folder.

        Parameters
        ----------
        function : callable
            A function that numba understands.

        Returns
        -------
        callable
            It releases Python's lock; division by zero gives infinity or NaN, as in numpy.
        """
        return self._compiled(function)

    def compiled_part(self, function: Function) -> Function:
        """Decorate a function that only compiled functions call, which compiles sooner.

        Parameters
        ----------
        function : callable
            A function that numba understands.

        Returns
        -------
        callable
            As `compiled`, but Python cannot call it.
        """
        return self._compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)

    def compiled_work(self, function: Function) -> Function:
        """Decorate a part that makes no arrays: the users of those it is given are not counted.

        Parameters
        ----------
        function : callable
            A function that numba understands.

        Returns
        -------
        callable
            As `compiled_part`, but faster to call.
        """
        return self._compiled(function, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False)

    def compiled_inline(self, function: Function) -> Function:
        """Decorate work that is compiled into each function that calls it, as calls take time.

        Parameters
        ----------
        function : callable
            A function that numba understands.

        Returns
        -------
        callable
            As `compiled_work`.
        """
        return self._compiled(
            function, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, forceinline=True
        )

    def _compiled(self, function: Function, **options: Any) -> Function:
        import numba  # noqa: PLC0415  # takes half a second

        made: Any = numba.njit(nogil=True, error_model="numpy", **options)(function)
        try:
            self.folder().mkdir(parents=True, exist_ok=True)
            writable = os.access(self.folder(), os.W_OK)
        except OSError:
            writable = False
        if writable or self.is_stored():
            from spotlab.geometry.compiled import numba_cache  # noqa: PLC0415 - imports numba

            numba_cache.store_in_folder(made, self.folder())
        compiled: Function = made
        return compiled


@cache
def _folder(code: MachineCode) -> Path:
    stamps = [source.stat() for source in code.sources]
    times = [(stamp.st_mtime_ns, stamp.st_size) for stamp in stamps]
    parts = [f"{[str(source) for source in code.sources]} {times}"]
    parts += [version("numba"), version("numpy"), platform.python_version(), platform.node()]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    base = os.environ.get("NUMBA_CACHE_DIR")
    return (Path(base) if base else user_cache_path("spotlab")) / f"{code.name}-{digest}"


_HERE = Path(__file__).parent

COVERAGE = MachineCode(
    "coverage",
    tuple(_HERE / f"coverage_{name}.py" for name in ("edges", "outside", "pieces", "kernels")),
    "spotlab.geometry.coverage_compiled",
)
