"""The regions of a page by place, for everything that asks what lies somewhere."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import cast

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.editing.bulk_edits import Changes, Insertions, Removals, parts_of
from spotlab.editing.edits import Edit, Insert, Remove, Replace
from spotlab.geometry import polygon
from spotlab.libraries import shapely
from spotlab.model import Region

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
        self._held: tuple[tuple[float, float, int], list[Region]] | None = None
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
        """Whether every region of another index, by its id, is in this one."""
        same = other._slot_of is self._slot_of  # as of a part before and after an edit
        return same or other._slot_of.keys() <= self._slot_of.keys()

    def apply(self, edits: Sequence[Edit]) -> None:
        """Follow the document: to be connected to its ``changed``."""
        for part in parts_of(edits):
            match part:
                case Insertions():
                    self._insert_all(part)
                case Removals():
                    self._remove_all(part)
                case Changes():
                    self._replace_all(part)
                case _:
                    self._apply_each(part)

    def _apply_each(self, edits: Iterable[Edit]) -> None:
        for edit in edits:
            match edit:
                case Insert(region):
                    self.insert(region)
                case Remove(region):
                    self.remove(region.id)
                case Replace(_, Region() as after):
                    self.replace(after)

    def _insert_all(self, edits: Insertions) -> None:
        if not self._slot_of.keys().isdisjoint(edits.ids):
            self._apply_each(edits)
            return
        self._changed(same_places=False)
        lacking = len(edits) - len(self._free)
        if lacking > 0:
            self._grow(max(len(self._regions) + lacking, 2 * len(self._regions)))
        at = len(self._free) - len(edits)
        slots = sorted(self._free[at:])  # in their order, in which they are painted
        del self._free[at:]
        self._slot_of.update(zip(edits.ids, slots, strict=True))
        known = edits.regions.bounds
        bounds = bounds_of_all(edits.regions) if known is None else known
        self._fill(np.array(slots, np.intp), edits.regions, bounds)

    def _remove_all(self, edits: Removals) -> None:
        self._changed(same_places=False)
        slots = self._slots(edits.ids)
        if len(slots) == len(self):
            self._slot_of.clear()
        else:
            deque(map(self._slot_of.pop, edits.ids, repeat(None)), maxlen=0)
        if len(slots) == len(edits):
            edits.regions.bounds = self._bounds[:, slots]  # for the one who puts them back
        self._regions[slots] = None
        self._bounds[:, slots] = np.array(NOWHERE)[:, None]
        self._free.extend(slots.tolist())

    def _replace_all(self, edits: Changes) -> None:
        self._changed(same_places=True)
        moved = "points" in edits.fields
        bounds = bounds_of_all(edits.after) if moved else None
        self._fill(self._slots(edits.ids), edits.after, bounds)

    def _slots(self, ids: Sequence[str]) -> Slots:
        """The places of those of the ids that are there."""
        are_all = len(ids) == len(self) and list(ids) == list(
            self._slot_of
        )  # most often, in this order
        found = self._slot_of.values() if are_all else map(self._slot_of.get, ids, repeat(-1))
        slots = np.fromiter(found, np.intp, len(ids))
        return slots[slots >= 0]

    def _fill(
        self,
        slots: Slots,
        regions: Sequence[Region],
        bounds: NDArray[np.float64] | None,
    ) -> None:
        self._regions[slots] = np.fromiter(regions, dtype=object, count=len(slots))
        if bounds is not None:
            self._bounds[:, slots] = bounds

    def insert(self, region: Region) -> None:
        """Take a region in; one with the same id is replaced."""
        if region.id in self._slot_of:
            self.replace(region)
            return
        self._changed(same_places=False)
        if not self._free:
            self._grow(max(64, 2 * len(self._regions)))
        slot = self._free.pop()
        self._slot_of[region.id] = slot
        self._regions[slot] = region
        self._bounds[:, slot] = region.bounds

    def remove(self, id: str) -> None:
        """Let a region go; nothing happens where it is not there."""
        slot = self._slot_of.pop(id, None)
        if slot is not None:
            self._changed(same_places=False)
            self._regions[slot] = None
            self._bounds[:, slot] = NOWHERE
            self._free.append(slot)

    def replace(self, region: Region) -> None:
        """Put a region in the place of the one with its id."""
        slot = self._slot_of[region.id]
        self._changed(same_places=True)
        self._regions[slot] = region
        self._bounds[:, slot] = region.bounds

    def regions_at(self, x: float, y: float) -> list[Region]:
        """The regions that hold the place, the smallest first, so that inner ones are reached."""
        asked = x, y, self.version
        if self._held is None or self._held[0] != asked:  # several ask for where the pointer is
            held = [region for region in self.visible((x, y, x, y)) if region.contains(x, y)]
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


def _within(inner: Rectangle, outer: Rectangle) -> bool:
    return (
        inner[0] >= outer[0]
        and inner[1] >= outer[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )
