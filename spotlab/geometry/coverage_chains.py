"""Chains of edges in machine code: what lies far from a polygon need not be compared edge by edge.

A chain is up to 16 edges that follow each other on a ring. If its bounds meet those of no chain of
another polygon, that polygon contains either all of it or nothing.
"""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats
from spotlab.geometry.coverage_tables import (
    BEGIN_Y,
    BOTTOM,
    CHAIN,
    CHAIN_STOP,
    END_Y,
    FIRST,
    LEFT,
    LENGTH,
    LIVE,
    LOWER_X,
    LOWER_Y,
    RIGHT,
    SIDE,
    STOP,
    TOP,
    UPPER_X,
    UPPER_Y,
    meet_bounds,
)
from spotlab.geometry.machine_code import COVERAGE

OUTSIDE, INSIDE, NEAR = range(3)


@COVERAGE.compiled_work
def make_chains(
    edges: Floats, first: int, stop: int, polygons: Floats, place: int, chains: int
) -> None:
    """Divide the edges of a polygon into chains.

    Parameters
    ----------
    edges, polygons : (E, 9) and (P, 11) float
        The tables; see `spotlab.geometry.coverage_tables`.
    first, stop : int
        Rows of the polygon's edges, in the order of the ring.
    place : int
        The polygon.
    chains : int
        Number of polygons; the rows after them take the chains of those with many edges.
    """
    polygons[place, FIRST], polygons[place, STOP] = first, stop
    if stop - first <= LENGTH:
        polygons[place, CHAIN], polygons[place, CHAIN_STOP] = place, place + 1
        polygons[place, BEGIN_Y] = polygons[place, END_Y] = 0.0  # wherever a ring begins, it ends
        return
    chain = chains + 2 * first // LENGTH  # twice as many rows as full chains leave room for others
    polygons[place, CHAIN] = chain
    for begin in range(first, stop, LENGTH):
        end = min(begin + LENGTH, stop)
        left, top, right, bottom = np.inf, np.inf, -np.inf, -np.inf
        for edge in range(begin, end):
            left = min(left, edges[edge, UPPER_X], edges[edge, LOWER_X])
            right = max(right, edges[edge, UPPER_X], edges[edge, LOWER_X])
            top, bottom = min(top, edges[edge, UPPER_Y]), max(bottom, edges[edge, LOWER_Y])
        polygons[chain, LEFT], polygons[chain, TOP] = left, top
        polygons[chain, RIGHT], polygons[chain, BOTTOM] = right, bottom
        polygons[chain, FIRST], polygons[chain, STOP] = begin, end
        polygons[chain, BEGIN_Y] = edges[begin, UPPER_Y if edges[begin, SIDE] > 0 else LOWER_Y]
        polygons[chain, END_Y] = edges[end - 1, LOWER_Y if edges[end - 1, SIDE] > 0 else UPPER_Y]
        chain += 1
    polygons[place, CHAIN_STOP] = chain


@COVERAGE.compiled_inline
def locate_chain(polygons: Floats, chain: int, other: int) -> int:
    """Tell where a chain lies.

    Parameters
    ----------
    polygons
        See `make_chains`.
    chain : int
        Row of the chain.
    other : int
        The polygon that it may lie in.

    Returns
    -------
    int
        `OUTSIDE` or `INSIDE` the polygon, or `NEAR` its edges.
    """
    y, is_inside = polygons[chain, TOP], False
    for part in range(int(polygons[other, CHAIN]), int(polygons[other, CHAIN_STOP])):
        if meet_bounds(polygons, chain, part):
            return NEAR
        if polygons[part, RIGHT] < polygons[chain, LEFT]:
            is_inside = is_inside != (
                (polygons[part, BEGIN_Y] <= y) != (polygons[part, END_Y] <= y)
            )
    return INSIDE if is_inside else OUTSIDE


@COVERAGE.compiled_inline
def has_pieces(polygons: Floats, place: int) -> bool:
    """Whether any edge of a polygon has pieces on the boundary of what is covered.

    Parameters
    ----------
    polygons
        See `make_chains`.
    place : int
        The polygon.

    Returns
    -------
    bool
    """
    for chain in range(int(polygons[place, CHAIN]), int(polygons[place, CHAIN_STOP])):
        if polygons[chain, LIVE] >= 0:
            return True
    return False
