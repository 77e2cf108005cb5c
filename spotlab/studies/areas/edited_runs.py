"""Runs after an edit of a page's truth: what is alike in all of them is computed at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from spotlab.measures.edited_truth import PageEdit, edited_figures, edited_tally
from spotlab.measures.tally import Tally
from spotlab.model import Truth
from spotlab.studies.areas.ignored_models import tally_without_models
from spotlab.studies.areas.inspected_run import InspectedRun, Judging, evaluate_inspected_run
from spotlab.studies.areas.tally_edit import TruthEdit, tally_edits
from spotlab.studies.areas.tallying import tally_page


def retally_page(
    inspected: Sequence[InspectedRun],
    page: str,
    truth: Truth,
    judging: Judging,
    earlier: Truth | None = None,
) -> list[InspectedRun]:
    """The runs where one page has another truth.

    Only that page is tallied again; with the ``earlier`` truth, which was tallied, only what
    depends on the regions that differ, and of all runs at once.
    """
    retallied, edits = list(inspected), _edits(inspected, page, truth, judging, earlier)
    for at, run in enumerate(inspected):
        before = run.whole
        if at not in edits and before is not None and page in before.parts:
            retallied[at] = _with_page(run, before, page, truth, judging)
    for at, run in _edited([(at, inspected[at], edit) for at, edit in edits.items()], judging):
        retallied[at] = run
    return retallied


def _edits(
    inspected: Sequence[InspectedRun],
    page: str,
    truth: Truth,
    judging: Judging,
    earlier: Truth | None,
) -> dict[int, PageEdit]:
    """What an edit changes in the runs of which not all of the page has to be tallied."""
    if earlier is None:
        return {}
    known = {
        at: run.whole
        for at, run in enumerate(inspected)
        if run.whole is not None and page in run.whole.parts and not run.models
    }
    edits = tally_edits(
        [inspected[at].run for at in known],
        [whole.parts[page] for whole in known.values()],
        TruthEdit(earlier, truth, judging.primitive),
    )
    return {
        at: edit
        for (at, whole), edit in zip(known.items(), edits, strict=True)
        if edit is not None and edit.fits(whole)
    }


def _with_page(
    inspected: InspectedRun, before: Tally, page: str, truth: Truth, judging: Judging
) -> InspectedRun:
    """The run with all of a page tallied again."""
    part = tally_page(inspected.run, before.parts[page].spot, truth, page, judging.primitive)
    models, counted = inspected.models.get(page, ()), inspected.counted
    changed = replace(
        inspected,
        whole=tally_without_models(
            before.with_page(part), {page: truth}, {page: models} if models else {},
            judging.primitive,
        ),
        counted=None if counted is None else counted.with_page(part),
    )  # fmt: skip
    return evaluate_inspected_run(changed, judging)


def _edited(
    edits: Sequence[tuple[int, InspectedRun, PageEdit]], judging: Judging
) -> Iterator[tuple[int, InspectedRun]]:
    """The runs after an edit of a page's truth, with their places."""
    told: list[tuple[int, InspectedRun]] = []
    figures, tallies, known = [], [], []
    for at, run, edit in edits:
        before, earlier = run.whole, run.figures
        assert before is not None
        whole = edited_tally(before, edit)
        if earlier is None or earlier.tally is not before or earlier.settings != judging.settings:
            yield at, evaluate_inspected_run(replace(run, whole=whole), judging)
            continue
        told.append((at, run))
        figures.append(earlier)
        tallies.append(whole)
        known.append(edit)
    after = edited_figures(figures, tallies, known)
    for (at, run), whole, new in zip(told, tallies, after, strict=True):
        yield at, replace(run, whole=whole, tally=whole, figures=new)
