"""The regions of a page by place, for everything that asks what lies somewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import cast

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.editing.edits import Edit
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

    def apply(
        self, edits: Iterable[Edit], takes: Callable[[Region], bool] = lambda _: True
    ) -> None:
        """Follow a document, as far as its regions are taken."""
        for edit in edits:
            taken = [region for region in edit.after if takes(region)]
            ids = {region.id for region in taken}
            self.remove(region.id for region in (*edit.before, *edit.after) if region.id not in ids)
            self.put(taken)

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
        moved = [
            at
            for at, (old, now) in enumerate(zip(self._regions[slots], regions, strict=True))
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
