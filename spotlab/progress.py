"""Progress of long work, which also learns here that it is not wanted any more.

Long work is a plain function with a ``progress`` argument, calling ``progress(done, total, doing)``
now and then; whoever listens may raise :class:`spotlab.errors.Cancelled` from there, and does when
a signal has arrived that ends the program (`spotlab.interruption`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import Protocol, TypeVar

from spotlab.interruption import check

Item = TypeVar("Item")


class Progress(Protocol):
    """Called with the number of steps done, their total (None if unknown) and what is going on."""

    def __call__(self, done: int, total: int | None, doing: str, /) -> None: ...  # noqa: D102


def silent(_done: int, _total: int | None, _doing: str) -> None:
    """Listen to nothing; cancel only when the whole program ends."""
    check()


def track(items: Iterable[Item], progress: Progress, doing: str) -> Iterator[Item]:
    """Yield the items, telling ``progress`` before each one and at the end.

    Examples
    --------
    >>> list(track("ab", lambda done, total, doing: print(done, total, doing), "reading"))
    0 2 reading
    1 2 reading
    2 2 reading
    ['a', 'b']
    """
    total = len(items) if isinstance(items, Sized) else None
    done = 0
    for item in items:
        progress(done, total, doing)
        yield item
        done += 1
    progress(done, total, doing)
