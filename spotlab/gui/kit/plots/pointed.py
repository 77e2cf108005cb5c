"""What all plots do with the pointer: they say what it is at and what is clicked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit.colours import Colours

pg.setConfigOption("mouseRateLimit", -1)  # Qt leaves out what comes too fast

Place = tuple[float, float]


class PlotName(NamedTuple):
    """What a plot shows, as its picture names it; ``dash`` is None where it is no line."""

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
        """Whether the lower axis says what it is of."""
        return True

    def set_titled(self, titled: bool) -> None:
        """Let the lower axis say so, or not; of plots above each other only the last one does."""

    def hit(self, position: QPointF) -> object | None:
        """What is at a place of the viewport; None for nothing."""
        raise NotImplementedError

    def place_at(self, position: QPointF) -> Place:
        """The place of the plot that is drawn there on the viewport."""
        at = self.box.mapSceneToView(self.mapToScene(position.toPoint()))
        return float(at.x()), float(at.y())

    def place_on_viewport(self, place: Place) -> QPointF:
        """Where a place of the plot is drawn."""
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
        """Where the pointer has not moved it was a click."""
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
