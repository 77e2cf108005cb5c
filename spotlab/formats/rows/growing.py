"""Corners that arrive in pieces, in one array, so that they are never there twice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_FIRST = 1024  # corners that there is room for at the beginning

Corners = NDArray[np.float64] | NDArray[np.float32]


class Growing:
    """An array of corners that grows at its end; of float32 as long as that holds them exactly.

    Examples
    --------
    >>> corners = Growing()
    >>> corners.add(np.ones((2, 2)))
    >>> corners.add(np.zeros((1, 2)))
    >>> corners.taken().tolist()
    [[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]
    """

    def __init__(self) -> None:
        self._room: Corners = np.empty((_FIRST, 2), np.float32)
        self._count = 0

    def add(self, points: NDArray[np.float64]) -> None:
        """Append corners, (n, 2)."""
        if self._room.dtype == np.float32 and not _is_narrow(points):
            narrow, self._room = self._room, np.empty(self._room.shape)
            self._room[: self._count] = narrow[: self._count]
        end = self._count + len(points)
        if end > len(self._room):
            # the system moves large blocks without copying them, and gives pages when they are used
            self._room.resize((max(end, 2 * len(self._room)), 2), refcheck=False)
        self._room[self._count : end] = points
        self._count = end

    def taken(self) -> Corners:
        """(n, 2) all corners; nothing is left here."""
        points, self._room = self._room, np.empty((_FIRST, 2), np.float32)
        points.resize((self._count, 2), refcheck=False)
        self._count = 0
        return points


def _is_narrow(points: NDArray[np.float64]) -> bool:
    """Whether float32 holds corners exactly."""
    with np.errstate(over="ignore"):
        return bool((points.astype(np.float32) == points).all())
