"""Marks on a plot where each run or list is cut, and where it would be best cut."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import pyqtgraph as pg
from PySide6.QtGui import QBrush, QPen

from spotlab.gui.kit.colours import Colours
from spotlab.gui.kit.plots.curve_items import point_items
from spotlab.gui.kit.plots.pointed import Place
from spotlab.gui.kit.plots.shades import readable

SIZE = 10  # px
BEST = 13


class CutMarks:
    """Dots on the curve of a query; diamonds for mean end points, which no curve has to pass.

    Parameters
    ----------
    plot : pyqtgraph.PlotItem

    Attributes
    ----------
    item : pyqtgraph.ScatterPlotItem
    """

    def __init__(self, plot: pg.PlotItem) -> None:
        self.item = point_items(plot, SIZE)
        self._marks: Sequence[tuple[Place, str]] = ()
        self._mean = False
        self._behind, self._weight = "#ffffff", 1.0

    def show(self, marks: Sequence[tuple[Place, str]], mean: bool) -> None:
        """Mark these places, each in its colour."""
        self._marks, self._mean = marks, mean
        behind = self._behind
        self.item.setData(
            [place[0] for place, _ in marks],
            [place[1] for place, _ in marks],
            symbol="d" if mean else "o",
            brush=[_brush(behind if mean else readable(colour, behind)) for _, colour in marks],
            pen=[
                _pen(readable(colour, behind) if mean else behind, 2 * self._weight)
                for _, colour in marks
            ],
        )

    def paint_in(self, colours: Colours, weight: float) -> None:
        """Use the colours of the theme, and outlines of this weight."""
        self._behind, self._weight = colours.base, weight
        self.show(self._marks, self._mean)


class BestMarks:
    """A hollow star in each run's colour where its F is highest.

    Parameters
    ----------
    plot : pyqtgraph.PlotItem

    Attributes
    ----------
    item : pyqtgraph.ScatterPlotItem
    """

    def __init__(self, plot: pg.PlotItem) -> None:
        self.item = point_items(plot, BEST)
        self.item.setZValue(45)  # a mark of the cut lies on top of it
        self._marks: Sequence[tuple[Place, str]] = ()
        self._behind, self._weight = "#ffffff", 1.0

    def show(self, marks: Sequence[tuple[Place, str]]) -> None:
        """Mark these places, each in its colour."""
        self._marks = marks
        self.item.setData(
            [place[0] for place, _ in marks],
            [place[1] for place, _ in marks],
            symbol="star",
            brush=_brush(self._behind),
            pen=[_pen(readable(colour, self._behind), 1.4 * self._weight) for _, colour in marks],
        )

    def paint_in(self, colours: Colours, weight: float) -> None:
        """Use the colours of the theme, and outlines of this weight."""
        self._behind, self._weight = colours.base, weight
        self.show(self._marks)


@lru_cache(1024)
def _pen(colour: str, width: float) -> QPen:
    """Making it costs more than drawing with it."""
    pen: QPen = pg.mkPen(colour, width=width)
    return pen


@lru_cache(1024)
def _brush(colour: str) -> QBrush:
    brush: QBrush = pg.mkBrush(colour)
    return brush
