"""Paints what a search found on the open page: green and red frames, and the chosen word."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.tool import Gesture, Layer, Pointer, Surface, Tool
from spotlab.gui.canvas.view import (
    CHOSEN,
    ViewTransform,
    casing_pen,
    faint,
    frames,
    in_view,
    line_pen,
)
from spotlab.gui.kit.widgets import in_row
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.state.words import Words, search_drawn
from spotlab.imaging.overlay import COLOURS, AreaKind
from spotlab.spotting.words.search import UsedExample
from spotlab.spotting.words.word_index import WordQuery

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


PURGED = 90  # of 255
ROOM = 4.0  # screen px around the chosen word


class WordsLayer(Layer):
    """The words that a list of the query keeps; right ones that all lists purge are faint."""

    workspace = "words"
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
        """Tell whether this is what the canvas is about."""
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


LINE = "#2563eb"


class WordsTool(Tool):
    """Says what is under the pointer."""

    def describe(self, pointer: Pointer) -> str | None:
        """The found word under the pointer: its text, its score, whether it is right."""
        words = self.workbench.state(Words)
        item = words.item_at(pointer.x, pointer.y)
        return None if item is None else words.described(item)

    def press(self, pointer: Pointer) -> Gesture | None:
        """A click, or the first corner of a box."""
        return _Drag(self.surface, pointer)

    def hover(self, pointer: Pointer) -> Qt.CursorShape:
        """A hand over what can be chosen."""
        found = self.workbench.state(Words).item_at(pointer.x, pointer.y) is not None
        return Qt.CursorShape.PointingHandCursor if found else Qt.CursorShape.CrossCursor

    def double_click(self, pointer: Pointer) -> bool:
        """Search the word there."""
        item = self.workbench.state(Words).item_at(pointer.x, pointer.y)
        if item is not None:
            self.workbench.state(Words).search_item(item)
        return item is not None

    def point_out(self, pointer: Pointer) -> None:
        """The found word there."""
        self.workbench.state(Words).choose_item(
            self.workbench.state(Words).item_at(pointer.x, pointer.y)
        )

    def wants(self, event: QKeyEvent) -> bool:
        """Escape lets go of the chosen word."""
        return self.workbench.state(Words).item is not None and event.key() == Qt.Key.Key_Escape

    def key(self, event: QKeyEvent) -> bool:
        """Let go of what is chosen."""
        if not self.wants(event):
            return False
        self.workbench.state(Words).choose_item(None)
        return True


class _Drag(Gesture):
    """Chooses on a click; a box drawn out is searched."""

    def __init__(self, surface: Surface, start: Pointer) -> None:
        super().__init__(surface)
        self._start = self._end = start
        self._dragged = False

    def move(self, pointer: Pointer) -> None:
        """The opposite corner is here."""
        self._end = pointer
        self._dragged = self._dragged or pointer.moved_from(self._start)
        self.surface.refresh()

    def release(self, pointer: Pointer) -> None:
        """Choose, or search."""
        self.over = True
        workbench = self.surface.workbench
        self.surface.refresh()
        if not self._dragged:
            workbench.state(Words).choose_item(workbench.state(Words).item_at(pointer.x, pointer.y))
            return
        left, top, right, bottom = self._box()
        entry = workbench.entry
        if entry is not None and left < right and top < bottom:
            search_drawn(
                workbench.state(Words),
                WordQuery(entry.name, (left, top, right, bottom)),
                add=self._start.shift,
            )

    def cancel(self) -> None:
        """Search nothing."""
        self.over = True
        self.surface.refresh()

    def _box(self) -> tuple[float, float, float, float]:
        xs, ys = sorted((self._start.x, self._end.x)), sorted((self._start.y, self._end.y))
        return round(xs[0]), round(ys[0]), round(xs[1]), round(ys[1])

    def paint(self, painter: QPainter, view: ViewTransform) -> None:
        """The box as it is now."""
        if self._dragged:
            fill = QColor(LINE)
            fill.setAlpha(36)
            painter.setPen(QPen(QColor(LINE), 2))
            painter.setBrush(fill)
            painter.drawRect(in_view(view, self._box()))


Show = Callable[[float, float, float, float], object]
PAUSE = 120  # ms: who walks through a list does not want every page opened


class WordInSight(QObject):
    """Follows the chosen word.

    Parameters
    ----------
    workbench : Workbench
    show : callable
        Brings left, top, right, bottom, in px of the page, into sight.
    centre : callable
        Brings them into the middle, wherever they are.
    """

    def __init__(self, workbench: Workbench, show: Show, centre: Show, parent: QObject) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._show = self._usual = show
        self._centre = centre
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._follow)
        self._wanted = ""
        workbench.state(Words).item_changed.connect(self._timer.start)
        workbench.page_changed.connect(self._arrived)

    def go(self) -> None:
        """Bring the chosen word into the middle at once."""
        self._timer.stop()
        self._show = self._centre
        self._go()

    def _follow(self) -> None:
        self._show = self._usual
        self._go()

    def _go(self) -> None:
        words, entry = self._workbench.state(Words), self._workbench.entry
        if (
            words.item is None
            or words.queries.items is None
            or words.queries.items.page[words.item] < 0
        ):
            return
        self._wanted = words.queries.items.page_name(words.item)
        if entry is not None and entry.name == self._wanted:
            self._arrived()
            return
        names = [each.name for each in self._workbench.entries]
        if self._wanted in names:
            self._workbench.open_page(names.index(self._wanted))
        else:
            self._workbench.said.emit(
                f"The page {self._wanted} is not in the open collection", False
            )

    def _arrived(self) -> None:
        words, entry = self._workbench.state(Words), self._workbench.entry
        if not self._wanted or entry is None or self._workbench.document is None:
            return
        if (
            entry.name == self._wanted
            and words.queries.items is not None
            and words.item is not None
        ):
            self._show(*words.queries.items.boxes[words.item].tolist())
        self._wanted = ""


NO_TEXT = "No text is known on these pages."


class NoTextStrip(QFrame):
    """Shown in Words until something is searched on pages without text.

    Parameters
    ----------
    workbench : Workbench
    try_letters : callable
        Opens the sample letters and searches a word on them.
    """

    def __init__(self, workbench: Workbench, try_letters: Callable[[], object]) -> None:
        super().__init__()
        self._workbench, self._words = workbench, workbench.state(Words)
        self.setProperty("role", "strip")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.text = QLabel(NO_TEXT)
        self.letters = QPushButton("Try the Sample Letters")
        self.letters.setProperty("prominent", True)
        self.letters.setToolTip(
            "Open a copy of handwritten pages in which every word is known, and search one"
        )
        self.letters.clicked.connect(lambda _: try_letters())
        in_row((self.text, 1), self.letters, of=self, margins=(12, 5, 8, 5))
        words = self._words
        for signal in (
            words.transcription.changed,
            words.queries.changed,
            words.query_list.changed,
            words.searching.busy_changed,
            workbench.workspace_changed,
            workbench.entries_changed,
        ):
            signal.connect(self._follow)
        self._follow()

    def _follow(self, *_: object) -> None:
        words, workbench = self._words, self._workbench
        nothing_searched = not (words.queries.sources or words.query_list.listed)
        self.setVisible(
            workbench.workspace == "words"
            and bool(workbench.entries)
            and nothing_searched
            and not words.searching.busy
            and words.transcription.has_read
            and words.transcription.words is None
        )
