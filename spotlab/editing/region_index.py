"""The regions of a page by place, for everything that asks what lies somewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from spotlab.editing.bulk_edits import Changes, Insertions, Removals, parts_of
from spotlab.editing.edits import Edit, Insert, Remove, Replace
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Points
from spotlab.libraries import shapely
from spotlab.model import Region

NOWHERE = (np.inf, np.inf, -np.inf, -np.inf)

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
        self._regions: list[Region | None] = []
        self._free: list[int] = []
        self._bounds = np.empty((4, 0))
        self._load(list(regions))

    def __len__(self) -> int:
        return len(self._slot_of)

    def __iter__(self) -> Iterator[Region]:
        return (region for region in self._regions if region is not None)

    def __contains__(self, id: object) -> bool:
        return id in self._slot_of

    def get(self, id: str) -> Region | None:
        """The region with this id, if there is one."""
        slot = self._slot_of.get(id)
        return None if slot is None else self._regions[slot]

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
        lacking = len(edits) - len(self._free)
        if lacking > 0:
            self._grow(max(len(self._regions) + lacking, 2 * len(self._regions)))
        at = len(self._free) - len(edits)
        slots = sorted(self._free[at:])  # in their order, in which they are painted
        del self._free[at:]
        self._slot_of.update(zip(edits.ids, slots, strict=True))
        self._fill(slots, edits.regions, bounds_of_all(edits.regions))

    def _remove_all(self, edits: Removals) -> None:
        slots = [slot for id in edits.ids if (slot := self._slot_of.pop(id, None)) is not None]
        self._fill(slots, [None] * len(slots), np.array(NOWHERE)[:, None])
        self._free.extend(slots)

    def _replace_all(self, edits: Changes) -> None:
        slots = list(map(self._slot_of.__getitem__, edits.ids))
        moved = "points" in edits.fields
        self._fill(slots, edits.after, bounds_of_all(edits.after) if moved else None)

    def _fill(
        self,
        slots: Sequence[int],
        regions: Sequence[Region | None],
        bounds: NDArray[np.float64] | None,
    ) -> None:
        for slot, region in zip(slots, regions, strict=True):
            self._regions[slot] = region
        if bounds is not None:
            self._bounds[:, slots] = bounds

    def insert(self, region: Region) -> None:
        """Take a region in; one with the same id is replaced."""
        if region.id in self._slot_of:
            self.replace(region)
            return
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
            self._regions[slot] = None
            self._bounds[:, slot] = NOWHERE
            self._free.append(slot)

    def replace(self, region: Region) -> None:
        """Put a region in the place of the one with its id."""
        slot = self._slot_of[region.id]
        self._regions[slot] = region
        self._bounds[:, slot] = region.bounds

    def regions_at(self, x: float, y: float) -> list[Region]:
        """The regions that hold the place, the smallest first, so that inner ones are reached."""
        held = [region for region in self._touching((x, y, x, y)) if region.contains(x, y)]
        return sorted(held, key=lambda region: (region.area, region.id))

    def visible(self, rectangle: Rectangle, extent: float = 0.0) -> list[Region]:
        """The regions whose bounds meet the rectangle, in no particular order: for painting.

        Those whose width and height together are less than ``extent`` px are left out.
        """
        return self._touching(rectangle, extent)

    def near(self, x: float, y: float, tolerance: float) -> list[Region]:
        """The regions whose bounds, or the turned frame around them, may be so near, in px."""
        lefts, tops, rights, bottoms = self._bounds
        with np.errstate(invalid="ignore"):  # places that are free
            margins = tolerance + np.maximum(rights - lefts, bottoms - tops) / 2
        around = (lefts - margins <= x) & (rights + margins >= x)
        around &= (tops - margins <= y) & (bottoms + margins >= y)
        return self._at(np.flatnonzero(around))

    def part(self, ids: Sequence[str]) -> RegionIndex:
        """An index of these of the regions; ids that are not there are passed over."""
        index = RegionIndex()
        slots = [slot for slot in map(self._slot_of.get, ids) if slot is not None]
        index._regions = list[Region | None](self._at(np.array(slots, dtype=np.intp)))
        index._slot_of = {region.id: at for at, region in enumerate(index)}
        index._bounds = self._bounds[:, slots]
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
            return self._at(np.flatnonzero(inside))
        band = shapely.box(left, top, right, bottom)
        return [
            region
            for region in self._touching(rectangle)
            if _within(region.bounds, rectangle)
            or band.intersects(polygon.even_odd_geometry(region.array))
        ]

    def _touching(self, rectangle: Rectangle, extent: float = 0.0) -> list[Region]:
        left, top, right, bottom = rectangle
        lefts, tops, rights, bottoms = self._bounds
        meet = (lefts <= right) & (rights >= left) & (tops <= bottom) & (bottoms >= top)
        if extent > 0:
            meet &= rights - lefts + bottoms - tops >= extent
        return self._at(np.flatnonzero(meet))

    def _at(self, slots: NDArray[np.intp]) -> list[Region]:
        found = map(self._regions.__getitem__, slots.tolist())
        return [region for region in found if region is not None]

    def _load(self, regions: list[Region]) -> None:
        """Take many in at once: their bounds in a few array operations."""
        self._slot_of = {region.id: slot for slot, region in enumerate(regions)}
        self._regions = list(regions)
        if regions:
            self._bounds = bounds_of_all(regions)

    def _grow(self, size: int) -> None:
        old = len(self._regions)
        bounds = np.empty((4, size))
        bounds[:, :old] = self._bounds
        bounds[:, old:] = np.array(NOWHERE)[:, None]
        self._bounds = bounds
        self._regions.extend([None] * (size - old))
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
