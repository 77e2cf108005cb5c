"""Where numba keeps machine code between starts, and whether it is there.

Compiling takes many seconds in which Python's lock is held, so that a window would stand still. It
can be done in another process instead: the code is stored in a folder that is named by everything
it depends on, and loading it from there takes a fraction of a second.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_cache_path

Function = TypeVar("Function", bound=Callable[..., Any])

SOURCES = ("coverage_polygons", "coverage_sweep", "coverage_kernels")


@cache
def is_installed() -> bool:
    """Whether numba is there; it is not imported for that."""
    try:
        version("numba")
    except PackageNotFoundError:
        return False
    return True


@cache
def folder() -> Path:
    """Where the machine code of this version, for this processor, belongs.

    In ``NUMBA_CACHE_DIR`` if that is set, else in the user's cache. numba itself would not notice a
    change in a function that is called from another file.
    """
    here = Path(__file__)
    stamps = [here.with_name(f"{name}.py").stat() for name in SOURCES]
    parts = [f"{here} {[(stamp.st_mtime_ns, stamp.st_size) for stamp in stamps]}"]
    parts += [version("numba"), version("numpy"), platform.python_version(), platform.node()]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    base = os.environ.get("NUMBA_CACHE_DIR")
    return (Path(base) if base else user_cache_path("spotlab")) / f"coverage-{digest}"


def is_stored() -> bool:
    """Whether the folder holds all of the machine code."""
    return is_installed() and (folder() / "complete").is_file()


def mark_stored() -> None:
    """Note that the folder holds all of the machine code; without effect if it is not writable."""
    try:
        (folder() / "complete").touch()
    except OSError:
        return


def compiled(function: Function) -> Function:
    """Have a function compiled at its first call, or loaded from the folder.

    It lets go of Python's lock, and dividing by zero gives infinity or NaN as in numpy.
    """
    import numba  # noqa: PLC0415  # takes half a second

    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    try:
        folder().mkdir(parents=True, exist_ok=True)
        writable = os.access(folder(), os.W_OK)
    except OSError:
        writable = False
    if not writable and not is_stored():
        made: Function = numba.njit(**options)(function)
        return made
    config: Any = numba.config
    before, config.CACHE_DIR = config.CACHE_DIR, str(folder())
    try:
        made = numba.njit(cache=True, **options)(function)
    finally:
        config.CACHE_DIR = before  # other users of numba keep theirs
    return made
