"""Corners that arrive in pieces, in one array, so that they are never there twice."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_FIRST = 1024  # corners that there is room for at the beginning


class Growing:
    """An array of corners that grows at its end.

    Examples
    --------
    >>> corners = Growing()
    >>> corners.add(np.ones((2, 2)))
    >>> corners.add(np.zeros((1, 2)))
    >>> corners.taken().tolist()
    [[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]]
    """

    def __init__(self) -> None:
        self._room = np.empty((_FIRST, 2))
        self._count = 0

    def add(self, points: NDArray[np.float64]) -> None:
        """Append corners, (n, 2)."""
        end = self._count + len(points)
        if end > len(self._room):
            # the system moves large blocks without copying them, and gives pages when they are used
            self._room.resize((max(end, 2 * len(self._room)), 2), refcheck=False)
        self._room[self._count : end] = points
        self._count = end

    def taken(self) -> NDArray[np.float64]:
        """(n, 2) all corners; nothing is left here."""
        points, self._room = self._room, np.empty((_FIRST, 2))
        points.resize((self._count, 2), refcheck=False)
        self._count = 0
        return points
