"""Pan and zoom, in every tool and in the middle of a gesture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent

if TYPE_CHECKING:
    from spotlab.gui.canvas.canvas import Canvas

STEP = 1.25  # of the scale for one notch of the wheel
NOTCH = 120.0  # what Qt calls one notch


class Navigation:
    """Space and drag or the middle button pans; the wheel zooms at the pointer."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._space = False
        self._held: tuple[float, float] | None = None  # the place of the page under the pointer

    def press(self, event: QMouseEvent) -> bool:
        """Take hold of the page, if the press is for that."""
        middle = event.button() == Qt.MouseButton.MiddleButton
        if not middle and not (self._space and event.button() == Qt.MouseButton.LeftButton):
            return False
        self._held = self._canvas.view.to_page(event.position().x(), event.position().y())
        self._canvas.setCursor(Qt.CursorShape.ClosedHandCursor)
        return True

    def move(self, event: QMouseEvent) -> bool:
        """Take the page along."""
        if self._held is None:
            return False
        at = event.position().x(), event.position().y()
        self._look(self._canvas.view.holding(self._held, at))
        return True

    def release(self, event: QMouseEvent) -> bool:
        """Let go of the page."""
        if self._held is None:
            return False
        self._held = None
        self._cursor()
        return True

    def key_press(self, event: QKeyEvent) -> bool:
        """Space is held."""
        if event.key() != Qt.Key.Key_Space:
            return False
        if not event.isAutoRepeat():
            self._space = True
            self._cursor()
        return True

    def key_release(self, event: QKeyEvent) -> bool:
        """Space was let go."""
        if event.key() != Qt.Key.Key_Space:
            return False
        if not event.isAutoRepeat():
            self.let_go()
        return True

    def let_go(self) -> None:
        """No key is held any more, as when the window loses the focus."""
        self._space = False
        if self._held is None:
            self._cursor()

    def wheel(self, event: QWheelEvent) -> None:
        """A wheel zooms at the pointer; a touchpad pans, and zooms while Ctrl is held."""
        view = self._canvas.view
        zooms = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        pixels = event.pixelDelta()
        if not pixels.isNull() and not zooms:
            self._look(view.panned(pixels.x(), pixels.y()))
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            step = event.angleDelta()
            self._look(view.panned(step.y() or step.x(), 0))
        else:
            notches = event.angleDelta().y() / NOTCH
            self._zoom(STEP**notches, event.position())
        event.accept()

    def pinch(self, event: QEvent) -> bool:
        """Two fingers on a touchpad zoom."""
        if event.type() != QEvent.Type.NativeGesture or not isinstance(event, QNativeGestureEvent):
            return False
        if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
            return False
        self._zoom(1 + event.value(), event.position())
        return True

    def _zoom(self, factor: float, at: QPointF) -> None:
        self._look(self._canvas.view.zoomed(factor, (at.x(), at.y())))

    def _look(self, view) -> None:
        self._canvas.fitted = False
        self._canvas.set_view(view)

    def _cursor(self) -> None:
        canvas = self._canvas
        canvas.setCursor(Qt.CursorShape.OpenHandCursor if self._space else canvas.tool.cursor)
