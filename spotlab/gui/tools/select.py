"""Select and edit: click, rubber band, move, control points, frame, nudge."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen

from spotlab.editing.hit import Hit, Part, hit
from spotlab.editing.operations import add_point, delete_point, handles, move_all, nearest_edge
from spotlab.errors import SpotlabError
from spotlab.gui.canvas.region_style import SELECTED, faint
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.tools import drawing
from spotlab.gui.tools.base import Gesture, Pointer, Surface, Tool, ToolKind
from spotlab.gui.tools.frame import TURN, SelectionFrame
from spotlab.gui.tools.picking import ClickOr
from spotlab.gui.tools.reshaping import Move, MoveHandle, Rotate, Scale
from spotlab.model import Page, Region

_MOST_HANDLES = 400  # drawn at once; the one under the pointer is always drawn
_SMALL = 30.0  # screen px
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class SelectTool(Tool):
    """Selects regions and changes their places and outlines."""

    shows_handles = True
    cursor = Qt.CursorShape.ArrowCursor

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self._under = Hit(Part.NOTHING)

    def press(self, pointer: Pointer) -> Gesture | None:
        """What a drag from here does."""
        surface = self.surface
        found = self._hit(pointer)
        if pointer.control and found.part in (Part.HANDLE, Part.EDGE):
            self._change_points(found, pointer)
            return None
        if found.part is Part.HANDLE and found.region is not None:
            return MoveHandle(surface, pointer, found.region, found.index)
        framing = self._framing(pointer)
        if framing is not None or found.region is None:
            return framing or RubberBand(surface, pointer)
        if found.region.id not in self.workbench.selection:
            return MoveUnselected(surface, pointer, [found.region])
        return Move(surface, pointer, self.workbench.selected)

    def _framing(self, pointer: Pointer) -> Gesture | None:
        """What the frame's handles do."""
        selected = self.workbench.selected
        frame = SelectionFrame.around(selected)
        grip = frame.hit(pointer, self.surface.view) if frame else None
        if grip == TURN:
            return Rotate(self.surface, pointer, selected)
        if isinstance(grip, tuple):
            return Scale(self.surface, pointer, selected, grip)
        return None

    def _change_points(self, found: Hit, pointer: Pointer) -> None:
        """Ctrl+click: a point goes, or comes where there was an edge."""
        region = found.region
        if found.part is Part.EDGE:
            self._add_point(found, pointer)
        elif region is not None:
            self._change(lambda page: delete_point(region, found.index, page), "Delete point")

    def hover(self, pointer: Pointer) -> Qt.CursorShape:
        """Show what a press would take hold of."""
        before, self._under = self._under, self._hit(pointer)
        if before.part is not self._under.part or before.index != self._under.index:
            self.surface.refresh()
        if self._under.part is Part.HANDLE:
            return Qt.CursorShape.PointingHandCursor
        frame = self._frame()
        grip = frame.hit(pointer, self.surface.view) if frame else None
        if grip == TURN:
            return Qt.CursorShape.CrossCursor
        if isinstance(grip, tuple):
            falling = grip[0] == grip[1]
            quarter = round(self.surface.view.angle / 90) % 2 == 1
            forward = Qt.CursorShape.SizeFDiagCursor, Qt.CursorShape.SizeBDiagCursor
            return forward[falling == quarter]
        if self._under.region is not None and self._under.region.id in self.workbench.selection:
            return Qt.CursorShape.SizeAllCursor
        return self.cursor

    def double_click(self, pointer: Pointer) -> bool:
        """On an edge of a selected region: one more point."""
        found = self._hit(pointer)
        if found.part is not Part.EDGE:
            return False
        self._add_point(found, pointer)
        return True

    def wants(self, event: QKeyEvent) -> bool:
        """Arrows nudge while something is selected; Delete is meant for the point under it."""
        if event.key() in _ARROWS:
            return bool(self.workbench.selected)
        return event.key() == Qt.Key.Key_Delete and self._under.part is Part.HANDLE

    def key(self, event: QKeyEvent) -> bool:
        """Nudge, or delete the point under the pointer."""
        if not self.wants(event):
            return False
        if event.key() == Qt.Key.Key_Delete:
            found, self._under = self._under, Hit(Part.NOTHING)
            current = self.surface.index.get(found.region.id) if found.region else None
            if current is not None:
                self._change(lambda page: delete_point(current, found.index, page), "Delete point")
            return True
        length = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        across, down = _ARROWS[Qt.Key(event.key())]
        dx, dy = _along_page(length * across, length * down, self.surface.view)
        document = self.workbench.document
        if document is not None:
            moved = move_all(self.workbench.selected, dx, dy, document.page)
            self.workbench.replace_regions("Nudge", moved, merge=True)
        return True

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The frame around the selection, and control points of the regions in it."""
        selected = self.workbench.selected
        frame = SelectionFrame.around(selected)
        if frame:
            frame.paint(painter, view)
        width, height = view.size
        drawn = 0
        for region in reversed(selected):
            if _small(region, view) and not self._is_under_region(region):
                continue  # handles would hide it
            points = [(handle.x, handle.y) for handle in handles(region)]
            for number, (x, y) in enumerate(view.points_to_view(points).tolist()):
                hot = self._is_under(region, number)
                inside = -9 <= x <= width + 9 and -9 <= y <= height + 9
                if (inside and drawn < _MOST_HANDLES) or hot:
                    drawing.handle(painter, x, y, hot=hot)
                    drawn += 1

    def _is_under_region(self, region: Region) -> bool:
        return self._under.region is not None and self._under.region.id == region.id

    def _is_under(self, region: Region, number: int) -> bool:
        under = self._under
        return (
            under.part is Part.HANDLE
            and under.region is not None
            and under.region.id == region.id
            and under.index == number
        )

    def _hit(self, pointer: Pointer) -> Hit:
        selection = self.workbench.selection
        return hit(self.surface.index, pointer.x, pointer.y, pointer.near, selection.ids)

    def _frame(self) -> SelectionFrame | None:
        return SelectionFrame.around(self.workbench.selected)

    def _add_point(self, found: Hit, pointer: Pointer) -> None:
        region = found.region
        if region is None:
            return
        _, _, foot = nearest_edge(region, pointer.x, pointer.y)
        place = pointer.place if not region.contains(*pointer.place) else foot
        changed = self._change(
            lambda page: add_point(region, found.index, place, page), "Add point"
        )
        if not changed:
            self.workbench.said.emit(
                "A convex outline takes a new point outside of it; make it free for others", False
            )

    def _change(self, operation: Callable[[Page], Region], name: str) -> bool:
        """Replace a region by what the operation makes of it, or say why not."""
        document = self.workbench.document
        if document is None:
            return False
        try:
            region = operation(document.page)
        except SpotlabError as error:
            self.workbench.said.emit(str(error), False)
            return True
        if document.get(region.id) == region:
            return False
        return self.workbench.replace_regions(name, [region])


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


def _small(region: Region, view: ViewTransform) -> bool:
    left, top, right, bottom = region.bounds
    return max(right - left, bottom - top) * view.scale < _SMALL


def _along_page(dx: float, dy: float, view: ViewTransform) -> tuple[float, float]:
    """An arrow's step on the screen as one of whole px on a page that may be turned."""
    for _ in range(round(view.angle / 90) % 4):
        dx, dy = dy, -dx
    return dx, dy


KIND = ToolKind(
    name="select",
    title="Select and edit",
    icon="mdi6.cursor-default-outline",
    shortcut="F3",
    hint="Click selects, again the next larger one; drag moves, Alt copies; corners scale (Shift "
    "keeps the shape, Alt the middle), the round handle turns; double-click an edge adds a point, "
    "Ctrl+click or Delete on a point takes it away; arrows nudge, with Shift by 10",
    order=2,
    make=SelectTool,
)
