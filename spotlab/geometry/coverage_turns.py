"""Where an edge enters and leaves a polygon, in machine code.

All is told by heights: an edge is inside a polygon where an odd number of the polygon's edges lies
to its left. Each pair of edges is compared by itself, as exactly as doubles tell, so that no result
depends on how several comparisons fit together. Edges on one line have a fixed order.
"""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.geometry.coverage_tables import (
    BEGIN_Y,
    BOTTOM,
    CHAIN,
    CHAIN_STOP,
    END_Y,
    FIRST,
    KEY,
    LEFT,
    LOWER_X,
    LOWER_Y,
    RIGHT,
    STOP,
    TOP,
    UPPER_X,
    UPPER_Y,
)
from spotlab.geometry.machine_code import COVERAGE

DOUBT = 1e-14  # share of the terms up to which rounding may have changed the sign of a difference
CLEAR = 0.03125  # share of the terms of a difference from which on rounding does not matter
SPLITTER = 134217729.0  # 2^27 + 1, which halves the digits of a double
NOTHING = 2.0**-98  # share of the terms up to which a difference is 0


@COVERAGE.compiled_inline
def common_heights(
    edges: Floats, edge: int, polygons: Floats, other: int, begin: float, end: float
) -> tuple[float, float]:
    """Between which heights an edge may lie in the bounds of a polygon.

    Parameters
    ----------
    edges, edge, polygons, other
        See `find_turns`.
    begin, end : float
        Between which heights it is looked at, in px.

    Returns
    -------
    begin, end : float
        In px; no stretch if they do not rise.
    """
    a, c = edges[edge, UPPER_X], edges[edge, LOWER_X]
    if min(a, c) > polygons[other, RIGHT] or max(a, c) < polygons[other, LEFT]:
        return begin, begin
    return max(begin, polygons[other, TOP]), min(end, polygons[other, BOTTOM])


@COVERAGE.compiled_inline
def find_turns(
    edges: Floats,
    edge: int,
    polygons: Floats,
    other: int,
    begin: float,
    end: float,
    turns: Floats,
) -> tuple[int, bool]:
    """Find the heights at which an edge enters or leaves a polygon.

    Parameters
    ----------
    edges, polygons : (E, 9) and (P, 11) float
        The tables.
    edge : int
        Row of the edge.
    other : int
        The polygon; the edge itself may be one of its edges.
    begin, end : float
        Between which heights it is looked at, in px.
    turns : (2 E,) float
        Takes the heights, rising, in px.

    Returns
    -------
    count : int
        Number of heights, between ``begin`` and ``end``.
    is_inside : bool
        Whether the edge is inside the polygon from ``begin`` to the first of them.
    """
    a, c = edges[edge, UPPER_X], edges[edge, LOWER_X]
    left, right = min(a, c), max(a, c)
    count, is_inside = 0, False
    for chain in range(int(polygons[other, CHAIN]), int(polygons[other, CHAIN_STOP])):
        if polygons[chain, TOP] >= end or polygons[chain, BOTTOM] <= begin:
            continue
        if polygons[chain, LEFT] > right:
            continue
        if polygons[chain, RIGHT] < left:  # what happens between its ends cancels
            low, high = polygons[chain, BEGIN_Y], polygons[chain, END_Y]
            low, high = min(low, high), max(low, high)
            count, is_inside = _add_turns(turns, count, is_inside, low, high, begin, end)
            continue
        for one in range(int(polygons[chain, FIRST]), int(polygons[chain, STOP])):
            low, high = edges[one, UPPER_Y], edges[one, LOWER_Y]
            if low >= end or high <= begin or one == edge:
                continue
            if edges[one, UPPER_X] > right and edges[one, LOWER_X] > right:
                continue
            if edges[one, UPPER_X] >= left or edges[one, LOWER_X] >= left:
                low, high = _heights_to_left(edges, one, edge)
            count, is_inside = _add_turns(turns, count, is_inside, low, high, begin, end)
    return count, is_inside


@COVERAGE.compiled_inline
def _add_turns(
    turns: Floats, count: int, is_inside: bool, low: float, high: float, begin: float, end: float
) -> tuple[int, bool]:
    """Add the heights between which something lies to the left."""
    if low >= high:
        return count, is_inside
    if low <= begin:
        is_inside = not is_inside
    elif low < end:
        count = _add_turn(turns, count, low)
    if high <= begin:
        is_inside = not is_inside
    elif high < end:
        count = _add_turn(turns, count, high)
    return count, is_inside


@COVERAGE.compiled_inline
def _heights_to_left(edges: Floats, edge: int, other: int) -> tuple[float, float]:
    """Between which heights an edge lies to the left of another one, if both cross them."""
    e, f, g, h = edges[edge, 0], edges[edge, 1], edges[edge, 2], edges[edge, 3]
    a, b, c, d = edges[other, 0], edges[other, 1], edges[other, 2], edges[other, 3]
    above = _side(edges, edge, a, b) if b >= f else -_side(edges, other, e, f)
    below = _side(edges, edge, c, d) if d <= h else -_side(edges, other, g, h)
    if above >= 0 and below >= 0:
        is_left = above > 0 or below > 0 or _comes_first(edges, edge, other)
        return (f, h) if is_left else (h, f)
    if above <= 0 and below <= 0:
        return h, f
    above = _to_right(edges, edge, a, b) if b >= f else -_to_right(edges, other, e, f)
    below = _to_right(edges, edge, c, d) if d <= h else -_to_right(edges, other, g, h)
    top, bottom = max(b, f), min(d, h)
    y = top + (bottom - top) * (above / (above - below))
    return (y, h) if above < 0 else (f, y)


@COVERAGE.compiled_work
def _comes_first(edges: Floats, one: int, other: int) -> bool:
    """Which of two edges on one line counts as the left one."""
    key, another = edges[one, KEY], edges[other, KEY]
    return bool(key < another or (key == another and one < other))


@COVERAGE.compiled_inline
def _add_turn(turns: Floats, count: int, y: float) -> int:
    """Insert a height among those that rise; two at the same height cancel each other."""
    at = count
    while at > 0 and turns[at - 1] > y:
        at -= 1
    if at > 0 and turns[at - 1] == y:
        for place in range(at, count):
            turns[place - 1] = turns[place]
        return count - 1
    for place in range(count, at, -1):
        turns[place] = turns[place - 1]
    turns[at] = y
    return count + 1


@COVERAGE.compiled_inline
def _side(edges: Floats, edge: int, x: float, y: float) -> float:
    """Positive for a point to the right of an edge's line, negative to its left, 0 only on it."""
    a, b = edges[edge, UPPER_X], edges[edge, UPPER_Y]
    p, q = (x - a) * (edges[edge, LOWER_Y] - b), (y - b) * (edges[edge, LOWER_X] - a)
    if abs(p - q) > DOUBT * (abs(p) + abs(q)):
        return float(p - q)
    return _difference(edges, edge, x, y)


@COVERAGE.compiled_work
def _to_right(edges: Floats, edge: int, x: float, y: float) -> float:
    """How far a point lies to the right of an edge's line, in px."""
    a, b = edges[edge, UPPER_X], edges[edge, UPPER_Y]
    dx, dy, u, v = edges[edge, LOWER_X] - a, edges[edge, LOWER_Y] - b, x - a, y - b
    p, q = u * dy, v * dx
    if abs(p - q) >= CLEAR * (abs(p) + abs(q)):
        return float((p - q) / dy)
    return float(_difference(edges, edge, x, y) / dy)


@COVERAGE.compiled_work
def _difference(edges: Floats, edge: int, x: float, y: float) -> float:
    """The same times the edge's height, with twice the digits."""
    a, b = edges[edge, UPPER_X], edges[edge, UPPER_Y]
    dx, dx_rest = _minus(edges[edge, LOWER_X], a)
    dy, dy_rest = _minus(edges[edge, LOWER_Y], b)
    u, u_rest = _minus(x, a)
    v, v_rest = _minus(y, b)
    p, p_rest = _times(u, dy)
    q, q_rest = _times(v, dx)
    first, rest = _minus(p, q)
    rest += p_rest - q_rest
    if dx_rest != 0 or dy_rest != 0 or u_rest != 0 or v_rest != 0:
        rest += (u * dy_rest + u_rest * dy) - (v * dx_rest + v_rest * dx)
        if abs(first + rest) <= NOTHING * (abs(p) + abs(q)):
            return 0.0
    return first + rest


@COVERAGE.compiled_work
def _minus(a: float, b: float) -> tuple[float, float]:
    """A difference and what rounding took from it."""
    difference = a - b
    part = difference - a
    return difference, (a - (difference - part)) - (b + part)


@COVERAGE.compiled_work
def _times(a: float, b: float) -> tuple[float, float]:
    """A product and what rounding took from it."""
    product = a * b
    high, other = SPLITTER * a, SPLITTER * b
    high, other = high - (high - a), other - (other - b)
    low, rest = a - high, b - other
    return product, ((high * other - product) + high * rest + low * other) + low * rest
