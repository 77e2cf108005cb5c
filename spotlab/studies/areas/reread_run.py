"""Reads the file of an open run again: the new reading replaces the old one only if it is whole."""

from __future__ import annotations

from dataclasses import dataclass, replace

from spotlab.arrays import Ints
from spotlab.errors import SpotlabError
from spotlab.formats.runs.file_state import FileState, ends_within_a_line, file_state, size_of
from spotlab.progress import Progress
from spotlab.studies.areas.compare_readings import compare_readings
from spotlab.studies.areas.inspected_run import (
    InspectedRun,
    Judging,
    read_inspected_run,
    tally_inspected_run,
    with_annotation_ids,
)
from spotlab.studies.areas.truth_files import TruthSet

MUCH_SHORTER = 0.9  # of the earlier size, below which a file may be half written


@dataclass(frozen=True, eq=False)
class Reading:
    """What came of reading a run again.

    Attributes
    ----------
    before : InspectedRun
    after : InspectedRun or None
        None where the file cannot be used; the run stays as it is then.
    state : FileState
        Of the file that was read.
    problem : str
        Why it cannot be used.
    places : (N,) int or None
        Where each of the N spots of the earlier run is now; -1 where it is gone.
    """

    before: InspectedRun
    after: InspectedRun | None
    state: FileState
    problem: str = ""
    places: Ints | None = None


def reread_run(
    before: InspectedRun,
    truths: TruthSet,
    judging: Judging,
    progress: Progress,
    *,
    patient: bool = False,
) -> Reading:
    """Read and tally a run again.

    Parameters
    ----------
    before : InspectedRun
        Tallied against the same truth.
    truths, judging
        See `tally_inspected_run`.
    patient : bool
        Whether the file has been left alone for so long that nobody is writing it any more. Else a
        file that is much shorter than before, or has bad lines where there were none, is not used.
        A file that was moved into its place is another one, which is whole.
    progress : Progress
        Told of each page.
    """
    path = before.run.source
    if path is None:
        return Reading(before, None, (), "it has no file")
    state = file_state(path)
    try:
        named = with_annotation_ids(truths, before.naming)
        run = read_inspected_run(path, named, progress)
    except SpotlabError as error:
        return Reading(before, None, state, getattr(error, "problem", "") or str(error))
    if file_state(path) != state:
        return Reading(before, None, state, "it is being written")
    problem = _doubt(before, run, patient)
    if problem:
        return Reading(before, None, state, problem)
    run = replace(
        run, name=before.name, colour=before.colour, dash=before.dash, shown=before.shown,
        naming=before.naming, changes=before.changes,
    )  # fmt: skip
    after = tally_inspected_run(run, truths, judging, progress)
    changes, places = compare_readings(before.run, before.figures, after.run, after.figures)
    if changes.whole.words or changes.queries:
        after = replace(after, changes=(*before.changes, changes))
    return Reading(before, after, state, places=places)


def _doubt(before: InspectedRun, run: InspectedRun, patient: bool) -> str:
    """Why a reading may be of a file that is half written; empty where it is not."""
    path = run.run.source
    if run.bad_lines and path is not None and ends_within_a_line(path):
        return "it ends in the middle of a line"
    if patient:
        return ""
    if run.bad_lines and not before.bad_lines:
        return str(run.bad_lines[0])
    replaced = run.file_state[0][3] != before.file_state[0][3] if before.file_state else False
    if not replaced and size_of(run.file_state) < MUCH_SHORTER * size_of(before.file_state):
        return "it is much shorter than before"
    return ""
