"""Collects Python's cyclic garbage on the window's thread and on no other.

Python collects in whichever thread happens to allocate. Widgets, items and gestures hang together
in cycles, and Qt does not survive that an object of the window's thread is deleted by another.
"""

from __future__ import annotations

import gc
import time
from functools import cache

from PySide6.QtCore import QObject, QTimerEvent

from spotlab.processes import release_memory

LARGE = 100_000  # values, of which a load leaves objects that are not looked at again and again
EVERY = 100  # ms between two looks; nothing is done while little has been allocated
FULL_EVERY = 20.0  # seconds at least between two collections of everything


TURNS = 5  # times that nothing is under way after a load: what it leads to comes one by one

_spared = False  # whether a large load is not looked at
_closed = False  # whether it was closed, and nobody has looked since
_turns = 0  # that are left of these


@cache
def collect_on_this_thread() -> Collector:
    """Collect from now on where this is called first, which has to be the window's thread."""
    gc.disable()
    return Collector()


class Collector(QObject):
    """Looks now and then how much has been allocated and collects as Python itself would."""

    def __init__(self) -> None:
        super().__init__()
        self._last_full = time.monotonic()
        self.startTimer(EVERY)

    def timerEvent(self, event: QTimerEvent) -> None:
        """Collect the oldest generation whose turn it is; all, once a large load is closed."""
        global _closed  # noqa: PLW0603
        if _closed:
            _closed = False
            gc.collect()
            release_memory()
            return
        generation = self.due()
        if generation is not None:
            gc.collect(generation)

    def due(self) -> int | None:
        """The generation to collect now, if any."""
        young, middle, old = (
            count > threshold > 0
            for count, threshold in zip(gc.get_count(), gc.get_threshold(), strict=True)
        )
        if not young:
            return None
        now = time.monotonic()
        if old and now - self._last_full >= FULL_EVERY:
            self._last_full = now
            return 2
        return 1 if middle else 0


def settle_after_load(values: int) -> None:
    """Spare what a large load has left from being looked at, and give back what it needed besides.

    Parameters
    ----------
    values : int
        How many values were loaded, such as spots; nothing is done after a load of few.
    """
    global _spared, _turns  # it is the process that collects
    if values >= LARGE:
        gc.freeze()
        _spared, _turns = True, TURNS
        release_memory()


def settle_after_work() -> None:
    """Give back what work after a large load needed besides; nothing is done long after it.

    Memory that one moves a slider with stays where it is, until `await_work` says otherwise.
    """
    global _turns  # noqa: PLW0603
    if _turns:
        _turns -= 1
        release_memory()


def await_work() -> None:
    """Expect that more is computed of a large load now, as after it."""
    global _turns  # noqa: PLW0603
    if _spared:
        _turns = TURNS


def look_at_all_again() -> None:
    """Collect all soon, and give back what a large load needed: it is being closed."""
    global _spared, _closed, _turns
    if _spared:
        gc.unfreeze()
        _spared, _closed, _turns = False, True, TURNS
