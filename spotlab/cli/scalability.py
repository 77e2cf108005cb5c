"""`spotlab scalability`: whether runs answer alike however many classes and pages there are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.api.settings import ScalabilitySettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, say, tell
from spotlab.cli.options import FOLDER, RUN_TYPES, RUNS, csv_safe_option, given, options, resumable
from spotlab.errors import counted
from spotlab.report.figure_text import aligned

if TYPE_CHECKING:
    from spotlab.measures.scalability import CurveFamily
    from spotlab.studies.evaluate.scalability import RunScalability, Scalability


@click.command()
@options(ScalabilitySettings, RUNS, types=RUN_TYPES)
@csv_safe_option
@json_option
@click.option("--out", type=FOLDER, help="Folder for a report with tables and plots.")
def scalability(
    truth: tuple[Path, ...],
    runs: tuple[Path, ...],
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Measure how the curves of runs change with the number of classes and pages.

    Rusiñol & Lladós, §4.4: deviations between numbers of classes (their Table 3; the curves of
    Fig. 9 go to --json and --out), and recognition rate and false positives of growing parts of the
    collection (Fig. 10). "By chance" is the deviation that random drawing alone causes. The
    deviation of a run that searches each class independently is not larger.
    """
    from spotlab.api.compare_runs import scalability as measure  # noqa: PLC0415 - takes a second

    check_target(json_file)
    going_on = resumable(chosen["cluster"] is not None)
    with going_on, as_options("evaluates the rest"), progress_bar() as progress:
        result = measure(truth, runs, progress=progress, **given(chosen))
    tell(json_file, result.as_dict, lambda: scalability_lines(result.scalability, result.notes))
    if out is not None:
        with progress_bar() as progress:
            folder = result.write_report(out, progress=progress)
        say(f"wrote {folder}", err=json_file == "-")


def scalability_lines(study: Scalability, remarks: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return what a terminal shows of a study; remarks by the name of the run."""
    counts = ", ".join(map(str, study.counts))
    lines = [
        f"{counted(len(study.classes), 'class', 'classes')}; {counted(study.draws, 'draw')} "
        "for each number of classes: "
        f"{counts}"
    ]
    for run in study.runs:
        lines += ["", run.name, *(f"  {remark}" for remark in remarks[run.name])]
        lines += aligned(_table(run))
        lines += aligned(_sizes(run))
    return lines


def _table(run: RunScalability) -> list[list[str]]:
    """Table 3, in percent as there."""
    heads = ["standard deviation between numbers of classes (%)", "mean", "max", "by chance"]
    rows = (("Recall", run.recall), ("Precision", run.precision), ("F", run.f))
    return [heads, *(_row(title, family) for title, family in rows)]


def _row(title: str, family: CurveFamily) -> list[str]:
    values = (family.mean_deviation, family.largest_deviation, family.mean_by_chance)
    return [title, *("–" if value is None else f"{100 * value:.2f}" for value in values)]


def _sizes(run: RunScalability) -> list[list[str]]:
    rows = [["part of the collection", "recognition rate (%)", "false positives per query"]]
    for part in run.sizes:
        rate = "–"
        if part.recognition_rate is not None and part.recognition_spread is not None:
            rate = f"{part.recognition_rate:.1f} ± {part.recognition_spread:.1f}"
        false = f"{part.false_positives:,.2f} ± {part.false_positives_spread:,.2f}"
        rows.append(
            [
                f"{counted(part.classes, 'class', 'classes')}, {counted(part.pages, 'page')}",
                rate,
                false,
            ]
        )
    return rows
