"""Takes the threshold's line in a plot and drags it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent

from spotlab.gui.kit.plots.pointed import PointedPlot
from spotlab.gui.words.scores.threshold_line import ThresholdLine

GRIP = 5.0  # px from the line at which it is taken
STEADY = 3.0  # px that the hand may shake before the line moves


class ThresholdDrag(QObject):
    """Filters the mouse events of a plot: those near the line are the line's.

    Parameters
    ----------
    plot : PointedPlot
    line : ThresholdLine

    Attributes
    ----------
    enabled : bool
        Whether there is something to purge.
    """

    moved = Signal(float)  # the score to which the line is dragged

    def __init__(self, plot: PointedPlot, line: ThresholdLine) -> None:
        super().__init__(plot)
        self._plot, self._line = plot, line
        self._pressed: QPointF | None = None
        self._moving = False
        self.enabled = False
        plot.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take what is about the line; the rest is the plot's."""
        if not isinstance(event, QMouseEvent):
            return False
        if event.type() == QEvent.Type.MouseButtonPress:
            return self._press(event)
        if event.type() == QEvent.Type.MouseMove:
            return self._move(event)
        if event.type() == QEvent.Type.MouseButtonRelease and self._pressed is not None:
            self._release(event)
            return True
        return False

    def _press(self, event: QMouseEvent) -> bool:
        taken = event.button() == Qt.MouseButton.LeftButton and self._is_near(event.position())
        if taken:
            self._pressed, self._moving = event.position(), False
            self._plot.setFocus(Qt.FocusReason.MouseFocusReason)
        return taken

    def _move(self, event: QMouseEvent) -> bool:
        if self._pressed is None:
            near = not event.buttons() and self._is_near(event.position())
            shape = Qt.CursorShape.SizeVerCursor if near else Qt.CursorShape.CrossCursor
            self._plot.viewport().setCursor(shape)
            return False
        away = abs(event.position().y() - self._pressed.y())
        self._moving = self._moving or away >= STEADY
        if self._moving:
            low, high = self._plot.box.viewRange()[1]  # outside of it the line would be lost
            self.moved.emit(min(max(self._plot.place_at(event.position())[1], low), high))
        return True

    def _release(self, event: QMouseEvent) -> None:
        """Where the line was not moved it was a click on what lies there."""
        self._pressed = None
        if not self._moving:
            self._plot.clicked.emit(self._plot.hit(event.position()))

    def _is_near(self, position: QPointF) -> bool:
        if not self.enabled:
            return False
        line = self._plot.place_on_viewport((0.0, self._line.threshold)).y()
        return bool(abs(position.y() - line) <= GRIP)
