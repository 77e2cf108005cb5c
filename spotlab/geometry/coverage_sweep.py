"""Exact areas in one cell of the plane: which polygon of a ranked list is seen where.

Between two heights at which an edge begins, ends or crosses another one, polygons are trapezoids.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.coverage_buffers import CoverageSums, SweepBuffers
from spotlab.geometry.coverage_polygons import Polygons
from spotlab.geometry.machine_code import COVERAGE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@COVERAGE.compiled
def _gather(
    polygons: Polygons,
    listed: Ints,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    buffers: SweepBuffers,
) -> tuple[int, int]:
    """Collect the edges and heights that matter in the cell; return the number of each."""
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
            buffers.ax[edges], buffers.ay[edges], buffers.bx[edges], buffers.by[edges] = a, b, c, d
            buffers.slope[edges], buffers.owner[edges] = slope, owner
            edges += 1
            # where it crosses the cell's sides what is seen of it has a bend
            for side in (x0, x1):
                if (a - side) * (c - side) < 0:
                    y = b + (d - b) * ((side - a) / (c - a))
                    if y0 < y < y1:
                        buffers.levels[levels] = y
                        levels += 1
            if b > y0:
                buffers.levels[levels] = b
                levels += 1
            if d < y1:
                buffers.levels[levels] = d
                levels += 1
    buffers.levels[levels], buffers.levels[levels + 1] = y0, y1
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
    buffers: SweepBuffers,
    sums: CoverageSums,
) -> None:
    """Add up the area that is seen of each polygon in a cell.

    Parameters
    ----------
    polygons : Polygons
        All polygons of the group.
    listed : (L,) int
        Polygons with an edge in the cell: the spots in order of rank, then the regions.
    spots : int
        How many of them are spots.
    covering : (C,) int
        Regions that cover the whole cell.
    x0, y0, x1, y1 : float
        Left, top, right and bottom of the cell in px.
    buffers : SweepBuffers
        Memory to work in.
    sums : CoverageSums
        What the areas are added to.
    """
    edges, count = _gather(polygons, listed, x0, y0, x1, y1, buffers)
    levels = np.sort(buffers.levels[:count])
    order = np.argsort(buffers.ay[:edges])
    entered, active = 0, 0
    for number in range(count - 1):
        y, below = levels[number], levels[number + 1]
        if y == below:
            continue
        half = 0.5 * (y + below)
        while entered < edges and buffers.ay[order[entered]] < half:
            buffers.active[active] = order[entered]
            active, entered = active + 1, entered + 1
        active = _place(buffers, active, y, half, below, x0, x1)
        if _in_order(buffers, active):
            _share(listed, spots, covering, below - y, active, x0, x1, buffers, sums)
            continue
        done = 0.0
        for part in _crossings(buffers, active):
            for place in range(active):
                shift = (buffers.high[place] - buffers.low[place]) * (0.5 * (done + part))
                buffers.middle[place] = buffers.low[place] + shift
            _sort(buffers, active)
            height = (part - done) * (below - y)
            _share(listed, spots, covering, height, active, x0, x1, buffers, sums)
            done = part


@COVERAGE.compiled
def _place(
    buffers: SweepBuffers, active: int, y: float, half: float, below: float, x0: float, x1: float
) -> int:
    """Drop the edges that have ended; sort the others by x half-way down the strip."""
    kept = 0
    for place in range(active):
        edge = buffers.active[place]
        if buffers.by[edge] <= half:
            continue
        low = buffers.ax[edge] + buffers.slope[edge] * (y - buffers.ay[edge])
        high = buffers.bx[edge] - buffers.slope[edge] * (buffers.by[edge] - below)
        buffers.active[kept] = edge
        buffers.low[kept], buffers.high[kept] = min(max(low, x0), x1), min(max(high, x0), x1)
        buffers.middle[kept] = 0.5 * (buffers.low[kept] + buffers.high[kept])
        kept += 1
    _sort(buffers, kept)
    return kept


@COVERAGE.compiled
def _sort(buffers: SweepBuffers, active: int) -> None:
    """Sort by x half-way; hardly anything moves from one strip to the next."""
    for place in range(1, active):
        edge, middle = buffers.active[place], buffers.middle[place]
        low, high = buffers.low[place], buffers.high[place]
        back = place
        while back > 0 and buffers.middle[back - 1] > middle:
            buffers.active[back], buffers.middle[back] = (
                buffers.active[back - 1],
                buffers.middle[back - 1],
            )
            buffers.low[back], buffers.high[back] = buffers.low[back - 1], buffers.high[back - 1]
            back -= 1
        buffers.active[back], buffers.middle[back] = edge, middle
        buffers.low[back], buffers.high[back] = low, high


@COVERAGE.compiled
def _in_order(buffers: SweepBuffers, active: int) -> bool:
    """Whether no edges cross in the strip."""
    for place in range(1, active):
        if (
            buffers.low[place - 1] > buffers.low[place]
            or buffers.high[place - 1] > buffers.high[place]
        ):
            return False
    return True


@COVERAGE.compiled
def _crossings(buffers: SweepBuffers, active: int) -> Floats:
    """The shares of the strip's height at which edges cross, rising; 1 is the last."""
    parts = np.empty(active + 1)
    count = 0
    rank = np.empty(active, np.int64)
    for end in (buffers.low, buffers.high):
        for place in range(active):  # what is out of order half-way has crossed before that end
            back = place
            while back > 0 and end[rank[back - 1]] > end[place]:
                other = rank[back - 1]
                above, below = (
                    buffers.low[other] - buffers.low[place],
                    buffers.high[other] - buffers.high[place],
                )
                part = above / (above - below)
                if 0 < part < 1:
                    if count + 1 == len(parts):
                        parts = np.append(parts, np.empty(len(parts)))
                    parts[count] = part
                    count += 1
                rank[back] = other
                back -= 1
            rank[back] = place
    parts[count] = 1.0
    return np.sort(parts[: count + 1])


@COVERAGE.compiled
def _share(
    listed: Ints,
    spots: int,
    covering: Ints,
    height: float,
    active: int,
    x0: float,
    x1: float,
    buffers: SweepBuffers,
    sums: CoverageSums,
) -> None:
    """Give each stretch of a strip without crossings to the first spot there."""
    first, relevant = spots, len(covering)  # the first spot here; how many regions are here
    x = x0
    for place in range(active + 1):
        to = buffers.middle[place] if place < active else x1
        if first < spots and to > x:
            add_visible_area(
                listed, spots, covering, relevant, first, (to - x) * height, buffers, sums
            )
        x = to
        if place == active:
            break
        owner = buffers.owner[buffers.active[place]]
        enters = not buffers.inside[owner]
        buffers.inside[owner] = enters
        if owner >= spots:
            relevant += 1 if enters else -1
        elif enters:
            first = min(first, owner)
        elif owner == first:
            while first < spots and not buffers.inside[first]:
                first += 1
    for place in range(active):
        buffers.inside[buffers.owner[buffers.active[place]]] = False


@COVERAGE.compiled
def add_visible_area(
    listed: Ints,
    spots: int,
    covering: Ints,
    relevant: int,
    first: int,
    area: float,
    buffers: SweepBuffers,
    sums: CoverageSums,
) -> None:
    """Add an area to the spot that is seen there, and to its pairs with the regions there.

    Parameters
    ----------
    listed : (L,) int
        Polygons with an edge in the cell: the spots in order of rank, then the regions.
    spots : int
        How many of them are spots.
    covering : (C,) int
        Regions that cover the whole cell.
    relevant : int
        Number of regions at this place.
    first : int
        Position in ``listed`` of the spot that is seen.
    area : float
        In px².
    buffers : SweepBuffers
        Tell which regions of the list are at this place.
    sums : CoverageSums
        What the area is added to.
    """
    spot = sums.name[listed[first]]
    sums.new_area[spot] += area
    if relevant == 0:
        return
    sums.new_relevant[spot] += area
    for region in covering:
        _add_to_pair(sums, spot, sums.name[region], area)
    for place in range(spots, len(listed)):
        if buffers.inside[place]:
            _add_to_pair(sums, spot, sums.name[listed[place]], area)


@COVERAGE.compiled
def _add_to_pair(sums: CoverageSums, spot: int, region: int, area: float) -> None:
    """Add to the pair of spot and region, which exists if their bounds overlap."""
    low, high = sums.pair_first[spot], sums.pair_first[spot + 1]
    end = high
    while low < high:
        half = (low + high) // 2
        if sums.pair_region[half] < region:
            low = half + 1
        else:
            high = half
    if low < end and sums.pair_region[low] == region:
        sums.pair_new[low] += area
