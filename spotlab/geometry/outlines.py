"""Many outlines in two arrays, so that a million of them cost no more than their coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Points
from spotlab.geometry.array_form import has_form
from spotlab.geometry.spans import concatenate_ranges
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class Outlines:
    """N open rings, one after the other; each encloses its area by the even-odd rule.

    Attributes
    ----------
    points : (M, 2) float
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Ring i is ``points[offsets[i]:offsets[i + 1]]``.

    Examples
    --------
    >>> outlines = Outlines.of([[(0, 0), (2, 0), (2, 1)], [(5, 5), (6, 5), (6, 6), (5, 6)]])
    >>> len(outlines), outlines[1].tolist()[0], outlines.bounds[0].tolist()
    (2, [5.0, 5.0], [0.0, 0.0, 2.0, 1.0])
    """

    points: Points
    offsets: NDArray[np.int64]

    __repr__ = short_repr

    @classmethod
    def of(cls, rings: Sequence[ArrayLike]) -> Outlines:
        """Make outlines from their corners.

        Parameters
        ----------
        rings : sequence of (n, 2) float
            Open rings, x and y in px; a ring may be empty.

        Returns
        -------
        Outlines
        """
        arrays = [np.asarray(ring, dtype=np.float64).reshape(-1, 2) for ring in rings]
        offsets = np.zeros(len(arrays) + 1, np.int64)
        np.cumsum([len(array) for array in arrays], out=offsets[1:])
        return cls(np.concatenate([np.empty((0, 2)), *arrays]), offsets)

    @classmethod
    def joined(cls, parts: Sequence[Outlines]) -> Outlines:
        """Put outlines one after the other.

        Parameters
        ----------
        parts : sequence of Outlines
            May be empty.

        Returns
        -------
        Outlines
            As many as all parts have.

        Examples
        --------
        >>> first, second = Outlines.of([[(0, 0), (2, 0), (2, 1)]]), Outlines.of([[], [(5, 5)]])
        >>> Outlines.joined([first, second, second]).offsets.tolist()
        [0, 3, 3, 4, 4, 5]
        """
        lengths = [np.diff(part.offsets) for part in parts]
        offsets = np.cumsum(np.concatenate([np.zeros(1, np.int64), *lengths]))
        return cls(np.concatenate([np.empty((0, 2)), *(part.points for part in parts)]), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> Points:
        if not 0 <= index < len(self):
            raise IndexError(index)
        return np.asarray(self._stored[self.offsets[index] : self.offsets[index + 1]], np.float64)

    def is_sound(self) -> bool:
        """Tell whether the arrays fit each other; they are not checked when outlines are made.

        Examples
        --------
        >>> Outlines(np.zeros((3, 2)), np.array([0, 3])).is_sound()
        True
        >>> Outlines(np.zeros((3, 2)), np.array([0, 4])).is_sound()
        False
        """
        points, offsets = self.points, self.offsets
        return bool(
            has_form(points, np.float64, None, 2)
            and has_form(offsets, np.int64, None)
            and len(offsets)
            and (offsets[0], offsets[-1]) == (0, len(points))
            and (offsets[:-1] <= offsets[1:]).all()
            and np.isfinite(points).all()
        )

    def take(self, indices: ArrayLike) -> Outlines:
        """Return some of these outlines, in this order.

        Parameters
        ----------
        indices : (K,) int
            Positions of the outlines; one may come several times.

        Returns
        -------
        Outlines
            K outlines.

        Examples
        --------
        >>> outlines = Outlines.of([[(0, 0), (2, 0), (2, 1)], [(5, 5), (6, 5), (6, 6)]])
        >>> outlines.take([1])[0].tolist()
        [[5.0, 5.0], [6.0, 5.0], [6.0, 6.0]]
        """
        corners, offsets = self._taken(indices)
        return Outlines(np.asarray(corners, np.float64), offsets)

    def arranged(self, indices: ArrayLike) -> Outlines:
        """Return some of these outlines, in this order, to be kept: in no more memory than these.

        Parameters
        ----------
        indices : (K,) int
            Positions of the outlines.

        Returns
        -------
        Outlines
            K outlines.

        Examples
        --------
        >>> outlines = Outlines.of([[(0, 0), (2, 0), (2, 1)], [(5, 5), (6, 5), (6, 6)]])
        >>> outlines.arranged([1, 0])[1].tolist()
        [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]]
        """
        return self.take(indices)

    def followed_by(self, others: Outlines) -> Outlines:
        """Return these outlines and then others.

        Parameters
        ----------
        others : Outlines
            M outlines.

        Returns
        -------
        Outlines
            N + M outlines.

        Examples
        --------
        >>> first, second = Outlines.of([[(0, 0), (2, 0), (2, 1)]]), Outlines.of([[], [(5, 5)]])
        >>> first.followed_by(second).offsets.tolist()
        [0, 3, 3, 4]
        """
        return Outlines.joined([self, others])

    @property
    def bounds(self) -> NDArray[np.float64]:
        """(N, 4) left, top, right, bottom in px; NaN for a ring without corners."""
        bounds = np.full((len(self), 4), np.nan)
        filled = np.flatnonzero(np.diff(self.offsets))
        if len(filled):
            starts = self.offsets[:-1][filled]
            bounds[filled, :2] = np.minimum.reduceat(self._stored, starts, axis=0)
            bounds[filled, 2:] = np.maximum.reduceat(self._stored, starts, axis=0)
        return bounds

    @property
    def _stored(self) -> NDArray[np.float64] | NDArray[np.float32]:
        """(M, 2) corners of all rings, as they are kept."""
        return self.points

    def _taken(
        self, indices: ArrayLike
    ) -> tuple[NDArray[np.float64] | NDArray[np.float32], NDArray[np.int64]]:
        """The corners of some outlines, as they are kept, and where each begins and ends."""
        chosen = np.asarray(indices, dtype=np.int64).reshape(-1)
        first = self.offsets[:-1][chosen]
        lengths = self.offsets[1:][chosen] - first
        offsets = np.zeros(len(chosen) + 1, np.int64)
        np.cumsum(lengths, out=offsets[1:])
        return self._stored[concatenate_ranges(first, lengths)], offsets
