"""Score over rank, a line for each ranked list, with the threshold that purges them on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QPainterPath
from PySide6.QtWidgets import QGraphicsRectItem

from spotlab.arrays import Floats
from spotlab.gui.kit.plots.curve_items import Drawn, point_items, readable
from spotlab.gui.kit.plots.curve_plot import MARGIN, CurvePlot
from spotlab.gui.kit.plots.polylines import Polylines
from spotlab.gui.kit.plots.readout import EDGE, Place, PointedPlot
from spotlab.gui.kit.theme import Colours
from spotlab.imaging.overlay import COLOURS, AreaKind
from spotlab.model.ranked_list import RankedList
from spotlab.ranking.list_scale import cut_after, rank_of_cut

APART = 15.0  # px between two marks on a line
CELLS = 1 << 32  # more than a column has, zoomed in as far as it goes
SHOWN, FEWEST = 3, 40  # ranks shown: so many times those that are kept, and at least
FLAT = 1e-9  # a span of scores below this is none


def score_line(ranked: RankedList, heights: Floats | None = None) -> Polylines:
    """The list's line: ranks from 1, their scores, and as ``spot`` the items.

    Infinite scores are left out: they have no place on an axis.

    Parameters
    ----------
    ranked : RankedList
    heights : (K,) float, optional
        Drawn instead of the scores.

    Examples
    --------
    >>> line = score_line(RankedList("WS", np.array([7, 3]), np.array([0.9, 0.5])))
    >>> line.x.tolist(), line.y.tolist(), line.spot.tolist()
    ([1.0, 2.0], [0.9, 0.5], [7, 3])
    """
    heights = ranked.score if heights is None else heights
    known = np.isfinite(heights)
    rank = np.flatnonzero(known).astype(np.float64) + 1.0
    score = heights[known]
    starts = np.array([0, len(rank)]) if len(rank) else np.zeros(1, np.int64)
    return Polylines(rank, score, ranked.item[known], starts)


def in_its_range(scores: Floats) -> Floats:
    """Scores of a list from 0, its lowest, to 1, its highest.

    Parameters
    ----------
    scores : (K,) float

    Examples
    --------
    >>> in_its_range(np.array([302.0, 173.0, 44.0])).tolist()
    [1.0, 0.5, 0.0]
    """
    known = scores[np.isfinite(scores)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    return (
        (scores - low) / (high - low) if high > low else np.where(np.isfinite(scores), 1.0, scores)
    )


def score_extent(lists: Sequence[RankedList], also: Sequence[float]) -> tuple[int, float, float]:
    """The longest list's length, the lowest and the highest score, rounded to tenths of the span.

    Parameters
    ----------
    lists : sequence of RankedList
        Whose scores are on the same scale.
    also : sequence of float
        Scores that shall be in sight, too, such as a threshold.

    Examples
    --------
    >>> score_extent([RankedList("WS", np.array([7, 3]), np.array([0.93, 0.52]))], [0.7])
    (2, 0.5, 0.95)
    >>> score_extent([], [])
    (1, 0.0, 1.0)
    """
    ends = [np.asarray(also, np.float64), *(each.score for each in lists)]
    scores = np.concatenate([end[np.isfinite(end)] for end in ends])
    longest = max((len(each) for each in lists), default=0) or 1
    if not len(scores):
        return longest, 0.0, 1.0
    low, high = float(scores.min()), float(scores.max())
    if high - low < FLAT:
        return longest, low - 0.5, high + 0.5
    step = 10.0 ** math.floor(math.log10((high - low) / 2)) / 2
    low, high = math.floor(low / step + FLAT) * step, math.ceil(high / step - FLAT) * step
    return longest, round(low, 9), round(high, 9)


def score_focus(lists: Sequence[RankedList], threshold: float) -> tuple[int, float] | None:
    """The last rank and the lowest score that are worth looking at; None: all of them.

    Lists may go on for thousands of words that nobody will keep: three times as many ranks as the
    threshold leaves are shown, and 40 at least.

    Examples
    --------
    >>> ranked = RankedList("WS", np.arange(1000), np.linspace(1, 0, 1000))
    >>> rank, lowest = score_focus([ranked], 0.9)
    >>> rank, round(lowest, 3)
    (300, 0.7)
    >>> score_focus([ranked], 0.1) is None
    True
    """
    kept = [int(np.searchsorted(-each.score, -threshold, side="right")) for each in lists]
    last = max(SHOWN * max(kept, default=0), FEWEST)
    if last >= max((len(each) for each in lists), default=0):
        return None
    ends = [each.score[:last][np.isfinite(each.score[:last])] for each in lists]
    lowest = min([threshold, *(float(end[-1]) for end in ends if len(end))])
    return last, math.floor(lowest / 0.05 + FLAT) * 0.05 if abs(lowest) < 10 else lowest


def sparse(
    lines: Sequence[tuple[Polylines, NDArray[np.bool_]]], pixel: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Few of the wanted points, none on another: the first of each cell of `APART` pixels.

    Parameters
    ----------
    lines : sequence of (Polylines, (M,) bool)
        Lines, and which of their points are wanted.
    pixel : (width, height)
        How much of each axis a pixel spans.

    Returns
    -------
    x, y : (K,) float

    Examples
    --------
    >>> line = score_line(RankedList("WS", np.arange(4), np.array([0.9, 0.9, 0.9, 0.1])))
    >>> wanted = np.array([True, True, False, True])
    >>> sparse([(line, wanted), (line, wanted)], (1.0, 0.01))[1].tolist()
    [0.9, 0.1]
    """
    x = np.concatenate([*(line.x[wanted] for line, wanted in lines), []])
    y = np.concatenate([*(line.y[wanted] for line, wanted in lines), []])
    column, row = (np.floor(each / (size * APART)).astype(np.int64)
                   for each, size in ((x, pixel[0]), (y, pixel[1])))  # fmt: skip
    first = np.unique(column * CELLS + row, return_index=True)[1]
    first.sort()
    return x[first], y[first]


MARK = 8  # px
CHOSEN = 14  # px
ASIDE = 0.95  # of a mark, from the line: relevant ones above it, others below


@dataclass(frozen=True, eq=False)
class ScoreLine:
    """Score curve of a list in the plot.

    Attributes
    ----------
    colour : str
    line : Polylines
        See `score_line`.
    right, wrong : (M,) bool
        Which of the line's points are known to be relevant, and not to be.
    """

    colour: str
    line: Polylines
    right: NDArray[np.bool_]
    wrong: NDArray[np.bool_]


class ScoreSigns:
    """Places as many signs as there is room for where the plot is zoomed to.

    Parameters
    ----------
    plot : PointedPlot

    Attributes
    ----------
    lists : sequence of ScoreLine
    """

    def __init__(self, plot: PointedPlot) -> None:
        self._plot = plot
        self.lists: Sequence[ScoreLine] = ()
        self.right, self.wrong = (point_items(plot.plotItem, MARK) for _ in range(2))
        self.chosen = point_items(plot.plotItem, CHOSEN)
        for marks in (self.right, self.wrong):
            marks.setZValue(25)  # those that are purged are veiled, too

    def place(self) -> None:
        """Place the signs anew: lists or the visible part of the plot changed."""
        pixel = self._plot.box.viewPixelSize()
        for marks, symbol, kind in ((self.right, TICK, "right"), (self.wrong, CROSS, "wrong")):
            x, y = sparse([(drawn.line, getattr(drawn, kind)) for drawn in self.lists], pixel)
            marks.setData(x, y, symbol=symbol)

    def show_chosen(self, places: Sequence[Place]) -> None:
        """Put a ring around the chosen item on every list."""
        self.chosen.setData([place[0] for place in places], [place[1] for place in places])

    def paint_in(self, colours: Colours) -> None:
        """Use the colours of the theme."""
        self.chosen.setPen(pg.mkPen(colours.text, width=2))
        for marks, meaning in ((self.right, AreaKind.FOUND), (self.wrong, AreaKind.FALSE)):
            colour = readable(COLOURS[meaning], colours.base)
            marks.setPen(pg.mkPen(colour, width=1.8))


def _path(*strokes: Sequence[Place]) -> QPainterPath:
    """A mark of size 1 around its place; y points down."""
    path = QPainterPath()
    for stroke in strokes:
        path.moveTo(*stroke[0])
        for place in stroke[1:]:
            path.lineTo(*place)
    return path


TICK = _path([(-0.45, 0.05 - ASIDE), (-0.12, 0.4 - ASIDE), (0.5, -0.4 - ASIDE)])
CROSS = _path(
    [(-0.38, ASIDE - 0.38), (0.38, ASIDE + 0.38)], [(-0.38, ASIDE + 0.38), (0.38, ASIDE - 0.38)]
)


FOCUS_ROOM = 1.5  # of the rank of a cut that comes into sight
VEIL = 165  # of 255, over what is purged


class ThresholdLine(pg.InfiniteLine):  # type: ignore[misc] # pyqtgraph has no types
    """The threshold, which can be dragged, and a veil over what it purges.

    Parameters
    ----------
    plot : CurvePlot
    """

    def __init__(self, plot: CurvePlot) -> None:
        super().__init__(angle=0)
        self.setZValue(45)
        self._veil = QGraphicsRectItem()
        self._veil.setPen(Qt.PenStyle.NoPen)
        self._veil.setZValue(30)
        for item in (self._veil, self):
            plot.plotItem.addItem(item, ignoreBounds=True)

    def paint_in(self, colours: Colours) -> None:
        """Use the colours of the theme."""
        shade = QColor(colours.base)
        shade.setAlpha(VEIL)
        self._veil.setBrush(QBrush(shade))
        pen = pg.mkPen(colours.accent, width=2)
        self.setPen(pen)
        self.setHoverPen(pen)

    def set_movable(self, movable: bool) -> None:
        """Let it be dragged, or not."""
        self.setMovable(movable)
        self._show_cursor()

    def set_upright(self, upright: bool) -> None:
        """Cut at a rank, not at a score."""
        self.setAngle(90 if upright else 0)
        self._show_cursor()

    def _show_cursor(self) -> None:
        if self.movable:
            shapes = {0: Qt.CursorShape.SizeVerCursor, 90: Qt.CursorShape.SizeHorCursor}
            self.setCursor(shapes[int(self.angle)])
        else:
            self.unsetCursor()

    def show_at(self, place: float, extent: Place, lowest: float) -> None:
        """Move to a score or rank; the veil covers more than such a plot can be moved."""
        self.setValue(place)
        deep, wide = lowest - 10 * (extent[1] - lowest) - 10, 10 * extent[0]
        if self.angle:
            self._veil.setRect(QRectF(place, deep, max(0.0, wide - place), -2 * deep + 10))
        else:
            self._veil.setRect(QRectF(-wide, deep, 2 * wide, max(0.0, place - deep)))


class ScorePlot(CurvePlot):
    """Drag the horizontal line to purge; the rest is as in all plots.

    Attributes
    ----------
    focus : (int, float) or None
        The last rank and the lowest score that are shown at first; None for all.
    signs : ScoreSigns
    line : ThresholdLine
    by_rank : bool
        The line cuts at a rank; each list is drawn from its lowest score to its highest.
    """

    focus: tuple[int, float] | None = None
    by_rank = False
    line_moved = Signal(float)  # the threshold to which the line is dragged

    def __init__(self) -> None:
        super().__init__("score", "Score", over="Rank")
        self.signs = ScoreSigns(self)
        self.line = ThresholdLine(self)
        self.line.sigDragged.connect(self._drag)
        for signal in (self.line.sigDragged, self.line.sigClicked):
            signal.connect(lambda *_: self.setFocus(Qt.FocusReason.MouseFocusReason))
        self.box.setCursor(Qt.CursorShape.CrossCursor)
        self.plotItem.getAxis("bottom").setStyle(hideOverlappingLabels=True)
        self.plotItem.layout.setContentsMargins(0, 6, EDGE + 1, 0)  # nor the last rank
        self.lines_drawn.connect(self.signs.place)
        self.show_threshold(0.0, ())

    def paint_in(self, colours: Colours) -> None:
        """Take the theme's colours."""
        super().paint_in(colours)
        self.line.paint_in(colours)
        self.signs.paint_in(colours)

    def show_lists(
        self,
        lists: Sequence[ScoreLine],
        extent: Place,
        lowest: float,
        focus: tuple[int, float] | None = None,
    ) -> None:
        """Draw these, the first one on top; ``extent`` is the last rank and the highest score."""
        moved, self.focus = focus != self.focus, focus
        self.signs.lists = lists
        self.line.set_movable(bool(lists))
        drawn = [Drawn(shown.colour, shown.line, bold=True) for shown in lists]
        self.show_curves(drawn, extent, lowest)
        if moved and not self.zoomed:
            self.reset_view()
        self.signs.place()

    def cut_by_rank(self, by_rank: bool) -> None:
        """Cut at a rank, not at a score."""
        self.by_rank = by_rank
        self.line.set_upright(by_rank)

    def show_threshold(self, threshold: float, places: Sequence[tuple[Place, str]]) -> None:
        """Purge what scores less; ``places`` are where each list is cut, and its colour."""
        cut = min(rank_of_cut(threshold), int(self._extent[0])) + 0.5 if self.by_rank else threshold
        self.line.show_at(cut, self._extent, self._lowest)
        self.show_cut(places)
        if self.by_rank:
            return
        (left, right), (low, high) = self.box.viewRange()
        if places and not low <= threshold <= high:  # never out of sight
            wide = max(right, *(FOCUS_ROOM * place[0] for place, _ in places))
            self.box.setRange(
                xRange=(left, wide), yRange=(min(low, threshold), max(high, threshold)), padding=0
            )

    def reset_view(self) -> None:
        """Show what is worth looking at."""
        self.show_all()
        if self.focus is not None:
            (rank, lowest), top = self.focus, self._extent[1]
            up = MARGIN * (top - lowest)
            self.box.setRange(
                xRange=(-MARGIN * rank, rank), yRange=(lowest - up, top + up), padding=0
            )

    def show_all(self) -> None:
        """Show the lists to their ends."""
        super().reset_view()

    def _drag(self, line: pg.InfiniteLine) -> None:
        low, high = self.box.viewRange()[0 if self.by_rank else 1]  # outside of it it would be lost
        value = min(max(float(line.value()), low), high)
        self.line_moved.emit(cut_after(round(value - 0.5)) if self.by_rank else value)
