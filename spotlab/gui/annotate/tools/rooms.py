"""Tools for walls and rooms of floor plans, and for cells of a grid."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPolygonF

from spotlab.arrays import Points
from spotlab.editing.operations import reshaped
from spotlab.errors import SpotlabError
from spotlab.geometry.rings import QuadCell, cell_at, cells_from_ring, ring_from_cells
from spotlab.gui.annotate.rooms.rooms import TOOL, Place, Rooms, TakenRooms
from spotlab.gui.annotate.tools import drawing
from spotlab.gui.annotate.tools.drawing import DrawingTool, Landing, ShapeDrawing, pick
from spotlab.gui.canvas.tool import Gesture, Pointer, Surface
from spotlab.gui.canvas.view import ViewTransform, faint
from spotlab.gui.kit.background import Task
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.rooms.room_map import RoomMap
from spotlab.imaging.rooms.walls import wall_along, wall_band
from spotlab.model import Primitive, Region
from spotlab.progress import Progress

_SMALLEST = 4  # px, the side of a cell
_ON_SCREEN = 14.0  # px that a cell should have there


class CellsTool(DrawingTool):
    """Paints cells."""

    def press(self, pointer: Pointer) -> Gesture | None:
        """Begin to paint."""
        return Paint(self.surface, pointer)


class Paint(ShapeDrawing):
    """Marks the cells that the pointer passes; Shift adds them to the selected, Alt takes away."""

    def __init__(self, surface: Surface, pointer: Pointer) -> None:
        super().__init__(surface, pointer, changes=True)
        self.side = side_at(surface.view.scale)
        self.cells: dict[QuadCell, None] = {}
        self._last = pointer

    def drag(self, pointer: Pointer) -> None:
        """Mark the cells on the way."""
        length = math.hypot(pointer.x - self._last.x, pointer.y - self._last.y)
        steps = max(1, math.ceil(2 * length / self.side))
        for step in range(steps + 1):
            share = step / steps
            x = self._last.x + share * (pointer.x - self._last.x)
            y = self._last.y + share * (pointer.y - self._last.y)
            self.cells[cell_at(x, y, self.side)] = None
        self._last = pointer

    def drop(self, pointer: Pointer) -> None:
        """Make a region of them, or change the selected one."""
        workbench = self.surface.workbench
        document = workbench.document
        if document is None:
            return
        size = (document.page.width, document.page.height)
        if not self.changes:
            workbench.editing.draw(ring_from_cells(self.cells, size), Primitive.CELLS)
            return
        region = self.to_change()
        if region is None:
            return
        ring = ring_from_cells(self._changed(region, size), size)
        try:
            after = reshaped(region, ring, document.page, Primitive.CELLS)
        except SpotlabError as error:
            workbench.editing.refuse(str(error))
            return
        workbench.editing.replace_regions(
            "Take cells away" if self.removes else "Add cells", [after]
        )

    def _changed(self, region: Region, size: tuple[int, int]) -> list[QuadCell]:
        """The region's cells with these, or without them."""
        held = cells_from_ring(region.array, self.side, size)
        if not self.removes:
            return [*held, *self.cells]
        small = {
            QuadCell(column, row, self.side)
            for cell in held
            for times in [cell.side // self.side]
            for column in range(cell.column * times, (cell.column + 1) * times)
            for row in range(cell.row * times, (cell.row + 1) * times)
        }
        return list(small - set(self.cells))

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The marked cells."""
        colour = self.surface.colour(None)
        painter.setPen(faint(colour, 160))
        painter.setBrush(faint(colour, 90))
        for column, row, side in self.cells:
            corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
            shown = view.points_to_view([(x * side, y * side) for x, y in corners])
            painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in shown.tolist()]))


def side_at(scale: float) -> int:
    """The side of cells, a power of two px, that is well seen at this zoom.

    Examples
    --------
    >>> side_at(1.0), side_at(0.1), side_at(64.0)
    (16, 128, 4)
    """
    wanted = max(_SMALLEST, _ON_SCREEN / scale)
    return int(2 ** round(math.log2(wanted)))


_WIDEST = 1 / 40  # of the page's longer side: from the line to a face of the wall
_BEYOND = 3.0  # times that: ink around the line that is looked at
_NO_BAND = (
    "No wall along that line: keep between its two faces, or inside the filled or hatched band"
)


class WallTool(DrawingTool):
    """Begins a wall with a click or a stroke."""

    def press(self, pointer: Pointer) -> Gesture | None:
        """The first end, or a stroke."""
        return WallStart(self.surface, pointer)


class WallStart(ShapeDrawing):
    """A stroke along walls; as a click, the first end of a straight wall."""

    def __init__(self, surface: Surface, pointer: Pointer) -> None:
        super().__init__(surface, pointer)
        self.places: list[Place] = [pointer.place]

    def drag(self, pointer: Pointer) -> None:
        """The stroke goes on."""
        if self.places[-1] != pointer.place:
            self.places.append(pointer.place)

    def drop(self, pointer: Pointer) -> None:
        """Take the walls along the stroke."""
        self.following = _take(self, self.places, straight=False)

    def click(self, pointer: Pointer) -> None:
        """Go on to the other end; with Shift, select."""
        if pointer.shift:
            pick(self.surface, pointer)
        else:
            self.following = SecondEnd(self.surface, pointer)
            self.surface.workbench.editing.begin_drawing()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The stroke."""
        if self.dragged:
            colour = self.surface.colour(None)
            drawing.stroke(painter, drawing.smooth_path(self.places, view), colour)


class SecondEnd(Gesture):
    """From the first end to the second; the band that would be taken is shown."""

    def __init__(self, surface: Surface, pointer: Pointer) -> None:
        super().__init__(surface)
        self._first = pointer
        self._end = pointer.place
        self._band: Points | None = None
        self._looking = Task(urgent=True)
        self._looked: Place = pointer.place  # where the end was when the band was looked for

    def cancel(self) -> None:
        """Forget the first end."""
        self._looking.cancel()
        super().cancel()

    def press(self, pointer: Pointer) -> None:
        """The second end; a click at the first one selects what is there."""
        self._looking.cancel()
        self._end = pointer.place
        self.over = True
        if pointer.far_from(*self._first.place):
            places = [self._first.place, pointer.place]
            self.following = _take(self, places, straight=True)
        else:
            pick(self.surface, pointer)

    def move(self, pointer: Pointer) -> None:
        """The second end would be here."""
        self._end = pointer.place
        self._look()
        self.surface.refresh()

    def release(self, pointer: Pointer) -> None:
        """It goes on."""

    def double_click(self, pointer: Pointer) -> bool:
        """It ends; the second click selects."""
        self._looking.cancel()
        self.over = True
        return False

    def key(self, event: QKeyEvent) -> bool:
        """Backspace takes the first end back."""
        if event.key() != Qt.Key.Key_Backspace:
            return False
        self._looking.cancel()
        self.over = True
        return True

    def _look(self) -> None:
        """Find the band in a thread; the latest end counts."""
        ink = self.surface.workbench.ink.page
        if ink is None or self.over or self._looking.busy or self._looked == self._end:
            return
        self._looked = self._end
        line = [self._first.place, self._end]
        self._looking.start(
            _looked_for, ink, line, True, done=self._arrived,
            failed=lambda _: None,  # the second click says what is wrong
        )  # fmt: skip

    def _arrived(self, band: Points | None) -> None:
        self._band = band
        self.surface.refresh()
        self._look()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The line, and the band where there is one."""
        colour = self.surface.colour(None)
        if self._band is not None:
            drawing.outline(painter, self._band, view, colour, fill=36)
        line = [self._first.place, self._end]
        drawing.outline(painter, line, view, colour, closed=False, dashes=True)
        x, y = view.to_view(*self._first.place)
        drawing.handle(painter, x, y, ring=True)


def _take(drawn: Gesture, places: list[Place], *, straight: bool) -> Landing | None:
    """Make a region of the wall along a line, or say why there is none."""
    editing = drawn.surface.workbench.editing
    ink = drawn.surface.workbench.ink.page
    if ink is None:
        editing.draw_nothing("The page is still being binarised: wait a moment")
        return None

    def draw(band: Points | None) -> None:
        if band is None:
            editing.draw_nothing(_NO_BAND)
        else:
            editing.draw(band, Primitive.POLYGON)

    return Landing(drawn, _looked_for, ink, tuple(places), straight, then=draw)


def _looked_for(
    ink: PageInk, places: Sequence[Place], straight: bool, _: Progress
) -> Points | None:
    return _band(ink, places, straight=straight)


def _band(ink: PageInk, places: Sequence[Place], *, straight: bool) -> Points | None:
    """The band, looked for in the ink around the line."""
    width, height = ink.page_size
    widest = _WIDEST * max(width, height)
    margin = _BEYOND * widest
    x, y = zip(*places, strict=True)
    left, right = (int(min(max(each, 0), width)) for each in (min(x) - margin, max(x) + margin))
    top, bottom = (int(min(max(each, 0), height)) for each in (min(y) - margin, max(y) + margin))
    if right - left < 1 or bottom - top < 1:
        return None
    window = ink.ink(left, top, right, bottom)
    local = [(px - left, py - top) for px, py in places]
    band = wall_band(window, local, widest) if straight else wall_along(window, local, widest)
    return None if band is None else band + np.array([left, top])


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
    """A click takes one room, a stroke each that it crosses; Shift joins, Alt takes away.

    A stroke from border to border of one room divides it.
    """

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
            act = taken.take if len(places) == 1 else taken.stroke
            when_known(lambda room_map: act(room_map, places))
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
