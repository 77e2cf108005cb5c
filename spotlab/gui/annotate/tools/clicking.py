"""Outlines made by clicks: each click is a corner, a double click or Enter closes the outline."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPainter

from spotlab.arrays import Points
from spotlab.geometry.polygon import as_points, convex_hull
from spotlab.geometry.primitives import isothetic_polygon
from spotlab.gui.annotate.tools import painting as drawing
from spotlab.gui.annotate.tools.drawing import DrawingTool
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.tool import Gesture, Surface
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Primitive

Shape = Callable[[Points, float], Points]  # from clicks, and what counts as near in px


def as_clicked(clicks: Points, _: float) -> Points:
    """The clicks themselves."""
    return clicks


def as_hull(clicks: Points, _: float) -> Points:
    """The convex hull; the clicks while they have none."""
    hull = convex_hull(clicks)
    return hull if len(hull) else clicks


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
    """An outline under way; it goes on between clicks until it is closed or given up."""

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
        self.corners = [pointer.place]
        self._primitive = primitive
        self._shape = shape
        self._pointer = pointer

    def press(self, pointer: Pointer) -> None:
        """One more corner; on the first one again: done."""
        self._pointer = pointer
        if len(self.corners) > 2 and not pointer.far_from(*self.corners[0]):
            self.close()
        elif pointer.far_from(*self.corners[-1]):
            self.corners.append(pointer.place)

    def move(self, pointer: Pointer) -> None:
        """The next corner would be here."""
        self._pointer = pointer

    def release(self, pointer: Pointer) -> None:
        """It goes on."""

    def double_click(self, pointer: Pointer) -> bool:
        """Done, with a last corner here; no outline was meant where it would be the first."""
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
        self.surface.workbench.editing.draw(corners, self._primitive)

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The outline with the pointer as its last corner."""
        clicks = as_points([*self.corners, self._pointer.place])
        colour = self.surface.colour(None)
        shape = self._shape(clicks, self._pointer.near)
        if len(shape) > 1:
            closed = len(shape) > 2
            drawing.outline(painter, shape, view, colour, closed=closed, fill=36 if closed else 0)
        for number, (x, y) in enumerate(view.points_to_view(np.array(self.corners)).tolist()):
            first = number == 0 and len(self.corners) > 2
            hot = first and not self._pointer.far_from(*self.corners[0])
            drawing.handle(painter, x, y, ring=first, hot=hot)
