"""Where numba keeps machine code between starts, and whether it is there.

Compiling takes many seconds in which Python's lock is held, so that a window would stand still. It
can be done in another process instead: the code is stored in a folder that is named by everything
it depends on, and loading it from there takes a fraction of a second. Each file begins with a
digest of the rest: what is damaged is compiled anew and never run.
"""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_cache_path

from spotlab.geometry.checked_files import (
    is_complete,
    mark_complete,
    remove_damaged_files,
    remove_old_folders,
)
from spotlab.programs import started
from spotlab.progress import Progress, silent

Function = TypeVar("Function", bound=Callable[..., Any])


@cache
def is_installed() -> bool:
    """Whether numba is there; it is not imported for that."""
    try:
        version("numba")
    except PackageNotFoundError:
        return False
    return True


@dataclass(frozen=True)
class MachineCode:
    """Functions that are compiled and stored together.

    Attributes
    ----------
    name : str
        Of the folder that keeps them.
    sources : tuple of Path
        The files that they are in, all that call each other.
    module : str
        ``python -m`` with this module calls all of them once and then `mark_stored`.
    """

    name: str
    sources: tuple[Path, ...]
    module: str

    def folder(self) -> Path:
        """Where the code of this version, for this processor, belongs.

        In ``NUMBA_CACHE_DIR`` if that is set, else in the user's cache. numba itself would not
        notice a change in a function that is called from another file.
        """
        return _folder(self)

    def is_stored(self) -> bool:
        """Whether the folder holds all of it, undamaged."""
        return is_installed() and is_complete(self.folder())

    def mark_stored(self) -> None:
        """Note that the folder holds all of it; without effect if it is not writable."""
        mark_complete(self.folder())
        remove_old_folders(self.folder(), f"{self.name}-")

    def compile_ahead(self, progress: Progress = silent) -> bool:
        """Compile it in another process, so that nothing stands still here.

        Returns
        -------
        bool
            Whether it is ready now; it is not where numba is missing or code cannot be stored.
        """
        if self.is_stored() or not is_installed():
            return self.is_stored()
        remove_damaged_files(self.folder())
        command = [sys.executable, "-m", self.module]
        with started(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None:
                progress(0, None, "compiling, once")
                time.sleep(0.05)
        return self.is_stored()

    def compiled(self, function: Function) -> Function:
        """Have a function compiled at its first call, or loaded from the folder.

        It lets go of Python's lock, and dividing by zero gives infinity or NaN as in numpy.
        """
        import numba  # noqa: PLC0415  # takes half a second

        made: Any = numba.njit(nogil=True, error_model="numpy")(function)
        try:
            self.folder().mkdir(parents=True, exist_ok=True)
            writable = os.access(self.folder(), os.W_OK)
        except OSError:
            writable = False
        if writable or self.is_stored():
            from spotlab.geometry import numba_cache  # noqa: PLC0415 - imports numba

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
    tuple(
        _HERE / f"{name}.py" for name in ("coverage_polygons", "coverage_sweep", "coverage_kernels")
    ),
    "spotlab.geometry.coverage_compiled",
)
