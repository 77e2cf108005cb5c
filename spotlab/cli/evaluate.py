"""`spotlab evaluate`: how good spotting runs are, by area and by symbol, against truth."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from spotlab.api.settings import EvaluationSettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, say, write_json
from spotlab.cli.options import (
    FILE,
    FOLDER,
    RUN_TYPES,
    RUNS,
    csv_safe_option,
    given,
    options,
    resumable,
)
from spotlab.errors import counted
from spotlab.extras import problem_of
from spotlab.report.figure_text import (
    UNDEFINED,
    UNIT,
    aligned,
    design_note,
    written,
    written_difference,
    written_interval,
)
from spotlab.report.tables import as_text

if TYPE_CHECKING:
    from spotlab.measures.intervals import Difference, FiguresOfQueries, Interval
    from spotlab.measures.measure import MeasureSettings
    from spotlab.studies.compare.comparison import RunComparison
    from spotlab.studies.evaluate.evaluation import Evaluation, RunEvaluation


@click.command()
@options(
    EvaluationSettings, RUNS | {"cut": "--cut RULE", "in_full": "--in-full RUN"}, types=RUN_TYPES
)
@click.option(
    "--compare",
    nargs=2,
    metavar="A B",
    help="Compare two of the runs in full, by name or file: symbols gained and lost, areas, pages.",
)
@csv_safe_option
@json_option
@click.option("--out", type=FOLDER, help="Folder for a report with tables, curves and pages.")
@click.option(
    "--spots",
    type=FILE,
    help="File for a table of all spots, with kind of error, region and shares of area: CSV, "
    "Parquet or JSON, by its suffix.",
)
def evaluate(
    truth: tuple[Path, ...],
    runs: tuple[Path, ...],
    compare: tuple[str, str] | None,
    json_file: str | None,
    out: Path | None,
    spots: Path | None,
    **chosen: Any,
) -> None:
    """Evaluate spotting runs against ground truth: area precision and recall, symbols, errors."""
    from spotlab.api.compare_runs import compare_runs  # noqa: PLC0415
    from spotlab.api.evaluate import evaluate as evaluate_runs  # noqa: PLC0415 - takes a second

    check_target(json_file)
    if spots is not None:
        check_spots(spots)
    going_on = resumable(chosen["cluster"] is not None)
    with going_on, as_options("evaluates the rest"), progress_bar() as progress:
        result = evaluate_runs(truth, runs, progress=progress, **given(chosen))
        compared = compare_runs(result, *compare) if compare else None
        result = compared.result if compared else result
    if json_file:
        write_json(result.as_dict(), json_file)
    if json_file != "-":
        say(*evaluation_lines(result.evaluation))
        if compared:
            say(*comparison_lines(compared.comparison))
    if spots is not None:
        say(f"wrote {result.write_spots(spots)}", err=json_file == "-")
    if out is not None:
        with progress_bar() as progress:
            page = result.write_report(out, progress=progress)
        say(f"wrote {page}", err=json_file == "-")
        if problem := problem_of("cv2"):
            say(f"pictures of pages are left out of it: {problem}", err=True)


def check_spots(file: Path) -> None:
    """Check that the table of spots can be written, before the work."""
    from spotlab.report.tables import check_suffix  # noqa: PLC0415 - takes a while

    check_target(str(file))
    check_suffix(file)


def evaluation_lines(evaluation: Evaluation) -> list[str]:
    """The truth, every run with its remarks and figures, and how runs differ."""
    regions = evaluation.truth_notes.regions
    pages = counted(len(evaluation.truths), "page")
    lines = [f"truth: {pages}, {counted(regions, 'region')}"]
    lines += [f"  {remark}" for remark in evaluation.remarks]
    lines += _overview(evaluation)
    for run in evaluation.in_full:
        lines += ["", *_of_run(run), *_confused(run, evaluation)]
    lines += _at_cut(evaluation)
    full = {run.name for run in evaluation.in_full}
    for (first, second), differences in evaluation.comparisons.items():
        if {first, second} <= full:
            lines += ["", f"{second} minus {first}", *_of_pair(differences, evaluation)]
    note = design_note(evaluation.design)
    return [*lines, "", note] if note else lines


def _overview(evaluation: Evaluation) -> list[str]:
    """The paper's table of all runs; of many runs their main figures and remarks, in short."""
    from spotlab.report.paper import quality_table  # noqa: PLC0415 - it imports numpy
    from spotlab.report.run_tables import main_table  # noqa: PLC0415

    names = [run.name for run in evaluation.runs]
    tables = [quality_table(names, [run.figures for run in evaluation.runs])] if names else []
    if evaluation.in_short:
        tables.insert(0, main_table(evaluation))
    lines = [
        line for table in tables
        for line in ("", *wrap(table.title, WIDTH), *as_text(table),
                     *wrap(table.note, WIDTH))
    ]  # fmt: skip
    if evaluation.in_short:
        full = ", ".join(run.name for run in evaluation.in_full)
        lines += ["", f"In full: {full}. --in-full chooses others; --out and --json have all."]
    for run in evaluation.in_short:
        more = len(run.remarks) - SHORT
        lines += [f"  {run.name}: {remark}" for remark in run.remarks[:SHORT]]
        if more > 0:
            lines[-1] += f"; {counted(more, 'more remark')}"
    return lines


def _of_run(run: RunEvaluation) -> list[str]:
    figures = run.figures
    evaluated = f"{len(run.tally):,} of {counted(len(run.run), 'spot')} evaluated"
    ratio = "–" if run.double_share is None else f"{run.double_share:.3f}"
    head = (
        f"{run.name}: {evaluated}, {counted(int(figures.in_truth.sum()), 'query')}, "
        f"{run.tied:,} tied, sum / union of areas {ratio}"
    )
    intervals = {f"95 % over {over}": run.intervals.get(over, {}) for over in ("queries", "pages")}
    rows = figure_rows(figures, figures.settings, intervals)
    lines = [head, *(f"  {remark}" for remark in run.remarks), *aligned(rows)]
    return lines + _outside(run)


def _outside(run: RunEvaluation) -> list[str]:
    from spotlab.report.run_tables import outside_table  # noqa: PLC0415 - it imports numpy

    table = outside_table(run.name, run.figures)
    return [] if table is None else as_text(table, "queries without truth")


def _confused(run: RunEvaluation, evaluation: Evaluation) -> list[str]:
    """The pairs of labels that a run confuses most."""
    from spotlab.report.error_tables import confusion_pairs  # noqa: PLC0415 - it imports numpy

    confusion = evaluation.confusion_by_spots(run)
    table = confusion_pairs(run.name, confusion, "spots", MOST_PAIRS)
    return ["", *as_text(table, table.title)] if table is not None and table.rows else []


MOST_PAIRS = 5  # that are printed; --json has all


def _at_cut(evaluation: Evaluation) -> list[str]:
    """The best F of each run, and the runs at the cut that was asked for."""
    from spotlab.measures.measure import default_figures  # noqa: PLC0415 - it imports numpy
    from spotlab.report.run_tables import best_f_table, cut_table, only_columns  # noqa: PLC0415

    with_scores = any((run.tally.score == run.tally.score).any() for run in evaluation.in_full)
    tables = [best_f_table(evaluation.in_full, ["score"] if with_scores else ["rank"])]
    at_cut = cut_table(evaluation)
    if at_cut is not None:
        names = [figure.name for figure in default_figures()]
        tables.append(only_columns(at_cut, ["cut", "kept", *names]))
    lines = []
    for table in tables:
        lines += ["", *as_text(table, table.title), *wrap(table.note, 100)]
    return lines


def figure_rows(
    figures: FiguresOfQueries, settings: MeasureSettings,
    intervals: Mapping[str, Mapping[str, Interval | None]],
) -> list[list[str]]:  # fmt: skip
    """A row for each figure of a run: means, intervals by their heads, and pooled figures."""
    from spotlab.measures.measure import known_figures  # noqa: PLC0415 - it imports numpy

    rows = [["", "mean", *intervals, "n queries", "pooled"]]
    for figure in known_figures():
        name, unit = figure.name, figure.unit
        rows.append(
            [
                figure.titled(settings, unit=True),
                written(figures.mean[name], unit, mean=True),
                *(written_interval(each.get(name), unit) for each in intervals.values()),
                f"{figures.defined[name]:,}",
                written(figures.pooled[name], unit),
            ]
        )
    return rows


def _of_pair(differences: Mapping[str, Difference | None], evaluation: Evaluation) -> list[str]:
    from spotlab.measures.measure import known_figures  # noqa: PLC0415 - it imports numpy

    design = evaluation.design
    over = f"95 % over {counted(design.units, UNIT[design.over])}" if design else ""
    rows = [["", f"mean difference, {over}" if design else ""]]
    for figure in known_figures():
        difference = differences.get(figure.name)
        text = UNDEFINED if difference is None else written_difference(difference, figure.unit)
        rows.append([figure.titled(evaluation.settings, unit=True), text])
    return aligned(rows)


WIDTH = 100  # letters of a line of prose
SHORT = 1  # remarks on a run that is not shown in full
MOST = 10  # changes that are printed; --json has all


def comparison_lines(compared: RunComparison) -> list[str]:
    """Means, areas, labels, and the biggest changes; how many there are of each kind."""
    from spotlab.report.comparison import comparison_tables  # noqa: PLC0415 - imports numpy

    tables = comparison_tables(compared)
    lines = ["", f"A: {compared.first.name}, B: {compared.second.name}; changes are B minus A"]
    for name in ("comparison-means", "comparison-areas", "comparison-labels"):
        lines += ["", *as_text(tables[name])]
    counts = compared.changes.count()
    lines += ["", ", ".join(f"{kind.words}: {count:,}" for kind, count in counts.items())]
    for name in ("comparison-symbols", "comparison-false-spots"):
        table = tables[name]
        shown = min(MOST, len(table.rows))
        if shown:
            lines += ["", f"{table.title}, the {shown:,} biggest of {len(table.rows):,}"]
            lines += as_text(table, most=MOST)
    return lines
