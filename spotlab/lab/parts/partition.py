"""Writes truth and runs as Parquet parts of so many pages each."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

import spotlab
from spotlab.compute import each_done
from spotlab.errors import BadInput, NotSaved
from spotlab.extras import optional_module
from spotlab.files import is_folder
from spotlab.formats.collection.folder import PageEntry, named_like
from spotlab.formats.collection.truth_files import list_truths
from spotlab.formats.collection.truth_parts import truth_bytes
from spotlab.formats.rows.files import read_bytes
from spotlab.formats.rows.numbers import natural
from spotlab.formats.rows.part_folder import PartFolder
from spotlab.formats.rows.reading import Reading
from spotlab.formats.runs.parquet_run import parquet_bytes
from spotlab.formats.store import key_of, known
from spotlab.formats.truth import page_xml
from spotlab.imaging.reading.pixels import IMAGE_SUFFIXES
from spotlab.model import Truth
from spotlab.model.run import Run
from spotlab.progress import Progress, silent
from spotlab.studies.tally.truth import TruthSet, match_pages


def write_parts(
    truth_set: TruthSet,
    runs: Mapping[str, Run],
    out: PartFolder,
    pages: int = 500,
    progress: Progress = silent,
    *,
    with_truth: bool = True,
) -> int:
    """Write truth and runs as parts: ``truth`` and ``runs/NAME``, with the same pages in each.

    Parameters
    ----------
    truth_set : TruthSet
    runs : mapping of str to Run
        By the name of the folder.
    out : PartFolder
        Has none of these folders yet.
    pages : int
        Number of pages of a part.
    progress : Progress
        Told of each part.
    with_truth : bool
        Whether the truth is written, or is there already.

    Returns
    -------
    int
        Number of parts. Spots on pages without truth go into the first one.

    Raises
    ------
    NotSaved
        A folder is there already, or cannot be written.
    """
    optional_module("pyarrow")
    folders = {name: out / "runs" / name for name in runs}
    for folder in (*([out / "truth"] if with_truth else []), *folders.values()):
        if folder.names():
            raise NotSaved(f"{folder.place} has parts already; choose another folder or remove it")
    names = list(truth_set.truths)
    starts = range(0, max(len(names), 1), pages)
    part_of = {name: place // pages for place, name in enumerate(names)}
    of_spots = {name: _parts_of_spots(run, part_of, truth_set) for name, run in runs.items()}
    for number, start in enumerate(starts):
        progress(number, len(starts), "writing parts")
        part = f"part-{number:05}.parquet"
        for name, run in runs.items():
            spots = np.flatnonzero(of_spots[name] == number)
            folders[name].write(part, parquet_bytes(run, spots))
        if with_truth:
            here = [truth_set.truths[name] for name in names[start : start + pages]]
            (out / "truth").write(part, truth_bytes(here))
    progress(len(starts), len(starts), "writing parts")
    return len(starts)


def _parts_of_spots(
    run: Run, part_of: Mapping[str, int], truth_set: TruthSet
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """(N,) the part that each spot belongs to."""
    known = match_pages(run.pages, truth_set)
    of_page: Sequence[int] = [part_of.get(known[page] or "", 0) for page in run.pages]
    return np.array(of_page, np.int64)[run.page]


def write_page_parts(
    paths: Sequence[Path],
    out: PartFolder,
    pages: int = 500,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    progress: Progress = silent,
) -> TruthSet | None:
    """Write the truth of folders of PAGE files as parts.

    Parameters
    ----------
    paths : sequence of Path
        Folders, or images.
    out : PartFolder
        Has no other parts.
    pages : int
        Number of pages of a part.
    jobs, cluster
        As in `spotlab.compute.executor`.
    progress : Progress
        Told of each part.

    Returns
    -------
    TruthSet or None
        All pages, of which each part's have one region of each of its labels: enough to read runs.
        None where some of the truth is of another format; nothing is written then.

    Raises
    ------
    BadInput
        Something cannot be read, or two pages have the same name.
    NotSaved
        There are parts of something else, or the folder cannot be written.
    """
    if not all(is_folder(path) or path.suffix.lower() in IMAGE_SUFFIXES for path in paths):
        return None
    listing = list_truths([path.absolute() for path in paths], Reading(progress))
    entries = [file.entry for file in listing.files if file.entry is not None]
    if len(entries) < max(len(listing.files), 1):
        return None
    truths = sorted(entries, key=lambda entry: natural(entry.name))
    for one, other in pairwise(truths):
        if one.name == other.name:
            problem = f"the page {one.name!r} already has truth in {one.truth_path}"
            raise BadInput(other.truth_path, problem, expected="one truth for every page name")
    starts = range(0, len(truths), pages)
    works = [
        (f"part-{number:05}.parquet", tuple(truths[start : start + pages]))
        for number, start in enumerate(starts)
    ]
    if not set(out.names()) <= {name for name, _ in works}:
        raise _taken(out)
    done = dict(
        each_done(_write_part, works, jobs, cluster, progress, "writing truth", common=(out,))
    )
    outlines = [truth for number in range(len(works)) for truth in done[number]]
    without = {entry.name for entry in listing.without}
    return TruthSet(
        {truth.page.name: truth for truth in outlines},
        tuple(sorted(without - {entry.name for entry in truths}, key=natural)),
    )


def _write_part(work: tuple[str, tuple[PageEntry, ...]], out: PartFolder) -> list[Truth]:
    name, entries = work
    contents = [read_bytes(entry.truth_path) for entry in entries]
    truths = [
        named_like(page_xml.parse(content, entry.truth_path), entry)
        for content, entry in zip(contents, entries, strict=True)
    ]
    names = (entry.name for entry in entries)
    digests = (hashlib.sha256(content).hexdigest() for content in contents)
    key = key_of(spotlab.__version__, *names, *digests)
    if known(out, name, key, whole=True).about is None:
        if name in out.names() and known(out, name, key).damaged is False:
            raise _taken(out)
        out.write(name, truth_bytes(truths, key))
    return _labels_only(truths)


def _labels_only(truths: Sequence[Truth]) -> list[Truth]:
    """The pages, with one region of each label among them."""
    seen: set[str] = set()
    found = []
    for truth in truths:
        regions = []
        for region in truth.regions:
            if region.label not in seen:
                seen.add(region.label)
                regions.append(region)
        found.append(replace(truth, regions=tuple(regions), source=b""))
    return found


def _taken(out: PartFolder) -> NotSaved:
    return NotSaved(f"{out.place} has parts already; choose another folder or remove it")
