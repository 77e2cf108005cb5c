"""Control points of what is selected: every tool lets one take hold of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter

from spotlab.editing.bulk_edits import MANY
from spotlab.editing.hit import Hit, Part
from spotlab.editing.operations import (
    add_point,
    behaves_as,
    delete_point,
    handles,
    nearest_edge,
    place_on_edge,
)
from spotlab.errors import SpotlabError
from spotlab.gui.annotate.tools import painting as drawing
from spotlab.gui.annotate.tools.picking import under
from spotlab.gui.annotate.tools.reshaping import MoveHandle, PullEdge
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.tool import Gesture, Surface, Tool
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Page, Primitive, Region

_MOST_HANDLES = 400  # drawn at once; the one under the pointer is always drawn
_PULL = 4 / 7  # of what is near: how near an edge is taken hold of
_FRAMED = (Primitive.BOX, Primitive.ELLIPSE)
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
        """Take hold of a point or an edge; Ctrl deletes a point, or adds one; else begin."""
        found = self.hit(pointer)
        if pointer.control and found.part in (Part.HANDLE, Part.EDGE):
            self._change_points(found, pointer)
            return None
        # with Shift or Alt it is the ink or the shape there that is meant, not the point
        modified = pointer.shift or pointer.alt
        if found.part is Part.HANDLE and found.region is not None and not modified:
            return MoveHandle(self.surface, pointer, found.region, found.index)
        begun = self.begin(pointer, found)
        if self._pulls(found, pointer) and found.region is not None and not modified:
            return PullEdge(self.surface, pointer, found.region, found.index, begun)
        return begun

    def begin(self, pointer: Pointer, found: Hit) -> Gesture | None:
        """The gesture that a press begins which is on no point."""
        return None

    def hover(self, pointer: Pointer) -> Qt.CursorShape:
        """Show what a press would take hold of."""
        before, self._shown = self._shown, self.hit(pointer)
        found = self._shown
        other = (before.part, before.index) != (found.part, found.index)
        if found.part is Part.EDGE or (other and len(self.workbench.selection)):
            self.surface.refresh()  # only selected regions have points and edges to take hold of
        if found.part is Part.HANDLE:
            return Qt.CursorShape.PointingHandCursor
        return Qt.CursorShape.DragCopyCursor if self._pulls(found, pointer) else self.cursor

    def double_click(self, pointer: Pointer) -> bool:
        """On an edge of a selected region: one more point."""
        found = self.hit(pointer)
        if found.part is not Part.EDGE:
            return False
        self._add_point(found, pointer)
        return True

    def wants(self, event: QKeyEvent) -> bool:
        """Delete is meant for the point under the pointer; on a small region, for all of it."""
        if event.key() != Qt.Key.Key_Delete:
            return False
        found, region = self.under, self.under.region
        if found.part is not Part.HANDLE or region is None:
            return False
        return not _small(region, self.surface.view)

    def key(self, event: QKeyEvent) -> bool:
        """Delete the point under the pointer."""
        if not self.wants(event):
            return False
        self._delete_point(self.under)
        return True

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The control points of the selected regions."""
        found = self.under
        width, height = view.size
        drawn = 0
        for region in self._handled(view):
            here = found.region is not None and found.region.id == region.id
            if not here and (drawn >= _MOST_HANDLES or _small(region, view)):
                continue
            shown = handles(region)
            places = view.points_to_view([(handle.x, handle.y) for handle in shown]).tolist()
            for handle, (x, y) in zip(shown, places, strict=True):
                hot = here and found.part is Part.HANDLE and found.index == handle.index
                inside = -9 <= x <= width + 9 and -9 <= y <= height + 9
                if (inside and drawn < _MOST_HANDLES) or hot:
                    drawing.handle(painter, x, y, hot=hot)
                    drawn += 1

        self._paint_new_point(painter, view, found)

    def _handled(self, view: ViewTransform) -> Iterable[Region]:
        """The selected regions that may show handles, the one selected last first."""
        if len(self.workbench.selection) < MANY:
            return reversed(self.workbench.selected)
        selected = self.surface.index.part(self.workbench.selection.ids)
        extent = _SMALL / view.scale
        return reversed(selected.last_visible(view.visible(), extent, _MOST_HANDLES))

    def _paint_new_point(self, painter: QPainter, view: ViewTransform, found: Hit) -> None:
        """Where a press would take hold of the edge."""
        pointer, region = self.surface.pointer, found.region
        if pointer is not None and region is not None and self._pulls(found, pointer):
            _, _, foot = nearest_edge(region, *pointer.place)
            drawing.handle(painter, *view.to_view(*foot), ring=True)

    def _pulls(self, found: Hit, pointer: Pointer) -> bool:
        """Whether a press and drag there pulls a point out of an edge.

        Boxes and ellipses have handles on their sides for that.
        """
        region = found.region
        if found.part is not Part.EDGE or region is None or behaves_as(region) in _FRAMED:
            return False
        return nearest_edge(region, *pointer.place)[1] <= pointer.near * _PULL

    def hit(self, pointer: Pointer) -> Hit:
        """What the pointer is on."""
        return under(self.surface, pointer)

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

        def with_point(page: Page) -> Region:
            place = _new_point(region, found.index, pointer)
            return add_point(region, found.index, place, page)

        if not self._change(with_point, "Add point"):
            self.workbench.editing.refuse("Drag this edge to add a step to it")

    def _change(self, operation: Callable[[Page], Region], name: str) -> bool:
        """Replace a region by what the operation makes of it, or say why not."""
        document = self.workbench.document
        if document is None:
            return False
        try:
            region = operation(document.page)
        except SpotlabError as error:
            self.workbench.editing.refuse(str(error))
            return True
        if document.get(region.id) == region:
            return False
        return self.workbench.editing.replace_regions(name, [region])


def _new_point(region: Region, edge: int, pointer: Pointer) -> tuple[float, float]:
    """Where a point comes that is asked for on an edge."""
    kind = behaves_as(region)
    if kind is Primitive.ISOTHETIC:  # a step needs some way across the edge
        return pointer.place
    if kind is Primitive.POLYGON:
        return nearest_edge(region, *pointer.place)[2]
    return place_on_edge(region, edge, *pointer.place)


def _small(region: Region, view: ViewTransform) -> bool:
    left, top, right, bottom = region.bounds
    return max(right - left, bottom - top) * view.scale < _SMALL
