"""Pieces of edges in machine code: where they enter and leave, what they bound."""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.geometry.compiled.coverage_edges import (
    AREA,
    BEGIN_Y,
    BOTTOM,
    CHAIN,
    CHAIN_STOP,
    COUNTED,
    END_Y,
    FIRST,
    FOLLOWING,
    INSIDE,
    KEY,
    LEFT,
    LIVE,
    LOWER_X,
    LOWER_Y,
    NEAR,
    NEXT,
    ORIGIN,
    OUTSIDE,
    PIECE_BOTTOM,
    PIECE_TOP,
    PIECES,
    RIGHT,
    SIGN,
    STOP,
    SUM,
    TOP,
    UPPER_X,
    UPPER_Y,
    drop_edge,
    drop_piece,
    locate_chain,
    make_piece,
)
from spotlab.geometry.compiled.machine_code import COVERAGE

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
    edges: Floats, edge: int, polygons: Floats, other: int, begin: float, end: float, turns: Floats
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
    """Tell which of two edges on one line counts as the left one."""
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
    """Tell how far a point lies to the right of an edge's line, in px."""
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


@COVERAGE.compiled_work
def start_parts(edges: Floats, polygons: Floats, place: int, number: int, pieces: Floats) -> None:
    """Count each edge of a polygon as a whole.

    Parameters
    ----------
    edges, polygons, pieces : (…, 9), (…, 11) and (…, 4) float
        The tables; see `coverage_edges`. Edges without pieces are left out.
    place : int
        The polygon.
    number : int
        Which of the sums counts the edges.
    """
    for chain in range(int(polygons[place, CHAIN]), int(polygons[place, CHAIN_STOP])):
        edge = int(polygons[chain, LIVE])
        while edge >= 0:
            top, bottom = edges[edge, UPPER_Y], edges[edge, LOWER_Y]
            edges[edge, COUNTED] = make_piece(pieces, top, bottom, number, edges[edge, COUNTED])
            edge = int(edges[edge, FOLLOWING])


@COVERAGE.compiled_work
def add_parts_inside(
    edges: Floats,
    polygons: Floats,
    place: int,
    other: int,
    number: int,
    pieces: Floats,
    turns: Floats,
) -> None:
    """Count those parts of a polygon's edges that lie inside another polygon.

    Parameters
    ----------
    edges, polygons, place, pieces
        See `start_parts`.
    other : int
        The other polygon.
    number : int
        Which of the sums counts the parts.
    turns : (2 E,) float
        Memory for as many heights as E edges of a polygon may have.
    """
    for chain in range(int(polygons[place, CHAIN]), int(polygons[place, CHAIN_STOP])):
        edge = int(polygons[chain, LIVE])
        if edge < 0:
            continue
        where = locate_chain(polygons, chain, other)
        while edge >= 0 and where != OUTSIDE:
            begin, end = edges[edge, UPPER_Y], edges[edge, LOWER_Y]
            count, is_inside = 0, where == INSIDE
            if where == NEAR:
                begin, end = common_heights(edges, edge, polygons, other, begin, end)
                if begin < end:
                    count, is_inside = find_turns(edges, edge, polygons, other, begin, end, turns)
            for at in range(0 if is_inside else 1, count + 1, 2):
                top, bottom = turns[at - 1] if at else begin, turns[at] if at < count else end
                edges[edge, COUNTED] = make_piece(pieces, top, bottom, number, edges[edge, COUNTED])
            edge = int(edges[edge, FOLLOWING])


@COVERAGE.compiled_work
def invert_parts(edges: Floats, polygons: Floats, place: int, number: int, pieces: Floats) -> None:
    """Count what lies between the parts of a polygon's edges that were counted so far.

    Parameters
    ----------
    edges, polygons, place, pieces
        See `start_parts`.
    number : int
        Which of the sums counts it.
    """
    for chain in range(int(polygons[place, CHAIN]), int(polygons[place, CHAIN_STOP])):
        edge = int(polygons[chain, LIVE])
        while edge >= 0:
            row, following, y = int(edges[edge, COUNTED]), 0, edges[edge, UPPER_Y]
            while row:
                if y < pieces[row, PIECE_TOP]:
                    following = make_piece(pieces, y, pieces[row, PIECE_TOP], number, following)
                y, after = pieces[row, PIECE_BOTTOM], int(pieces[row, NEXT])
                drop_piece(pieces, row)
                row = after
            if y < edges[edge, LOWER_Y]:
                following = make_piece(pieces, y, edges[edge, LOWER_Y], number, following)
            edges[edge, COUNTED] = following
            edge = int(edges[edge, FOLLOWING])


@COVERAGE.compiled_work
def cut_edges(
    edges: Floats,
    polygons: Floats,
    place: int,
    other: int,
    column: int,
    weight: float,
    pieces: Floats,
    turns: Floats,
    sums: Floats,
) -> bool:
    """Take out of the pieces of a polygon's edges what is inside another polygon.

    Parameters
    ----------
    edges, polygons, place, pieces, turns
        See `add_parts_inside`.
    other : int
        The other polygon.
    column : int
        Column of the lists of pieces, or of parts that are counted.
    weight : float
        What is taken out is counted so many times; 0 if it is not.
    sums : (S, 2) float
        See `count_piece`.

    Returns
    -------
    bool
        Whether anything was taken out.
    """
    is_cut = False
    for chain in range(int(polygons[place, CHAIN]), int(polygons[place, CHAIN_STOP])):
        before, edge = -1, int(polygons[chain, LIVE])
        if edge < 0:
            continue
        where = locate_chain(polygons, chain, other)
        while edge >= 0 and where != OUTSIDE:
            count, is_inside, row = 0, where == INSIDE, int(edges[edge, column])
            begin, end = edges[edge, UPPER_Y], edges[edge, LOWER_Y]
            if row and where == NEAR:
                begin = pieces[row, PIECE_TOP]
                if pieces[row, NEXT] == 0:
                    end = pieces[row, PIECE_BOTTOM]
                begin, end = common_heights(edges, edge, polygons, other, begin, end)
                if begin < end:
                    count, is_inside = find_turns(edges, edge, polygons, other, begin, end, turns)
            if count or is_inside:
                is_cut |= _cut_pieces(
                    edges, edge, column, turns, count, is_inside, begin, end, weight, pieces, sums
                )
            if edges[edge, PIECES] == 0:
                drop_edge(polygons, chain, edges, before, edge)
            else:
                before = edge
            edge = int(edges[edge, FOLLOWING])
    return is_cut


@COVERAGE.compiled_inline
def _cut_pieces(
    edges: Floats,
    edge: int,
    column: int,
    turns: Floats,
    count: int,
    is_inside: bool,
    begin: float,
    end: float,
    weight: float,
    pieces: Floats,
    sums: Floats,
) -> bool:
    """Take out of one edge's pieces what is inside a polygon, and tell whether there is any."""
    is_cut = False
    for at in range(0 if is_inside else 1, count + 1, 2):
        top, bottom = turns[at - 1] if at else begin, turns[at] if at < count else end
        before, row = 0, int(edges[edge, column])
        while row:
            low, high = pieces[row, PIECE_TOP], pieces[row, PIECE_BOTTOM]
            if low >= bottom:
                break
            sign, following = pieces[row, SIGN], int(pieces[row, NEXT])
            if high <= top:
                before, row = row, following
                continue
            is_cut = True
            if weight != 0:
                low_end, high_end = max(low, top), min(high, bottom)
                count_piece(edges, edge, low_end, high_end, weight * sign, pieces, sums)
            if low < top:
                pieces[row, PIECE_BOTTOM] = top
                if high > bottom:
                    pieces[row, NEXT] = make_piece(pieces, bottom, high, sign, following)
                before = row
            elif high > bottom:
                pieces[row, PIECE_TOP], before = bottom, row
            else:
                if before:
                    pieces[before, NEXT] = following
                else:
                    edges[edge, column] = following
                drop_piece(pieces, row)
            row = following
    return is_cut


@COVERAGE.compiled_work
def count_pieces(edges: Floats, polygons: Floats, place: int, pieces: Floats, sums: Floats) -> None:
    """Count all pieces of a polygon's edges.

    Parameters
    ----------
    edges, polygons, place, pieces
        See `start_parts`.
    sums : (S, 2) float
        See `count_piece`.
    """
    for chain in range(int(polygons[place, CHAIN]), int(polygons[place, CHAIN_STOP])):
        edge = int(polygons[chain, LIVE])
        while edge >= 0:
            row = int(edges[edge, PIECES])
            while row:
                top, bottom = pieces[row, PIECE_TOP], pieces[row, PIECE_BOTTOM]
                count_piece(edges, edge, top, bottom, pieces[row, SIGN], pieces, sums)
                row = int(pieces[row, NEXT])
            edge = int(edges[edge, FOLLOWING])


@COVERAGE.compiled_inline
def count_piece(
    edges: Floats, edge: int, top: float, bottom: float, weight: float, pieces: Floats, sums: Floats
) -> None:
    """Add the area to the left of a piece to the first sum, and to those that count parts of it.

    Parameters
    ----------
    edges, pieces : (…, 9) and (…, 4) float
        The tables.
    edge : int
        The edge.
    top, bottom : float
        The piece, in px.
    weight : float
        1 to add, -1 to subtract.
    sums : (S, 2) float
        Areas in px², and x in px that each is counted from.
    """
    sums[0, AREA] += weight * _area_to_left(edges, edge, top, bottom, sums[0, ORIGIN])
    row = int(edges[edge, COUNTED])
    while row:
        low, high = max(top, pieces[row, PIECE_TOP]), min(bottom, pieces[row, PIECE_BOTTOM])
        if low < high:
            number = int(pieces[row, SUM])
            area = _area_to_left(edges, edge, low, high, sums[number, ORIGIN])
            sums[number, AREA] += weight * area
        row = int(pieces[row, NEXT])


@COVERAGE.compiled_work
def _area_to_left(edges: Floats, edge: int, top: float, bottom: float, origin: float) -> float:
    """The area between a vertical line and a piece."""
    a, b = edges[edge, UPPER_X], edges[edge, UPPER_Y]
    c, d = edges[edge, LOWER_X], edges[edge, LOWER_Y]
    x = a + (c - a) * ((0.5 * (top + bottom) - b) / (d - b))
    return float((x - origin) * (bottom - top))
