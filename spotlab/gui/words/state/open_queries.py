"""The queries that were searched or opened, one of which is current."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spotlab.gui.words.state.word_lists import WordSource
from spotlab.model import Items
from spotlab.signal import Signal

TAU = 0.7


class OpenQueries:
    """Which queries are open, and what is known of the current one.

    `Words` opens and closes them, and emits ``changed``.

    Attributes
    ----------
    sources : tuple of WordSource
    index : int
        The current query's place among them.
    """

    def __init__(self) -> None:
        self.sources: tuple[WordSource, ...] = ()
        self.index = 0
        self.changed = Signal[[]]()

    @property
    def current(self) -> WordSource | None:
        """The current query."""
        return self.sources[self.index] if self.sources else None

    @property
    def items(self) -> Items | None:
        """Everything that the lists of the current query may hold."""
        return self.current.items if self.current else None

    @property
    def title(self) -> str:
        """What was searched."""
        return self.current.title if self.current else ""

    @property
    def query(self) -> str:
        """The name of what was searched, as commands and files have it."""
        return self.current.query if self.current else ""

    @property
    def tau(self) -> float:
        """The score at which the search counts an item as a hit."""
        return self.current.tau if self.current else TAU

    def add(self, sources: Sequence[WordSource]) -> WordSource | None:
        """Add queries, and make the first of them current.

        A query that is open already is replaced where it stands.

        Returns
        -------
        WordSource or None
            The current query as it was before, if it is the same one searched again.
        """
        before = self.current
        by_name = {_name(source): source for source in (*self.sources, *sources)}
        self.sources = tuple(by_name.values())
        self.index = list(by_name).index(_name(sources[0]))
        return before if _is_repeated(before, sources[0]) else None

    def replace(self, before: WordSource, source: WordSource) -> None:
        """Put a query in the place of another one."""
        self.sources = tuple(source if each is before else each for each in self.sources)

    def remove(self, index: int) -> None:
        """Close a query."""
        self.sources = (*self.sources[:index], *self.sources[index + 1 :])

    def clear(self, *, searched_only: bool = False) -> None:
        """Close all queries; or only those that were searched, not lists of files."""
        kept = tuple(each for each in self.sources if each.imported is not None)
        self.sources, self.index = kept if searched_only else (), 0

    def between(self, items: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """(K, K) the scores of items with each other; None where they are not known."""
        evidence = self.current.evidence if self.current else None
        if evidence is None or evidence.between is None:
            return None
        among = evidence.between.among(np.asarray(items, np.int64))
        return among.rows(np.arange(len(among)))

    def scored(self, items: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of some items that have scores; nothing is known of what is in no list."""
        evidence = self.current.evidence if self.current else None
        return items[items < (len(evidence) if evidence else 0)]

    def on_page(self, name: str) -> NDArray[np.int64]:
        """The items on a page."""
        items = self.items
        if items is None or name not in items.pages:
            return np.zeros(0, np.int64)
        return np.flatnonzero(items.page == items.pages.index(name))


def _is_repeated(before: WordSource | None, source: WordSource) -> bool:
    """Whether a query is the one before, searched once more."""
    return before is not None and before.asked is not None and _name(before) == _name(source)


def _name(source: WordSource) -> tuple[str, str]:
    """What tells a query from the others: its place, which stays when it gets another name."""
    return ("", source.place) if source.place else (source.query, "")
