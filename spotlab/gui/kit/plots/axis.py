"""An axis of shares: few round numbers, quiet, with faint lines across the plot."""

from __future__ import annotations

import html

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QGraphicsSceneResizeEvent

from spotlab.gui.kit.colours import Colours

GRID = 90  # of 255
EDGE = 7  # px
LONGEST = 4  # letters of a number; longer ones lose the 0 before the point, as in tables


class ShareAxis(pg.AxisItem):  # type: ignore[misc] # pyqtgraph has no types
    """Ticks as 0, 0.5, 1."""

    def __init__(self, side: str, title: str) -> None:
        super().__init__(side)
        self.title = title
        self.titled = True
        self.enableAutoSIPrefix(False)
        self.setStyle(
            tickLength=0,
            maxTickLevel=0,
            maxTextLevel=0,
            tickTextOffset=5,
            hideOverlappingLabels=False,
        )
        self.setGrid(GRID)
        self.setZValue(-1000)  # the lines lie behind the curves

    def paint_in(self, colours: Colours, font: QFont, weight: float = 1.0) -> None:
        """Take the theme's colours."""
        self.setPen(pg.mkPen(colours.line, width=weight))
        self.setTextPen(pg.mkPen(colours.quiet))
        self.setTickFont(font)
        points = f"{font.pointSizeF():g}pt"
        self.setLabel(html.escape(self.title), **{"color": colours.quiet, "font-size": points})
        metrics = QFontMetricsF(font)
        if self.orientation == "left":
            self.setWidth(metrics.horizontalAdvance("0.005") + metrics.height() + 14)
        else:
            self.showLabel(self.titled)
            self.setHeight((2 if self.titled else 1) * metrics.height() + 8)

    def resizeEvent(self, event: QGraphicsSceneResizeEvent | None = None) -> None:
        """The title does not touch the edge."""
        super().resizeEvent(event)
        if self.orientation == "left" and self.label is not None:
            self.label.setX(self.label.x() + EDGE)

    def boundingRect(self) -> QRectF:
        """With room for the numbers at both ends: those that reach beyond it are not drawn."""
        room: QRectF = super().boundingRect().adjusted(-EDGE, -EDGE, EDGE, EDGE)
        return room

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """The numbers, with as many digits as tell them apart."""
        texts = [f"{round(value, 6) + 0:g}" for value in values]
        long = max(map(len, texts), default=0) > LONGEST
        return [text.removeprefix("0") if long and "." in text else text for text in texts]
