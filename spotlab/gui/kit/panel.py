"""Panels and windows in sight: live panels, their room in a dock, and their place on the screen."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

from PySide6.QtCore import QEvent, QMargins, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QScreen
from PySide6.QtWidgets import (
    QDialog,
    QDockWidget,
    QFrame,
    QScrollArea,
    QStackedLayout,
    QStyle,
    QToolTip,
    QWidget,
)

from spotlab.gui.kit import background

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
        """Tell whether its place is over another window."""
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


class InFront(QObject):
    """Follows a panel, as Qt calls one visible that is a tab behind others.

    The dock that it is in is looked for whenever the panel is shown.
    """

    changed = Signal(bool)  # whether it is now

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel)
        self._panel = panel
        self._dock: QDockWidget | None = None
        self._before_others = True
        self._was = False
        panel.installEventFilter(self)

    def __bool__(self) -> bool:
        return self._before_others and self._panel.isVisible()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice that the panel is shown or hidden."""
        if event.type() == QEvent.Type.Show:
            self._find_dock()
            self._follow(self._before_others)
        elif event.type() == QEvent.Type.Hide:
            self._tell(False)
        return super().eventFilter(watched, event)

    def _find_dock(self) -> None:
        """Hear from the dock that the panel is in whether it is behind others."""
        parent = self._panel.parentWidget()
        while parent is not None and not isinstance(parent, QDockWidget):
            parent = parent.parentWidget()
        if isinstance(parent, QDockWidget) and parent is not self._dock:
            self._dock = parent
            self._before_others = self._panel.window().rect().intersects(parent.geometry())
            parent.visibilityChanged.connect(self._follow)

    def _follow(self, before_others: bool) -> None:
        self._before_others = before_others
        self._tell(bool(self))

    def _tell(self, is_now: bool) -> None:
        was, self._was = self._was, is_now
        if is_now != was:
            self.changed.emit(is_now)


WIDEST = 270  # px that a panel may ask for, its scroll bar included
LEAST = 96  # px of height that a panel always gets


class PanelArea(QScrollArea):
    """Asks for no more than `WIDEST` × `LEAST` px, whatever is in the panel.

    The panel has all the room that there is, and is scrolled where it needs more: not more than it
    needs, as it would be with Qt's own resizing, which counts lines of text by what they want.
    """

    def __init__(self, panel: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what is in it is focused
        self._panel = panel
        self.setWidget(panel)
        panel.installEventFilter(self)

    def needed(self) -> int:
        """The height in px at which it need not be scrolled, whatever it shows."""
        return _least(self._panel).height()

    def sizeHint(self) -> QSize:
        """The panel's."""
        return self._panel.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Return what the panel needs, within bounds."""
        wanted = _least(self._panel)
        return QSize(min(wanted.width() + self._bar, WIDEST), min(wanted.height(), LEAST))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The panel needs more or less."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._fit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more or less room."""
        super().resizeEvent(event)
        self._fit()

    @property
    def _bar(self) -> int:
        return self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent, None, self)

    def _fit(self) -> None:
        panel, room = self._panel, self.maximumViewportSize()
        width = max(room.width(), _least(panel).width())
        if _least_height(panel, width) > room.height():
            width = max(room.width() - self._bar, _least(panel).width())
        panel.resize(width, max(room.height(), _least_height(panel, width)))


def _least(panel: QWidget) -> QSize:
    return panel.minimumSizeHint().expandedTo(panel.minimumSize())


def _least_height(panel: QWidget, width: int) -> int:
    """Px that all it shows needs at this width, lines of text at their fullest."""
    layout = panel.layout()
    if isinstance(layout, QStackedLayout):
        shown = layout.currentWidget()
        return _least_height(shown, width) if shown is not None else 0
    if layout is None or not layout.hasHeightForWidth():
        return _least(panel).height()
    return layout.totalMinimumHeightForWidth(width)


class Connectable(Protocol):
    """A signal, spotlab's own or Qt's."""

    def connect(self, listener: Callable[..., object], /) -> object:
        """Call ``listener`` from now on."""


class LivePanel(QWidget):
    """Calls `draw` when the panel comes into sight, and soon after a change while it is there.

    A tab behind others is not in sight, though Qt calls it visible. A subclass

    - implements `draw`: show everything as it is now;
    - names the signals after which it is drawn: ``self.redraw_on(runs_changed, query_changed)``;
    - names what follows a frequent signal at once, without drawing all of it, such as the marks
      that a slider moves: ``self.follow(cut_changed, self._follow_cut)``. It is not called while
      the panel is out of sight, so `draw` calls it, too;
    - may override `paint_in_theme` (colours of its plots), which is called when the palette or the
      font changes; `draw` follows. The subclass itself calls it once, at the end of ``__init__``;
    - may override `is_empty`, where it holds what would be forgotten, and `is_wanted`, where it is
      needed out of sight, or not yet ready to be drawn.

    `refresh` draws at once, `refresh_soon` after ``delay``.

    Parameters
    ----------
    parent : QWidget or None
    delay : int
        Time in ms from the first change until the panel is drawn; ``settle``: from the last one.

    Attributes
    ----------
    outdated : bool
        Whether something has changed since the panel was drawn.
    """

    def __init__(
        self, parent: QWidget | None = None, *, delay: int = 0, settle: bool = False
    ) -> None:
        super().__init__(parent)
        self.outdated = True
        self._in_front = InFront(self)
        self._in_front.changed.connect(self.refresh)
        self._in_front.changed.connect(_follow_sight)
        self._settle = settle
        self._timer = QTimer(self, singleShot=True, interval=delay)
        self._timer.timeout.connect(self.refresh)

    def draw(self) -> None:
        """Show everything as it is now."""
        raise NotImplementedError

    def paint_in_theme(self) -> None:
        """Use the colours of the palette; nothing to do unless the panel paints by itself."""

    def is_wanted(self) -> bool:
        """Tell whether `refresh` draws now; otherwise it waits until the panel is in sight."""
        return bool(self._in_front) or self.is_empty()

    def is_empty(self) -> bool:
        """Tell whether there is nothing to show; what was shown is then let go of."""
        return False

    def refresh(self, *_: object) -> None:
        """Bring the panel up to date now, if it is wanted."""
        self._timer.stop()
        if self.is_wanted():
            self.outdated = False
            self.draw()

    def refresh_soon(self, *_: object) -> None:
        """Bring the panel up to date once for several changes."""
        self.outdated = True
        if self._settle or not self._timer.isActive():
            self._timer.start()

    def redraw_on(self, *signals: Connectable) -> None:
        """Draw the panel soon after each of these signals."""
        for signal in signals:
            signal.connect(self.refresh_soon)

    def follow(self, signal: Connectable, slot: Callable[[], object]) -> None:
        """Call ``slot`` at each of these signals while the panel is in sight."""
        signal.connect(partial(self._call_in_sight, slot))

    def _call_in_sight(self, slot: Callable[[], object], *_: object) -> None:
        if self._in_front:
            slot()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.paint_in_theme()
            self.refresh_soon()  # Qt is going through the widgets: none may be made anew now


def _follow_sight(in_front: bool) -> None:
    """Compute what a panel shows when it comes into sight; close the tooltip of one that leaves."""
    if in_front:
        background.await_work()
    else:
        QToolTip.hideText()
