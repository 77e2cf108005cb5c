"""Order of the pages that are searched for alike regions, and the examples to search with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.errors import SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.gui.annotate.similar.proposal_search import (
    CachedPage,
    Example,
    Queries,
    Request,
    SearchResult,
    look,
    truth_of,
)
from spotlab.gui.kit import background
from spotlab.gui.kit.background import Task, raise_unexpected
from spotlab.model import PageState, Region, Truth
from spotlab.progress import Progress, silent, track
from spotlab.signal import Signal
from spotlab.spotting.symbols.engine.method import SymbolSettings, ink_for_symbols
from spotlab.spotting.symbols.proposals.aligned import PAGES as PAGES_ALIGNED
from spotlab.spotting.symbols.proposals.candidate_classifier import BESIDE
from spotlab.spotting.symbols.proposals.lesson import Lesson, lesson_of_truth
from spotlab.spotting.symbols.proposals.region_learner import RegionLearner, learn_regions
from spotlab.spotting.symbols.search.index import prepared_page

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench


def open_truths(workbench: Workbench) -> dict[PageEntry, Truth]:
    """The truth of the pages that were opened, as it is now."""
    entries = {entry.truth_path: entry for entry in workbench.entries}
    return {
        entries[session.path]: session.document.truth
        for session in workbench.sessions
        if session.path in entries
    }


DOING = "Learning from labelled pages"


@dataclass(frozen=True, eq=False)
class KnownLesson:
    """A page's lesson, and the truth that it was made of."""

    truth: Truth
    complete: bool
    lesson: Lesson


@dataclass(frozen=True, eq=False)
class LessonRequest:
    """Pages to learn from.

    Attributes
    ----------
    pages : mapping of PageEntry to bool
        Each page, and whether all its regions are labelled.
    truths : mapping of PageEntry to Truth
        Those of pages that are open; others are read from their files.
    settings : SymbolSettings
    cache : Path or None
        Where features are kept.
    known : dict of PageEntry to KnownLesson
        Lessons made with the same settings; those made now are added as soon as they are there,
        so that nothing is lost if this is cancelled.
    learner : RegionLearner or None
        What was learned from the lessons made before.
    """

    pages: Mapping[PageEntry, bool]
    truths: Mapping[PageEntry, Truth]
    settings: SymbolSettings
    cache: Path | None
    known: dict[PageEntry, KnownLesson]
    learner: RegionLearner | None = None


def learn_pages(request: LessonRequest, progress: Progress = silent) -> RegionLearner | None:
    """Make the lessons of pages that have changed, and learn from all of them.

    A page that cannot be read teaches nothing.

    Parameters
    ----------
    request : LessonRequest
    progress : Progress
        Called for each page.

    Returns
    -------
    RegionLearner or None
        The one of the request where no page has changed; None where there is too little.
    """
    lessons: list[Lesson] = []
    before = dict(request.known)
    for entry, complete in track(list(request.pages.items()), progress, DOING):
        truth = truth_of(entry, request.truths)
        if truth is None:
            request.known.pop(entry, None)
            continue
        old = before.get(entry)
        if old and old.complete == complete and old.truth.regions == truth.regions:
            lessons.append(old.lesson)
            continue
        try:
            page = prepared_page(entry, request.settings, request.cache)
        except SpotlabError:
            request.known.pop(entry, None)
            continue
        request.known.pop(entry, None)
        kept = sum(each.lesson.features is not None for each in request.known.values())
        lesson = lesson_of_truth(
            page, truth, entry.name, complete=complete, keeps_page=kept < PAGES_ALIGNED
        )
        request.known[entry] = KnownLesson(truth, complete, lesson)
        lessons.append(lesson)
    for entry in before.keys() - request.pages.keys():
        request.known.pop(entry, None)
    if request.learner is not None and request.known == before:
        return request.learner
    return learn_regions(lessons, progress)


class CollectionLessons:
    """Keeps what the collection teaches up to date.

    Attributes
    ----------
    learner : RegionLearner or None
        None while nothing has been learned.
    learned : Signal
        There is another learner.
    """

    def __init__(self, workbench: Workbench) -> None:
        self.workbench = workbench
        self.learner: RegionLearner | None = None
        self.learned = Signal[[]]()
        self._known: dict[PageEntry, KnownLesson] = {}
        self._learned_from: dict[PageEntry, KnownLesson] = {}
        self._settings = SymbolSettings()
        self._task = Task(workbench)

    @property
    def busy(self) -> bool:
        """Tell whether lessons are being made."""
        return self._task.busy

    def update(self, settings: SymbolSettings, cache: Path | None) -> None:
        """Learn from the pages as they are now, in a thread."""
        if settings != self._settings:
            self.forget()
            self._settings = settings
        pages = self._pages()
        if not pages:
            self.learner = None
            return
        truths = open_truths(self.workbench)
        same = self._learned_from == self._known
        learner = self.learner if same else None
        request = LessonRequest(pages, truths, settings, cache, self._known, learner)
        self._task.start(learn_pages, request, done=self._take)

    def cancel(self) -> None:
        """Learn nothing further; what is known stays."""
        self._task.cancel()

    def forget(self) -> None:
        """Other pages are open."""
        self.cancel()
        self._known, self._learned_from, self.learner = {}, {}, None

    def _pages(self) -> dict[PageEntry, bool]:
        """The labelled pages but the open one; complete are those that are checked, if any is."""
        collection = self.workbench.collection
        states = {
            entry: known.state
            for number, entry in enumerate(collection.entries)
            if not entry.missing and entry != self.workbench.entry
            if (known := collection.summary(number)) is not None and any(known.labels)
        }
        checked = PageState.CHECKED in states.values()
        return {entry: state is PageState.CHECKED or not checked for entry, state in states.items()}

    def _take(self, learner: RegionLearner | None) -> None:
        self._learned_from = dict(self._known)
        if learner is not self.learner:
            self.learner = learner
            self.learned.emit()


MOST = 8  # examples of a label that is looked for: more say little that is new
OTHERS = 2  # of each other label on the page: what it is not
ENOUGH = 2  # examples of a label that need no other page


def examples_of(
    truths: Mapping[PageEntry, Truth],
    labels: tuple[str, ...] | None,
    first: frozenset[str],
    here: PageEntry | None,
) -> tuple[Example, ...]:
    """Regions that teach what is looked for, and what it is not.

    Parameters
    ----------
    truths : mapping of PageEntry to Truth
        Of the pages that were opened.
    labels : tuple of str or None
        What is looked for; None for every label.
    first : frozenset of str
        Regions that are taken before all others, by their ids.
    here : PageEntry or None
        The open page: its regions come before those of other pages, and its other labels count.

    Returns
    -------
    tuple of Example
        The newest regions of each label; in the order of pages and regions.
    """
    pages = sorted(truths, key=lambda entry: entry != here)
    found = [(entry, region) for entry in pages for region in reversed(truths[entry].regions)]
    found.sort(key=lambda pair: pair[1].id not in first)
    counts: dict[str, int] = {}
    taken: set[tuple[PageEntry, str]] = set()
    for entry, region in found:
        if not region.label and region.id not in first:
            continue
        wanted = labels is None or region.label in labels
        if not wanted and entry != here:
            continue
        counts[region.label] = counts.get(region.label, 0) + 1
        if counts[region.label] <= (MOST if wanted else OTHERS):
            taken.add((entry, region.id))
    return tuple(
        example_of(entry, region)
        for entry, truth in truths.items()
        for region in truth.regions
        if (entry, region.id) in taken
    )


def example_of(entry: PageEntry, region: Region) -> Example:
    """A region as an example of its label."""
    return Example(region.label, True, entry, region.points)


def pages_with(
    workbench: Workbench, labels: Iterable[str], known: Iterable[Example]
) -> dict[PageEntry, frozenset[str]]:
    """Pages that have examples of labels of which too few are known, each to be looked for there.

    As far as the collection's pages have been looked into; in their order.
    """
    missing = {label: ENOUGH for label in labels if label}
    for example in known:
        if example.label in missing:
            missing[example.label] -= 1
    missing = {label: count for label, count in missing.items() if count > 0}
    open_paths = {session.path for session in workbench.sessions}
    found: dict[PageEntry, frozenset[str]] = {}
    for index, entry in enumerate(workbench.entries):
        summary = workbench.collection.summary(index)
        if summary is None or entry.truth_path in open_paths or entry.missing:
            continue
        here = frozenset(missing) & frozenset(summary.labels)
        if here:
            found[entry] = here
            for label in here:
                missing[label] -= 1
            missing = {label: count for label, count in missing.items() if count > 0}
    return found


PAGES = 1 + BESIDE  # that are kept as they are seen: the open one, and those that come next

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
        """Tell whether the open page is being searched."""
        return self._here.busy

    @property
    def sweeping(self) -> bool:
        """Tell whether other pages are being searched."""
        return self._ahead is not None

    @property
    def progress(self) -> tuple[int, int]:
        """Tell how many of the other pages are searched, and of how many."""
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
            tuple(sight.features for at, sight in self._sights.items() if at != entry),
        )
