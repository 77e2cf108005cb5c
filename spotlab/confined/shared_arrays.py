"""Arrays in memory that two processes see: files without a name, or pages with one on Windows."""

from __future__ import annotations

import mmap
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from math import prod
from tempfile import TemporaryFile
from typing import Any, ClassVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

if sys.platform != "win32":
    import fcntl

WINDOWS = sys.platform == "win32"
_KEPT = 64_000_000  # bytes, the most that are kept for the next page
_NUMBERS = count()
_DESCRIBED = "start", "length", "offset", "shape", "strides", "dtype"


class SharedMemory:
    """Memory that grows as arrays are made in it; given back when nobody has an array there.

    Attributes
    ----------
    handle : int or str
        A file descriptor; on Windows a name.
    """

    _spare: ClassVar[list[int]] = []  # what the last page was in, as taking memory is slow

    def __init__(self) -> None:
        self.handle: int | str = f"spotlab-{os.getpid()}-{next(_NUMBERS)}"
        if not WINDOWS:
            self.handle = self._spare.pop() if self._spare else _file()

    def __del__(self) -> None:
        if isinstance(self.handle, int):
            if not self._spare and os.fstat(self.handle).st_size <= _KEPT:
                self._spare.append(self.handle)
            else:
                os.close(self.handle)


def _file() -> int:
    with suppress(AttributeError, OSError):  # Linux has both, other systems have files
        handle = os.memfd_create("spotlab", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        fcntl.fcntl(handle, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)  # who reads must not crash
        return handle
    with TemporaryFile() as file:
        return os.dup(file.fileno())


class _Map(mmap.mmap):
    """A part of shared memory."""

    memory: SharedMemory | None = None


class SharedArrays:
    """Arrays in the memory of one handle.

    Parameters
    ----------
    memory : SharedMemory or int or str
        Made here, or the handle of what the other process has made.
    start : int
        Where the first array begins: the ``end`` of what the other process has made there.

    Attributes
    ----------
    end : int
        Behind the last array.

    Examples
    --------
    >>> memory = SharedMemory()
    >>> mine, theirs = SharedArrays(memory), SharedArrays(memory.handle)
    >>> array = mine.zeros((2, 3), np.uint8)
    >>> seen = theirs.array(mine.describe(array[:, 1:]))
    >>> array[1, 2] = 7
    >>> seen.tolist()
    [[0, 0], [0, 7]]
    """

    def __init__(self, memory: SharedMemory | int | str, start: int = 0) -> None:
        self._memory = memory if isinstance(memory, SharedMemory) else None
        self._handle = memory.handle if isinstance(memory, SharedMemory) else memory
        self._parts: dict[int, tuple[_Map, NDArray[np.uint8]]] = {}  # by where they begin
        self.end = start

    def zeros(self, shape: int | Sequence[int], dtype: DTypeLike = np.uint8) -> NDArray[Any]:
        """Make an array that is 0, and takes memory only where something is written.

        Parameters
        ----------
        shape : int or sequence of int
        dtype : dtype
        """
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        length = max(prod(shape) * np.dtype(dtype).itemsize, 1)
        start, grain = self.end, mmap.ALLOCATIONGRANULARITY
        self.end += -(-length // grain) * grain
        used = 0  # bytes that somebody may have written to
        if isinstance(self._handle, int):
            size = os.fstat(self._handle).st_size
            used = min(max(size - start, 0), length)
            if size < self.end:
                os.ftruncate(self._handle, self.end)
        part = self._map(start, length, populate=used == length)
        flat = np.frombuffer(part, np.uint8)
        flat[:used] = 0
        self._parts[start] = part, flat
        return flat[: prod(shape) * np.dtype(dtype).itemsize].view(dtype).reshape(shape)

    def describe(self, array: NDArray[Any]) -> dict[str, Any]:
        """Say where an array is, for `array` in the other process.

        Parameters
        ----------
        array : ndarray
            One that `zeros` made, a part or a view of it; another one is copied.
        """
        low, _high = np.lib.array_utils.byte_bounds(array)
        first: int = array.__array_interface__["data"][0]
        for start, (_, flat) in self._parts.items():
            begin: int = flat.__array_interface__["data"][0]
            if begin <= low < begin + len(flat):
                values = start, len(flat), first - begin, array.shape, array.strides
                return dict(zip(_DESCRIBED, (*values, array.dtype.str), strict=True))
        copy = self.zeros(array.shape, array.dtype)
        copy[...] = array
        return self.describe(copy)

    def array(self, described: dict[str, Any], full: bool = True) -> NDArray[Any]:
        """Return the array of the other process; it keeps the memory as long as it lives.

        Parameters
        ----------
        described : dict
            What `describe` gave.
        full : bool
            Whether all of it has been written to, and will be looked at.

        Raises
        ------
        ValueError
            The memory is not so large.
        """
        start, length, offset, shape, strides, dtype = (described[key] for key in _DESCRIBED)
        memory = self._map(start, length, populate=full)
        return np.ndarray(tuple(shape), dtype, memory, offset, tuple(strides))

    def free_rest(self, described: Sequence[dict[str, Any]]) -> None:
        """Give back the memory below these arrays and between them, as far as the system can.

        Parameters
        ----------
        described : sequence of dict
            What `describe` gave of the arrays that are still wanted.
        """
        if not hasattr(mmap, "MADV_REMOVE"):
            return
        used = dict.fromkeys(self._parts, 0)
        for each in described:
            start, _, offset, shape, strides, dtype = (each[key] for key in _DESCRIBED)
            steps = [(n - 1) * stride for n, stride in zip(shape, strides, strict=True)]
            end = offset + sum(step for step in steps if step > 0) + np.dtype(dtype).itemsize
            used[start] = max(used[start], -(-end // mmap.PAGESIZE) * mmap.PAGESIZE)
        for start, (part, flat) in self._parts.items():
            if used[start] < len(flat):
                with suppress(OSError):
                    part.madvise(mmap.MADV_REMOVE, used[start], len(flat) - used[start])

    def _map(self, start: int, length: int, populate: bool = False) -> _Map:
        if isinstance(self._handle, int):
            flags = mmap.MAP_SHARED | (getattr(mmap, "MAP_POPULATE", 0) if populate else 0)
            part = _Map(self._handle, length, flags=flags, offset=start)
        else:
            part = _Map(-1, length, tagname=f"{self._handle}-{start}")  # type: ignore[call-arg]
        part.memory = self._memory
        return part
