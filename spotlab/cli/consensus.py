"""`spotlab consensus`: how good systems are by what they agree on, without truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.number_range import NumberRange
from spotlab.cli.option_errors import as_options
from spotlab.cli.progress_bar import progress_bar

ANY = click.Path(exists=True, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("votes", metavar="VOTES…", nargs=-1, required=True, type=ANY)
@click.option(
    "--truth",
    type=ANY,
    multiple=True,
    help="What is right: relevance judgements, CSV item,truth, texts like those of a system, or "
    "for spotted regions truth files.",
)
@click.option("--kind", help="What VOTES are, such as csv or trec.  [default: by their content]")
@click.option(
    "--weights",
    metavar="NAME=WEIGHT,…",
    multiple=True,
    help="Of systems, top and bottom; whoever has none shares what is left of 1.",
)
@click.option(
    "--oracle",
    metavar="COLUMN",
    help="A system that knows, or truth. With all the weight it is ordinary precision and recall.",
)
@click.option("--group-by", metavar="FACTOR", help="Also compare systems of the same value.")
@click.option(
    "--method",
    type=click.Choice(["bag-of-words", "alignment"]),
    default="bag-of-words",
    show_default=True,
    help="How texts become items.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Of ranked lists: a system votes for its first so many.",
)
@click.option(
    "--overlap",
    type=NumberRange(0, 1, min_open=True),
    default=0.5,
    show_default=True,
    help="Of spotted regions: intersection over union from which two are the same item.",
)
@click.option(
    "--yes", multiple=True, help="Of answers item,system,vote in words: one that is a yes."
)
@click.option(
    "--least",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Say nothing of systems with fewer known votes; they vote all the same.",
)
@click.option(
    "--beta",
    type=NumberRange(0, min_open=True),
    default=1.0,
    show_default=True,
    help="Of F: above 1 recall weighs more.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="Of the bootstrap; with 0 there are no intervals.",
)
@click.option(
    "--resample",
    type=click.Choice(["items", "pages"]),
    default="items",
    show_default=True,
    help="What the bootstrap draws.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--answers",
    type=FILE,
    help="What is known of a few items: item,relevant[,inclusion][,round].",
)
@click.option("--skip-bad-lines", is_flag=True, help="Compare what can be read.")
@csv_safe_option
@json_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write a report with tables and plots to this folder.",
)
def consensus(
    votes: tuple[Path, ...],
    truth: tuple[Path, ...],
    weights: tuple[str, ...],
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Judge systems by each other: precision, recall and F without truth.

    VOTES is CSV (item,<system>,… with 0, 1, a number between, or nothing; lines that begin with #
    are factors of the systems), runs of TREC, runs of spotted regions, or a folder of texts, PAGE
    or ALTO files a system.
    """
    from spotlab.api.system_comparison import compare_systems  # noqa: PLC0415 - takes a second
    from spotlab.cli.consensus_text import comparison_lines  # noqa: PLC0415

    check_target(json_file)
    given = read_weights(weights)
    with as_options(told=_sentence), progress_bar() as progress:
        result = compare_systems(
            votes,
            truth=truth,
            weights=given,
            min_votes=chosen.pop("least"),
            progress=progress,
            **chosen,
        )
    if json_file:
        write_json(result.as_dict(), json_file)
    if json_file != "-":
        for line in comparison_lines(result.comparison):
            click.echo(line)
    if out is not None:
        click.echo(f"wrote {result.write_report(out)}", err=json_file == "-")


def read_weights(options: Sequence[str]) -> dict[str, float]:
    """Weights by name.

    Raises
    ------
    click.UsageError
        One is not NAME=WEIGHT with a number, or given twice.

    Examples
    --------
    >>> read_weights(["a=.2,b=1", "top=0"])
    {'a': 0.2, 'b': 1.0, 'top': 0.0}
    """
    found: dict[str, float] = {}
    for text in (part for option in options for part in option.split(",") if part.strip()):
        name, _, weight = text.rpartition("=")
        try:
            value = float(weight) if name.strip() else math.nan
        except ValueError:
            value = math.nan
        if math.isnan(value):
            raise _usage(f"--weights has {text.strip()!r}; expected NAME=WEIGHT with a number.")
        if name.strip() in found:
            raise _usage(f"--weights has {name.strip()!r} twice; expected it once.")
        found[name.strip()] = value
    return found


def _usage(problem: str) -> click.UsageError:
    return click.UsageError(problem, click.get_current_context(silent=True))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
