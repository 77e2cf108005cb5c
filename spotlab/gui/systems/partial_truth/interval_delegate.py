"""Paints a figure over the bar of its interval, with a mark where the truth is."""

from __future__ import annotations

import math

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from spotlab.gui.kit import theme
from spotlab.gui.kit.table_delegate import tabular
from spotlab.report.figure_text import written

Index = QModelIndex | QPersistentModelIndex
INTERVAL = Qt.ItemDataRole.UserRole + 1  # value, low, high, and the truth or NaN
LINE = 34  # px
SIDE = 7
FAINT = 0.45  # of what is not up to date


class IntervalDelegate(QStyledItemDelegate):
    """The bar goes from 0 to 1."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One figure."""
        palette: QPalette = option.palette
        painter.save()
        if not option.state & QStyle.StateFlag.State_Enabled:
            painter.setOpacity(FAINT)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(theme.colours(palette).raised))
        value, low, high, truth = index.data(INTERVAL)
        place = option.rect.adjusted(SIDE, 3, -SIDE, -4)
        quiet = theme.quiet(palette)
        painter.setFont(tabular(option.font))
        painter.setPen(quiet if math.isnan(value) else palette.color(QPalette.ColorRole.Text))
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        painter.drawText(place, side, written(value))
        left, width, y = float(place.left()), float(place.width()), place.bottom() - 3.0
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRectF(left, y - 1, width, 2), QColor(theme.colours(palette).line))
        accent = QColor(theme.colours(palette).accent)
        if not math.isnan(low) and not math.isnan(high):
            painter.fillRect(QRectF(left + low * width, y - 2, (high - low) * width, 4), accent)
        if not math.isnan(value):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent)
            painter.drawEllipse(QPointF(left + value * width, y), 4, 4)
        if not math.isnan(truth):
            at = left + truth * width
            painter.fillRect(QRectF(at - 1, y - 6, 2, 10), palette.color(QPalette.ColorRole.Text))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for both."""
        return QSize(76, LINE)
