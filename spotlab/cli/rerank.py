"""`spotlab rerank`: makes a better ranked list of several, judges all of them and purges them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from spotlab.cli.finite import FINITE, Finite
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.option_errors import as_options
from spotlab.cli.progress_bar import progress_bar

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("lists", metavar="LIST…", nargs=-1, required=True, type=FILE)
@click.option("--scores", type=FILE, help="Scores of the items with each other, .npz.")
@click.option("--qrels", type=FILE, help="What is relevant, as TREC has it.")
@click.option("--judgements", type=FILE, help="What a person said of items, as the window has it.")
@click.option(
    "--fusion",
    "fusions",
    multiple=True,
    help="How a list is made; may be given several times.  [default: cr with --scores, "
    "reciprocal_rank for several lists]",
)
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=12,
    show_default=True,
    help="At most so many items re-score a list.",
)
@click.option(
    "--at-least",
    type=FINITE,
    default=0.8,
    show_default=True,
    help="Only items with this score re-score a list.",
)
@click.option(
    "--weight",
    type=Finite(min=0),
    default=0.0,
    show_default=True,
    help="An item that re-scores weighs its score to this power.",
)
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How often a list re-scores itself.",
)
@click.option(
    "--setting",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="A setting that only some fusions know, such as rank_constant=60.",
)
@click.option(
    "--purge",
    "threshold",
    type=FINITE,
    default=0.7,
    show_default=True,
    help="Items with this score or more stay.",
)
@click.option("--skip-bad-lines", is_flag=True, help="Rank what can be read.")
@json_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write all lists, and what purging leaves of them, to this folder.",
)
def rerank(
    lists: tuple[Path, ...],
    fusions: tuple[str, ...],
    json_file: str | None,
    out: Path | None,
    **chosen: Any,
) -> None:
    """Fuse ranked lists, judge them and purge them.

    A LIST is CSV (query,page,x,y,width,height,score) or a run of TREC. Several files with lists
    of the same queries are several systems. Judged items count as judged; the relevant ones
    surely re-score a list, the others never do.
    """
    from spotlab.api.reranking import rerank as rerank_lists  # noqa: PLC0415 - takes a while
    from spotlab.cli.rerank_text import reranking_lines  # noqa: PLC0415

    check_target(json_file)
    settings = _settings(chosen.pop("settings"))
    with as_options(), progress_bar() as progress:
        result = rerank_lists(
            lists,
            fusions,
            min_score=chosen.pop("at_least"),
            settings=settings,
            progress=progress,
            **chosen,
        )
    if json_file:
        write_json(result.as_dict(), json_file)
    if json_file != "-":
        for line in reranking_lines(result.reranking, result.remarks):
            click.echo(line)
    if out is not None:
        for path in result.write(out):
            click.echo(f"wrote {path}", err=json_file == "-")


def _settings(texts: Sequence[str]) -> dict[str, float]:
    """The settings of fusions by name.

    Raises
    ------
    click.UsageError
        One is not NAME=VALUE with a number.
    """
    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError as error:
            problem = f"--setting is {text!r}; expected NAME=VALUE with a number."
            raise click.UsageError(problem, click.get_current_context()) from error
    return found
