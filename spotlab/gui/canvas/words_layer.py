"""Paints what a search found on the open page: green and red frames, and the chosen word."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from spotlab.gui.canvas.inspect_layer import CHOSEN
from spotlab.gui.canvas.region_style import casing_pen, faint, line_pen
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.workbench import Workbench
from spotlab.imaging.area_overlay import COLOURS, Area

UNKNOWN = QColor("#6b7785")
PURGED = 90  # of 255
ROOM = 4.0  # screen px around the chosen word


class WordsLayer:
    """The words of the current query's lists; those that all lists purge are faint."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    @property
    def shown(self) -> bool:
        """Whether this is what the canvas is about."""
        return self._workbench.workspace == "words"

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint over the page."""
        words, entry = self._workbench.words, self._workbench.entry
        source = words.source
        if source is None or entry is None:
            return
        kept = words.kept()
        for item in words.on_page(entry.name).tolist():
            relevance = int(words.relevance[item])
            colour = UNKNOWN if relevance < 0 else QColor(_COLOURS[relevance])
            frame = in_view(view, source.items.boxes[item])
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if item == words.item:
                room = QRectF(frame).adjusted(-ROOM, -ROOM, ROOM, ROOM)
                painter.setPen(casing_pen(7.0))
                painter.drawRect(room)
                painter.setPen(line_pen(QColor(CHOSEN), width=4.0))
                painter.drawRect(room)
            elif kept[item]:
                painter.setPen(casing_pen())
                painter.drawRect(frame)
            painter.setPen(line_pen(colour if kept[item] else faint(colour, PURGED)))
            painter.drawRect(frame)


_COLOURS = {1: COLOURS[Area.FOUND], 0: COLOURS[Area.FALSE]}


def in_view(view: ViewTransform, box: Iterable[float]) -> QRectF:
    """A box of the page (left, top, right, bottom) on the screen."""
    left, top, right, bottom = box
    x0, y0 = view.to_view(left, top)
    x1, y1 = view.to_view(right, bottom)
    return QRectF(x0, y0, x1 - x0, y1 - y0)
