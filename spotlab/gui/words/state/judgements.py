"""Judgements by the user of the current query's items: relevant or not, with undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.lists.kept_lines import (
    JUDGEMENTS,
    Judged,
    Place,
    ReadJudgements,
    by_query,
    with_judgement,
    with_name,
)
from spotlab.formats.shared.shared_file import SharedFile
from spotlab.gui.kit.files import ON_DISK, KeptFile
from spotlab.gui.words.state.queries import OpenQueries
from spotlab.gui.words.state.word_search import Relevance, WordSource, relevance_of
from spotlab.signal import Signal

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


NAME = "judgements.csv"
_SAID = {1: True, 0: False, -1: None}


class JudgementKeeper:
    """Keeps the file of the open collection; the first judgement makes it.

    If it cannot be written, a message says so, and it is tried again.

    Attributes
    ----------
    changed : Signal
        Another window has judged, or another collection is open.
    """

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._file: KeptFile[Judged] | None = None
        self._alone: Judged = {}  # without a collection
        self._grouped: tuple[Judged, ReadJudgements] | None = None
        self.changed = Signal[[]]()
        workbench.collection_changed.connect(self._use)
        self._use()

    @property
    def path(self) -> Path | None:
        """Tell where the file is, or will be; None without a collection."""
        folder = self._workbench.collection.folder
        return None if folder is None else folder / NAME

    def of(self, source: WordSource) -> Relevance:
        """(N,) what was said of a query's items: 1 relevant, 0 not, -1 nothing."""
        return self._by_query().of(source.query, source.items)

    def judged(self) -> dict[str, dict[Place, bool]]:
        """Return what was said, by query and place, whether it could be written or not."""
        return {query: dict(own) for query, own in self._by_query().judged.items()}

    def rename(self, query: str, name: str, *, keep: bool = False) -> None:
        """Give what was said of a query to another name; ``keep``: to both."""
        self._set(with_name(self._value, query, name, keep=keep))

    def keep(self, source: WordSource, items: NDArray[np.int64], values: Relevance) -> None:
        """Write down what is said of these items."""
        judged = self._value
        for item, value in zip(items.tolist(), values.tolist(), strict=True):
            judged = with_judgement(judged, source.query, source.items, item, _SAID[value])
        self._set(judged)

    @property
    def _value(self) -> Judged:
        return self._alone if self._file is None else self._file.value

    def _set(self, judged: Judged) -> None:
        if self._file is None:
            self._alone = judged
        else:
            self._file.set(judged)

    def _by_query(self) -> ReadJudgements:
        judged = self._value
        if self._grouped is None or self._grouped[0] is not judged:
            self._grouped = judged, ReadJudgements(by_query(judged))
        return self._grouped[1]

    def _use(self) -> None:
        """Another collection is open: what was said of its words comes back."""
        if self._file is not None:
            self._file.close()
        self._file, self._alone = None, {}
        path = self.path
        if path is not None:
            file: SharedFile[Judged] = SharedFile(path, JUDGEMENTS, beside_data=True)
            self._file = KeptFile(file, self._workbench.said.emit, waits=ON_DISK)
            self._file.changed.connect(self.changed.emit)
            self._file.open()
        self.changed.emit()


@dataclass(frozen=True, eq=False)
class _Step:
    """A step that can be undone: what was said of items before and after."""

    items: NDArray[np.int64]
    before: Relevance
    after: Relevance

    def renumbered(self, now: Sequence[int]) -> _Step:
        """The same step where items have these numbers now; -1 for those that are gone."""
        items = np.array([now[item] for item in self.items.tolist()], np.int64)
        there = items >= 0
        return _Step(items[there], self.before[there], self.after[there])


class WordJudgements:
    """Judges items, and takes that back.

    Parameters
    ----------
    queries : OpenQueries
    keeper : JudgementKeeper
        The file where judgements are kept.

    Attributes
    ----------
    judged, relevance : (N,) int8
        What the user says of the items, and that together with the truth: 1 relevant, 0 not, -1
        not known.
    relevant : int
        How many relevant items there are, found or not.
    """

    def __init__(self, queries: OpenQueries, keeper: JudgementKeeper) -> None:
        self._queries, self.keeper = queries, keeper
        self.judged: Relevance = np.zeros(0, np.int8)
        self.relevance: Relevance = np.zeros(0, np.int8)
        self.relevant = 0
        self.changed = Signal[[]]()
        self._done: list[_Step] = []
        self._undone: list[_Step] = []
        keeper.changed.connect(self._read_again)

    def _read_again(self) -> None:
        """Another window has judged words."""
        source = self._queries.current
        if source is not None:
            before = self.judged
            self.read(source)
            if not np.array_equal(before, self.judged):
                self.changed.emit()

    def read(self, source: WordSource) -> None:
        """Use what was said of a query's items in this or an earlier session."""
        self.judged = self.keeper.of(source)
        self.relevance, self.relevant = relevance_of(source, self.judged)

    def retell(self, source: WordSource) -> None:
        """The truth says other things of the current query's items."""
        self.relevance, self.relevant = relevance_of(source, self.judged)
        self.changed.emit()

    def clear(self) -> None:
        """There are no items."""
        self.judged = self.relevance = np.zeros(0, np.int8)
        self.relevant = 0

    def clear_steps(self) -> None:
        """Let nothing be undone."""
        self._done, self._undone = [], []

    def renumber_steps(self, now: Sequence[int]) -> None:
        """Items have these numbers now; -1 for those that are gone."""
        self._done = [step.renumbered(now) for step in self._done]
        self._undone = [step.renumbered(now) for step in self._undone]

    def judge(self, item: int, relevant: bool | None) -> None:
        """Say whether an item is what was searched; None takes that back."""
        self.judge_items([item], relevant)

    def judge_items(self, items: Sequence[int], relevant: bool | None) -> None:
        """Say it of several items, in one step."""
        value = -1 if relevant is None else int(relevant)
        chosen = np.array([item for item in items if self.judged[item] != value], np.int64)
        if len(chosen):
            after = np.full(len(chosen), value, np.int8)
            self._done.append(_Step(chosen, self.judged[chosen], after))
            self._undone = []
            self._set(chosen, after)

    @property
    def last(self) -> object:
        """Return what undo would take back; None where there is nothing."""
        return self._done[-1] if self._done else None

    @property
    def may_undo(self) -> bool:
        """Tell whether there is a judgement to take back."""
        return bool(self._done)

    @property
    def may_redo(self) -> bool:
        """Tell whether a judgement was taken back."""
        return bool(self._undone)

    def undo(self) -> None:
        """Take the last judgement back."""
        if self._done:
            step = self._done.pop()
            self._undone.append(step)
            self._set(step.items, step.before)

    def redo(self) -> None:
        """Judge again what was taken back last."""
        if self._undone:
            step = self._undone.pop()
            self._done.append(step)
            self._set(step.items, step.after)

    def _set(self, items: NDArray[np.int64], values: Relevance) -> None:
        judged = self.judged.copy()  # threads may hold the old one
        judged[items] = values
        source = self._queries.current
        assert source is not None  # the items are its
        self.keeper.keep(source, items, values)
        self.judged = judged
        self.relevance, self.relevant = relevance_of(source, judged)
        self.changed.emit()
