"""Learns from all labelled pages of the collection while proposals are answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.errors import SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.gui.annotate.similar.open_truths import open_truths
from spotlab.gui.annotate.similar.proposal_search import truth_of
from spotlab.gui.kit.task import Task
from spotlab.model import PageState, Truth
from spotlab.progress import Progress, silent, track
from spotlab.signal import Signal
from spotlab.spotting.symbols.engine.method import SymbolSettings
from spotlab.spotting.symbols.proposals.lesson import Lesson, lesson_of_truth
from spotlab.spotting.symbols.proposals.region_learner import RegionLearner, learn_regions
from spotlab.spotting.symbols.search.index import prepared_page

if TYPE_CHECKING:
    from spotlab.gui.pages.workbench import Workbench

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
        lesson = lesson_of_truth(page, truth, entry.name, complete=complete)
        request.known[entry] = KnownLesson(truth, complete, lesson)
        lessons.append(lesson)
    for entry in before.keys() - request.pages.keys():
        request.known.pop(entry, None)
    if request.learner is not None and request.known == before:
        return request.learner
    return learn_regions(lessons)


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
        """Whether lessons are being made."""
        return self._task.busy

    def update(self, settings: SymbolSettings, cache: Path | None) -> None:
        """Learn from the pages as they are now, in a thread."""
        if settings != self._settings:
            self.forget()
            self._settings = settings
        pages = self._pages()
        if len(pages) < 2:
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
        """The labelled pages; complete are those that are checked, if any is."""
        collection = self.workbench.collection
        states = {
            entry: known.state
            for number, entry in enumerate(collection.entries)
            if not entry.missing
            if (known := collection.summary(number)) is not None and any(known.labels)
        }
        checked = PageState.CHECKED in states.values()
        return {entry: state is PageState.CHECKED or not checked for entry, state in states.items()}

    def _take(self, learner: RegionLearner | None) -> None:
        self._learned_from = dict(self._known)
        if learner is not self.learner:
            self.learner = learner
            self.learned.emit()
