"""The rooms that the Room tool takes: regions of enclosed spaces, which follow the gap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spotlab.arrays import Points
from spotlab.editing.operations import drawn, reshaped
from spotlab.errors import SpotlabError
from spotlab.geometry import polygon
from spotlab.gui.annotate.rooms.rooms import Rooms
from spotlab.gui.canvas.tool import Surface
from spotlab.imaging.rooms.room_map import RoomMap
from spotlab.model import Primitive, Region

Place = tuple[float, float]

_SAME = 0.9  # share of area in common from which a region is the room already
_OPEN = (
    "This space is open to the edge of the page: raise Gap, above the page, to close wider openings"
)
_WALL = "That is a wall or an opening: click inside a room"


@dataclass(frozen=True)
class _Made:
    """A region that was made here, and what of, so that it can follow the gap."""

    region: str
    points: tuple[Place, ...]
    places: tuple[Place, ...]


class TakenRooms:
    """Makes regions of the spaces of a page, and changes them space by space."""

    def __init__(self, surface: Surface, rooms: Rooms) -> None:
        self.surface, self.rooms = surface, rooms
        self.workbench = surface.workbench
        self.made: _Made | None = None

    def take(self, room_map: RoomMap, places: tuple[Place, ...]) -> None:
        """Make a region of each room at these places, or say why there is none."""
        labels = _labels(room_map, places)
        inside = [label for label in labels if not room_map.is_outside(label)]
        editing = self.workbench.editing
        if not inside:
            editing.draw_nothing(_OPEN if labels else _WALL)
            if labels:
                self.rooms.look_for_larger_gap(*places[0])
            return
        outlines = [room_map.outline([label]) for label in inside]
        outlines = [outline for outline in outlines if len(outline)]
        new = [outline for outline in outlines if self._same(outline) is None]
        there = [region.id for outline in outlines if (region := self._same(outline))]
        if len(outlines) == 1 and new:
            region = editing.add_region(new[0], Primitive.POLYGON)
            if region is not None:
                editing.select_drawn([region.id])
                self.made = _Made(region.id, region.points, places)
        elif new:
            self._add(new)
        elif there and len(places) == 1:  # a click selects, a stroke draws
            self.workbench.selection.set(there)
        elif there:
            editing.draw_nothing("Each of these rooms is drawn already")
        else:
            editing.draw_nothing("The margin leaves nothing of this room: reduce it")

    def join(self, room_map: RoomMap, id: str, places: tuple[Place, ...], *, away: bool) -> None:
        """Join the spaces at places to a region, or take them away; nothing if that is gone."""
        editing, document = self.workbench.editing, self.workbench.document
        region = None if document is None else document.get(id)
        if document is None or region is None:
            return
        labels = _labels(room_map, places)
        crossed = {label for label in labels if not room_map.is_outside(label)}
        held = set(room_map.spaces_in(region.array))
        if not crossed:
            editing.refuse(_OPEN if labels else _WALL)
            return
        if not held:
            editing.refuse("The selected region is not a room of this page: select a room first")
            return
        changed = held - crossed if away else held | crossed
        if changed == held:
            editing.refuse("That space is not part of it" if away else "That space is part of it")
        elif not changed:
            editing.refuse("That would leave nothing of the region")
        elif not room_map.are_joined(sorted(changed)):
            editing.refuse("A wall lies between: only spaces side by side make one region")
        else:
            outline = room_map.outline(sorted(changed))
            try:
                after = reshaped(region, outline, document.page, Primitive.POLYGON)
            except SpotlabError as error:
                editing.refuse(str(error))
                return
            editing.replace_regions("Take space away" if away else "Join space", [after])

    def _add(self, outlines: list[Points]) -> None:
        """Several at once, in one step."""
        document, editing = self.workbench.document, self.workbench.editing
        if document is None:
            return
        label = editing.label
        made = [drawn(each, Primitive.POLYGON, document.page, label) for each in outlines]
        regions = [each for each in made if each is not None]
        name = f"Draw {len(regions)} rooms" if len(regions) > 1 else "Draw room"
        if editing.do(name, document.adding(*regions)):
            editing.select_drawn([each.id for each in regions])

    def _same(self, outline: Points) -> Region | None:
        """The region that is this room already."""
        x, y = (outline.min(axis=0) + outline.max(axis=0)) / 2
        area, bounds = polygon.area(outline), polygon.bounds(outline)
        for region in self.surface.index.regions_at(float(x), float(y)):
            close = np.abs(np.subtract(region.bounds, bounds)).max() <= 0.03 * np.sqrt(area)
            if close and _SAME <= region.area / area <= 1 / _SAME:
                return region
        return None

    def follow(self, room_map: RoomMap) -> None:
        """Another gap: what was made last is made again as long as nobody has changed it."""
        made, document = self.made, self.workbench.document
        if made and document:
            region = document.get(made.region)
            if region is None or region.points != made.points:
                self.made = None
            elif made.region in self.workbench.editing.at_hand:
                self._remake(room_map, made, region)

    def _remake(self, room_map: RoomMap, made: _Made, region: Region) -> None:
        document = self.workbench.document
        labels = _labels(room_map, made.places)
        if document is None or not labels or room_map.is_outside(labels[0]):
            return
        outline = room_map.outline(labels[:1])
        if not len(outline):
            return
        after = reshaped(region, outline, document.page, Primitive.POLYGON)
        if after.points != region.points:
            self.workbench.editing.replace_regions("Change gap", [after], merge=True)
            self.made = _Made(region.id, after.points, made.places)


def _labels(room_map: RoomMap, places: tuple[Place, ...]) -> list[int]:
    """The spaces at these places, each once."""
    labels = dict.fromkeys(room_map.label_at(*place) for place in places)
    labels.pop(0, None)
    return list(labels)
