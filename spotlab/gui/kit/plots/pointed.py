"""Plots that say what the pointer is at, and their axes."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import NamedTuple

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFont, QFontMetricsF, QMouseEvent
from PySide6.QtWidgets import QApplication, QGraphicsSceneResizeEvent

from spotlab.gui.kit.theme import Colours

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


pg.setConfigOption("mouseRateLimit", -1)  # Qt leaves out what comes too fast

Place = tuple[float, float]


class PlotName(NamedTuple):
    """Legend entry in the picture of a plot; ``dash`` is None where the element is not a line."""

    name: str
    colour: str
    dash: tuple[float, ...] | None = None


class PointedPlot(pg.PlotWidget):  # type: ignore[misc] # pyqtgraph has no types
    """Drag to pan, wheel to zoom; a press that does not move is a click.

    Attributes
    ----------
    box : pyqtgraph.ViewBox
        Where things are drawn.
    names : sequence of PlotName
        What is shown, for pictures.
    """

    hovered = Signal(object)  # what `hit` gives
    clicked = Signal(object)
    menu_wanted = Signal(object)  # where on the screen

    def __init__(self, **more: object) -> None:
        super().__init__(enableMenu=False, **more)
        self.setMouseTracking(True)
        self.scene().setMoveDistance(QApplication.startDragDistance())
        self.scene().minDragTime = math.inf  # a hand that only shakes drags nothing
        self.box = self.plotItem.getViewBox()
        self.plotItem.hideButtons()
        menu = self.plotItem.ctrlMenu
        menu.setParent(self, menu.windowFlags())  # or it stays when the plot goes
        self._pressed: QPointF | None = None
        self.names: Sequence[PlotName] = ()

    def paint_in(self, colours: Colours, weight: float = 1.0) -> None:
        """Take the theme's colours; lines are this much wider than on the screen."""
        raise NotImplementedError

    @property
    def titled(self) -> bool:
        """Tell whether the lower axis says what it is of."""
        return True

    def set_titled(self, titled: bool) -> None:
        """Let the lower axis say so, or not; of plots above each other only the last one does."""

    def hit(self, position: QPointF) -> object | None:
        """Return what is at a place of the viewport; None for nothing."""
        raise NotImplementedError

    def place_at(self, position: QPointF) -> Place:
        """The place of the plot that is drawn there on the viewport."""
        at = self.box.mapSceneToView(self.mapToScene(position.toPoint()))
        return float(at.x()), float(at.y())

    def place_on_viewport(self, place: Place) -> QPointF:
        """Tell where a place of the plot is drawn."""
        return QPointF(self.mapFromScene(self.box.mapViewToScene(QPointF(*place))))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what the pointer is at."""
        super().mouseMoveEvent(event)
        if not event.buttons():
            self.hovered.emit(self.hit(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """It may become a click, or a drag."""
        self._pressed = event.position()
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take a release without movement as a click."""
        super().mouseReleaseEvent(event)
        start, self._pressed = self._pressed, None
        if start is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if (event.position() - start).manhattanLength() < QApplication.startDragDistance():
            self.clicked.emit(self.hit(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer is at nothing."""
        super().leaveEvent(event)
        self.hovered.emit(None)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done with the plot."""
        self.menu_wanted.emit(event.globalPos())


class Bounds(QObject):
    """Keeps what a plot shows within two ranges, as far as the plot's shape allows it.

    Parameters
    ----------
    plot : PointedPlot
    """

    def __init__(self, plot: PointedPlot) -> None:
        super().__init__(plot)
        self._box = plot.box
        self._within: tuple[Place, Place] | None = None
        self._box.sigRangeChanged.connect(self._return)

    def show(self, x: Place, y: Place) -> None:
        """Show these ranges, and let nobody look beyond."""
        self._within = (x, y)
        self._box.setRange(xRange=x, yRange=y, padding=0)

    def _return(self, *_: object) -> None:
        """Come back from beyond: less than everything lies between its ends, more around it."""
        if self._within is None:
            return
        shown, shifts = self._box.viewRange(), []
        if all(_is_wider(*pair) for pair in zip(shown, self._within, strict=True)):
            self._box.setRange(xRange=self._within[0], yRange=self._within[1], padding=0)
            return
        for (low, high), (first, last) in zip(shown, self._within, strict=True):
            if high - low >= last - first:
                shifts.append((first + last - low - high) / 2)
            else:
                shifts.append(max(0.0, first - low) - max(0.0, high - last))
        if any(
            abs(shift) > 1e-6 * (high - low)
            for shift, (low, high) in zip(shifts, shown, strict=True)
        ):
            self._box.translateBy(x=shifts[0], y=shifts[1])


def _is_wider(shown: Place, whole: Place) -> bool:
    return shown[1] - shown[0] > 1.001 * (whole[1] - whole[0])
