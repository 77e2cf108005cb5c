"""The one tool of the Systems workspace: shows the item that is chosen, where it is a region."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen

from spotlab.gui.canvas.region_style import in_view
from spotlab.gui.canvas.tool import Gesture, Pointer, Tool
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.systems.state import Systems
from spotlab.gui.systems.votes.vote_table import chosen_box, item_at

LINE = "#2563eb"


class SystemsTool(Tool):
    """A click chooses the item under the pointer."""

    cursor = Qt.CursorShape.ArrowCursor

    def describe(self, pointer: Pointer) -> str | None:
        """The item under the pointer."""
        item, table = self._item_at(pointer), self.workbench.state(Systems).table
        return None if item is None or table is None else table.items[item]

    def press(self, pointer: Pointer) -> Gesture | None:
        """Choose what is there."""
        item = self._item_at(pointer)
        if item is not None:
            self.workbench.state(Systems).choose_item(item)
        return None

    def wants(self, event: QKeyEvent) -> bool:
        """Escape lets go of the chosen item."""
        return self.workbench.state(Systems).item is not None and event.key() == Qt.Key.Key_Escape

    def key(self, event: QKeyEvent) -> bool:
        """Let go of what is chosen."""
        if not self.wants(event):
            return False
        self.workbench.state(Systems).choose_item(None)
        return True

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The chosen item."""
        box = chosen_box(self.workbench)
        if box is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(LINE), 3))
            painter.drawRect(in_view(view, box))

    def _item_at(self, pointer: Pointer) -> int | None:
        return item_at(self.workbench, pointer.x, pointer.y)
