"""Edges of polygons in machine code.

Horizontal edges bound no area to their left or right, and are left out.
"""

from __future__ import annotations

from spotlab.arrays import Floats, Ints
from spotlab.geometry.coverage_chains import make_chains
from spotlab.geometry.coverage_tables import (
    BOTTOM,
    CHAIN,
    CHAIN_STOP,
    COUNTED,
    FIRST,
    KEY,
    LEFT,
    LOWER_X,
    LOWER_Y,
    PIECES,
    RIGHT,
    SIDE,
    STOP,
    TOP,
    UPPER_X,
    UPPER_Y,
    meet_bounds,
)
from spotlab.geometry.machine_code import COVERAGE

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
    chains: int,
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
    polygons : (P, 11) float
        Table of polygons, with the bounds of this one.
    place : int
        The polygon's row.
    chains : int
        Number of polygons; the rows after them take their chains.
    edges : (E, 9) float
        Table of edges.
    first : int
        Row of the first edge.

    Returns
    -------
    int
        The row that the next polygon's edges may begin at.
    """
    stop, is_star, twice = _fill_edges(
        points, offsets, ring, left, top, polygons, place, edges, first
    )
    make_chains(edges, first, stop, polygons, place, chains)
    is_simple = is_star or not _meets_itself(edges, stop - first, polygons, place)
    kept = _drop_horizontal_edges(edges, polygons, place)
    way = (1.0 if twice > 0 else -1.0) if is_simple else 0.0
    for row in range(first, kept):
        side = way * edges[row, SIDE]
        # polygons that touch overlap by nothing; of two on the same side the later one is inside
        edges[row, KEY] = place - MANY if side < 0 else MANY - place if side > 0 else place
        edges[row, SIDE], edges[row, PIECES], edges[row, COUNTED] = side, 0.0, 0.0
    polygons[place, FIRST], polygons[place, STOP] = first, kept
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
def _drop_horizontal_edges(edges: Floats, polygons: Floats, place: int) -> int:
    kept = int(polygons[place, FIRST])
    for chain in range(int(polygons[place, CHAIN]), int(polygons[place, CHAIN_STOP])):
        first, stop = int(polygons[chain, FIRST]), int(polygons[chain, STOP])
        polygons[chain, FIRST] = kept
        for row in range(first, stop):
            if edges[row, UPPER_Y] < edges[row, LOWER_Y]:
                if kept < row:
                    for column in range(SIDE + 1):
                        edges[kept, column] = edges[row, column]
                kept += 1
        polygons[chain, STOP] = kept
    return kept


@COVERAGE.compiled_work
def _meets_itself(edges: Floats, count: int, polygons: Floats, place: int) -> bool:
    """Whether two edges of a polygon that do not follow each other come closer than rounding."""
    if count < 3:
        return True
    stop = int(polygons[place, CHAIN_STOP])
    for chain in range(int(polygons[place, CHAIN]), stop):
        for another in range(chain, stop):
            if chain != another and not meet_bounds(polygons, chain, another):
                continue
            for one in range(int(polygons[chain, FIRST]), int(polygons[chain, STOP])):
                first = max(one + 2, int(polygons[another, FIRST]))
                for other in range(first, int(polygons[another, STOP])):
                    if other - one != count - 1 and _touch(edges, one, other):
                        return True
    return False


@COVERAGE.compiled_work
def _touch(edges: Floats, one: int, other: int) -> bool:
    a, c = edges[one, UPPER_X], edges[one, LOWER_X]
    e, g = edges[other, UPPER_X], edges[other, LOWER_X]
    if min(a, c) > max(e, g) or max(a, c) < min(e, g):
        return False
    if edges[one, UPPER_Y] > edges[other, LOWER_Y] or edges[one, LOWER_Y] < edges[other, UPPER_Y]:
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
