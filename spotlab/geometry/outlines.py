"""Many outlines in two arrays, so that a million of them cost no more than their coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from spotlab.arrays import Flags, Ints, Points
from spotlab.geometry.polygon import Size
from spotlab.representation import short_repr


def has_form(array: NDArray[Any], kind: DTypeLike, *shape: int | None) -> bool:
    """Tell whether an array has this very type and shape.

    Parameters
    ----------
    array : ndarray
        Any shape.
    kind : dtype
        The type that is expected.
    *shape : int or None
        The length of each axis; None stands for any length.

    Returns
    -------
    bool

    Examples
    --------
    >>> has_form(np.zeros((3, 2)), np.float64, None, 2), has_form(np.zeros(3), np.int64, 3)
    (True, False)
    """
    if array.dtype != np.dtype(kind) or array.ndim != len(shape):
        return False
    return all(want in (None, has) for want, has in zip(shape, array.shape, strict=True))


def concatenate_ranges(starts: Ints, counts: Ints) -> Ints:
    """List the numbers of several ranges, one range after the other.

    Parameters
    ----------
    starts, counts : (N,) int
        The first number of each range, and how many it has: 0 or more.

    Returns
    -------
    (sum of counts,) int

    Examples
    --------
    >>> concatenate_ranges(np.array([5, 0, 8]), np.array([2, 0, 3])).tolist()
    [5, 6, 8, 9, 10]
    """
    if len(starts) == 1:
        return np.arange(starts[0], starts[0] + counts[0], dtype=np.int64)
    before = np.cumsum(counts) - counts
    return np.asarray(np.arange(counts.sum()) + np.repeat(starts - before, counts), np.int64)


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


class NarrowOutlines(Outlines):
    """N open rings whose corners float32 holds exactly; what is asked of them is in float64.

    Parameters
    ----------
    corners : (M, 2) float32
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Ring i is ``corners[offsets[i]:offsets[i + 1]]``.

    Examples
    --------
    >>> outlines = outlines_of(np.array([[0, 0], [2, 0], [2, 1]], np.float32), np.array([0, 3]))
    >>> outlines.points.dtype, outlines.take([0])[0].tolist()
    (dtype('float64'), [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]])
    """

    corners: NDArray[np.float32]

    def __init__(self, corners: NDArray[np.float32], offsets: NDArray[np.int64]) -> None:
        vars(self).update(corners=corners, offsets=offsets)  # it is frozen

    @property
    def points(self) -> Points:
        """(M, 2) corners of all rings; made anew whenever they are asked for."""
        return self.corners.astype(np.float64)

    @property
    def _stored(self) -> NDArray[np.float32]:
        return self.corners

    def arranged(self, indices: ArrayLike) -> Outlines:
        """Return some of these outlines, in this order, in half the memory too.

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
        >>> outlines = outlines_of(np.zeros((3, 2), np.float32), np.array([0, 3]))
        >>> type(outlines.arranged([0, 0])).__name__
        'NarrowOutlines'
        """
        corners, offsets = self._taken(indices)
        return NarrowOutlines(corners.astype(np.float32, copy=False), offsets)


def outlines_of(
    corners: NDArray[np.float64] | NDArray[np.float32], offsets: NDArray[np.int64]
) -> Outlines:
    """Outlines with these corners, which are not copied.

    Parameters
    ----------
    corners : (M, 2) float64 or float32
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Where each ring begins and ends.

    Returns
    -------
    Outlines
        N rings.

    Examples
    --------
    >>> type(outlines_of(np.zeros((3, 2)), np.array([0, 3]))).__name__
    'Outlines'
    """
    if corners.dtype == np.float32:
        return NarrowOutlines(np.asarray(corners, np.float32), offsets)
    return Outlines(np.asarray(corners, np.float64), offsets)


def leaves_page(outlines: Outlines, page_size: Size, tolerance: float = 0.0) -> Flags:
    """Tell which outlines have a corner beyond the page.

    Parameters
    ----------
    outlines : Outlines
        N outlines, in px.
    page_size : (int, int)
        Width and height in px; the page is [0, width] × [0, height].
    tolerance : float
        How far a corner may lie beyond the page, in px.

    Returns
    -------
    (N,) bool
        False for an outline without corners.

    Examples
    --------
    >>> square, above = [(0, 0), (9, 0), (9, 9), (0, 9)], [(0, -1), (9, 0), (9, 9)]
    >>> leaves_page(Outlines.of([square, above, []]), (9, 9)).tolist()
    [False, True, False]
    """
    points, (width, height) = outlines.points, page_size
    beyond = ((points < -tolerance) | (points > (width + tolerance, height + tolerance))).any(
        axis=1
    )
    leaving = np.zeros(len(outlines), np.bool_)
    corners = np.flatnonzero(beyond)
    if len(corners):
        leaving[np.searchsorted(outlines.offsets, corners, side="right") - 1] = True
    return leaving


def clip_to_page(outlines: Outlines, page_size: Size) -> Outlines:
    """Keep the part of every outline that lies on the page.

    Parameters
    ----------
    outlines : Outlines
        N outlines, in px.
    page_size : (int, int)
        Width and height in px.

    Returns
    -------
    Outlines
        N outlines. Those on the page are unchanged; those that share no area with it have no
        corners.

    Examples
    --------
    >>> half, outside = [(-4, 0), (4, 0), (4, 2), (-4, 2)], [(9, 9), (12, 9), (9, 12)]
    >>> clipped = clip_to_page(Outlines.of([half, outside]), (6, 6))
    >>> clipped[0].tolist(), len(clipped[1])
    ([[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]], 0)
    """
    leaving = np.flatnonzero(leaves_page(outlines, page_size))
    if not len(leaving):
        return outlines
    clipped = outlines.take(leaving)
    for axis in (0, 1):
        for limit, outer in ((0.0, -1.0), (float(page_size[axis]), 1.0)):
            clipped = _without_repeats(_clip_at(clipped, axis, limit, outer))
    return _replaced(outlines, leaving, _without_flat(clipped))


def _clip_at(outlines: Outlines, axis: int, limit: float, outer: float) -> Outlines:
    """With nothing beyond one line; ``outer`` is 1 where larger coordinates are beyond it."""
    points, lengths = outlines.points, np.diff(outlines.offsets)
    ring = np.repeat(np.arange(len(outlines)), lengths)
    following = np.arange(1, len(points) + 1)
    filled = lengths > 0
    following[outlines.offsets[1:][filled] - 1] = outlines.offsets[:-1][filled]
    depth = (points[:, axis] - limit) * outer
    crossing = np.flatnonzero(depth * depth[following] < 0)
    here, there = points[crossing], points[following[crossing]]
    # from the same end for both directions, so that neighbours keep a common edge
    swapped = (here[:, axis] > there[:, axis])[:, None]
    low, high = np.where(swapped, there, here), np.where(swapped, here, there)
    share = (limit - low[:, axis]) / (high[:, axis] - low[:, axis])
    corners = low + (high - low) * share[:, None]
    corners[:, axis] = limit
    kept = points.copy()
    kept[:, axis] = np.where(depth > 0, limit, kept[:, axis])
    added = np.bincount(ring[crossing], minlength=len(outlines))
    offsets = np.concatenate([[0], np.cumsum(lengths + added)]).astype(np.int64)
    return Outlines(np.insert(kept, crossing + 1, corners, axis=0), offsets)


def _without_repeats(outlines: Outlines) -> Outlines:
    """Without corners that repeat the one before, the first of a ring following its last."""
    points, lengths = outlines.points, np.diff(outlines.offsets)
    before = np.arange(-1, len(points) - 1)
    filled = lengths > 0
    before[outlines.offsets[:-1][filled]] = outlines.offsets[1:][filled] - 1
    kept = (points != points[before]).any(axis=1)
    ring = np.repeat(np.arange(len(outlines)), lengths)
    counts = np.bincount(ring[kept], minlength=len(outlines))
    return Outlines(points[kept], np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))


def _without_flat(outlines: Outlines) -> Outlines:
    """Rings whose bounds have no area get no corners."""
    left, top, right, bottom = outlines.bounds.T
    whole = (right > left) & (bottom > top)
    lengths = np.where(whole, np.diff(outlines.offsets), 0)
    points = outlines.points[np.repeat(whole, np.diff(outlines.offsets))]
    return Outlines(points, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def _replaced(outlines: Outlines, places: NDArray[np.int64], others: Outlines) -> Outlines:
    """The outlines with others at these places."""
    both = outlines.followed_by(others)
    order = np.arange(len(outlines))
    order[places] = len(outlines) + np.arange(len(others))
    return both.take(order)
