"""Paints a row with an icon, a text, and something quiet at its right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QStyleOptionViewItem

from spotlab.gui.kit.row_delegate import RowDelegate, RowPainter
from spotlab.gui.kit.row_model import Index

HINT = Qt.ItemDataRole.UserRole + 1
QUIET = Qt.ItemDataRole.UserRole + 2  # whether the row is dimmed: it cannot be used now

FAINT = 0.5  # of the icon of a dimmed row


class CommandDelegate(RowDelegate):
    """Rows of one height; the selected one stands on a rounded ground."""

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        icon = index.data(Qt.ItemDataRole.DecorationRole)
        has_icon = isinstance(icon, QIcon | QPixmap)
        row = RowPainter(painter, option, left=8 if has_icon else 12)
        if row.selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(row.palette.color(QPalette.ColorRole.Midlight))
            painter.drawRoundedRect(row.rect.adjusted(0, 1, 0, -1), 5, 5)
        quiet = bool(index.data(QUIET))
        if has_icon:
            painter.setOpacity(FAINT if quiet else 1)
            row.icon(icon, 17, gap=9)
            painter.setOpacity(1)
        row.right(index.data(HINT) or "", quiet=True, gap=16, widest=row.rect.width() // 2)
        row.text(index.data(), quiet=quiet)
