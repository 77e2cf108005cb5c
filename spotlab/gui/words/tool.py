"""The one tool of the Words workspace: a click chooses a found word, a drag searches one."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen

from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.region_style import in_view
from spotlab.gui.canvas.tool import Gesture, Surface, Tool
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.words.state.examples import search_drawn
from spotlab.gui.words.state.words import Words
from spotlab.spotting.words.word_index import WordQuery

LINE = "#2563eb"


class WordsTool(Tool):
    """Says what is under the pointer."""

    def describe(self, pointer: Pointer) -> str | None:
        """The found word under the pointer: its text, its score, whether it is right."""
        words = self.workbench.state(Words)
        item = words.item_at(pointer.x, pointer.y)
        return None if item is None else words.described(item)

    def press(self, pointer: Pointer) -> Gesture | None:
        """A click, or the first corner of a box."""
        return _Drag(self.surface, pointer)

    def hover(self, pointer: Pointer) -> Qt.CursorShape:
        """A hand over what can be chosen."""
        found = self.workbench.state(Words).item_at(pointer.x, pointer.y) is not None
        return Qt.CursorShape.PointingHandCursor if found else Qt.CursorShape.CrossCursor

    def double_click(self, pointer: Pointer) -> bool:
        """Search the word there."""
        item = self.workbench.state(Words).item_at(pointer.x, pointer.y)
        if item is not None:
            self.workbench.state(Words).search_item(item)
        return item is not None

    def point_out(self, pointer: Pointer) -> None:
        """The found word there."""
        self.workbench.state(Words).choose_item(
            self.workbench.state(Words).item_at(pointer.x, pointer.y)
        )

    def wants(self, event: QKeyEvent) -> bool:
        """Escape lets go of the chosen word."""
        return self.workbench.state(Words).item is not None and event.key() == Qt.Key.Key_Escape

    def key(self, event: QKeyEvent) -> bool:
        """Let go of what is chosen."""
        if not self.wants(event):
            return False
        self.workbench.state(Words).choose_item(None)
        return True


class _Drag(Gesture):
    """Chooses on a click; a box drawn out is searched."""

    def __init__(self, surface: Surface, start: Pointer) -> None:
        super().__init__(surface)
        self._start = self._end = start
        self._dragged = False

    def move(self, pointer: Pointer) -> None:
        """The opposite corner is here."""
        self._end = pointer
        self._dragged = self._dragged or pointer.moved_from(self._start)
        self.surface.refresh()

    def release(self, pointer: Pointer) -> None:
        """Choose, or search."""
        self.over = True
        workbench = self.surface.workbench
        self.surface.refresh()
        if not self._dragged:
            workbench.state(Words).choose_item(workbench.state(Words).item_at(pointer.x, pointer.y))
            return
        left, top, right, bottom = self._box()
        entry = workbench.entry
        if entry is not None and left < right and top < bottom:
            search_drawn(
                workbench.state(Words),
                WordQuery(entry.name, (left, top, right, bottom)),
                add=self._start.shift,
            )

    def cancel(self) -> None:
        """Search nothing."""
        self.over = True
        self.surface.refresh()

    def _box(self) -> tuple[float, float, float, float]:
        xs, ys = sorted((self._start.x, self._end.x)), sorted((self._start.y, self._end.y))
        return round(xs[0]), round(ys[0]), round(xs[1]), round(ys[1])

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The box as it is now."""
        if self._dragged:
            fill = QColor(LINE)
            fill.setAlpha(36)
            painter.setPen(QPen(QColor(LINE), 2))
            painter.setBrush(fill)
            painter.drawRect(in_view(view, self._box()))
