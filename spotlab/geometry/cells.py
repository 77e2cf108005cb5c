"""Quad-tree cells: from marked cells to one ring around them, and back.

All cells of a level have the same side, a power of two px, and lie in a grid from the page's
origin. Four cells make one cell of the next level.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.geometry.polygon import bounds, even_odd_geometry
from spotlab.geometry.rings import remove_straight_points, ring_from_geometry
from spotlab.geometry.transform import Size
from spotlab.libraries import shapely


class Cell(NamedTuple):
    """The square [column·side, (column + 1)·side) × [row·side, (row + 1)·side), in px.

    Attributes
    ----------
    column, row : int
        Position in the grid of cells of this side, from 0.
    side : int
        Side in px.
    """

    column: int
    row: int
    side: int


def cell_at(x: float, y: float, side: int) -> Cell:
    """Return the cell that contains a place.

    Parameters
    ----------
    x, y : float
        The place in px; the left and top edges belong to the cell.
    side : int
        Side of the cell in px.

    Returns
    -------
    Cell

    Examples
    --------
    >>> cell_at(17, 3, 8)
    Cell(column=2, row=0, side=8)
    """
    return Cell(math.floor(x / side), math.floor(y / side), side)


def ring_from_cells(cells: Iterable[Cell], page_size: Size | None = None) -> Points:
    """Outline marked cells with one ring; edges that run there and back join separate parts.

    Parameters
    ----------
    cells : iterable of Cell
        They may have different sides and overlap.
    page_size : (int, int), optional
        Width and height of the page in px; cells are clipped to it.

    Returns
    -------
    (N, 2) float
        x, y in px; all edges run along x or y. Empty where there are no cells.

    Examples
    --------
    >>> ring_from_cells([Cell(0, 0, 4), Cell(2, 0, 2), Cell(2, 1, 2)]).tolist()
    [[6.0, 0.0], [6.0, 4.0], [0.0, 4.0], [0.0, 0.0]]
    """
    squares = np.array(list(cells), dtype=float).reshape(-1, 3)
    corners = squares[:, :2] * squares[:, 2:]
    area = shapely.union_all(shapely.box(*corners.T, *(corners + squares[:, 2:]).T))
    if page_size is not None:
        area = shapely.intersection(area, shapely.box(0, 0, *page_size))
    ring = ring_from_geometry(_without_straight_points(area), isothetic=True)
    return remove_straight_points(ring) if len(ring) else ring


def cells_from_ring(points: Points, side: int, page_size: Size | None = None) -> list[Cell]:
    """Return the largest cells that together cover a ring's area.

    Parameters
    ----------
    points : (N, 2) float
        A ring by the even-odd rule, x and y in px.
    side : int
        Side of the smallest cells in px. A smallest cell is marked if more than half of it (of its
        part on the page, if the page is given) is in the area.
    page_size : (int, int), optional
        Width and height of the page in px.

    Returns
    -------
    list of Cell
        The largest first, then by row and column; empty for a ring without area. For an outline of
        cells of this side or larger ones, `ring_from_cells` gives the same area again.

    Examples
    --------
    >>> cells_from_ring(np.array([[0, 0], [6, 0], [6, 4], [0, 4]], float), 2)
    [Cell(column=0, row=0, side=4), Cell(column=2, row=0, side=2), Cell(column=2, row=1, side=2)]
    """
    area = even_odd_geometry(points)
    if area.is_empty:
        return []
    left, top, right, bottom = bounds(points)
    first_column, first_row = math.floor(left / side), math.floor(top / side)
    columns = np.arange(first_column, math.ceil(right / side))
    rows = np.arange(first_row, math.ceil(bottom / side))
    x, y = (grid.ravel() * side for grid in np.meshgrid(columns, rows))
    squares = shapely.box(x, y, x + side, y + side)
    if page_size is not None:
        squares = shapely.intersection(squares, shapely.box(0, 0, *page_size))
    shapely.prepare(area)
    covered = shapely.area(squares) * shapely.covers(area, squares)
    border = (covered == 0) & shapely.intersects(area, squares)
    covered[border] = shapely.area(shapely.intersection(squares[border], area))
    marked = (covered > shapely.area(squares) / 2).reshape(len(rows), len(columns))
    return _largest(marked, first_column, first_row, side)


def _largest(marked: NDArray[np.bool_], column: int, row: int, side: int) -> list[Cell]:
    """Merge four marked cells into their parent, level by level."""
    largest: list[Cell] = []
    while marked.any():
        # begin and end where a parent does
        below, beside = row + marked.shape[0], column + marked.shape[1]
        marked = np.pad(marked, ((row % 2, below % 2), (column % 2, beside % 2)))
        row, column = row // 2 * 2, column // 2 * 2
        parents = marked[::2, ::2] & marked[1::2, ::2] & marked[::2, 1::2] & marked[1::2, 1::2]
        alone = marked & ~np.repeat(np.repeat(parents, 2, axis=0), 2, axis=1)
        level = [
            Cell(column + int(right), row + int(down), side)
            for down, right in zip(*np.nonzero(alone), strict=True)
        ]
        largest = level + largest
        marked, row, column, side = parents, row // 2, column // 2, side * 2
    return largest


def _without_straight_points(area: Any) -> Any:
    """The same area with corners only."""
    return shapely.simplify(shapely.normalize(area), 0)
