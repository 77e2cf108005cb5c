"""Polygons in the form that machine code needs: edges from top to bottom, near the origin."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.machine_code import COVERAGE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Polygons(NamedTuple):
    """Edges and bounds of P polygons with E edges in all, in px.

    Attributes
    ----------
    first : (P + 1,) int
        Where each polygon's edges begin.
    ax, ay, bx, by : (E,) float
        Upper end (a) and lower end (b) of each edge; ay ≤ by.
    way : (E,) float
        1 where the ring runs down the edge, -1 where it runs up.
    left, top, right, bottom : (P,) float
        Bounds of each polygon; infinite for one without edges.
    """

    first: Ints
    ax: Floats
    ay: Floats
    bx: Floats
    by: Floats
    way: Floats
    left: Floats
    top: Floats
    right: Floats
    bottom: Floats


@COVERAGE.compiled
def make_polygons(points: Floats, offsets: Ints, members: Ints) -> Polygons:
    """Collect the edges of some rings, moved to near the origin, where differences are exact.

    Parameters
    ----------
    points : (M, 2) float
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Where each ring begins in ``points``.
    members : (P,) int
        The rings to collect.

    Returns
    -------
    Polygons
    """
    count = len(members)
    first = np.zeros(count + 1, np.int64)
    for place in range(count):
        first[place + 1] = first[place] + offsets[members[place] + 1] - offsets[members[place]]
    edges, bounds = np.empty((5, first[-1])), np.empty((4, count))
    ax, ay, bx, by, way = edges[0], edges[1], edges[2], edges[3], edges[4]
    left, top, right, bottom = bounds[0], bounds[1], bounds[2], bounds[3]
    x0, y0 = np.inf, np.inf
    for member in members:
        for corner in range(offsets[member], offsets[member + 1]):
            x0, y0 = min(x0, points[corner, 0]), min(y0, points[corner, 1])
    for place in range(count):
        start, end = offsets[members[place]], offsets[members[place] + 1]
        left[place], top[place], right[place], bottom[place] = np.inf, np.inf, -np.inf, -np.inf
        for corner in range(start, end):
            after = corner + 1 if corner + 1 < end else start
            x, y = points[corner, 0] - x0, points[corner, 1] - y0
            u, v = points[after, 0] - x0, points[after, 1] - y0
            left[place], right[place] = min(left[place], x), max(right[place], x)
            top[place], bottom[place] = min(top[place], y), max(bottom[place], y)
            edge = first[place] + corner - start
            if y <= v:
                ax[edge], ay[edge], bx[edge], by[edge] = x, y, u, v
                way[edge] = 1.0
            else:
                ax[edge], ay[edge], bx[edge], by[edge] = u, v, x, y
                way[edge] = -1.0
    return Polygons(first, ax, ay, bx, by, way, left, top, right, bottom)


@COVERAGE.compiled
def classify_cell(
    polygons: Polygons, place: int, x0: float, y0: float, x1: float, y1: float
) -> int:
    """Tell whether a cell lies outside a polygon (0), inside (1), or may meet an edge (2).

    Parameters
    ----------
    polygons : Polygons
        All polygons.
    place : int
        Which of them.
    x0, y0, x1, y1 : float
        Left, top, right and bottom of the cell in px.

    Returns
    -------
    int
        0, 1 or 2.
    """
    if (
        polygons.right[place] <= x0
        or polygons.left[place] >= x1
        or polygons.bottom[place] <= y0
        or polygons.top[place] >= y1
    ):
        return 0
    x, y = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    odd = 0
    for edge in range(polygons.first[place], polygons.first[place + 1]):
        a, b, c, d = polygons.ax[edge], polygons.ay[edge], polygons.bx[edge], polygons.by[edge]
        if d <= y0 or b >= y1 or (a >= x1 and c >= x1):
            continue
        if (a > x0 or c > x0) and not _misses(a, b, c, d, x0, y0, x1, y1):
            return 2
        if b <= y < d and a + (c - a) * ((y - b) / (d - b)) < x:
            odd ^= 1
    return odd


@COVERAGE.compiled
def _misses(
    a: float, b: float, c: float, d: float, x0: float, y0: float, x1: float, y1: float
) -> bool:
    """Whether all corners of the cell lie on one side of the line through (a, b) and (c, d)."""
    dx, dy = c - a, d - b
    p, q = dx * (y0 - b) - dy * (x0 - a), dx * (y0 - b) - dy * (x1 - a)
    r, s = dx * (y1 - b) - dy * (x0 - a), dx * (y1 - b) - dy * (x1 - a)
    return (p > 0 and q > 0 and r > 0 and s > 0) or (p < 0 and q < 0 and r < 0 and s < 0)


@COVERAGE.compiled
def simple_area(polygons: Polygons, place: int) -> float:
    """Compute the area of a polygon all of whose corners are seen, in turn, from its middle.

    Parameters
    ----------
    polygons : Polygons
        All polygons.
    place : int
        Which of them.

    Returns
    -------
    float
        Area in px²; NaN for every other polygon.
    """
    start, end = polygons.first[place], polygons.first[place + 1]
    x, y = (
        0.5 * (polygons.left[place] + polygons.right[place]),
        0.5 * (polygons.top[place] + polygons.bottom[place]),
    )
    twice, rounds, turn = 0.0, 0, 0.0
    for edge in range(start, end):
        a, b, c, d = (
            polygons.ax[edge] - x,
            polygons.ay[edge] - y,
            polygons.bx[edge] - x,
            polygons.by[edge] - y,
        )
        cross = (a * d - b * c) * polygons.way[edge]
        if cross == 0 or cross * turn < 0:
            return np.nan
        turn = cross
        twice += cross
        if b <= 0 < d and (a * d - b * c) > 0:  # it crosses the half-axis to the right
            rounds += 1
    return 0.5 * abs(twice) if rounds == 1 else np.nan
