"""What waits for an answer on each page; the page list shows how much."""

from __future__ import annotations

from collections.abc import Callable

from spotlab.signal import Signal


class Pending:
    """How many proposals of each page are to be answered.

    Attributes
    ----------
    count : callable
        Gives the number of proposals of a page by its index; whoever proposes replaces it.
    changed : Signal
        The numbers are others.
    """

    def __init__(self) -> None:
        self.count: Callable[[int], int] = lambda page: 0
        self.changed = Signal[[]]()
