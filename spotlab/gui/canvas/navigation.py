"""Moves the page: by hand, by gliding to a place, and in the small map."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QObject, QPointF, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import (
    QColor,
    QImage,
    QInputDevice,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from spotlab.gui.canvas.view import SELECTED, STEP, ViewTransform, faint
from spotlab.gui.kit import theme

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
        """Tell whether the page is held and moves with the pointer."""
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


DURATION = 180  # ms
MARGIN = 48.0  # screen px between the place and the window's edge

Rectangle = tuple[float, float, float, float]


class Gliding(QObject):
    """One glide at a time; ``moved`` hears of each step of it."""

    def __init__(self, view: ViewTransform, moved: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._moved = moved
        self._way = (0.0, 0.0)
        self._gone = (0.0, 0.0)
        self._key: tuple[float, ...] = ()
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(DURATION)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._step)

    def show(self, place: Rectangle) -> None:
        """Bring a rectangle of the page (left, top, right, bottom in px) into sight."""
        self._animation.stop()
        view = self._view
        left, top, right, bottom = place
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        shown = view.points_to_view(corners)
        over = (0.0, view.covered)
        low, high = (shown.min(axis=0) - over).tolist(), (shown.max(axis=0) - over).tolist()
        room = view.uncovered
        if any(high[i] - low[i] > room[i] for i in (0, 1)):
            view.show(*place)
            self._moved()
            return
        across, down = (way_into(low[i], high[i], room[i]) for i in (0, 1))
        self._way = across, down
        if any(self._way):
            self._gone = (0.0, 0.0)
            self._key = view.key
            self._animation.start()

    def zoom(self, place: Rectangle) -> None:
        """Show a rectangle of the page as large as there is room."""
        self._animation.stop()
        self._view.zoom_on(*place)
        self._moved()

    def _step(self, share: float) -> None:
        if self._view.key != self._key:  # the user has moved it: it is theirs
            self._animation.stop()
            return
        ahead = self._way[0] * share, self._way[1] * share
        self._view.pan(ahead[0] - self._gone[0], ahead[1] - self._gone[1])
        self._gone = ahead
        self._key = self._view.key
        self._moved()


def way_into(low: float, high: float, size: float) -> float:
    """Tell how far something from ``low`` to ``high`` moves to be seen in a window from 0 to
    ``size``.

    Examples
    --------
    >>> way_into(10, 90, 500), way_into(-30, 20, 500), way_into(470, 520, 500)
    (0.0, 78.0, -68.0)
    """
    if low >= 0 and high <= size:
        return 0.0
    if high - low + 2 * MARGIN > size:
        return size / 2 - (low + high) / 2
    return MARGIN - low if low < 0 else size - MARGIN - high


_SIDE = 170  # of its longer side, screen px
_SHARE = 0.33  # of the canvas' shorter side, at most
_CORNER = 14  # from the canvas' corner, screen px


class Minimap(QWidget):
    """Shows where one is; dragging it moves the view."""

    def __init__(self, canvas: QWidget, view: ViewTransform, moved: Callable[[], object]) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._view = view
        self._moved = moved
        self._image: QImage | None = None
        self._picture = QPixmap()  # of the image, as large as it is shown
        self.wanted = True  # by the user
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setToolTip("Overview of the page; drag to move the view")

    def use(self, image: QImage | None) -> None:
        """Show another page."""
        self._image, self._picture = image, QPixmap()
        self.place()
        self.update()

    def place(self) -> None:
        """Stay in the canvas' lower right corner, smaller where the canvas is small."""
        canvas = self._canvas
        width, height = self._view.page_size
        side = min(_SIDE, _SHARE * min(canvas.width(), canvas.height()))
        share = side / max(width, height)
        self.resize(max(24, round(width * share)), max(24, round(height * share)))
        self.move(
            canvas.width() - self.width() - _CORNER, canvas.height() - self.height() - _CORNER
        )

    def offer(self, page_shown: bool) -> None:
        """It is of use only while a part of a page is out of sight."""
        left, top, right, bottom = self._view.visible()
        width, height = self._view.page_size
        whole = left <= 0 and top <= 0 and right >= width and bottom >= height
        self.setVisible(self.wanted and page_shown and not whole)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The page and a frame around what is shown."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.fillRect(self.rect(), QColor("#ffffff"))
            if self._image is not None:
                painter.drawPixmap(0, 0, self._scaled(self._image))
            theme.shade(painter, self.rect())
            share_x, share_y = self._shares()
            width, height = self._view.size
            corners = [
                self._view.to_page(x, y)
                for x, y in ((0, 0), (width, 0), (width, height), (0, height))
            ]
            frame = QPolygonF([QPointF(x * share_x, y * share_y) for x, y in corners])
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(faint(QColor(SELECTED), 36))
            painter.setPen(QPen(QColor(SELECTED), 1.5))
            painter.drawPolygon(frame)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(0, 0, 0, 120), 1))
            painter.drawRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1))

    def _scaled(self, image: QImage) -> QPixmap:
        """The page at this size; scaled once, for it is painted whenever the view moves."""
        ratio = self.devicePixelRatioF()
        size = self.size() * ratio
        if self._picture.size() != size:
            self._picture = QPixmap(size)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(QColor("#ffffff"))
            with QPainter(self._picture) as painter:
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                painter.drawImage(self.rect(), image)
        return self._picture

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Show this place."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._show(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the place under the pointer."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._show(event)

    def _show(self, event: QMouseEvent) -> None:
        share_x, share_y = self._shares()
        place = event.position()
        self._view.centre_on(place.x() / share_x, place.y() / share_y)
        self._moved()
        event.accept()

    def _shares(self) -> tuple[float, float]:
        width, height = self._view.page_size
        return self.width() / width, self.height() / height
