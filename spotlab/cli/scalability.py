"""`spotlab scalability`: whether runs answer alike however many classes and pages there are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import (
    check_target,
    judging_options,
    primitive_of,
    read_runs,
    read_truth,
    settings_of,
)
from spotlab.cli.progress_bar import progress_bar
from spotlab.report.aligned import aligned

if TYPE_CHECKING:
    from spotlab.measures.scalability import CurveFamily
    from spotlab.studies.areas.scalability import RunScalability, Scalability


@click.command()
@judging_options
@click.option(
    "--draws",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="How often classes are drawn, for each number of them.",
)
@click.option(
    "--step",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="From one number of classes to the next.",
)
@csv_safe_option
@json_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write tables and plots to this folder.",
)
def scalability(
    truth: tuple[Path, ...],
    runs: tuple[Path, ...],
    draws: int,
    step: int,
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Draw ever more classes and pages, and see how far the curves of runs move.

    Rusiñol & Lladós, §4.4: deviations between numbers of classes (their Table 3; the curves of
    Fig. 9 go to --json and --out), and recognition rate and false positives of growing parts of the
    collection (Fig. 10). "By chance" is what drawing alone makes of a deviation: a run that
    searches each class by itself shows no more.
    """
    from spotlab.studies.areas.evaluate import evaluate  # noqa: PLC0415
    from spotlab.studies.areas.scalability import measure_scalability  # noqa: PLC0415
    from spotlab.studies.areas.scalability_json import as_json  # noqa: PLC0415

    check_target(json_file)
    settings = settings_of(chosen)
    with progress_bar() as progress:
        truth_set = read_truth(truth, chosen, progress)
        evaluation = evaluate(
            truth_set,
            read_runs(runs, truth_set, chosen["skip_bad_lines"], progress, chosen["naming"]),
            settings,
            primitive=primitive_of(chosen),
            draws=0,
            jobs=chosen["jobs"],
            progress=progress,
        )
        found = measure_scalability(
            [run.name for run in evaluation.runs],
            [run.figures for run in evaluation.runs],
            draws=draws,
            seed=chosen["seed"],
            step=step,
            progress=progress,
        )
    remarks = {run.name: run.remarks for run in evaluation.runs}
    if json_file:
        notes = [{"name": name, "remarks": list(lines)} for name, lines in remarks.items()]
        write_json({**as_json(found), "notes": notes}, json_file)
    if json_file != "-":
        click.echo("\n".join(_lines(found, remarks)))
    if out is not None:
        from spotlab.report.scalability import write_scalability  # noqa: PLC0415 - a second

        with progress_bar() as progress:
            write_scalability(found, out, progress)
        click.echo(f"wrote {out}", err=json_file == "-")


def _lines(found: Scalability, remarks: dict[str, tuple[str, ...]]) -> list[str]:
    counts = ", ".join(map(str, found.counts))
    lines = [f"{len(found.classes):,} classes; drawn {found.draws:,} times each: {counts}"]
    for run in found.runs:
        lines += ["", run.name, *(f"  {remark}" for remark in remarks[run.name])]
        lines += aligned(_table(run))
        lines += aligned(_sizes(run))
    return lines


def _table(run: RunScalability) -> list[list[str]]:
    """Table 3, in percent as there."""
    heads = ["standard deviation between numbers of classes (%)", "mean", "max", "by chance"]
    rows = (("Recall", run.recall), ("Precision", run.precision), ("F", run.f))
    return [heads, *(_row(title, each) for title, each in rows)]


def _row(title: str, each: CurveFamily) -> list[str]:
    values = (each.mean_deviation, each.largest_deviation, each.mean_by_chance)
    return [title, *("–" if value is None else f"{100 * value:.2f}" for value in values)]


def _sizes(run: RunScalability) -> list[list[str]]:
    rows = [["part of the collection", "recognition rate (%)", "false positives a query"]]
    for each in run.sizes:
        rate = "–"
        if each.recognition_rate is not None and each.recognition_spread is not None:
            rate = f"{each.recognition_rate:.1f} ± {each.recognition_spread:.1f}"
        false = f"{each.false_positives:,.2f} ± {each.false_positives_spread:,.2f}"
        rows.append([f"{each.classes:,} classes, {each.pages:,} pages", rate, false])
    return rows
