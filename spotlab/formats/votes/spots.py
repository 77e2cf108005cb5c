"""Runs of spotted regions as votes: regions of different systems that overlap are one item."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from spotlab.files import is_folder
from spotlab.formats.runs.format import Naming, ReadRun
from spotlab.formats.runs.reading import read_run
from spotlab.formats.votes.format import VoteFormat, VoteOptions, VoteTable
from spotlab.formats.votes.region_items import items_of_regions
from spotlab.formats.votes.sniffing import first_names, head_of
from spotlab.imaging.header import IMAGE_SUFFIXES
from spotlab.progress import Progress, track


def read(paths: Sequence[Path], options: VoteOptions, progress: Progress) -> VoteTable:
    """The votes of runs, without truth: that is in files of other kinds.

    Raises
    ------
    BadInput
        One of them cannot be read.
    """
    runs = read_runs(paths, Naming(), progress)
    pages = bare_names(page for read in runs for page in read.run.pages)
    table = items_of_regions(
        [read.run for read in runs], pages, None, frozenset(), options.overlap, False, progress
    )
    return with_remarks(table, runs)


def read_runs(paths: Sequence[Path], naming: Naming, progress: Progress) -> list[ReadRun]:
    """The runs in these files; of a folder that is none itself, those in it."""
    files = [file for path in paths for file in _runs_in(path)]
    return [read_run(file, naming, progress) for file in track(files, progress, "reading runs")]


def with_remarks(table: VoteTable, runs: Sequence[ReadRun]) -> VoteTable:
    """The table with what is to be said of the runs, and named after the first."""
    remarks = [remark for read in runs for remark in read.remarks]
    bad = [line for read in runs for line in read.bad_lines]
    names = [read.run.source.parent.name for read in runs if read.run.source is not None]
    return replace(
        table,
        bad_lines=tuple(bad),
        remarks=(*remarks, *table.remarks),
        name=names[0] if names else "runs",
    )


def bare_names(pages: Iterable[str]) -> dict[str, str]:
    """Each page without folders before it and an image's ending behind.

    Examples
    --------
    >>> bare_names(["scans/plan.tif", "plan"])
    {'scans/plan.tif': 'plan', 'plan': 'plan'}
    """
    found = {}
    for page in pages:
        bare = page.replace("\\", "/").rpartition("/")[2]
        path = Path(bare)
        found[page] = path.stem if path.suffix.lower() in IMAGE_SUFFIXES else bare
    return found


def _runs_in(path: Path) -> list[Path]:
    """The run files in a folder; without any, it may be a run itself, of PAGE files."""
    if not is_folder(path):
        return [path]
    return sorted(file for file in path.iterdir() if are_spots(file)) or [path]


def are_spots(path: Path) -> bool:
    """Whether a file is a run of spotted regions; PAGE files are texts unless one says else."""
    if is_folder(path):
        return False
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return {"query", "page", "points"} <= set(first_names(path))
    return suffix in (".parquet", ".pq") or (suffix == ".json" and head_of(path)[:1] == b"[")


def _sniff(paths: Sequence[Path]) -> bool:
    return all(are_spots(file) for path in paths for file in _runs_in(path))


FORMAT = VoteFormat("runs", "runs of spotted regions", _sniff, read)
