"""Knows all timers of the window, so that a test waits for what they start and not for a time."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from PySide6 import QtCore

LONG = 1000  # ms: longer ones save, hide what was said, or look ahead

_timers: WeakSet[KnownTimer] = WeakSet()
_Timer = QtCore.QTimer


class KnownTimer(_Timer):
    """As any, and known here."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._own: int | None = None
        self.timeout.connect(self._give_back)  # before whoever starts it anew
        _timers.add(self)

    def hurry(self) -> None:
        """Run out with the next events instead of later."""
        if self.interval():
            self._own = self.interval()
            self.setInterval(0)

    def _give_back(self) -> None:
        if self._own is not None:
            self.setInterval(self._own)
            self._own = None


def know_timers() -> None:
    """Know all that are made from now on by modules that are imported from now on."""
    QtCore.QTimer = KnownTimer  # type: ignore[misc]


def hurry() -> bool:
    """Let the next of the short timers run out with the next events; False if there is none."""
    pending = [timer for timer in tuple(_timers) if _pends(timer)]
    if pending:
        min(pending, key=_Timer.remainingTime).hurry()
    return bool(pending)


def _pends(timer: KnownTimer) -> bool:
    try:
        return timer.isActive() and timer.isSingleShot() and timer.interval() < LONG
    except RuntimeError:  # Qt has deleted it
        _timers.discard(timer)
        return False
