"""Moving about: the wheel, pinches, trackpads, Space or the middle button, in every tool."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QInputDevice, QKeyEvent, QMouseEvent, QNativeGestureEvent, QWheelEvent

from spotlab.gui.canvas.view import STEP, ViewTransform

_NOTCH = 120.0  # of a mouse wheel, eighths of a degree
_ZOOM_IN = (Qt.Key.Key_Plus, Qt.Key.Key_Equal)
_ZOOM_OUT = (Qt.Key.Key_Minus, Qt.Key.Key_Underscore)


class Navigation:
    """Turns events into moves of the view; each method says whether the event was for it."""

    def __init__(self, view: ViewTransform, moved: Callable[[], object]) -> None:
        self._view = view
        self._moved = moved
        self._last: QPointF | None = None  # where the page was taken hold of
        self.space = False
        self._pointer = QPointF()

    @property
    def holds(self) -> bool:
        """Whether the page is held and moves with the pointer."""
        return self._last is not None

    def press(self, event: QMouseEvent) -> bool:
        """Take hold of the page."""
        left = event.button() == Qt.MouseButton.LeftButton
        if event.button() == Qt.MouseButton.MiddleButton or (left and self.space):
            self._last = event.position()
            return True
        return False

    def move(self, event: QMouseEvent) -> bool:
        """Move the page along; Space moves it also in the middle of a gesture."""
        before, self._pointer = self._pointer, event.position()
        if self._last is None:
            if not (self.space and event.buttons() & Qt.MouseButton.LeftButton):
                return False
            self._last = before
        self._view.pan(*_step(event.position(), self._last))
        self._last = event.position()
        self._moved()
        return True

    def release(self, event: QMouseEvent) -> bool:
        """Let go of the page."""
        middle = event.button() == Qt.MouseButton.MiddleButton
        if self._last is None or not (middle or event.button() == Qt.MouseButton.LeftButton):
            return middle
        self._last = None
        return True

    def key(self, event: QKeyEvent, down: bool) -> bool:
        """Space, + and -."""
        if event.key() == Qt.Key.Key_Space:
            if not event.isAutoRepeat():
                self.space = down
                if not down:
                    self._last = None
            return True
        plain = not event.modifiers() & (
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        )
        if down and plain and event.key() in (*_ZOOM_IN, *_ZOOM_OUT):
            factor = STEP if event.key() in _ZOOM_IN else 1 / STEP
            self._view.zoom_at(self._pointer.x(), self._pointer.y(), factor)
            self._moved()
            return True
        return False

    def forget(self) -> None:
        """Nothing is held any more; the window has lost the keyboard."""
        self.space = False
        self._last = None

    def wheel(self, event: QWheelEvent) -> None:
        """Zoom about the pointer; two fingers, a tilted wheel, and Shift with the wheel move."""
        place, turned = event.position(), event.angleDelta()
        held = event.modifiers()
        control = bool(held & Qt.KeyboardModifier.ControlModifier)
        fingers = (
            event.device().type() == QInputDevice.DeviceType.TouchPad
            or event.phase() != Qt.ScrollPhase.NoScrollPhase
        )
        if not control and (fingers or held & Qt.KeyboardModifier.ShiftModifier):
            step = event.pixelDelta() if fingers and not event.pixelDelta().isNull() else turned / 2
            if held & Qt.KeyboardModifier.ShiftModifier and not fingers:
                self._view.pan(step.x() + step.y(), 0)
            else:
                self._view.pan(step.x(), step.y())
        elif abs(turned.x()) > abs(turned.y()):  # a wheel that tilts
            self._view.pan(turned.x() / 2, 0)
        else:
            self._view.zoom_at(place.x(), place.y(), STEP ** (turned.y() / _NOTCH))
        self._moved()

    def native(self, event: QNativeGestureEvent) -> bool:
        """A pinch."""
        if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
            return False
        place = event.position()
        self._view.zoom_at(place.x(), place.y(), max(0.2, 1 + event.value()))
        self._moved()
        return True


def _step(to: QPointF, since: QPointF) -> tuple[float, float]:
    return to.x() - since.x(), to.y() - since.y()
