"""Transcribed share of the collection and the word to search next, both found in threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QTimer

from spotlab.editing.collection_step import CollectionStep, obstacles, page_key
from spotlab.editing.journal import has_journal, user_of
from spotlab.editing.session import EditingSession
from spotlab.errors import SpotlabError, counted
from spotlab.files import is_missing
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.lists.kept_lines import ListedQuery, Place, known_name, match_places, place_of
from spotlab.formats.page.read import WORD_LABEL
from spotlab.formats.truth import page_xml
from spotlab.gui.kit.background import Task
from spotlab.gui.pages.offers import Question, pages_text
from spotlab.gui.words.state.queries import KeptQueries, OpenQueries
from spotlab.gui.words.state.ranking import JudgementKeeper, WordJudgements
from spotlab.gui.words.state.word_search import KnownPages, WordSearching, WordSource, known_words
from spotlab.imaging.reading.pixels import read_header
from spotlab.model import Items, Page, Truth
from spotlab.progress import Progress, track
from spotlab.signal import Signal
from spotlab.spotting.words.frequent import (
    RELATED,
    AlikeItems,
    FrequentWord,
    WordLooks,
    frequent_words,
    lying_on,
)
from spotlab.spotting.words.word_index import WordIndex
from spotlab.studies.words.transcription import (
    COVERED,
    JudgedWord,
    WordPlan,
    covered_share,
    plan_words,
    word_step,
)
from spotlab.studies.words.word_truth import match_texts, relevance, relevant_count

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


OTHERS = "Everything else in the truth stays as it is."


@dataclass
class WrittenPage:
    """The pages with ✓ words as they are.

    Attributes
    ----------
    truths : dict of str to Truth
        By page name.
    new : dict of str to Page
        Those that have no truth file yet.
    paths : dict of str to Path
        Their truth files.
    problems : dict of str to str
        Pages that cannot be read or changed, and why.
    """

    truths: dict[str, Truth] = field(default_factory=dict)
    new: dict[str, Page] = field(default_factory=dict)
    paths: dict[str, Path] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)


class WordWriting:
    """Makes the step of words that are judged.

    Attributes
    ----------
    offered : Signal
        Emitted with the step when it is to be asked for.
    """

    def __init__(
        self,
        workbench: Workbench,
        keeper: JudgementKeeper,
        queries: OpenQueries,
        searching: WordSearching,
    ) -> None:
        self._workbench, self._keeper = workbench, keeper
        self._queries, self._searching = queries, searching
        self._task = Task(workbench, urgent=True)
        self.busy_changed = self._task.busy_changed
        self.offered = Signal[[CollectionStep]]()

    @property
    def busy(self) -> bool:
        """Tell whether pages are being looked at."""
        return self._task.busy

    def write(self, queries: Sequence[ListedQuery]) -> None:
        """Write the ✓ words of these queries; asks first. Queries without a text are left out."""
        workbench = self._workbench
        named = [query for query in queries if query.text]
        judged = judged_words(named, self._keeper.judged())
        if not judged:
            text = "Name a query first: press F2 in the list of queries"
            workbench.said.emit(text if queries else "Search a word first", True)
            return
        if workbench.labels.locked and WORD_LABEL not in workbench.labels:
            text = f"The label set is locked, and has no label “{WORD_LABEL}”: unlock it first"
            workbench.said.emit(text, True)
            return
        wanted = {word.place[0] for word in judged}
        entries = tuple(entry for entry in workbench.entries if entry.name in wanted)
        opened = {session.path: session.document.truth for session in workbench.sessions}
        sources, known = tuple(self._queries.sources), self._searching.known
        texts = known.words.texts if known is not None and known.words is not None else ()

        def work(progress: Progress) -> tuple[WrittenPage, WordPlan]:
            look = look_at_pages(entries, opened, progress)
            return look, plan_words(with_readings(judged, sources), look.truths, texts)

        self._task.start(work, done=lambda seen: self._offer(*seen))

    def _offer(self, look: WrittenPage, plan: WordPlan) -> None:
        workbench, folder = self._workbench, self._workbench.collection.folder
        if folder is None:
            return
        if not plan.count:
            workbench.said.emit(nothing_text(plan, look.problems), bool(plan.differences))
            return
        author = workbench.author.name or "spotlab"
        step = word_step(
            plan,
            look.new,
            look.paths,
            page_key(folder / "labels").parent,
            workbench.labels,
            author,
            datetime.now(UTC),
        )
        self.offered.emit(step)
        workbench.collection_steps.offer(write_question(plan, look.problems), step)


def judged_words(
    queries: Sequence[ListedQuery], judged: Mapping[str, Mapping[Place, bool]]
) -> list[JudgedWord]:
    """The ✓ words of queries, and last where the queries themselves are drawn."""
    words = [
        JudgedWord(query.text, place, query.typed and not query.is_named)
        for query in queries
        for place, relevant in judged.get(known_name(query.name, judged), {}).items()
        if relevant
    ]
    drawn = [JudgedWord(query.text, query.place) for query in queries if not query.typed]
    return [*words, *drawn]


def with_readings(judged: Sequence[JudgedWord], sources: Sequence[WordSource]) -> list[JudgedWord]:
    """The words that were typed, with what the program reads at their places."""
    read = list(judged)
    for source in sources:
        if source.asked is None or not source.asked.typed:
            continue
        mine = [at for at, word in enumerate(read) if word.typed and word.text == source.query]
        items = match_places([read[at].place for at in mine], source.items).tolist()
        for at, item in zip(mine, items, strict=True):
            if item in source.readings:
                read[at] = replace(read[at], reading=source.readings[item].text)
    return read


def look_at_pages(
    entries: Sequence[PageEntry], opened: Mapping[Path, Truth], progress: Progress
) -> WrittenPage:
    """Read the pages; those that are open count as they are in the window.

    Parameters
    ----------
    entries : sequence of PageEntry
    opened : mapping of Path to Truth
        By truth file.
    progress : Progress
    """
    look = WrittenPage()
    closed = [entry.truth_path for entry in entries if entry.truth_path not in opened]
    problems = obstacles(closed)
    for entry in track(entries, progress, "Looking through the pages"):
        name, path = entry.name, entry.truth_path
        look.paths[name] = path
        try:
            if path in problems:
                raise SpotlabError(problems[path])
            if path in opened:
                look.truths[name] = opened[path]
            else:
                look.truths[name] = _empty(entry) if is_missing(path) else _truth_of(path)
            if is_missing(path):
                look.new[name] = look.truths[name].page
        except SpotlabError as error:
            look.problems[name] = str(error).replace(f"{path.parent}/", "")
    return look


def _truth_of(path: Path) -> Truth:
    if has_journal(path) and not user_of(path):  # a killed program left it
        session = EditingSession.open(path)
        try:
            return session.document.truth
        finally:
            session.close()
    return page_xml.read(path)


def _empty(entry: PageEntry) -> Truth:
    header = read_header(entry.image, entry.frame)
    return Truth(Page(entry.image, header.width, header.height, entry.frame, header.frames))


def write_question(plan: WordPlan, problems: Mapping[str, str]) -> Question:
    """Return what is asked before words come into the truth: how many of each, and what stays."""
    counts: dict[str, int] = {}
    for words in plan.new.values():
        for word in words:
            counts[word.text] = counts.get(word.text, 0) + 1
    texts = sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))
    named = ", ".join(f"“{text}” {count:,}" for text, count in texts[:6])
    more = f" and {len(texts) - 6:,} more" if len(texts) > 6 else ""
    remarks = [f"{named}{more}."]
    typed = dict.fromkeys(word.text for words in plan.new.values() for word in words if word.typed)
    if typed:
        named = ", ".join(f"“{text}”" for text in list(typed)[:6])
        are, it = ("is", "it is") if len(typed) == 1 else ("are", "they are")
        remarks.append(f"{named} {are} written as typed: no page says how {it} spelled there.")
    if plan.unknown:
        remarks.append(unknown_text(plan))
    if plan.present:
        are = "is" if plan.present == 1 else "are"
        remarks.append(f"{words_text(plan.present).capitalize()} {are} there already.")
    if plan.differences:
        many = len(plan.differences)
        places = "1 place stays as it is" if many == 1 else f"{many:,} places stay as they are"
        remarks.append(f"{places}: another text is said to be there.")
    if problems:
        remarks.append(f"{pages_text(len(problems))} cannot be changed now and will stay as now.")
    remarks.append(OTHERS)
    details = (*(each.text for each in plan.differences), *problems.values())
    text = f"Write {words_text(plan.count)} into the truth of {pages_text(len(plan.new))}?"
    return Question(text, " ".join(remarks), details, "Write")


def nothing_text(plan: WordPlan, problems: Mapping[str, str]) -> str:
    """Why nothing comes into the truth."""
    if problems:
        return f"No word was written: {next(iter(problems.values()))}"
    if plan.unknown:
        return f"No word was written: {unknown_text(plan)}"
    if plan.differences:
        more = len(plan.differences) - 1
        rest = f", and {more:,} more" if more else ""
        return f"No word was written: {plan.differences[0].text}{rest}"
    return f"The truth has {words_text(plan.present)} already: nothing to write"


def unknown_text(plan: WordPlan) -> str:
    """Say how many words a pattern found that nobody has read."""
    words = words_text(plan.unknown)
    return f"What the pattern found is not known at {words}: search or name the words themselves."


def words_text(count: int) -> str:
    """So many words."""
    return counted(count, "word")


PAUSE = 400  # ms from a change until it is looked at
SUGGESTED = 6


@dataclass(frozen=True, eq=False)
class TextSuggestion:
    """A word to search next.

    Attributes
    ----------
    place : Place
    places : int
        How often it seems to be written.
    """

    place: Place
    places: int


@dataclass(frozen=True, eq=False)
class _Reread:
    """Words currently written on the pages, and the resulting truth for the open queries."""

    words: Items | None
    share: float | None
    before: KnownPages | None
    known: KnownPages | None
    truths: tuple[tuple[WordSource, WordSource], ...]


class _Compared(NamedTuple):
    """The items of an index, compared and looked at."""

    words: WordIndex
    alike: AlikeItems
    looks: WordLooks


class Transcription:
    """Follows the truth and the judgements, while the Words workspace is in use.

    Attributes
    ----------
    words : Items or None
        What the truth says is written where; None where it says nothing.
    share : float or None
        Of the places that look like words, those that are transcribed; None while no word was
        searched, as nobody knows then where there are words.
    suggestions : tuple of TextSuggestion
        The best one first; empty while no word was searched.
    changed : Signal
    """

    def __init__(
        self,
        workbench: Workbench,
        searching: WordSearching,
        queries: OpenQueries,
        query_list: KeptQueries,
        judgements: WordJudgements,
    ) -> None:
        self._workbench, self._searching = workbench, searching
        self._queries, self._query_list, self._judgements = queries, query_list, judgements
        self.words: Items | None = None
        self.has_read = False  # what is known of the open pages
        self.share: float | None = None
        self.suggestions: tuple[TextSuggestion, ...] = ()
        self.changed = Signal[[]]()
        self.retold = Signal[[]]()  # the truth says other things of the open queries
        self._alike: _Compared | None = None
        self._skipped: list[Place] = []
        self._reading = Task(say=workbench.said.emit)
        self._comparing = Task(say=workbench.said.emit)
        self.busy_changed = self._comparing.busy_changed
        self._truth_timer = _timer(self._read)
        self._timer = _timer(self._suggest)
        for signal in (
            workbench.entries_changed, workbench.truth_edited, workbench.truth_written,
            workbench.saved, workbench.workspace_changed,
        ):  # fmt: skip
            signal.connect(lambda *_: self._truth_timer.start())
        for signal in (judgements.changed, query_list.changed):
            signal.connect(self._timer.start)
        searching.known_changed.connect(self._follow_index)
        workbench.collection_changed.connect(self.forget)
        if workbench.entries:
            self._truth_timer.start()

    @property
    def busy(self) -> bool:
        """Tell whether words are being compared."""
        return self._comparing.busy

    def skip(self, suggestion: TextSuggestion) -> None:
        """Suggest this word no more until other pages are opened."""
        self._skipped.append(suggestion.place)
        self.suggestions = tuple(each for each in self.suggestions if each is not suggestion)
        self.changed.emit()
        self._timer.start()

    def forget(self) -> None:
        """Other pages are open."""
        self._reading.cancel()
        self._comparing.cancel()
        self._skipped, self._alike = [], None
        self.words, self.share, self.suggestions = None, None, ()
        self.has_read = False
        self.changed.emit()

    def _follow_index(self) -> None:
        known = self._searching.known
        if known is None:
            self._comparing.cancel()
            self.share, self.suggestions, self._alike = None, (), None
            self.changed.emit()
        elif self._alike is None or self._alike.words.features is not known.index.features:
            self._truth_timer.start()

    def _read(self) -> None:
        workbench = self._workbench
        if workbench.workspace != "words" or workbench.index is None:
            return  # nothing is open
        self._reading.start(
            _reread, workbench.entries, self._searching.known, self._queries.sources,
            done=self._have_read,
        )  # fmt: skip

    def _have_read(self, read: _Reread) -> None:
        self.words, self.share, self.has_read = read.words, read.share, True
        if read.known is not None and read.before is self._searching.known:
            self._searching.use(read.known)
        for before, source in read.truths:
            self._queries.replace(before, source)
        if read.truths:
            self.retold.emit()
        self.changed.emit()
        self._timer.start()

    def _suggest(self) -> None:
        known = self._searching.known
        if known is None or self._workbench.workspace != "words":
            return
        alike = self._alike
        if alike is not None and alike.words.features is not known.index.features:
            alike = None
        judged = self._judgements.keeper.judged()
        seen = [place for own in judged.values() for place, right in own.items() if right]
        searched = [query.place for query in self._query_list.listed if not query.typed]
        self._comparing.start(
            _suggestions, known.index, alike, self.words, seen, searched, self._skipped[:],
            done=self._have_suggestions,
        )  # fmt: skip

    def _have_suggestions(self, found: tuple[_Compared, tuple[TextSuggestion, ...]]) -> None:
        self._alike, self.suggestions = found
        self.changed.emit()


def _timer(function: Callable[[], object]) -> QTimer:
    timer = QTimer(singleShot=True, interval=PAUSE)
    timer.timeout.connect(function)
    return timer


def _reread(
    entries: tuple[PageEntry, ...],
    known: KnownPages | None,
    sources: Sequence[WordSource],
    progress: Progress,
) -> _Reread:
    words = known_words(entries, progress)
    if known is None:
        return _Reread(words, None, None, None, ())
    index, none = known.index, Items((), np.zeros(0, np.int64), np.zeros((0, 4)))
    share = float(np.mean(_covered(index.items, words or none))) if len(index) else None
    if not known.given:
        texts = match_texts(index.items, words) if words is not None else ()
        index = replace(index, items=replace(index.items, texts=texts))
    truths = []
    for source in sources:
        told = _retold(source, words, index.items.pages)
        if told is not None:
            truths.append((source, told))
    return _Reread(words, share, known, replace(known, index=index, words=words), tuple(truths))


def _retold(source: WordSource, words: Items | None, pages: Sequence[str]) -> WordSource | None:
    """A query that was searched, as the truth judges it now; None where that is as before."""
    if source.asked is None:
        return None
    if words is None or not source.asked.text:
        truth, relevant = np.full(len(source.items), -1, np.int8), 0
        texts: tuple[str | None, ...] = ()
    else:
        truth = relevance(source.items, source.asked.text, words)
        relevant = relevant_count(words, source.asked.text, pages)
        texts = match_texts(source.items, words)
    same = np.array_equal(truth, source.truth) and relevant == source.relevant
    if same:
        return None
    return replace(source, truth=truth, relevant=relevant, items=replace(source.items, texts=texts))


def _covered(items: Items, words: Items) -> NDArray[np.bool_]:
    return np.asarray(covered_share(items, words) >= COVERED)


def _suggestions(
    index: WordIndex,
    known: _Compared | None,
    words: Items | None,
    judged: Sequence[Place],
    searched: Sequence[Place],
    skipped: Sequence[Place],
    progress: Progress,
) -> tuple[_Compared, tuple[TextSuggestion, ...]]:
    """The words that look alike in many places, are not transcribed and were not searched."""
    items = index.items
    if known is None:
        known = _Compared(index, AlikeItems.of(index, progress), WordLooks(index))
    compared = known.alike
    is_open = np.ones(len(items), np.bool_)
    if words is not None:
        is_open &= ~_covered(items, words)
    closed = match_places([*judged, *searched, *skipped], items)
    closed = closed[closed >= 0]
    is_open[closed] = False
    is_open[lying_on(index.overlaps, closed)] = False
    for item in match_places([*searched, *skipped], items).tolist():
        if item >= 0:
            is_open[compared.like(item, RELATED)] = False
    found: tuple[FrequentWord, ...] = frequent_words(
        index, compared, is_open, SUGGESTED, known.looks.is_word
    )
    made = tuple(TextSuggestion(place_of(items, each.item), len(each.places)) for each in found)
    return known._replace(words=index), made
