"""Outlines drawn out from one corner to the opposite one."""

from __future__ import annotations

import math

from PySide6.QtGui import QPainter

from spotlab.arrays import Points
from spotlab.geometry.polygon import Frame
from spotlab.geometry.primitives import box, ellipse
from spotlab.gui.annotate.tools import painting as drawing
from spotlab.gui.annotate.tools.drawing import DrawingTool, ShapeDrawing
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.tool import Gesture, Surface
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Primitive


class StretchTool(DrawingTool):
    """Drags draw outlines; clicks select."""

    primitive = Primitive.BOX

    def press(self, pointer: Pointer) -> Gesture | None:
        """The first corner."""
        return Stretch(self.surface, pointer, self.primitive)


class Stretch(ShapeDrawing):
    """A box or an ellipse; Shift makes its sides equal, Alt begins in its middle."""

    def __init__(self, surface: Surface, pointer: Pointer, primitive: Primitive) -> None:
        super().__init__(surface, pointer)
        self._primitive = primitive
        self._end = pointer

    def drag(self, pointer: Pointer) -> None:
        """The opposite corner is here."""
        self._end = pointer

    def drop(self, pointer: Pointer) -> None:
        """Make a region of it."""
        self._end = pointer
        self.surface.workbench.editing.draw(self.points(), self._primitive)

    def points(self) -> Points:
        """The outline as it is now."""
        x, y = self.start.place
        dx, dy = self._end.x - x, self._end.y - y
        if self._end.shift:
            side = max(abs(dx), abs(dy))
            dx, dy = math.copysign(side, dx), math.copysign(side, dy)
        x0, y0 = (x - dx, y - dy) if self._end.alt else (x, y)
        x1, y1 = x + dx, y + dy
        if self._primitive is Primitive.BOX:
            return box(x0, y0, x1, y1)
        return ellipse(Frame((x0 + x1) / 2, (y0 + y1) / 2, abs(x1 - x0), abs(y1 - y0)))

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The outline."""
        if self.dragged:
            drawing.outline(painter, self.points(), view, self.surface.colour(None), fill=36)
