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
from spotlab.spotting.page_entries import LeftOut, page_entries, readable
from spotlab.spotting.page_file import key_of, keyed_file
from spotlab.spotting.symbols.fusing import fused
from spotlab.spotting.symbols.index import default_cache, page_files, seen_of
from spotlab.spotting.symbols.method import Method, methods
from spotlab.spotting.symbols.page_spots import (
    models_key,
    read_spots,
    spotting_version,
    write_spots,
)
from spotlab.spotting.symbols.query_model import QueryModel
from spotlab.spotting.symbols.seeing import SymbolSettings, see_model
from spotlab.spotting.symbols.seen import Found, Query

BEST = "e"  # the method that finds most


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


def spot_symbols(
    pages: Sequence[Path | PageEntry],
    models: Sequence[QueryModel],
    method: str = BEST,
    settings: SymbolSettings | None = None,
    *,
    cache: Path | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    most: int | None = None,
    progress: Progress = silent,
) -> Run:
    """The run of `search_symbols`."""
    return search_symbols(
        pages, models, method, settings,
        cache=cache, jobs=jobs, cluster=cluster, most=most, progress=progress,
    ).run  # fmt: skip


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
        One of `spotlab.spotting.symbols.method.methods`.
    settings : SymbolSettings, optional
        How pages and models are seen.
    cache : Path, optional
        Folder for what is kept; by default the user's cache.
    jobs, cluster
        As in `spotlab.compute.executor`.
    most : int, optional
        So many spots a query at most, the best; all unless given.
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
    works = _works(entries, models, chosen, settings, cache, cluster is not None)
    chosen.get_ready(progress)
    outcomes, reused = _finished(works, len(labels), jobs, cluster, progress)
    problems = [outcome if isinstance(outcome, str) else "" for outcome in outcomes]
    _, left_out = readable(entries, problems)
    found = [
        (entry.name, outcome)
        for entry, outcome in zip(entries, outcomes, strict=True)
        if not isinstance(outcome, str)
    ]
    run = _run(f"symbols_{method}", labels, found, most)
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
    kept : Path
        What is found on it.
    queries : bytes
        Pickled, so that a process makes them once, and what methods make of them.
    version : str
        That which a worker elsewhere has to be of too.
    """

    entry: PageEntry
    settings: SymbolSettings
    file: Path | BadInput
    kept: Path
    method: str
    queries: bytes
    version: str


def _works(
    entries: Sequence[PageEntry],
    models: Sequence[QueryModel],
    method: Method,
    settings: SymbolSettings,
    cache: Path | None,
    is_elsewhere: bool,
) -> list[_Work]:
    folder = cache or default_cache()
    asked = models_key(models, method.name)
    queries = pickle.dumps([see_model(model, [method], settings.mend) for model in models])
    version = spotting_version() if is_elsewhere else ""
    works = []
    for entry, file in zip(entries, page_files(entries, settings, folder), strict=True):
        key = key_of(asked, file.stem if isinstance(file, Path) else "")
        kept = keyed_file(folder, key, ".spots")
        works.append(_Work(entry, settings, file, kept, method.name, queries, version))
    return works


def _finished(
    works: Sequence[_Work], labels: int, jobs: int, cluster: str | None, progress: Progress
) -> tuple[list[list[Found] | str], int]:
    """For each page what is found there, or why it cannot be read; how many were finished."""
    outcomes: dict[int, list[Found] | str] = {}
    for number, work in enumerate(works):
        known = read_spots(work.kept, labels) if isinstance(work.file, Path) else None
        if known is not None:
            outcomes[number] = known
    reused = len(outcomes)
    missing = [number for number in range(len(works)) if number not in outcomes]

    def tell(done: int, _total: int | None, doing: str) -> None:
        progress(reused + done, len(works), doing)

    open_works = [works[number] for number in missing]
    for number, outcome in each_done(_search, open_works, jobs, cluster, tell, "spotting symbols"):
        if not isinstance(outcome, str):
            write_spots(outcome, works[missing[number]].kept)
        outcomes[missing[number]] = outcome
    return [outcomes[number] for number in range(len(works))], reused


def _search(work: _Work) -> list[Found] | str:
    """What is on a page, a list for each label; or why it cannot be read."""
    if work.version not in {"", spotting_version()}:
        raise SpotlabError(
            "a worker of the cluster has another spotlab, numpy or OpenCV and may find other things"
        )
    try:
        page = seen_of(work.entry, work.settings, work.file)
    except BadInput as error:
        return str(error)
    method = method_of(work.method)
    found: dict[str, list[Found]] = {}
    for query in _unpacked(work.queries):
        found.setdefault(query.name, []).append(method.spot(page, query))
    return [fused(each) for each in found.values()]


@lru_cache(maxsize=1)
def _unpacked(queries: bytes) -> list[Query]:
    unpacked: list[Query] = pickle.loads(queries)
    return unpacked


def _run(
    name: str, labels: Sequence[str], pages: Sequence[tuple[str, list[Found]]], most: int | None
) -> Run:
    """The run of what was found, page after page and label after label."""
    parts = [
        (label, page, each)
        for page, found in pages
        for label, each in zip(labels, found, strict=True)
    ]
    rings = [each.outlines[place] for _, _, each in parts for place in range(len(each))]
    queries = [label for label, _, each in parts for _ in range(len(each))]
    places = [page for _, page, each in parts for _ in range(len(each))]
    score = np.concatenate([np.empty(0), *(each.scores for _, _, each in parts)])
    if most is not None:
        kept = _best(queries, score, most)
        rings = [rings[number] for number in kept]
        queries, places = [queries[n] for n in kept], [places[n] for n in kept]
        score = score[kept]
    return Run.ordered(name, queries, places, Outlines.of(rings), score=score, labels=queries)


def _best(queries: Sequence[str], score: NDArray[np.float64], most: int) -> list[int]:
    """The numbers of each query's best spots, rising; of equals the first."""
    left = dict.fromkeys(queries, most)
    kept = []
    for number in np.argsort(-score, kind="stable").tolist():
        if left[queries[number]] > 0:
            left[queries[number]] -= 1
            kept.append(number)
    return sorted(kept)
