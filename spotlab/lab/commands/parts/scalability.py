"""`spotlab parts scalability`: whether runs answer alike, for collections in parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spotlab.api.settings import EvaluationSettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, say, write_json
from spotlab.cli.options import (
    FOLDER,
    csv_safe_option,
    draw_options,
    measure_options,
    options,
    primitive_of,
    settings_of,
)
from spotlab.cli.scalability import scalability_lines
from spotlab.interruption import noting
from spotlab.lab.commands.lab_options import place_options


@click.command()
@place_options
@measure_options
@options(EvaluationSettings, only=("uncertain",))
@draw_options
@csv_safe_option
@json_option
@click.option("--report", type=FOLDER, help="Folder for a report with tables and plots.")
def scalability(
    truth: str,
    runs: tuple[str, ...],
    out: str,
    json_file: str | None,
    report: Path | None,
    **chosen: Any,
) -> None:
    """Measure how curves change with the number of classes and pages, part by part.

    Figures are those of `spotlab scalability`, and tallies in --out those of `spotlab parts
    evaluate`: what one of the two has tallied the other one uses.
    """
    from spotlab.formats.rows.part_folder import PartFolder  # noqa: PLC0415 - takes a while
    from spotlab.lab.parts.evaluate_parts import scalability_parts  # noqa: PLC0415
    from spotlab.studies.evaluate.scalability import as_json  # noqa: PLC0415

    check_target(json_file)
    note = noting("finished parts are kept; run the same command again to continue")
    with note, as_options("evaluates the rest"), progress_bar() as progress:
        study, remarks = scalability_parts(
            PartFolder.of(truth),
            [PartFolder.of(run) for run in runs],
            PartFolder.of(out),
            settings_of(chosen),
            primitive=primitive_of(chosen),
            ignore_uncertain=chosen["uncertain"] == "ignore",
            strict=chosen["strict"],
            draws=chosen["draws"],
            seed=chosen["seed"],
            step=chosen["step"],
            jobs=chosen["jobs"],
            cluster=chosen["cluster"],
            progress=progress,
        )
    if json_file:
        notes = [{"name": name, "remarks": list(lines)} for name, lines in remarks.items()]
        write_json({**as_json(study), "notes": notes}, json_file)
    if json_file != "-":
        say(*scalability_lines(study, remarks))
        say(f"wrote {out}")
    if report is not None:
        from spotlab.report.studies.scalability import write_scalability  # noqa: PLC0415 - a second

        with progress_bar() as progress:
            write_scalability(study, report, progress)
        say(f"wrote {report}", err=json_file == "-")
