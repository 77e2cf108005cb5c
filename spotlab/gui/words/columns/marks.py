"""Paints what stands beside cells: where a list is purged, and where the chosen word is."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen

from spotlab.gui.kit import theme
from spotlab.gui.words.columns.geometry import GAP, Geometry
from spotlab.gui.words.columns.placing import Placing
from spotlab.report.figure_text import written

PILL = (64.0, 18.0)  # px


def paint_purge_line(
    painter: QPainter, palette: QPalette, geometry: Geometry, column: int, kept: int, score: float
) -> None:
    """A thin line above the first purged word of a column; none where nothing is purged."""
    if kept >= geometry.lengths[column]:
        return
    place = geometry.cell(column, kept)
    y = round(place.top() - GAP / 2 - 1) + 0.5
    if not -GAP < y < geometry.height + GAP:
        return
    colours = theme.colours(palette)
    painter.setPen(QPen(QColor(colours.text), 1.0, Qt.PenStyle.DashLine))
    painter.drawLine(QPointF(place.left(), y), QPointF(place.right(), y))
    font = painter.font()
    small = painter.font()
    small.setPixelSize(10)
    painter.setFont(small)
    said = f"purged below {written(score)}"
    width = painter.fontMetrics().horizontalAdvance(said) + 8
    label = QRectF(place.center().x() - width / 2, y - 6.5, width, 13)
    painter.fillRect(label, QColor(colours.window))
    painter.drawText(label, Qt.AlignmentFlag.AlignCenter, said)
    painter.setFont(font)


def pill_of(geometry: Geometry, placing: Placing, column: int, item: int) -> QRectF | None:
    """Where it is said that an item is out of sight in a column; None if it is in sight, or not."""
    row = placing.row_of(column, item)
    if row is None:
        return None
    middle = geometry.frame(column, row).center().y()
    if 0 <= middle <= geometry.height:
        return None
    width, height = PILL
    left = geometry.left(column) + (geometry.cell_width - width) / 2
    top = 4.0 if middle < 0 else geometry.height - height - 4
    return QRectF(left, top, width, height)


def paint_pill(painter: QPainter, palette: QPalette, place: QRectF, row: int) -> None:
    """An arrow to where the chosen word is, and its rank there."""
    colours = theme.colours(palette)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.accent))
    painter.drawRoundedRect(place, place.height() / 2, place.height() / 2)
    painter.setPen(QColor(colours.on_accent))
    arrow = "↑" if place.top() < place.height() else "↓"
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"{arrow} {row + 1:,}")
    painter.setBrush(Qt.BrushStyle.NoBrush)
