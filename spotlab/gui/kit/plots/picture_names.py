"""The names of what a plot shows, over its picture, in as many lines as they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit.plots.line_sample import WEIGHT, WIDTH, draw_line_sample, line_pen
from spotlab.gui.kit.plots.pointed import PlotName
from spotlab.gui.kit.plots.shades import readable
from spotlab.gui.kit.theme import LIGHT

LINE = 24  # px, of a line of names
LEFT, GAP, BETWEEN = 8.0, 6.0, 20.0  # px: before the first, after a sign, after a name
DOT = 8.0  # px


@dataclass(frozen=True)
class PlacedName:
    """A name and where its sign begins; ``room`` is the width of its text in px."""

    named: PlotName
    left: float
    line: int
    room: float


def place_names(names: Sequence[PlotName], width: float, font: QFont) -> list[PlacedName]:
    """Where each name stands in a picture of this width in px; one name alone is left out."""
    if len(names) < 2:
        return []
    metrics, placed = QFontMetricsF(font), []
    left, line = LEFT, 0
    for named in names:
        sign = _sign_width(named) + GAP
        room = min(metrics.horizontalAdvance(named.name) + 2, width - LEFT - sign)
        if left > LEFT and left + sign + room > width:
            left, line = LEFT, line + 1
        placed.append(PlacedName(named, left, line, room))
        left += sign + room + BETWEEN
    return placed


def names_height(names: Sequence[PlotName], width: float) -> int:
    """Px of all lines of names."""
    placed = place_names(names, width, QApplication.font())
    return LINE * (placed[-1].line + 1) if placed else 0


def draw_names(names: Sequence[PlotName], width: float, painter: QPainter) -> None:
    """Draw a piece of each line, or a dot, and the name beside it."""
    for placed in place_names(names, width, QApplication.font()):
        named, middle = placed.named, LINE * (placed.line + 0.5)
        colour = readable(named.colour, LIGHT.base)
        if named.dash is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colour))
            painter.drawEllipse(QPointF(placed.left + DOT / 2, middle), DOT / 2, DOT / 2)
        else:
            draw_line_sample(painter, placed.left, middle, line_pen(colour, named.dash, WEIGHT))
        painter.setPen(QColor(LIGHT.text))
        painter.setFont(QApplication.font())
        text = QRectF(
            placed.left + _sign_width(named) + GAP, LINE * placed.line, placed.room + 1, LINE
        )
        shown = QFontMetricsF(painter.font()).elidedText(
            named.name, Qt.TextElideMode.ElideMiddle, placed.room
        )
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, shown)


def _sign_width(named: PlotName) -> float:
    return DOT if named.dash is None else WIDTH
