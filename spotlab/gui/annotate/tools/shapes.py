"""Tools that draw a shape by clicks or a drag: boxes, ellipses and polygons."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter

from spotlab.arrays import Points
from spotlab.editing.document import MANY
from spotlab.editing.operations import (
    add_point,
    behaves_as,
    delete_point,
    handles_apart,
    nearest_edge,
    place_on_edge,
)
from spotlab.editing.region_index import Hit, Part
from spotlab.errors import SpotlabError
from spotlab.geometry.polygon import as_points, convex_hull
from spotlab.geometry.primitives import box_on_side, isothetic_polygon, open_line, there_and_back
from spotlab.gui.annotate.tools import drawing
from spotlab.gui.annotate.tools.drawing import DrawingTool, under
from spotlab.gui.annotate.tools.reshaping import MoveHandle, PullEdge, PushEdge, StretchTool
from spotlab.gui.canvas.tool import NEAR, Gesture, Pointer, Surface
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Page, Primitive, Region

_MOST_HANDLES = 400  # drawn at once
_PULL = 4 / 7  # of what is near: how near an edge is taken hold of
_FRAMED = (Primitive.BOX, Primitive.ELLIPSE)
_NOTHING = Hit(Part.NOTHING)


class ControlPoints:
    """Shows the points of the selected regions; a click on one selects it for Delete."""

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self._shown = _NOTHING  # what was under the pointer when it was last told
        self._selected: tuple[Region, int] | None = None

    @property
    def selected(self) -> tuple[Region, int] | None:
        """The region and the index of the selected point; None once either is another."""
        if self._selected is None:
            return None
        region, index = self._selected
        document, ids = self.surface.workbench.document, self.surface.workbench.selection.ids
        now = document.get(region.id) if document is not None and ids == (region.id,) else None
        if now is None or now.points != region.points:
            self._selected = None
            return None
        return now, index

    def select(self, region: Region, index: int) -> None:
        """Select a point, and its region alone."""
        self.surface.workbench.selection.set([region.id])
        self._selected = region, index
        self.surface.refresh()

    def unselect(self) -> None:
        """Select no point."""
        self._selected = None
        self.surface.refresh()

    def press(
        self, pointer: Pointer, found: Hit, begin: Callable[[], Gesture | None]
    ) -> Gesture | None:
        """Take hold of a point or an edge, or else begin what the press means there.

        Shift and Alt mean the region there, not its point.
        """
        region, modified = found.region, pointer.shift or pointer.alt
        if found.part is Part.HANDLE and region is not None and not modified:
            index = found.index
            return MoveHandle(
                self.surface, pointer, region, index, lambda: self.select(region, index)
            )
        self.unselect()
        begun = begin()
        if self.pulls(found, pointer) and region is not None and not modified:
            if pointer.control:
                return PushEdge(self.surface, pointer, region, found.index)
            return PullEdge(self.surface, pointer, region, found.index, begun)
        return begun

    def hover(self, found: Hit) -> None:
        """Show what a press would take hold of."""
        before, self._shown = self._shown, found
        other = (before.part, before.index) != (found.part, found.index)
        if found.part is Part.EDGE or (other and len(self.surface.workbench.selection)):
            self.surface.refresh()  # only selected regions have points and edges to take hold of

    def add(self, pointer: Pointer) -> bool:
        """Add a point to the edge under the pointer; False if none is there."""
        found = under(self.surface, pointer)
        region = found.region
        if found.part is not Part.EDGE or region is None:
            return False

        def with_point(page: Page) -> Region:
            place = _new_point(region, found.index, pointer)
            return add_point(region, found.index, place, page)

        if not self._change(with_point, "Add point"):
            self.surface.workbench.editing.refuse("Drag this edge to add a step to it")
        return True

    def delete(self) -> bool:
        """Delete the selected point; False if none is selected."""
        if self.selected is None:
            return False
        region, index = self.selected
        self._change(lambda page: delete_point(region, index, page), "Delete point")
        return True

    def pulls(self, found: Hit, pointer: Pointer) -> bool:
        """Tell whether a press and drag there pulls a point out of an edge.

        Boxes and ellipses have handles on their sides for that.
        """
        region = found.region
        if found.part is not Part.EDGE or region is None or behaves_as(region) in _FRAMED:
            return False
        return nearest_edge(region, *pointer.place)[1] <= pointer.near * _PULL

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint the points of the selected regions."""
        pointer = self.surface.pointer
        found = _NOTHING if pointer is None else under(self.surface, pointer)
        selected = self.selected
        width, height = view.size
        drawn = 0
        for region in self._handled(view):
            here = found.region is not None and found.region.id == region.id
            shown = handles_apart(region, NEAR / view.scale)
            places = view.points_to_view([(handle.x, handle.y) for handle in shown]).tolist()
            for handle, (x, y) in zip(shown, places, strict=True):
                hot = here and found.part is Part.HANDLE and found.index == handle.index
                chosen = selected is not None and selected == (region, handle.index)
                inside = -9 <= x <= width + 9 and -9 <= y <= height + 9
                if (inside and drawn < _MOST_HANDLES) or hot or chosen:
                    drawing.handle(painter, x, y, hot=hot, selected=chosen)
                    drawn += 1
        if pointer is not None and found.region is not None and self.pulls(found, pointer):
            _, _, foot = nearest_edge(found.region, *pointer.place)
            drawing.handle(painter, *view.to_view(*foot), ring=True)

    def _handled(self, view: ViewTransform) -> Iterable[Region]:
        """The selected regions that may show handles, the one selected last first."""
        workbench = self.surface.workbench
        if len(workbench.selection) < MANY:
            return reversed(workbench.selected)
        selected = self.surface.index.part(workbench.selection.ids)
        extent = NEAR / view.scale
        return reversed(selected.last_visible(view.visible(), extent, _MOST_HANDLES))

    def _change(self, operation: Callable[[Page], Region], name: str) -> bool:
        """Replace a region by what the operation makes of it, or say why not."""
        workbench = self.surface.workbench
        document = workbench.document
        if document is None:
            return False
        try:
            region = operation(document.page)
        except SpotlabError as error:
            workbench.editing.refuse(str(error))
            return True
        if document.get(region.id) == region:
            return False
        return workbench.editing.replace_regions(name, [region])


def _new_point(region: Region, edge: int, pointer: Pointer) -> tuple[float, float]:
    """Tell where a point comes that is asked for on an edge."""
    kind = behaves_as(region)
    if kind is Primitive.ISOTHETIC:  # a step needs some way across the edge
        return pointer.place
    if kind is Primitive.POLYGON:
        return nearest_edge(region, *pointer.place)[2]
    return place_on_edge(region, edge, *pointer.place)


Shape = Callable[[Points, float], Points]  # from clicks, and what counts as near in px


def as_clicked(clicks: Points, _: float) -> Points:
    """The clicks themselves."""
    return clicks


def as_hull(clicks: Points, _: float) -> Points:
    """The convex hull; the clicks while they have none."""
    hull = convex_hull(clicks)
    return hull if len(hull) else clicks


def as_line(clicks: Points, _: float) -> Points:
    """There and back along the clicks."""
    return there_and_back(clicks)


def as_isothetic(clicks: Points, near: float) -> Points:
    """Edges along x and y through the clicks."""
    return isothetic_polygon(clicks, near)


class ClickTool(DrawingTool):
    """Begins an outline with the first click."""

    primitive = Primitive.POLYGON
    shape: Shape = staticmethod(as_clicked)

    def press(self, pointer: Pointer) -> Gesture | None:
        """The first corner."""
        before = self.workbench.selection.ids
        self.workbench.editing.begin_drawing()
        return Clicks(self.surface, pointer, self.primitive, self.shape, before)


class Clicks(Gesture):
    """An outline or a line under way; it goes on between clicks until it is closed or given up."""

    def __init__(
        self,
        surface: Surface,
        pointer: Pointer,
        primitive: Primitive,
        shape: Shape,
        selected: tuple[str, ...],
    ) -> None:
        super().__init__(surface)
        self._selected = selected  # before
        pointer = drawing.snapped(surface, pointer)
        self.corners = [pointer.place]
        self._primitive = primitive
        self._shape = shape
        self._pointer = pointer

    def press(self, pointer: Pointer) -> None:
        """One more corner; on the first one again: done."""
        self._pointer = pointer = drawing.snapped(self.surface, pointer)
        if self._closes and not pointer.far_from(*self.corners[0]):
            self.close()
        elif pointer.far_from(*self.corners[-1]):
            self.corners.append(pointer.place)

    @property
    def _closes(self) -> bool:
        """Tell whether a click on the first corner ends it."""
        return len(self.corners) > 2 and self._primitive.has_area

    def move(self, pointer: Pointer) -> None:
        """The next corner would be here."""
        self._pointer = drawing.snapped(self.surface, pointer)

    def release(self, pointer: Pointer) -> None:
        """It goes on."""

    def double_click(self, pointer: Pointer) -> bool:
        """Done, with a last corner here; no outline was meant where it would be the first."""
        pointer = drawing.snapped(self.surface, pointer)
        if pointer.far_from(*self.corners[-1]):
            self.corners.append(pointer.place)
        if len(self.corners) < 2:
            self.over = True
            return False
        self.close()
        return True

    def key(self, event: QKeyEvent) -> bool:
        """Enter closes; Backspace takes the last corner back."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.close()
            return True
        if event.key() == Qt.Key.Key_Backspace:
            self.corners.pop()
            self.over = not self.corners
            return True
        return False

    def cancel(self) -> None:
        """Forget the outline; what was selected before is selected again."""
        super().cancel()
        self.surface.workbench.editing.select_again(self._selected)

    def close(self) -> None:
        """Make a region of it."""
        self.over = True
        corners = self._shape(as_points(self.corners), self._pointer.near)
        is_point = self._primitive is Primitive.LINE and len(self.corners) == 1
        kind = Primitive.POINT if is_point else self._primitive
        self.surface.workbench.editing.draw(corners, kind)

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The outline with the pointer as its last corner."""
        clicks = as_points([*self.corners, self._pointer.place])
        colour = self.surface.colour(None)
        shape = self._shape(clicks, self._pointer.near)
        if len(shape) > 1:
            closed = len(shape) > 2 and self._primitive.has_area
            shape = shape if self._primitive.has_area else open_line(shape)
            drawing.outline(painter, shape, view, colour, closed=closed, fill=36 if closed else 0)
        for number, (x, y) in enumerate(view.points_to_view(np.array(self.corners)).tolist()):
            first = number == 0 and self._closes
            hot = first and not self._pointer.far_from(*self.corners[0])
            drawing.handle(painter, x, y, ring=first, hot=hot)


class TurnedBoxTool(DrawingTool):
    """Clicks both ends of a side, then a place on the opposite side."""

    def press(self, pointer: Pointer) -> Gesture | None:
        """The first end."""
        before = self.workbench.selection.ids
        self.workbench.editing.begin_drawing()
        document = self.workbench.document
        size = (0, 0) if document is None else (document.page.width, document.page.height)
        return Sides(self.surface, pointer, lambda clicks, _: box_on_side(clicks, size), before)


class Sides(Clicks):
    """A box on a side, whose second end may also be dragged to."""

    def __init__(
        self, surface: Surface, pointer: Pointer, shape: Shape, selected: tuple[str, ...]
    ) -> None:
        super().__init__(surface, pointer, Primitive.BOX, shape, selected)

    def press(self, pointer: Pointer) -> None:
        """The other end, or the opposite side: done."""
        super().press(pointer)
        if len(self.corners) > 2:
            self.close()

    def release(self, pointer: Pointer) -> None:
        """The other end, if the first side was dragged."""
        if len(self.corners) == 1 and pointer.far_from(*self.corners[0]):
            self.corners.append(pointer.place)

    def double_click(self, pointer: Pointer) -> bool:
        """Its first click was an end; no box was meant where it was the first one."""
        self.over = len(self.corners) < 2
        return not self.over


class BoxTool(StretchTool):
    """Drags it out."""

    primitive = Primitive.BOX


class EllipseTool(StretchTool):
    """Drags it out."""

    primitive = Primitive.ELLIPSE


class IsotheticTool(ClickTool):
    """Clicks its corners."""

    primitive = Primitive.ISOTHETIC
    shape = staticmethod(as_isothetic)


class ConvexTool(ClickTool):
    """Clicks its corners."""

    primitive = Primitive.HULL
    shape = staticmethod(as_hull)


class FreeTool(ClickTool):
    """Clicks its corners."""

    primitive = Primitive.POLYGON
    shape = staticmethod(as_clicked)


class LineTool(ClickTool):
    """Clicks its corners; it stays open, and a single one is a point."""

    primitive = Primitive.LINE
    shape = staticmethod(as_line)
