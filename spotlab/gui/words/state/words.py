"""The state of the Words workspace: the lists of a query, what is chosen in them, what is judged.

Panels read it, call its methods and listen to its signals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.lists.judgements import place_of
from spotlab.gui.pages.word_crops import WordCrops
from spotlab.gui.words.state.judgements import Judgements
from spotlab.gui.words.state.open_words import OpenWords
from spotlab.gui.words.state.word_lists import Relevance, WordSource
from spotlab.gui.words.state.word_search import WordSearching
from spotlab.signal import Signal
from spotlab.spotting.words.query import WordQuery

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


@dataclass(frozen=True, eq=False)
class _Judging:
    """A step that can be taken back: what was said of items before and after."""

    items: NDArray[np.int64]
    before: Relevance
    after: Relevance

    def among(self, now: Sequence[int]) -> _Judging:
        """The same step where items have these numbers now; -1 for those that are gone."""
        items = np.array([now[item] for item in self.items.tolist()], np.int64)
        there = items >= 0
        return _Judging(items[there], self.before[there], self.after[there])


class Words(OpenWords):
    """The open queries, and what is chosen and judged in the lists of one.

    Attributes
    ----------
    searching : WordSearching
    threshold : float
        Below it lists are purged.
    item : int or None
        The chosen one of ``items``.
    crops : WordCrops
    judgements : Judgements
        The file where they are kept.
    """

    def __init__(self, workbench: Workbench) -> None:
        super().__init__()
        self.workbench = workbench
        self.threshold = 0.7
        self.item: int | None = None
        self.crops = WordCrops({})
        self.judgements = Judgements(workbench)
        self.threshold_changed = Signal[[]]()
        self.item_changed = Signal[[]]()
        self._done: list[_Judging] = []
        self._undone: list[_Judging] = []
        self.searching = WordSearching(workbench)
        self.searching.found.connect(lambda source: self.add_sources([source]))
        workbench.collection_changed.connect(self.forget)
        workbench.collection.entries_changed.connect(self._find_files)

    def begin(self, source: WordSource, before: WordSource | None) -> None:
        """A query is looked at; of the same searched again everything stays that still can."""
        if before is None:
            self._done, self._undone = [], []
            self.choose_item(None)
            self.set_threshold(source.tau)
            return
        places = {place_of(source.items, item): item for item in range(len(source.items))}
        now = [places.get(place_of(before.items, item), -1) for item in range(len(before.items))]
        self._done = [step.among(now) for step in self._done]
        self._undone = [step.among(now) for step in self._undone]
        item = -1 if self.item is None else now[self.item]
        self.item = None  # the number of another item now
        self.item_changed.emit()
        self.choose_item(None if item < 0 else item)
        if self.threshold == before.tau:
            self.set_threshold(source.tau)

    def forget(self) -> None:
        """Let go of all queries."""
        self._done, self._undone = [], []
        self.choose_item(None)
        super().forget()

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

    def judge(self, item: int, relevant: bool | None) -> None:
        """Say whether an item is what was searched; None takes that back."""
        self.judge_items([item], relevant)

    def judge_items(self, items: Sequence[int], relevant: bool | None) -> None:
        """Say it of several items, in one step."""
        value = -1 if relevant is None else int(relevant)
        chosen = np.array([item for item in items if self.judged[item] != value], np.int64)
        if len(chosen):
            after = np.full(len(chosen), value, np.int8)
            self._done.append(_Judging(chosen, self.judged[chosen], after))
            self._undone = []
            self._set_judged(chosen, after)

    @property
    def may_undo(self) -> bool:
        """Whether there is a judgement to take back."""
        return bool(self._done)

    @property
    def may_redo(self) -> bool:
        """Whether a judgement was taken back."""
        return bool(self._undone)

    def undo(self) -> None:
        """Take the last judgement back."""
        if self._done:
            step = self._done.pop()
            self._undone.append(step)
            self._set_judged(step.items, step.before)

    def redo(self) -> None:
        """Judge again what was taken back last."""
        if self._undone:
            step = self._undone.pop()
            self._done.append(step)
            self._set_judged(step.items, step.after)

    def remembered(self, source: WordSource) -> Relevance:
        """(N,) what was said of its items in this or an earlier start."""
        return self.judgements.of(source)

    def _set_judged(self, items: NDArray[np.int64], values: Relevance) -> None:
        judged = self.judged.copy()  # threads may hold the old one
        judged[items] = values
        source = self.source
        assert source is not None  # the items are its
        self.judgements.keep(source, items, values)
        self.judged_anew(judged)

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

    def kept(self) -> NDArray[np.bool_]:
        """(N,) which items some list keeps at the threshold; all where there is no list."""
        kept = np.zeros(len(self.relevance), np.bool_)
        for each in self.lists:
            kept[each.ranked.item[: each.kept(self.threshold)]] = True
        return kept if self.lists else ~kept

    def on_page(self, name: str) -> NDArray[np.int64]:
        """The items on a page."""
        items = self.items
        if items is None or name not in items.pages:
            return np.zeros(0, np.int64)
        return np.flatnonzero(items.page == items.pages.index(name))

    def item_at(self, x: float, y: float) -> int | None:
        """The smallest item at a place of the open page, in px; None if there is none."""
        entry, items = self.workbench.entry, self.items
        if entry is None or items is None:
            return None
        here = self.on_page(entry.name)
        left, top, right, bottom = items.boxes[here].T
        here = here[(left <= x) & (x < right) & (top <= y) & (y < bottom)]
        if not len(here):
            return None
        width, height = (items.boxes[here, 2:] - items.boxes[here, :2]).T
        return int(here[np.argmin(width * height)])

    def described(self, item: int) -> str:
        """An item in a line: what is written, whether it is right, its place in each list."""
        source = self.source
        assert source is not None  # the item is one of its
        said = {1: "✓", 0: "✗", -1: "?"}[int(self.relevance[item])]
        parts = [f"{said} {source.items.text(item) or 'text not known'}"]
        for each in self.lists:
            place = np.flatnonzero(each.ranked.item == item)
            if len(place):
                rank = int(place[0])
                parts.append(f"{each.title} {rank + 1} ({each.ranked.score[rank]:.3f})")
        return " · ".join(parts)

    def search_item(self, item: int) -> None:
        """Search the word of an item."""
        items = self.items
        if items is not None and items.page[item] >= 0:
            left, top, right, bottom = items.boxes[item].tolist()
            box = (left, top, right, bottom)
            self.searching.search(WordQuery(items.page_name(item), box, items.text(item) or ""))

    def _find_files(self) -> None:
        files = {entry.name: (entry.image, entry.frame) for entry in self.workbench.entries}
        if files != self.crops.files:
            self.crops = WordCrops(files)
