"""`spotlab rerank`: makes a better ranked list of several, judges all of them and purges them."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any

import click

from spotlab.cli.console import say
from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.finite import FINITE, Finite
from spotlab.cli.job_options import jobs_option
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.option_errors import as_options
from spotlab.cli.progress_bar import progress_bar
from spotlab.cli.spot_options import resumable

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("lists", metavar="LIST…", nargs=-1, required=True, type=FILE)
@click.option("--scores", type=FILE, help="File (.npz) with the scores of all pairs of items.")
@click.option("--qrels", type=FILE, help="TREC file with relevance judgements (qrels).")
@click.option(
    "--truth",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="PAGE XML with transcribed words, or a folder of such files; may be given several times.",
)
@click.option(
    "--pages",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="Image, or folder of images, on which the boxes of the lists lie. Consensus methods "
    "compare what the boxes contain. Transcriptions beside the images count as --truth.",
)
@click.option(
    "--judgements", type=FILE, help="CSV file with judgements that were made in the window."
)
@click.option(
    "--fusion",
    "fusions",
    multiple=True,
    help="Fusion method; may be given several times.  [default: cr with --scores or --pages, "
    "reciprocal_rank for several lists]",
)
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=12,
    show_default=True,
    help="Largest number of items that re-score a list.",
)
@click.option(
    "--at-least",
    type=FINITE,
    default=0.8,
    show_default=True,
    help="Smallest score of an item that re-scores a list.",
)
@click.option(
    "--fall",
    type=Finite(min=0),
    help="Largest distance of such an item's score from the second best score.  [default: any]",
)
@click.option(
    "--weight",
    type=Finite(min=0),
    default=0.0,
    show_default=True,
    help="Exponent of an item's score in its weight when it re-scores a list; 0 weighs all "
    "equally.",
)
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of times that a list re-scores itself.",
)
@click.option(
    "--setting",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Setting of a particular fusion method, such as rank_constant=60.",
)
@click.option(
    "--purge",
    "threshold",
    type=FINITE,
    default=0.7,
    show_default=True,
    help="Smallest score of an item that purging keeps, on the scale of the lists given.",
)
@click.option(
    "--skip-bad-lines", is_flag=True, help="Skip lines that cannot be read, and rank the rest."
)
@jobs_option
@click.option(
    "--cache",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the words of --pages.  [default: in the user's cache folder]",
)
@json_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for all lists, before and after purging, and a report (HTML, tables, figures).",
)
@csv_safe_option
def rerank(
    lists: tuple[Path, ...],
    fusions: tuple[str, ...],
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Fuse, evaluate and purge ranked lists.

    LIST is a CSV file (query,page,x,y,width,height,score) or a TREC run. Several files with lists
    of the same queries count as several systems. Average precision counts all relevant items,
    found or not, and leaves the query itself out where its place is known. Judgements override
    scores: items judged relevant always re-score a list, items judged irrelevant never do.
    """
    from spotlab.api.reranking import rerank as rerank_lists  # noqa: PLC0415 - takes a while
    from spotlab.cli.rerank_text import reranking_lines  # noqa: PLC0415

    check_target(json_file)
    settings = _settings(chosen.pop("settings"))
    for name in ("truth", "pages"):
        chosen[name] = chosen[name] or None
    with as_options(), resumable(), progress_bar() as progress:
        result = rerank_lists(
            lists,
            fusions,
            min_score=chosen.pop("at_least"),
            fall=_any_if_none(chosen.pop("fall")),
            settings=settings,
            progress=progress,
            **chosen,
        )
    if json_file:
        write_json(result.as_dict(), json_file)
    if json_file != "-":
        say(*reranking_lines(result.reranking, result.remarks, result.comparison))
    if out is not None:
        for path in result.write(out):
            say(f"wrote {path}", err=json_file == "-")


def _any_if_none(fall: float | None) -> float:
    return inf if fall is None else fall


def _settings(texts: Sequence[str]) -> dict[str, float]:
    """The settings of fusions by name.

    Raises
    ------
    click.UsageError
        One is not NAME=VALUE with a number.
    """
    settings = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            settings[name.strip()] = float(value)
        except ValueError as error:
            problem = f"--setting is {text!r}; expected NAME=VALUE, VALUE being a number."
            raise click.UsageError(problem, click.get_current_context()) from error
    return settings
