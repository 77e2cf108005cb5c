"""Paints what a search found on the open page: green and red frames, and the chosen word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from spotlab.gui.canvas.region_style import casing_pen, faint, line_pen
from spotlab.gui.canvas.view import ViewTransform
from spotlab.gui.inspect.layer import CHOSEN
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.state.words import Words
from spotlab.imaging.area_overlay import COLOURS, Area

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
        words, entry = self._workbench.state(Words), self._workbench.entry
        source = words.source
        if source is None or entry is None:
            return
        here = words.on_page(entry.name)
        places = frames(view, source.items.boxes[here])
        seen = in_sight(view, places)
        here, places = here[seen], places[seen]
        kept, relevance = words.kept()[here], words.relevance[here]
        chosen = here == words.item
        painter.setBrush(Qt.BrushStyle.NoBrush)
        _draw(painter, casing_pen(view.ratio), places[kept & ~chosen])
        for what, colour in _COLOURS.items():
            alike = relevance == what
            _draw(painter, line_pen(faint(colour, PURGED), view.ratio), places[alike & ~kept])
            _draw(painter, line_pen(colour, view.ratio), places[alike & kept])
        around = places[chosen] + (-ROOM, -ROOM, 2 * ROOM, 2 * ROOM)
        _draw(painter, casing_pen(view.ratio, 7.0), around)
        _draw(painter, line_pen(QColor(CHOSEN), view.ratio, width=4.0), around)


_COLOURS = {
    -1: QColor("#6b7785"),
    0: QColor(COLOURS[Area.FALSE]),
    1: QColor(COLOURS[Area.FOUND]),
}


def frames(view: ViewTransform, boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 4) boxes of the page (left, top, right, bottom) on the screen: x, y, width, height."""
    first, last = view.points_to_view(boxes[:, :2]), view.points_to_view(boxes[:, 2:])
    return np.hstack([np.minimum(first, last), np.abs(last - first)])


def in_view(view: ViewTransform, box: Sequence[float]) -> QRectF:
    """A box of the page (left, top, right, bottom) on the screen."""
    return QRectF(*frames(view, np.array([box], np.float64))[0].tolist())


def in_sight(view: ViewTransform, places: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(N,) which of these may be seen on the screen, with a little room around them."""
    beyond = np.array(view.size) + ROOM
    inside = (places[:, :2] + places[:, 2:] >= -ROOM) & (places[:, :2] <= beyond)
    return inside[:, 0] & inside[:, 1]


def _draw(painter: QPainter, pen: QPen, places: NDArray[np.float64]) -> None:
    if len(places):
        painter.setPen(pen)
        painter.drawRects([QRectF(*place) for place in places.tolist()])
