"""How regions look: data colours never follow the theme."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPen

UNLABELED = "#7A7A7A"
ACCENT = "#1B7FE3"  # what is selected or being drawn
HANDLE = 7.0  # px
NEAR = 6.0  # px of the widget that count as being on something


@cache
def region_pen(colour: str, width: float, uncertain: bool) -> QPen:
    """The outline of a region; dashed where the annotator is not sure."""
    pen = QPen(QColor(colour), width)
    pen.setCosmetic(True)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if uncertain:
        pen.setDashPattern([4, 3])
    return pen


@cache
def casing_pen(width: float) -> QPen:
    """A pale line under an outline, so that it shows on ink."""
    colour = QColor(255, 255, 255, 170)
    pen = QPen(colour, width)
    pen.setCosmetic(True)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


@cache
def region_brush(colour: str, opacity: float) -> QBrush:
    """The inside of a region."""
    fill = QColor(colour)
    fill.setAlphaF(opacity)
    return QBrush(fill)


@cache
def accent_pen(width: float, dashed: bool = False) -> QPen:
    """Lines of what is selected or being drawn."""
    pen = QPen(QColor(ACCENT), width)
    pen.setCosmetic(True)
    if dashed:
        pen.setDashPattern([4, 3])
    return pen
