"""Paints a row of the label list: colour, name, digit, counts."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from spotlab.gui.annotate.panels.label_model import LABEL_ROLE, LabelModel
from spotlab.gui.kit import icons, theme
from spotlab.gui.kit.row_delegate import RowDelegate
from spotlab.gui.kit.row_model import Index

SWATCH = 12
SIGN = 16  # px of an eye or a lock
SIGNS = 46  # px that both take at the right of a row
DIGIT = 18


def sign_places(row: QRect) -> tuple[QRect, QRect]:
    """Where the eye and the lock of a row are."""
    top = row.center().y() - SIGN // 2 + 1
    left = row.right() - SIGNS + 4
    return QRect(left, top, SIGN, SIGN), QRect(left + SIGN + 4, top, SIGN, SIGN)


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
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        self._paint_signs(painter, rect, label.name, hovered)
        rect = rect.adjusted(0, 0, -SIGNS, 0)
        right = rect.adjusted(0, 0, -6, 0)
        painter.setPen(theme.quiet(palette))
        middle_right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(right, middle_right, counts)
        taken = painter.fontMetrics().horizontalAdvance(counts) + 12
        digit = QRectF(rect.right() - 6 - max(taken, 46) - DIGIT, middle - 8.5, DIGIT, DIGIT)
        if label.digit:
            painter.setPen(palette.color(QPalette.ColorRole.Mid))
            painter.setBrush(palette.color(QPalette.ColorRole.Window))
            painter.drawRoundedRect(digit, 4, 4)
            painter.setPen(palette.color(QPalette.ColorRole.Text))
            painter.drawText(digit, Qt.AlignmentFlag.AlignCenter, label.digit)
        end = int(digit.left()) if label.digit else right.right() - taken + 6
        name = QRect(rect.left() + 34, rect.top(), end - rect.left() - 40, self.ROW)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        font = painter.font()
        font.setBold(current)
        font.setItalic(not self._model.is_in_set(label.name))
        painter.setFont(font)
        text = painter.fontMetrics().elidedText(
            label.name, Qt.TextElideMode.ElideRight, name.width()
        )
        painter.drawText(name, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _paint_signs(self, painter: QPainter, rect: QRect, name: str, hovered: bool) -> None:
        """An eye and a lock: always where they say something, else under the pointer."""
        visibility = self._model.visibility
        signs = (
            (visibility.is_label_hidden(name), "eye-off", "eye-outline"),
            (visibility.is_label_locked(name), "lock", "lock-open-variant-outline"),
        )
        for place, (on, marked, free) in zip(sign_places(rect), signs, strict=True):
            if on or hovered:
                icon = icons.icon(marked) if on else icons.icon(free, "#9aa3af")
                icon.paint(painter, place)

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
