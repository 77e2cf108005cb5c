"""The runs: their figures, and the differences between them."""

from __future__ import annotations

from markupsafe import Markup

from spotlab.measures.measure import known_figures
from spotlab.report.figure_text import design_note
from spotlab.report.paper import matrix_table, quality_table
from spotlab.report.run_tables import (
    best_f_table,
    cut_table,
    figure_columns,
    pooled_table,
    runs_table,
    with_best,
    with_letters,
)
from spotlab.report.section import Evaluated, Section
from spotlab.report.tables import Cell, Column, Table, difference_cell
from spotlab.studies.evaluate.evaluation import Evaluation


def _render(evaluated: Evaluated) -> Markup:
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
        design_note=design_note(design),
    )
    return Markup(text)


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


SECTION = Section("runs", _render, 20)
