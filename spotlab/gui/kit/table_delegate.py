"""Paints a figure with its interval or difference; digits stand under digits."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from spotlab.gui.kit import theme
from spotlab.gui.kit.row_model import Index
from spotlab.gui.kit.table_model import MARKED_ROLE, NOTE_ROLE, STRONG_ROLE

LINE = 24  # px, of a row with a figure alone
TALL = 42  # px, with something under it
GAP = 10
SMALLER = 0.88  # what is under it


class FigureDelegate(QStyledItemDelegate):
    """Right-aligned, in figures of one width.

    Parameters
    ----------
    parent : QObject
    inline : bool
        Whether what belongs to a figure stands beside it instead of under it.
    """

    def __init__(self, parent: QObject, *, inline: bool = False) -> None:
        super().__init__(parent)
        self._inline = inline

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One figure."""
        figure, small = tabular(option.font), tabular(option.font, SMALLER)
        palette: QPalette = option.palette
        paint_background(
            painter,
            option.rect,
            palette,
            bool(index.data(MARKED_ROLE)),
            bool(option.state & QStyle.StateFlag.State_Selected),
        )
        place = option.rect.adjusted(4, 0, -GAP, 0)
        note, text = index.data(NOTE_ROLE), index.data()
        right = Qt.AlignmentFlag.AlignRight
        quiet = theme.quiet(palette)
        painter.setPen(palette.color(QPalette.ColorRole.Text) if text != "–" else quiet)
        painter.setFont(figure)
        if not note:
            painter.drawText(place, right | Qt.AlignmentFlag.AlignVCenter, text)
            return
        if self._inline:
            beside = QFontMetrics(small).horizontalAdvance(note) + GAP // 2
            painter.drawText(
                place.adjusted(0, 0, -beside, 0), right | Qt.AlignmentFlag.AlignVCenter, text
            )
            painter.setPen(quiet)
            painter.setFont(small)
            painter.drawText(place, right | Qt.AlignmentFlag.AlignVCenter, note)
            return
        middle = place.center().y()
        upper = QRect(place.left(), place.top(), place.width(), middle - place.top() + 1)
        lower = QRect(place.left(), middle + 1, place.width(), place.bottom() - middle)
        painter.drawText(upper, right | Qt.AlignmentFlag.AlignBottom, text)
        painter.setPen(palette.color(QPalette.ColorRole.Text) if index.data(STRONG_ROLE) else quiet)
        painter.setFont(small)
        painter.drawText(lower, right | Qt.AlignmentFlag.AlignTop, note)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for both lines."""
        text = QFontMetrics(tabular(option.font)).horizontalAdvance(index.data() or "")
        note = index.data(NOTE_ROLE)
        if note:
            small = QFontMetrics(tabular(option.font, SMALLER))
            under = small.horizontalAdvance(note)
            text = text + GAP // 2 + under if self._inline else max(text, under)
        return QSize(text + GAP + 8, TALL if note and not self._inline else LINE)


def tabular(font: QFont, scale: float = 1.0) -> QFont:
    """The font with figures of one width, so that digits stand under digits."""
    found = QFont(font)
    found.setFeature(QFont.Tag("tnum"), 1)
    if scale != 1.0:
        found.setPointSizeF(font.pointSizeF() * scale)
    return found


def paint_background(
    painter: QPainter, place: QRect, palette: QPalette, marked: bool, selected: bool
) -> None:
    """The accent for what the window looks at, grey for what is selected to be copied."""
    if not marked and not selected:
        return
    role = QPalette.ColorRole.Highlight if marked else QPalette.ColorRole.Midlight
    colour = QColor(palette.color(role))
    colour.setAlpha(46 if marked else 150)
    painter.fillRect(place, colour)
