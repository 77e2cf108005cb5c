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
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

import spotlab
from spotlab.compute import add_up
from spotlab.errors import SpotlabError
from spotlab.formats.collection.detect import known_formats
from spotlab.formats.rows.json_values import parse_json
from spotlab.formats.store.entries import (
    cache_folder,
    code_digest,
    key_of,
    keyed_file,
    read_arrays,
    write_arrays,
)
from spotlab.geometry.coverage import Engine
from spotlab.geometry.outlines import Outlines
from spotlab.measures.tally import PageIgnored, PageTally, Tally, joined
from spotlab.model.region import Primitive
from spotlab.model.run import Run
from spotlab.model.truth import Truth
from spotlab.progress import Progress, silent
from spotlab.studies.tally.label_areas import Entries, label_entries, remember_entries
from spotlab.studies.tally.remarks import TruthNotes, notes_on, sum_notes
from spotlab.studies.tally.tallying import (
    PageWork,
    RunSpots,
    SomeSpots,
    chosen_engine,
    tally_work,
    tallying,
    work_of_spots,
)
from spotlab.studies.tally.truth import (
    Change,
    FiledPage,
    FiledTruths,
    FoundPages,
    TruthFile,
    TruthSet,
    changed_truths,
    list_truths,
    pages_of_truths,
    read_truths,
    truth_set_of,
    with_absolute_paths,
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


SUFFIX, LABELS = ".tallies", ".labels"  # of the files of tallies, and of entries
_MAGIC = b"spotlab tallies 1\n"
_OF_SPOT = ("spot", "area", "gained_area", "gained_true_area")
_OF_REGION = ("region_area",)
_OF_PAIR = ("pair_spot", "pair_region", "pair_shared", "pair_gained_area")
_IGNORED = (("kind", 1), ("spot_area", 0), ("region_area", 1), ("pair_shared", 2))
_WHOLE = ("spot", "pair_spot", "pair_region")

Arrays = Mapping[str, NDArray[Any]]


def write_tallies(parts: Sequence[PageTally], file: Path) -> None:
    """Write the tallies of some pages.

    Parameters
    ----------
    parts : sequence of PageTally
    file : Path
        Of `spotlab.formats.store.entries.keyed_file`.

    Raises
    ------
    NotSaved
        It cannot be written.
    """
    write_arrays(_columns(parts), file, _MAGIC)


def read_tallies(file: Path) -> list[PageTally] | None:
    """Read what `write_tallies` wrote.

    Parameters
    ----------
    file : Path

    Returns
    -------
    list of PageTally, or None
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
        return _parts(arrays)
    except (KeyError, ValueError, TypeError, IndexError):
        return None


def write_entries(pages: Sequence[Entries], file: Path) -> None:
    """Write on which labels the spots of some pages lie.

    Parameters
    ----------
    pages : sequence of tuple
        As `spotlab.studies.tally.label_areas.label_entries` gives them.
    file : Path
        Of `spotlab.formats.store.entries.keyed_file`.

    Raises
    ------
    NotSaved
        It cannot be written.
    """
    spot, label, shared, gained = map(np.concatenate, zip(*pages, strict=True))
    names, code = np.unique(label.astype(np.str_), return_inverse=True)
    write_arrays(
        {
            "sizes": np.array([len(page[0]) for page in pages], np.int64),
            "spot": spot.astype(np.int64),
            "label": code.astype(np.int64),
            "shared": shared.astype(np.float64),
            "gained": gained.astype(np.float64),
            "said": np.frombuffer(json.dumps(names.tolist()).encode(), np.uint8),
        },
        file,
        _MAGIC,
    )


def read_entries(file: Path) -> list[Entries] | None:
    """Read what `write_entries` wrote.

    Parameters
    ----------
    file : Path

    Returns
    -------
    list of tuple, or None
        None where there is no such file, or it is damaged.

    Examples
    --------
    >>> read_entries(Path("missing.labels")) is None
    True
    """
    arrays = read_arrays(file, _MAGIC)
    if arrays is None:
        return None
    try:
        names = np.array(parse_json(arrays["said"].tobytes()), np.object_)
        ends = np.cumsum(arrays["sizes"])[:-1]
        spots, labels = (np.split(each, ends) for each in (arrays["spot"], names[arrays["label"]]))
        shared, gained = (np.split(arrays[name], ends) for name in ("shared", "gained"))
        return list(zip(spots, labels, shared, gained, strict=True))
    except (KeyError, ValueError, TypeError, IndexError):
        return None


def _columns(parts: Sequence[PageTally]) -> dict[str, NDArray[Any]]:
    """One column for all pages of what each has a column of."""
    sizes = [(len(part.spot), len(part.region_id), len(part.pair_spot)) for part in parts]
    columns: dict[str, NDArray[Any]] = {"sizes": np.array(sizes, np.int64).reshape(-1, 3)}
    for name in (*_OF_SPOT, *_OF_REGION, *_OF_PAIR):
        kind = np.int64 if name in _WHOLE else np.float64
        columns[name] = joined([getattr(part, name) for part in parts], kind)
    off = [part.ignored for part in parts if part.ignored is not None]
    if off:
        for name, _ in _IGNORED:
            small: type = np.int8 if name == "kind" else np.float64
            columns[f"ignored_{name}"] = joined([getattr(each, name) for each in off], small)
        outlines = Outlines.joined([each.outlines for each in off])
        columns |= {"ignored_points": outlines.points, "ignored_offsets": outlines.offsets}
    said = [
        {
            "page": part.page,
            "ids": part.region_id,
            "labels": part.region_label,
            "truth_area": dict(part.truth_area),
            "ignored": None
            if part.ignored is None
            else [dict(part.ignored.area), len(part.ignored.outlines)],
        }
        for part in parts
    ]
    columns["said"] = np.frombuffer(json.dumps(said).encode(), np.uint8)
    return columns


def _parts(arrays: Arrays) -> list[PageTally]:
    said = parse_json(arrays["said"].tobytes())
    ends = np.concatenate([np.zeros((1, 3), np.int64), np.cumsum(arrays["sizes"], axis=0)])
    ignored = iter(_ignored(arrays, said))
    found = []
    for page, (starts, stops) in zip(said, pairwise(ends.tolist()), strict=True):
        spots, regions, pairs = (slice(*each) for each in zip(starts, stops, strict=True))
        given = {name: arrays[name][spots] for name in _OF_SPOT}
        given |= {name: arrays[name][regions] for name in _OF_REGION}
        given |= {name: arrays[name][pairs] for name in _OF_PAIR}
        found.append(
            PageTally(
                page=page["page"],
                region_id=tuple(page["ids"]),
                region_label=tuple(page["labels"]),
                truth_area=page["truth_area"],
                ignored=None if page["ignored"] is None else next(ignored),
                **given,
            )
        )
    return found


def _ignored(arrays: Arrays, said: Sequence[Mapping[str, Any]]) -> list[PageIgnored]:
    """What ignored regions take off, for each page that has some."""
    starts, ring, found = [0, 0, 0], 0, []
    for page, size in zip(said, arrays["sizes"].tolist(), strict=True):
        if page["ignored"] is None:
            continue
        area, rings = page["ignored"]
        stops = [start + more for start, more in zip(starts, size, strict=True)]
        given = {
            name: arrays[f"ignored_{name}"][starts[kind] : stops[kind]] for name, kind in _IGNORED
        }
        offsets = arrays["ignored_offsets"][ring : ring + rings + 1]
        points = arrays["ignored_points"][offsets[0] : offsets[-1]]
        found.append(
            PageIgnored(area=area, outlines=Outlines(points, offsets - offsets[0]), **given)
        )
        starts, ring = stops, ring + rings
    return found


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


FILES_AT_ONCE = 50  # files that a worker looks at


def locate_truths(
    paths: Iterable[Path | str],
    cluster: str,
    *,
    words: bool = False,
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
    listing = list_truths(given, progress)
    formats = known_formats()
    if any(formats[file.format].many_pages for file in listing.files):
        whole = read_truths(given, words=words, progress=progress)
        return (
            whole if change is None else replace(whole, truths=changed_truths(whole.truths, change))
        )
    files = [with_absolute_paths(file) for file in listing.files]
    changes = () if change is None else (change,)
    works = [files[start : start + FILES_AT_ONCE] for start in range(0, len(files), FILES_AT_ONCE)]
    looked = add_up(
        _looked_at, _in_a_row, works, 1, cluster, progress, "reading truth",
        common=(words, changes),
    )  # fmt: skip
    pages = iter(looked or ())
    found: FoundPages[FiledPage] = FoundPages()
    for item in listing.items:
        if isinstance(item, str):
            found.add_without(item)
            continue
        for page in next(pages):
            found.add(page.page.name, page, item.path)
    truths = FiledTruths(found.in_order(), words, changes)
    return truth_set_of(given, listing, found, truths)


def _looked_at(
    files: Sequence[TruthFile], words: bool, changes: Sequence[Change]
) -> list[list[FiledPage]]:
    """For each file, what is known of its pages."""
    return [_pages_in(file, words, changes) for file in files]


def _pages_in(file: TruthFile, words: bool, changes: Sequence[Change]) -> list[FiledPage]:
    truths = [with_changes(truth, changes) for truth in file.read(words=words)]
    return [
        FiledPage(
            truth.page, tuple(dict.fromkeys(region.label for region in truth.regions)), file, place
        )
        for place, truth in enumerate(truths)
    ]


def _in_a_row(parts: Sequence[list[list[FiledPage]]]) -> list[list[FiledPage]]:
    return [pages for part in parts for pages in part]
