"""Exact areas in one cell of the plane: who of a ranked list of polygons is seen where.

Between two heights at which an edge begins, ends or crosses another, polygons are trapezoids.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.coverage_polygons import Polygons
from spotlab.geometry.machine_code import COVERAGE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class CoverageSums(NamedTuple):
    """Where areas are added up."""

    name: Ints  # (P,) of each polygon, its place below, or among the regions
    new_area: Floats
    new_relevant: Floats
    pair_first: Ints  # (N + 1,) where each spot's pairs begin
    pair_region: Ints
    pair_new: Floats


class SweepBuffers(NamedTuple):
    """Room to work in, as long as all edges need."""

    ax: Floats
    ay: Floats
    bx: Floats
    by: Floats
    slope: Floats
    owner: Ints  # place of its polygon in the list
    levels: Floats  # heights at which something changes
    active: Ints  # edges that cross the strip, from left to right
    low: Floats  # their x where the strip begins
    high: Floats  # and where it ends
    middle: Floats  # and half-way
    inside: NDArray[np.bool_]  # by place in the list, whether the sweep is inside that polygon


@COVERAGE.compiled
def make_buffers(edges: int, polygons: int) -> SweepBuffers:
    """Room for as many edges and polygons."""
    numbers, places = np.empty((8, edges)), np.empty((2, edges), np.int64)
    return SweepBuffers(
        numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], places[0],
        np.empty(4 * edges + 2), places[1], numbers[5], numbers[6], numbers[7],
        np.zeros(polygons, np.bool_),
    )  # fmt: skip


@COVERAGE.compiled
def _gather(
    polygons: Polygons, listed: Ints, x0: float, y0: float, x1: float, y1: float, desk: SweepBuffers
) -> tuple[int, int]:
    """The edges and heights that matter in the cell; gives how many of each."""
    edges, levels = 0, 0
    for owner in range(len(listed)):
        place = listed[owner]
        for edge in range(polygons.first[place], polygons.first[place + 1]):
            a, b, c, d = polygons.ax[edge], polygons.ay[edge], polygons.bx[edge], polygons.by[edge]
            if d <= y0 or b >= y1 or (a >= x1 and c >= x1) or b == d:
                continue
            if a <= x0 and c <= x0:
                a = c = x0  # only on which side it is matters
            slope = (c - a) / (d - b)
            if not np.isfinite(slope):
                continue  # lower than any area could show
            desk.ax[edges], desk.ay[edges], desk.bx[edges], desk.by[edges] = a, b, c, d
            desk.slope[edges], desk.owner[edges] = slope, owner
            edges += 1
            # where it crosses the cell's sides what is seen of it has a bend
            for side in (x0, x1):
                if (a - side) * (c - side) < 0:
                    y = b + (d - b) * ((side - a) / (c - a))
                    if y0 < y < y1:
                        desk.levels[levels] = y
                        levels += 1
            if b > y0:
                desk.levels[levels] = b
                levels += 1
            if d < y1:
                desk.levels[levels] = d
                levels += 1
    desk.levels[levels], desk.levels[levels + 1] = y0, y1
    return edges, levels + 2


@COVERAGE.compiled
def sweep_cell(
    polygons: Polygons,
    listed: Ints,
    spots: int,
    covering: Ints,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    desk: SweepBuffers,
    ledger: CoverageSums,
) -> None:
    """Add up what is seen of each polygon in a cell.

    Parameters
    ----------
    listed : (L,) int
        Polygons with an edge in the cell: the spots in order of rank, then the regions.
    spots : int
        How many of them are spots.
    covering : (C,) int
        Regions that cover the cell.
    """
    edges, count = _gather(polygons, listed, x0, y0, x1, y1, desk)
    levels = np.sort(desk.levels[:count])
    order = np.argsort(desk.ay[:edges])
    entered, active = 0, 0
    for number in range(count - 1):
        y, below = levels[number], levels[number + 1]
        if y == below:
            continue
        half = 0.5 * (y + below)
        while entered < edges and desk.ay[order[entered]] < half:
            desk.active[active] = order[entered]
            active, entered = active + 1, entered + 1
        active = _place(desk, active, y, half, below, x0, x1)
        if _in_order(desk, active):
            _share(listed, spots, covering, below - y, active, x0, x1, desk, ledger)
            continue
        done = 0.0
        for part in _crossings(desk, active):
            for place in range(active):
                shift = (desk.high[place] - desk.low[place]) * (0.5 * (done + part))
                desk.middle[place] = desk.low[place] + shift
            _sort(desk, active)
            height = (part - done) * (below - y)
            _share(listed, spots, covering, height, active, x0, x1, desk, ledger)
            done = part


@COVERAGE.compiled
def _place(
    desk: SweepBuffers, active: int, y: float, half: float, below: float, x0: float, x1: float
) -> int:
    """Drop the edges that have ended; where the others run in the strip, sorted half-way."""
    kept = 0
    for place in range(active):
        edge = desk.active[place]
        if desk.by[edge] <= half:
            continue
        low = desk.ax[edge] + desk.slope[edge] * (y - desk.ay[edge])
        high = desk.bx[edge] - desk.slope[edge] * (desk.by[edge] - below)
        desk.active[kept] = edge
        desk.low[kept], desk.high[kept] = min(max(low, x0), x1), min(max(high, x0), x1)
        desk.middle[kept] = 0.5 * (desk.low[kept] + desk.high[kept])
        kept += 1
    _sort(desk, kept)
    return kept


@COVERAGE.compiled
def _sort(desk: SweepBuffers, active: int) -> None:
    """By x half-way; hardly anything moves from one strip to the next."""
    for place in range(1, active):
        edge, middle = desk.active[place], desk.middle[place]
        low, high = desk.low[place], desk.high[place]
        back = place
        while back > 0 and desk.middle[back - 1] > middle:
            desk.active[back], desk.middle[back] = desk.active[back - 1], desk.middle[back - 1]
            desk.low[back], desk.high[back] = desk.low[back - 1], desk.high[back - 1]
            back -= 1
        desk.active[back], desk.middle[back] = edge, middle
        desk.low[back], desk.high[back] = low, high


@COVERAGE.compiled
def _in_order(desk: SweepBuffers, active: int) -> bool:
    """Whether no edges cross in the strip."""
    for place in range(1, active):
        if desk.low[place - 1] > desk.low[place] or desk.high[place - 1] > desk.high[place]:
            return False
    return True


@COVERAGE.compiled
def _crossings(desk: SweepBuffers, active: int) -> Floats:
    """At which parts of the strip's height edges cross, rising; 1 is the last."""
    found = np.empty(active + 1)
    count = 0
    rank = np.empty(active, np.int64)
    for end in (desk.low, desk.high):
        for place in range(active):  # what is out of order half-way has crossed before that end
            back = place
            while back > 0 and end[rank[back - 1]] > end[place]:
                other = rank[back - 1]
                above, below = (
                    desk.low[other] - desk.low[place],
                    desk.high[other] - desk.high[place],
                )
                part = above / (above - below)
                if 0 < part < 1:
                    if count + 1 == len(found):
                        found = np.append(found, np.empty(len(found)))
                    found[count] = part
                    count += 1
                rank[back] = other
                back -= 1
            rank[back] = place
    found[count] = 1.0
    return np.sort(found[: count + 1])


@COVERAGE.compiled
def _share(
    listed: Ints,
    spots: int,
    covering: Ints,
    height: float,
    active: int,
    x0: float,
    x1: float,
    desk: SweepBuffers,
    ledger: CoverageSums,
) -> None:
    """Give each stretch of a strip without crossings to the first spot there."""
    first, relevant = spots, len(covering)  # the first spot here; how many regions are here
    x = x0
    for place in range(active + 1):
        to = desk.middle[place] if place < active else x1
        if first < spots and to > x:
            add_visible_area(
                listed, spots, covering, relevant, first, (to - x) * height, desk, ledger
            )
        x = to
        if place == active:
            break
        owner = desk.owner[desk.active[place]]
        enters = not desk.inside[owner]
        desk.inside[owner] = enters
        if owner >= spots:
            relevant += 1 if enters else -1
        elif enters:
            first = min(first, owner)
        elif owner == first:
            while first < spots and not desk.inside[first]:
                first += 1
    for place in range(active):
        desk.inside[desk.owner[desk.active[place]]] = False


@COVERAGE.compiled
def add_visible_area(
    listed: Ints,
    spots: int,
    covering: Ints,
    relevant: int,
    first: int,
    area: float,
    desk: SweepBuffers,
    ledger: CoverageSums,
) -> None:
    """Note that a spot covers this area first, and with it the regions that are there."""
    spot = ledger.name[listed[first]]
    ledger.new_area[spot] += area
    if relevant == 0:
        return
    ledger.new_relevant[spot] += area
    for region in covering:
        _credit_pair(ledger, spot, ledger.name[region], area)
    for place in range(spots, len(listed)):
        if desk.inside[place]:
            _credit_pair(ledger, spot, ledger.name[listed[place]], area)


@COVERAGE.compiled
def _credit_pair(ledger: CoverageSums, spot: int, region: int, area: float) -> None:
    """Add to what the spot newly covers of the region, which is among its pairs if they overlap."""
    low, high = ledger.pair_first[spot], ledger.pair_first[spot + 1]
    end = high
    while low < high:
        half = (low + high) // 2
        if ledger.pair_region[half] < region:
            low = half + 1
        else:
            high = half
    if low < end and ledger.pair_region[low] == region:
        ledger.pair_new[low] += area
