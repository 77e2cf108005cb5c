"""`spotlab scalability`: whether runs answer alike however many classes and pages there are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spotlab.cli.console import say
from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import (
    check_target,
    draw_options,
    judging_options,
    primitive_of,
    read_runs,
    read_truth,
    resumable,
    settings_of,
)
from spotlab.cli.progress_bar import progress_bar
from spotlab.cli.scalability_text import scalability_lines


@click.command()
@judging_options
@draw_options
@csv_safe_option
@json_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for a report with tables and plots.",
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
    """Measure how the curves of runs change with the number of classes and pages.

    Rusiñol & Lladós, §4.4: deviations between numbers of classes (their Table 3; the curves of
    Fig. 9 go to --json and --out), and recognition rate and false positives of growing parts of the
    collection (Fig. 10). "By chance" is the deviation that random drawing alone causes. The
    deviation of a run that searches each class independently is not larger.
    """
    from spotlab.studies.evaluate.evaluate import evaluate  # noqa: PLC0415
    from spotlab.studies.evaluate.scalability import (  # noqa: PLC0415
        as_json,
        measure_scalability,
    )

    check_target(json_file)
    settings = settings_of(chosen)
    with resumable(chosen["cluster"]), progress_bar() as progress:
        truth_set = read_truth(truth, chosen, progress)
        evaluation = evaluate(
            truth_set,
            read_runs(runs, truth_set, chosen["skip_bad_lines"], progress, chosen["naming"]),
            settings,
            primitive=primitive_of(chosen),
            draws=0,
            jobs=chosen["jobs"],
            cluster=chosen["cluster"],
            cache=chosen["cache"],
            confusion=False,
            progress=progress,
        )
        study = measure_scalability(
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
        write_json({**as_json(study), "notes": notes}, json_file)
    if json_file != "-":
        say(*scalability_lines(study, remarks))
    if out is not None:
        from spotlab.report.scalability import write_scalability  # noqa: PLC0415 - a second

        with progress_bar() as progress:
            write_scalability(study, out, progress)
        say(f"wrote {out}", err=json_file == "-")
