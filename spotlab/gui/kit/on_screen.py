"""Keeps windows on their screen, frame included; and what floats, inside of what it floats over."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QEvent, QMargins, QObject, QRect, QSize, QTimer
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import QDialog, QStyle, QWidget

_FOLLOWED = (
    QEvent.Type.Move,
    QEvent.Type.Resize,
    QEvent.Type.WindowActivate,
    QEvent.Type.WindowStateChange,
)
ARRIVAL = 300  # ms that a desktop may need to put its frame around a window


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


def centred(size: QSize, around: QRect) -> QRect:
    """A rectangle of this size with the same centre as another.

    Examples
    --------
    >>> centred(QSize(100, 50), QRect(200, 100, 400, 300))
    PySide6.QtCore.QRect(350, 225, 100, 50)
    """
    left = around.left() + (around.width() - size.width()) // 2
    top = around.top() + (around.height() - size.height()) // 2
    return QRect(left, top, size.width(), size.height())


class OnScreen(QObject):
    """Keeps a window within the part of its screen that is free for windows.

    A dialog, or any other window that has a parent, is centred over the parent's window each time
    it is shown. Windows are moved when they are shown, when the desktop has put its frame around
    them, when they are not maximised any more, and when the screen becomes another or smaller. In
    between, the user may drag them anywhere.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._margins: QMargins | None = None
        self._wanted = QRect()  # before it was made to fit
        self._given = QRect()  # so that it fits
        self._screen: QScreen | None = None
        self._arriving = QTimer(self, singleShot=True, interval=ARRIVAL)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._settle)
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

    @property
    def _floats(self) -> bool:
        """Whether its place is over another window."""
        return self._window.parentWidget() is not None or isinstance(self._window, QDialog)

    def _settle(self) -> None:
        """Fit it again, and place it anew while the desktop is still putting its frame around it.

        Positions that X11 reports in this time are within the frame, or from before it.
        """
        if self._arriving.isActive():
            self._centre()
        self.fit()

    def _centre(self) -> None:
        """Put it over its parent's window, on that window's screen.

        Qt does so for dialogs only, and not for one that has been moved, as `fit` may do.
        """
        if not self._floats:
            return
        window, parent = self._window, self._window.parentWidget()
        over = parent.window() if parent is not None else None
        over = over if over is not None and over.isVisible() else None
        screen = (over or window).screen()
        room = screen.availableGeometry()
        seen = over.frameGeometry().intersected(room) if over is not None else room
        frame = self._margins_now()
        size = window.rect().marginsAdded(frame).size()
        window.setScreen(screen)
        place = fitted(centred(size, seen if seen.isValid() else room), room)
        window.setGeometry(place.marginsRemoved(frame))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice that it is shown, framed, or on another screen."""
        if event.type() == QEvent.Type.Show and not event.spontaneous():
            watched.event(event)  # some dialogs choose their size only now
            self._arriving.start()
            self._follow_screen()
            self._margins = self._margins_now()
            self._centre()
            self.fit()
            return True
        if event.type() in _FOLLOWED and self._window.isVisible():
            left, geometry = event.type() == QEvent.Type.WindowStateChange, self._window.geometry()
            moved = self._floats and self._arriving.isActive() and geometry != self._given
            if left or moved or self._margins_now() != self._margins:
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
