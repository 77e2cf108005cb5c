"""Writes truth and runs as Parquet parts of so many pages each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from spotlab.errors import NotSaved
from spotlab.extras import optional_module
from spotlab.formats.collection.truth_parts import truth_bytes
from spotlab.formats.rows.part_folder import PartFolder
from spotlab.formats.runs.parquet_run import parquet_bytes
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
