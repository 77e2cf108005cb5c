"""Draws the curves of a plot: exact ones, means, and the bands around means."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor

from spotlab.gui.kit.colours import Colours
from spotlab.gui.kit.plots.curve_stack import CurveStack
from spotlab.gui.kit.plots.drawn import Drawn
from spotlab.gui.kit.plots.line_sample import line_pen
from spotlab.gui.kit.plots.shades import mixed, readable

PALE = 0.38  # of thin curves, the rest is what they are drawn on
BAND = 42  # of 255


class CurveItems:
    """Makes items once and gives them other data: pyqtgraph's leak when they are made anew.

    They are not in the scene themselves, which would ask hundreds of them where they are for each
    mark that moves.

    Parameters
    ----------
    plot : pyqtgraph.PlotItem

    Attributes
    ----------
    shown : sequence of Drawn
    items : list of (curves, band, mean)
        Items of each of ``shown``, and hidden ones.
    """

    def __init__(self, plot: pg.PlotItem) -> None:
        self._stack = CurveStack()
        plot.addItem(self._stack, ignoreBounds=True)
        self.shown: Sequence[Drawn] = ()
        self.items: list[tuple[pg.PlotCurveItem, pg.PlotCurveItem, pg.PlotCurveItem]] = []
        self._painted: list[tuple[object, ...]] = []  # how each of the items looks

    def show(self, shown: Sequence[Drawn]) -> None:
        """Draw the means and bands of these, the first one on top; `draw_lines` draws the rest."""
        self.shown = shown
        while len(self.items) < len(shown):
            self.items.append(self._make_items(len(self.items)))
        for (_, band, mean), drawn in zip(self.items, self._padded(), strict=True):
            curve = drawn.mean if drawn else None
            mean.setVisible(curve is not None)
            banded = curve is not None and drawn is not None and drawn.band
            band.setVisible(banded)
            if curve is not None:
                mean.setData(curve.x, curve.y)
                if banded:
                    band.setData(*curve.band())
        self._stack.draw_again()

    def draw_lines(self, low: float, high: float, columns: int) -> None:
        """Draw exact curves from ``low`` to ``high``, thinned to this many columns."""
        for (item, _, _), drawn in zip(self.items, self._padded(), strict=True):
            lines = drawn.lines if drawn else None
            item.setVisible(lines is not None and len(lines) > 0)
            if lines is not None and len(lines):
                item.setData(*lines.thinned(low, high, columns), connect="finite")
        self._stack.draw_again()

    def heights(self, low: float, high: float) -> tuple[float, float] | None:
        """Return the lowest and highest value drawn from ``low`` to ``high``; None if none is."""
        drawn = [item.getData() for lines, _, mean in self.items for item in (lines, mean)
                 if item.isVisible() and item.getData()[0] is not None]  # fmt: skip
        if not drawn:
            return None
        x, y = (np.concatenate(of) for of in zip(*drawn, strict=True))
        inside = (x >= low) & (x <= high) & np.isfinite(y)
        known = y[inside] if inside.any() else y[np.isfinite(y)]  # a segment may lead across
        return (float(known.min()), float(known.max())) if len(known) else None

    def paint_in(self, colours: Colours, weight: float) -> None:
        """Use the colours of the theme, and lines of this weight."""
        behind = colours.base
        self._painted += [()] * (len(self.items) - len(self._painted))
        for at, ((lines, band, mean), drawn) in enumerate(
            zip(self.items, self._padded(), strict=True)
        ):
            if drawn is None:
                continue
            look = drawn.colour, drawn.dash, drawn.bold, behind, weight
            if look == self._painted[at]:  # pens cost more than what they draw
                continue
            self._painted[at] = look
            strong = readable(drawn.colour, behind)
            pale = mixed(strong, behind, PALE)
            wide, thin = line_pen(strong, drawn.dash, 2 * weight), pg.mkPen(pale, width=weight)
            lines.setPen(wide if drawn.bold else thin)
            mean.setPen(line_pen(strong, drawn.dash, 2.4 * weight))
            shade = QColor(strong)
            shade.setAlpha(BAND)
            band.setBrush(pg.mkBrush(shade))
        self._stack.draw_again()

    def _padded(self) -> list[Drawn | None]:
        """What each of the items shows."""
        return [*self.shown, *[None] * (len(self.items) - len(self.shown))]

    def _make_items(
        self, number: int
    ) -> tuple[pg.PlotCurveItem, pg.PlotCurveItem, pg.PlotCurveItem]:
        lines = pg.PlotCurveItem(antialias=True)
        band = pg.PlotCurveItem(antialias=True, pen=None, fillLevel="enclosed")
        mean = pg.PlotCurveItem(antialias=True)
        for level, item in enumerate((lines, band, mean)):
            self._stack.add(item, 10 * level - number * 0.01)
        return lines, band, mean


def point_items(plot: pg.PlotItem, size: int) -> pg.ScatterPlotItem:
    """Marks of a size in px on top of the curves of a plot."""
    marks = pg.ScatterPlotItem(
        size=size, pxMode=True, antialias=True, pen=None, brush=None, useCache=False
    )  # without its cache of pixels: pictures of it shall be lines, too
    marks.setZValue(50)
    plot.addItem(marks, ignoreBounds=True)
    return marks
