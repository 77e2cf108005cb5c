"""The regions of a page by place: what lies there, what is pointed at, and which are alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import cast

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.editing.document import MANY, Edit
from spotlab.editing.operations.corners import nearest_edge
from spotlab.editing.operations.handles import handles_apart
from spotlab.geometry import polygon
from spotlab.geometry.polygon import even_odd_geometry
from spotlab.libraries import shapely
from spotlab.model import Primitive, Region
from spotlab.progress import Progress, silent

NOWHERE = (np.inf, np.inf, -np.inf, -np.inf)

Slots = NDArray[np.intp]
Rectangle = tuple[float, float, float, float]  # left, top, right, bottom in px


class RegionIndex:
    """Regions by place; an edit of one costs the same however many there are.

    The bounds lie in one array that every question goes through at once: at 20,000 regions that is
    faster than a tree, and there is nothing to rebuild after an edit.

    Examples
    --------
    >>> index = RegionIndex([Region(((0, 0), (9, 0), (9, 9))), Region(((2, 1), (8, 1), (8, 7)))])
    >>> [region.area for region in index.regions_at(7, 5)]
    [18.0, 40.5]
    """

    def __init__(self, regions: Iterable[Region] = ()) -> None:
        self._slot_of: dict[str, int] = {}
        self._regions = np.empty(0, dtype=object)  # None where a place is free
        self._free: list[int] = []
        self._bounds = np.empty((4, 0))
        self._part: tuple[Sequence[str], Slots, RegionIndex] | None = None
        self._held: tuple[tuple[float, float, float, int], list[Region]] | None = None
        self.version = 0  # counts changes
        self._load(list(regions))

    def __len__(self) -> int:
        return len(self._slot_of)

    def __iter__(self) -> Iterator[Region]:
        return (region for region in self._regions.tolist() if region is not None)

    def __contains__(self, id: object) -> bool:
        return id in self._slot_of

    def get(self, id: str) -> Region | None:
        """The region with this id, if there is one."""
        slot = self._slot_of.get(id)
        return None if slot is None else cast(Region, self._regions[slot])

    def holds_all(self, other: RegionIndex) -> bool:
        """Tell whether every region of another index, by its id, is in this one."""
        same = other._slot_of is self._slot_of  # as of a part before and after an edit
        return same or other._slot_of.keys() <= self._slot_of.keys()

    def apply(self, edits: Iterable[Edit], takes: Callable[[Region], bool] | None = None) -> None:
        """Follow a document, as far as its regions are taken; by default all are."""
        for edit in edits:
            if edit.places:
                self.remove(region.id for region in edit.before)
            if takes is None:
                self.put(edit.after)
            else:
                taken = {region.id: region for region in edit.after if takes(region)}
                self.remove(region.id for region in edit.after if region.id not in taken)
                self.put(tuple(taken.values()))

    def put(self, regions: Sequence[Region]) -> None:
        """Take regions in; those with the same ids are replaced."""
        if not regions:
            return
        ids = [region.id for region in regions]
        new = list(dict.fromkeys(id for id in ids if id not in self._slot_of))
        self._changed(same_places=not new)
        lacking = len(new) - len(self._free)
        if lacking > 0:
            self._grow(max(64, len(self._regions) + lacking, 2 * len(self._regions)))
        at = len(self._free) - len(new)
        free = sorted(self._free[at:])  # in their order, in which they are painted
        del self._free[at:]
        self._slot_of.update(zip(new, free, strict=True))
        slots = self._slots(ids)
        there = self._regions[slots].tolist()
        moved = [
            at
            for at, (old, now) in enumerate(zip(there, regions, strict=True))
            if old is None or old.points is not now.points
        ]
        self._regions[slots] = np.fromiter(regions, dtype=object, count=len(slots))
        if moved:
            self._bounds[:, slots[moved]] = bounds_of_all([regions[at] for at in moved])

    def remove(self, ids: Iterable[str]) -> None:
        """Let regions go; ids that are not there are passed over."""
        slots = [slot for id in ids if (slot := self._slot_of.pop(id, None)) is not None]
        if slots:
            self._changed(same_places=False)
            self._regions[slots] = None
            self._bounds[:, slots] = np.array(NOWHERE)[:, None]
            self._free.extend(slots)

    def _slots(self, ids: Sequence[str]) -> Slots:
        """The places of those of the ids that are there."""
        found = [slot for id in ids if (slot := self._slot_of.get(id)) is not None]
        return np.array(found, dtype=np.intp)

    def regions_at(self, x: float, y: float, near: float = 0.0) -> list[Region]:
        """The regions that hold the place, the smallest first, so that inner ones are reached.

        Lines and points hold all places that are so near, in px.
        """
        asked = x, y, near, self.version
        if self._held is None or self._held[0] != asked:  # several ask for where the pointer is
            around = self.visible((x - near, y - near, x + near, y + near))
            held = [region for region in around if _holds(region, x, y, near)]
            self._held = asked, sorted(held, key=lambda region: (region.area, region.id))
        return list(self._held[1])

    def visible(self, rectangle: Rectangle, extent: float = 0.0) -> list[Region]:
        """The regions whose bounds meet the rectangle, in no particular order: for painting.

        Those whose width and height together are less than ``extent`` px are left out. Those of a
        `part` come in its order.
        """
        return self._at(self._touching(rectangle, extent))

    def last_visible(self, rectangle: Rectangle, extent: float, most: int) -> list[Region]:
        """Of what `visible` gives of a part, the last ones in its order, at most so many."""
        return self._at(self._touching(rectangle, extent)[-most:])

    def near(self, x: float, y: float, tolerance: float) -> list[Region]:
        """The regions whose bounds, or the turned frame around them, may be so near, in px."""
        lefts, tops, rights, bottoms = self._bounds
        with np.errstate(invalid="ignore"):  # places that are free
            margins = tolerance + np.maximum(rights - lefts, bottoms - tops) / 2
        around = (lefts - margins <= x) & (rights + margins >= x)
        around &= (tops - margins <= y) & (bottoms + margins >= y)
        return self._at(np.flatnonzero(around))

    def part(self, ids: Sequence[str]) -> RegionIndex:
        """An index of these of the regions in this order, as they are now; to be read only.

        Ids that are not there are passed over. The same sequence of ids, which is not to be
        changed, gives the same index until a region is another.
        """
        of, slots, before = self._part or ((), np.empty(0, dtype=np.intp), None)
        if of is not ids:
            slots, before = self._slots(ids), None
        elif before is not None and before.version == self.version:
            return before
        index = RegionIndex()
        index.version = self.version
        index._regions, index._bounds = self._regions[slots], self._bounds[:, slots]
        if before is not None:  # other regions with the same ids, at the same places
            index._slot_of = before._slot_of
        else:
            there = ids if len(slots) == len(ids) else filter(self._slot_of.__contains__, ids)
            index._slot_of = dict(zip(there, range(len(slots)), strict=True))
        self._part = ids, slots, index
        return index

    def in_box(self, rectangle: Rectangle, *, whole: bool = False) -> list[Region]:
        """The regions that a rubber band selects.

        Parameters
        ----------
        rectangle : (left, top, right, bottom)
            In px.
        whole : bool
            Only regions that lie in it with all their points; else all that it touches.
        """
        left, top, right, bottom = rectangle
        if whole:
            lefts, tops, rights, bottoms = self._bounds
            inside = (lefts >= left) & (tops >= top) & (rights <= right) & (bottoms <= bottom)
            return self._at(np.flatnonzero(inside & (lefts <= rights)))  # else the place is free
        band = shapely.box(left, top, right, bottom)
        return [
            region
            for region in self.visible(rectangle)
            if _within(region.bounds, rectangle)
            or band.intersects(polygon.even_odd_geometry(region.array))
        ]

    def _touching(self, rectangle: Rectangle, extent: float = 0.0) -> Slots:
        left, top, right, bottom = rectangle
        lefts, tops, rights, bottoms = self._bounds
        meet = (lefts <= right) & (rights >= left) & (tops <= bottom) & (bottoms >= top)
        if extent > 0:
            meet &= rights - lefts + bottoms - tops >= extent
        return np.flatnonzero(meet)

    def _at(self, slots: Slots) -> list[Region]:
        """The regions at places that are not free, as all that lie somewhere are."""
        return cast(list[Region], self._regions[slots].tolist())

    def _changed(self, *, same_places: bool) -> None:
        """A region is another; or some come or go."""
        self.version += 1
        if not same_places:
            self._part = None

    def _load(self, regions: list[Region]) -> None:
        """Take many in at once: their bounds in a few array operations."""
        self._slot_of = {region.id: slot for slot, region in enumerate(regions)}
        self._regions = np.fromiter(regions, dtype=object, count=len(regions))
        if regions:
            self._bounds = bounds_of_all(regions)

    def _grow(self, size: int) -> None:
        old = len(self._regions)
        bounds = np.empty((4, size))
        bounds[:, :old] = self._bounds
        bounds[:, old:] = np.array(NOWHERE)[:, None]
        self._bounds = bounds
        self._regions = np.concatenate([self._regions, np.full(size - old, None)])
        self._free.extend(range(size - 1, old - 1, -1))


def bounds_of_all(regions: Sequence[Region]) -> NDArray[np.float64]:
    """Left, top, right and bottom of regions in px, as rows, in a few array operations."""
    flat = chain.from_iterable(chain.from_iterable(region.points for region in regions))
    points: Points = np.fromiter(flat, dtype=np.float64).reshape(-1, 2)
    counts = np.array([len(region.points) for region in regions])
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    low = np.minimum.reduceat(points, starts, axis=0)
    high = np.maximum.reduceat(points, starts, axis=0)
    return np.ascontiguousarray(np.column_stack([low, high]).T)


def _holds(region: Region, x: float, y: float, near: float) -> bool:
    if region.primitive.has_area:
        return region.contains(x, y)
    return nearest_edge(region, x, y)[1] <= near


def _within(inner: Rectangle, outer: Rectangle) -> bool:
    return (
        inner[0] >= outer[0]
        and inner[1] >= outer[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )


class Part(StrEnum):
    """The part of a region that the pointer is on."""

    NOTHING = "nothing"
    HANDLE = "handle"
    EDGE = "edge"
    INSIDE = "inside"


@dataclass(frozen=True)
class Hit:
    """The place of the pointer among the regions.

    Attributes
    ----------
    part : Part
    region : Region or None
        The region that a drag from here moves or reshapes.
    index : int
        Of the handle, or of the edge's first point; -1 otherwise.
    candidates : tuple of Region
        All regions that hold the place, the smallest first: a click goes through them.
    """

    part: Part
    region: Region | None = None
    index: int = -1
    candidates: tuple[Region, ...] = ()


def hit(
    index: RegionIndex, x: float, y: float, tolerance: float, selected: Sequence[str] = ()
) -> Hit:
    """Find what the pointer is on: a handle or edge of a selected region, then the inside of one.

    Handles and edges of selected regions come first, nearest first; inside a small or thin region
    its edges reach less far, so that its middle is left to move it by. Inside, a selected region
    comes before smaller ones, so that it can be dragged by any place of it; which of several a
    click selects says `clicked`.

    Parameters
    ----------
    index : RegionIndex
    x, y : float
        The pointer, in px of the page.
    tolerance : float
        How near is on it, in px of the page (so it shrinks as one zooms in).
    selected : sequence of str
        Ids, the one selected last at the end.
    """
    candidates = tuple(index.regions_at(x, y, tolerance))
    near = _near(index, x, y, tolerance, selected)
    grips = [
        (float(np.hypot(handle.x - x, handle.y - y)), order, handle.index, region)
        for order, region in enumerate(near)
        for handle in handles_apart(region, tolerance)
        if abs(handle.x - x) <= tolerance and abs(handle.y - y) <= tolerance
    ]
    if grips:
        _, _, number, region = min(grips, key=lambda grip: grip[:3])
        return Hit(Part.HANDLE, region, number, candidates)
    edges = [
        (number, distance, region)
        for region in near
        for number, distance, _ in [nearest_edge(region, x, y)]
        if distance <= _reach(region, x, y, tolerance) and region.primitive is not Primitive.POINT
    ]
    if edges:
        number, _, region = min(edges, key=lambda edge: edge[1])
        return Hit(Part.EDGE, region, number, candidates)
    if not candidates:
        return Hit(Part.NOTHING)
    if len(selected) >= MANY:
        chosen = [region for region in candidates if region.id in index.part(selected)]
    else:
        chosen = [region for region in candidates if region.id in selected]
    inside = chosen[0] if chosen else candidates[0]
    return Hit(Part.INSIDE, inside, -1, candidates)


def cycle(candidates: Sequence[Region], current: str | None) -> Region | None:
    """The candidate after the current one; the first where that is none of them.

    Examples
    --------
    >>> small, large = Region(((0, 0), (1, 0), (1, 1))), Region(((0, 0), (9, 0), (9, 9)))
    >>> cycle([small, large], None) is small, cycle([small, large], small.id) is large
    (True, True)
    """
    if not candidates:
        return None
    ids = [region.id for region in candidates]
    return candidates[(ids.index(current) + 1) % len(ids) if current in ids else 0]


def clicked(found: Hit, primary: str | None) -> Region | None:
    """The region that a click selects: the smallest one there, and the next at every further click.

    None on nothing; on a handle or edge outside all regions the one that it belongs to.
    """
    return cycle(found.candidates, primary) or found.region


def _near(
    index: RegionIndex, x: float, y: float, tolerance: float, selected: Sequence[str]
) -> list[Region]:
    """The selected regions that may have a handle or an edge there, the last selected first."""
    near = []
    if len(selected) >= MANY:
        regions = index.part(selected).near(x, y, tolerance)
    else:
        regions = [region for id in selected if (region := index.get(id)) is not None]
    for region in reversed(regions):
        left, top, right, bottom = region.bounds
        margin = tolerance
        if region.primitive is Primitive.ELLIPSE:  # the corners of a turned frame stick out
            margin += max(right - left, bottom - top) / 2
        if left - margin <= x <= right + margin and top - margin <= y <= bottom + margin:
            near.append(region)
    return near


def _reach(region: Region, x: float, y: float, tolerance: float) -> float:
    """Distance of a hit on an edge: inside an eighth of a square's side, a quarter of a strip's."""
    if not region.contains(x, y):
        return tolerance
    edges = np.roll(region.array, -1, axis=0) - region.array
    around = float(np.hypot(edges[:, 0], edges[:, 1]).sum())
    return min(tolerance, region.area / (2 * around))


@dataclass(frozen=True)
class RegionTotals:
    """Sums over some regions.

    Attributes
    ----------
    area : float
        The sum of their areas in px².
    points : int
        How many points their outlines have; of lines, their corners.
    bounds : (left, top, right, bottom)
        In px, around all of them.
    """

    area: float
    points: int
    bounds: Rectangle


def totals_of(regions: Sequence[Region], progress: Progress = silent) -> RegionTotals:
    """Add regions up; there has to be one.

    Examples
    --------
    >>> totals_of([Region(((0, 0), (4, 0), (4, 4))), Region(((5, 0), (7, 2), (7, 0), (5, 2)))])
    RegionTotals(area=10.0, points=7, bounds=(0.0, 0.0, 7.0, 4.0))
    """
    counts = np.array([len(region.points) for region in regions])
    flat = chain.from_iterable(chain.from_iterable(region.points for region in regions))
    points = np.fromiter(flat, dtype=np.float64).reshape(-1, 2)
    progress(0, None, "adding up")
    ends = np.cumsum(counts)
    starts = ends - counts
    near = points - np.repeat(points[starts], counts, axis=0)  # products stay exact
    following = np.arange(1, len(points) + 1)
    following[ends - 1] = starts
    x, y = near.T
    crosses = x * y[following] - y * x[following]
    areas = np.abs(np.add.reduceat(crosses, starts)) / 2
    closed = np.insert(points, ends, points[starts], axis=0)
    rings = shapely.linearrings(closed, indices=np.repeat(np.arange(len(regions)), counts + 1))
    for at in np.flatnonzero(~shapely.is_simple(rings)).tolist():
        progress(0, None, "adding up")
        areas[at] = regions[at].area
    lefts, tops, rights, bottoms = map(np.array, bounds_of_all(regions))
    count = len(points)
    for at, region in enumerate(regions):  # whose rings run there and back
        if not region.primitive.has_area:
            corners = region.corners
            count += len(corners) - len(region.points)
            (lefts[at], tops[at]), (rights[at], bottoms[at]) = corners.min(0), corners.max(0)
    left, top = float(lefts.min()), float(tops.min())
    right, bottom = float(rights.max()), float(bottoms.max())
    return RegionTotals(float(areas.sum()), count, (left, top, right, bottom))


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
