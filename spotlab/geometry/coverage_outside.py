"""What of a polygon's edges lies outside of other polygons, in machine code.

For each edge, the stretches that others hide are collected between heights, merged where they
overlap. What is between them makes pieces.
"""

from __future__ import annotations

from spotlab.arrays import Floats, Ints
from spotlab.geometry.coverage_chains import INSIDE, NEAR, locate_chain
from spotlab.geometry.coverage_grid import find_covered
from spotlab.geometry.coverage_tables import (
    CHAIN,
    CHAIN_STOP,
    FIRST,
    FOLLOWING,
    LIVE,
    LOWER_Y,
    PIECES,
    SIDE,
    STOP,
    UPPER_Y,
    make_piece,
)
from spotlab.geometry.coverage_turns import common_heights, find_turns
from spotlab.geometry.machine_code import COVERAGE


@COVERAGE.compiled_work
def start_pieces(
    edges: Floats, polygons: Floats, place: int, pieces: Floats, turns: Floats
) -> None:
    """Make each edge of a polygon one piece, or pieces of either sign if its boundary meets itself.

    Parameters
    ----------
    edges, polygons, pieces : (…, 9), (…, 11) and (…, 4) float
        The tables; see `spotlab.geometry.coverage_tables`.
    place : int
        The polygon.
    turns : (2 E,) float
        Memory for as many heights as E edges of a polygon may have.
    """
    for chain in range(int(polygons[place, CHAIN]), int(polygons[place, CHAIN_STOP])):
        polygons[chain, LIVE], last = -1, -1
        for edge in range(int(polygons[chain, FIRST]), int(polygons[chain, STOP])):
            last = _start_edge(edges, polygons, place, chain, edge, last, 0, turns, pieces, turns)


@COVERAGE.compiled_inline
def start_pieces_outside(
    edges: Floats,
    polygons: Floats,
    place: int,
    near: Ints,
    found: int,
    covered: int,
    shape: Floats,
    cells: Ints,
    pieces: Floats,
    turns: Floats,
    hidden: Floats,
) -> bool:
    """Make pieces of what lies outside of other polygons and of covered cells.

    Parameters
    ----------
    edges, polygons, place, pieces, turns
        See `start_pieces`.
    near : (P,) int
        The other polygons; they are put into another order.
    found : int
        How many they are.
    covered : int
        How many cells that the bounds meet are covered.
    shape, cells
        See `spotlab.geometry.coverage_grid.find_near`.
    hidden : (2 H,) float
        Memory for as many hidden stretches as an edge may have.

    Returns
    -------
    bool
        Whether there is any piece.
    """
    is_any = False
    for chain in range(int(polygons[place, CHAIN]), int(polygons[place, CHAIN_STOP])):
        polygons[chain, LIVE], last = -1, -1
        around, looked_at = 0, 0
        for edge in range(int(polygons[chain, FIRST]), int(polygons[chain, STOP])):
            count = find_covered(edges, edge, shape, cells, hidden) if covered else 0
            top, bottom, at = edges[edge, UPPER_Y], edges[edge, LOWER_Y], 0
            while True:
                if count:
                    if hidden[0] <= top:
                        top = hidden[1]
                    if hidden[2 * count - 1] >= bottom:
                        bottom = hidden[2 * count - 2]
                if at == around and top < bottom:
                    around, looked_at = _find_next(polygons, chain, near, around, looked_at, found)
                if at >= around or top >= bottom:
                    break
                count = _hide(edges, edge, polygons, near[at], top, bottom, count, hidden, turns)
                at += 1
            if around < 0:
                break
            if top < bottom:
                last = _start_edge(
                    edges, polygons, place, chain, edge, last, count, hidden, pieces, turns
                )
            elif at > 1:  # most likely the last one hides the next edge, too
                near[0], near[at - 1] = near[at - 1], near[0]
        is_any |= last >= 0
    return is_any


@COVERAGE.compiled_inline
def _find_next(
    polygons: Floats, chain: int, near: Ints, around: int, looked_at: int, found: int
) -> tuple[int, int]:
    """Put the next one that a chain is near to behind the others that it is near to.

    Returns how many they are, or -1 if the chain is inside another, and how many were looked at.
    """
    while looked_at < found:
        other = near[looked_at]
        where = locate_chain(polygons, chain, other)
        if where == INSIDE:
            return -1, looked_at
        looked_at += 1
        if where == NEAR:
            near[looked_at - 1], near[around] = near[around], other
            return around + 1, looked_at
    return around, looked_at


@COVERAGE.compiled_inline
def _hide(
    edges: Floats,
    edge: int,
    polygons: Floats,
    other: int,
    top: float,
    bottom: float,
    count: int,
    hidden: Floats,
    turns: Floats,
) -> int:
    """Add what a polygon hides of an edge; return how many stretches are hidden."""
    begin, end = common_heights(edges, edge, polygons, other, top, bottom)
    if begin < end:
        turned, is_inside = find_turns(edges, edge, polygons, other, begin, end, turns)
        for turn in range(0 if is_inside else 1, turned + 1, 2):
            low, high = turns[turn - 1] if turn else begin, turns[turn] if turn < turned else end
            count = _add_stretch(hidden, count, low, high)
    return count


@COVERAGE.compiled_inline
def _add_stretch(hidden: Floats, count: int, top: float, bottom: float) -> int:
    """Add a stretch to those that rise, and merge it with those that it meets."""
    first = count
    while first > 0 and hidden[2 * first - 1] >= top:
        first -= 1
    after = first
    while after < count and hidden[2 * after] <= bottom:
        after += 1
    if first == after:
        for at in range(2 * count - 1, 2 * first - 1, -1):
            hidden[at + 2] = hidden[at]
    else:
        top, bottom = min(top, hidden[2 * first]), max(bottom, hidden[2 * after - 1])
        less = 2 * (after - first - 1)
        if less:
            for at in range(2 * after, 2 * count):
                hidden[at - less] = hidden[at]
    hidden[2 * first], hidden[2 * first + 1] = top, bottom
    return count + 1 - (after - first)


@COVERAGE.compiled_inline
def _start_edge(
    edges: Floats,
    polygons: Floats,
    place: int,
    chain: int,
    edge: int,
    last: int,
    count: int,
    hidden: Floats,
    pieces: Floats,
    turns: Floats,
) -> int:
    """Make pieces of what is not hidden; return the last edge that has pieces."""
    top, bottom, side = edges[edge, UPPER_Y], edges[edge, LOWER_Y], edges[edge, SIDE]
    turned, is_right, following = 0, side > 0, 0
    if side == 0:
        turned, is_right = find_turns(edges, edge, polygons, place, top, bottom, turns)
    for at in range(turned, -1, -1):
        begin, end = turns[at - 1] if at else top, turns[at] if at < turned else bottom
        sign = 1.0 if is_right != (at % 2 == 1) else -1.0
        for stretch in range(count - 1, -1, -1):
            low, high = hidden[2 * stretch], hidden[2 * stretch + 1]
            if high <= begin:
                break
            if high < end:
                following = make_piece(pieces, high, end, sign, following)
            end = min(end, low)
        if begin < end:
            following = make_piece(pieces, begin, end, sign, following)
    edges[edge, PIECES], edges[edge, FOLLOWING] = following, -1
    if following == 0:
        return last
    if last < 0:
        polygons[chain, LIVE] = edge
    else:
        edges[last, FOLLOWING] = edge
    return edge
