"""Knows all running timers, so that a test waits for what they start and not for a time."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from PySide6 import QtCore

LONG = 1000  # ms: longer ones save, hide what was said, or look ahead

_started: WeakSet[KnownTimer] = WeakSet()
_Timer = QtCore.QTimer


class KnownTimer(_Timer):
    """As any, and known here."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._own: int | None = None
        self.timeout.connect(self._give_back)  # before whoever starts it anew

    def start(self, *interval: int) -> None:
        """Know it until it has run out."""
        super().start(*interval)
        _started.add(self)

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
    pending = [timer for timer in tuple(_started) if _pends(timer)]
    if pending:
        min(pending, key=_Timer.remainingTime).hurry()
    return bool(pending)


def _pends(timer: KnownTimer) -> bool:
    try:
        if timer.isActive():
            return timer.isSingleShot() and timer.interval() < LONG
    except RuntimeError:  # Qt has deleted it
        pass
    _started.discard(timer)
    return False
