"""Searches words on the collection's pages: makes the index once, then looks in it, in threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput, SpotlabError, isolated
from spotlab.files import exists
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.lists.format import QueryLists
from spotlab.gui.kit.background import Task
from spotlab.model import Items, RankedList
from spotlab.progress import Progress, silent
from spotlab.ranking.fusion import Choices, Evidence, Fusion, fusions
from spotlab.ranking.list_scale import ListScale
from spotlab.ranking.purge import ItemTruth, Purge, common_scores
from spotlab.report.colours import LIST_COLOURS
from spotlab.report.figure_text import written
from spotlab.signal import Signal
from spotlab.spotting.words.extraction.descriptor import WordDescriptor
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.index import build_index, settings_reading
from spotlab.spotting.words.readings import WordReader, WordReading, wanted_lexicon
from spotlab.spotting.words.search import RE_SCORING, UsedExample, locate_query, search
from spotlab.spotting.words.word_index import WordIndex, WordQuery
from spotlab.studies.words.word_spotting import reader_of, readings_of
from spotlab.studies.words.word_truth import (
    match_texts,
    read_words,
    relevance_with_own,
    relevant_count,
    text_at,
)

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


KNOWN = {1: " ✓", 0: " ✗"}  # what follows the name of a word that is right, or wrong


def query_title(text: str, page: str, examples: int = 1) -> str:
    """Return what a query is called: what is written there, or its page; how many examples it has.

    Examples
    --------
    >>> query_title("orders", "270"), query_title("", "270", 3)
    ('orders', 'a word on 270 · 3 examples')
    """
    title = text or f"a word on {page}"
    return f"{title} · {examples} examples" if examples > 1 else title


Relevance = NDArray[np.int8]

USUAL = ("ws", "qe", "cr", "ml", "ml_cr")  # the paper's
# of lists of files with scores of several scales; chosen on every second topic of TREC 2003 Robust
USUAL_OF = {ListScale.PROBABILITY: ("noisy_or",), ListScale.RANK: ("reciprocal_rank",)}
GIVEN = "given "  # before the number of a list that is not made here
OF_A_SEARCH = ("ws", "qe")  # lists of files have names of their own
NEEDS = {
    "": "it needs the scores of the items against the query",
    "between": "it needs the scores of the items with each other",
    "lists": "it needs the lists of an expanded search",
}


@dataclass(frozen=True, eq=False)
class WordSource:
    """Source data for the lists of one query.

    Attributes
    ----------
    title : str
        What was searched, for people.
    query : str
        Judgements are kept under this name: they count for every query of the same word.
    place : str
        Where the word searched is, or that it was typed, which tells queries of the same word
        apart.
    items : Items
        Everything that any of its lists may hold.
    evidence : Evidence or None
        None where nothing but finished lists is known.
    given : tuple of RankedList
        Lists that were opened, not made.
    truth : (N,) int8
        1 relevant, 0 not, -1 unknown.
    relevant : int
        How many relevant items the collection has by that truth, found or not.
    tau, at_least : float
        The scores at which an item counts as a hit, and as a sure one; of lists of files the usual
        cut, and what re-scores a list.
    example : int or None
        The item that was searched, where it is one of them.
    asked : WordQuery or None
        What was searched, so that it can be searched again; None where nothing was.
    used : tuple of UsedExample
        The boxes that were searched; none where nothing was.
    examples : tuple of int
        The items that these are; figures leave them out.
    descriptor : WordDescriptor or None
        What the words were compared by; None for lists of files.
    readings : mapping of int to WordReading
        What the best items may say; proposals, never truth.
    imported : QueryLists or None
        The lists of files as they were read; None for a search.
    scale : ListScale
        What the scores of all lists are.
    shapes : tuple of (K,) float
        The scores of the given lists as they were read.
    """

    title: str
    query: str
    place: str
    items: Items
    evidence: Evidence | None
    given: tuple[RankedList, ...]
    truth: Relevance
    relevant: int
    tau: float = 0.7
    at_least: float = 0.8
    example: int | None = None
    asked: WordQuery | None = None
    imported: QueryLists | None = None
    used: tuple[UsedExample, ...] = ()
    examples: tuple[int, ...] = ()
    descriptor: WordDescriptor | None = None
    readings: Mapping[int, WordReading] = field(default_factory=dict)
    scale: ListScale = ListScale.SCORE
    shapes: tuple[NDArray[np.float64], ...] = ()

    def offers(self) -> tuple[Fusion, ...]:
        """The fusions that it knows enough for."""
        return tuple(each for each in fusions().values() if not self.lacks(each))

    def lacks(self, fusion: Fusion) -> str:
        """Return what it does not have that a fusion needs; empty if it has all."""
        evidence = self.evidence
        if self.imported is not None and fusion.name in OF_A_SEARCH:
            return "the lists come from files, not from a search"
        if evidence is None or (fusion.needs == "between" and evidence.between is None):
            boxes = "; open the pages that the lists are about" if self.imported else ""
            return f"{NEEDS[fusion.needs]}{boxes}"
        if fusion.needs == "lists" and len(evidence.lists) < (2 if self.imported else 1):
            return NEEDS[fusion.needs] if self.imported is None else "it needs several lists"
        return ""

    def truth_with(self, relevance: Relevance, relevant: int) -> ItemTruth:
        """Return what is relevant, with the query itself among its items."""
        known = bool(relevant) or bool((relevance >= 0).any())
        return ItemTruth(relevance, relevant if known else None, self.example, self.examples)


@dataclass(frozen=True, eq=False)
class WordList:
    """One column of words.

    Attributes
    ----------
    name, title, definition, colour : str
    ranked : RankedList
    purge : Purge
        What is kept, true and false, at any threshold.
    average_precision : float or None
        None where no item is known to be relevant, or only relevant ones are judged.
    calibrated : bool
        Whether its scores were brought to the scale of the others from one of their own.
    shape : (K,) float
        The scores before that.
    """

    name: str
    title: str
    definition: str
    colour: str
    ranked: RankedList
    purge: Purge
    average_precision: float | None
    calibrated: bool = False
    shape: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    @property
    def name_in_files(self) -> str:
        """Return what commands and files call it: a list that was given has the name of its
        file.
        """
        return self.ranked.name if self.name.startswith(GIVEN) else self.name

    def kept(self, threshold: float) -> int:
        """Tell how many of its items the threshold leaves."""
        score = self.ranked.score
        return len(score) - int(np.searchsorted(score[::-1], threshold, side="left"))


def score_text(score: float, scale: ListScale) -> str:
    """Write the score of a word; of ranks nothing, as the rank stands beside it.

    Examples
    --------
    >>> score_text(0.82, ListScale.SCORE), score_text(0.5, ListScale.RANK)
    ('.820', '')
    """
    return "" if scale is ListScale.RANK else written(score)


def relevance_of(source: WordSource, judged: Relevance) -> tuple[Relevance, int]:
    """The truth as judgements change it, and how many relevant items there are then.

    Parameters
    ----------
    judged : (N,) int8
        1 relevant, 0 not, -1 not judged.
    """
    relevance = np.where(judged >= 0, judged, source.truth).astype(np.int8)
    gained = np.count_nonzero((judged == 1) & (source.truth != 1))
    lost = np.count_nonzero((judged == 0) & (source.truth == 1))
    return relevance, source.relevant + int(gained) - int(lost)


def feedback_of(choices: Choices, judged: Relevance) -> Choices:
    """The choices with the judgements as feedback."""
    return replace(choices, relevant=judged == 1, irrelevant=judged == 0)


class MadeList(NamedTuple):
    """A list with its name among `WordList`, and its scores before they were brought to a scale."""

    name: str
    ranked: RankedList
    shape: NDArray[np.float64]


def make_lists(
    source: WordSource, names: Sequence[str], choices: Choices, progress: Progress = silent
) -> tuple[MadeList, ...]:
    """The given lists, and those that these fusions make; by the fusions' names.

    All are on the scale of the source; see `spotlab.ranking.purge`. A fusion that the source
    does not know enough for is passed over.
    """
    shapes = source.shapes or tuple(ranked.score for ranked in source.given)
    made = [
        MadeList(f"{GIVEN}{number}", ranked, shape)
        for number, (ranked, shape) in enumerate(zip(source.given, shapes, strict=True))
    ]
    offered = {fusion.name: fusion for fusion in source.offers()}
    choices = _of_evidence(choices, source)
    wanted = [offered[name] for name in names if name in offered]
    for done, fusion in enumerate(wanted):
        progress(done, len(wanted), fusion.title)
        assert source.evidence is not None  # else nothing is offered
        own = fusion.fuse(source.evidence, choices)
        scores = common_scores(fusion, source.evidence, choices, own, source.scale)
        ranked = RankedList.ordered(fusion.title, scores)
        made.append(MadeList(fusion.name, ranked, own[ranked.item]))
    return tuple(made)


def _of_evidence(choices: Choices, source: WordSource) -> Choices:
    """The choices for the items of the evidence: those in no list come behind them."""
    count = len(source.evidence) if source.evidence else 0
    fall = choices.fall if source.scale is ListScale.SCORE else inf  # which is of such scores
    return replace(
        choices,
        relevant=choices.relevant[:count],
        irrelevant=choices.irrelevant[:count],
        fall=fall,
    )


def judge_lists(
    source: WordSource,
    made: Sequence[MadeList],
    relevance: Relevance,
    relevant: int,
) -> tuple[WordList, ...]:
    """The columns, with how good each list is."""
    known = fusions()
    truth = source.truth_with(relevance, relevant)
    columns = []
    for name, ranked, shape in made:
        fusion = known.get(name)
        purge = truth.purge(ranked)
        columns.append(
            WordList(
                name,
                fusion.title if fusion else ranked.name,
                fusion.definition if fusion else "A list from a file, unchanged.",
                colour_of(name),
                ranked,
                purge,
                None if purge.one_sided else truth.average_precision(ranked),
                source.scale is not ListScale.SCORE or bool(fusion and not fusion.comparable),
                shape,
            )
        )
    return tuple(columns)


def colour_of(name: str) -> str:
    """The same for the same list in every query."""
    order = [*USUAL, *(each for each in fusions() if each not in USUAL)]
    if name in order:
        return LIST_COLOURS[order.index(name) % len(LIST_COLOURS)]
    return LIST_COLOURS[int(name.rsplit(maxsplit=1)[-1]) % len(LIST_COLOURS)]


ALL_PROCESSORS = 0


@dataclass(frozen=True, eq=False)
class KnownPages:
    """The collection as a search sees it.

    Attributes
    ----------
    entries : tuple of PageEntry
    settings : WordSettings
    given : bool
        Search among the words of the truth, instead of looking for words.
    index : WordIndex
        Its items have texts where these are known.
    words : Items or None
        What is written where; None where nobody says.
    reader : WordReader or None
        Proposes what words say; None without a network.
    """

    entries: tuple[PageEntry, ...]
    settings: WordSettings
    given: bool
    index: WordIndex
    words: Items | None
    reader: WordReader | None = None


class WordSearching:
    """Finds words, with progress and cancel.

    Attributes
    ----------
    settings : WordSettings
        How pages are seen.
    given : bool
        Whether the words of the truth are searched, instead of whatever looks like a word.
    language : str
        Of the list of words by which pages are read; "" for the one that fits them.
    tau, tight : float
        The scores of a hit and of one that expands the search.
    known : KnownPages or None
        None while nothing was searched in these pages.
    complete : callable
        Gives a query with what is known of it already.
    pending : tuple of WordQuery
        What is being searched.
    """

    def __init__(self, workbench: Workbench, cache: Path | None = None) -> None:
        self.workbench = workbench
        self.cache = cache
        self.settings = WordSettings()
        self.given = False
        self.language = ""
        self.tau, self.tight = 0.7, 0.8
        self.known: KnownPages | None = None
        self._of_scripts: dict[WordSettings, KnownPages] = {}  # that another network reads
        self.pending: tuple[WordQuery, ...] = ()
        self.pending_changed = Signal[[]]()
        self.complete: Callable[[WordQuery], WordQuery] = lambda query: query
        self.found = Signal[[tuple[WordSource, ...]]]()
        self.known_changed = Signal[[]]()
        self.renewed = Signal[[]]()
        self._task = Task(workbench)
        self.busy_changed = self._task.busy_changed
        workbench.collection_changed.connect(self.forget)

    @property
    def busy(self) -> bool:
        """Tell whether a search is under way."""
        return self._task.busy

    @property
    def ready(self) -> bool:
        """Tell whether the index is that of the pages and settings as they are."""
        known = self.known
        return known is not None and (known.entries, known.settings, known.given) == (
            self.workbench.entries,
            self.settings,
            self.given,
        )

    def turn_of(self, items: Items, item: int) -> int:
        """Quarter turns clockwise that make a word run from left to right, as far as is known."""
        known, page = self.known, items.page_name(item)
        if known is None or page not in known.index.items.pages:
            return 0
        left, top, right, bottom = items.boxes[item].tolist()
        return known.index.turn_at(page, (left, top, right, bottom))

    def search(self, *queries: WordQuery) -> None:
        """Look for words on all pages; `found` tells what came of it.

        A word that is written nowhere is said to be so; the others are searched all the same. What
        is still being searched goes on with them: pages that were looked at are known already.
        """
        wanted = tuple(map(self.complete, queries))
        self._start((*(query for query in self.pending if query not in wanted), *wanted))

    def prepare(self) -> None:
        """Make the index, if it is not there, so that the first search is quick."""
        if not self.ready:
            self._start(())

    def _start(self, queries: tuple[WordQuery, ...]) -> None:
        entries = self.workbench.entries
        if not entries:
            return
        self.cancel()
        known = self.known if self.ready else None
        others = self._of_scripts if known else {}
        settings, given, language = self.settings, self.given, self.language
        cache, tau, tight = self.cache, self.tau, self.tight

        def work(progress: Progress) -> tuple[KnownPages, Found]:
            pages = known or know_pages(entries, settings, given, cache, language, progress)

            def pages_reading(query: WordQuery) -> KnownPages:
                usual = "" if query.box is not None else query.text
                own = settings_reading(settings, usual)
                if own == settings:
                    return pages
                if own not in others:
                    others[own] = know_pages(entries, own, given, cache, "", progress)
                return others[own]

            found = find_words(pages_reading, queries, tau, tight, progress)
            self._of_scripts = others
            return pages, found

        self._pend(queries)
        self._task.start(work, done=self._done, failed=self._failed)

    def cancel(self) -> None:
        """Give up the search; the pages that were looked at need not be looked at again."""
        self._pend(())
        self._task.cancel()

    def forget(self) -> None:
        """Other pages are open."""
        self.cancel()
        self.known, self._of_scripts = None, {}
        self.known_changed.emit()

    def read_in(self, language: str) -> None:
        """Read words by the list of a language, or of the one that fits the pages."""
        if language != self.language:
            self.language = language
            self.renew()

    def renew(self) -> None:
        """Words are described in another way from now on; `renewed` asks for what is open."""
        self.forget()
        self.renewed.emit()

    def use(self, known: KnownPages) -> None:
        """Know other things of the same pages, such as what is written there."""
        if known is not self.known:
            self.known = known
            self.known_changed.emit()

    def _pend(self, queries: tuple[WordQuery, ...]) -> None:
        if queries != self.pending:
            self.pending = queries
            self.pending_changed.emit()

    def _failed(self, error: Exception) -> None:
        self._pend(())
        self._task.tell(error)

    def _done(self, outcome: tuple[KnownPages, Found]) -> None:
        known, (sources, found) = outcome
        problems = list(found)
        lists = () if known.reader is None else known.reader.lexicon.left_out
        if known is not self.known:
            problems += [f"List of words left out: {problem}" for problem in lists]
        self._pend(())
        self.use(known)
        left_out = known.index.left_out
        if left_out and sources:
            pages = ", ".join(each.page for each in left_out)
            problems.append(f"Pages not searched because they cannot be read: {pages}")
        if problems:
            self.workbench.said.emit("; ".join(problems), True)
        if not sources:
            return
        self.found.emit(sources)


def hit_count(source: WordSource) -> int:
    """Count the words that a search has found."""
    evidence = source.evidence
    return 0 if evidence is None else int(np.count_nonzero(evidence.query >= source.tau))


def nowhere_text(texts: Sequence[str], tau: float) -> str:
    """Say of words that nothing is like them, and what can be done.

    Examples
    --------
    >>> nowhere_text(["domine"], 0.7)[:39]
    'Nothing scores τ = .700 or more for “\u2068d'
    """
    words = ", ".join(f"“{isolated(text)}”" for text in texts if text) or "this word"
    advice = "draw a box around one, or lower τ (Ranking)"
    return f"Nothing scores τ = {written(tau)} or more for {words}: {advice}"


def know_pages(
    entries: tuple[PageEntry, ...],
    settings: WordSettings,
    given: bool,
    cache: Path | None,
    language: str,
    progress: Progress,
) -> KnownPages:
    """Find the words of the pages, and what is written there as far as the truth says.

    Raises
    ------
    SpotlabError
        The words of the truth are wanted, and there are none.
    """
    words = known_words(entries, progress)
    if given and (words is None or not len(words.exact)):
        raise SpotlabError("The ground truth of these pages has no words with boxes and text")
    index = build_index(
        entries,
        settings,
        boxes=words.exact if given and words is not None else None,
        cache=cache,
        jobs=ALL_PROCESSORS,
        progress=progress,
    )
    if words is not None and not given:
        texts = match_texts(index.items, words)
        index = replace(index, items=replace(index.items, texts=texts))
    progress(0, None, "choosing the list of words")
    reader = reader_of(index, words, wanted_lexicon(None, language))
    return KnownPages(entries, settings, given, index, words, reader)


def known_words(entries: tuple[PageEntry, ...], progress: Progress) -> Items | None:
    """Return what is written where; None where no truth says it."""
    named = [entry.image for entry in entries if exists(entry.truth_path)]
    try:
        return read_words(named, progress) if named else None
    except BadInput:  # validating says what is wrong with it
        return None


Found = tuple[tuple[WordSource, ...], tuple[str, ...]]
"""What was found, and why some words were not searched."""


def find_words(
    pages_reading: Callable[[WordQuery], KnownPages],
    queries: Sequence[WordQuery],
    tau: float,
    tight: float,
    progress: Progress = silent,
) -> Found:
    """Search words; one that cannot be searched does not stop the others."""
    sources, problems = [], []
    for query in queries:
        try:
            pages = pages_reading(query)
            progress(0, None, "searching")
            sources.append(find_word(pages, query, tau, tight))
        except SpotlabError as error:
            problems.append(str(error))
    return tuple(sources), tuple(problems)


def find_word(pages: KnownPages, query: WordQuery, tau: float, tight: float) -> WordSource:
    """Search one word, and judge what is found by the truth.

    Raises
    ------
    SpotlabError
        The text is written nowhere, or its page is not among those searched.
    """
    words, learned = pages.words, pages.index.learned
    if query.box is None and learned is not None:
        query = replace(query, typed=True)  # a text says more than the first place that has it
    elif query.box is None and pages.words is None:
        raise SpotlabError(
            f"{query.text!r} cannot be typed: nothing is transcribed, and words are compared by "
            "strokes alone"
        )
    else:
        query = locate_query(replace(query, typed=False), words)
        if not query.text and words is not None and query.box is not None:
            query = replace(query, text=text_at(words, query.page, query.box))
    found = search(pages.index, query, tau=tau, tight=tight, words=words, reader=pages.reader)
    if words is None or not query.text:
        truth = np.full(len(found.items), -1, np.int8)
        relevant = 0
    else:
        truth = relevance_with_own(found.items, query.text, words, found.own)
        relevant = relevant_count(words, query.text, pages.index.items.pages)
    place = "" if query.box is None else replace(query, text="", label="").name
    return WordSource(
        _title(query),
        query.text or place,
        place,
        found.items,
        found.evidence,
        (),
        truth,
        relevant,
        found.tau,
        RE_SCORING.at_least,
        found.own,
        query,
        used=found.used,
        examples=tuple(found.examples.tolist()),
        descriptor=pages.index.descriptor,
        readings=readings_of(pages.reader, found),
    )


def _title(query: WordQuery) -> str:
    if query.typed:
        return f"{query.text} · typed"
    return query_title(query.text, query.page, len(query.places))
