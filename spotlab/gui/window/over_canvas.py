"""Strips that lie over the top of the canvas: what appears there never moves the page."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from spotlab.gui.canvas.canvas import Canvas

FOLLOWED = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)
OF_STRIPS = (QEvent.Type.ShowToParent, QEvent.Type.HideToParent, QEvent.Type.LayoutRequest)
LEFT = Qt.MouseButton.LeftButton


class OverCanvas(QWidget):
    """A stack of strips, each shown and hidden by itself.

    The canvas keeps its size and the page its place, whatever appears; the view is told how much is
    covered, so that what is brought into sight is not brought behind a strip. The strips give way
    to a stroke that is drawn where they are. Where the canvas is hidden, there is no page that
    could move: the strips then stand above the rest of the parent.
    """

    def __init__(self, canvas: Canvas, parent: QWidget) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self._strips: tuple[QWidget, ...] = ()
        self._placing = False
        self._around = parent
        self._column = layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        canvas.installEventFilter(self)
        parent.installEventFilter(self)
        self.place()

    def add(self, strip: QWidget) -> None:
        """Lay a strip below those that are there."""
        self._strips = (*self._strips, strip)
        self._column.addWidget(strip)
        strip.installEventFilter(self)
        self.place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the canvas and the strips; give way to a pen."""
        kind = event.type()
        if kind in (FOLLOWED if watched not in self._strips else OF_STRIPS):
            self.place()
        elif watched is self._canvas and isinstance(event, QMouseEvent):
            self._give_way(event)
        return super().eventFilter(watched, event)

    def place(self) -> None:
        """Lie over the top of the canvas, or above everything where there is no canvas."""
        if self._placing:
            return
        self._placing = True
        parent, canvas = self._around, self._canvas
        over = canvas.isVisibleTo(parent)
        width = canvas.width() if over else parent.width()
        self._column.invalidate()
        shown = any(not strip.isHidden() for strip in self._strips)
        height = self._column.totalHeightForWidth(width) if shown else 0
        if shown and height < 0:  # no strip's height depends on its width
            height = self._column.totalMinimumSize().height()
        canvas.cover(height if over else 0)
        around = parent.layout()
        if around is not None:
            around.setContentsMargins(0, 0 if over else height, 0, 0)
            around.activate()
        corner = canvas.mapTo(parent, QPoint(0, 0)) if over else QPoint(0, 0)
        width = canvas.width() if over else parent.width()  # laid out only now, perhaps
        self.setGeometry(corner.x(), corner.y(), width, height)
        self.setVisible(shown)
        self.raise_()
        self._placing = False

    def _give_way(self, event: QMouseEvent) -> None:
        """Show what is under the strips while a stroke is drawn there."""
        drawing = bool(event.buttons() & LEFT) and self._canvas.pointing.gesture is not None
        place = self._canvas.mapTo(self._around, event.position().toPoint())
        under = drawing and self.geometry().contains(place)
        shown = any(not strip.isHidden() for strip in self._strips)
        if self.isHidden() is not (under or not shown):
            self.setVisible(shown and not under)
