"""A panel that is brought up to date while it is in sight, once for several changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QToolTip, QWidget

from spotlab.gui.kit import garbage
from spotlab.gui.kit.in_front import InFront


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
        self._connections: list[object] = []
        self.destroyed.connect(partial(_disconnect, self._connections))

    def draw(self) -> None:
        """Show everything as it is now."""
        raise NotImplementedError

    def paint_in_theme(self) -> None:
        """Use the colours of the palette; nothing to do unless the panel paints by itself."""

    def is_wanted(self) -> bool:
        """Whether `refresh` draws now; otherwise it waits until the panel is in sight."""
        return bool(self._in_front) or self.is_empty()

    def is_empty(self) -> bool:
        """Whether there is nothing to show; it lets go of what it has shown then, out of sight."""
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
            self._connections.append(signal.connect(self.refresh_soon))

    def follow(self, signal: Connectable, slot: Callable[[], object]) -> None:
        """Call ``slot`` at each of these signals while the panel is in sight."""
        connection = signal.connect(lambda *_: slot() if self._in_front else None)
        self._connections.append(connection)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.paint_in_theme()
            self.refresh_soon()  # Qt is going through the widgets: none may be made anew now


def _follow_sight(in_front: bool) -> None:
    """What comes into sight computes what it shows; the tooltip of what leaves is closed."""
    if in_front:
        garbage.await_work()
    else:
        QToolTip.hideText()


def _disconnect(connections: list[object], *_: object) -> None:
    """End spotlab's own connections; Qt ends those of its signals by itself."""
    for connection in connections:
        if callable(connection):
            connection()
    connections.clear()
