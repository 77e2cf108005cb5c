"""Outlines around pixels: traced along their edges, chosen for a region, and filled again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Flags, Ints, Points
from spotlab.geometry import polygon
from spotlab.geometry.outlines import Outlines, concatenate_ranges
from spotlab.geometry.rings import join_rings
from spotlab.imaging.runs import Runs, runs_from_mask
from spotlab.libraries import ndimage
from spotlab.model import Primitive
from spotlab.representation import short_repr


def trace(runs: Runs) -> Points:
    """Return one ring that encloses, by the even-odd rule, exactly the pixels of the runs.

    Parameters
    ----------
    runs : Runs
        The pixels.

    Returns
    -------
    (N, 2) float
        Corners in px. Edges lie on the grid of pixel corners, except those that run there and back
        to join parts and holes. Empty where there are no runs.

    Examples
    --------
    >>> trace(Runs.of([3], [1], [5])).tolist()
    [[1.0, 3.0], [5.0, 3.0], [5.0, 4.0], [1.0, 4.0]]
    """
    if not len(runs):
        return np.empty((0, 2))
    return join_rings(sorted(boundary_rings(runs), key=len, reverse=True))


def boundary_rings(runs: Runs) -> list[Points]:
    """Return the closed boundaries of pixels, outer ones and holes.

    Parameters
    ----------
    runs : Runs
        The pixels.

    Returns
    -------
    list of (n, 2) float
        The corners of each boundary in px, as an open ring.
    """
    x, y = _corners(runs)
    # along a row corners pair up to horizontal edges, along a column to vertical ones
    across = _partners(np.lexsort((x, y)))
    along = _partners(np.lexsort((y, x)))
    rings = []
    visited = np.zeros(len(x), np.bool_).tolist()
    across_list, along_list = across.tolist(), along.tolist()
    for first in np.lexsort((x, y)).tolist():
        if visited[first]:
            continue
        ring, corner = [], first
        while not visited[corner]:
            other = across_list[corner]
            visited[corner] = visited[other] = True
            ring += [corner, other]
            corner = along_list[other]
        rings.append(np.column_stack([x[ring], y[ring]]).astype(np.float64))
    return rings


def _corners(runs: Runs) -> tuple[Ints, Ints]:
    """Places where the boundary turns; a point where pixels touch only at a corner comes twice.

    A run's end has one corner above and one below it. Where the runs of two rows end on the same
    side at the same x, the boundary goes straight on and both corners cancel.
    """
    ends = np.concatenate([runs.starts, runs.stops]).astype(np.int64)
    tops = np.concatenate([runs.rows, runs.rows]).astype(np.int64)
    side = np.repeat(np.array([0, 1]), len(runs))
    x, y = np.tile(ends, 2), np.concatenate([tops, tops + 1])
    sides = np.tile(side, 2)
    order = np.lexsort((sides, x, y))
    x, y, sides = x[order], y[order], sides[order]
    same = (x[1:] == x[:-1]) & (y[1:] == y[:-1]) & (sides[1:] == sides[:-1])
    cancelled = np.zeros(len(x), np.bool_)
    cancelled[1:] |= same
    cancelled[:-1] |= same
    return x[~cancelled], y[~cancelled]


def _partners(order: Ints) -> Ints:
    partners = np.empty_like(order)
    partners[order[::2]] = order[1::2]
    partners[order[1::2]] = order[::2]
    return partners


CELL = 8  # px, the smallest cell of a quad tree
GRID = 4  # px, the grid of isothetic polygons
_ELLIPSE_CORNERS = 48


def make_outline(
    runs: Runs, primitive: Primitive, page_size: tuple[int, int], cell: int | None = None
) -> Points:
    """Outline pixels with a polygon of whole coordinates inside the page.

    Parameters
    ----------
    runs : Runs
        The pixels.
    primitive : Primitive
        Which kind of outline. A free polygon begins as the hull.
    page_size : (int, int)
        Width and height of the page in px.
    cell : int, optional
        Side in px of quad-tree cells (default ``CELL``) or of the isothetic polygon's grid (default
        ``GRID``).

    Returns
    -------
    (N, 2) float
        An open ring; empty where there are no pixels.

    Examples
    --------
    >>> make_outline(Runs.of([2], [1], [4]), Primitive.BOX, (9, 9)).tolist()
    [[1.0, 2.0], [4.0, 2.0], [4.0, 3.0], [1.0, 3.0]]
    """
    if not len(runs):
        return np.empty((0, 2))
    match primitive:
        case Primitive.BOX:
            points = box(runs)
        case Primitive.TRACE:
            points = trace(runs)
        case Primitive.CELLS:
            points = cell_outline(runs, page_size, cell or CELL)
        case Primitive.ISOTHETIC:
            points = isothetic_cover(runs, page_size, cell or GRID)
        case Primitive.ELLIPSE:
            points = ellipse(runs, page_size)
        case Primitive.HULL | Primitive.POLYGON:
            points = hull(runs)
    return points


def hull(runs: Runs) -> Points:
    """Return the convex hull of the pixels' squares; one pixel's hull is a square of one px.

    Parameters
    ----------
    runs : Runs
        At least one pixel.

    Returns
    -------
    (N, 2) float
        An open ring in px.

    Examples
    --------
    >>> hull(Runs.of([2], [1], [4])).tolist()
    [[1.0, 2.0], [4.0, 2.0], [4.0, 3.0], [1.0, 3.0]]
    """
    first = np.flatnonzero(np.diff(runs.rows, prepend=-1))
    left = np.minimum.reduceat(runs.starts, first)
    right = np.maximum.reduceat(runs.stops, first)
    top = runs.rows[first]
    x = np.concatenate([left, right, left, right])
    y = np.concatenate([top, top, top + 1, top + 1])
    return polygon.convex_hull(np.column_stack([x, y]))


def box(runs: Runs) -> Points:
    """Return the four corners of the smallest upright box.

    Parameters
    ----------
    runs : Runs
        At least one pixel.

    Returns
    -------
    (4, 2) float
        In px.
    """
    left, top, right, bottom = runs.bounds
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)


def isothetic_cover(runs: Runs, page_size: tuple[int, int], grid: int = GRID) -> Points:
    """Return the polygon along a grid's lines that covers the pixels, without holes.

    Parameters
    ----------
    runs : Runs
        At least one pixel.
    page_size : (int, int)
        Width and height of the page in px.
    grid : int
        Distance of the grid's lines in px.

    Returns
    -------
    (N, 2) float
        An open ring in px, clipped to the page.

    References
    ----------
    The outer isothetic cover of Biswas, Bhowmick & Bhattacharya (2010), "Construction of isothetic
    covers of a digital object", J. Visual Communication and Image Representation 21.

    Examples
    --------
    >>> isothetic_cover(Runs.of([2], [1], [6]), (9, 9)).tolist()
    [[0.0, 0.0], [8.0, 0.0], [8.0, 4.0], [0.0, 4.0]]
    """
    left, top, filled = runs.occupied_cells(grid)
    # paper that ink encloses only cornerwise is open to the outside: the outline runs through
    return _trace_cells(left, top, ndimage.binary_fill_holes(filled), grid, page_size)


def cell_outline(runs: Runs, page_size: tuple[int, int], cell: int = CELL) -> Points:
    """Outline all cells of the page's quad tree that hold pixels, with its holes.

    The tree's leaves are squares of ``cell`` px. Larger cells whose parts are all occupied have the
    same outline as their parts.

    Parameters
    ----------
    runs : Runs
        At least one pixel.
    page_size : (int, int)
        Width and height of the page in px.
    cell : int
        Side of the smallest cells in px.

    Returns
    -------
    (N, 2) float
        An open ring in px, clipped to the page; edges that run there and back join holes and parts.

    Examples
    --------
    >>> cell_outline(Runs.of([2], [1], [4]), (9, 6)).tolist()
    [[0.0, 0.0], [8.0, 0.0], [8.0, 6.0], [0.0, 6.0]]
    """
    return _trace_cells(*runs.occupied_cells(cell), cell, page_size)


def _trace_cells(
    left: int, top: int, occupied: NDArray[np.bool_], cell: int, page_size: tuple[int, int]
) -> Points:
    corners = trace(runs_from_mask(occupied).translate(left, top))
    clipped: Points = np.minimum(corners * cell, page_size)
    return clipped


def ellipse(runs: Runs, page_size: tuple[int, int]) -> Points:
    """Return the smallest ellipse that covers the pixels, as a polygon.

    Parameters
    ----------
    runs : Runs
        At least one pixel.
    page_size : (int, int)
        Width and height of the page in px.

    Returns
    -------
    (N, 2) float
        An open ring of at most 48 points in whole px, clipped to the page.

    References
    ----------
    Khachiyan (1996), "Rounding of polytopes in the real number model of computation", Mathematics
    of Operations Research 21(2).

    Examples
    --------
    >>> ring = ellipse(Runs.of([20, 21, 22], [10, 10, 10], [30, 30, 30]), (50, 50))
    >>> ring.min(axis=0).tolist(), ring.max(axis=0).tolist()
    ([6.0, 19.0], [34.0, 24.0])
    """
    corners = hull(runs)
    centre, half_axes = _covering_ellipse(corners)
    angles = np.arange(_ELLIPSE_CORNERS) * (2 * np.pi / _ELLIPSE_CORNERS)
    # the corners lie outside the ellipse, so that the edges between them do not cut it
    radius = 1 / np.cos(np.pi / _ELLIPSE_CORNERS)
    circle = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    points: Points = np.clip(np.rint(centre + circle @ half_axes), 0, page_size)
    points = points[(points != np.roll(points, 1, axis=0)).any(axis=1)]
    if polygon.signed_area(points) < 0:
        points = points[::-1]
    return points


def _covering_ellipse(points: Points) -> tuple[Points, Points]:
    """Centre and (2, 2) half axes, as rows, of the smallest ellipse around the points."""
    count = len(points)
    lifted = np.vstack([points.T - points.mean(axis=0)[:, None], np.ones(count)])
    weights = np.full(count, 1 / count)
    for _ in range(1000):
        spread = np.einsum(
            "ij,ji->i", lifted.T @ np.linalg.inv(lifted * weights @ lifted.T), lifted
        )
        worst = int(spread.argmax())
        step = (spread[worst] - 3) / (3 * (spread[worst] - 1))
        if step < 1e-3:
            break
        weights *= 1 - step
        weights[worst] += step
    centre = points.T @ weights
    offsets = points - centre
    covariance = (offsets.T * weights) @ offsets
    variances, axes = np.linalg.eigh(covariance)
    reach = np.sqrt((((offsets @ axes) ** 2) / variances).sum(axis=1).max())
    return centre, (axes * np.sqrt(variances) * reach).T


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
