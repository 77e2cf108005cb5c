"""Figs. 9 and 10 of Rusiñol & Lladós for runs: mean curves with error bars, and growing parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit.colours import Colours
from spotlab.gui.kit.plots.axis import ShareAxis
from spotlab.gui.kit.plots.line_sample import line_pen
from spotlab.gui.kit.plots.shades import readable
from spotlab.studies.evaluate.scalability import RunScalability

EVERY = 5  # samples between two error bars
CAP = 0.012  # half a bar's end, as a share of the axis


class ErrorBarPlot(pg.PlotWidget):  # type: ignore[misc] # pyqtgraph has no types
    """Curves whose deviation is drawn as bars; nothing to be dragged."""

    def __init__(self, x: str, y: str, shares: bool = True) -> None:
        axes = {"bottom": ShareAxis("bottom", x), "left": ShareAxis("left", y)}
        super().__init__(axisItems=axes)
        self._axes = tuple(axes.values())
        self.setMenuEnabled(False)
        self.setMouseEnabled(False, False)
        self.hideButtons()
        self.setMinimumSize(230, 190)
        if shares:
            self.setRange(xRange=(0, 1), yRange=(0, 1), padding=0.03)
        self._base = "#ffffff"

    def paint_in(self, colours: Colours) -> None:
        """Take the theme's colours."""
        self._base = colours.base
        self.setBackground(colours.base)
        font = QFont(QApplication.font())
        font.setPointSizeF(font.pointSizeF() * 0.85)
        for axis in self._axes:
            axis.paint_in(colours, font)

    def draw(
        self,
        x: Sequence[float] | np.ndarray,
        y: Sequence[float] | np.ndarray,
        across: np.ndarray | None,
        up: np.ndarray | None,
        colour: str,
        dash: tuple[float, ...] = (),
        every: int = EVERY,
    ) -> None:
        """Add a curve; ``across`` and ``up`` are deviations to both sides, NaN for none."""
        pen = line_pen(readable(colour, self._base), dash, 2)
        x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
        marked = {"symbol": "o", "symbolSize": 7, "symbolBrush": pen.color()} if every == 1 else {}
        self.addItem(pg.PlotDataItem(x, y, pen=pen, connect="finite", antialias=True, **marked))
        thin = pg.mkPen(readable(colour, self._base), width=1)
        for deviation, horizontal in ((across, True), (up, False)):
            if deviation is None:
                continue
            chosen = np.flatnonzero(~np.isnan(x) & ~np.isnan(y) & ~np.isnan(deviation))[::every]
            sides = {"left": deviation[chosen], "right": deviation[chosen]}
            if not horizontal:
                sides = {"top": deviation[chosen], "bottom": deviation[chosen]}
            self.addItem(
                pg.ErrorBarItem(x=x[chosen], y=y[chosen], pen=thin, beam=CAP, **sides)
                if every > 1
                else pg.ErrorBarItem(x=x[chosen], y=y[chosen], pen=thin, **sides)
            )


def draw_run(
    plots: tuple[ErrorBarPlot, ErrorBarPlot, ErrorBarPlot],
    run: RunScalability,
    recalls: np.ndarray,
    colour: str,
    dash: tuple[float, ...] = (),
) -> None:
    """Add a run to the plots of P over R, of F over r, and of what is recognised (Fig. 10)."""
    curve, f, sizes = plots
    curve.draw(
        run.recall.centre, run.precision.centre, run.recall.deviation, run.precision.deviation,
        colour, dash,
    )  # fmt: skip
    f.draw(recalls, run.f.centre, None, run.f.deviation, colour, dash)
    rates = [np.nan if s.recognition_rate is None else s.recognition_rate for s in run.sizes]
    spread = [np.nan if s.recognition_spread is None else s.recognition_spread for s in run.sizes]
    sizes.draw(
        [s.false_positives for s in run.sizes], rates,
        np.array([s.false_positives_spread for s in run.sizes]), np.array(spread), colour, dash,
        every=1,
    )  # fmt: skip
