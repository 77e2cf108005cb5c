"""`spotlab uncertain`: precision and recall as distributions, where subjects don't agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.number_range import NumberRange
from spotlab.cli.option_errors import as_options
from spotlab.cli.progress_bar import progress_bar

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("judgements", type=FILE)
@click.option("--tree", type=FILE, required=True, help="The categories, CSV: category,parent.")
@click.option(
    "--answers",
    "answer_files",
    type=FILE,
    multiple=True,
    required=True,
    help="What systems return, CSV: [system,]query,rank,item; may be given several times.",
)
@click.option(
    "--cutoff",
    "cut_offs",
    type=click.IntRange(min=1),
    multiple=True,
    help="Only at this rank; may be given several times.  [default: each to 200, then by 2 %]",
)
@click.option(
    "--compare-at",
    type=click.IntRange(min=1),
    help="The rank at which systems are compared.  [default: the last that all answers reach]",
)
@click.option(
    "--mixture",
    type=click.Choice(["direct", "whole-tree"]),
    default="direct",
    show_default=True,
    help="Over which categories a query is mixed: those it was assigned to, or all above them too.",
)
@click.option(
    "--unjudged",
    type=click.Choice(["undefined", "left-out"]),
    default="undefined",
    show_default=True,
    help="What an item that nobody judged makes of an answer.",
)
@click.option(
    "--shift",
    type=NumberRange(min=0),
    default=0.0,
    show_default=True,
    metavar="SD",
    help="Let the subjects all err to one side: the standard deviation of a shift of the log odds.",
)
@click.option("--skip-bad-lines", is_flag=True, help="Take what can be read.")
@csv_safe_option
@json_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write tables and figures to this folder.",
)
def uncertain(
    judgements: Path,
    tree: Path,
    answer_files: tuple[Path, ...],
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Hold answers against judgements that don't agree: precision and recall as distributions.

    JUDGEMENTS is CSV, subject,item,category. A query is an item that was judged, or a category.
    """
    from spotlab.api.uncertain_truth import uncertain as evaluate_answers  # noqa: PLC0415
    from spotlab.cli.uncertain_text import uncertain_lines  # noqa: PLC0415

    check_target(json_file)
    with as_options(told="{}.".format), progress_bar() as progress:
        result = evaluate_answers(judgements, tree, answer_files, progress=progress, **chosen)
    if json_file:
        write_json(result.as_dict(), json_file)
    if json_file != "-":
        for line in uncertain_lines(result.study, result.displacements, result.read_remarks):
            click.echo(line)
    if out is not None:
        with progress_bar() as progress:
            folder = result.write_report(out, progress=progress)
        click.echo(f"wrote {folder}", err=json_file == "-")
