"""Wall: two clicks, or a stroke along it, take the band of a wall."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter

from spotlab.arrays import Points
from spotlab.gui.annotate.tools import painting as drawing
from spotlab.gui.annotate.tools.drawing import DrawingTool, ShapeDrawing
from spotlab.gui.annotate.tools.landing import Landing
from spotlab.gui.annotate.tools.picking import pick
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.tool import Gesture, Surface
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.kit.task import Task
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.rooms.walls import wall_along, wall_band
from spotlab.model import Primitive
from spotlab.progress import Progress

Place = tuple[float, float]

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
