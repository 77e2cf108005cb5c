"""Plots side by side, and the controls that stand beside plots."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QLinearGradient, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from spotlab.arrays import Floats, Ints
from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.curve_plot import CurvePlot
from spotlab.report.figure_text import written


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
        if plot is not self._large:
            self._large = plot
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
        """Only the large plot says what lies across: it is the same for all."""
        for plot in self._plots:
            plot.set_titled(plot is self._large)

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
