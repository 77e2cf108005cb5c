"""`spotlab consensus`: how good systems are by what they agree on, without truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
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

ANY = click.Path(exists=True, path_type=Path)
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("votes", metavar="VOTES…", nargs=-1, required=True, type=ANY)
@click.option(
    "--truth",
    type=ANY,
    multiple=True,
    help="Ground truth to compare with: relevance judgements, a CSV file item,truth, texts in the "
    "layout of a system's, or truth files for spotted regions.",
)
@click.option(
    "--kind", help="Format of VOTES, such as csv or trec.  [default: detected from the content]"
)
@click.option(
    "--weights",
    metavar="NAME=WEIGHT,…",
    multiple=True,
    help="Weights of systems, and of top and bottom. Those not named share the rest of 1 equally.",
)
@click.option(
    "--oracle",
    metavar="COLUMN",
    help="Column with a system that is known to be right, or truth. With a weight of 1 the results "
    "are ordinary precision and recall.",
)
@click.option(
    "--group-by",
    metavar="FACTOR",
    help="Factor of the systems; also compare the systems of each of its values separately.",
)
@click.option(
    "--method",
    type=click.Choice(["bag-of-words", "alignment"]),
    default="bag-of-words",
    show_default=True,
    help="Method that turns texts into items.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="Number of top ranks of a ranked list that count as votes.",
)
@click.option(
    "--overlap",
    type=NumberRange(0, 1, min_open=True),
    default=0.5,
    show_default=True,
    help="Smallest intersection over union at which two spotted regions are the same item.",
)
@click.option(
    "--yes",
    multiple=True,
    help="Word that means yes in a CSV file item,system,vote; may be given several times.",
)
@click.option(
    "--least",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Smallest number of known votes for which a system's figures are reported. Systems with "
    "fewer votes still vote.",
)
@click.option(
    "--beta",
    type=NumberRange(0, min_open=True),
    default=1.0,
    show_default=True,
    help="Weight of recall relative to precision in the F measure; above 1 favours recall.",
)
@click.option(
    "--draws",
    type=click.IntRange(min=0),
    default=1000,
    show_default=True,
    help="Number of bootstrap draws for the intervals; 0 leaves them out.",
)
@click.option(
    "--resample",
    type=click.Choice(["items", "pages"]),
    default="items",
    show_default=True,
    help="Unit that the bootstrap resamples.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Seed of the random number generator.",
)
@click.option(
    "--answers",
    type=FILE,
    help="CSV file with the known relevance of some items: item,relevant[,inclusion][,round].",
)
@click.option(
    "--skip-bad-lines", is_flag=True, help="Skip lines that cannot be read, and compare the rest."
)
@csv_safe_option
@json_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for a report with tables and plots.",
)
def consensus(
    votes: tuple[Path, ...],
    truth: tuple[Path, ...],
    weights: tuple[str, ...],
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Estimate precision, recall and F of systems from their agreement, without truth.

    VOTES is one of: a CSV file item,<system>,… with votes from 0 to 1, empty where unknown, and
    factors of the systems in lines that begin with #; TREC runs; runs of spotted regions; or a
    folder with a sub-folder of texts, PAGE or ALTO files for each system.
    """
    from spotlab.api.system_comparison import compare_systems  # noqa: PLC0415 - takes a second
    from spotlab.cli.consensus_text import comparison_lines  # noqa: PLC0415

    check_target(json_file)
    given = read_weights(weights)
    with as_options(wording=_sentence), progress_bar() as progress:
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
        say(*comparison_lines(result.comparison))
    if out is not None:
        say(f"wrote {result.write_report(out)}", err=json_file == "-")


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
    weights: dict[str, float] = {}
    for text in (part for option in options for part in option.split(",") if part.strip()):
        name, _, weight = text.rpartition("=")
        try:
            value = float(weight) if name.strip() else math.nan
        except ValueError:
            value = math.nan
        if math.isnan(value):
            raise _usage(
                f"--weights has {text.strip()!r}; expected NAME=WEIGHT, WEIGHT being a number."
            )
        if name.strip() in weights:
            raise _usage(f"--weights has {name.strip()!r} twice; expected it once.")
        weights[name.strip()] = value
    return weights


def _usage(problem: str) -> click.UsageError:
    return click.UsageError(problem, click.get_current_context(silent=True))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
