"""Points of a hull that are shown as handles: a round corner needs a few, not all its pixels."""

from __future__ import annotations

from functools import lru_cache
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from spotlab.editing.operations.outline import behaves_as
from spotlab.geometry.polygon import area, as_points
from spotlab.geometry.rings import straight_points
from spotlab.model import Primitive, Region

TOLERANCE = 0.002  # of the area, at most, that the points without a handle add to the outline

_FEWEST = 4


def handle_points(region: Region) -> list[int]:
    """Choose the points of a region that get a handle.

    A hull's least points are left out, one after another, as long as the outline through the others
    has at least 99.8 % of its area. Points that somebody has put on an edge stay.

    Parameters
    ----------
    region : Region
        Of any primitive; all but hulls keep all their points.

    Returns
    -------
    list of int
        Indices of points, ascending.

    References
    ----------
    Visvalingam & Whyatt (1993), "Line generalisation by repeated elimination of points", The
    Cartographic Journal 30(1).

    Examples
    --------
    >>> corner = Region(((0, 0), (98, 0), (99, 1), (100, 3), (100, 100), (0, 100)))
    >>> handle_points(corner)
    [0, 1, 3, 4, 5]
    """
    if not region.primitive.has_area:
        return list(range(len(region.corners)))
    if behaves_as(region) is not Primitive.HULL or len(region.points) <= _FEWEST:
        return list(range(len(region.points)))
    return list(_thinned(region.points))


def without_hidden(region: Region, index: int) -> NDArray[np.bool_]:
    """Tell which points stay when a handle is moved or deleted.

    Parameters
    ----------
    region : Region
        Of any primitive.
    index : int
        Of the point.

    Returns
    -------
    (N,) bool
        False for the points without a handle between this handle and its neighbours: they belong
        to it. True for all where the point itself has no handle.
    """
    count = len(region.points)
    stays = np.ones(count, np.bool_)
    shown = handle_points(region)
    if index not in shown or len(shown) == count:
        return stays
    place = shown.index(index)
    before, after = shown[place - 1], shown[(place + 1) % len(shown)]
    for start, end in ((before, index), (index, after)):
        for step in range(1, (end - start) % count):
            stays[(start + step) % count] = False
    return stays


@lru_cache(maxsize=512)
def _thinned(ring: tuple[tuple[float, float], ...]) -> tuple[int, ...]:
    """Of a hull with this outline: whatever else of a region changes, its handles stay."""
    points = as_points(ring)
    count = len(points)
    before = [(number - 1) % count for number in range(count)]
    after = [(number + 1) % count for number in range(count)]

    def loss(number: int) -> float:
        (ax, ay), (bx, by), (cx, cy) = points[[before[number], number, after[number]]].tolist()
        return float(abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2)

    fixed = straight_points(points)
    waiting = [(loss(number), number) for number in range(count) if not fixed[number]]
    heapify(waiting)
    left, room, shown = count, TOLERANCE * area(points), [True] * count
    while waiting and left > _FEWEST:
        lost, number = heappop(waiting)
        if not shown[number] or lost != loss(number):
            continue  # counted again since then
        if lost > room:
            break
        room -= lost
        left -= 1
        shown[number] = False
        one, other = before[number], after[number]
        after[one], before[other] = other, one
        for neighbour in (one, other):
            if not fixed[neighbour]:
                heappush(waiting, (loss(neighbour), neighbour))
    return tuple(number for number in range(count) if shown[number])
