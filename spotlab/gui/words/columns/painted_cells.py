"""Cells as they were painted, kept so that a frame paints only those that look different now."""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtGui import QFont, QPalette, QPixmap

from spotlab.gui.words.columns.cell_painter import Cell, CellPainter
from spotlab.gui.words.columns.geometry import GAP, Geometry

BYTES = 64_000_000  # of cells kept: some windows full


class PaintedCells:
    """Keeps the cells used last, all of one size and theme."""

    def __init__(self, limit: int = BYTES) -> None:
        self._limit = limit
        self._kept: OrderedDict[Cell, QPixmap] = OrderedDict()
        self._look: object = None

    def fit(self, palette: QPalette, font: QFont, geometry: Geometry, ratio: float) -> None:
        """Paint cells like this, with this many dots a px."""
        self._size = geometry.cell_width, geometry.row_height - GAP
        self._ratio = ratio
        look = palette.cacheKey(), font.key(), self._size, ratio
        if look != self._look:
            self._look = look
            self._painter = CellPainter(palette, font)
            self._kept.clear()

    def get(self, cell: Cell) -> QPixmap:
        """The cell in dots of the screen, with `cell_painter.EDGE` around it."""
        painted = self._kept.get(cell)
        if painted is not None:
            self._kept.move_to_end(cell)
            return painted
        painted = self._painter.paint(cell, *self._size, self._ratio)
        self._kept[cell] = painted
        if len(self._kept) * 4 * painted.width() * painted.height() > self._limit:
            self._kept.popitem(last=False)
        return painted
