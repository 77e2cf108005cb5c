"""`spotlab parts evaluate`: runs against truth, both in parts, in memory that does not grow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from spotlab.api.settings import EvaluationSettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, say, write_json
from spotlab.cli.options import measure_options, options, primitive_of
from spotlab.errors import counted
from spotlab.interruption import noting
from spotlab.lab.commands.parts.place_options import place_options
from spotlab.report.figure_text import aligned

if TYPE_CHECKING:
    from spotlab.lab.parts.evaluate_parts import PartsEvaluation, RunParts


@click.command()
@place_options
@measure_options
@options(EvaluationSettings, only=("iou", "at_recall", "at_precision", "at_rank", "uncertain"))
@json_option
def evaluate(
    truth: str,
    runs: tuple[str, ...],
    json_file: str | None,
    out: str,
    **chosen: Any,
) -> None:
    """Evaluate runs against truth part by part: for collections that no memory holds.

    Figures are those of `spotlab evaluate`. Curves go to --out as Parquet, a row per spot.
    Intervals are over queries only; there is no report.
    """
    from spotlab.formats.rows.part_folder import PartFolder  # noqa: PLC0415 - takes a while
    from spotlab.lab.parts.evaluate_parts import as_json, evaluate_parts  # noqa: PLC0415
    from spotlab.measures.measure import MeasureSettings  # noqa: PLC0415
    from spotlab.measures.tally import Overlap  # noqa: PLC0415

    check_target(json_file)
    try:
        settings = MeasureSettings(
            Overlap(chosen["overlap"]), chosen["beta"], chosen["recognised"], chosen["iou"],
            chosen["missing"], chosen["at_recall"], chosen["at_precision"],
            at_rank=chosen["at_rank"],
        )  # fmt: skip
    except ValueError as error:
        raise click.UsageError(str(error), click.get_current_context()) from error
    note = noting("finished parts are kept; run the same command again to continue")
    with note, as_options("evaluates the rest"), progress_bar() as progress:
        evaluation = evaluate_parts(
            PartFolder.of(truth),
            [PartFolder.of(run) for run in runs],
            PartFolder.of(out),
            settings,
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
        yield from aligned(_rows(run))


def _rows(run: RunParts) -> list[list[str]]:
    from spotlab.measures.measure import known_figures  # noqa: PLC0415 - it imports numpy
    from spotlab.report.figure_text import written, written_interval  # noqa: PLC0415

    figures = run.figures
    rows = [["", "mean", "95 % over queries", "n queries", "pooled"]]
    for figure in known_figures():
        name, unit = figure.name, figure.unit
        rows.append(
            [
                figure.titled(figures.sums.settings, unit=True),
                written(figures.mean[name], unit, mean=True),
                written_interval(run.intervals_over_queries.get(name), unit),
                f"{figures.defined[name]:,}",
                written(figures.pooled[name], unit),
            ]
        )
    return rows
