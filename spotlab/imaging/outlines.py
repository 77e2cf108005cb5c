"""Outlines around pixels: traced along their edges, chosen for a region, and filled again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Flags, Ints, Points
from spotlab.extras import cv2, ndimage
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Outlines, concatenate_ranges
from spotlab.geometry.rings import join_rings
from spotlab.model import Primitive
from spotlab.representation import short_repr

Whole = NDArray[np.int32]
Filled = TypeVar("Filled", NDArray[np.int32], NDArray[np.uint8])


@dataclass(frozen=True, eq=False)
class Runs:
    """A set of pixels, as R runs.

    Attributes
    ----------
    rows, starts, stops : (R,) int32
        Each run covers [start, stop) of its row, in px. Sorted by row, then start; runs of a row do
        not touch each other.

    Examples
    --------
    >>> runs = Runs.of([5, 5, 6], [2, 8, 3], [4, 9, 4])
    >>> len(runs), runs.bounds
    (3, (2, 5, 9, 7))
    """

    rows: Whole
    starts: Whole
    stops: Whole

    @classmethod
    def of(cls, rows: ArrayLike, starts: ArrayLike, stops: ArrayLike) -> Runs:
        """Make runs from anything that converts to arrays of whole numbers.

        Parameters
        ----------
        rows, starts, stops : (R,) array_like of int
            Sorted by row, then start.

        Returns
        -------
        Runs

        Examples
        --------
        >>> len(Runs.of([5, 6], [2, 3], [4, 4]))
        2
        """
        return cls(*(np.asarray(values, np.int32) for values in (rows, starts, stops)))

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, part: slice | NDArray[np.bool_] | NDArray[np.int64]) -> Runs:
        return Runs(self.rows[part], self.starts[part], self.stops[part])

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom in px, right and bottom exclusive; zeros for no pixels."""
        if not len(self):
            return 0, 0, 0, 0
        left, right = int(self.starts.min()), int(self.stops.max())
        return left, int(self.rows[0]), right, int(self.rows[-1]) + 1

    def translate(self, x: int, y: int) -> Runs:
        """Move the pixels.

        Parameters
        ----------
        x, y : int
            Distance to the right and down, in px.

        Returns
        -------
        Runs

        Examples
        --------
        >>> Runs.of([5], [2], [4]).translate(10, -5).bounds
        (12, 0, 14, 1)
        """
        return Runs.of(self.rows + y, self.starts + x, self.stops + x)

    def crop(self, left: int, top: int, right: int, bottom: int) -> tuple[Runs, NDArray[np.int64]]:
        """Return the part of the runs that lies in a window.

        Parameters
        ----------
        left, top, right, bottom : int
            The window in px, right and bottom exclusive.

        Returns
        -------
        runs : Runs
            K pieces, in page coordinates.
        which : (K,) int
            The run that each piece comes from.

        Examples
        --------
        >>> runs, which = Runs.of([5, 6], [2, 3], [9, 4]).crop(4, 0, 8, 9)
        >>> runs.bounds, which.tolist()
        ((4, 5, 8, 6), [0])
        """
        first, last = np.searchsorted(self.rows, [top, bottom]).tolist()
        starts, stops = self.starts[first:last], self.stops[first:last]
        inside = np.flatnonzero((stops > left) & (starts < right))
        starts, stops = np.maximum(starts[inside], left), np.minimum(stops[inside], right)
        return Runs(self.rows[first:last][inside], starts, stops), inside + first

    def count_shared(self, others: Runs) -> NDArray[np.int64]:
        """Count the pixels of each run that another set also has.

        Parameters
        ----------
        others : Runs
            The other set.

        Returns
        -------
        (R,) int

        Examples
        --------
        >>> Runs.of([5], [0], [20]).count_shared(Runs.of([5, 5], [2, 8], [4, 9])).tolist()
        [3]
        """
        if not len(self) or not len(others):
            return np.zeros(len(self), np.int64)
        # rows are laid behind one another, so that a row is a stretch of one long line
        pitch = int(max(self.stops.max(), others.stops.max())) + 1
        begins = others.rows.astype(np.int64) * pitch + others.starts
        lengths = (others.stops - others.starts).astype(np.int64)
        before = np.concatenate([[0], np.cumsum(lengths)])

        def covered_up_to(positions: NDArray[np.int64]) -> NDArray[np.int64]:
            last = np.searchsorted(begins, positions, "right") - 1
            partly = np.minimum(positions - begins[last], lengths[last])
            return np.where(last < 0, 0, before[last] + partly)

        lines = self.rows.astype(np.int64) * pitch
        return covered_up_to(lines + self.stops) - covered_up_to(lines + self.starts)

    def fill(self, width: int, height: int, values: Filled) -> Filled:
        """Paint each run with its value.

        Parameters
        ----------
        width, height : int
            Size of the image in px; all runs have to lie inside.
        values : (R,) int32 or uint8
            Value of each run.

        Returns
        -------
        (height, width) int32 or uint8
            0 where there is no run.

        Examples
        --------
        >>> Runs.of([1], [1], [3]).fill(4, 2, np.array([7], np.int32)).tolist()
        [[0, 0, 0, 0], [0, 7, 7, 0]]
        """
        # one column more, so that a run that ends with its row has a place to end at
        steps = np.zeros(height * (width + 1), values.dtype)
        lines = self.rows.astype(np.int64) * (width + 1)
        np.add.at(steps, lines + self.starts, values)
        np.subtract.at(steps, lines + self.stops, values)
        filled: Filled = np.cumsum(steps, dtype=steps.dtype, out=steps)  # wraps round rightly
        return filled.reshape(height, width + 1)[:, :width]

    def mask(self) -> tuple[int, int, NDArray[np.bool_]]:
        """Return the pixels as a mask of their bounding box.

        Returns
        -------
        left, top : int
            Corner of the box in px.
        mask : (h, w) bool
            True for the pixels.
        """
        left, top, right, bottom = self.bounds
        ones = np.ones(len(self), np.uint8)
        filled = self.translate(-left, -top).fill(right - left, bottom - top, ones)
        return left, top, filled > 0

    def occupied_cells(self, cell: int) -> tuple[int, int, NDArray[np.bool_]]:
        """Tell which cells of a grid hold pixels.

        Parameters
        ----------
        cell : int
            Side of the cells in px.

        Returns
        -------
        column, row : int
            The first cell of the mask.
        mask : (h, w) bool
            True for cells with pixels.

        Examples
        --------
        >>> column, row, cells = Runs.of([5, 9], [2, 8], [5, 9]).occupied_cells(4)
        >>> column, row, cells.tolist()
        (0, 1, [[True, True, False], [False, False, True]])
        """
        left, top, right, bottom = self.bounds
        left, top, right, bottom = left // cell, top // cell, -(-right // cell), -(-bottom // cell)
        rows = self.rows // cell - top
        # +1 where a run enters the cells of a row and −1 after it has left them
        steps = np.zeros((bottom - top, right - left + 1), np.int32)
        np.add.at(steps, (rows, self.starts // cell - left), 1)
        np.subtract.at(steps, (rows, (self.stops - 1) // cell - left + 1), 1)
        return left, top, np.cumsum(steps, axis=1)[:, :-1] > 0


def runs_from_mask(pixels: NDArray[np.bool_], top: int = 0) -> Runs:
    """Find the runs of True in an image.

    Parameters
    ----------
    pixels : (H, W) bool
        A page, or a band of its rows.
    top : int
        Row of the page that the first row is.

    Returns
    -------
    Runs

    Examples
    --------
    >>> runs = runs_from_mask(np.array([[1, 1, 0], [0, 0, 1]], bool))
    >>> runs.rows.tolist(), runs.starts.tolist(), runs.stops.tolist()
    ([0, 1], [0, 2], [2, 3])
    """
    height, width = pixels.shape
    # a column of paper before each row, and one at the end, keeps runs inside their rows
    padded = np.zeros(height * (width + 1) + 1, np.bool_)
    padded[:-1].reshape(height, width + 1)[:, 1:] = pixels
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    rows, starts = np.divmod(edges[::2], width + 1)
    return Runs.of(rows + top, starts, edges[1::2] - rows * (width + 1))


def concatenate_runs(parts: list[Runs]) -> Runs:
    """Put sets of pixels together that do not overlap.

    Parameters
    ----------
    parts : list of Runs
        In the order of the page.

    Returns
    -------
    Runs
        Empty for no parts.
    """
    if not parts:
        return Runs.of([], [], [])
    return Runs(
        np.concatenate([part.rows for part in parts]),
        np.concatenate([part.starts for part in parts]),
        np.concatenate([part.stops for part in parts]),
    )


Labels = NDArray[np.int32]


def label_parts(image: NDArray[Any], *, diagonal: bool = False) -> tuple[Labels, Labels]:
    """Number the connected parts of an image.

    OpenCV numbers them; boxes and areas are those of their runs, which are few: to look at every
    pixel again, as OpenCV does for these, takes three times as long as all of this.

    Parameters
    ----------
    image : (H, W) bool or uint8
        Parts are where it is not 0.
    diagonal : bool
        Whether pixels that touch at a corner only are connected.

    Returns
    -------
    labels : (H, W) int32
        0 outside of all parts.
    stats : (N + 1, 5) int32
        Left, top, width, height and area in px of each, in the order of OpenCV's ``CC_STAT_…``. The
        first row is that of what is outside, zeros.

    Examples
    --------
    >>> labels, stats = label_parts(np.array([[1, 0], [0, 1]], np.uint8))
    >>> labels.tolist(), stats.tolist()
    ([[1, 0], [0, 2]], [[0, 0, 0, 0, 0], [0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
    """
    inside = np.asarray(image, np.bool_)
    count, found = cv2.connectedComponents(inside.view(np.uint8), connectivity=8 if diagonal else 4)
    labels, runs = np.asarray(found, np.int32), runs_from_mask(inside)
    part = labels[runs.rows, runs.starts]
    stats = np.zeros((count, 5), np.int32)
    left, top, width, height, area = stats.T
    left[1:] = image.shape[1]
    np.minimum.at(left, part, runs.starts)
    np.maximum.at(width, part, runs.stops)
    top[part[::-1]] = runs.rows[::-1]  # the last that is written stays: that of the first run
    height[part] = runs.rows + 1
    area[:] = np.bincount(part, runs.stops - runs.starts, count)
    width -= left
    height -= top
    return labels, stats


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
