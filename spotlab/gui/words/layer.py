"""Paints what a search found on the open page: green and red frames, and the chosen word."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.layer import Layer
from spotlab.gui.canvas.region_style import CHOSEN, casing_pen, faint, line_pen
from spotlab.gui.canvas.view import ViewTransform, frames
from spotlab.gui.words.state.words import Words
from spotlab.gui.words.used_boxes import paint_used
from spotlab.imaging.overlay import COLOURS, AreaKind

PURGED = 90  # of 255
SEARCHED = "#2563eb"  # as it is drawn
ROOM = 4.0  # screen px around the chosen word


class WordsLayer(Layer):
    """The words that a list of the query keeps; right ones that all lists purge are faint."""

    hides_regions = True

    def __init__(self, canvas: Canvas) -> None:
        self._workbench = canvas.workbench
        self._words = words = self._workbench.state(Words)
        self._disconnect = [
            signal.connect(lambda: canvas.layer_changed() if self.shown else None)
            for signal in (
                words.ranking.changed,
                words.judgements.changed,
                words.threshold_changed,
                words.item_changed,
                words.searching.pending_changed,
            )
        ]

    def stop(self) -> None:
        """Hear of nothing any more."""
        for disconnect in self._disconnect:
            disconnect()

    @property
    def shown(self) -> bool:
        """Whether this is what the canvas is about."""
        return self._workbench.workspace == "words"

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """Paint over the page."""
        words, entry = self._words, self._workbench.entry
        self._paint_pending(painter, view)
        source = words.queries.current
        if source is None or entry is None:
            return
        here = words.queries.on_page(entry.name)
        places = frames(view, source.items.boxes[here])
        seen = in_sight(view, places)
        here, places = here[seen], places[seen]
        kept, relevance = words.kept()[here], words.judgements.relevance[here]
        chosen = here == words.item
        paint_used(painter, view, source.used, entry.name)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        _draw(painter, casing_pen(view.ratio), places[kept & ~chosen])
        for what, colour in _COLOURS.items():
            _draw(painter, line_pen(colour, view.ratio), places[(relevance == what) & kept])
        lost = faint(_COLOURS[1], PURGED)
        _draw(painter, line_pen(lost, view.ratio), places[(relevance == 1) & ~kept])
        around = places[chosen] + (-ROOM, -ROOM, 2 * ROOM, 2 * ROOM)
        _draw(painter, casing_pen(view.ratio, 7.0), around)
        _draw(painter, line_pen(QColor(CHOSEN), view.ratio, width=4.0), around)

    def _paint_pending(self, painter: QPainter, view: ViewTransform) -> None:
        """The boxes that are being searched stay where they were drawn."""
        entry = self._workbench.entry
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for query in self._words.searching.pending:
            if query.box is not None and entry is not None and query.page == entry.name:
                place = frames(view, np.array([query.box]))
                _draw(painter, casing_pen(view.ratio, 4.0), place)
                pen = line_pen(QColor(SEARCHED), view.ratio)
                pen.setStyle(Qt.PenStyle.DashLine)
                _draw(painter, pen, place)


_COLOURS = {
    -1: QColor("#6b7785"),
    0: QColor(COLOURS[AreaKind.FALSE]),
    1: QColor(COLOURS[AreaKind.FOUND]),
}


def in_sight(view: ViewTransform, places: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(N,) which of these may be seen on the screen, with a little room around them."""
    beyond = np.array(view.size) + ROOM
    inside = (places[:, :2] + places[:, 2:] >= -ROOM) & (places[:, :2] <= beyond)
    return inside[:, 0] & inside[:, 1]


def _draw(painter: QPainter, pen: QPen, places: NDArray[np.float64]) -> None:
    if len(places):
        painter.setPen(pen)
        painter.drawRects([QRectF(*place) for place in places.tolist()])
