"""Other people's lists: what the pages and judgements opened with them say of their items.

They stay open when other pages are: the truth of those pages then applies, and consensus methods
compare what their boxes contain there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from spotlab.errors import counted
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.lists.format import (
    QueryLists,
    ReadLists,
    in_order_of_lists,
    join_lists,
    listed_items,
)
from spotlab.formats.lists.reading import is_qrels, read_lists
from spotlab.formats.lists.trec import Qrels, judge_known, read_qrels
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.gui.kit.background import Task
from spotlab.gui.words.state.queries import OpenQueries
from spotlab.gui.words.state.word_search import KnownPages, WordSearching, WordSource, known_words
from spotlab.model import Items, RankedList
from spotlab.progress import Progress
from spotlab.ranking.fusion import stack_lists
from spotlab.ranking.list_scale import ListScale
from spotlab.signal import Signal
from spotlab.spotting.words.box_scores import BoxScores
from spotlab.studies.words.query_means import StudiedQuery
from spotlab.studies.words.ranked_lists import choose_scale, scaled_lists
from spotlab.studies.words.word_truth import evidence_of, judge_by_words, on_pages

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

# score of an item that may re-score a list; where ranks are all that is known, the first n do
AT_LEAST = {ListScale.SCORE: 0.8, ListScale.PROBABILITY: 0.5, ListScale.RANK: 0.0}


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Knowledge about the items of imported lists.

    Attributes
    ----------
    entries : tuple of PageEntry
        The open pages.
    words : Items or None
        What is written there.
    qrels : Qrels or None
        Relevance judgements that were opened.
    pages : KnownPages or None
        What was searched, which tells what boxes look like.
    """

    entries: tuple[PageEntry, ...] = ()
    words: Items | None = None
    qrels: Qrels | None = None
    pages: KnownPages | None = None


@dataclass(frozen=True)
class Opened:
    """Result of opening files."""

    sources: tuple[WordSource, ...]
    knowledge: Knowledge
    bad_lines: tuple[BadLine, ...] = ()


@dataclass(frozen=True, eq=False)
class _ImportRequest:
    """Files to be opened, and the knowledge and lists that are already available."""

    knowledge: Knowledge
    entries: tuple[PageEntry, ...]
    pages: KnownPages | None
    open: Mapping[str, QueryLists]
    paths: Sequence[Path] = field(default=())


class ImportedLists:
    """Opens lists and judgements, and follows the pages.

    Attributes
    ----------
    files : tuple of tuple of Path
        What was opened together, in this order, also what is still to be read; without that of
        which no query is open any more.
    opened : Signal
        Queries with lists of files, those that were open already among them.
    renewed : Signal
        The same queries, of whose items something else is known now.
    """

    def __init__(
        self, workbench: Workbench, queries: OpenQueries, searching: WordSearching
    ) -> None:
        self._workbench, self._queries, self._searching = workbench, queries, searching
        self._knowledge = Knowledge()
        self.opened = Signal[[tuple[WordSource, ...]]]()
        self.renewed = Signal[[tuple[WordSource, ...]]]()
        self._reading = Task(workbench)
        self._waiting: list[tuple[Path, ...]] = []  # files to read; none where lists are renewed
        self._read: dict[tuple[Path, ...], frozenset[str]] = {}  # and the queries that they hold
        self._now: tuple[Path, ...] = ()  # files that are being read
        self._answered: set[str] = set()  # queries of open files, those closed again among them
        workbench.collection.entries_changed.connect(self.renew)
        searching.known_changed.connect(self.renew)
        queries.changed.connect(self._forget_closed)

    @property
    def sources(self) -> tuple[WordSource, ...]:
        """The queries that are open with lists of files."""
        return tuple(each for each in self._queries.sources if each.imported is not None)

    @property
    def files(self) -> tuple[tuple[Path, ...], ...]:
        """Return what was opened together, also what is still to be read."""
        read = self._read if self.sources else ()
        return tuple(dict.fromkeys(filter(None, (*read, self._now, *self._waiting))))

    @property
    def unanswered(self) -> tuple[StudiedQuery, ...]:
        """The queries with relevant words by the judgements that no list of a file answers.

        None where the judgements are about none of the open lists.
        """
        grades = self._knowledge.qrels.grades if self._knowledge.qrels else {}
        if not any(source.query in grades for source in self.sources):
            return ()
        return tuple(
            StudiedQuery.unanswered(name, relevant)
            for name, own in grades.items()
            if name not in self._answered and (relevant := sum(g > 0 for g in own.values()))
        )

    def open(self, paths: Sequence[Path]) -> None:
        """Read ranked lists and relevance judgements, and show the first query's lists.

        Lists of a query that is open with lists of other files stand beside these.
        """
        self._ask(tuple(paths))

    def _forget_closed(self) -> None:
        """Forget files whose queries have been closed; judgements alone are of no query."""
        names = {each.query for each in self.sources}
        self._answered = self._answered | names if names else set()
        self._read = {
            paths: queries & names
            for paths, queries in self._read.items()
            if queries & names or not queries
        }

    def renew(self) -> None:
        """Other pages are open, or more is known of them: apply it to the lists."""
        if self.sources:
            self._ask(())

    def _ask(self, paths: tuple[Path, ...]) -> None:
        if paths not in self._waiting:
            self._waiting.append(paths)
        if not self._reading.busy:
            self._next()

    def _next(self) -> None:
        """Read what waits: one after the other, since each adds to what is open by then."""
        if not self._waiting:
            return
        paths = self._now = self._waiting.pop(0)

        def done(opened: Opened) -> None:
            self._knowledge = opened.knowledge
            if paths:
                names = frozenset(each.query for each in opened.sources)
                self._read[paths], self._now = names or self._read.get(paths, names), ()
            if paths:
                self._say(opened, paths)
            if paths and opened.sources:
                self.opened.emit(opened.sources)
            elif still_open := self._still_open(opened.sources):
                self.renewed.emit(still_open)
            self._look_at_pages()
            self._next()

        def failed(error: Exception) -> None:
            self._now = ()
            self._next()
            self._reading.tell(error)

        read = open_files if paths else renew_lists
        self._reading.start(read, self._wanted(paths), done=done, failed=failed)

    def _still_open(self, sources: Sequence[WordSource]) -> tuple[WordSource, ...]:
        names = {each.query for each in self.sources}
        return tuple(each for each in sources if each.query in names)

    def _wanted(self, paths: Sequence[Path] = ()) -> _ImportRequest:
        searching = self._searching
        is_open = {
            each.imported.query: each.imported for each in self.sources if each.imported is not None
        }
        entries = self._workbench.entries
        pages = searching.known if searching.ready else None
        return _ImportRequest(self._knowledge, entries, pages, is_open, paths)

    def _look_at_pages(self) -> None:
        """Let the pages be searched for words, if lists have boxes on them."""
        names = {entry.name for entry in self._workbench.entries}
        searching = self._searching
        if searching.ready or searching.busy:
            return
        for source in self.sources:
            items = source.items
            if any(items.pages[page] in names for page in np.unique(items.page) if page >= 0):
                searching.prepare()
                return

    def _say(self, opened: Opened, paths: Sequence[Path]) -> None:
        problems = len(opened.bad_lines)
        if problems:
            first = opened.bad_lines[0]
            more = f" and {problems - 1:,} more" if problems > 1 else ""
            place = f"{paths[0].name}, line {first.line}: {first.problem}"
            self._workbench.said.emit(f"Skipped lines: {place}{more}", True)
        elif not opened.sources:
            read = len(opened.knowledge.qrels.grades) if opened.knowledge.qrels else 0
            queries = counted(read, "query")
            text = f"Relevance judgements of {queries}; open ranked lists of them"
            self._workbench.said.emit(text, False)


def open_files(wanted: _ImportRequest, progress: Progress) -> Opened:
    """Read files, put their lists beside those that are open, and judge them.

    Raises
    ------
    BadInput
        Nothing can be read of a file.
    """
    known = _known(wanted, progress)
    judging = [path for path in wanted.paths if is_qrels(path)]
    others = [path for path in wanted.paths if path not in judging]
    bad: list[BadLine] = []
    for path in judging:
        read = read_qrels(path, progress)
        grades = {**(known.qrels.grades if known.qrels else {}), **read.grades}
        known = replace(known, qrels=Qrels(grades))
        bad += read.bad_lines
    lists = read_lists(others, progress) if others else ReadLists(())
    joined = {**wanted.open} if judging else {}
    for query in lists.queries:
        before = wanted.open.get(query.query)
        name = others[0].stem
        joined[query.query] = query if before is None else join_lists(before, query, name)
    first = [query.query for query in lists.queries]
    order = [*first, *(name for name in joined if name not in first)]
    queries = [joined[name] for name in order]
    return Opened(_sources(queries, known, progress), known, (*bad, *lists.bad_lines))


def renew_lists(wanted: _ImportRequest, progress: Progress) -> Opened:
    """Judge the lists that are open by what is known now; nothing where that is as before."""
    known = _known(wanted, progress)
    before = wanted.knowledge
    if known.words is before.words and known.pages is before.pages:
        return Opened((), known)
    return Opened(_sources(list(wanted.open.values()), known, progress), known)


def _known(wanted: _ImportRequest, progress: Progress) -> Knowledge:
    """Return what is known now: the truth is read where other pages are open than before."""
    before = wanted.knowledge
    words = before.words
    if wanted.pages is not None:
        words = wanted.pages.words
    elif wanted.entries != before.entries:
        words = known_words(wanted.entries, progress)
    return Knowledge(wanted.entries, words, before.qrels, wanted.pages)


def _sources(
    queries: Sequence[QueryLists], known: Knowledge, progress: Progress
) -> tuple[WordSource, ...]:
    names = [entry.name for entry in known.entries]
    judged = [_judged(in_order_of_lists(_placed(query, names)), known) for query in queries]
    scores = None
    if known.pages is not None:
        listed = [query.items.take(listed_items(query.lists)) for query in judged]
        described = BoxScores.of(known.pages.index, listed, progress)
        scores = described if any(map(described.known, listed)) else None
    scale = choose_scale(judged)
    rows = zip(queries, judged, scaled_lists(judged, scale), strict=True)
    return tuple(
        source_of(query, raw, scores, scale=scale, scaled=scaled) for raw, query, scaled in rows
    )


def _placed(query: QueryLists, names: Sequence[str]) -> QueryLists:
    """The query with its pages called as the open ones are."""
    return replace(query, items=on_pages(query.items, names))


def _judged(query: QueryLists, known: Knowledge) -> QueryLists:
    if known.qrels is not None:
        query = judge_known(query, known.qrels)
    return query if known.words is None else judge_by_words(query, known.words)


def source_of(
    lists: QueryLists,
    raw: QueryLists | None = None,
    scores: BoxScores | None = None,
    *,
    scale: ListScale = ListScale.SCORE,
    scaled: Sequence[RankedList] | None = None,
) -> WordSource:
    """The lists of files as a query whose lists can be fused.

    Parameters
    ----------
    lists : QueryLists
        As they are judged; the items that are in a list come first.
    raw : QueryLists, optional
        As they were read.
    scores : BoxScores, optional
        What the items' boxes contain.
    scale : ListScale
    scaled : sequence of RankedList, optional
        The lists on that scale; by default they are on it.
    """
    given = lists.lists if scaled is None else tuple(scaled)
    count = len(listed_items(lists.lists))
    aligned = stack_lists(given, len(lists.items))[:, :count]
    between = None
    if scores is not None:
        items = lists.items.take(np.arange(count))
        between = scores.among(items) if scores.known(items) else None
    has_evidence = len(lists.lists) > 1 or between is not None
    known = int(np.count_nonzero(lists.relevance == 1))
    return WordSource(
        lists.query or "a list",
        lists.query,
        "",
        lists.items,
        evidence_of(aligned, between, given) if has_evidence else None,
        given,
        lists.relevance,
        known if lists.relevant is None else lists.relevant,
        scale.usual_cut,
        AT_LEAST[scale],
        lists.own,
        imported=raw or lists,
        scale=scale,
        shapes=tuple(each.score for each in lists.lists),
    )
