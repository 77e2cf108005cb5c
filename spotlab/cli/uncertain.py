"""`spotlab uncertain`: precision and recall as distributions, where subjects don't agree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from spotlab.cli.console import say
from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.number_range import NumberRange
from spotlab.cli.option_errors import as_options
from spotlab.cli.progress_bar import progress_bar

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("judgements", type=FILE)
@click.option(
    "--tree",
    type=FILE,
    required=True,
    help="CSV file with the tree of categories: category,parent.",
)
@click.option(
    "--answers",
    "answer_files",
    type=FILE,
    multiple=True,
    required=True,
    help="CSV file with the answers of systems: [system,]query,rank,item; may be given several "
    "times.",
)
@click.option(
    "--cutoff",
    "cut_offs",
    type=click.IntRange(min=1),
    multiple=True,
    help="Rank at which to measure; may be given several times.  [default: every rank up to 200, "
    "then in steps of 2 %]",
)
@click.option(
    "--compare-at",
    type=click.IntRange(min=1),
    help="Rank at which systems are compared.  [default: the last rank that all answers reach]",
)
@click.option(
    "--mixture",
    type=click.Choice(["direct", "whole-tree"]),
    default="direct",
    show_default=True,
    help="Categories over which a query is averaged: those assigned to it (direct), or also all "
    "their ancestors (whole-tree).",
)
@click.option(
    "--unjudged",
    type=click.Choice(["undefined", "left-out"]),
    default="undefined",
    show_default=True,
    help="Treatment of items that nobody judged: figures are undefined from that rank on, "
    "or the items are left out.",
)
@click.option(
    "--relevance",
    type=click.Choice(["shares", "learned"]),
    default="shares",
    show_default=True,
    help="Probability that an item is relevant: the share of the subjects who say so (shares), or "
    "the probability of truth, learned from how the subjects agree (learned).",
)
@click.option(
    "--shift",
    type=NumberRange(min=0),
    metavar="SD",
    help="Standard deviation of a common shift of all subjects' log odds; models errors that all "
    "subjects share.  [default: 0 for shares, 1.2 for learned]",
)
@click.option(
    "--skip-bad-lines", is_flag=True, help="Skip lines that cannot be read, and use the rest."
)
@csv_safe_option
@json_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for tables and figures.",
)
def uncertain(
    judgements: Path,
    tree: Path,
    answer_files: tuple[Path, ...],
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Evaluate answers where subjects disagree: precision and recall as distributions.

    JUDGEMENTS is a CSV file subject,item,category. A query is a judged item or a category.
    """
    from spotlab.api.uncertain_truth import uncertain as evaluate_answers  # noqa: PLC0415
    from spotlab.cli.uncertain_text import uncertain_lines  # noqa: PLC0415

    check_target(json_file)
    with as_options(wording="{}.".format), progress_bar() as progress:
        result = evaluate_answers(judgements, tree, answer_files, progress=progress, **chosen)
    if json_file:
        write_json(result.as_dict(), json_file)
    if json_file != "-":
        say(*uncertain_lines(result.study, result.displacements, result.read_remarks))
    if out is not None:
        with progress_bar() as progress:
            folder = result.write_report(out, progress=progress)
        say(f"wrote {folder}", err=json_file == "-")
