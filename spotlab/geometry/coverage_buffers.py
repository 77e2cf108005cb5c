"""What a sweep in machine code writes to: sums of areas, and memory to work in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.machine_code import COVERAGE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class CoverageSums(NamedTuple):
    """Sums of areas, in px², of the P polygons of a group.

    Attributes
    ----------
    name : (P,) int
        Position of each polygon among all spots or regions.
    new_area, new_relevant : (N,) float
        By spot; see `spotlab.geometry.coverage.NewCoverage`.
    pair_first : (N + 1,) int
        Where each spot's pairs begin.
    pair_region : (K,) int
        The region of each pair, rising for each spot.
    pair_new : (K,) float
        The area of the region that the spot newly covers.
    """

    name: Ints
    new_area: Floats
    new_relevant: Floats
    pair_first: Ints
    pair_region: Ints
    pair_new: Floats


class SweepBuffers(NamedTuple):
    """Memory for a sweep over E edges of P polygons, used again for every cell.

    Attributes
    ----------
    ax, ay, bx, by : (E,) float
        Upper end (a) and lower end (b) of each edge, in px.
    slope : (E,) float
        By how many px x grows for each px of y.
    owner : (E,) int
        Position of the edge's polygon in the cell's list.
    levels : (4 E + 2,) float
        Heights, in px, at which edges begin, end or leave the cell.
    active : (E,) int
        Edges that cross the strip, from left to right.
    low, high, middle : (E,) float
        Their x in px at the top, at the bottom and half-way down the strip.
    inside : (P,) bool
        Whether the sweep is inside each polygon of the list.
    """

    ax: Floats
    ay: Floats
    bx: Floats
    by: Floats
    slope: Floats
    owner: Ints
    levels: Floats
    active: Ints
    low: Floats
    high: Floats
    middle: Floats
    inside: NDArray[np.bool_]


@COVERAGE.compiled
def make_buffers(edges: int, polygons: int) -> SweepBuffers:
    """Reserve memory for a sweep.

    Parameters
    ----------
    edges, polygons : int
        The largest numbers of edges and polygons of a cell.

    Returns
    -------
    SweepBuffers
    """
    numbers, places = np.empty((8, edges)), np.empty((2, edges), np.int64)
    return SweepBuffers(
        numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], places[0],
        np.empty(4 * edges + 2), places[1], numbers[5], numbers[6], numbers[7],
        np.zeros(polygons, np.bool_),
    )  # fmt: skip
