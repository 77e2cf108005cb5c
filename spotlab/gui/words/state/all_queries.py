"""The lists of all open queries, judged as those of the current one are, made in a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from spotlab.gui.kit.task import Task
from spotlab.gui.words.state.judgements import WordJudgements
from spotlab.gui.words.state.open_queries import OpenQueries
from spotlab.gui.words.state.ranking import Made, WordRanking
from spotlab.gui.words.state.word_lists import (
    Relevance,
    WordSource,
    feedback_of,
    judge_lists,
    make_lists,
    relevance_of,
)
from spotlab.progress import Progress
from spotlab.ranking.fusion import Choices
from spotlab.signal import Signal
from spotlab.studies.words.query_means import (
    QueryComparison,
    StudiedList,
    StudiedQuery,
    compare_queries,
)


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
    comparison : QueryComparison
    changed : Signal
        Both are others.
    """

    def __init__(
        self, queries: OpenQueries, judgements: WordJudgements, ranking: WordRanking
    ) -> None:
        self._queries, self._judgements, self._ranking = queries, judgements, ranking
        self._made: dict[tuple[object, ...], Made] = {}
        self._task = Task()
        self.busy_changed = self._task.busy_changed
        self.studied: tuple[StudiedQuery, ...] = ()
        self.comparison: QueryComparison = compare_queries([])
        self.changed = Signal[[]]()

    @property
    def busy(self) -> bool:
        """Whether lists are being made."""
        return self._task.busy

    def jobs(self, threshold: float) -> list[QueryJob]:
        """What is to be made, with the choices and the threshold of the current query.

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
            jobs.append(QueryJob(source, judged, ranking.fusions, choices, own))
        return jobs

    def refresh(self, threshold: float, reference: str | None = None) -> None:
        """Make what has changed, and compare all of it; `changed` tells when it is there."""
        jobs, made = self.jobs(threshold), dict(self._made)

        def done(found: tuple[dict[tuple[object, ...], Made], QueryComparison, Studied]) -> None:
            self._made, self.comparison, self.studied = found
            self.changed.emit()

        self._task.start(_work, jobs, made, reference, done=done)

    def cancel(self) -> None:
        """Make nothing more."""
        self._task.cancel()


Studied = tuple[StudiedQuery, ...]


def _work(
    jobs: Sequence[QueryJob],
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
        _name(source), source.items, source.truth_with(relevance, relevant), lists, place,
        evidence.between if evidence else None,
    )  # fmt: skip


def _name(source: WordSource) -> str:
    """What tells it from other queries of the same word."""
    is_typed = source.asked is not None and source.asked.typed
    if not source.place or is_typed or source.query == source.place:
        return source.query
    return f"{source.query} · {source.place}"
