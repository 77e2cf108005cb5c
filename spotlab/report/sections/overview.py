"""Sections about all runs together: summary, curves, figures, provenance and definitions."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup
from matplotlib.figure import Figure

from spotlab.measures.measure import known_figures
from spotlab.report.colours import styles_of
from spotlab.report.figure_text import design_note
from spotlab.report.paper import matrix_table, quality_table
from spotlab.report.run_plots import BANDED, OF_DETECTORS, rank_figure, run_curves
from spotlab.report.run_tables import (
    best_f_table,
    cut_table,
    figure_columns,
    main_table,
    pooled_table,
    runs_table,
    with_best,
    with_letters,
)
from spotlab.report.section import Evaluated, Section
from spotlab.report.tables import Cell, Column, Table, difference_cell
from spotlab.studies.evaluate.evaluation import Evaluation
from spotlab.studies.tally.truth import labels_of_truths


def _render_summary(evaluated: Evaluated) -> Markup:
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


PAIR = 2
SUMMARY = Section("summary", _render_summary, 0)


def _render_curves(evaluated: Evaluated) -> Markup:
    runs = evaluated.evaluation.runs
    shown = [run.name for run in runs], [run.figures for run in runs]
    styles = styles_of(evaluated.evaluation)
    template = evaluated.templates.get_template("curves.html")
    text = template.render(
        curves=run_curves(*shown, styles),
        detector=run_curves(*shown, styles, kinds=OF_DETECTORS),
        banded=0 < len(runs) <= BANDED,
        missing_note=_missing_note(evaluated.evaluation),
    )
    return Markup(text)


def _missing_note(evaluation: Evaluation) -> str:
    if evaluation.settings.missing == "zero":
        return (
            "A query that never reaches a recall counts as 0 there; in fall-out, as the fall-out "
            "of its whole list."
        )
    return "A query that never reaches a recall is left out of the mean there."


CURVES = Section("curves", _render_curves, 10)


def _render_runs(evaluated: Evaluated) -> Markup:
    runs, design = evaluated.evaluation.runs, evaluated.evaluation.design
    names = [run.name for run in runs]
    figures = [run.figures for run in runs]
    intervals = [run.intervals_of(design) for run in runs]
    at_cut = cut_table(evaluated.evaluation)
    template = evaluated.templates.get_template("runs.html")
    text = template.render(
        tables=[
            with_letters(with_best(runs_table(names, figures, intervals)), evaluated.evaluation),
            with_best(pooled_table(names, figures)),
        ],
        quality=with_best(quality_table(names, figures)),
        matrices=[matrix_table(run.name, run.figures) for run in evaluated.evaluation.in_full],
        cut=at_cut and with_best(at_cut),
        best_f=best_f_table(runs),
        intervals_note=f"In brackets: 95 % intervals over {design.over}." if design else "",
        samples=evaluated.samples,
        comparisons=_comparisons(evaluated.evaluation),
        ranks=_ranks(evaluated.evaluation),
        design_note=design_note(design),
    )
    return Markup(text)


def _ranks(evaluation: Evaluation) -> Figure | None:
    """The critical-difference plot of more than two runs; of two the table of differences tells."""
    design, names = evaluation.design, [run.name for run in evaluation.runs]
    if design is None or not evaluation.ranks or len(names) <= PAIR:
        return None
    return rank_figure(names, styles_of(evaluation), design, evaluation.p_of_pairs)


def _comparisons(evaluation: Evaluation) -> Table | None:
    if not evaluation.comparisons:
        return None
    columns = (
        Column("Runs", "runs"),
        *figure_columns(known_figures(), evaluation.settings, over="mean", plain=True),
    )
    rows = [
        (
            Cell(f"{second} − {first}"),
            *(difference_cell(found.get(each.name), each.unit) for each in known_figures()),
        )
        for (first, second), found in evaluation.comparisons.items()
    ]
    return Table("Differences of means", columns, tuple(rows))


RUNS = Section("runs", _render_runs, 20)


def _render_provenance(evaluated: Evaluated) -> str:
    runs = [
        (run.name, str(run.run.source or ""), sorted(run.run.provenance.items()))
        for run in evaluated.evaluation.runs
        if run.run.provenance
    ]
    if not runs:
        return ""
    return Markup(evaluated.templates.get_template("provenance.html").render(runs=runs))


PROVENANCE = Section("provenance", _render_provenance, 80)


def _render_definitions(evaluated: Evaluated) -> Markup:
    template = evaluated.templates.get_template("definitions.html")
    return Markup(template.render(figures=known_figures(), settings=evaluated.evaluation.settings))


DEFINITIONS = Section("definitions", _render_definitions, 90)
