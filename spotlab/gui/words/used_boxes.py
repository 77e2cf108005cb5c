"""Paints the boxes of a query: as they were drawn, dashed, and the words that were searched."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from spotlab.gui.canvas.region_style import casing_pen, line_pen
from spotlab.gui.canvas.view import ViewTransform, frames
from spotlab.spotting.words.search import UsedExample

SEARCHED = "#2563eb"  # as a box is drawn


def paint_used(
    painter: QPainter, view: ViewTransform, used: tuple[UsedExample, ...], page: str
) -> None:
    """Paint the boxes on a page."""
    here = [example for example in used if example.page == page]
    if not here:
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    dashed, solid = line_pen(QColor(SEARCHED), view.ratio), line_pen(QColor(SEARCHED), view.ratio)
    dashed.setStyle(Qt.PenStyle.DashLine)
    places = frames(view, np.array([[*example.drawn] for example in here]))
    words = frames(view, np.array([[*example.box] for example in here]))
    for pen, boxes in ((dashed, places), (casing_pen(view.ratio, 4.0), words), (solid, words)):
        painter.setPen(pen)
        painter.drawRects([QRectF(*box) for box in boxes.tolist()])
