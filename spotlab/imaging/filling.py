"""Fills outlines on a raster: a pixel is inside where its centre is, by the even-odd rule.

OpenCV also fills every pixel that an outline touches, which makes thin areas too large. Here rows
of pixels are handled as stretches, many outlines at a time, and pixels count areas without bias.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Flags, Ints
from spotlab.geometry.outlines import Outlines
from spotlab.geometry.spans import concatenate_ranges
from spotlab.representation import short_repr


@dataclass(frozen=True)
class Grid:
    """The pixels of a raster.

    Attributes
    ----------
    width, height : int
        In pixels.
    """

    width: int
    height: int

    @property
    def step(self) -> int:
        """Places from one row to the next: its columns, and the end behind the last one."""
        return self.width + 1


@dataclass(frozen=True, eq=False)
class Spans:
    """S stretches of rows of pixels, which belong to groups and may overlap.

    Attributes
    ----------
    grid : Grid
    start, stop : (S,) int
        Places of the first pixel and of the one behind the last: (group · height + row) · step +
        column.
    """

    grid: Grid
    start: Ints
    stop: Ints

    __repr__ = short_repr

    def ungrouped(self) -> Spans:
        """The stretches as those of a single group, 0."""
        size = self.grid.height * self.grid.step
        first = self.start // size * size
        return Spans(self.grid, self.start - first, self.stop - first)

    def of_group(self, group: int) -> Spans:
        """Return the stretches of one group.

        Parameters
        ----------
        group : int
            The group.
        """
        own = self.start // (self.grid.height * self.grid.step) == group
        return Spans(self.grid, self.start[own], self.stop[own])


def spans(outlines: Outlines, group: Ints, grid: Grid) -> Spans:
    """Find the pixels whose centres the outlines enclose.

    Parameters
    ----------
    outlines : Outlines
        N rings, in pixels; the centre of the first pixel is (0.5, 0.5).
    group : (N,) int
        Group of each ring, 0 or more.
    grid : Grid
        What lies beyond it is left out.

    Returns
    -------
    Spans

    Examples
    --------
    >>> square = Outlines.of([[(1, 0), (3, 0), (3, 1), (1, 1)]])
    >>> found = spans(square, np.array([0]), Grid(4, 2))
    >>> found.start.tolist(), found.stop.tolist()
    ([1], [3])
    """
    lengths = np.diff(outlines.offsets)
    following = np.arange(1, len(outlines.points) + 1)
    filled = lengths > 0
    following[outlines.offsets[1:][filled] - 1] = outlines.offsets[:-1][filled]
    here, there = outlines.points, outlines.points[following]
    (x, y), (other_x, other_y) = here.T, there.T
    first, last = (
        np.clip(np.ceil(end(y, other_y) - 0.5), 0, grid.height).astype(np.int64)
        for end in (np.minimum, np.maximum)
    )
    rows = last - first  # of which an edge crosses the middle; none for one that runs along x
    edge = np.repeat(np.arange(len(x)), rows)
    row = concatenate_ranges(first, rows)
    slope = (other_x[edge] - x[edge]) / (other_y[edge] - y[edge])
    crossing = x[edge] + (row + 0.5 - y[edge]) * slope
    column = np.clip(np.ceil(crossing - 0.5), 0, grid.width).astype(np.int64)
    ring = np.repeat(np.arange(len(outlines)), lengths)[edge]
    size = grid.height * grid.step
    ends = np.sort(ring * size + row * grid.step + column).reshape(-1, 2)
    ends = ends[ends[:, 0] < ends[:, 1]]
    shift = (np.asarray(group, np.int64)[ends[:, 0] // size] - ends[:, 0] // size) * size
    return Spans(grid, ends[:, 0] + shift, ends[:, 1] + shift)


def unite(one: Spans) -> Spans:
    """Join stretches that overlap, group by group.

    Parameters
    ----------
    one : Spans
        Stretches that may overlap.

    Returns
    -------
    Spans
        The same pixels, each once, in rising order.

    Examples
    --------
    >>> united = unite(Spans(Grid(9, 1), np.array([1, 2, 6]), np.array([4, 5, 7])))
    >>> united.start.tolist(), united.stop.tolist()
    ([1, 6], [5, 7])
    """
    return intersect(one, one)


def intersect(one: Spans, other: Spans) -> Spans:
    """Find the pixels that two sets of stretches share, group by group.

    Parameters
    ----------
    one, other : Spans
        Stretches on the same grid; those of a set may overlap.

    Returns
    -------
    Spans
        Each pixel once for each group, in rising order.

    Examples
    --------
    >>> grid = Grid(9, 1)
    >>> wide, narrow = Spans(grid, np.array([1]), np.array([5])), Spans(grid, [3, 7], [6, 8])
    >>> shared = intersect(wide, narrow)
    >>> shared.start.tolist(), shared.stop.tolist()
    ([3], [5])
    """
    return _combined(one, other, lambda first, second: first & second)


def subtract(one: Spans, other: Spans) -> Spans:
    """Find the pixels of a set of stretches that another one does not have, group by group.

    Parameters
    ----------
    one, other : Spans
        Stretches on the same grid; those of a set may overlap.

    Returns
    -------
    Spans
        Each pixel once for each group, in rising order.

    Examples
    --------
    >>> grid = Grid(9, 1)
    >>> left = subtract(Spans(grid, np.array([1]), np.array([7])), Spans(grid, [3], [5]))
    >>> left.start.tolist(), left.stop.tolist()
    ([1, 5], [3, 7])
    """
    return _combined(one, other, lambda first, second: first & ~second)


def fill(sets: Sequence[Spans], grid: Grid) -> NDArray[np.uint8]:
    """Mark the pixels of several sets of stretches.

    Parameters
    ----------
    sets : sequence of Spans
        At most seven; of group 0, and each pixel at most once in a set.
    grid : Grid
        Their grid.

    Returns
    -------
    (H, W) uint8
        For each pixel the sum of 2ⁱ over the sets i that hold it.

    Examples
    --------
    >>> grid = Grid(4, 1)
    >>> fill([Spans(grid, [0], [3]), Spans(grid, [2], [4])], grid).tolist()
    [[1, 1, 3, 2]]
    """
    steps = np.zeros(grid.height * grid.step, np.int8)
    for number, each in enumerate(sets):
        np.add.at(steps, np.asarray(each.start, np.int64), np.int8(1 << number))
        np.subtract.at(steps, np.asarray(each.stop, np.int64), np.int8(1 << number))
    depth = np.cumsum(steps.reshape(grid.height, grid.step), axis=1, dtype=np.int8)
    return np.ascontiguousarray(depth[:, :-1]).view(np.uint8)


def _combined(one: Spans, other: Spans, holds: Callable[[Flags, Flags], Flags]) -> Spans:
    """The pixels where a condition on being in the one and in the other holds."""
    place = np.concatenate([one.start, one.stop, other.start, other.stop])
    counts = [len(one.start)] * 2 + [len(other.start)] * 2
    order = np.argsort(place, kind="stable")
    depth = [np.cumsum(np.repeat(steps, counts)[order]) for steps in ((1, -1, 0, 0), (0, 0, 1, -1))]
    inside = holds(depth[0] > 0, depth[1] > 0)
    turns = np.flatnonzero(np.diff(inside, prepend=False))
    ends = place[order][turns].reshape(-1, 2)
    ends = ends[ends[:, 0] < ends[:, 1]]
    return Spans(one.grid, ends[:, 0], ends[:, 1])
