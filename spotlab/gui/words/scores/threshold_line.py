"""The threshold on a plot of scores: a line that is dragged, and a veil over what it purges."""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QGraphicsRectItem

from spotlab.gui.kit.colours import Colours
from spotlab.gui.kit.plots.pointed import Place, PointedPlot

GRIP = 5.0  # px from the line at which it is taken
STEADY = 3.0  # px that the hand may shake before the line moves
VEIL = 165  # of 255, over what is purged


class ThresholdLine:
    """Draws the threshold, and drags it.

    Parameters
    ----------
    plot : PointedPlot
    moved : callable
        Called with the score to which the line is dragged.

    Attributes
    ----------
    held : bool
        Whether the line is being dragged, or pressed without having moved yet.
    """

    def __init__(self, plot: PointedPlot, moved: Callable[[float], object]) -> None:
        self._plot, self._moved = plot, moved
        self._pressed = QPointF()
        self.held = self._moving = False
        self._veil = QGraphicsRectItem()
        self._line = pg.InfiniteLine(
            angle=0, label="{value:.3f}", labelOpts={"position": 0.94, "anchors": [(1, 1), (1, 1)]}
        )
        self._veil.setPen(Qt.PenStyle.NoPen)
        self._veil.setZValue(30)
        self._line.setZValue(45)
        for item in (self._veil, self._line):
            plot.plotItem.addItem(item, ignoreBounds=True)

    @property
    def threshold(self) -> float:
        """Where the line is."""
        return float(self._line.value())

    def show(self, threshold: float, extent: Place, lowest: float) -> None:
        """Move the line; the veil covers more than a plot of this extent can be moved."""
        self._line.setValue(threshold)
        deep = lowest - 10 * (extent[1] - lowest) - 10
        wide = 10 * extent[0]
        self._veil.setRect(QRectF(-wide, deep, 2 * wide, max(0.0, threshold - deep)))

    def paint_in(self, colours: Colours, weight: float) -> None:
        """Use the colours of the theme, and a line of this weight."""
        shade = QColor(colours.base)
        shade.setAlpha(VEIL)
        self._veil.setBrush(QBrush(shade))
        self._line.setPen(pg.mkPen(colours.text, width=1.5 * weight))
        self._line.label.setColor(colours.text)

    def is_near(self, position: QPointF) -> bool:
        """Whether the line can be taken at a place of the viewport."""
        line = self._plot.place_on_viewport((0.0, self.threshold)).y()
        return bool(abs(position.y() - line) <= GRIP)

    def take(self, position: QPointF) -> None:
        """Hold the line."""
        self.held, self._moving, self._pressed = True, False, position

    def drag(self, position: QPointF) -> None:
        """Move the line that is held."""
        away = abs(position.y() - self._pressed.y())
        self._moving = self._moving or away >= STEADY
        if self._moving:
            self._moved(self._score_at(position))

    def release(self) -> bool:
        """Let go of the line; whether it was moved."""
        self.held = False
        return self._moving

    def _score_at(self, position: QPointF) -> float:
        """Never outside what the plot shows, or the line would be lost."""
        low, high = self._plot.box.viewRange()[1]
        return float(min(max(self._plot.place_at(position)[1], low), high))
