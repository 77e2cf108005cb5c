"""Paints a row with an icon, a text, and something quiet at its right."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from spotlab.gui.kit import theme
from spotlab.gui.kit.row_delegate import RowDelegate
from spotlab.gui.kit.row_model import Index

HINT = Qt.ItemDataRole.UserRole + 1


class CommandDelegate(RowDelegate):
    """Rows of one height."""

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        rect: QRect = option.rect
        palette: QPalette = option.palette
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(palette.color(QPalette.ColorRole.Midlight))
            painter.drawRoundedRect(rect.adjusted(0, 1, 0, -1), 5, 5)
        icon = index.data(Qt.ItemDataRole.DecorationRole)
        left = 12
        if isinstance(icon, QIcon | QPixmap):
            place = QRect(rect.left() + 8, rect.center().y() - 8, 17, 17)
            QIcon(icon).paint(painter, place)
            left = 34
        painter.setPen(theme.quiet(palette))
        right = rect.adjusted(0, 0, -10, 0)
        hint = index.data(HINT) or ""
        middle = Qt.AlignmentFlag.AlignVCenter
        metrics = painter.fontMetrics()
        hint = metrics.elidedText(hint, Qt.TextElideMode.ElideLeft, rect.width() // 2)
        painter.drawText(right, middle | Qt.AlignmentFlag.AlignRight, hint)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        room = rect.width() - 60 - metrics.horizontalAdvance(hint)
        text = metrics.elidedText(index.data(), Qt.TextElideMode.ElideRight, room)
        painter.drawText(rect.adjusted(left, 0, 0, 0), middle | Qt.AlignmentFlag.AlignLeft, text)
