"""Paints a row of the label list: colour, name, digit, counts."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from spotlab.gui.annotate.panels.label_model import LABEL_ROLE, LabelModel
from spotlab.gui.kit import theme
from spotlab.gui.kit.row_delegate import RowDelegate
from spotlab.gui.kit.row_model import Index

SWATCH = 12
DIGIT = 18


class LabelDelegate(RowDelegate):
    """The label that the next region gets is marked."""

    ROW = 28

    def __init__(self, model: LabelModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model

    def paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        label = index.data(LABEL_ROLE)
        rect: QRect = option.rect
        palette: QPalette = option.palette
        current = label.name == self._model.workbench.label
        self._paint_background(painter, option, current)
        middle = rect.center().y()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(label.colour))
        swatch = QRectF(rect.left() + 12, middle - SWATCH / 2 + 0.5, SWATCH, SWATCH)
        painter.drawRoundedRect(swatch, 3, 3)
        here, all = self._model.counts(label.name)
        counts = f"{here:,} / {all:,}" if all else ""
        right = rect.adjusted(0, 0, -12, 0)
        painter.setPen(theme.quiet(palette))
        middle_right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(right, middle_right, counts)
        taken = painter.fontMetrics().horizontalAdvance(counts) + 12
        digit = QRectF(rect.right() - 12 - max(taken, 58) - DIGIT, middle - 8.5, DIGIT, DIGIT)
        if label.digit:
            painter.setPen(palette.color(QPalette.ColorRole.Mid))
            painter.setBrush(palette.color(QPalette.ColorRole.Window))
            painter.drawRoundedRect(digit, 4, 4)
            painter.setPen(palette.color(QPalette.ColorRole.Text))
            painter.drawText(digit, Qt.AlignmentFlag.AlignCenter, label.digit)
        name = QRect(rect.left() + 34, rect.top(), int(digit.left()) - rect.left() - 40, self.ROW)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        font = painter.font()
        font.setBold(current)
        painter.setFont(font)
        text = painter.fontMetrics().elidedText(
            label.name, Qt.TextElideMode.ElideRight, name.width()
        )
        painter.drawText(name, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _paint_background(
        self, painter: QPainter, option: QStyleOptionViewItem, current: bool
    ) -> None:
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if current:
            colour, alpha = option.palette.color(QPalette.ColorRole.Highlight), 46
        elif hovered or chosen:
            colour, alpha = option.palette.color(QPalette.ColorRole.Midlight), 150
        else:
            return
        colour.setAlpha(alpha)
        painter.fillRect(option.rect, colour)
