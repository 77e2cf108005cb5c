"""Returns memory to the operating system that the C library would keep for later."""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # as mallopt() names them
_KEPT = 128 * 1024  # bytes


def limit_kept_memory() -> None:
    """Make the C library return the memory of large arrays as soon as they are freed.

    By default glibc keeps the more memory the larger the freed arrays were. Does nothing where the
    C library is not glibc.
    """
    mallopt = _library_function("mallopt")
    if mallopt is not None:
        mallopt(_TRIM_THRESHOLD, _KEPT)
        mallopt(_MMAP_THRESHOLD, _KEPT)


def release_memory() -> None:
    """Return freed memory to the operating system; does nothing where the C library is not glibc.

    After work on large arrays glibc keeps tens of megabytes of holes that only the next such work
    would use.
    """
    trim = _library_function("malloc_trim")
    if trim is not None:
        trim(0)


def _library_function(name: str) -> ctypes._NamedFuncPointer | None:
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
