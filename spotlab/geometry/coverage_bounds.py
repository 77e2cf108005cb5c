"""Pairs of rings whose bounding boxes share area, in machine code."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.geometry.coverage_tables import bound_ring, share_area
from spotlab.geometry.machine_code import COVERAGE

BLOCK = 16  # boxes that are looked at one by one only if the box around them overlaps


@COVERAGE.compiled
def pair_bounds(
    points: Floats, offsets: Ints, spots: Ints, spot_first: Ints, regions: Ints, region_range: Ints
) -> tuple[Ints, Ints]:
    """Find the regions of its group whose bounds share area with those of each spot.

    Parameters
    ----------
    points : (M, 2) float
        Corners of all rings, those of N spots before those of regions, x and y in px.
    offsets : (N + T + 1,) int
        Where each ring begins in ``points``.
    spots : (N,) int
        Rings of the spots, group by group.
    spot_first : (G + 1,) int
        Where each group's spots begin in ``spots``.
    regions : (T,) int
        Rings of the regions, group by group, in any order, best from left to right.
    region_range : (G, 2) int
        Where each group's regions begin and end in ``regions``.

    Returns
    -------
    pair_first : (N + 1,) int
        Where each spot's pairs begin.
    pair_region : (K,) int
        Rings of the regions, rising for each spot.
    """
    first = np.zeros(len(spots) + 1, np.int64)
    found = np.empty(len(spots) + 64, np.int64)  # the pairs as they are found, group by group
    begin = np.empty(len(spots), np.int64)
    box, count = np.empty((1, 4)), 0
    for group in range(len(spot_first) - 1):
        own = regions[region_range[group, 0] : region_range[group, 1]]
        if not len(own):
            continue
        boxes = np.empty((len(own), 4))
        for place in range(len(own)):
            bound_ring(points, offsets, own[place], boxes, place)
        around = _bound_blocks(boxes)
        for at in range(spot_first[group], spot_first[group + 1]):
            spot = spots[at]
            bound_ring(points, offsets, spot, box, 0)
            if count + len(own) > len(found):
                longer = np.empty(2 * (count + len(own)), np.int64)
                for pair in range(count):
                    longer[pair] = found[pair]
                found = longer
            begin[spot] = count
            count = _add_overlapping(box, boxes, around, own, found, count)
            first[spot + 1] = count - begin[spot]
    for spot in range(len(spots)):
        first[spot + 1] += first[spot]
    pair_region = np.empty(count, np.int64)
    for spot in range(len(spots)):
        for at in range(first[spot + 1] - first[spot]):
            pair_region[first[spot] + at] = found[begin[spot] + at]
    return first, pair_region


@COVERAGE.compiled_part
def _bound_blocks(boxes: Floats) -> Floats:
    """(B, 4) the boxes around every 16 boxes."""
    around = np.empty(((len(boxes) + BLOCK - 1) // BLOCK, 4))
    for block in range(len(around)):
        left, top, right, bottom = np.inf, np.inf, -np.inf, -np.inf
        for place in range(block * BLOCK, min((block + 1) * BLOCK, len(boxes))):
            left, top = min(left, boxes[place, 0]), min(top, boxes[place, 1])
            right, bottom = max(right, boxes[place, 2]), max(bottom, boxes[place, 3])
        around[block, 0], around[block, 1] = left, top
        around[block, 2], around[block, 3] = right, bottom
    return around


@COVERAGE.compiled_work
def _add_overlapping(
    box: Floats, boxes: Floats, around: Floats, own: Ints, found: Ints, count: int
) -> int:
    """Add the rings whose boxes overlap one box, rising; return how many there are then."""
    start = count
    for block in range(len(around)):
        if not share_area(box, 0, around, block):
            continue
        for place in range(block * BLOCK, min((block + 1) * BLOCK, len(boxes))):
            if share_area(box, 0, boxes, place):
                back = count
                while back > start and found[back - 1] > own[place]:
                    found[back] = found[back - 1]
                    back -= 1
                found[back] = own[place]
                count += 1
    return count
