"""Rows of lists that paint themselves: all of one height, so that thousands need no measuring."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from spotlab.gui.kit.row_model import Index


class RowDelegate(QStyledItemDelegate):
    """Paints rows; what is in them says ``paint_row``."""

    ROW = 30  # px

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """All alike."""
        return QSize(120, self.ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row, with smooth edges."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_row(painter, option, index)
        painter.restore()

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """What is in the row; the painter may be left in any state."""
        super().paint(painter, option, index)
