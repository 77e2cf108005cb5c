"""The queries that are open in the Words workspace, and the lists made of one, in a thread.

What only judges the lists follows at once. What is asked for while lists are made is made after
that, once, so that a slider that moves on never waits for what is out of date.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from spotlab.gui.kit import background
from spotlab.gui.words.state.word_lists import (
    USUAL,
    Relevance,
    WordList,
    WordSource,
    feedback_of,
    judge_lists,
    make_lists,
    relevance_of,
)
from spotlab.model import Items, RankedList
from spotlab.progress import Progress
from spotlab.ranking.fusion import Choices
from spotlab.signal import Signal

Made = tuple[tuple[str, RankedList], ...]


class OpenWords:
    """The queries that were searched or opened, one of which is looked at.

    Attributes
    ----------
    sources : tuple of WordSource
    lists : tuple of WordList
        Of the current query, one a column.
    fusions : tuple of str
        Which lists are made.
    choices : Choices
    feedback : bool
        Whether judgements re-rank the lists.
    judged, relevance : (N,) int8
        What the user says of the items, and that together with the truth: 1 relevant, 0 not, -1
        not known.
    relevant : int
        How many relevant items there are, found or not.
    """

    def __init__(self) -> None:
        self.sources: tuple[WordSource, ...] = ()
        self.lists: tuple[WordList, ...] = ()
        self.fusions: tuple[str, ...] = USUAL
        self.choices = Choices()
        self.feedback = True
        self.judged: Relevance = np.zeros(0, np.int8)
        self.relevance: Relevance = np.zeros(0, np.int8)
        self.relevant = 0
        self.lists_changed = Signal[[]]()
        self.relevance_changed = Signal[[]]()
        self.choices_changed = Signal[[]]()
        self.sources_changed = Signal[[]]()
        self.busy_changed = Signal[[]]()
        self._current = 0
        self._made: Made = ()
        self._making: background.Job | None = None
        self._again = False

    @property
    def source(self) -> WordSource | None:
        """The query that is looked at."""
        return self.sources[self._current] if self.sources else None

    @property
    def source_index(self) -> int:
        """Its place among the queries."""
        return self._current

    @property
    def items(self) -> Items | None:
        """Everything that the lists may hold."""
        return self.source.items if self.source else None

    @property
    def title(self) -> str:
        """What was searched."""
        return self.source.title if self.source else ""

    @property
    def tau(self) -> float:
        """The score at which the search takes an item for a hit."""
        return self.source.tau if self.source else 0.7

    @property
    def busy(self) -> bool:
        """Whether lists are being made."""
        return self._making is not None

    def add_sources(self, sources: Sequence[WordSource]) -> None:
        """Look at the first of these; a query that is there already is replaced where it stands."""
        if not sources:
            return
        before = self.source
        all_of_them = {_name(each): each for each in (*self.sources, *sources)}
        self.sources = tuple(all_of_them.values())
        index = list(all_of_them).index(_name(sources[0]))
        self._look_at(index, before if _again(before, sources[0]) else None)

    def choose_source(self, index: int) -> None:
        """Look at another query."""
        self._look_at(index, None)

    def _look_at(self, index: int, before: WordSource | None) -> None:
        """Look at a query; ``before`` is the one that it was until now, searched otherwise."""
        self._current = index
        source = self.sources[index]
        self.judged = self.remembered(source)
        self.relevance, self.relevant = relevance_of(source, self.judged)
        self._made, self.lists = (), ()
        if before is None or self.choices.at_least == before.at_least:
            self.choices = replace(self.choices, at_least=source.at_least)
        self.begin(source, before)
        self.sources_changed.emit()
        self.lists_changed.emit()
        self.choices_changed.emit()
        self._make()

    def begin(self, source: WordSource, before: WordSource | None) -> None:
        """A query is looked at: another one, or the same after it was searched again."""

    def remembered(self, source: WordSource) -> Relevance:
        """(N,) what was said of its items before; -1 for nothing."""
        return np.full(len(source.items), -1, np.int8)

    def close_source(self, index: int) -> None:
        """Let go of a query."""
        self.sources = (*self.sources[:index], *self.sources[index + 1 :])
        if not self.sources:
            self.forget()
        elif index == self._current:
            self.choose_source(min(index, len(self.sources) - 1))
        else:
            self._current -= index < self._current
            self.sources_changed.emit()

    def forget(self) -> None:
        """Let go of all queries."""
        if self._making:
            self._making.cancel()
            self._making = None
        self.sources, self.lists, self._made = (), (), ()
        self._current = 0
        self.judged = self.relevance = np.zeros(0, np.int8)
        self.relevant = 0
        self.sources_changed.emit()
        self.lists_changed.emit()

    def set_choices(self, choices: Choices) -> None:
        """Make the lists with other numbers."""
        self.choices = choices
        self.choices_changed.emit()
        self._make()

    def set_feedback(self, feedback: bool) -> None:
        """Say whether judgements re-rank the lists."""
        if feedback != self.feedback:
            self.feedback = feedback
            self.choices_changed.emit()
            self._make()

    def show_fusions(self, names: Sequence[str]) -> None:
        """Make these lists."""
        if tuple(names) != self.fusions:
            self.fusions = tuple(names)
            self.choices_changed.emit()
            self._make()

    def judged_anew(self, judged: Relevance) -> None:
        """The user says this of the items now."""
        source = self.source
        assert source is not None  # judgements are about its items
        self.judged = judged
        self.relevance, self.relevant = relevance_of(source, judged)
        self.lists = judge_lists(source, self._made, self.relevance, self.relevant)
        self.relevance_changed.emit()
        if self.feedback:
            self._make()

    def _make(self) -> None:
        source = self.source
        if source is None:
            return
        if self._making:
            self._again = True
            return
        self._again = False
        names, choices = self.fusions, self.choices
        if self.feedback:
            choices = feedback_of(choices, self.judged)

        def work(progress: Progress) -> Made:
            return make_lists(source, names, choices, progress)

        self._making = background.run(
            work, done=self._after(source), failed=self._failed, urgent=True
        )
        self.busy_changed.emit()

    def _after(self, source: WordSource) -> Callable[[Made], None]:
        def done(made: Made) -> None:
            self._making = None
            if self.source is source:
                self._made = made
                self.lists = judge_lists(source, made, self.relevance, self.relevant)
                self.lists_changed.emit()
            if self._again or self.source is not source:
                self._make()
            self.busy_changed.emit()

        return done

    def _failed(self, error: Exception) -> None:
        self._making = None
        self.busy_changed.emit()
        raise error


def _again(before: WordSource | None, source: WordSource) -> bool:
    """Whether a query is the one before, searched once more."""
    return before is not None and before.asked is not None and _name(before) == _name(source)


def _name(source: WordSource) -> tuple[str, str]:
    """What tells a query from the others."""
    return source.query, source.place
