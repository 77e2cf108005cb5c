"""A panel that is brought up to date while it is visible, once for several changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QToolTip, QWidget


class Connectable(Protocol):
    """A signal, spotlab's own or Qt's."""

    def connect(self, listener: Callable[..., object], /) -> object:
        """Call ``listener`` from now on."""


class LivePanel(QWidget):
    """Calls `draw` when the panel is shown, and soon after a change while it is visible.

    A subclass

    - implements `draw`: show everything as it is now. It may rely on being visible;
    - names the signals after which it is drawn: ``self.redraw_on(runs_changed, query_changed)``;
    - names what follows a frequent signal at once, without drawing all of it, such as the marks
      that a slider moves: ``self.follow(cut_changed, self._follow_cut)``. It is not called while
      the panel is hidden, so `draw` calls it, too;
    - may override `paint_in_theme` (colours of its plots), which is called when the palette or the
      font changes; `draw` follows. The subclass itself calls it once, at the end of ``__init__``;
    - may override `is_wanted`, where it is needed while it is hidden, or not yet ready to be drawn.

    `refresh` draws at once, `refresh_soon` after ``delay``.

    Parameters
    ----------
    parent : QWidget or None
    delay : int
        Time in ms from the first change until the panel is drawn.
    settle : bool
        Whether the time counts from the last change instead: nothing is drawn while a slider moves.

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
        """Whether `refresh` draws now; otherwise it waits until the panel is shown."""
        return self.isVisible()

    def refresh(self) -> None:
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
        """Call ``slot`` at each of these signals while the panel is visible."""
        connection = signal.connect(lambda *_: slot() if self.isVisible() else None)
        self._connections.append(connection)

    def showEvent(self, event: QShowEvent) -> None:
        """Bring the panel up to date: it is not while it is hidden."""
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """Close the tooltip of a point that is no longer visible."""
        super().hideEvent(event)
        QToolTip.hideText()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.paint_in_theme()
            self.refresh_soon()  # Qt is going through the widgets: none may be made anew now


def _disconnect(connections: list[object], *_: object) -> None:
    """End spotlab's own connections; Qt ends those of its signals by itself."""
    for connection in connections:
        if callable(connection):
            connection()
    connections.clear()
