"""Pieces of edges in machine code: which bound what is covered, and which area lies to their left.

What polygons cover is bounded by those pieces of their edges that lie in no other polygon. The area
enclosed is what lies to the left of pieces on the right, less what lies to the left of the others.
"""

from __future__ import annotations

from spotlab.arrays import Floats
from spotlab.geometry.coverage_chains import INSIDE, NEAR, OUTSIDE, locate_chain
from spotlab.geometry.coverage_tables import (
    AREA,
    CHAIN,
    CHAIN_STOP,
    COUNTED,
    FOLLOWING,
    LIVE,
    LOWER_X,
    LOWER_Y,
    NEXT,
    ORIGIN,
    PIECE_BOTTOM,
    PIECE_TOP,
    PIECES,
    SIGN,
    SUM,
    UPPER_X,
    UPPER_Y,
    drop_edge,
    drop_piece,
    make_piece,
)
from spotlab.geometry.coverage_turns import common_heights, find_turns
from spotlab.geometry.machine_code import COVERAGE


@COVERAGE.compiled_work
def start_parts(edges: Floats, polygons: Floats, place: int, number: int, pieces: Floats) -> None:
    """Count each edge of a polygon as a whole.

    Parameters
    ----------
    edges, polygons, pieces : (…, 9), (…, 11) and (…, 4) float
        The tables; see `spotlab.geometry.coverage_tables`. Edges without pieces are left out.
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
    edges: Floats,
    edge: int,
    top: float,
    bottom: float,
    weight: float,
    pieces: Floats,
    sums: Floats,
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
