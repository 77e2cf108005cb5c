"""Tells what the ids of runs mean, and sees that a run is about the truth that judges it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spotlab.errors import BadInput
from spotlab.formats.runs.coco_results import read_naming
from spotlab.formats.runs.format import Naming
from spotlab.model.run import Run
from spotlab.studies.areas.filed_truths import labels_of_truths
from spotlab.studies.areas.remarks import some
from spotlab.studies.areas.truth_files import TruthSet, match_pages


def naming_for(truth_set: TruthSet, annotations: Path | None = None) -> Naming:
    """What ids mean: by an annotation file if one is given, else by what the truth knows.

    Parameters
    ----------
    truth_set : TruthSet
        Its own ids, where it is COCO; its pages' names and its labels' order otherwise.
    annotations : Path, optional
        COCO whose images and categories have the ids that runs use.

    Raises
    ------
    BadInput
        The annotation file cannot be read or names nothing.
    """
    pages = (*truth_set.truths, *truth_set.without_truth)
    given = Naming() if annotations is None else read_naming(annotations)
    return Naming(
        given.image_ids or truth_set.image_ids,
        given.categories or truth_set.categories,
        pages,
        truth_set.labels,
    )


def misfit(run: Run, truth_set: TruthSet) -> tuple[str, str] | None:
    """Why nothing of a run can be judged by this truth, and what was expected; None if it can.

    That is so where none of its pages is known, or none of its queries is a label. A run without
    spots fits every truth, and truth without a labelled region says nothing about queries.
    """
    if not len(run):
        return None
    if not any(match_pages(run.pages, truth_set).values()):
        there = f"none of its pages ({len(run.pages):,}) has truth here: {some(run.pages)}"
        return there, f"pages such as {some(truth_set.truths)}"
    labels = labels_of_truths(truth_set.truths)
    known = sorted(labels - {""})
    if known and labels.isdisjoint(run.queries):
        number = len(run.queries)
        there = f"none of its queries ({number:,}) is a label of the truth: {some(run.queries)}"
        return there, f"queries such as {some(known)}"
    return None


def check_fit(run: Run, truth_set: TruthSet, alternatives: Sequence[TruthSet] = ()) -> None:
    """See that something of a run can be judged by this truth, or by an alternative one.

    Raises
    ------
    BadInput
        See `misfit`.
    """
    found = misfit(run, truth_set)
    if found is not None and all(misfit(run, other) is not None for other in alternatives):
        problem, expected = found
        if is_coco(run):
            expected += ", or the COCO annotation file that names the ids, given by --naming"
        raise BadInput(run.source or Path(run.name), problem, expected=expected)


def is_coco(run: Run) -> bool:
    """Whether it comes from a file whose ids another file may have to name."""
    return run.source is not None and run.source.suffix.lower() == ".json"
