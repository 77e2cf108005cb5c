"""Which colour is which value: a strip between two numbers."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from spotlab.gui.kit import theme
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
