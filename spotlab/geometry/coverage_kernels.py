"""Exact areas of many overlapping polygons in machine code: of each, of pairs, and of ranked lists.

What each polygon of a ranked list covers first is what would be seen of it if the list were a stack
with rank 1 on top. As in Warnock's algorithm, a cell is cut into four until few polygons have an
edge in it, and the list is cut off at the first polygon that covers the whole cell.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.coverage_buffers import CoverageSums, make_buffers
from spotlab.geometry.coverage_polygons import Polygons, classify_cell, make_polygons, simple_area
from spotlab.geometry.coverage_sweep import add_visible_area, sweep_cell
from spotlab.geometry.machine_code import COVERAGE

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAF = 5  # polygons with an edge in a cell that are swept without cutting it further
FUTILE = 4  # cuts in turn that leave most polygons in the same cell, after which it is swept
MANY = 48  # more than these are cut on, because what crosses most often costs most to sweep,
LAST = 10  # up to this number of cuts in turn
ENOUGH = 64  # cells a polygon, after which few are never cut: near-copies do not come apart


@COVERAGE.compiled
def enclosed_areas(points: Floats, offsets: Ints) -> Floats:
    """Compute the area of each ring by the even-odd rule.

    Parameters
    ----------
    points : (M, 2) float
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Where each ring begins in ``points``.

    Returns
    -------
    (N,) float
        Areas in px².
    """
    count = len(offsets) - 1
    areas = np.zeros(count)
    nothing, own = np.zeros(0, np.int64), np.zeros(1, np.int64)
    for ring in range(count):
        polygons = make_polygons(points, offsets, np.full(1, ring))
        areas[ring] = simple_area(polygons, 0)
        if np.isnan(areas[ring]):
            sums = CoverageSums(
                own, np.zeros(1), np.zeros(1), np.zeros(2, np.int64), own, np.zeros(1)
            )
            buffers = make_buffers(polygons.first[-1], 1)
            right, bottom = polygons.right[0], polygons.bottom[0]
            sweep_cell(polygons, own, 1, nothing, 0.0, 0.0, right, bottom, buffers, sums)
            areas[ring] = sums.new_area[0]
    return areas


@COVERAGE.compiled
def shared_areas(points: Floats, offsets: Ints, one: Ints, other: Ints) -> Floats:
    """Compute the area that the two rings of each pair share.

    Parameters
    ----------
    points : (M, 2) float
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Where each ring begins in ``points``.
    one, other : (K,) int
        The rings of each pair.

    Returns
    -------
    (K,) float
        Areas in px².
    """
    areas = np.zeros(len(one))
    nothing, both, members = np.zeros(0, np.int64), np.arange(2), np.zeros(2, np.int64)
    name, pair_first = np.zeros(2, np.int64), np.array([0, 1])
    for pair in range(len(one)):
        members[0], members[1] = one[pair], other[pair]
        polygons = make_polygons(points, offsets, members)
        x0, y0 = polygons.left.max(), polygons.top.max()
        x1, y1 = polygons.right.min(), polygons.bottom.min()
        if x0 < x1 and y0 < y1:
            pair_new = areas[pair : pair + 1]
            sums = CoverageSums(name, np.zeros(1), np.zeros(1), pair_first, name, pair_new)
            buffers = make_buffers(polygons.first[-1], 2)
            sweep_cell(polygons, both, 1, nothing, x0, y0, x1, y1, buffers, sums)
    return areas


@COVERAGE.compiled
def add_coverage(
    points: Floats,
    offsets: Ints,
    spots: Ints,
    spot_first: Ints,
    regions: Ints,
    region_range: Ints,
    pair_first: Ints,
    pair_region: Ints,
    new_area: Floats,
    new_relevant: Floats,
    pair_new: Floats,
) -> None:
    """Add what each spot newly covers to the last three arrays.

    Parameters
    ----------
    points : (M, 2) float
        Corners of all rings, those of spots before those of regions, x and y in px.
    offsets : (N + T + 1,) int
        Where each ring begins in ``points``.
    spots : (N,) int
        Rings of the spots, group by group, in order of rank.
    spot_first : (G + 1,) int
        Where each group's spots begin in ``spots``.
    regions : (T,) int
        Rings of the regions, group by group.
    region_range : (G, 2) int
        Where each group's regions begin and end in ``regions``.
    pair_first : (N + 1,) int
        Where each spot's pairs begin in ``pair_region``.
    pair_region : (K,) int
        Rings of the regions, rising for each spot.
    new_area, new_relevant : (N,) float
        In px²; by the spots' rings.
    pair_new : (K,) float
        In px².
    """
    for group in range(len(spot_first) - 1):
        own_spots = spots[spot_first[group] : spot_first[group + 1]]
        own_regions = regions[region_range[group, 0] : region_range[group, 1]]
        members = np.concatenate((own_spots, own_regions))
        sums = CoverageSums(members, new_area, new_relevant, pair_first, pair_region, pair_new)
        _cover_group(make_polygons(points, offsets, members), len(own_spots), sums)


@COVERAGE.compiled
def _cover_group(polygons: Polygons, spots: int, sums: CoverageSums) -> None:
    """Cut cells, the newest first; their lists of polygons lie in one pool, as on a stack."""
    members = len(sums.name)
    buffers = make_buffers(polygons.first[-1], members)
    pool = np.empty(4 * members, np.int64)
    distinct = _list_distinct(polygons, spots, pool)
    pool[distinct : distinct + members - spots] = np.arange(spots, members)
    cells = np.empty((64, 4))  # left, top, right, bottom
    lists = np.empty((64, 5), np.int64)  # start in the pool, spots, regions, covering ones, futile
    cells[0] = -np.inf, -np.inf, np.inf, np.inf
    lists[0] = 0, distinct, members - spots, 0, 0
    count = 1
    looked_at = 0
    while count:
        count -= 1
        looked_at += 1
        start, before, futile = lists[count, 0], lists[count, 1:4].sum(), lists[count, 4]
        end = start + before
        if end + before > len(pool):
            pool = np.append(pool, np.empty(len(pool) + before, np.int64))
        kept, covered = _keep_spots(polygons, pool, start, end, lists[count, 1], cells[count])
        if kept == 0:
            continue
        regions, covering = _keep_regions(
            polygons, pool, start + lists[count, 1], end + kept, lists[count, 2:4], cells[count]
        )
        x0, y0, x1, y1 = cells[count]
        listed = pool[end : end + kept + regions]
        around = pool[end + kept + regions : end + kept + regions + covering]
        if kept == 1 and regions == 0:
            area = (
                (x1 - x0) * (y1 - y0)
                if covered
                else _area_within(polygons, listed[0], cells[count])
            )
            if not np.isnan(area):
                add_visible_area(listed, 1, around, covering, 0, area, buffers, sums)
                continue
        many = kept + regions
        futile = futile + 1 if 4 * many > 3 * before else 0
        if (
            many <= LEAF
            or futile > LAST
            or (many <= MANY and (futile > FUTILE or looked_at > ENOUGH * members))
        ):
            sweep_cell(polygons, listed, kept, around, x0, y0, x1, y1, buffers, sums)
            continue
        if count + 4 > len(cells):
            cells, lists = np.concatenate((cells, cells)), np.concatenate((lists, lists))
        x, y = _cut(polygons, listed, cells[count], futile)
        for quarter in range(4):
            right, low = quarter % 2, quarter // 2
            cells[count] = (
                x if right else x0,
                y if low else y0,
                x1 if right else x,
                y1 if low else y,
            )
            lists[count] = end, kept, regions, covering, futile
            count += 1


@COVERAGE.compiled
def _list_distinct(polygons: Polygons, spots: int, pool: Ints) -> int:
    """List the spots without those equal to an earlier one, which add nothing and cost most."""
    keys = np.zeros(spots)  # equal for equal rings
    for place in range(spots):
        for edge in range(polygons.first[place], polygons.first[place + 1]):
            keys[place] = 0.9 * keys[place] + 1.3 * polygons.ax[edge] + polygons.ay[edge]
    order = np.argsort(keys)
    hidden = np.zeros(spots, np.bool_)
    kept = 0  # the first in rank among equal ones
    for at in range(1, spots):
        place = order[at]
        if not _are_equal(polygons, order[kept], place):
            kept = at
        elif place < order[kept]:
            hidden[order[kept]] = True
            kept = at
        else:
            hidden[place] = True
    count = 0
    for place in range(spots):
        if not hidden[place]:
            pool[count] = place
            count += 1
    return count


@COVERAGE.compiled
def _are_equal(polygons: Polygons, one: int, other: int) -> bool:
    start, shift = polygons.first[one], polygons.first[other] - polygons.first[one]
    if polygons.first[one + 1] - start != polygons.first[other + 1] - polygons.first[other]:
        return False
    for edge in range(start, polygons.first[one + 1]):
        if (
            polygons.ax[edge] != polygons.ax[edge + shift]
            or polygons.ay[edge] != polygons.ay[edge + shift]
            or polygons.bx[edge] != polygons.bx[edge + shift]
            or polygons.by[edge] != polygons.by[edge + shift]
        ):
            return False
    return True


@COVERAGE.compiled
def _cut(polygons: Polygons, listed: Ints, cell: Floats, futile: int) -> tuple[float, float]:
    """Where to cut a cell: in the middle, but away from there if its polygons are in a corner."""
    x0, y0, x1, y1 = cell
    width, height = x1 - x0, y1 - y0
    if futile <= 1:
        return x0 + 0.5 * width, y0 + 0.5 * height
    x, y = 0.0, 0.0  # a single huge polygon hardly moves the mean
    for place in listed:
        x += max(polygons.left[place], x0) + min(polygons.right[place], x1)
        y += max(polygons.top[place], y0) + min(polygons.bottom[place], y1)
    x, y = 0.5 * x / len(listed), 0.5 * y / len(listed)
    if abs(x - x0 - 0.5 * width) < 0.4 * width:
        x = x0 + 0.5 * width
    if abs(y - y0 - 0.5 * height) < 0.4 * height:
        y = y0 + 0.5 * height
    return x, y


@COVERAGE.compiled
def _keep_spots(
    polygons: Polygons, pool: Ints, start: int, end: int, spots: int, cell: Floats
) -> tuple[int, bool]:
    """List the spots in the cell, up to the first that covers it, and shrink the cell to them."""
    kept, covered = 0, False
    x0, y0, x1, y1 = np.inf, np.inf, -np.inf, -np.inf
    for at in range(start, start + spots):
        place = pool[at]
        where = classify_cell(polygons, place, cell[0], cell[1], cell[2], cell[3])
        if where == 0:
            continue
        pool[end + kept] = place
        kept += 1
        x0, y0 = min(x0, polygons.left[place]), min(y0, polygons.top[place])
        x1, y1 = max(x1, polygons.right[place]), max(y1, polygons.bottom[place])
        if where == 1:
            covered = True
            break
    cell[0], cell[1] = max(x0, cell[0]), max(y0, cell[1])
    cell[2], cell[3] = min(x1, cell[2]), min(y1, cell[3])
    return kept, covered


@COVERAGE.compiled
def _keep_regions(
    polygons: Polygons, pool: Ints, start: int, end: int, counts: Ints, cell: Floats
) -> tuple[int, int]:
    """List the regions with an edge in the cell, then those that cover it."""
    kept = 0
    for at in range(start, start + counts[0]):
        if classify_cell(polygons, pool[at], cell[0], cell[1], cell[2], cell[3]) == 2:
            pool[end + kept] = pool[at]
            kept += 1
    covering = 0
    for at in range(start, start + counts[0] + counts[1]):
        inside = at >= start + counts[0]
        if inside or classify_cell(polygons, pool[at], cell[0], cell[1], cell[2], cell[3]) == 1:
            pool[end + kept + covering] = pool[at]
            covering += 1
    return kept, covering


@COVERAGE.compiled
def _area_within(polygons: Polygons, place: int, cell: Floats) -> float:
    """The polygon's area if it is simple and lies in the cell; NaN otherwise."""
    if (
        polygons.left[place] < cell[0]
        or polygons.top[place] < cell[1]
        or polygons.right[place] > cell[2]
        or polygons.bottom[place] > cell[3]
    ):
        return np.nan
    return simple_area(polygons, place)
