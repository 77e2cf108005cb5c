"""Writes a report: a page to read, tables to go on with, plots to print."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from spotlab.formats.rows.json_values import json_text
from spotlab.measures.measure import default_figures, known_figures
from spotlab.progress import Progress, silent
from spotlab.report.charts import files, run_curves
from spotlab.report.colours import styles_of
from spotlab.report.comparison import comparison_tables
from spotlab.report.page import render
from spotlab.report.pictures import make_pictures
from spotlab.report.run_tables import (
    best_f_table,
    confusion_table,
    cut_table,
    only_columns,
    outside_table,
    pages_table,
    pooled_table,
    queries_table,
    runs_table,
    tide_table,
    with_best,
    with_best_and_stars,
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
    tables = {
        "runs": with_best_and_stars(
            runs_table(names, figures, intervals), evaluation.comparisons, evaluation.design
        ),
        "runs-pooled": with_best(pooled_table(names, figures)),
        "best-f": best_f_table(evaluation.runs),
    }
    at_cut = cut_table(evaluation)
    if at_cut is not None:
        tables["runs-cut"] = with_best(at_cut)
    for run in evaluation.runs:
        own = free_name(f"queries-{file_name(run.name, 'run')}", tables)  # of "a/b" and "a_b"
        own = own.removeprefix("queries-")
        tables[f"queries-{own}"] = queries_table(run.name, run.figures)
        tables[f"pages-{own}"] = pages_table(run.name, run.figures)
        outside = outside_table(run.name, run.figures)
        if outside is not None:
            tables[f"outside-{own}"] = outside
        confusion = evaluation.confusion(run)
        for by in ("spots", "area"):
            table = confusion_table(run.name, confusion, by)
            if table is not None:
                tables[f"confusion-{by}-{own}"] = table
        tables[f"tide-{own}"] = tide_table(run.name, run.tide)
    if evaluation.compared is not None:
        tables |= comparison_tables(evaluation.compared)
    contents = {"evaluation.json": utf8(json_text(as_json(evaluation)))}
    contents |= table_files(tables, [CSV])
    contents |= table_files({name: _narrow(table) for name, table in tables.items()}, [LATEX])
    drawn = run_curves(names, figures, styles_of(evaluation)).figure()
    return contents | files(drawn, "curves", "svg", "pdf")


def _narrow(table: Table) -> Table:
    """The table as it has room on a page; its CSV has every column."""
    figures = {figure.name for figure in known_figures()}
    shown = {figure.name for figure in default_figures()}
    return only_columns(table, [column.name for column in table.columns
                                if column.name not in figures or column.name in shown])  # fmt: skip
