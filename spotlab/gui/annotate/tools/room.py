"""Room: a click takes the enclosed space, with doors and windows closed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter

from spotlab.editing.hit import Hit
from spotlab.editing.operations import drawn, reshaped
from spotlab.errors import SpotlabError
from spotlab.geometry import polygon
from spotlab.geometry.polygon import Points
from spotlab.gui.annotate.rooms.rooms import TOOL, Rooms
from spotlab.gui.annotate.tools import painting as drawing
from spotlab.gui.annotate.tools.picking import ClickOr, is_on_outline, pick
from spotlab.gui.annotate.tools.points import PointsTool
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.tool import Gesture, Surface, ToolKind
from spotlab.gui.canvas.view import ViewTransform
from spotlab.imaging.rooms.room_map import RoomMap
from spotlab.model import Primitive, Region

Place = tuple[float, float]

CLOSED = QColor("#e11d48")  # openings that are closed
_STEP = 6.0  # px between the places of a stroke that are looked up
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


class RoomTool(PointsTool):
    """Clicks and strokes take rooms; what is taken follows the gap while it is selected."""

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self.rooms = self.workbench.state(Rooms)
        self.made: _Made | None = None
        self._map: RoomMap | None = None
        self._hovered = 0
        self._outline: Points = np.empty((0, 2))
        self.rooms.changed.connect(self._follow)

    def begin(self, pointer: Pointer, found: Hit) -> Gesture | None:
        """A click or a stroke."""
        return TakeRooms(self, pointer)

    def hover(self, pointer: Pointer) -> Qt.CursorShape:
        """Show the room that a click would take."""
        self._look(pointer)
        return super().hover(pointer)

    def describe(self, pointer: Pointer) -> str | None:
        """That rooms are still being found."""
        return "Finding rooms …" if self.rooms.busy and self.rooms.map is None else None

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The openings that are closed, and the room under the pointer."""
        if self._map is not None:
            for line in self._map.lines():
                drawing.outline(painter, line, view, CLOSED, closed=False, dashes=True)
            if len(self._outline):
                drawing.outline(painter, self._outline, view, self.surface.colour(None), fill=30)
        super().paint(painter, view)

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
                self.made = _Made(region.id, region.points, places)
        elif outlines:
            self._add(new, there)
        else:
            editing.draw_nothing("The margin leaves nothing of this room: reduce it")

    def join(self, room_map: RoomMap, place: Place, *, away: bool) -> None:
        """Join the space at a place to the selected region, or take it away from it."""
        editing = self.workbench.editing
        (region,) = self.workbench.selected
        document, label = self.workbench.document, room_map.label_at(*place)
        if document is None:
            return
        held = set(room_map.spaces_in(region.array))
        if not label or room_map.is_outside(label):
            editing.refuse(_OPEN if label else _WALL)
            return
        if not held:
            editing.refuse("The selected region is not a room of this page: select a room first")
            return
        changed = held - {label} if away else held | {label}
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

    def _add(self, outlines: list[Points], there: list[str]) -> None:
        """Several at once, in one step."""
        document, editing = self.workbench.document, self.workbench.editing
        if document is None:
            return
        label = editing.label
        made = [drawn(each, Primitive.POLYGON, document.page, label) for each in outlines]
        regions = [each for each in made if each is not None]
        name = f"Draw {len(regions)} rooms"
        if not regions or editing.do(name, document.adding(*regions)):
            self.workbench.selection.set([*there, *(each.id for each in regions)])

    def _same(self, outline: Points) -> Region | None:
        """The region that is this room already."""
        x, y = (outline.min(axis=0) + outline.max(axis=0)) / 2
        area, bounds = polygon.area(outline), polygon.bounds(outline)
        for region in self.surface.index.regions_at(float(x), float(y)):
            close = np.abs(np.subtract(region.bounds, bounds)).max() <= 0.03 * np.sqrt(area)
            if close and _SAME <= region.area / area <= 1 / _SAME:
                return region
        return None

    def _look(self, pointer: Pointer | None) -> None:
        room_map = self.rooms.map
        label = room_map.label_at(*pointer.place) if room_map and pointer else 0
        if room_map is self._map and label == self._hovered:
            return
        self._map, self._hovered = room_map, label
        shown = room_map is not None and label and not room_map.is_outside(label)
        self._outline = room_map.outline([label]) if shown and room_map else np.empty((0, 2))
        self.surface.refresh()

    def _follow(self) -> None:
        """Another gap: what was made last is made again as long as nobody has changed it."""
        if self.workbench.tool != TOOL:
            return
        room_map, made, document = self.rooms.map, self.made, self.workbench.document
        if room_map is not None and room_map is not self._map and made and document:
            region = document.get(made.region)
            if region is None or region.points != made.points:
                self.made = None
            elif made.region in self.workbench.selection:
                self._remake(room_map, made, region)
        self._look(self.surface.pointer)
        self.surface.refresh()

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


class TakeRooms(ClickOr):
    """A click takes one room, a stroke each that it crosses; Shift joins, Alt takes away."""

    def __init__(self, tool: RoomTool, pointer: Pointer) -> None:
        super().__init__(tool.surface, pointer)
        self.tool = tool
        self.places: list[Place] = [pointer.place]
        self._changes = (pointer.shift or pointer.alt) and len(tool.workbench.selected) == 1
        self._away = pointer.alt

    def drag(self, pointer: Pointer) -> None:
        """The stroke goes on."""
        x, y = self.places[-1]
        count = int(np.hypot(pointer.x - x, pointer.y - y) // _STEP)
        shares = (np.arange(1, count + 1) / max(count, 1)).tolist()
        self.places += [(x + t * (pointer.x - x), y + t * (pointer.y - y)) for t in shares]

    def drop(self, pointer: Pointer) -> None:
        """Take what was crossed."""
        places = tuple(self.places)
        self.tool.rooms.when_known(lambda room_map: self.tool.take(room_map, places))
        self._say_busy()

    def click(self, pointer: Pointer) -> None:
        """Take the room here; a click on a selected outline selects."""
        place = pointer.place
        if self._changes:
            self.tool.rooms.when_known(
                lambda room_map: self.tool.join(room_map, place, away=self._away)
            )
        elif pointer.shift or is_on_outline(self.surface, pointer):
            pick(self.surface, pointer)
            return
        else:
            self.tool.rooms.when_known(lambda room_map: self.tool.take(room_map, (place,)))
        self._say_busy()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The stroke."""
        if self.dragged:
            colour = self.surface.colour(None)
            drawing.stroke(painter, drawing.smooth_path(self.places, view), colour)

    def _say_busy(self) -> None:
        if self.tool.rooms.busy:
            text = "Finding the rooms of this page: the click counts as soon as they are known"
            self.surface.workbench.said.emit(text, False)


def _labels(room_map: RoomMap, places: tuple[Place, ...]) -> list[int]:
    """The spaces at these places, each once."""
    labels = dict.fromkeys(room_map.label_at(*place) for place in places)
    labels.pop(0, None)
    return list(labels)


KIND = ToolKind(
    name=TOOL,
    title="Room",
    icon="mdi6.floor-plan",
    shortcut="Shift+F4",
    hint="Click inside a room; doors and windows are closed",
    keys="Shift joins a space, Alt takes one away; drag across rooms to take each",
    order=9,
    make=RoomTool,
    workspace="annotate",
)
