"""Cells: paint squares of a quad tree; the region is the outline of those that were painted."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPolygonF

from spotlab.editing.operations import reshaped
from spotlab.errors import SpotlabError
from spotlab.geometry.rings import Cell, cell_at, cells_from_ring, ring_from_cells
from spotlab.gui.annotate.tools.drawing import DrawingTool, ShapeDrawing
from spotlab.gui.canvas.pointer import Pointer
from spotlab.gui.canvas.region_style import faint
from spotlab.gui.canvas.tool import Gesture, Surface
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Primitive, Region

_SMALLEST = 4  # px, the side of a cell
_ON_SCREEN = 14.0  # px that a cell should have there


class CellsTool(DrawingTool):
    """Paints cells."""

    def press(self, pointer: Pointer) -> Gesture | None:
        """Begin to paint."""
        return Paint(self.surface, pointer)


class Paint(ShapeDrawing):
    """Marks the cells that the pointer passes; Shift adds them to the selected, Alt takes away."""

    def __init__(self, surface: Surface, pointer: Pointer) -> None:
        super().__init__(surface, pointer, changes=True)
        self.side = side_at(surface.view.scale)
        self.cells: dict[Cell, None] = {}
        self._last = pointer

    def drag(self, pointer: Pointer) -> None:
        """Mark the cells on the way."""
        length = math.hypot(pointer.x - self._last.x, pointer.y - self._last.y)
        steps = max(1, math.ceil(2 * length / self.side))
        for step in range(steps + 1):
            share = step / steps
            x = self._last.x + share * (pointer.x - self._last.x)
            y = self._last.y + share * (pointer.y - self._last.y)
            self.cells[cell_at(x, y, self.side)] = None
        self._last = pointer

    def drop(self, pointer: Pointer) -> None:
        """Make a region of them, or change the selected one."""
        workbench = self.surface.workbench
        document = workbench.document
        if document is None:
            return
        size = (document.page.width, document.page.height)
        if not self.changes:
            workbench.editing.draw(ring_from_cells(self.cells, size), Primitive.CELLS)
            return
        region = self.to_change()
        if region is None:
            return
        ring = ring_from_cells(self._changed(region, size), size)
        try:
            after = reshaped(region, ring, document.page, Primitive.CELLS)
        except SpotlabError as error:
            workbench.editing.refuse(str(error))
            return
        workbench.editing.replace_regions(
            "Take cells away" if self.removes else "Add cells", [after]
        )

    def _changed(self, region: Region, size: tuple[int, int]) -> list[Cell]:
        """The region's cells with these, or without them."""
        held = cells_from_ring(region.array, self.side, size)
        if not self.removes:
            return [*held, *self.cells]
        small = {
            Cell(column, row, self.side)
            for cell in held
            for times in [cell.side // self.side]
            for column in range(cell.column * times, (cell.column + 1) * times)
            for row in range(cell.row * times, (cell.row + 1) * times)
        }
        return list(small - set(self.cells))

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The marked cells."""
        colour = self.surface.colour(None)
        painter.setPen(faint(colour, 160))
        painter.setBrush(faint(colour, 90))
        for column, row, side in self.cells:
            corners = [(column, row), (column + 1, row), (column + 1, row + 1), (column, row + 1)]
            shown = view.points_to_view([(x * side, y * side) for x, y in corners])
            painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in shown.tolist()]))


def side_at(scale: float) -> int:
    """The side of cells, a power of two px, that is well seen at this zoom.

    Examples
    --------
    >>> side_at(1.0), side_at(0.1), side_at(64.0)
    (16, 128, 4)
    """
    wanted = max(_SMALLEST, _ON_SCREEN / scale)
    return int(2 ** round(math.log2(wanted)))
