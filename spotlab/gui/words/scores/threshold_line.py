"""The threshold on a plot of scores: a line, and a veil over what it purges."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QGraphicsItem, QGraphicsRectItem

from spotlab.gui.kit.colours import Colours
from spotlab.gui.kit.plots.pointed import Place, PointedPlot

VEIL = 165  # of 255, over what is purged


class ThresholdLine:
    """Draws the threshold.

    Parameters
    ----------
    plot : PointedPlot
    """

    def __init__(self, plot: PointedPlot) -> None:
        self._veil = QGraphicsRectItem()
        self._line = pg.InfiniteLine(angle=0)
        self._veil.setPen(Qt.PenStyle.NoPen)
        self._veil.setZValue(30)
        self._line.setZValue(45)
        for item in (self._veil, self._line):
            plot.plotItem.addItem(item, ignoreBounds=True)

    @property
    def items(self) -> tuple[QGraphicsItem, ...]:
        """What moves."""
        return self._veil, self._line

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
        self._line.setPen(pg.mkPen(colours.accent, width=2 * weight))
