"""Keeps windows on their screen, frame included; and what floats, inside of what it floats over."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QEvent, QMargins, QObject, QRect, QTimer
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import QStyle, QWidget

_FOLLOWED = (
    QEvent.Type.Move,
    QEvent.Type.Resize,
    QEvent.Type.WindowActivate,
    QEvent.Type.WindowStateChange,
)


def fitted(wanted: QRect, room: QRect) -> QRect:
    """The rectangle that is wanted, moved into the room and made smaller where it has to be.

    Examples
    --------
    >>> fitted(QRect(0, 0, 1440, 900), QRect(0, 30, 1024, 670))
    PySide6.QtCore.QRect(0, 30, 1024, 670)
    >>> fitted(QRect(900, -50, 300, 200), QRect(0, 0, 1000, 600))
    PySide6.QtCore.QRect(700, 0, 300, 200)
    """
    size = wanted.size().boundedTo(room.size())
    left = max(room.left(), min(wanted.left(), room.left() + room.width() - size.width()))
    top = max(room.top(), min(wanted.top(), room.top() + room.height() - size.height()))
    return QRect(left, top, size.width(), size.height())


class OnScreen(QObject):
    """Sees to it that a window lies within what its screen leaves to windows.

    When it is shown, when the desktop has put its frame around it, when it is not maximised any
    more, and when the screen becomes another or smaller. In between, the user may drag it wherever
    they like.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._margins: QMargins | None = None
        self._wanted = QRect()  # before it was made to fit
        self._given = QRect()  # so that it fits
        self._screen: QScreen | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.fit)
        window.installEventFilter(self)

    def fit(self) -> None:
        """Move it and make it smaller, as far as it must."""
        window = self._window
        if window.isMaximized() or window.isFullScreen() or window.isMinimized():
            return
        frame = self._margins_now()
        if window.geometry() != self._given:
            self._wanted = window.geometry()
        outer = self._wanted.marginsAdded(frame)
        inner = fitted(outer, window.screen().availableGeometry()).marginsRemoved(frame)
        self._given = inner
        if inner != window.geometry():
            window.setGeometry(inner)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice that it is shown, framed, or on another screen."""
        if event.type() == QEvent.Type.Show and not event.spontaneous():
            self._follow_screen()
            self._margins = self._margins_now()
            self.fit()
        elif event.type() in _FOLLOWED and self._window.isVisible():
            left = event.type() == QEvent.Type.WindowStateChange
            if left or self._margins_now() != self._margins:
                self._margins = self._margins_now()
                self._soon.start()
        return super().eventFilter(watched, event)

    def _margins_now(self) -> QMargins:
        """Of the frame, or what is usual where the desktop has not made it yet."""
        handle = self._window.windowHandle()
        margins = handle.frameMargins() if handle is not None else QMargins()
        if margins.isNull():
            bar = self._window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
            return QMargins(1, bar, 1, 1)
        return margins

    def _follow_screen(self) -> None:
        handle = self._window.windowHandle()
        if handle is not None and self._screen is None:
            handle.screenChanged.connect(self._use_screen)
            self._use_screen(handle.screen())

    def _use_screen(self, screen: QScreen) -> None:
        if self._screen is not None:
            with suppress(RuntimeError):  # the screen is gone
                self._screen.availableGeometryChanged.disconnect(self._soon.start)
            self._soon.start()
        self._screen = screen
        if screen is not None:
            screen.availableGeometryChanged.connect(self._soon.start)
