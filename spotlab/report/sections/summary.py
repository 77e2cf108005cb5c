"""Summary for the first screen: evaluated data, main figures of the runs, and excluded data."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from spotlab.report.run_tables import main_table, with_best
from spotlab.report.section import Evaluated, Section
from spotlab.studies.evaluate.evaluation import Evaluation
from spotlab.studies.tally.truth import labels_of_truths


def _render(evaluated: Evaluated) -> Markup:
    evaluation = evaluated.evaluation
    table, design = with_best(main_table(evaluation)), evaluation.design
    with_intervals = f" with 95 % intervals over {design.over}" if design else ""
    return Markup(
        evaluated.templates.get_template("summary.html").render(
            facts=list(_facts(evaluation)),
            table=table,
            samples=evaluated.samples,
            note=f"{table.title.removeprefix('Runs: ').capitalize()}{with_intervals}.",
            remarks=[each for each in _remarks(evaluation) if each[1]],
        )
    )


def _remarks(evaluation: Evaluation) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return what to know of the truth, then of each run by its name."""
    yield "", evaluation.remarks
    for run in evaluation.runs:
        yield run.name, run.remarks


def _facts(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    settings, labels = evaluation.settings, labels_of_truths(evaluation.truths)
    yield "Pages", f"{len(evaluation.truths):,}"
    yield "Symbols", f"{evaluation.truth_notes.regions:,}"
    yield "Labels", f"{len(labels - {''}):,}"
    yield "Runs", f"{len(evaluation.runs):,}"
    yield "Overlap", str(settings.overlap)
    yield "β", f"{settings.beta:g}"
    yield "Recognised from", f"{100 * settings.recognised:g} % of the area"
    yield "IoU threshold", f"{settings.iou:g}"
    yield "Outlines", str(evaluation.primitive) if evaluation.primitive else "not converted"


SECTION = Section("summary", _render, 0)
