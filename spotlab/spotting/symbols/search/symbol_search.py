"""Spots symbols on all pages of a collection: page by page, on this machine or on a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.compute import each_done
from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.formats.store.entries import key_of, keyed_file
from spotlab.geometry.outlines import Outlines
from spotlab.model.run import Run
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.spotting.page_entries import (
    UnreadablePage,
    page_entries,
    readable_pages,
    with_absolute_path,
)
from spotlab.spotting.symbols.engine.feature_extraction import SymbolSettings, features_of_model
from spotlab.spotting.symbols.engine.learning_method import LearningMethod
from spotlab.spotting.symbols.engine.method import SpottingMethod, SymbolMethod
from spotlab.spotting.symbols.engine.page_features import QuerySpots
from spotlab.spotting.symbols.engine.query_model import SymbolModel
from spotlab.spotting.symbols.lessons.lessons import LIKELY, Lessons
from spotlab.spotting.symbols.methods import method_of
from spotlab.spotting.symbols.search.index import default_cache, page_files
from spotlab.spotting.symbols.search.page_lessons import PageLessons
from spotlab.spotting.symbols.search.page_search import Asked, PageSearch, Search, search_page
from spotlab.spotting.symbols.search.spots_file import (
    models_key,
    read_spots,
    spotting_version,
)

BEST_METHOD = "e"  # the method that finds most
PLACES, DIGITS = 1, 6  # after the point, of px and of scores


@dataclass(frozen=True, eq=False)
class SymbolSearch:
    """The run of a search, and what became of the pages.

    Attributes
    ----------
    run : Run
    labels : tuple of str
        All labels that were searched, also those without spots.
    pages : int
        Number of pages searched.
    left_out : tuple of UnreadablePage
        Pages that could not be read.
    reused : int
        Number of pages that an earlier search had finished.
    """

    run: Run
    labels: tuple[str, ...]
    pages: int
    left_out: tuple[UnreadablePage, ...]
    reused: int

    __repr__ = short_repr


def search_symbols(
    pages: Sequence[Path | PageEntry],
    models: Sequence[SymbolModel],
    method: str = BEST_METHOD,
    settings: SymbolSettings | None = None,
    *,
    cache: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    max_spots: int | None = None,
    min_score: float | None = None,
    lessons: Lessons | PageLessons | None = None,
    progress: Progress = silent,
) -> SymbolSearch:
    """Search all pages for all models.

    The spots of a page are kept in a file as soon as they are found, so that a search that was
    cancelled or killed goes on with the pages that it had not finished. The same pages, models and
    settings make the same run, wherever and in whatever order the pages are searched.

    Parameters
    ----------
    pages : sequence of Path or PageEntry
        Images, folders of images, or pages of files.
    models : sequence of SymbolModel
        Models of one name are of one label: at each place the best spot of them counts.
    method : str
        Name of one of `spotlab.spotting.symbols.methods.methods`.
    settings : SymbolSettings, optional
        How features are extracted from pages and models.
    cache : Path, optional
        Folder for the files; by default the user's cache.
    jobs, cluster
        As in `spotlab.compute.executor`.
    max_spots : int, optional
        Keep at most this many spots per query, the best; all by default.
    min_score : float, optional
        Leave out spots with a lower score, from 0 to 1; by default the method's `min_score`, or
        `LIKELY` with lessons for query models.
    lessons : Lessons or PageLessons, optional
        What was learned from pages that are labelled, for a method that compares pages with models,
        or for one that learns: its labels are searched instead, and scores are probabilities.
    progress : Progress
        Called after each page.

    Raises
    ------
    SpotlabError
        There is no such method, no model or no page; a worker has ended before its time.
    BadInput
        No page can be read, or two have the same name.
    NotSaved
        The folder for the files is not writable.
    Cancelled
        From ``progress``; the pages finished so far are kept.
    """
    settings = settings or SymbolSettings()
    chosen = method_of(method)
    if isinstance(chosen, LearningMethod) != isinstance(lessons, PageLessons):
        raise SpotlabError(
            f"method {method!r} was given lessons of another kind of method, or none"
        )
    if not models and lessons is None:
        raise SpotlabError("there is nothing to search for: no query model")
    labels = lessons.labels if lessons else tuple(dict.fromkeys(model.name for model in models))
    entries = page_entries(pages)
    job = _Job(entries, models, chosen, settings, cache or default_cache(), labels, lessons)
    outcomes, reused = job.finished(jobs, cluster, progress)
    problems = [outcome if isinstance(outcome, str) else "" for outcome in outcomes]
    _, left_out = readable_pages(entries, problems)
    spots = [
        (entry.name, outcome)
        for entry, outcome in zip(entries, outcomes, strict=True)
        if not isinstance(outcome, str)
    ]
    default = LIKELY if isinstance(lessons, Lessons) else chosen.min_score
    least = default if min_score is None else min_score
    run = run_of(f"symbols_{method}", labels, spots, max_spots, least)
    return SymbolSearch(run, labels, len(spots), left_out, reused)


@dataclass(frozen=True, eq=False)
class _Job:
    """All pages, what is searched there, and the folder that keeps the spots."""

    entries: Sequence[PageEntry]
    models: Sequence[SymbolModel]
    method: SymbolMethod
    settings: SymbolSettings
    folder: Path
    labels: tuple[str, ...]
    lessons: Lessons | PageLessons | None = None

    def finished(
        self, jobs: int, cluster: str | None, progress: Progress
    ) -> tuple[list[list[QuerySpots] | str], int]:
        """Each page's spots, or why it cannot be read; how many pages were finished before."""
        files = page_files(self.entries, self.settings, self.folder)
        asked = models_key(self.models, self.method.name)
        keys = [
            key_of(asked, *self._lessons_key(entry), file.stem) if isinstance(file, Path) else ""
            for entry, file in zip(self.entries, files, strict=True)
        ]
        kept = [keyed_file(self.folder, key, ".spots") for key in keys]
        known = [
            read_spots(file, len(self.labels)) if key else None
            for file, key in zip(kept, keys, strict=True)
        ]
        outcomes: dict[int, list[QuerySpots] | str] = {
            number: spots for number, spots in enumerate(known) if spots is not None
        }
        reused = len(outcomes)
        missing = [number for number in range(len(files)) if number not in outcomes]

        def tell(done: int, _total: int | None, doing: str) -> None:
            progress(reused + done, len(files), doing)

        works = [
            self._work(self.entries[number], files[number], kept[number]) for number in missing
        ]
        common = (self._search(cluster),) if works else ()
        for place, outcome in each_done(
            search_page, works, jobs, cluster, tell, "spotting symbols", common=common
        ):
            outcomes[missing[place]] = outcome
        return [outcomes[number] for number in range(len(files))], reused

    def _lessons_key(self, entry: PageEntry) -> tuple[str, ...]:
        if self.lessons is None:
            return ()
        if isinstance(self.lessons, Lessons):
            return (self.lessons.digest,)
        return (*self.labels, self.lessons.digest_of(entry.name))

    def _work(self, entry: PageEntry, file: Path | BadInput, kept: Path) -> PageSearch:
        lessons = self.lessons
        asked = lessons.number_of(entry.name) if isinstance(lessons, PageLessons) else 0
        return PageSearch(with_absolute_path(entry), file, kept, asked)

    def _search(self, cluster: str | None) -> Search:
        version = "" if cluster is None else spotting_version()
        return Search(self.settings, self.method.name, self.labels, self._asked(), version)

    def _asked(self) -> tuple[Asked, ...]:
        """What pages are searched with."""
        if isinstance(self.lessons, PageLessons):
            return tuple(self.lessons.learned)
        if self.lessons is not None:
            return (self.lessons,)
        assert isinstance(self.method, SpottingMethod)
        mend = self.settings.mend
        return ([features_of_model(model, [self.method], mend) for model in self.models],)


def run_of(
    name: str,
    labels: Sequence[str],
    pages: Sequence[tuple[str, Sequence[QuerySpots]]],
    max_spots: int | None = None,
    min_score: float = 0.0,
) -> Run:
    """Make a run of the spots of pages.

    Parameters
    ----------
    name : str
        Of the run.
    labels : sequence of str
    pages : sequence of (str, sequence of QuerySpots)
        Each page's name, and the spots of each label there, with scores of shape (N,).
    max_spots : int, optional
        Keep at most this many spots per label, the best; of equals those of the first page.
    min_score : float
        Spots with a lower score, from 0 to 1, are left out.

    Returns
    -------
    Run
        Outlines are rounded to tenths of a px, scores to six digits.

    Examples
    --------
    >>> ring = [(0, 0), (9, 0), (9, 9)]
    >>> spots = QuerySpots(Outlines.of([ring, ring]), np.array([0.9, 0.3]))
    >>> run_of("mine", ["bed"], [("page", [spots])], min_score=0.5).score.tolist()
    [0.9]
    """
    parts = [
        (label, page, _above(spots, min_score))
        for page, lists in pages
        for label, spots in zip(labels, lists, strict=True)
    ]
    together = QuerySpots.concatenated([spots for _, _, spots in parts])
    # files stay small, and the same on machines whose last digits differ
    outlines = Outlines(np.round(together.outlines.points, PLACES), together.outlines.offsets)
    queries = [label for label, _, spots in parts for _ in range(len(spots))]
    on_pages = [page for _, page, spots in parts for _ in range(len(spots))]
    score = np.round(together.scores, DIGITS)
    if max_spots is not None:
        kept = _best(queries, score, max_spots)
        outlines = outlines.take(kept)
        queries, on_pages = [queries[n] for n in kept], [on_pages[n] for n in kept]
        score = score[kept]
    return Run.ordered(name, queries, on_pages, outlines, score=score, labels=queries)


def _above(spots: QuerySpots, min_score: float) -> QuerySpots:
    kept = int(np.count_nonzero(spots.scores >= min_score))  # scores fall
    return QuerySpots(spots.outlines.take(np.arange(kept)), spots.scores[:kept])


def _best(queries: Sequence[str], score: NDArray[np.float64], max_spots: int) -> list[int]:
    """The numbers of each query's best spots, rising; of equals the first."""
    left = dict.fromkeys(queries, max_spots)
    kept = []
    for number in np.argsort(-score, kind="stable").tolist():
        if left[queries[number]] > 0:
            left[queries[number]] -= 1
            kept.append(number)
    return sorted(kept)
