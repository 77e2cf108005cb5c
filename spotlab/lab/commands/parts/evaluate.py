"""`spotlab parts evaluate`: runs against truth, both in parts, in memory that does not grow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from spotlab.api.settings import EvaluationSettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, say, write_json
from spotlab.cli.evaluate import figure_rows
from spotlab.cli.options import measure_options, options, primitive_of, settings_of
from spotlab.errors import counted
from spotlab.interruption import noting
from spotlab.lab.commands.lab_options import place_options
from spotlab.report.figure_text import aligned

if TYPE_CHECKING:
    from spotlab.lab.parts.evaluate_parts import PartsEvaluation


@click.command()
@place_options
@measure_options
@options(EvaluationSettings, only=("iou", "at_recall", "at_precision", "at_rank", "uncertain"))
@json_option
def evaluate(
    truth: str, runs: tuple[str, ...], json_file: str | None, out: str, **chosen: Any
) -> None:
    """Evaluate runs against truth part by part: for collections that no memory holds.

    Figures are those of `spotlab evaluate`. Curves go to --out as Parquet, a row per spot.
    Intervals are over queries only; there is no report.
    """
    from spotlab.formats.rows.part_folder import PartFolder  # noqa: PLC0415 - takes a while
    from spotlab.lab.parts.evaluate_parts import as_json, evaluate_parts  # noqa: PLC0415

    check_target(json_file)
    note = noting("finished parts are kept; run the same command again to continue")
    with note, as_options("evaluates the rest"), progress_bar() as progress:
        evaluation = evaluate_parts(
            PartFolder.of(truth),
            [PartFolder.of(run) for run in runs],
            PartFolder.of(out),
            settings_of(chosen),
            primitive=primitive_of(chosen),
            ignore_uncertain=chosen["uncertain"] == "ignore",
            strict=chosen["strict"],
            jobs=chosen["jobs"],
            cluster=chosen["cluster"],
            progress=progress,
        )
    if json_file:
        write_json(as_json(evaluation), json_file)
    if json_file != "-":
        say(*_lines(evaluation))
        say(f"wrote {out}")


def _lines(evaluation: PartsEvaluation) -> Iterator[str]:
    yield f"truth: {counted(evaluation.pages, 'page')}, {counted(evaluation.regions, 'region')}"
    for run in evaluation.runs:
        totals = run.totals
        yield ""
        yield f"{run.name}: {totals.evaluated:,} of {totals.spots:,} spots evaluated"
        yield from (f"  {remark}" for remark in run.remarks)
        intervals = {"95 % over queries": run.intervals_over_queries}
        yield from aligned(figure_rows(run.figures, run.figures.sums.settings, intervals))
