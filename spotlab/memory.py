"""How much freed memory the C library keeps for later, and when the system gets it back."""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # as mallopt() names them
_OWN_PAGES = 32 * 1024 * 1024  # bytes, the most that glibc takes


def share_one_heap() -> None:
    """Make the C library keep all memory in one heap, from which what is free can be returned.

    By default glibc has a heap for each thread, with holes in each that the others cannot use: an
    eighth more where threads load a large run. Does nothing where the C library is not glibc.
    """
    mallopt = _library_function("mallopt")
    if mallopt is not None:
        mallopt(_ARENA_MAX, 1)
    keep_for_next_work()


def keep_for_next_work() -> None:
    """Keep memory of arrays of up to 32 MB for those that come next; up to 64 MB are kept.

    Pages of their own would come from the system each time: large images and runs would take twice
    as long. Dask starts its workers with 64 kB, with which small pages, too, take half as long
    again. Does nothing where the C library is not glibc.
    """
    mallopt = _library_function("mallopt")
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _OWN_PAGES)
        mallopt(_TRIM_THRESHOLD, 2 * _OWN_PAGES)


def release_memory() -> None:
    """Return freed memory to the operating system: that of the C library, if it is glibc.

    After work on large arrays glibc keeps up to hundreds of megabytes of holes that only the next
    such work would use. So does pyarrow, which is asked, too, where it is in use.
    """
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is not None:
        pyarrow.default_memory_pool().release_unused()
    trim = _library_function("malloc_trim")
    if trim is not None:
        trim(0)


def _library_function(name: str) -> ctypes._NamedFuncPointer | None:
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None
