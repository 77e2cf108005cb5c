"""The purge threshold as a slider on the plot's own axis, with the other thresholds."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QToolTip, QWidget

from spotlab.arrays import Floats
from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.plots.readout import PointedPlot
from spotlab.gui.kit.text import rich
from spotlab.ranking.list_scale import ListScale, cut_after, rank_of_cut, written_cut
from spotlab.ranking.purge import Suggestion
from spotlab.report.figure_text import written
from spotlab.representation import written_threshold


class ThresholdSteps:
    """All different scores of several lists.

    Parameters
    ----------
    scores : sequence of (K,) float
        Of each list; infinite ones are no thresholds.

    Attributes
    ----------
    lowest, highest : float
        At the lowest every list keeps all, at the highest only the best word is kept.

    Examples
    --------
    >>> steps = ThresholdSteps([np.array([0.9, 0.7]), np.array([0.8])])
    >>> steps.beside(0.75, False), steps.beside(0.7, True), steps.beside(0.75, True)
    (0.7, 0.8, 0.9)
    """

    def __init__(self, scores: Sequence[Floats]) -> None:
        every = np.concatenate([np.zeros(0), *scores])
        self._rising = np.unique(every[np.isfinite(every)])

    def __len__(self) -> int:
        return len(self._rising)

    @property
    def lowest(self) -> float:
        """See the class."""
        return float(self._rising[0])

    @property
    def highest(self) -> float:
        """See the class."""
        return float(self._rising[-1])

    def beside(self, threshold: float, up: bool) -> float:
        """The threshold that purges one more score, or that keeps one more.

        Above the highest score nothing is kept; below the lowest nothing changes any more.
        """
        rising = self._rising
        kept = int(np.searchsorted(rising, threshold, side="left"))  # the lowest score that stays
        if not up:
            return float(rising[kept - 1]) if kept > 0 else threshold
        if kept + 1 < len(rising):
            return float(rising[kept + 1])
        return float(np.nextafter(rising[-1], np.inf)) if kept < len(rising) else threshold


SHORT = {"tau": "τ", "best_f": "best F", "largest_drop": "drop"}  # there is little room
TAU = "From this score on the search counts a word as found; a larger τ finds fewer, surer words."
TIGHT = "Words with this score or more become queries, too (QE); with a larger one, fewer do."
AT_LEAST = "A word needs this score to re-score a list (CR); a larger one trusts surer words only."


@dataclass(frozen=True)
class ThresholdMark:
    """A threshold with a name.

    Attributes
    ----------
    name : str
    threshold : float
    tip : str
        What it means, as rich text.
    colour : str
        Of the list that it is of; empty for all lists.
    """

    name: str
    threshold: float
    tip: str
    colour: str = ""


def named_mark(name: str, threshold: float, meaning: str) -> ThresholdMark:
    """A threshold of the search or of the ranking, which is the same for all lists."""
    return ThresholdMark(name, threshold, _tip(f"{name} {written_threshold(threshold)}", meaning))


def suggested_marks(
    suggestions: Sequence[Suggestion],
    title: str,
    colour: str,
    scale: ListScale = ListScale.SCORE,
) -> list[ThresholdMark]:
    """The thresholds that a list suggests besides τ, which is the same for all.

    Examples
    --------
    >>> best = Suggestion("best_f", "best F", 0.65, "F is 0.9 with 12 items kept")
    >>> [(mark.name, mark.threshold) for mark in suggested_marks([best], "CR", "#123456")]
    [('best F', 0.65)]
    """
    return [
        ThresholdMark(SHORT[each.name], each.threshold,
             _tip(f"{title}: {each.title} {written_cut(each.threshold, scale)}", each.reason),
             colour)
        for each in suggestions if each.name != "tau" and each.threshold is not None
    ]  # fmt: skip


def _tip(title: str, meaning: str) -> str:
    return rich(
        f"<p><b>{html.escape(title)}</b></p><p>{html.escape(meaning)}</p>"
        "<p>Click to purge at this score.</p>"
    )


def spread(wanted: Floats, pinned: int, apart: float, low: float, high: float) -> Floats:
    """Places near the wanted ones, at least so far apart, where one of them cannot move.

    Parameters
    ----------
    wanted : (N,) float
        px; in any order.
    pinned : int
        Which one stays where it is.
    apart : float
        px between two neighbours.
    low, high : float
        px; the ends, which are kept where there is room for all.

    Returns
    -------
    (N,) float
        In the order of ``wanted``.

    Examples
    --------
    >>> spread(np.array([50.0, 50.0, 52.0, 90.0]), 0, 10, 0, 100).tolist()
    [50.0, 40.0, 60.0, 90.0]
    >>> spread(np.array([3.0, 2.0, 1.0]), 0, 10, 0, 100).tolist()  # no room before the pinned one
    [3.0, 23.0, 13.0]
    """
    place, fixed = wanted.astype(np.float64), float(wanted[pinned])
    order = [int(at) for at in np.argsort(wanted, kind="stable") if at != pinned]
    before = [at for at in order if wanted[at] <= fixed]
    after = [at for at in order if wanted[at] > fixed]
    room = max(0, int((fixed - low) // apart)), max(0, int((high - fixed) // apart))
    while len(before) > room[0] and len(after) < room[1]:
        after.insert(0, before.pop())
    while len(after) > room[1] and len(before) < room[0]:
        before.append(after.pop(0))
    _stack(place, before[::-1], fixed, -apart, low)
    _stack(place, after, fixed, apart, high)
    return place


def _stack(place: Floats, order: Sequence[int], start: float, step: float, end: float) -> None:
    """Move places away from the start, one after the other, and back from the end."""
    way = 1.0 if step > 0 else -1.0
    last = start
    for at in order:
        last = place[at] = way * max(way * place[at], way * (last + step))
    last = end + step
    for at in reversed(order):
        last = place[at] = way * min(way * place[at], way * (last - step))


SPINE, NAMES = 5.0, 15.0  # px from the left, of the axis and of what is written
HANDLE = 17.0  # px, its height
SMALLER = 0.86  # than the window's font
POSITIONS = 1000  # that screen readers are told of
LARGE = 0.05  # of the plot's height, that PageUp and PageDown move
CUT = rich(
    "<p><b>Purge threshold (cut)</b></p><p>Every list keeps the words with this score or more; the "
    "others are purged. Larger: fewer and surer words are kept. Smaller: more are kept, also wrong "
    "ones.</p><p>Drag it here or in the plot. ↑ purges one more word, ↓ keeps one "
    "more; PageUp and PageDown go faster.</p>"
)
_Key = Qt.Key


class ThresholdScale(QAbstractSlider):
    """Drawn at the height of the plot's scores; a click on a name takes its threshold.

    Parameters
    ----------
    plot : PointedPlot
        At the left of it.

    Attributes
    ----------
    marks : sequence of ThresholdMark
    threshold : float
    scale : ListScale
        What thresholds are; ranks run from the top to the bottom.
    """

    threshold_wanted = Signal(float)

    def __init__(self, plot: PointedPlot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plot = plot
        self.marks: Sequence[ThresholdMark] = ()
        self.threshold = 0.0
        self.scale = ListScale.SCORE
        self._steps = ThresholdSteps(())
        self._held = False
        self.setOrientation(Qt.Orientation.Vertical)
        self.setRange(0, POSITIONS)
        self.setAccessibleName("Purge threshold")
        self.setToolTip(CUT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        plot.setFocusProxy(self)
        plot.box.sigRangeChanged.connect(lambda *_: self.update())
        plot.box.sigResized.connect(lambda *_: self.update())

    def show_scores(self, steps: ThresholdSteps, scale: ListScale = ListScale.SCORE) -> None:
        """Let the keys go over the scores of these lists."""
        self._steps, self.scale = steps, scale
        self.setEnabled(len(steps) > 0)

    def show_marks(self, marks: Sequence[ThresholdMark]) -> None:
        """Mark these thresholds, too."""
        self.marks = tuple(marks)
        self.update()

    def show_threshold(self, threshold: float) -> None:
        """Move the handle."""
        self.threshold = threshold
        low, high = self._plot.box.viewRange()[1]
        share = (threshold - low) / (high - low)
        if self._by_rank:
            share = 1 - rank_of_cut(threshold) / self._last
        self.setValue(round(POSITIONS * min(max(share, 0.0), 1.0)))
        stays = f"Words with a {self.scale} of {self._text(threshold)} or more stay"
        if self._by_rank:
            stays = f"The first {self._text(threshold)} words of each list stay"
        self.setAccessibleDescription(stays)
        self.update()

    def height_of(self, score: float) -> float:
        """Tell where a score is drawn here, in px; outside what the plot shows, at its end."""
        low, high = self._plot.box.viewRange()[1]
        if self._by_rank:
            score = high - (high - low) * rank_of_cut(score) / self._last
        inside = min(max(score, low), high)
        at = self._plot.place_on_viewport((0.0, inside))
        return float(self.mapFromGlobal(self._plot.viewport().mapToGlobal(at)).y())

    @property
    def _by_rank(self) -> bool:
        return self.scale is ListScale.RANK

    @property
    def _last(self) -> float:
        """The last rank that the plot shows."""
        return max(float(self._plot.box.viewRange()[0][1]), 1.0)

    def _text(self, threshold: float) -> str:
        return written_cut(threshold, self.scale) if self._by_rank else written(threshold)

    def mark_at(self, place: QPointF) -> ThresholdMark | None:
        """The threshold whose name is there."""
        for mark, y in zip(self.marks, self._name_heights()[1:], strict=True):
            if abs(place.y() - y) <= self._line() / 2 and place.x() > SPINE:
                return mark
        return None

    def sizeHint(self) -> QSize:
        """Wide enough for the longest name."""
        widest = self._small().horizontalAdvance("at least .800")
        return QSize(int(NAMES + widest + 8), 120)

    def minimumSizeHint(self) -> QSize:
        """The same width."""
        return QSize(self.sizeHint().width(), 60)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the threshold whose name is there, or hold the handle."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        mark = None if self._on_handle(event.position()) else self.mark_at(event.position())
        if mark is not None:
            self.threshold_wanted.emit(mark.threshold)
            return
        self._held = True
        if not self._on_handle(event.position()):
            self._want(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the handle, or say what can be done."""
        if self._held:
            self._want(event.position())
        elif self._on_handle(event.position()):
            self.setCursor(Qt.CursorShape.SizeVerCursor)
        elif self.mark_at(event.position()) is not None:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.unsetCursor()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the handle."""
        self._held = False

    def wheelEvent(self, event: QWheelEvent) -> None:
        """One word more, or one less."""
        notches = event.angleDelta().y()
        if notches:
            self.threshold_wanted.emit(self._steps.beside(self.threshold, notches > 0))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down by words, faster by pages, to the ends."""
        wanted = self._wanted_by(_Key(event.key()))
        if wanted is None or not len(self._steps):
            event.ignore()
        else:
            self.threshold_wanted.emit(wanted)

    def event(self, event: QEvent) -> bool:
        """Say what a threshold is."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            mark = self.mark_at(QPointF(event.pos()))
            on_handle = self._on_handle(QPointF(event.pos()))
            tip = mark.tip if mark is not None and not on_handle else self.toolTip()
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The axis, a tick and a name for each threshold, and the handle."""
        colours = theme.colours(self.palette())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), QColor(colours.base))
            font = self.font()
            font.setPointSizeF(font.pointSizeF() * SMALLER)
            painter.setFont(font)
            low, high = self._plot.box.viewRange()[1]
            top, bottom = self.height_of(high), self.height_of(low)
            painter.setPen(QPen(QColor(colours.line), 1.5))
            painter.drawLine(QPointF(SPINE, top), QPointF(SPINE, bottom))
            heights = self._name_heights()
            for mark, y in zip(self.marks, heights[1:], strict=True):
                self._paint_mark(painter, mark, y)
            self._paint_handle(painter, heights[0])

    def _paint_mark(self, painter: QPainter, mark: ThresholdMark, y: float) -> None:
        colours = theme.colours(self.palette())
        colour = QColor(readable(mark.colour, colours.base) if mark.colour else colours.quiet)
        at = self.height_of(mark.threshold)
        painter.setPen(QPen(colour, 1.5))
        painter.drawLine(QPointF(SPINE - 3, at), QPointF(SPINE + 3, at))
        painter.setPen(QPen(colour, 0.8))
        painter.drawLine(QPointF(SPINE + 3, at), QPointF(NAMES - 2, y))
        painter.setPen(colour)
        place = QRectF(NAMES, y - self._line() / 2, self.width() - NAMES, self._line())
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, side, f"{mark.name} {self._text(mark.threshold)}")

    def _paint_handle(self, painter: QPainter, y: float) -> None:
        colours = theme.colours(self.palette())
        fill = QColor(colours.accent if self.isEnabled() else colours.line)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        place = self._handle(y)
        painter.drawRoundedRect(place, 4, 4)
        left, half = place.left() + 2, HANDLE / 2
        painter.drawPolygon(
            QPolygonF([QPointF(0, y), QPointF(left, y - half + 2), QPointF(left, y + half - 2)])
        )
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.text), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 3, 3)
        painter.setPen(QColor(colours.on_accent))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, f"cut {self._text(self.threshold)}")

    def _handle(self, y: float) -> QRectF:
        wide = self._small().horizontalAdvance("cut .0000") + 10
        return QRectF(SPINE + 4, y - HANDLE / 2, wide, HANDLE)

    def _on_handle(self, place: QPointF) -> bool:
        around = self._handle(self.height_of(self.threshold))
        return bool(around.adjusted(-SPINE - 4, 0, 0, 0).contains(place))

    def _name_heights(self) -> list[float]:
        """Tell where the handle is, and the name of each mark."""
        wanted = [self.height_of(self.threshold)]
        wanted += [self.height_of(mark.threshold) for mark in self.marks]
        half = self._line() / 2
        heights = spread(
            np.array(wanted), 0, max(self._line(), HANDLE - 2), half, self.height() - half
        )
        return [float(height) for height in heights]

    def _line(self) -> float:
        """Of a name, in px."""
        return float(self._small().height())

    def _small(self) -> QFontMetricsF:
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * SMALLER)
        return QFontMetricsF(font)

    def _want(self, place: QPointF) -> None:
        """The score at this height, but none outside what the plot shows."""
        low, high = self._plot.box.viewRange()[1]
        at = self._plot.viewport().mapFromGlobal(self.mapToGlobal(place))
        score = min(max(self._plot.place_at(at)[1], low), high)
        if self._by_rank:
            score = cut_after(round((high - score) / (high - low) * self._last))
        self.threshold_wanted.emit(score)

    def _wanted_by(self, key: Qt.Key) -> float | None:
        low, high = map(float, self._plot.box.viewRange()[1])
        page, steps = LARGE * (high - low), self._steps
        ranks = max(round(LARGE * self._last), 1)

        def turn(up: bool) -> float:
            if self._by_rank:
                return cut_after(rank_of_cut(self.threshold) + (-ranks if up else ranks))
            return min(self.threshold + page, high) if up else max(self.threshold - page, low)

        wanted: dict[Qt.Key, Callable[[], float]] = {
            _Key.Key_Up: lambda: steps.beside(self.threshold, True),
            _Key.Key_Right: lambda: steps.beside(self.threshold, True),
            _Key.Key_Down: lambda: steps.beside(self.threshold, False),
            _Key.Key_Left: lambda: steps.beside(self.threshold, False),
            _Key.Key_PageUp: lambda: turn(True),
            _Key.Key_PageDown: lambda: turn(False),
            _Key.Key_Home: lambda: steps.highest,
            _Key.Key_End: lambda: steps.lowest,
        }
        return wanted[key]() if key in wanted and len(steps) else None
