"""Tallies runs on a cluster, whose workers read the pages; the client holds tallies only.

A worker reads some pages, tallies them and keeps that in the cache. What comes back is where it is
kept, and what there is to say about the truth. So a study that was ended goes on where it was.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from spotlab.compute import add_up
from spotlab.errors import SpotlabError
from spotlab.formats.store.entries import cache_folder, key_of, keyed_file
from spotlab.geometry.coverage import Engine
from spotlab.geometry.outlines import Outlines
from spotlab.measures.tally import PageTally, Tally
from spotlab.model.region import Primitive
from spotlab.model.run import Run
from spotlab.model.truth import Truth
from spotlab.progress import Progress
from spotlab.studies.areas.filed_truths import Change, FiledPage, FiledTruths, pages_of_truths
from spotlab.studies.areas.kept_tally import (
    LABELS,
    SUFFIX,
    read_entries,
    read_tallies,
    write_entries,
    write_tallies,
)
from spotlab.studies.areas.label_areas import label_entries, remember_entries
from spotlab.studies.areas.page_work import PageWork, RunSpots, SomeSpots, work_of_spots
from spotlab.studies.areas.tally_version import check_version, tally_version
from spotlab.studies.areas.tallying import chosen_engine, tally_work, tallying
from spotlab.studies.areas.truth_notes import TruthNotes, notes_on, sum_notes

PAGES_AT_ONCE = 20  # pages that a worker reads and keeps together


@dataclass(frozen=True)
class ClusterJob:
    """What all workers need.

    Attributes
    ----------
    cache : Path
        Keeps tallies.
    queries : tuple of tuple of str
        Those of each run.
    engines : tuple of Engine
        What computes the areas of each run.
    primitive : Primitive or None
        See `spotlab.studies.areas.tallying.tally_page`.
    words : bool
        Whether the words of PAGE files are the regions.
    changes : tuple of callable
        What becomes of each truth that is read.
    confusion : bool
        Whether it is also measured on which labels spots lie.
    version : str
        That of `tally_version`, which every worker has to have.
    """

    cache: Path
    queries: tuple[tuple[str, ...], ...]
    engines: tuple[Engine, ...]
    primitive: Primitive | None
    words: bool
    changes: tuple[Change, ...]
    confusion: bool
    version: str


@dataclass(frozen=True, eq=False)
class SomePages:
    """Pages that are tallied together.

    Attributes
    ----------
    names : tuple of str
    truths : tuple of FiledPage or Truth
        The page's file, or its truth where that is in no file of its own.
    spots : tuple of tuple of SomeSpots
        For each run those on each page.
    """

    names: tuple[str, ...]
    truths: tuple[FiledPage | Truth, ...]
    spots: tuple[tuple[SomeSpots, ...], ...]


@dataclass(frozen=True)
class KeptTallies:
    """What is said of tallies that are kept.

    Attributes
    ----------
    keys : tuple of tuple of str
        For each group of pages, the key of each run's entry.
    notes : TruthNotes
        On the truth of these pages.
    """

    keys: tuple[tuple[str, ...], ...]
    notes: TruthNotes


class Works:
    """The pages of a collection in groups, each made when it is needed.

    Parameters
    ----------
    truths : mapping of str to Truth
    spots : sequence of RunSpots
        For each run.
    """

    def __init__(self, truths: Mapping[str, Truth], spots: Sequence[RunSpots]) -> None:
        self._truths, self._spots = truths, spots
        self._names = tuple(truths)

    def __len__(self) -> int:
        return math.ceil(len(self._names) / PAGES_AT_ONCE)

    def __iter__(self) -> Iterator[SomePages]:
        files = self._truths.files if isinstance(self._truths, FiledTruths) else self._truths
        for start in range(0, len(self._names), PAGES_AT_ONCE):
            names = self._names[start : start + PAGES_AT_ONCE]
            yield SomePages(
                names,
                tuple(files[name] for name in names),
                tuple(
                    tuple(SomeSpots.of(each.run, each.of_page(name)) for name in names)
                    for each in self._spots
                ),
            )


def tally_on_cluster(
    runs: Sequence[Run],
    truths: Mapping[str, Truth],
    pages_of_runs: Sequence[Mapping[str, str | None]],
    cluster: str,
    cache: Path | None,
    primitive: Primitive | None,
    confusion: bool,
    progress: Progress,
) -> tuple[list[Tally], TruthNotes]:
    """Tally several runs on a cluster.

    Parameters
    ----------
    runs, truths, pages_of_runs, primitive, progress
        As in `spotlab.studies.areas.tallying.tally_runs`, which gives the same tallies.
    cluster : str
        Address of a Dask scheduler.
    cache : Path or None
        Folder that keeps tallies, at the same place for all workers; by default in the user's
        cache.
    confusion : bool
        Whether it is also measured on which labels spots lie, for
        `spotlab.studies.areas.label_areas.label_areas`.

    Returns
    -------
    tallies : list of Tally
        One for each run.
    notes : TruthNotes
        On all truth.

    Raises
    ------
    SpotlabError
        A worker is of another version, keeps tallies elsewhere, or the cluster fails.
    BadInput
        The truth of a page cannot be read.
    Cancelled
        From ``progress``; what was finished is kept.
    """
    spots = [RunSpots(run, truths, of_run) for run, of_run in zip(runs, pages_of_runs, strict=True)]
    words, changes = (
        (truths.words, truths.changes) if isinstance(truths, FiledTruths) else (False, ())
    )
    job = ClusterJob(
        (cache or cache_folder("tallies")).absolute(),
        tuple(run.queries for run in runs),
        tuple(chosen_engine(run, Engine.AUTO, progress) for run in runs),
        primitive,
        words,
        changes,
        confusion,
        tally_version(),
    )
    kept = add_up(
        tally_pages, sum_kept, Works(truths, spots), 1, cluster, progress, tallying(runs),
        common=(job,),
    )  # fmt: skip
    if kept is None:
        kept = KeptTallies((), TruthNotes())
    areas = {name: float(page.area) for name, page in pages_of_truths(truths).items()}
    tallies = [
        Tally.of(
            run,
            areas,
            [part for keys in kept.keys for part in _read(keys[at], job)],
        )
        for at, run in enumerate(runs)
    ]
    return tallies, kept.notes


def _read(key: str, job: ClusterJob) -> list[PageTally]:
    """The tallies of some pages, which workers keep."""
    parts = read_tallies(keyed_file(job.cache, key, SUFFIX))
    entries = read_entries(keyed_file(job.cache, key, LABELS)) if job.confusion else ()
    if parts is None or entries is None:
        raise SpotlabError(
            f"tallies are gone from {job.cache}, damaged, or on another machine; name a folder "
            "that all workers share by --cache, and try again: what was finished and kept is not "
            "done again"
        )
    for part, own in zip(parts, entries, strict=False):
        remember_entries(part, own)
    return parts


def tally_pages(pages: SomePages, job: ClusterJob) -> KeptTallies:
    """Tally some pages for each run, unless that is kept already.

    Parameters
    ----------
    pages : SomePages
    job : ClusterJob

    Raises
    ------
    SpotlabError
        This process is of another version.
    BadInput
        The truth of a page cannot be read.
    NotSaved
        The tallies cannot be kept.
    """
    check_version(job.version)
    truths = [
        page.read(job.words, job.changes) if isinstance(page, FiledPage) else page
        for page in pages.truths
    ]
    keys = []
    for queries, engine, spots in zip(job.queries, job.engines, pages.spots, strict=True):
        works = [
            work_of_spots(each, queries, truth, name, job.primitive, engine)
            for each, truth, name in zip(spots, truths, pages.names, strict=True)
        ]
        key = key_of(job.version, *map(digest_of_work, works))
        parts = read_tallies(keyed_file(job.cache, key, SUFFIX))
        if parts is None:
            parts = [tally_work(work) for work in works]
            write_tallies(parts, keyed_file(job.cache, key, SUFFIX))
        labels = keyed_file(job.cache, key, LABELS)
        if job.confusion and read_entries(labels) is None:
            entries = [
                label_entries(each, queries, part, truth, job.primitive)
                for each, part, truth in zip(spots, parts, truths, strict=True)
            ]
            write_entries(entries, labels)
        keys.append(key)
    return KeptTallies((tuple(keys),), notes_on(zip(pages.names, truths, strict=True)))


def sum_kept(parts: Sequence[KeptTallies]) -> KeptTallies:
    """What is said of the tallies of all these pages, in this order.

    Parameters
    ----------
    parts : sequence of KeptTallies
    """
    return KeptTallies(
        tuple(keys for part in parts for keys in part.keys),
        sum_notes([part.notes for part in parts]),
    )


def digest_of_work(work: PageWork) -> str:
    """A digest of all that the tally of a page is made from.

    Parameters
    ----------
    work : PageWork
    """
    digest = hashlib.sha256()
    for field in fields(work):
        value = getattr(work, field.name)
        arrays = [value.points, value.offsets] if isinstance(value, Outlines) else [value]
        for each in arrays:
            if isinstance(each, np.ndarray):
                digest.update(f"{field.name} {each.dtype} {each.shape}".encode())
                digest.update(np.ascontiguousarray(each).tobytes())
            else:
                digest.update(f"{field.name} {each!r}".encode())
    return digest.hexdigest()
