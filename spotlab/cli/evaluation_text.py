"""An evaluation as lines for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from spotlab.errors import counted
from spotlab.report.aligned import aligned
from spotlab.report.figure_text import (
    UNDEFINED,
    correction_note,
    written,
    written_difference,
    written_interval,
)

if TYPE_CHECKING:
    from spotlab.measures.figures import RunFigures
    from spotlab.measures.intervals import Difference
    from spotlab.studies.evaluate.evaluation import Evaluation, RunEvaluation


def evaluation_lines(evaluation: Evaluation) -> list[str]:
    """The truth, every run with its remarks and figures, and how runs differ."""
    regions = evaluation.truth_notes.regions
    pages = counted(len(evaluation.truths), "page")
    lines = [f"truth: {pages}, {counted(regions, 'region')}"]
    lines += [f"  {remark}" for remark in evaluation.remarks]
    for run in evaluation.runs:
        lines += ["", *_of_run(run)]
    lines += _at_cut(evaluation)
    for (first, second), differences in evaluation.comparisons.items():
        lines += ["", f"{first} minus {second}", *_of_pair(differences)]
    note = correction_note(evaluation.tests)
    return [*lines, "", note] if note else lines


def _of_run(run: RunEvaluation) -> list[str]:
    figures = run.figures
    evaluated = f"{len(run.tally):,} of {counted(len(run.run), 'spot')} evaluated"
    ratio = "–" if run.double_share is None else f"{run.double_share:.3f}"
    head = (
        f"{run.name}: {evaluated}, {counted(int(figures.in_truth.sum()), 'query')}, "
        f"{run.tied:,} tied, sum / union of areas {ratio}"
    )
    lines = [head, *(f"  {remark}" for remark in run.remarks), *aligned(_rows(run, figures))]
    return lines + _outside(run)


def _outside(run: RunEvaluation) -> list[str]:
    from spotlab.report.tables import outside_table  # noqa: PLC0415 - it imports numpy

    table = outside_table(run.name, run.figures)
    if table is None:
        return []
    heads = ["queries without truth", *(each.title for each in table.columns[1:])]
    return aligned([heads, *([cell.text for cell in row] for row in table.rows)])


def _at_cut(evaluation: Evaluation) -> list[str]:
    """The best F of each run, and the runs at the cut that was asked for."""
    from spotlab.measures.measure import default_figures  # noqa: PLC0415 - it imports numpy
    from spotlab.report.cut_tables import best_f_table, cut_table  # noqa: PLC0415
    from spotlab.report.highlights import only_columns  # noqa: PLC0415

    tables = [best_f_table(evaluation.runs)]
    at_cut = cut_table(evaluation)
    if at_cut is not None:
        names = [figure.name for figure in default_figures()]
        tables.append(only_columns(at_cut, ["cut", "kept", *names]))
    lines = []
    for table in tables:
        heads = [table.title, *(each.title for each in table.columns[1:])]
        lines += ["", *aligned([heads, *([cell.text for cell in row] for row in table.rows)])]
    return lines


def _rows(run: RunEvaluation, figures: RunFigures) -> list[list[str]]:
    from spotlab.measures.measure import known_figures  # noqa: PLC0415 - it imports numpy

    intervals = [run.intervals_over_queries, run.intervals_over_pages]
    heads = ["", "mean", "95 % over queries", "95 % over pages", "queries", "pooled"]
    rows = [heads]
    for figure in known_figures():
        name, unit = figure.name, figure.unit
        rows.append(
            [
                f"{figure.title} (%)" if unit == "%" else figure.title,
                written(figures.mean[name], unit, mean=True),
                *(written_interval(each.get(name), unit) for each in intervals),
                f"{figures.defined[name]:,}",
                written(figures.pooled[name], unit),
            ]
        )
    return rows


def _of_pair(differences: Mapping[str, Difference | None]) -> list[str]:
    from spotlab.measures.measure import known_figures  # noqa: PLC0415 - it imports numpy

    rows = [["", "mean difference, 95 % over queries"]]
    for figure in known_figures():
        difference = differences.get(figure.name)
        text = UNDEFINED if difference is None else written_difference(difference, figure.unit)
        rows.append([figure.title, text])
    return aligned(rows)
