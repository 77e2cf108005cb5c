"""One plot over recall or rank: mean curves with bands, thin curves behind, marks on top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Signal
from PySide6.QtGui import QFont, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit.plots.curve_items import (
    BestMarks,
    CurveItems,
    CutMarks,
    Drawn,
    nearest_point,
    point_items,
    readable,
)
from spotlab.gui.kit.plots.pointed import Place, PointedPlot, ShareAxis
from spotlab.gui.kit.plots.polylines import Polylines
from spotlab.gui.kit.theme import Colours
from spotlab.studies.evaluate.curves import MeanCurve

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

    def __init__(self, kind: str, title: str, over: str = "Recall") -> None:
        axes = {"left": ShareAxis("left", title), "bottom": ShareAxis("bottom", over)}
        super().__init__(axisItems=axes)
        self.kind, self.title = kind, title
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
        self._extent, self._lowest = (1.0, 1.0), 0.0
        self._colours: Colours | None = None
        self._weight = 1.0
        self.zoomed = False
        self.box.sigRangeChangedManually.connect(self._note_zoom)
        self.box.sigXRangeChanged.connect(self._draw_lines)
        self.reset_view()

    def set_titled(self, titled: bool) -> None:
        """Name the axis of recall or not: of plots that stand together one does."""
        self._axes[1].titled = titled
        if self._colours is not None:
            self.paint_in(self._colours, self._weight)

    @property
    def titled(self) -> bool:
        """See `set_titled`."""
        return bool(self._axes[1].titled)

    def paint_in(self, colours: Colours, weight: float = 1.0) -> None:
        """Take the theme's colours; lines are this much wider than on the screen."""
        self._colours, self._weight = colours, weight
        self.setBackground(colours.base)
        font = QFont(QApplication.font())
        font.setPointSizeF(font.pointSizeF() * 0.85)
        for axis in self._axes:
            axis.paint_in(colours, font, weight)
        self._ring.setPen(pg.mkPen(colours.text, width=2 * weight))
        self._over.setBrush(pg.mkBrush(colours.text))
        self._over.setPen(pg.mkPen(colours.base, width=1.5 * weight))
        self.curve_items.paint_in(colours, weight)
        self.cut_marks.paint_in(colours, weight)
        self.best_marks.paint_in(colours, weight)
        self.plotItem.layout.activate()

    def show_curves(self, shown: Sequence[Drawn], extent: Place, lowest: float = 0.0) -> None:
        """Draw these, the first one on top; ``extent`` is the largest recall and value."""
        self.curve_items.show(shown)
        if self._colours is not None:
            self.curve_items.paint_in(self._colours, self._weight)
        self._draw_lines()
        if (extent, lowest) != (self._extent, self._lowest):
            self._extent, self._lowest = extent, lowest
            limit_view(self.box, extent, lowest)
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
        x, y = limit_view(self.box, self._extent, self._lowest)
        self.box.setRange(xRange=x, yRange=y, padding=0)
        self.zoomed = False

    def hit(self, position: QPointF) -> CurveHit | None:
        """The curve's point at a place of the viewport."""
        return nearest_hit(
            self.curve_items.shown, self.place_at(position), self.box.viewPixelSize()
        )

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show all again."""
        super().mouseDoubleClickEvent(event)
        self.reset_view()

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


def limit_view(box: pg.ViewBox, extent: Place, lowest: float) -> tuple[Place, Place]:
    """Let nobody look beyond what there is; return the ranges of both axes."""
    right, top = extent
    across, up = MARGIN * right, MARGIN * (top - lowest)
    x, y = (-across, right + across), (lowest - up, top + up)
    box.setLimits(
        xMin=x[0],
        xMax=x[1],
        yMin=y[0],
        yMax=y[1],
        minXRange=right / 200,
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
