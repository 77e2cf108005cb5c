"""Writes a report: a page to read, tables to go on with, plots to print."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from spotlab.formats.rows.json_values import json_text
from spotlab.measures.measure import default_figures, known_figures
from spotlab.progress import Progress, silent
from spotlab.report.charts import ONE_COLUMN, TWO_COLUMNS, files
from spotlab.report.colours import styles_of
from spotlab.report.comparison import comparison_tables
from spotlab.report.error_tables import confusion_pairs, confusion_table, tide_table
from spotlab.report.page import render
from spotlab.report.paper import matrix_table, quality_table
from spotlab.report.pictures import Pictures, make_pictures
from spotlab.report.run_plots import (
    KINDS,
    OF_DETECTORS,
    confusion_figure,
    errors_figure,
    rank_figure,
    run_curves,
)
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
from spotlab.report.studies.study import file_name, free_name, table_files, write_together
from spotlab.report.tables import CSV, LATEX, Table
from spotlab.representation import utf8
from spotlab.studies.evaluate.evaluation import Evaluation, RunEvaluation
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
    page = render(evaluation, pictures, made or datetime.now(UTC), progress)
    contents = {
        "report.html": page.encode("utf-8", "replace"),
        **_files(evaluation, pictures, progress),
    }
    progress(2, 3, "Writing the report")
    write_together(directory, contents)
    progress(3, 3, "Writing the report")
    return directory / "report.html"


def _files(evaluation: Evaluation, pictures: Pictures, progress: Progress) -> dict[str, bytes]:
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
    for run, own in _own_names(evaluation).items():
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
    contents |= _plots(evaluation, progress)
    return contents | _pictures_of_errors(evaluation, pictures, progress)


def _own_names(evaluation: Evaluation) -> dict[RunEvaluation, str]:
    """Return what names the files of each run; those of "a/b" and "a_b" differ."""
    found: dict[RunEvaluation, str] = {}
    for run in evaluation.runs:
        found[run] = free_name(file_name(run.name, "run"), found.values())
    return found


def _plots(evaluation: Evaluation, progress: Progress) -> dict[str, bytes]:
    """Plots for print: of the runs in full, across both columns of a page, and each for one."""
    styles = dict(zip(evaluation.runs, styles_of(evaluation), strict=True))
    contents: dict[str, bytes] = {}

    def draw(name: str, runs: Sequence[RunEvaluation], kinds: Sequence[str], width: float) -> None:
        progress(len(contents), None, f"drawing {name}")
        names, figures = [run.name for run in runs], [run.figures for run in runs]
        chart = run_curves(names, figures, [styles[run] for run in runs], kinds=kinds)
        contents.update(files(chart.figure(width), name, "svg", "pdf"))

    for name, kinds in (("curves", KINDS), ("detector-curves", OF_DETECTORS)):
        draw(name, evaluation.in_full, kinds, TWO_COLUMNS)
        if evaluation.in_short:
            draw(f"{name}-all-runs", evaluation.runs, kinds, TWO_COLUMNS)
        for kind in kinds:
            draw(f"curve-{kind.replace('_', '-')}", evaluation.in_full, [kind], ONE_COLUMN)
    if evaluation.design and evaluation.ranks:
        names = [run.name for run in evaluation.runs]
        ranked = rank_figure(names, list(styles.values()), evaluation.design, evaluation.p_of_pairs)
        contents |= files(ranked, "critical-difference", "svg", "pdf")
    return contents


def _pictures_of_errors(
    evaluation: Evaluation, pictures: Pictures, progress: Progress
) -> dict[str, bytes]:
    """Confusions and the worst errors of the runs in full, as pictures for print."""
    contents: dict[str, bytes] = {}
    own = _own_names(evaluation)
    for run in evaluation.in_full:
        for by in ("spots", "area"):
            progress(len(contents), None, f"drawing confusions of {run.name}")
            confusion = confusion_figure(run.name, evaluation.confusion(run), by)
            if confusion is not None:
                contents |= files(confusion, f"confusion-{by}-{own[run]}", "svg", "pdf")
        progress(len(contents), None, f"drawing errors of {run.name}")
        errors = errors_figure(run.name, pictures.errors[run.name], evaluation.settings.iou)
        contents |= files(errors, f"errors-{own[run]}", "svg", "pdf")
    return contents


CONFUSIONS = (confusion_table, confusion_pairs)


def _narrow(table: Table, *more: str) -> Table:
    """The table as it has room on a page; its CSV has every column."""
    figures = {figure.name for figure in known_figures()}
    shown = {figure.name for figure in default_figures()} | set(more)
    return only_columns(table, [column.name for column in table.columns
                                if column.name not in figures or column.name in shown])  # fmt: skip
