"""What lies under the pointer or in a rectangle: pure hit tests on an index of the regions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

import numpy as np
import shapely
from numpy.typing import NDArray

from spotlab.editing.document import Edit, Insert, Remove, Replace
from spotlab.editing.operations.corners import handles, nearest_edge
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Points
from spotlab.model import Primitive, Region

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

    def apply(self, edits: Iterable[Edit]) -> None:
        """Follow the document: to be connected to its ``changed``."""
        for edit in edits:
            match edit:
                case Insert(region):
                    self.insert(region)
                case Remove(region):
                    self.remove(region.id)
                case Replace(_, Region() as after):
                    self.replace(after)

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
        found = (self._regions[slot] for slot in slots.tolist())
        return [region for region in found if region is not None]

    def _load(self, regions: list[Region]) -> None:
        """Take many in at once: their bounds in a few array operations."""
        self._slot_of = {region.id: slot for slot, region in enumerate(regions)}
        self._regions = list(regions)
        if regions:
            flat = chain.from_iterable(chain.from_iterable(region.points for region in regions))
            points: Points = np.fromiter(flat, dtype=np.float64).reshape(-1, 2)
            counts = np.array([len(region.points) for region in regions])
            starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
            low = np.minimum.reduceat(points, starts, axis=0)
            high = np.maximum.reduceat(points, starts, axis=0)
            self._bounds = np.ascontiguousarray(np.column_stack([low, high]).T)

    def _grow(self, size: int) -> None:
        old = len(self._regions)
        bounds = np.empty((4, size))
        bounds[:, :old] = self._bounds
        bounds[:, old:] = np.array(NOWHERE)[:, None]
        self._bounds = bounds
        self._regions.extend([None] * (size - old))
        self._free.extend(range(size - 1, old - 1, -1))


class Part(StrEnum):
    """What of a region the pointer is on."""

    NOTHING = "nothing"
    HANDLE = "handle"
    EDGE = "edge"
    INSIDE = "inside"


@dataclass(frozen=True)
class Hit:
    """What the pointer is on.

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
    """What the pointer is on: a handle or an edge of a selected region, then the inside of one.

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
    candidates = tuple(index.regions_at(x, y))
    near = _near(index, x, y, tolerance, selected)
    grips = [
        (float(np.hypot(handle.x - x, handle.y - y)), order, handle.index, region)
        for order, region in enumerate(near)
        for handle in handles(region)
        if abs(handle.x - x) <= tolerance and abs(handle.y - y) <= tolerance
    ]
    if grips:
        _, _, number, region = min(grips, key=lambda grip: grip[:3])
        return Hit(Part.HANDLE, region, number, candidates)
    edges = [
        (number, distance, region)
        for region in near
        for number, distance, _ in [nearest_edge(region, x, y)]
        if distance <= _reach(region, x, y, tolerance)
    ]
    if edges:
        number, _, region = min(edges, key=lambda edge: edge[1])
        return Hit(Part.EDGE, region, number, candidates)
    if not candidates:
        return Hit(Part.NOTHING)
    chosen = set(selected)
    inside = next((region for region in candidates if region.id in chosen), candidates[0])
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
    for id in reversed(selected):
        region = index.get(id)
        if region is None:
            continue
        left, top, right, bottom = region.bounds
        margin = tolerance
        if region.primitive is Primitive.ELLIPSE:  # the corners of a turned frame stick out
            margin += max(right - left, bottom - top) / 2
        if left - margin <= x <= right + margin and top - margin <= y <= bottom + margin:
            near.append(region)
    return near


def _reach(region: Region, x: float, y: float, tolerance: float) -> float:
    """How far an edge reaches: inside an eighth of a square's side or a quarter of a strip's."""
    if not region.contains(x, y):
        return tolerance
    edges = np.roll(region.array, -1, axis=0) - region.array
    around = float(np.hypot(edges[:, 0], edges[:, 1]).sum())
    return min(tolerance, region.area / (2 * around))


def _within(inner: Rectangle, outer: Rectangle) -> bool:
    return (
        inner[0] >= outer[0]
        and inner[1] >= outer[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )
