"""Room: a click takes the enclosed space, with doors and windows closed."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter

from spotlab.arrays import Points
from spotlab.gui.annotate.rooms.rooms import TOOL, Rooms
from spotlab.gui.annotate.rooms.taken_rooms import Place, TakenRooms
from spotlab.gui.annotate.tools import painting as drawing
from spotlab.gui.annotate.tools.drawing import DrawingTool, ShapeDrawing
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.tool import Gesture, Surface
from spotlab.gui.canvas.view import ViewTransform
from spotlab.imaging.rooms.room_map import RoomMap

CLOSED = QColor("#e11d48")  # openings that are closed
_STEP = 6.0  # px between the places of a stroke that are looked up


class RoomTool(DrawingTool):
    """Clicks and strokes take rooms; what was taken last follows the gap."""

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self.rooms = self.workbench.state(Rooms)
        self.taken = TakenRooms(surface, self.rooms)
        self._map: RoomMap | None = None
        self._hovered = 0
        self._outline: Points = np.empty((0, 2))
        self.rooms.changed.connect(self._follow)

    def press(self, pointer: Pointer) -> Gesture | None:
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
        """Another gap: what was made last follows it."""
        if self.workbench.tool != TOOL:
            return
        room_map = self.rooms.map
        if room_map is not None and room_map is not self._map:
            self.taken.follow(room_map)
        self._look(self.surface.pointer)
        self.surface.refresh()


class TakeRooms(ShapeDrawing):
    """A click takes one room, a stroke each that it crosses; Shift joins, Alt takes away."""

    def __init__(self, tool: RoomTool, pointer: Pointer) -> None:
        super().__init__(tool.surface, pointer, changes=True)
        self.tool = tool
        self.places: list[Place] = [pointer.place]

    def drag(self, pointer: Pointer) -> None:
        """The stroke goes on."""
        x, y = self.places[-1]
        count = int(np.hypot(pointer.x - x, pointer.y - y) // _STEP)
        shares = (np.arange(1, count + 1) / max(count, 1)).tolist()
        self.places += [(x + t * (pointer.x - x), y + t * (pointer.y - y)) for t in shares]

    def drop(self, pointer: Pointer) -> None:
        """Take what was crossed."""
        self._take(tuple(self.places))

    def click(self, pointer: Pointer) -> None:
        """Take the room here."""
        self.begin(pointer)
        self._take((pointer.place,))

    def _take(self, places: tuple[Place, ...]) -> None:
        """Take the rooms at these places, or join them to the selected region, or take them away.

        Another region may be selected before the rooms are known: the one selected now counts.
        """
        when_known, taken = self.tool.rooms.when_known, self.tool.taken
        if not self.changes:
            when_known(lambda room_map: taken.take(room_map, places))
        elif (changed := self.to_change()) is not None:
            id, away = changed.id, self.removes
            when_known(lambda room_map: taken.join(room_map, id, places, away=away))
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
