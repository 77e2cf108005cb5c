"""Tallies made by the workers of a cluster, which read the pages; the client holds tallies only.

A worker reads some pages, tallies them and keeps that in the cache. What comes back is where it is
kept, and what there is to say about the truth. So a study that was ended goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

import spotlab
from spotlab.compute import add_up
from spotlab.errors import SpotlabError
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.collection.page_names import pages_apart
from spotlab.formats.collection.truth_files import (
    TruthFile,
    list_truths,
    one_truth_each,
    with_absolute_paths,
)
from spotlab.formats.rows.json_values import parse_json
from spotlab.formats.rows.reading import Finding, Reading
from spotlab.formats.store import (
    cache_folder,
    code_digest,
    key_of,
    keyed_file,
    read_arrays,
    write_arrays,
)
from spotlab.geometry.coverage import Engine
from spotlab.geometry.polygon import Outlines
from spotlab.measures.tally import PageIgnored, PageTally, Tally
from spotlab.model.region import Primitive
from spotlab.model.run import Run, Truth
from spotlab.progress import Progress, silent
from spotlab.studies.tally.label_areas import Entries, label_entries, remember_entries
from spotlab.studies.tally.outlines import TruthNotes, notes_on, sum_notes
from spotlab.studies.tally.tallying import (
    RunSpots,
    SomeSpots,
    TallyWork,
    chosen_engine,
    tally_work,
    tallying,
    work_of_spots,
)
from spotlab.studies.tally.truth import (
    Change,
    FiledPage,
    FiledTruths,
    TruthPages,
    TruthSet,
    boxes_of_truths,
    categories_of,
    changed_truths,
    pages_of_truths,
    read_truths,
    truth_set_of,
    with_changes,
)

ROOMS = (
    "geometry", "measures", "model", "formats/rows", "formats/runs", "studies/tally",
    "lab/parts",
)  # fmt: skip


@lru_cache(maxsize=1)
def tally_version() -> str:
    """A digest of spotlab's version and of all that makes tallies."""
    own = Path(__file__).parents[2]
    sources = [path for room in ROOMS for path in sorted((own / room).glob("*.py"))]
    return key_of(spotlab.__version__, code_digest(sources, [np, shapely]))


def check_version(version: str) -> None:
    """Check that this process is of the same version as the one that gave the work.

    Parameters
    ----------
    version : str
        What `tally_version` said there.

    Raises
    ------
    SpotlabError
        It is not.
    """
    if version != tally_version():
        raise SpotlabError(
            "a worker of the cluster has another spotlab or numpy and may find other figures"
        )


SUFFIX = ".tallies"  # of the files of tallies
_MAGIC = b"spotlab tallies 2\n"
_OF_PAGE = (
    "spot", "area", "gained_area", "gained_true_area", "region_area", "pair_spot", "pair_region",
    "pair_shared", "pair_gained_area",
)  # fmt: skip
_OF_IGNORED = ("kind", "spot_area", "region_area", "pair_shared")
_ENTRIES = ("entry_spot", "entry_label", "entry_shared", "entry_gained")

Kept = tuple[list[PageTally], list[Entries] | None]  # of some pages


def write_tallies(
    parts: Sequence[PageTally], entries: Sequence[Entries] | None, file: Path
) -> None:
    """Write the tallies of some pages, each column for all pages together.

    Parameters
    ----------
    parts : sequence of PageTally
    entries : sequence of tuple, or None
        As `spotlab.studies.tally.label_areas.label_entries` gives them, where they are measured.
    file : Path
        Of `spotlab.formats.store.keyed_file`.

    Raises
    ------
    NotSaved
        It cannot be written.
    """
    columns = {name: [getattr(part, name) for part in parts] for name in _OF_PAGE}
    off = [part.ignored or _NOTHING for part in parts]
    columns |= {f"ignored_{name}": [getattr(each, name) for each in off] for name in _OF_IGNORED}
    columns["points"] = [each.outlines.points for each in off]
    columns["offsets"] = [each.outlines.offsets for each in off]
    labels: list[str] = []
    if entries is not None:
        labels = sorted({label for _, of_page, *_ in entries for label in of_page.tolist()})
        code = {label: number for number, label in enumerate(labels)}
        columns |= dict(zip(_ENTRIES, map(list, zip(*entries, strict=True)), strict=True))
        columns["entry_label"] = [
            np.array([code[label] for label in of_page.tolist()], np.int64)
            for _, of_page, *_ in entries
        ]
    said = {
        "labels": labels,
        "pages": [
            {
                "page": part.page,
                "ids": part.region_id,
                "labels": part.region_label,
                "truth_area": dict(part.truth_area),
                "ignored": None if part.ignored is None else dict(part.ignored.area),
            }
            for part in parts
        ],
    }
    arrays = {"said": np.frombuffer(json.dumps(said).encode(), np.uint8)}
    for name, of_pages in columns.items():
        arrays[name] = np.concatenate(of_pages)
        arrays[f"{name} ends"] = np.cumsum([len(column) for column in of_pages])
    write_arrays(arrays, file, _MAGIC)


def read_tallies(file: Path) -> Kept | None:
    """Read what `write_tallies` wrote.

    Parameters
    ----------
    file : Path

    Returns
    -------
    (list of PageTally, list of tuple or None), or None
        None where there is no such file, or it is damaged.

    Examples
    --------
    >>> read_tallies(Path("missing.tallies")) is None
    True
    """
    arrays = read_arrays(file, _MAGIC)
    if arrays is None:
        return None
    try:
        return _kept(arrays)
    except (KeyError, ValueError, TypeError, IndexError):
        return None


def _kept(arrays: Mapping[str, NDArray[Any]]) -> Kept:
    said = parse_json(arrays["said"].tobytes())
    columns = {
        name: np.split(values, arrays[f"{name} ends"][:-1])
        for name, values in arrays.items()
        if f"{name} ends" in arrays
    }
    parts = []
    for at, page in enumerate(said["pages"]):
        ignored = None
        if page["ignored"] is not None:
            ignored = PageIgnored(
                area=page["ignored"],
                outlines=Outlines(columns["points"][at], columns["offsets"][at]),
                **{name: columns[f"ignored_{name}"][at] for name in _OF_IGNORED},
            )
        parts.append(
            PageTally(
                page=page["page"],
                region_id=tuple(page["ids"]),
                region_label=tuple(page["labels"]),
                truth_area=page["truth_area"],
                ignored=ignored,
                **{name: columns[name][at] for name in _OF_PAGE},
            )
        )
    if "entry_spot" not in columns:
        return parts, None
    names = np.array(said["labels"], np.object_)
    columns["entry_label"] = [names[code] for code in columns["entry_label"]]
    return parts, list(zip(*(columns[name] for name in _ENTRIES), strict=True))


_NOTHING = PageIgnored(
    np.empty(0, np.int8), np.empty(0), np.empty(0), np.empty(0), {}, Outlines.of([])
)


PAGES_AT_ONCE = 20  # pages that a worker reads and keeps together


@dataclass(frozen=True)
class ClusterJob:
    """Settings that all workers need.

    Attributes
    ----------
    cache : Path
        Keeps tallies.
    queries : tuple of tuple of str
        Those of each run.
    engines : tuple of Engine
        What computes the areas of each run.
    primitive : Primitive or None
        See `spotlab.studies.tally.tallying.tally_page`.
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
    """Keys of tallies that are kept, and notes on their truth.

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
        As in `spotlab.studies.tally.tallying.tally_runs`, which gives the same tallies.
    cluster : str
        Address of a Dask scheduler.
    cache : Path or None
        Folder that keeps tallies, at the same place for all workers; by default in the user's
        cache.
    confusion : bool
        Whether it is also measured on which labels spots lie, for
        `spotlab.studies.tally.label_areas.label_areas`.

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
        Tally.of(run, areas, [part for keys in kept.keys for part in _read(keys[at], job)])
        for at, run in enumerate(runs)
    ]
    return tallies, kept.notes


def _read(key: str, job: ClusterJob) -> list[PageTally]:
    """The tallies of some pages, which workers keep."""
    kept = read_tallies(keyed_file(job.cache, key, SUFFIX))
    if kept is None or (job.confusion and kept[1] is None):
        raise SpotlabError(
            f"tallies are gone from {job.cache}, damaged, or on another machine; name a folder "
            "that all workers share by --cache, and try again: what was finished and kept is not "
            "done again"
        )
    parts, entries = kept
    for part, own in zip(parts, entries or (), strict=False):
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
        file = keyed_file(job.cache, key, SUFFIX)
        parts, entries = read_tallies(file) or (None, None)
        if parts is None or (job.confusion and entries is None):
            parts = parts or [tally_work(work) for work in works]
            if job.confusion:
                entries = [
                    label_entries(each, queries, part, truth, job.primitive)
                    for each, part, truth in zip(spots, parts, truths, strict=True)
                ]
            write_tallies(parts, entries, file)
        keys.append(key)
    return KeptTallies((tuple(keys),), notes_on(zip(pages.names, truths, strict=True)))


def sum_kept(parts: Sequence[KeptTallies]) -> KeptTallies:
    """Join keys and notes of the tallies of several groups of pages, in this order.

    Parameters
    ----------
    parts : sequence of KeptTallies
    """
    return KeptTallies(
        tuple(keys for part in parts for keys in part.keys),
        sum_notes([part.notes for part in parts]),
    )


def digest_of_work(work: TallyWork) -> str:
    """A digest of all that the tally of a page is made from.

    Parameters
    ----------
    work : TallyWork
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


FILES_AT_ONCE = 50  # files that a worker looks at


def locate_truths(
    paths: Iterable[Path | str],
    cluster: str,
    *,
    words: bool = False,
    strict: bool = False,
    change: Change | None = None,
    progress: Progress = silent,
) -> TruthSet:
    """The truth in folders and files, which stays there: workers look at each page.

    Parameters
    ----------
    paths : iterable of Path
        As in `spotlab.studies.tally.truth.read_truths`; workers find them at the same places.
    cluster : str
        Address of a Dask scheduler.
    words : bool
        Of PAGE files, take the words as regions.
    strict : bool
        Raise the error of the first item that cannot be read.
    change : callable, optional
        What becomes of the truth of each page.
    progress : Progress
        Told of each group of files.

    Returns
    -------
    TruthSet
        Its pages are read when they are asked for. Where some file holds any number of pages, as
        one of COCO does, all truth is read here instead.

    Raises
    ------
    BadInput
        As in `read_truths`.
    SpotlabError
        The cluster fails.
    """
    given = [Path(path) for path in paths]
    asked = Reading(progress, strict=strict)
    listing = list_truths(given, asked)
    formats = known_formats()
    if any(formats[file.format].many_pages for file in listing.files):
        whole = read_truths(given, words=words, strict=strict, progress=progress)
        return (
            whole if change is None else replace(whole, truths=changed_truths(whole.truths, change))
        )
    files = [with_absolute_paths(file) for file in listing.files]
    changes = () if change is None else (change,)
    works = [files[start : start + FILES_AT_ONCE] for start in range(0, len(files), FILES_AT_ONCE)]
    looked = add_up(
        _looked_at, _in_a_row, works, 1, cluster, progress, "reading truth",
        common=(words, strict, changes),
    )  # fmt: skip
    found: TruthPages[FiledPage] = TruthPages()
    filed: list[FiledPage] = []
    for of_file, of_reading in looked or ():
        filed += of_file
        for finding in of_reading:
            asked.findings.add(finding)
    filed = one_truth_each(filed, asked)
    others = [entry.image for entry in listing.without]
    for each, page in zip(filed, pages_apart([each.page for each in filed], others), strict=True):
        found.add(page.name, replace(each, page=page), each.file.path)
    truths = FiledTruths(found.in_order(), words, changes)
    return truth_set_of(given, listing, found, truths, asked.findings)


FileContent = tuple[list[FiledPage], list[Finding]]


def _looked_at(
    files: Sequence[TruthFile], words: bool, strict: bool, changes: Sequence[Change]
) -> list[FileContent]:
    """For each file, what is known of its pages."""
    return [_pages_in(file, words, strict, changes) for file in files]


def _pages_in(file: TruthFile, words: bool, strict: bool, changes: Sequence[Change]) -> FileContent:
    reading = Reading(words=words, texts_only=True, strict=strict)
    pages: list[FiledPage] = []
    with reading.item():
        for place, unchanged in enumerate(file.read(reading)):
            truth = with_changes(unchanged, changes)
            labels = tuple(dict.fromkeys(region.label for region in truth.regions))
            counts = boxes_of_truths({"": truth})
            categories = categories_of(unchanged.labels)
            texts = tuple(dict.fromkeys(each.text for each in unchanged.regions if each.text))
            pages.append(FiledPage(truth.page, labels, file, place, *counts, categories, texts))
    return pages, list(reading.findings)


def _in_a_row(parts: Sequence[list[FileContent]]) -> list[FileContent]:
    return [pages for part in parts for pages in part]
