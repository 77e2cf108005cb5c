"""Writes a report: a page to read, tables to go on with, plots to print."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from spotlab.formats.rows.json_values import json_text
from spotlab.measures.measure import default_figures, known_figures
from spotlab.progress import Progress, silent
from spotlab.report.charts import KINDS, ONE_COLUMN, TWO_COLUMNS, files, run_curves
from spotlab.report.colours import styles_of
from spotlab.report.comparison import comparison_tables
from spotlab.report.error_tables import confusion_pairs, confusion_table, tide_table
from spotlab.report.page import render
from spotlab.report.paper import matrix_table, quality_table
from spotlab.report.pictures import make_pictures
from spotlab.report.run_tables import (
    best_f_table,
    cut_table,
    only_columns,
    outside_table,
    pages_table,
    pooled_table,
    queries_table,
    runs_table,
    with_best,
    with_best_and_stars,
    with_letters,
)
from spotlab.report.study import file_name, free_name, table_files, write_together
from spotlab.report.tables import CSV, LATEX, Table
from spotlab.representation import utf8
from spotlab.studies.evaluate.evaluation import Evaluation
from spotlab.studies.evaluate.evaluation_json import as_json


def write_report(
    evaluation: Evaluation,
    directory: Path,
    progress: Progress = silent,
    made: datetime | None = None,
) -> Path:
    """Write ``report.html`` and beside it JSON, CSV, LaTeX and the plots as SVG and PDF.

    The folder is made whole or not at all; files of an earlier report in it are replaced, others
    stay.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    NotSaved
        It could not be written; what was there before is untouched.
    """
    progress(0, 3, "Drawing pages")
    pictures = make_pictures(evaluation, progress)
    progress(1, 3, "Drawing curves")
    contents = {
        "report.html": render(evaluation, pictures, made or datetime.now(UTC)).encode(
            "utf-8", "replace"
        ),
        **_files(evaluation),
    }
    progress(2, 3, "Writing the report")
    write_together(directory, contents)
    progress(3, 3, "Writing the report")
    return directory / "report.html"


def _files(evaluation: Evaluation) -> dict[str, bytes]:
    names = [run.name for run in evaluation.runs]
    figures = [run.figures for run in evaluation.runs]
    intervals = [run.intervals_of(evaluation.design) for run in evaluation.runs]
    runs = runs_table(names, figures, intervals)
    pooled, at_cut = pooled_table(names, figures), cut_table(evaluation)
    tables = {
        "runs": with_letters(runs, evaluation),
        "runs-pooled": pooled,
        "best-f": best_f_table(evaluation.runs),
        "paper-table-2": quality_table(names, figures),
    }
    best = with_best_and_stars(_narrow(runs), evaluation.comparisons, evaluation.design)
    printed = {  # where print has other tables than data
        "runs": with_letters(best, evaluation),
        "runs-pooled": with_best(_narrow(pooled)),
        "paper-table-2": with_best(tables["paper-table-2"]),
    }
    if at_cut is not None:
        tables["runs-cut"] = at_cut
        printed["runs-cut"] = with_best(_narrow(at_cut))
    for run in evaluation.runs:
        own = free_name(f"queries-{file_name(run.name, 'run')}", tables)  # of "a/b" and "a_b"
        own = own.removeprefix("queries-")
        for kind, table in (
            ("queries", queries_table(run.name, run.figures)),
            ("pages", pages_table(run.name, run.figures)),
        ):
            tables[f"{kind}-{own}"] = table
            printed[f"{kind}-{own}"] = _narrow(table, "symbols")
        tables[f"paper-table-1-{own}"] = matrix_table(run.name, run.figures)
        outside = outside_table(run.name, run.figures)
        if outside is not None:
            tables[f"outside-{own}"] = outside
        confusion = evaluation.confusion(run)
        for by in ("spots", "area"):
            whole, pairs = (make(run.name, confusion, by) for make in CONFUSIONS)
            if whole is not None and pairs is not None:
                tables[f"confusion-{by}-{own}"] = whole
                printed[f"confusion-{by}-{own}"] = pairs
        tables[f"tide-{own}"] = tide_table(run.name, run.tide)
    if evaluation.compared is not None:
        tables |= comparison_tables(evaluation.compared)
    contents = {"evaluation.json": utf8(json_text(as_json(evaluation)))}
    contents |= table_files(tables, [CSV])
    contents |= table_files(tables | printed, [LATEX])
    return contents | _plots(evaluation)


def _plots(evaluation: Evaluation) -> dict[str, bytes]:
    """Plots for print: of the runs in full, across both columns of a page, and each for one."""
    styles = dict(zip(evaluation.runs, styles_of(evaluation), strict=True))
    chosen = {"curves": evaluation.in_full}
    if evaluation.in_short:
        chosen["curves-all-runs"] = evaluation.runs
    contents: dict[str, bytes] = {}
    for name, runs in chosen.items():
        names, figures = [run.name for run in runs], [run.figures for run in runs]
        shown = [styles[run] for run in runs]
        chart = run_curves(names, figures, shown)
        contents |= files(chart.figure(TWO_COLUMNS), name, "svg", "pdf")
        if name == "curves":
            for kind in KINDS:
                alone = run_curves(names, figures, shown, kinds=[kind]).figure(ONE_COLUMN)
                contents |= files(alone, f"curve-{kind.replace('_', '-')}", "svg", "pdf")
    return contents


CONFUSIONS = (confusion_table, confusion_pairs)


def _narrow(table: Table, *more: str) -> Table:
    """The table as it has room on a page; its CSV has every column."""
    figures = {figure.name for figure in known_figures()}
    shown = {figure.name for figure in default_figures()} | set(more)
    return only_columns(table, [column.name for column in table.columns
                                if column.name not in figures or column.name in shown])  # fmt: skip
