"""Knows all timers of the window, so that a test waits for what they start and not for a time."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from PySide6 import QtCore

LONG = 1000  # ms: longer ones save, hide what was said, or look ahead

_timers: WeakSet[QtCore.QTimer] = WeakSet()
_Timer = QtCore.QTimer


class KnownTimer(_Timer):
    """As any, and known here."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        _timers.add(self)


def know_timers() -> None:
    """Know all that are made from now on by modules that are imported from now on."""
    QtCore.QTimer = KnownTimer  # type: ignore[misc]


def is_one_pending() -> bool:
    """Whether a short timer will fire once."""
    return any(_pends(timer) for timer in tuple(_timers))


def _pends(timer: QtCore.QTimer) -> bool:
    try:
        return timer.isActive() and timer.isSingleShot() and timer.interval() < LONG
    except RuntimeError:  # Qt has deleted it
        return False
