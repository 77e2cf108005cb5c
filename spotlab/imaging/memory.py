"""Gives memory back to the system that the C library would keep for later."""

from __future__ import annotations

import ctypes
import sys


def give_back() -> None:
    """Return freed memory to the system; does nothing where the C library is not glibc.

    After work on large arrays glibc keeps tens of megabytes of holes, which nothing but the next
    such work would use.
    """
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
