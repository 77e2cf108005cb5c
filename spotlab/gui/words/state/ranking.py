"""The lists of the current query, made in a thread.

Judgements change the figures of the lists at once. Changes made while lists are being made lead to
one more run after that, so that a slider that moves on never waits for what is out of date.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
from spotlab.gui.kit.background import Task
from spotlab.gui.kit.files import ON_DISK, KeptFile
from spotlab.gui.words.state.queries import OpenQueries
from spotlab.gui.words.state.word_search import (
    USUAL,
    USUAL_OF,
    MadeList,
    Relevance,
    WordList,
    WordSource,
    feedback_of,
    judge_lists,
    make_lists,
    relevance_of,
)
from spotlab.progress import Progress
from spotlab.ranking.displacement import average_precision
from spotlab.ranking.fusion import Choices
from spotlab.signal import Signal
from spotlab.spotting.words.search import RE_SCORING
from spotlab.studies.words.query_means import (
    QueryComparison,
    StudiedList,
    StudiedQuery,
    compare_queries,
)

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


JUDGED = 3  # right words and wrong ones, from which judgements tell the best list
Made = tuple[MadeList, ...]


class WordRanking:
    """Makes the lists as they are chosen.

    Parameters
    ----------
    queries : OpenQueries
    judgements : WordJudgements

    Attributes
    ----------
    lists : tuple of WordList
        One a column.
    choices : Choices
    feedback : bool
        Whether judgements re-rank the lists.
    changed, choices_changed, busy_changed : Signal
        Emitted when there are other lists, other choices, and when making lists begins or ends.
    """

    def __init__(self, queries: OpenQueries, judgements: WordJudgements) -> None:
        self._queries, self._judgements = queries, judgements
        self.lists: tuple[WordList, ...] = ()
        self._chosen: tuple[str, ...] | None = None
        self.choices = RE_SCORING
        self.feedback = True
        self.changed = Signal[[]]()
        self.choices_changed = Signal[[]]()
        self._making = Task(urgent=True)
        self.busy_changed = self._making.busy_changed
        self._made: Made = ()
        self._again = False
        judgements.changed.connect(self._follow_judgements)

    @property
    def busy(self) -> bool:
        """Tell whether lists are being made."""
        return self._making.busy

    @property
    def fusions(self) -> tuple[str, ...]:
        """The lists that are made of the current query."""
        return self.fusions_of(self._queries.current)

    @fusions.setter
    def fusions(self, names: tuple[str, ...]) -> None:
        self._chosen = names

    @property
    def best(self) -> WordList | None:
        """The list that is best by the truth and the judgements of the query.

        Where little is known of its words, a typed word has the list of its own scores, and one
        that was drawn that of consensus ranking. None where there are no lists.
        """
        source, judged = self._queries.current, self._judgements.relevance
        if min((judged == 1).sum(), (judged == 0).sum()) >= JUDGED and self.lists:
            found = [judged[each.ranked.item] for each in self.lists]
            right = [each[each >= 0] == 1 for each in found]
            values = [average_precision(each, int((judged == 1).sum())) or 0 for each in right]
            return self.lists[int(np.argmax(values))]
        usual = "ws" if source and source.asked and source.asked.box is None else "cr"
        return next((each for each in self.lists if each.name == usual), (None, *self.lists)[-1])

    def fusions_of(self, source: WordSource | None) -> tuple[str, ...]:
        """The lists that are made of a query: those that were chosen, else the usual ones."""
        if self._chosen is not None:
            return self._chosen
        return USUAL if source is None else USUAL_OF.get(source.scale, USUAL)

    def show_usual(self) -> None:
        """Make the lists of each query that are made before anybody chooses."""
        self._chosen = None
        self.choices_changed.emit()
        self._make()

    def clear(self) -> None:
        """Show no lists."""
        self._made, self.lists = (), ()
        self.changed.emit()

    def cancel(self) -> None:
        """Stop making lists."""
        self._making.cancel()

    def set_hit_score(self, source: WordSource, before: WordSource | None) -> None:
        """Use the score of a sure hit of a query, unless the user has chosen another one."""
        if before is None or self.choices.at_least == before.at_least:
            self.choices = replace(self.choices, at_least=source.at_least)

    def start(self) -> None:
        """Make the lists of another query."""
        self.changed.emit()
        self.choices_changed.emit()
        self._make()

    def set_choices(self, choices: Choices) -> None:
        """Make the lists with other numbers."""
        self.choices = choices
        self.choices_changed.emit()
        self._make()

    def set_feedback(self, feedback: bool) -> None:
        """Set whether judgements re-rank the lists."""
        if feedback != self.feedback:
            self.feedback = feedback
            self.choices_changed.emit()
            self._make()

    def show_fusions(self, names: Sequence[str]) -> None:
        """Make these lists."""
        if tuple(names) != self.fusions:
            self._chosen = tuple(names)
            self.choices_changed.emit()
            self._make()

    def _follow_judgements(self) -> None:
        source = self._queries.current
        assert source is not None  # judgements are about its items
        self.lists = self._judged(source)
        if self.feedback:
            self._make()

    def _judged(self, source: WordSource) -> tuple[WordList, ...]:
        said = self._judgements
        return judge_lists(source, self._made, said.relevance, said.relevant)

    def _make(self) -> None:
        source = self._queries.current
        if source is None:
            return
        if self._making.busy:
            self._again = True
            return
        self._again = False
        names, choices = self.fusions, self.choices
        if self.feedback:
            choices = feedback_of(choices, self._judgements.judged)

        def work(progress: Progress) -> Made:
            return make_lists(source, names, choices, progress)

        def done(made: Made) -> None:
            if self._queries.current is source:
                self._made = made
                self.lists = self._judged(source)
                self.changed.emit()
            if self._again or self._queries.current is not source:
                self._make()

        self._making.start(work, done=done)


@dataclass(frozen=True, eq=False)
class QueryJob:
    """A query whose lists are to be made.

    Attributes
    ----------
    source : WordSource
    judged : (N,) int8
        What the user says of its items.
    fusions : tuple of str
    choices : Choices
    threshold : float
        At which its lists are purged.
    """

    source: WordSource
    judged: Relevance
    fusions: tuple[str, ...]
    choices: Choices
    threshold: float

    @property
    def key(self) -> tuple[object, ...]:
        """The same as long as its lists are."""
        own = self.choices
        feedback = self.judged.tobytes() if len(own.relevant) else b""
        settings = (own.top, own.at_least, own.weight, own.iterations, *own.more.items())
        return self.source, self.fusions, settings, feedback


class AllQueries:
    """Makes and compares the lists of all open queries when it is asked to.

    Attributes
    ----------
    studied : tuple of StudiedQuery
        The open queries, and behind them those that no list answers.
    comparison : QueryComparison
    changed : Signal
        Both are others.
    """

    def __init__(
        self,
        queries: OpenQueries,
        judgements: WordJudgements,
        ranking: WordRanking,
        unanswered: Callable[[], Studied],
    ) -> None:
        self._queries, self._judgements, self._ranking = queries, judgements, ranking
        self.unanswered = unanswered
        self._made: dict[tuple[object, ...], Made] = {}
        self._task = Task()
        self.busy_changed = self._task.busy_changed
        self.studied: tuple[StudiedQuery, ...] = ()
        self.comparison: QueryComparison = compare_queries([])
        self.changed = Signal[[]]()

    @property
    def busy(self) -> bool:
        """Tell whether lists are being made."""
        return self._task.busy

    def jobs(self, threshold: float) -> list[QueryJob]:
        """Return what is to be made, with the choices and the threshold of the current query.

        A query whose scores are on another scale keeps its own threshold as long as the current
        one does.
        """
        current = self._queries.current
        ranking = self._ranking
        jobs = []
        for source in self._queries.sources:
            choices = ranking.choices
            if current is not None and choices.at_least == current.at_least:
                choices = replace(choices, at_least=source.at_least)
            is_own = current is not None and threshold == current.tau
            said = self._judgements
            judged = said.judged if source is current else said.keeper.of(source)
            if ranking.feedback:
                choices = feedback_of(choices, judged)
            own = source.tau if is_own else threshold
            jobs.append(QueryJob(source, judged, ranking.fusions_of(source), choices, own))
        return jobs

    def refresh(self, threshold: float, reference: str | None = None) -> None:
        """Make what has changed, and compare all of it; `changed` tells when it is there."""
        jobs, made, unanswered = self.jobs(threshold), dict(self._made), self.unanswered()

        def done(found: tuple[dict[tuple[object, ...], Made], QueryComparison, Studied]) -> None:
            self._made, self.comparison, self.studied = found
            self.changed.emit()

        self._task.start(_work, jobs, unanswered, made, reference, done=done)

    def cancel(self) -> None:
        """Make nothing more."""
        self._task.cancel()


Studied = tuple[StudiedQuery, ...]


def _work(
    jobs: Sequence[QueryJob],
    unanswered: Studied,
    made: dict[tuple[object, ...], Made],
    reference: str | None,
    progress: Progress,
) -> tuple[dict[tuple[object, ...], Made], QueryComparison, Studied]:
    kept: dict[tuple[object, ...], Made] = {}
    studied = []
    for done, job in enumerate(jobs):
        progress(done, len(jobs), "ranking queries")
        key = job.key
        kept[key] = made.get(key) or make_lists(job.source, job.fusions, job.choices)
        studied.append(study_query(job, kept[key]))
    studied += unanswered
    comparison = compare_queries([query.figures() for query in studied], reference)
    return kept, comparison, tuple(studied)


def study_query(job: QueryJob, made: Made) -> StudiedQuery:
    """A query with its lists, judged and purged."""
    source = job.source
    relevance, relevant = relevance_of(source, job.judged)
    lists = tuple(
        StudiedList(
            each.name_in_files,
            each.title,
            each.definition,
            each.ranked,
            each.average_precision,
            each.purge.at(job.threshold),
            each.purge.one_sided,
        )
        for each in judge_lists(source, made, relevance, relevant)
    )
    asked = source.asked
    place = (asked.page, asked.box) if asked is not None and asked.box is not None else None
    evidence = source.evidence
    return StudiedQuery(
        _title(source), source.items, source.truth_with(relevance, relevant), lists, place,
        evidence.between if evidence else None,
    )  # fmt: skip


def _title(source: WordSource) -> str:
    """Return what tells it from other queries of the same word."""
    is_typed = source.asked is not None and source.asked.typed
    if not source.place or is_typed or source.query == source.place:
        return source.query
    return f"{source.query} · {source.place}"
