"""Searches pages for proposals in threads: the open one again after each answer, others ahead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.errors import SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.gui.annotate.similar.collection_lessons import CollectionLessons
from spotlab.gui.annotate.similar.open_truths import open_truths
from spotlab.gui.annotate.similar.proposal_search import (
    CachedPage,
    Example,
    Queries,
    Request,
    SearchResult,
    look,
)
from spotlab.gui.kit import background
from spotlab.gui.kit.task import Task, raise_unexpected
from spotlab.signal import Signal
from spotlab.spotting.symbols.engine.method import SymbolSettings, ink_for_symbols

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

PAGES = 5  # that are kept as they are seen: the open one, and those that come next

Wanted = dict[PageEntry, frozenset[str]]


class SearchScheduler:
    """Runs the searches; what comes of them is told by signals.

    ``looked`` carries what came of a page, ``failed`` the page and why it could not be searched,
    ``swept`` that all pages that were asked for are searched.

    Attributes
    ----------
    labels : tuple of str or None
        What is proposed; None for every label that there are examples of.
    wanted : dict of PageEntry to frozenset of str
        Pages with further examples, until they are gathered.
    gathered : tuple of Example
        Those examples.
    drawn : bool
        What is looked for is a drawing: only that counts.
    lessons : CollectionLessons
        What all labelled pages teach.
    """

    def __init__(self, workbench: Workbench, examples: Callable[[], tuple[Example, ...]]) -> None:
        self.workbench = workbench
        self.cache: Path | None = None
        self.labels: tuple[str, ...] | None = ()
        self.wanted: Wanted = {}
        self.gathered: tuple[Example, ...] = ()
        self._examples = examples
        self._queries: Queries = {}
        self._sights: dict[PageEntry, CachedPage] = {}
        self._settings = SymbolSettings()
        self.drawn = False
        self.lessons = CollectionLessons(workbench)
        self._here = Task(urgent=True)
        self._ahead: background.Job | None = None
        self._queue: list[PageEntry] = []
        self._done = 0
        self.looked = Signal[[SearchResult]]()
        self.failed = Signal[[PageEntry, str]]()
        self.swept = Signal[[]]()
        self.busy_changed = Signal[[]]()

    @property
    def looking(self) -> bool:
        """Whether the open page is being searched."""
        return self._here.busy

    @property
    def sweeping(self) -> bool:
        """Whether other pages are being searched."""
        return self._ahead is not None

    @property
    def progress(self) -> tuple[int, int]:
        """How many of the other pages are searched, and of how many."""
        return self._done, self._done + len(self._queue) + self.sweeping

    def look(self, entry: PageEntry) -> None:
        """Search the open page; a search of it that is under way is given up."""

        def failed(error: Exception) -> None:
            self._tell(entry, error)
            raise_unexpected(error)

        self._here.start(look, self._request(entry), done=self._take, failed=failed)
        self.busy_changed.emit()

    def sweep(self, entries: Sequence[PageEntry]) -> None:
        """Search these pages one after the other."""
        self._stop_sweep()
        self._queue = list(entries)
        self._done = 0
        self._next()

    def rename(self, old: str, new: str) -> None:
        """A label has another name."""
        if self.labels is not None:
            self.labels = tuple(dict.fromkeys(new if each == old else each for each in self.labels))
        self.gathered = tuple(
            replace(each, label=new) if each.label == old else each for each in self.gathered
        )

    def cancel_sweep(self) -> None:
        """Search no other pages; what was found stays."""
        if self.sweeping:
            self._stop_sweep()
            self.workbench.finished.emit()
            self.busy_changed.emit()

    def cancel(self) -> None:
        """Search nothing."""
        self._here.cancel()
        self.lessons.cancel()
        self.cancel_sweep()

    def forget(self) -> None:
        """Other pages are open: nothing of these is kept."""
        self.cancel()
        self.lessons.forget()
        self._queries, self._sights = {}, {}
        self.wanted, self.gathered = {}, ()

    def _stop_sweep(self) -> None:
        if self._ahead:
            self._ahead.cancel()
            self._ahead = None
        self._queue = []

    def _next(self) -> None:
        """Search the next of the queue."""
        self._ahead = None
        if not self._queue:
            self.workbench.finished.emit()
            self.swept.emit()
            self.busy_changed.emit()
            return
        entry = self._queue.pop(0)

        def done(outcome: SearchResult) -> None:
            self._done += 1
            self._take(outcome)
            self._go_on(job)

        def failed(error: Exception) -> None:
            self._done += 1
            self._tell(entry, error)
            self._go_on(job)
            raise_unexpected(error)

        job = background.run(look, self._request(entry), done=done, failed=failed)
        self._ahead = job
        done_so_far, total = self.progress
        self.workbench.progressed.emit(done_so_far, total, f"Searching {entry.name}")
        self.busy_changed.emit()

    def _go_on(self, job: background.Job) -> None:
        if self._ahead is job:  # whoever was told may have asked for other pages
            self._next()

    def _take(self, outcome: SearchResult) -> None:
        self._queries = {**self._queries, **outcome.queries}
        self._keep(outcome.sight)
        if outcome.gathered and self.wanted:
            self.wanted, self.gathered = {}, (*self.gathered, *outcome.gathered)
        self.looked.emit(outcome)

    def _keep(self, sight: CachedPage) -> None:
        """Keep what is seen of the page, and of the open and next ones; no more than a few."""
        self._sights[sight.entry] = sight
        entries, here = self.workbench.entries, self.workbench.index or 0
        place = {entry: (at - here) % len(entries) for at, entry in enumerate(entries)}
        nearest = sorted(self._sights, key=lambda entry: place.get(entry, len(entries)))
        self._sights = {entry: self._sights[entry] for entry in nearest[:PAGES]}

    def _tell(self, entry: PageEntry, error: Exception) -> None:
        """Whatever it was, nobody goes on waiting for this page."""
        expected = isinstance(error, SpotlabError)
        self.failed.emit(entry, str(error) if expected else f"the search failed: {error}")

    def learn(self) -> None:
        """Learn from the labelled pages as they are now."""
        self.lessons.update(self._used_settings(), self.cache)

    def _used_settings(self) -> SymbolSettings:
        ink = self.workbench.ink.settings
        return SymbolSettings(ink_for_symbols(ink))

    def _request(self, entry: PageEntry) -> Request:
        settings = self._used_settings()
        if settings != self._settings:
            self._settings, self._queries, self._sights = settings, {}, {}
        return Request(
            entry,
            settings,
            self.labels,
            (*self._examples(), *self.gathered),
            self.wanted,
            open_truths(self.workbench),
            self._queries,
            self._sights.get(entry),
            self.cache,
            None if self.drawn else self.lessons.learner,
        )
