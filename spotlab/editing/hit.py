"""What lies under the pointer: pure hit tests on an index of the regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from spotlab.editing.edits import MANY
from spotlab.editing.operations.corners import nearest_edge
from spotlab.editing.operations.handles import handles_apart
from spotlab.editing.region_index import RegionIndex
from spotlab.model import Primitive, Region


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
        if distance <= _reach(region, x, y, tolerance)
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
    """How far an edge reaches: inside an eighth of a square's side or a quarter of a strip's."""
    if not region.contains(x, y):
        return tolerance
    edges = np.roll(region.array, -1, axis=0) - region.array
    around = float(np.hypot(edges[:, 0], edges[:, 1]).sum())
    return min(tolerance, region.area / (2 * around))
