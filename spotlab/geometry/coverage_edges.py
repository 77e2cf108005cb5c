"""Edges of polygons in machine code.

Horizontal edges bound no area to their left or right, and are left out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.coverage_tables import (
    BOTTOM,
    COUNTED,
    FIRST,
    FOLLOWING,
    KEY,
    LEFT,
    LIVE,
    LOWER_X,
    LOWER_Y,
    PIECES,
    REACH,
    RIGHT,
    SIDE,
    STOP,
    TOP,
    UPPER_X,
    UPPER_Y,
)
from spotlab.geometry.machine_code import COVERAGE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FEW = 16  # edges of a polygon up to which they need not be sorted
DOUBT = 1e-14  # share of a product up to which rounding may have changed the sign of a difference
MANY = 2.0**40  # more than there are polygons


@COVERAGE.compiled_work
def add_edges(
    points: Floats,
    offsets: Ints,
    ring: int,
    left: float,
    top: float,
    polygons: Floats,
    place: int,
    edges: Floats,
    first: int,
) -> int:
    """Add the edges of a polygon to the table.

    Parameters
    ----------
    points : (M, 2) float
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Where each ring begins in ``points``.
    ring : int
        The polygon's ring.
    left, top : float
        What is subtracted from x and y, in px.
    polygons : (P, 7) float
        Table of polygons, with the bounds of this one.
    place : int
        The polygon's row.
    edges : (E, 10) float
        Table of edges.
    first : int
        Row of the first edge.

    Returns
    -------
    int
        The row after the last edge.
    """
    stop, is_star, twice = _fill_edges(
        points, offsets, ring, left, top, polygons, place, edges, first
    )
    is_simple = is_star
    if not is_star:
        _sort_edges(edges, first, stop)
        is_simple = not _meets_itself(edges, first, stop)
    stop = _drop_horizontal_edges(edges, first, stop)
    if is_star and stop - first > FEW:
        _sort_edges(edges, first, stop)
    way, reach = (1.0 if twice > 0 else -1.0) if is_simple else 0.0, -np.inf
    for row in range(first, stop):
        side = way * edges[row, SIDE]
        reach = max(reach, edges[row, LOWER_Y])
        # polygons that touch overlap by nothing; of two on the same side the later one is inside
        edges[row, KEY] = place - MANY if side < 0 else MANY - place if side > 0 else place
        edges[row, SIDE], edges[row, REACH] = side, reach
        edges[row, PIECES] = edges[row, COUNTED] = 0.0
        edges[row, FOLLOWING] = row + 1 if row + 1 < stop else -1
    polygons[place, FIRST], polygons[place, STOP] = first, stop
    polygons[place, LIVE] = first if first < stop else -1
    return stop


@COVERAGE.compiled_work
def _fill_edges(
    points: Floats,
    offsets: Ints,
    ring: int,
    left: float,
    top: float,
    polygons: Floats,
    place: int,
    edges: Floats,
    first: int,
) -> tuple[int, bool, float]:
    """Fill in all edges; also whether the middle sees each of them in turn, and twice the area."""
    start, stop, row = offsets[ring], offsets[ring + 1], first
    middle_x = 0.5 * (polygons[place, LEFT] + polygons[place, RIGHT])
    middle_y = 0.5 * (polygons[place, TOP] + polygons[place, BOTTOM])
    rises, falls, rounds, twice = 0, 0, 0, 0.0
    if start == stop:
        return row, False, twice
    x, y = points[stop - 1, 0] - left, points[stop - 1, 1] - top
    for corner in range(start, stop):
        u, v = x, y
        x, y = points[corner, 0] - left, points[corner, 1] - top
        if x == u and y == v:
            continue
        if v <= y:
            _set_edge(edges, row, u, v, x, y, 1.0)
        else:
            _set_edge(edges, row, x, y, u, v, -1.0)
        edges[row, KEY] = row
        cross = (u - middle_x) * (y - middle_y) - (v - middle_y) * (x - middle_x)
        rises, falls, twice, row = rises + (cross > 0), falls + (cross < 0), twice + cross, row + 1
        if (v <= middle_y) != (y <= middle_y) and (cross > 0) == (y > v):
            rounds += 1  # it crosses the half-axis to the right
    count = row - first
    return row, rounds == 1 and count in (rises, falls), twice


@COVERAGE.compiled_work
def _set_edge(edges: Floats, row: int, a: float, b: float, c: float, d: float, way: float) -> None:
    edges[row, UPPER_X], edges[row, UPPER_Y] = a, b
    edges[row, LOWER_X], edges[row, LOWER_Y], edges[row, SIDE] = c, d, way


@COVERAGE.compiled_work
def _drop_horizontal_edges(edges: Floats, first: int, stop: int) -> int:
    kept = first
    for row in range(first, stop):
        if edges[row, UPPER_Y] < edges[row, LOWER_Y]:
            if kept < row:
                for column in range(SIDE + 1):
                    edges[kept, column] = edges[row, column]
            kept += 1
    return kept


@COVERAGE.compiled_work
def _sort_edges(edges: Floats, first: int, stop: int) -> None:
    """Sort edges by their upper ends, as Shell did."""
    gap = 1
    while gap < (stop - first) // 9:
        gap = 3 * gap + 1
    while gap:
        for row in range(first + gap, stop):
            a, b, c = edges[row, UPPER_X], edges[row, UPPER_Y], edges[row, LOWER_X]
            d, key, way, back = edges[row, LOWER_Y], edges[row, KEY], edges[row, SIDE], row
            while back - gap >= first and edges[back - gap, UPPER_Y] > b:
                for column in range(SIDE + 1):
                    edges[back, column] = edges[back - gap, column]
                back -= gap
            _set_edge(edges, back, a, b, c, d, way)
            edges[back, KEY] = key
        gap //= 3


@COVERAGE.compiled_work
def _meets_itself(edges: Floats, first: int, stop: int) -> bool:
    """Whether two edges of a polygon that do not follow each other come closer than rounding."""
    count = stop - first
    if count < 3:
        return True
    for one in range(first, stop):
        for other in range(one + 1, stop):
            if edges[other, UPPER_Y] > edges[one, LOWER_Y]:
                break
            apart = abs(int(edges[one, KEY]) - int(edges[other, KEY]))
            if apart != 1 and apart != count - 1 and _touch(edges, one, other):
                return True
    return False


@COVERAGE.compiled_work
def _touch(edges: Floats, one: int, other: int) -> bool:
    a, c = edges[one, UPPER_X], edges[one, LOWER_X]
    e, g = edges[other, UPPER_X], edges[other, LOWER_X]
    if min(a, c) > max(e, g) or max(a, c) < min(e, g):
        return False
    return not (_are_beside(edges, one, other) or _are_beside(edges, other, one))


@COVERAGE.compiled_work
def _are_beside(edges: Floats, line: int, other: int) -> bool:
    """Whether both ends of an edge lie on one side of the line through another edge, surely."""
    x, y = edges[line, UPPER_X], edges[line, UPPER_Y]
    dx, dy = edges[line, LOWER_X] - x, edges[line, LOWER_Y] - y
    p, q = dx * (edges[other, UPPER_Y] - y), dy * (edges[other, UPPER_X] - x)
    r, s = dx * (edges[other, LOWER_Y] - y), dy * (edges[other, LOWER_X] - x)
    one, another = p - q, r - s
    doubt, doubts = DOUBT * (abs(p) + abs(q)), DOUBT * (abs(r) + abs(s))
    return bool((one > doubt and another > doubts) or (one < -doubt and another < -doubts))
