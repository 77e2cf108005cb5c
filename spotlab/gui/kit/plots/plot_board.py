"""Several plots, one of them large; the others stand small below it where there is room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from spotlab.gui.kit.plots.curve_plot import CurvePlot

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
