"""`spotlab evaluate`: how good spotting runs are, by area and by symbol, against truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spotlab.cli.console import say
from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import (
    check_target,
    judging_options,
    level_options,
    resumable,
    uncertain_option,
)
from spotlab.cli.option_errors import as_options
from spotlab.cli.progress_bar import progress_bar
from spotlab.extras import optional_module


@click.command()
@judging_options
@level_options
@click.option(
    "--models",
    type=click.Choice(["ignore", "count"]),
    default="ignore",
    show_default=True,
    help="Whether the regions that a run's queries were taken from, and the spots on them, are "
    "left out (ignore) or counted like all others (count). Runs of `spot` say where these are.",
)
@uncertain_option
@click.option(
    "--cut",
    metavar="RULE",
    help="Also give the figures where each run is cut: rank=N, score=S, recall=R (where it first "
    "reaches this mean recall), precision=P (the last place with this mean precision) or best-f.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="Number of bootstrap draws for the intervals; 0 leaves them out.",
)
@click.option(
    "--compare",
    nargs=2,
    metavar="A B",
    help="Compare two of the runs in full, by name or file: symbols gained and lost, areas, pages.",
)
@csv_safe_option
@json_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for a report with tables, curves and pages.",
)
@click.option(
    "--spots",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for a table of all spots, with kind of error, region and shares of area: CSV, "
    "Parquet or JSON, by its suffix.",
)
def evaluate(
    truth: tuple[Path, ...],
    runs: tuple[Path, ...],
    iou: float,
    draws: int,
    compare: tuple[str, str] | None,
    json_file: str | None,
    out: Path | None,
    spots: Path | None,
    **chosen: Any,
) -> None:
    """Evaluate spotting runs against ground truth: area precision and recall, symbols, errors."""
    from spotlab.api.evaluation import evaluate as evaluate_runs  # noqa: PLC0415 - takes a second
    from spotlab.api.run_comparison import compare_runs  # noqa: PLC0415
    from spotlab.cli.comparison_text import comparison_lines  # noqa: PLC0415
    from spotlab.cli.evaluation_text import evaluation_lines  # noqa: PLC0415

    check_target(json_file)
    if spots is not None:
        check_spots(spots)
    if out is not None:
        optional_module("cv2")  # pictures need it: better told now than after the work
    going_on = resumable(chosen["cluster"])
    with going_on, as_options("evaluates the rest"), progress_bar() as progress:
        result = evaluate_runs(truth, runs, iou=iou, draws=draws, progress=progress, **chosen)
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


def check_spots(file: Path) -> None:
    """Check that the table of spots can be written, before the work."""
    from spotlab.report.column_files import check_suffix  # noqa: PLC0415 - takes a while

    check_target(str(file))
    check_suffix(file)
