"""Regions that lie at the same place as another one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.polygon import even_odd_geometry
from spotlab.libraries import shapely
from spotlab.model import Region

LEAST_OVERLAP = 0.95  # intersection over union from which two regions count as one


@dataclass(frozen=True)
class Duplicate:
    """The later one of two regions that cover the same place, and how much of it they share."""

    region: Region
    earlier: Region
    iou: float


def duplicates(regions: Sequence[Region], least: float = LEAST_OVERLAP) -> list[Duplicate]:
    """Every region that covers an earlier one's place, once, with the earlier one most like it.

    Parameters
    ----------
    regions : sequence of Region
    least : float
        Intersection over union, above 0, from which two count as the same place.
    """
    if not regions:
        return []
    firsts, found = _equal_outlines(regions)
    shapes, areas, bounds = _measured(firsts)
    pairs = shapely.STRtree(shapely.box(*bounds.T)).query(shapely.box(*bounds.T), "intersects")
    left, right = pairs[:, pairs[0] < pairs[1]]
    shared = np.minimum(bounds[left, 2:], bounds[right, 2:]) - np.maximum(
        bounds[left, :2], bounds[right, :2]
    )
    # neither the areas nor the bounds may rule it out before the outlines are intersected
    most = np.minimum(np.minimum(areas[left], areas[right]), shared.prod(axis=1))
    likely = (most > 0) & (most >= least * np.maximum(areas[left], areas[right]))
    left, right = left[likely], right[likely]
    common = shapely.area(shapely.intersection(shapes[left], shapes[right]))
    iou = common / (areas[left] + areas[right] - common)
    best: dict[int, tuple[float, int]] = {}
    for earlier, later, value in zip(left.tolist(), right.tolist(), iou.tolist(), strict=True):
        if value >= least and value > best.get(later, (0.0, 0))[0]:
            best[later] = (value, earlier)
    found += [
        Duplicate(firsts[later], firsts[earlier], value) for later, (value, earlier) in best.items()
    ]
    return found


def twin_of(region: Region, others: Iterable[Region], least: float = 0.9) -> Region | None:
    """Find another region of the same label that covers nearly the same place.

    Parameters
    ----------
    region : Region
    others : iterable of Region
        ``region`` itself may be among them.
    least : float
        Intersection over union of the two convex hulls from which they count as the same place.

    Returns
    -------
    Region or None
        The one most like it; None if there is none.

    Examples
    --------
    >>> bed = Region(((0, 0), (20, 0), (20, 10), (0, 10)), "bed")
    >>> again = Region(((0, 0), (20, 0), (20, 10), (1, 10)), "bed")
    >>> twin_of(again, [bed, again]) is bed
    True
    """
    left, top, right, bottom = region.bounds
    shape = shapely.convex_hull(shapely.multipoints(region.array))
    best, most = None, least
    for other in others:
        if other.label != region.label or other.id == region.id:
            continue
        x0, y0, x1, y1 = other.bounds
        if x0 >= right or x1 <= left or y0 >= bottom or y1 <= top:
            continue
        hull = shapely.convex_hull(shapely.multipoints(other.array))
        common = shapely.area(shapely.intersection(shape, hull))
        iou = common / (shapely.area(shape) + shapely.area(hull) - common)
        if iou >= most:
            best, most = other, iou
    return best


def _equal_outlines(regions: Sequence[Region]) -> tuple[list[Region], list[Duplicate]]:
    """The first region of every outline, and the further ones with the same."""
    groups: dict[tuple[object, ...], list[Region]] = defaultdict(list)
    for region in regions:
        groups[_canonical(region.points)].append(region)
    found = [Duplicate(region, group[0], 1.0) for group in groups.values() for region in group[1:]]
    return [group[0] for group in groups.values()], found


def _canonical(points: tuple[tuple[float, float], ...]) -> tuple[object, ...]:
    """The same for a ring that starts elsewhere or runs the other way."""
    start = points.index(min(points))
    forward = points[start:] + points[:start]
    return min(forward, forward[:1] + forward[:0:-1])


def _measured(
    regions: Sequence[Region],
) -> tuple[NDArray[np.object_], NDArray[np.float64], NDArray[np.float64]]:
    """The regions' geometries, areas and bounds."""
    counts = [len(region.points) for region in regions]
    points = np.array([point for region in regions for point in region.points], dtype=float)
    rings = np.repeat(np.arange(len(regions)), counts)
    shapes = shapely.polygons(shapely.linearrings(points.reshape(-1, 2), indices=rings))
    for broken in np.flatnonzero(~shapely.is_valid(shapes)).tolist():
        shapes[broken] = even_odd_geometry(regions[broken].array)
    return shapes, shapely.area(shapes), shapely.bounds(shapely.linearrings(points, indices=rings))
