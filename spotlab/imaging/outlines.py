"""The outlines that a region can have around the ink that it was sketched from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.geometry import convexity, polygon
from spotlab.imaging.runs import Runs, runs_from_mask
from spotlab.imaging.tracing import trace
from spotlab.libraries import ndimage
from spotlab.model import Primitive

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
    return convexity.convex_hull(np.column_stack([x, y]))


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
