"""Searches words on the collection's pages: makes the index once, then looks in it, in threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from spotlab.errors import BadInput, SpotlabError
from spotlab.files import exists
from spotlab.formats.collection.folder import PageEntry
from spotlab.gui.kit.background import Task
from spotlab.gui.words.state.word_lists import WordSource, query_title
from spotlab.model import Items
from spotlab.progress import Progress
from spotlab.signal import Signal
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.index import build_index
from spotlab.spotting.words.readings import WordReader
from spotlab.spotting.words.search import RE_SCORING, search
from spotlab.spotting.words.word_index import WordIndex, WordQuery, locate_query
from spotlab.studies.words.word_spotting import reader_of, readings_of
from spotlab.studies.words.word_truth import (
    match_texts,
    read_words,
    relevance_with_own,
    relevant_count,
)

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

ALL_PROCESSORS = 0
SAME_WORD = 0.3  # intersection over union of a box drawn and a word that is known


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
        self.tau, self.tight = 0.7, 0.8
        self.known: KnownPages | None = None
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
        settings, given, cache, tau, tight = (
            self.settings,
            self.given,
            self.cache,
            self.tau,
            self.tight,
        )

        def work(progress: Progress) -> tuple[KnownPages, Found]:
            pages = known or know_pages(entries, settings, given, cache, progress)
            progress(0, None, "searching")
            return pages, find_words(pages, queries, tau, tight)

        self._pend(queries)
        self._task.start(work, done=self._done, failed=self._failed)

    def cancel(self) -> None:
        """Give up the search; the pages that were looked at need not be looked at again."""
        self._pend(())
        self._task.cancel()

    def forget(self) -> None:
        """Other pages are open."""
        self.cancel()
        self.known = None
        self.known_changed.emit()

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
        known, (sources, problems) = outcome
        self._pend(())
        self.use(known)
        if problems:
            self.workbench.said.emit("; ".join(problems), True)
        if not sources:
            return
        left_out = known.index.left_out
        if left_out:
            pages = ", ".join(each.page for each in left_out)
            self.workbench.said.emit(
                f"Pages not searched because they cannot be read: {pages}", True
            )
        self.found.emit(sources)


def know_pages(
    entries: tuple[PageEntry, ...],
    settings: WordSettings,
    given: bool,
    cache: Path | None,
    progress: Progress,
) -> KnownPages:
    """Find the words of the pages, and what is written there as far as the truth says.

    Raises
    ------
    SpotlabError
        The words of the truth are wanted, and there are none.
    """
    words = known_words(entries, progress)
    if given and words is None:
        raise SpotlabError("The ground truth of these pages has no words with text")
    index = build_index(
        entries,
        settings,
        boxes=words if given else None,
        cache=cache,
        jobs=ALL_PROCESSORS,
        progress=progress,
    )
    if words is not None and not given:
        texts = match_texts(index.items, words)
        index = replace(index, items=replace(index.items, texts=texts))
    return KnownPages(entries, settings, given, index, words, reader_of(index, words))


def known_words(entries: tuple[PageEntry, ...], progress: Progress) -> Items | None:
    """Return what is written where; None where no truth says it."""
    named = [entry.image for entry in entries if exists(entry.truth_path)]
    try:
        return read_words(named, progress) if named else None
    except BadInput:  # validating says what is wrong with it
        return None


Found = tuple[tuple[WordSource, ...], tuple[str, ...]]
"""What was found, and why some words were not searched."""


def find_words(pages: KnownPages, queries: Sequence[WordQuery], tau: float, tight: float) -> Found:
    """Search words; one that cannot be searched does not stop the others."""
    sources, problems = [], []
    for query in queries:
        try:
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
        query = replace(query, text=query.text or text_at(words, query))
    found = search(pages.index, query, tau=tau, tight=tight, words=words)
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


def text_at(words: Items | None, query: WordQuery) -> str:
    """Return what is written in the query's box; empty where nobody says."""
    if words is None or query.box is None:
        return ""
    one = Items((query.page,), np.zeros(1, np.int64), np.array([query.box]))
    return match_texts(one, words, SAME_WORD)[0] or ""
