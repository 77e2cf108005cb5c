"""Draw a query: strokes on the page, at the size of its symbols, of what is to be found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter

from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.annotate.tools import drawing
from spotlab.gui.canvas.tool import Gesture, Pointer, Surface, Tool
from spotlab.gui.canvas.view import ViewTransform

Place = tuple[float, float]

PEN = QColor("#7c3aed")
_CLOSED = 2.0  # times the reach of the pointer: so near its beginning an end is meant to meet it


class DrawQueryTool(Tool):
    """Keeps strokes until they are searched or thrown away; they never become truth."""

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self._strokes: list[list[Place]] = []
        self._page: object = None

    @property
    def strokes(self) -> list[list[Place]]:
        """Those on the open page, in its px; another page begins without any."""
        if self._page is not self.workbench.entry:
            self._page = self.workbench.entry
            self._strokes = []
        return self._strokes

    def press(self, pointer: Pointer) -> Gesture | None:
        """Put the pen down."""
        return _PenStroke(self, pointer)

    def wants(self, event: QKeyEvent) -> bool:
        """Enter, Backspace and Escape mean the drawing while there is one."""
        return bool(self.strokes) and _meaning(event) is not None

    def key(self, event: QKeyEvent) -> bool:
        """Enter finds, Backspace takes the last stroke back, Escape all."""
        meaning = _meaning(event)
        if meaning is None or not self.strokes:
            return False
        if meaning == "find":
            self.find()
        elif meaning == "back":
            self.strokes.pop()
        else:
            self.strokes.clear()
        self.surface.refresh()
        return True

    def add(self, stroke: Sequence[Place], near: float) -> None:
        """One more stroke; it is closed if it ends where it began."""
        points = list(stroke)
        if len(points) > 2 and np.hypot(*np.subtract(points[0], points[-1])) < _CLOSED * near:
            points.append(points[0])
        self.strokes.append(points)
        self.workbench.said.emit(
            "Enter searches for the drawing · Backspace removes the last stroke · Esc removes all",
            False,
        )

    def find(self) -> None:
        """Look for what looks like the drawing."""
        self.workbench.state(Proposals).find_drawn([np.array(each) for each in self.strokes])
        self.strokes.clear()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The strokes so far."""
        for each in self.strokes:
            drawing.outline(painter, each, view, PEN, closed=False)


class _PenStroke(Gesture):
    """Freehand; with Shift a straight line."""

    def __init__(self, tool: DrawQueryTool, start: Pointer) -> None:
        super().__init__(tool.surface)
        self._tool = tool
        self._points: list[Place] = [start.place]

    def move(self, pointer: Pointer) -> None:
        """Draw on."""
        if pointer.shift:
            self._points = [self._points[0], pointer.place]
        elif self._points[-1] != pointer.place:
            self._points.append(pointer.place)
        self.surface.refresh()

    def release(self, pointer: Pointer) -> None:
        """Lift the pen; a click leaves nothing."""
        self.over = True
        if len(self._points) > 1:
            self._tool.add(self._points, pointer.near)
        self.surface.refresh()

    def cancel(self) -> None:
        """No stroke."""
        self.over = True
        self.surface.refresh()

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The stroke under way."""
        if len(self._points) > 1:
            drawing.outline(painter, self._points, view, PEN, closed=False)


def _meaning(event: QKeyEvent) -> str | None:
    if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return "find"
    if event.key() == Qt.Key.Key_Backspace or event.matches(QKeySequence.StandardKey.Undo):
        return "back"
    return "clear" if event.key() == Qt.Key.Key_Escape else None
