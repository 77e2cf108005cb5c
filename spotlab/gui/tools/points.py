"""Control points of what is selected: every tool lets one take hold of them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter

from spotlab.editing.hit import Hit, Part, hit
from spotlab.editing.operations import add_point, delete_point, handles, nearest_edge
from spotlab.errors import SpotlabError
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.tools import drawing
from spotlab.gui.tools.base import Gesture, Pointer, Surface, Tool
from spotlab.gui.tools.reshaping import MoveHandle
from spotlab.model import Page, Region

_MOST_HANDLES = 400  # drawn at once; the one under the pointer is always drawn
_NOTHING = Hit(Part.NOTHING)
_SMALL = 30.0  # screen px of a region whose handles would hide it


class PointsTool(Tool):
    """A tool that also moves, adds and deletes the points of selected regions."""

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface)
        self._shown = _NOTHING  # what was under the pointer when it was last told

    @property
    def under(self) -> Hit:
        """What the pointer is on now."""
        pointer = self.surface.pointer
        return _NOTHING if pointer is None else self.hit(pointer)

    def press(self, pointer: Pointer) -> Gesture | None:
        """Take hold of a point; Ctrl deletes one, or adds one on an edge; else begin."""
        found = self.hit(pointer)
        if pointer.control and found.part in (Part.HANDLE, Part.EDGE):
            self._change_points(found, pointer)
            return None
        # with Shift or Alt it is the ink or the shape there that is meant, not the point
        modified = pointer.shift or pointer.alt
        if found.part is Part.HANDLE and found.region is not None and not modified:
            return MoveHandle(self.surface, pointer, found.region, found.index)
        return self.begin(pointer, found)

    def begin(self, pointer: Pointer, found: Hit) -> Gesture | None:
        """The gesture that a press begins which is on no point."""
        return None

    def hover(self, pointer: Pointer) -> Qt.CursorShape:
        """Show what a press would take hold of."""
        before, self._shown = self._shown, self.hit(pointer)
        if before.part is not self._shown.part or before.index != self._shown.index:
            self.surface.refresh()
        on_point = self._shown.part is Part.HANDLE
        return Qt.CursorShape.PointingHandCursor if on_point else self.cursor

    def double_click(self, pointer: Pointer) -> bool:
        """On an edge of a selected region: one more point."""
        found = self.hit(pointer)
        if found.part is not Part.EDGE:
            return False
        self._add_point(found, pointer)
        return True

    def wants(self, event: QKeyEvent) -> bool:
        """Delete is meant for the point under the pointer."""
        return event.key() == Qt.Key.Key_Delete and self.under.part is Part.HANDLE

    def key(self, event: QKeyEvent) -> bool:
        """Delete the point under the pointer."""
        if not self.wants(event):
            return False
        self._delete_point(self.under)
        return True

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The control points of the selected regions."""
        under = self.under
        width, height = view.size
        drawn = 0
        for region in reversed(self.workbench.selected):
            here = under.region is not None and under.region.id == region.id
            if _small(region, view) and not here:
                continue
            points = [(handle.x, handle.y) for handle in handles(region)]
            for number, (x, y) in enumerate(view.points_to_view(points).tolist()):
                hot = here and under.part is Part.HANDLE and under.index == number
                inside = -9 <= x <= width + 9 and -9 <= y <= height + 9
                if (inside and drawn < _MOST_HANDLES) or hot:
                    drawing.handle(painter, x, y, hot=hot)
                    drawn += 1

    def hit(self, pointer: Pointer) -> Hit:
        """What the pointer is on."""
        selection = self.workbench.selection
        return hit(self.surface.index, pointer.x, pointer.y, pointer.near, selection.ids)

    def _change_points(self, found: Hit, pointer: Pointer) -> None:
        if found.part is Part.EDGE:
            self._add_point(found, pointer)
        else:
            self._delete_point(found)

    def _delete_point(self, found: Hit) -> None:
        region = found.region
        if region is not None:
            self._change(lambda page: delete_point(region, found.index, page), "Delete point")

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


def _small(region: Region, view: ViewTransform) -> bool:
    left, top, right, bottom = region.bounds
    return max(right - left, bottom - top) * view.scale < _SMALL
