"""Select and edit: click, rubber band, move, control points, frame, nudge."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen

from spotlab.editing.operations import move_all
from spotlab.editing.region_index import Hit, Part
from spotlab.gui.annotate.tools import drawing
from spotlab.gui.annotate.tools.drawing import TURN, ClickOr, SelectionFrame, under
from spotlab.gui.annotate.tools.reshaping import Move, Rotate, Scale
from spotlab.gui.annotate.tools.shapes import ControlPoints
from spotlab.gui.canvas.tool import Gesture, Pointer, Surface, Tool
from spotlab.gui.canvas.view import SELECTED, ViewTransform, faint
from spotlab.model import Region

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_OTHERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
_OF_POINTS = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Escape)


class SelectTool(Tool):
    """Selects regions and changes their places and outlines."""

    cursor = Qt.CursorShape.ArrowCursor

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self.points = ControlPoints(surface)
        self._framed: tuple[Sequence[Region], SelectionFrame | None] = (), None

    def press(self, pointer: Pointer) -> Gesture | None:
        """Take hold of a point, an edge, the frame or a region, or select."""
        found = under(self.surface, pointer)
        return self.points.press(pointer, found, lambda: self._begin(pointer, found))

    def _begin(self, pointer: Pointer, found: Hit) -> Gesture:
        """Scale, turn or move what is selected, or select."""
        framing = self._framing(pointer)
        if framing is not None or found.region is None:
            return framing or RubberBand(self.surface, pointer)
        if found.region.id not in self.workbench.selection:
            return MoveUnselected(self.surface, pointer, [found.region])
        return Move(self.surface, pointer, self.workbench.selected)

    def _frame(self) -> SelectionFrame | None:
        """The frame around the selection, the same until this is another."""
        selected = self.workbench.selected
        if selected is not self._framed[0]:
            self._framed = selected, SelectionFrame.around(selected)
        return self._framed[1]

    def _framing(self, pointer: Pointer) -> Gesture | None:
        """Return what the frame's handles do."""
        selected, frame = self.workbench.selected, self._frame()
        grip = frame.hit(pointer, self.surface.view) if frame else None
        if grip == TURN:
            return Rotate(self.surface, pointer, selected)
        if isinstance(grip, tuple):
            return Scale(self.surface, pointer, selected, grip)
        return None

    def hover(self, pointer: Pointer) -> Qt.CursorShape:
        """Show what a press would take hold of."""
        found = under(self.surface, pointer)
        self.points.hover(found)
        if found.part is Part.HANDLE:
            return Qt.CursorShape.PointingHandCursor
        if self.points.pulls(found, pointer):
            return Qt.CursorShape.DragCopyCursor
        frame = self._frame()
        grip = frame.hit(pointer, self.surface.view) if frame else None
        if grip == TURN:
            return Qt.CursorShape.CrossCursor
        if isinstance(grip, tuple):
            falling = grip[0] == grip[1]
            quarter = round(self.surface.view.angle / 90) % 2 == 1
            forward = Qt.CursorShape.SizeFDiagCursor, Qt.CursorShape.SizeBDiagCursor
            return forward[falling == quarter]
        if found.region is not None and found.region.id in self.workbench.selection:
            return Qt.CursorShape.SizeAllCursor
        return self.cursor

    def double_click(self, pointer: Pointer) -> bool:
        """Add a point to the edge of a selected region."""
        return self.points.add(pointer)

    def wants(self, event: QKeyEvent) -> bool:
        """Arrows nudge what is selected, but not with Ctrl or Alt; Delete, Escape mean a point."""
        if event.key() in _ARROWS:
            return bool(self.workbench.selected) and not event.modifiers() & _OTHERS
        return event.key() in _OF_POINTS and self.points.selected is not None

    def key(self, event: QKeyEvent) -> bool:
        """Nudge, or delete the selected point, or let go of it."""
        if not self.wants(event):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.points.unselect()
            return True
        if event.key() not in _ARROWS:
            return self.points.delete()
        length = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        across, down = _ARROWS[Qt.Key(event.key())]
        dx, dy = _along_page(length * across, length * down, self.surface.view)
        document = self.workbench.document
        if document is not None:
            moved = move_all(self.workbench.selected, dx, dy, document.page)
            self.workbench.editing.replace_regions("Nudge", moved, merge=True)
        return True

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The frame around the selection, and control points of the regions in it."""
        frame = self._frame()
        if frame:
            frame.paint(painter, view)
        self.points.paint(painter, view)


class MoveUnselected(Move):
    """Moves a region that was not selected, which selects it."""

    def begin(self, pointer: Pointer) -> None:
        """Select what is moved; Shift moves all that were selected along."""
        selection = self.surface.workbench.selection
        if pointer.shift:
            selection.add(self.before[0].id)
            self.before = self.surface.workbench.selected
        else:
            selection.set([self.before[0].id])


class RubberBand(ClickOr):
    """Selects what it touches; Shift keeps what was selected."""

    def __init__(self, surface: Surface, pointer: Pointer) -> None:
        super().__init__(surface, pointer)
        self._end = pointer

    def drag(self, pointer: Pointer) -> None:
        """Draw the band out."""
        self._end = pointer

    def drop(self, pointer: Pointer) -> None:
        """Select what lies in it or is touched."""
        left, right = sorted((self.start.x, pointer.x))
        top, bottom = sorted((self.start.y, pointer.y))
        found = self.surface.index.in_box((left, top, right, bottom))
        selection = self.surface.workbench.selection
        ids = [region.id for region in found]
        if pointer.shift:
            selection.add(*ids)
        else:
            selection.set(ids)

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The band."""
        if not self.dragged:
            return
        a, b = self.start, self._end
        corners = [(a.x, a.y), (b.x, a.y), (b.x, b.y), (a.x, b.y)]
        painter.setPen(QPen(QColor(SELECTED), 1))
        painter.setBrush(faint(QColor(SELECTED), 30))
        painter.drawPolygon(drawing.polygon_in_view(corners, view))


def _along_page(dx: float, dy: float, view: ViewTransform) -> tuple[float, float]:
    """An arrow's step on the screen as one of whole px on a page that may be turned."""
    for _ in range(round(view.angle / 90) % 4):
        dx, dy = dy, -dx
    return dx, dy
