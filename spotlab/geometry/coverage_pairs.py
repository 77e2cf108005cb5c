"""Areas of single polygons and of pairs, in machine code.

Two polygons share what is enclosed by the parts of the edges of each that lie inside the other one.
"""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.geometry.coverage_edges import add_edges
from spotlab.geometry.coverage_outside import start_pieces
from spotlab.geometry.coverage_pieces import count_pieces, cut_edges
from spotlab.geometry.coverage_tables import (
    AREA,
    EDGE_COLUMNS,
    LEFT,
    LENGTH,
    ORIGIN,
    PIECES,
    POLYGON_COLUMNS,
    TOP,
    bound_ring,
    clear_pieces,
    make_pieces,
    most_corners,
    move_bounds,
    share_area,
    was_full,
)
from spotlab.geometry.machine_code import COVERAGE


@COVERAGE.compiled
def areas_shared(points: Floats, offsets: Ints, one: Ints, other: Ints) -> Floats:
    """Compute the area that the two rings of each pair share.

    Parameters
    ----------
    points : (M, 2) float
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Where each ring begins in ``points``.
    one, other : (K,) int
        The rings of each pair; -1 for the whole plane in place of the second one.

    Returns
    -------
    (K,) float
        Areas in px².
    """
    areas, longest = np.zeros(len(one)), most_corners(offsets)
    chains = 4 * longest // LENGTH + 1
    polygons, edges = np.empty((2 + chains, POLYGON_COLUMNS)), np.empty((2 * longest, EDGE_COLUMNS))
    pieces, turns, sums = make_pieces(8 * longest), np.empty(2 * longest + 2), np.zeros((1, 2))
    for pair in range(len(one)):
        count = 2 if other[pair] >= 0 else 1
        bound_ring(points, offsets, one[pair], polygons, 0)
        if count == 2:
            bound_ring(points, offsets, other[pair], polygons, 1)
        if not share_area(polygons, 0, polygons, count - 1):
            continue
        x, y = polygons[0, LEFT], polygons[0, TOP]
        move_bounds(polygons, count, x, y)
        row = add_edges(points, offsets, one[pair], x, y, polygons, 0, 2, edges, 0)
        if count == 2:
            add_edges(points, offsets, other[pair], x, y, polygons, 1, 2, edges, row)
        sums[0, ORIGIN] = max(polygons[0, LEFT], polygons[count - 1, LEFT])
        while True:
            clear_pieces(pieces)
            sums[0, AREA] = 0.0
            for place in range(count):
                start_pieces(edges, polygons, place, pieces, turns)
                if count == 2:
                    cut_edges(edges, polygons, place, 1 - place, PIECES, 1.0, pieces, turns, sums)
                else:
                    count_pieces(edges, polygons, place, pieces, sums)
            if not was_full(pieces):
                break
            pieces = make_pieces(2 * len(pieces))
        areas[pair] = max(sums[0, AREA], 0.0)
    return areas
