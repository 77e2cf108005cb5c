"""Paints votes: a mark on a shade, so that who votes alike is seen from afar."""

from __future__ import annotations

import math

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import QHeaderView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from spotlab.gui.kit import theme
from spotlab.gui.kit.row_model import Index
from spotlab.gui.kit.table_delegate import tabular
from spotlab.gui.systems.votes.vote_model import UNKNOWN, VoteModel
from spotlab.report.figure_text import written

LINE = 22  # px, of a row
NARROW = 26  # px, of a system's column where there are many
MANY = 4  # systems whose names are written upright
HIGHEST = 120  # px, of an upright name
SHADE = 110  # of 255: a certain vote
_Role = QPalette.ColorRole


class VoteDelegate(QStyledItemDelegate):
    """Knows which item and system are chosen by asking the model's state."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One cell."""
        model = index.model()
        assert isinstance(model, VoteModel)
        column, systems = model.votes[index.column()], model.systems
        palette: QPalette = option.palette
        place: QRect = option.rect
        chosen = model.item(index.row()) == systems.item
        if chosen or (column.kind == "vote" and column.system == systems.system):
            painter.fillRect(place, _with_alpha(palette.color(_Role.Highlight), 40))
        if column.kind in ("text", "page"):
            painter.setFont(option.font)
            painter.setPen(palette.color(_Role.Text))
            inner = place.adjusted(8, 0, -4, 0)
            text = str(index.data())
            elided = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
            painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, elided)
            return
        value = model.value(index.row(), index.column())
        if column.kind == "probability":
            _paint_probability(painter, place, palette, option, value)
        else:
            _paint_vote(painter, place, palette, value, "–" if column.kind == "truth" else UNKNOWN)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Rows are all alike."""
        return QSize(QFontMetrics(option.font).horizontalAdvance(str(index.data())) + 16, LINE)


def _paint_vote(
    painter: QPainter, place: QRect, palette: QPalette, value: float, unknown: str
) -> None:
    middle = Qt.AlignmentFlag.AlignCenter
    if math.isnan(value):
        painter.setPen(theme.quiet(palette))
        painter.drawText(place, middle, unknown)
        return
    if value > 0:
        shade = _with_alpha(palette.color(_Role.Highlight), round(SHADE * value))
        painter.fillRect(place.adjusted(1, 1, -1, -1), shade)
    if value in (0.0, 1.0):
        painter.setPen(palette.color(_Role.Text) if value else theme.quiet(palette))
        painter.drawText(place, middle, "✓" if value else "·")
    elif place.width() > 2 * NARROW:
        painter.setPen(palette.color(_Role.Text))
        painter.drawText(place, middle, written(value))


def _paint_probability(
    painter: QPainter, place: QRect, palette: QPalette, option: QStyleOptionViewItem, value: float
) -> None:
    inner = place.adjusted(6, 0, -8, 0)
    if not math.isnan(value):
        bar = QRectF(inner.left(), inner.bottom() - 2, inner.width() * value, 2)
        painter.fillRect(bar, palette.color(_Role.Highlight))
    painter.setFont(tabular(option.font))
    painter.setPen(theme.quiet(palette) if math.isnan(value) else palette.color(_Role.Text))
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(inner, right, written(value))


def _with_alpha(colour: QColor, alpha: int) -> QColor:
    found = QColor(colour)
    found.setAlpha(alpha)
    return found


class VoteHead(QHeaderView):
    """Writes the names of systems upright where there are many."""

    def __init__(self, model: VoteModel, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._model = model
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(NARROW - 6)
        self.setAccessibleName("Systems")

    @property
    def upright(self) -> bool:
        """Whether names stand upright."""
        return len(self._model.systems.names) > MANY

    def sizeHint(self) -> QSize:
        """As high as the longest name needs."""
        hint = super().sizeHint()
        if not self.upright:
            return hint
        metrics = self.fontMetrics()
        longest = max(metrics.horizontalAdvance(name) for name in self._model.systems.names)
        return QSize(hint.width(), min(longest, HIGHEST) + 14)

    def paintSection(self, painter: QPainter, place: QRect, section: int) -> None:
        """A name, strong where its system is chosen."""
        column = self._model.votes[section]
        colours = theme.colours(self.palette())
        painter.save()
        painter.fillRect(place, QColor(colours.window))
        chosen = column.kind == "vote" and column.system == self._model.systems.system
        if chosen:
            painter.fillRect(place, _with_alpha(QColor(colours.accent), 60))
        painter.setPen(QColor(colours.line))
        painter.drawLine(place.bottomLeft(), place.bottomRight())
        font = painter.font()
        font.setBold(chosen)
        painter.setFont(font)
        painter.setPen(QColor(colours.text))
        side, metrics = Qt.TextElideMode.ElideRight, QFontMetrics(font)
        if column.kind == "vote" and self.upright:
            painter.translate(place.left(), place.bottom() - 6)
            painter.rotate(-90)
            inner = QRect(0, 0, place.height() - 10, place.width())
            text = metrics.elidedText(column.title, side, inner.width())
            painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, text)
        else:
            where = (
                Qt.AlignmentFlag.AlignLeft
                if column.kind in ("text", "page")
                else Qt.AlignmentFlag.AlignHCenter
            )
            inner = place.adjusted(6, 0, -4, -6)
            text = metrics.elidedText(column.title, side, inner.width())
            painter.drawText(inner, where | Qt.AlignmentFlag.AlignBottom, text)
        painter.restore()
