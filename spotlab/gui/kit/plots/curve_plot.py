"""One plot over recall or rank: mean curves with bands, thin curves behind, marks on top."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QLinearGradient, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from spotlab.arrays import Floats, Ints
from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.curve_items import (
    BestMarks,
    CurveItems,
    CutMarks,
    Drawn,
    nearest_point,
    point_items,
    readable,
)
from spotlab.gui.kit.plots.polylines import Polylines
from spotlab.gui.kit.plots.readout import Place, PointedPlot, ShareAxis
from spotlab.gui.kit.theme import Colours
from spotlab.report.figure_text import written
from spotlab.studies.evaluate.cuts import MeanCurve

MARGIN = 0.03  # of an axis, beyond what it shows
REACH = 9.0  # px from a curve at which it is meant
THICK = 3.0  # px from a mean curve, which is drawn on top of the others, at which only it is meant


@dataclass(frozen=True)
class CurveHit:
    """A curve's point under the pointer.

    Attributes
    ----------
    drawn : int
        The place of what it belongs to in what is shown.
    point : int
        Its place among the points of the lines, or of the mean.
    mean : bool
        Whether it is the mean curve.
    """

    drawn: int
    point: int
    mean: bool = False


class CurvePlot(PointedPlot):
    """A quiet plot; drag to pan, wheel to zoom, both as far as there is something to see.

    Attributes
    ----------
    curve_items : CurveItems
    cut_marks : CutMarks
    best_marks : BestMarks
    """

    lines_drawn = Signal()  # for the part of the plot that it shows now

    def __init__(self, kind: str, title: str, over: str = "Recall", of: str = "") -> None:
        axes = {"left": ShareAxis("left", title), "bottom": ShareAxis("bottom", over)}
        super().__init__(axisItems=axes)
        self.kind, self.title, self.over = kind, title, over
        self.say(of)
        self.setAccessibleName(f"{title} over {over.lower()}")
        self.setMinimumHeight(88)
        self.plotItem.layout.setContentsMargins(0, 6, 3, 0)  # the highest number is not cut off
        self._axes = tuple(axes.values())
        self.curve_items = CurveItems(self.plotItem)
        self.cut_marks = CutMarks(self.plotItem)
        self.best_marks = BestMarks(self.plotItem)
        self._ring, self._over = (point_items(self.plotItem, size) for size in (14, 8))
        self._line = pg.PlotCurveItem(antialias=True)
        self._line.setZValue(40)
        self.plotItem.addItem(self._line, ignoreBounds=True)
        self._extent, self._lowest, self._left = (1.0, 1.0), 0.0, 0.0
        self._colours: Colours | None = None
        self.zoomed = False
        self.box.sigRangeChangedManually.connect(self._note_zoom)
        self.box.sigXRangeChanged.connect(self._draw_lines)
        self.reset_view()

    def say(self, of: str) -> None:
        """Tell on the axes what precision, recall and F are of, such as "of area"."""
        left, bottom = self.plotItem.getAxis("left"), self.plotItem.getAxis("bottom")
        titles = f"{self.title} {of}".strip(), self.over
        if "score" not in self.over.lower():
            titles = titles[0], f"{self.over} {of}".strip()
        if (left.title, bottom.title) != titles:
            left.title, bottom.title = titles
            if hasattr(self, "_colours") and self._colours is not None:
                self.paint_in(self._colours)

    def set_titled(self, titled: bool) -> None:
        """Name the axis of recall or not: of plots that stand together one does."""
        self._axes[1].titled = titled
        if self._colours is not None:
            self.paint_in(self._colours)

    @property
    def titled(self) -> bool:
        """Tell whether the lower axis says what it is of."""
        return bool(self._axes[1].titled)

    def paint_in(self, colours: Colours) -> None:
        """Take the theme's colours."""
        self._colours = colours
        self.setBackground(colours.base)
        for axis in self._axes:
            axis.paint_in(colours, self.small_font)
        self._ring.setPen(pg.mkPen(colours.text, width=2))
        self._over.setBrush(pg.mkBrush(colours.text))
        self._over.setPen(pg.mkPen(colours.base, width=1.5))
        self.curve_items.paint_in(colours)
        self.cut_marks.paint_in(colours)
        self.best_marks.paint_in(colours)
        self.plotItem.layout.activate()

    def show_curves(
        self, shown: Sequence[Drawn], extent: Place, lowest: float = 0.0, left: float = 0.0
    ) -> None:
        """Draw these, the first one on top; ``extent`` is the largest recall and value.

        ``lowest`` and ``left`` are the least of them.
        """
        self.curve_items.show(shown)
        if self._colours is not None:
            self.curve_items.paint_in(self._colours)
        self._draw_lines()
        if (extent, lowest, left) != (self._extent, self._lowest, self._left):
            self._extent, self._lowest, self._left = extent, lowest, left
            limit_view(self.box, extent, lowest, left)
            if not self.zoomed:
                self.reset_view()

    def show_cut(self, marks: Sequence[tuple[Place, str]], *, mean: bool = False) -> None:
        """Mark where each run is cut, in its colour; ``mean`` marks are diamonds."""
        self.cut_marks.show(marks, mean)

    def show_spot(self, place: Place | None) -> None:
        """Put a ring around the chosen spot's point."""
        self._ring.setData(*_alone(place))

    def show_hover(self, place: Place | None, drawn: Drawn | None = None) -> None:
        """Put a dot at what the pointer is at, and draw the whole curve that it is on."""
        self._over.setData(*_alone(place))
        lines = drawn.lines if drawn else None
        self._line.setVisible(lines is not None)
        if drawn is not None and lines is not None and self._colours is not None:
            self._line.setPen(pg.mkPen(readable(drawn.colour, self._colours.base), width=1.4))
            low, high = self.box.viewRange()[0]
            self._line.setData(*lines.thinned(low, high, self._columns()))

    def reset_view(self) -> None:
        """Show all there is."""
        x, y = limit_view(self.box, self._extent, self._lowest, self._left)
        self.box.setRange(xRange=x, yRange=y, padding=0)
        self.zoomed = False

    def hit(self, position: QPointF) -> CurveHit | None:
        """The curve's point at a place of the viewport."""
        return nearest_hit(
            self.curve_items.shown, self.place_at(position), self.box.viewPixelSize()
        )

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """A wider plot shows more of the curves."""
        super().resizeEvent(event)
        if hasattr(self, "curve_items"):
            self._draw_lines()

    def _draw_lines(self, *_: object) -> None:
        (low, high), _ = self.box.viewRange()
        self.curve_items.draw_lines(low, high, self._columns())
        self.lines_drawn.emit()

    def _columns(self) -> int:
        """Two for each pixel: smoothed lines show halves of them."""
        width: float = self.box.width()
        ratio: float = self.devicePixelRatioF()
        return max(64, round(2 * width * ratio))

    def _note_zoom(self, *_: object) -> None:
        """Keep some curve in sight when somebody zooms or pans to where there is none."""
        self.zoomed = True
        across, (low, high) = self.box.viewRange()
        heights = self.curve_items.heights(*across)
        if heights is None or (heights[0] <= high and heights[1] >= low):
            return
        margin = MARGIN * (high - low)
        below = heights[1] < low
        shift = heights[1] - margin - low if below else heights[0] + margin - high
        self.box.setYRange(low + shift, high + shift, padding=0)


def limit_view(
    box: pg.ViewBox, extent: Place, lowest: float, left: float = 0.0
) -> tuple[Place, Place]:
    """Let nobody look beyond what there is; return the ranges of both axes."""
    right, top = extent
    across, up = MARGIN * (right - left), MARGIN * (top - lowest)
    x, y = (left - across, right + across), (lowest - up, top + up)
    box.setLimits(
        xMin=x[0],
        xMax=x[1],
        yMin=y[0],
        yMax=y[1],
        minXRange=(right - left) / 200,
        minYRange=(top - lowest) / 200,
    )
    return x, y


def nearest_hit(shown: Sequence[Drawn], at: Place, pixel: tuple[float, float]) -> CurveHit | None:
    """The point of a curve at most `REACH` px from a place, where a pixel spans so much."""
    best, found = REACH, None
    for number, drawn in enumerate(shown):
        for lines, mean in ((drawn.lines, False), (_line_of(drawn.mean), True)):
            near = nearest_point(lines, at, pixel) if lines else None
            if near is None:
                continue
            point, away = near[0], max(0.0, near[1] - THICK) if mean else near[1]
            if away < best or (mean and away == 0 and found and not found.mean):
                best, found = away, CurveHit(number, point, mean)
    return found


def _line_of(mean: MeanCurve | None) -> Polylines | None:
    if mean is None or not len(mean.x):
        return None
    return Polylines(mean.x, mean.y, np.arange(len(mean.x)), np.array([0, len(mean.x)]))


def _alone(place: Place | None) -> tuple[list[float], list[float]]:
    return ([], []) if place is None else ([place[0]], [place[1]])


def link(plots: Sequence[CurvePlot]) -> None:
    """Zoom and move along recall together, whatever the plots' widths.

    pyqtgraph's own links would line up plots below each other by their pixels.
    """
    for plot in plots:
        plot.box.sigXRangeChanged.connect(partial(_follow_range, tuple(plots)))


def _follow_range(plots: Sequence[CurvePlot], box: pg.ViewBox, range: Place) -> None:
    for plot in plots:
        if plot.box is not box and tuple(plot.box.viewRange()[0]) != tuple(range):
            plot.box.setXRange(*range, padding=0)


class ColourScale(QWidget):
    """A quiet line of text, strip, text."""

    def __init__(self, colours: pg.ColorMap, tip: str) -> None:
        super().__init__()
        self._colours = colours
        self._levels = (0.0, 1.0)
        self.setFixedHeight(16)
        self.setMinimumWidth(110)
        self.setToolTip(tip)

    def show_levels(self, low: float, high: float) -> None:
        """Say what the ends are."""
        self._levels = low, high
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A strip of colours between two numbers."""
        with QPainter(self) as painter:
            painter.setPen(theme.quiet(self.palette()))
            metrics, height = self.fontMetrics(), self.height()
            low, high = (written(level) for level in self._levels)
            left, right = (metrics.horizontalAdvance(text) + 6 for text in (low, high))
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(self.rect(), middle | Qt.AlignmentFlag.AlignLeft, low)
            painter.drawText(self.rect(), middle | Qt.AlignmentFlag.AlignRight, high)
            strip = QRectF(left, height / 2 - 4, self.width() - left - right, 8)
            shades = QLinearGradient(QPointF(strip.left(), 0), QPointF(strip.right(), 0))
            for share in np.linspace(0, 1, 9):
                shades.setColorAt(float(share), self._colours.mapToQColor(float(share)))
            painter.fillRect(strip, shades)


STEPS = 1000  # of a slider over scores


def score_steps(scores: Floats) -> Floats:
    """The score at each step of a slider: the lowest at the end, as if everything is kept.

    Steps are shares of the spots, not of the scores, since scores may crowd anywhere.

    Parameters
    ----------
    scores : (N,) float
        NaN where there is none; infinite ones have no step.

    Returns
    -------
    (STEPS + 1,) float
        Falling; empty if no spot has a score.

    Examples
    --------
    >>> steps = score_steps(np.array([0.1, np.nan, 0.9, 0.5]))
    >>> steps[[0, 500, 1000]].tolist()
    [0.9, 0.5, 0.1]
    """
    known = scores[np.isfinite(scores)]
    if not len(known):
        return np.zeros(0)
    shares = np.linspace(1, 0, STEPS + 1)
    return np.quantile(known, shares, method="nearest")


def score_digits(low: float, high: float) -> int:
    """Tell how many digits after the point tell about ten thousand scores of this range apart.

    Examples
    --------
    >>> score_digits(0.0, 1.0), score_digits(-250.0, 1200.0), score_digits(0.5, 0.5)
    (4, 1, 4)
    """
    span = high - low
    return 4 if span <= 0 else min(10, max(1, 4 - math.floor(math.log10(span))))


def printed_score(score: float, digits: int) -> float:
    """The score with so many digits after the point, never above it: it keeps what the score keeps.

    Examples
    --------
    >>> printed_score(0.6979056, 5), printed_score(0.5, 4), printed_score(-0.12345, 3)
    (0.6979, 0.5, -0.124)
    """
    if not math.isfinite(score):
        return score
    printed = round(score, digits)
    return printed if printed <= score else round(printed - 10.0**-digits, digits)


def step_of_score(steps: Floats, score: float) -> int:
    """The slider's step that keeps what this score keeps, the last one where several do.

    Examples
    --------
    >>> step_of_score(np.array([0.9, 0.5, 0.5, 0.1]), 0.5)
    2
    >>> step_of_score(np.array([0.9, 0.5, 0.5, 0.1]), 0.95)
    0
    """
    return max(0, int(np.searchsorted(-steps, -score, side="right")) - 1)


def score_keeping(scores: Floats, kept: int) -> float | None:
    """The score at which about this many spots of all are kept; None for all of them.

    Where none is kept it lies a little above the best score.

    Examples
    --------
    >>> score_keeping(np.array([0.1, 0.9, 0.5]), 2), score_keeping(np.array([0.1, 0.9]), 2)
    (0.5, None)
    >>> score_keeping(np.array([0.1, 0.9]), 0)
    0.90001
    """
    known = np.sort(scores[~np.isnan(scores)])[::-1]
    if kept >= len(known):
        return None
    if kept > 0:
        return float(known[kept - 1])
    best, digits = float(known[0]), score_digits(float(known[-1]), float(known[0]))
    return printed_score(best, digits) + 10.0**-digits if math.isfinite(best) else best


def rank_keeping(lengths: Ints, kept: int) -> int | None:
    """The rank at which about this many spots of all are kept; None for all of them.

    Parameters
    ----------
    lengths : (Q,) int
        Of the queries' lists.

    Examples
    --------
    >>> rank_keeping(np.array([2, 5]), 6), rank_keeping(np.array([2, 5]), 7)
    (4, None)
    """
    if kept >= lengths.sum():
        return None
    ranks = np.arange(int(lengths.max(initial=0)) + 1)
    longer = len(lengths) - np.searchsorted(np.sort(lengths), ranks, side="left")
    total = np.cumsum(longer) - len(lengths)  # of rank 0 nothing
    return int(np.argmin(np.abs(total - kept)))


LARGE = 240  # px of height that the large plot keeps before others are shown
SMALL = 112  # px of height of the others, at least
SHARE = 0.34  # of the height, for the others where there is more
LEAST = 170  # px of height
GAP = 1  # px between plots


class PlotBoard(QWidget):
    """The large plot has all the room that there is, or all but a row of small ones.

    Parameters
    ----------
    plots : sequence of CurvePlot
        The first one is large at first.

    Attributes
    ----------
    in_sight : tuple of CurvePlot
        The large one, and the others where there is room for them.
    sight_changed : Signal
        Other plots are in sight.
    """

    sight_changed = Signal()

    def __init__(self, plots: Sequence[CurvePlot], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plots = tuple(plots)
        self._large = self._plots[0]
        self.in_sight: tuple[CurvePlot, ...] = (self._large,)
        for plot in self._plots:
            plot.setParent(self)
            plot.setMinimumHeight(0)
        self._title()

    @property
    def large(self) -> CurvePlot:
        """The plot that has most of the room."""
        return self._large

    def enlarge(self, plot: CurvePlot) -> None:
        """Make this plot the large one."""
        if plot is not self._large and plot in self._plots:
            self._large = plot
            self._title()
            self._place()

    def use(self, plots: Sequence[CurvePlot], large: CurvePlot) -> None:
        """Show these plots instead of others, which stay as they are."""
        if self._plots != tuple(plots):
            for plot in self._plots:
                plot.setVisible(False)
            self._plots, self._large = tuple(plots), large
            for plot in self._plots:
                plot.setParent(self)
                plot.setMinimumHeight(0)
            self._title()
            self._place()

    def sizeHint(self) -> QSize:
        """Room for all plots."""
        return QSize(420, LARGE + GAP + SMALL)

    def minimumSizeHint(self) -> QSize:
        """Room for the large plot."""
        return QSize(160, LEAST)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more or less room."""
        super().resizeEvent(event)
        self._place()

    def _title(self) -> None:
        """Only the large plot says what lies across, and those over something else."""
        for plot in self._plots:
            plot.set_titled(plot is self._large or plot.over != self._large.over)

    def _place(self) -> None:
        width, height = self.width(), self.height()
        others = [plot for plot in self._plots if plot is not self._large]
        below = max(SMALL, round(SHARE * height)) if others else 0
        if height - below - GAP < LARGE:
            below = 0
        self._large.setGeometry(0, 0, width, height - below - (GAP if below else 0))
        for number, plot in enumerate(others):
            left, right = (at * width // len(others) for at in (number, number + 1))
            plot.setVisible(below > 0)
            plot.setGeometry(QRect(left, height - below, right - left, below))
        self._large.setVisible(True)
        in_sight = self._plots if below else (self._large,)
        if in_sight != self.in_sight:
            self.in_sight = in_sight
            self.sight_changed.emit()
