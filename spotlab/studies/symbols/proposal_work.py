"""How much work proposals save on pages, with lessons from other pages; pages side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from spotlab.compute import each_done
from spotlab.errors import BadInput
from spotlab.formats.collection.folder import PageEntry
from spotlab.model import Truth
from spotlab.progress import Progress, silent
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.symbols.engine.feature_extraction import SymbolSettings
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.proposals.lesson import Lesson, lesson_of_truth
from spotlab.spotting.symbols.proposals.region_learner import RegionLearner, learn_regions
from spotlab.spotting.symbols.search.learning_file import prepared_page
from spotlab.studies.symbols.work_saved import PageWork, WorkSaved, simulate_work


def measure_proposal_work(
    pages: Sequence[Truth],
    lessons: Sequence[Truth],
    settings: SymbolSettings | None = None,
    *,
    cache: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> WorkSaved:
    """Simulate a person who makes the truth of pages, helped by lessons from other pages.

    Each page is worked on by itself, see `simulate_work`: what is done on one is no lesson for the
    next. A page is never a lesson for itself, by its name.

    Parameters
    ----------
    pages : sequence of Truth
        Their regions are what has to be made.
    lessons : sequence of Truth
        Pages whose regions are all labelled; without any, the person begins with nothing.
    settings : SymbolSettings, optional
        How features are extracted.
    cache : Path, optional
        Folder for the features of pages; by default the user's cache.
    jobs, cluster
        As in `spotlab.compute.executor`.
    progress : Progress
        Called after each page.

    Returns
    -------
    WorkSaved
        In the order of the pages.

    Raises
    ------
    BadInput
        The image of a page cannot be read.
    Cancelled
        From ``progress``.
    """
    settings = settings or SymbolSettings()
    kept = None if cache is None else cache.absolute()  # workers run in folders of their own
    common = (settings, kept)
    lesson_pages = map(_with_absolute_path, lessons)
    made = dict(
        each_done(
            _lesson, [*lesson_pages], jobs, cluster, progress, "reading lessons", common=common
        )
    )
    learner = learn_regions([made[number] for number in sorted(made)], progress)
    works = [*map(_with_absolute_path, pages)]
    helped = (*common, learner)
    done = dict(each_done(_work, works, jobs, cluster, progress, "making the truth", common=helped))
    return WorkSaved(tuple(done[number] for number in sorted(done)))


def _with_absolute_path(truth: Truth) -> Truth:
    return replace(truth, page=replace(truth.page, image=truth.page.image.absolute()), source=b"")


def _lesson(truth: Truth, settings: SymbolSettings, cache: Path | None) -> Lesson:
    return lesson_of_truth(_features(truth, settings, cache), truth, truth.page.name)


def _work(
    truth: Truth, settings: SymbolSettings, cache: Path | None, learner: RegionLearner | None
) -> PageWork:
    own = None if learner is None else learner.only_about(truth.page.name)
    seen = _features(truth, settings, cache)
    return simulate_work([truth], lambda _: seen, learner=own).pages[0]


def _features(truth: Truth, settings: SymbolSettings, cache: Path | None) -> PageFeatures:
    return prepared_page(_entry(truth), settings, cache)


def _entry(truth: Truth) -> PageEntry:
    """The page that a truth is about."""
    for entry in page_entries([truth.page.image]):
        if entry.frame == truth.page.frame:
            return entry
    problem = f"it has no page {truth.page.frame + 1}"
    raise BadInput(truth.page.image, problem, expected="the page that the truth is about")
