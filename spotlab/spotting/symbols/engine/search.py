"""Spots symbols on all pages of a collection: page by page, on this machine or on a cluster."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.compute import each_done
from spotlab.errors import BadInput, SpotlabError
from spotlab.formats.folder import PageEntry
from spotlab.geometry.outlines import Outlines
from spotlab.model.run import Run
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.spotting.page_entries import LeftOut, for_workers, page_entries, readable
from spotlab.spotting.page_file import key_of, keyed_file
from spotlab.spotting.symbols.engine.feature_extraction import SymbolSettings, see_model
from spotlab.spotting.symbols.engine.fusing import spotted
from spotlab.spotting.symbols.engine.index import default_cache, page_files, seen_of
from spotlab.spotting.symbols.engine.method import Method, methods
from spotlab.spotting.symbols.engine.page_features import Found, Query
from spotlab.spotting.symbols.engine.page_spots import (
    models_key,
    read_spots,
    spotting_version,
    write_spots,
)
from spotlab.spotting.symbols.engine.query_model import QueryModel

BEST = "e"  # the method that finds most
PLACES, DIGITS = 1, 6  # after the point, of px and of scores


@dataclass(frozen=True, eq=False)
class SymbolSearch:
    """What was found, and what became of the pages.

    Attributes
    ----------
    run : Run
    labels : tuple of str
        What was searched, also where nothing was found.
    pages : int
        How many pages were searched.
    left_out : tuple of LeftOut
        Pages that could not be read.
    reused : int
        How many pages an earlier search had finished.
    """

    run: Run
    labels: tuple[str, ...]
    pages: int
    left_out: tuple[LeftOut, ...]
    reused: int

    __repr__ = short_repr


def search_symbols(
    pages: Sequence[Path | PageEntry],
    models: Sequence[QueryModel],
    method: str = BEST,
    settings: SymbolSettings | None = None,
    *,
    cache: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    most: int | None = None,
    at_least: float | None = None,
    progress: Progress = silent,
) -> SymbolSearch:
    """Search all pages for all models.

    What is found on a page is kept in a file as soon as it is, so that a search that was cancelled
    or killed goes on with the pages that it had not finished. The same pages, models and settings
    make the same run, wherever and in whatever order the pages are searched.

    Parameters
    ----------
    pages : sequence of Path or PageEntry
        Images, folders of images, or pages of files.
    models : sequence of QueryModel
        Those of one name are of one label: at each place the best of them counts.
    method : str
        One of `spotlab.spotting.symbols.engine.method.methods`.
    settings : SymbolSettings, optional
        How pages and models are seen.
    cache : Path, optional
        Folder for what is kept; by default the user's cache.
    jobs, cluster
        As in `spotlab.compute.executor`.
    most : int, optional
        So many spots a query at most, the best; all unless given.
    at_least : float, optional
        Leave out spots with a lower score; by default the method's own `usual` one.
    progress : Progress
        Told of each page.

    Raises
    ------
    SpotlabError
        There is no such method, no model or no page; a worker has ended before its time.
    BadInput
        No page can be read, or two have the same name.
    NotSaved
        The folder for what is kept is not writable.
    Cancelled
        From ``progress``; the pages finished so far are kept.
    """
    settings = settings or SymbolSettings()
    chosen = method_of(method)
    if not models:
        raise SpotlabError("there is nothing to search for: no query model")
    labels = tuple(dict.fromkeys(model.name for model in models))
    entries = page_entries(pages)
    job = _Job(entries, models, chosen, settings, cache or default_cache(), len(labels))
    outcomes, reused = job.finished(jobs, cluster, progress)
    problems = [outcome if isinstance(outcome, str) else "" for outcome in outcomes]
    _, left_out = readable(entries, problems)
    found = [
        (entry.name, outcome)
        for entry, outcome in zip(entries, outcomes, strict=True)
        if not isinstance(outcome, str)
    ]
    least = chosen.usual if at_least is None else at_least
    run = run_of(f"symbols_{method}", labels, found, most, least)
    return SymbolSearch(run, labels, len(found), left_out, reused)


def method_of(name: str) -> Method:
    """The method of this name.

    Raises
    ------
    SpotlabError
        There is none; the text says which there are.
    """
    if name not in methods():
        raise SpotlabError(f"there is no method {name!r}; there are {', '.join(sorted(methods()))}")
    return methods()[name]


@dataclass(frozen=True, eq=False)
class _Work:
    """A page to search.

    Attributes
    ----------
    file : Path or BadInput
        What is seen of the page; why it cannot be seen.
    queries : bytes
        Pickled, so that a process makes them once, and what methods make of them.
    version : str
        That which a worker elsewhere has to be of too.
    """

    entry: PageEntry
    settings: SymbolSettings
    file: Path | BadInput
    method: str
    queries: bytes
    version: str


@dataclass(frozen=True, eq=False)
class _Job:
    """All pages, what is searched there, and the folder that keeps what is found."""

    entries: Sequence[PageEntry]
    models: Sequence[QueryModel]
    method: Method
    settings: SymbolSettings
    folder: Path
    labels: int

    def finished(
        self, jobs: int, cluster: str | None, progress: Progress
    ) -> tuple[list[list[Found] | str], int]:
        """For each page what is there or why it cannot be read; how many were finished before."""
        files = page_files(self.entries, self.settings, self.folder)
        asked = models_key(self.models, self.method.name)
        keys = [key_of(asked, file.stem) if isinstance(file, Path) else "" for file in files]
        kept = [keyed_file(self.folder, key, ".spots") for key in keys]
        known = [
            read_spots(file, self.labels) if key else None
            for file, key in zip(kept, keys, strict=True)
        ]
        outcomes: dict[int, list[Found] | str] = {
            number: found for number, found in enumerate(known) if found is not None
        }
        reused = len(outcomes)
        missing = [number for number in range(len(files)) if number not in outcomes]

        def tell(done: int, _total: int | None, doing: str) -> None:
            progress(reused + done, len(files), doing)

        works = self._works([(self.entries[number], files[number]) for number in missing], cluster)
        for place, outcome in each_done(_search, works, jobs, cluster, tell, "spotting symbols"):
            number = missing[place]
            if not isinstance(outcome, str):
                write_spots(outcome, kept[number])
            outcomes[number] = outcome
        return [outcomes[number] for number in range(len(files))], reused

    def _works(
        self, pages: Sequence[tuple[PageEntry, Path | BadInput]], cluster: str | None
    ) -> list[_Work]:
        if not pages:
            return []
        mend, name = self.settings.mend, self.method.name
        queries = pickle.dumps([see_model(model, [self.method], mend) for model in self.models])
        version = "" if cluster is None else spotting_version()
        return [
            _Work(for_workers(entry), self.settings, file, name, queries, version)
            for entry, file in pages
        ]


def _search(work: _Work) -> list[Found] | str:
    """What is on a page, a list for each label; or why it cannot be read."""
    if work.version not in {"", spotting_version()}:
        raise SpotlabError(
            "a worker of the cluster has another spotlab, numpy or OpenCV and may find other things"
        )
    try:
        page = seen_of(work.entry, work.settings, work.file)
    except BadInput as error:
        return error.problem
    return [*spotted(method_of(work.method), page, _unpacked(work.queries)).values()]


@lru_cache(maxsize=1)
def _unpacked(queries: bytes) -> list[Query]:
    unpacked: list[Query] = pickle.loads(queries)
    return unpacked


def run_of(
    name: str,
    labels: Sequence[str],
    pages: Sequence[tuple[str, Sequence[Found]]],
    most: int | None = None,
    at_least: float = 0.0,
) -> Run:
    """The run of what was found.

    Parameters
    ----------
    name : str
        Of the run.
    labels : sequence of str
    pages : sequence of (str, sequence of Found)
        Each page's name, and what was found there of each label.
    most : int, optional
        So many spots a label at most, the best; of equals those of the first page.
    at_least : float
        Spots with a lower score are left out.

    Returns
    -------
    Run
        Outlines are rounded to tenths of a px, scores to six digits.
    """
    parts = [
        (label, page, _good(each, at_least))
        for page, found in pages
        for label, each in zip(labels, found, strict=True)
    ]
    outlines = [each.outlines[place] for _, _, each in parts for place in range(len(each))]
    # files stay small, and the same on machines whose last digits differ
    rings = [np.round(outline, PLACES) for outline in outlines]
    queries = [label for label, _, each in parts for _ in range(len(each))]
    places = [page for _, page, each in parts for _ in range(len(each))]
    score = np.round(np.concatenate([np.empty(0), *(each.scores for _, _, each in parts)]), DIGITS)
    if most is not None:
        kept = _best(queries, score, most)
        rings = [rings[number] for number in kept]
        queries, places = [queries[n] for n in kept], [places[n] for n in kept]
        score = score[kept]
    return Run.ordered(name, queries, places, Outlines.of(rings), score=score, labels=queries)


def _good(found: Found, at_least: float) -> Found:
    kept = int(np.count_nonzero(found.scores >= at_least))  # scores fall
    return Found(found.outlines.take(np.arange(kept)), found.scores[:kept])


def _best(queries: Sequence[str], score: NDArray[np.float64], most: int) -> list[int]:
    """The numbers of each query's best spots, rising; of equals the first."""
    left = dict.fromkeys(queries, most)
    kept = []
    for number in np.argsort(-score, kind="stable").tolist():
        if left[queries[number]] > 0:
            left[queries[number]] -= 1
            kept.append(number)
    return sorted(kept)
