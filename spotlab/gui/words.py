"""The state of the Words workspace: the queries, the lists of the one looked at, the judgements.

Panels read it, call its methods and listen to its signals. Lists are made in a thread; what only
cuts or judges them follows at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spotlab.gui import background
from spotlab.gui.word_crops import WordCrops
from spotlab.gui.word_lists import (
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

if TYPE_CHECKING:
    from spotlab.gui.workbench import Workbench

Made = tuple[tuple[str, RankedList], ...]


class Words:
    """The queries that were searched or opened, and the lists of one of them.

    Attributes
    ----------
    sources : tuple of WordSource
    lists : tuple of WordList
        Of the current query, one a column.
    fusions : tuple of str
        Which lists are made.
    choices : Choices
    threshold : float
        Below it lists are purged.
    feedback : bool
        Whether judgements re-rank the lists.
    item : int or None
        The chosen one of ``items``.
    judged, relevance : (N,) int8
        What the user says of the items, and that together with the truth: 1 relevant, 0 not, -1
        not known.
    relevant : int
        How many relevant items there are, found or not.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.sources: tuple[WordSource, ...] = ()
        self.lists: tuple[WordList, ...] = ()
        self.fusions: tuple[str, ...] = USUAL
        self.choices = Choices()
        self.threshold = 0.7
        self.feedback = True
        self.item: int | None = None
        self.judged: Relevance = np.zeros(0, np.int8)
        self.relevance: Relevance = np.zeros(0, np.int8)
        self.relevant = 0
        self.crops = WordCrops({})
        self.lists_changed = Signal[[]]()
        self.relevance_changed = Signal[[]]()
        self.threshold_changed = Signal[[]]()
        self.item_changed = Signal[[]]()
        self.choices_changed = Signal[[]]()
        self.sources_changed = Signal[[]]()
        self.busy_changed = Signal[[]]()
        self._current = 0
        self._made: Made = ()
        self._making: background.Job | None = None
        self._again = False
        self._undone: list[tuple[Sequence[int], Relevance]] = []
        workbench.collection.entries_changed.connect(self._find_files)

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
        """Look at the first of these; a query that is there already is replaced."""
        if not sources:
            return
        new = {source.query for source in sources}
        kept = [source for source in self.sources if source.query not in new]
        self.sources = (*kept, *sources)
        self.choose_source(len(kept))

    def choose_source(self, index: int) -> None:
        """Look at another query."""
        self._current = index
        source = self.sources[index]
        self.judged = np.full(len(source.items), -1, np.int8)
        self.relevance, self.relevant = relevance_of(source, self.judged)
        self._undone.clear()
        self._made, self.lists, self.item = (), (), None
        self.threshold = source.tau
        self.choices = replace(self.choices, at_least=source.at_least)
        self.sources_changed.emit()
        self.lists_changed.emit()
        self.item_changed.emit()
        self.choices_changed.emit()
        self.threshold_changed.emit()
        self._make()

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
        self.sources, self.lists, self._made, self.item = (), (), (), None
        self._current = 0
        self.judged = self.relevance = np.zeros(0, np.int8)
        self.relevant = 0
        self._undone.clear()
        self.sources_changed.emit()
        self.lists_changed.emit()
        self.item_changed.emit()

    def choose_item(self, item: int | None) -> None:
        """Look at one word."""
        if item != self.item:
            self.item = item
            self.item_changed.emit()

    def set_threshold(self, threshold: float) -> None:
        """Purge what scores less."""
        if threshold != self.threshold:
            self.threshold = threshold
            self.threshold_changed.emit()

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

    def judge(self, item: int, relevant: bool | None) -> None:
        """Say whether an item is what was searched; None takes that back."""
        self.judge_items([item], relevant)

    def judge_items(self, items: Sequence[int], relevant: bool | None) -> None:
        """Say it of several items, in one step."""
        value = -1 if relevant is None else int(relevant)
        chosen = [item for item in items if self.judged[item] != value]
        if chosen:
            self._undone.append((chosen, self.judged[chosen]))
            self._set_judged(chosen, np.full(len(chosen), value, np.int8))

    @property
    def may_undo(self) -> bool:
        """Whether there is a judgement to take back."""
        return bool(self._undone)

    def undo(self) -> None:
        """Take the last judgement back."""
        if self._undone:
            self._set_judged(*self._undone.pop())

    def _set_judged(self, items: Sequence[int], values: Relevance) -> None:
        source = self.source
        assert source is not None
        self.judged = self.judged.copy()  # threads may hold the old one
        self.judged[list(items)] = values
        self.keep(source, items, values)
        self._follow_relevance()
        if self.feedback:
            self._make()

    def keep(self, source: WordSource, items: Sequence[int], values: Relevance) -> None:
        """Write judgements down; nothing to do while there is no file."""

    def _follow_relevance(self) -> None:
        source = self.source
        assert source is not None
        self.relevance, self.relevant = relevance_of(source, self.judged)
        self.lists = judge_lists(source, self._made, self.relevance, self.relevant)
        self.relevance_changed.emit()

    def crop(self, item: int) -> NDArray[np.uint8] | None:
        """(h, w) grey, the picture of an item; for threads. None where there is none."""
        source = self.source
        if source is None or not 0 <= item < len(source.items):
            return None
        return self.crops.crop(source.items, item)

    def between(self, items: NDArray[np.int64]) -> NDArray[np.float64] | None:
        """(K, K) the scores of items with each other; None where they are not known."""
        evidence = self.source.evidence if self.source else None
        if evidence is None or evidence.between is None:
            return None
        among = evidence.between.among(np.asarray(items, np.int64))
        return among.rows(np.arange(len(among)))

    def _find_files(self) -> None:
        files = {entry.name: (entry.image, entry.frame) for entry in self.workbench.entries}
        if files != self.crops.files:
            self.crops = WordCrops(files)

    def _make(self) -> None:
        """Make the lists in a thread; what is asked for meanwhile is made after that, once."""
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
