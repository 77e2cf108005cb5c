"""`spotlab spot words`: handwritten words like a query, as ranked lists or as a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.finite import FINITE, Finite
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.option_errors import as_options
from spotlab.cli.progress_bar import progress_bar
from spotlab.cli.spot_options import pages_option, resumable, working_options
from spotlab.errors import BadArgument, BadInput, reason
from spotlab.report.aligned import aligned

if TYPE_CHECKING:
    from spotlab.api.words import WordSpotting
    from spotlab.spotting.words.query import WordQuery

INKS = ("none", "otsu", "sauvola", "wolf")  # a test holds them against the model
USUAL = "ws,qe,cr,ml,ml_cr"


@click.command()
@click.option(
    "--query",
    "queries",
    multiple=True,
    help="A text, or PAGE:x,y,width,height in px; may be given several times.",
)
@click.option(
    "--queries",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file with such a query in each line.",
)
@pages_option
@click.option(
    "--truth",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="What is written where: PAGE XML with words, or folders.  [default: beside the pages]",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="CSV file for what is found.",
)
@click.option(
    "--as",
    "kind",
    type=click.Choice(["lists", "run"]),
    default="lists",
    show_default=True,
    help="All ranked lists in one file; or a run for each, as OUT-NAME where there are several.",
)
@click.option(
    "--lists", default=USUAL, show_default=True, help="Which ranked lists to make, with commas."
)
@click.option("--tau", type=FINITE, default=0.7, show_default=True, help="Score of a hit.")
@click.option(
    "--tight", type=FINITE, default=0.8, show_default=True, help="Score of a hit that is a query."
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=12,
    show_default=True,
    help="So many items re-score a list at most.",
)
@click.option(
    "--at-least",
    type=FINITE,
    default=0.8,
    show_default=True,
    help="Score from which an item re-scores a list.",
)
@click.option(
    "--overlap",
    type=Finite(0.25),
    help="Share of a box from which only the better one is kept.  [default: 0.5; given boxes: all]",
)
@click.option(
    "--ink", type=click.Choice(INKS), default=INKS[0], show_default=True, help="What counts as ink."
)
@click.option("--given-boxes", is_flag=True, help="Search among the words of the truth.")
@click.option("--all-instances", is_flag=True, help="Search a text by each of its instances.")
@working_options
@json_option
def words(
    queries: tuple[str, ...],
    file: Path | None,
    pages: tuple[Path, ...],
    json_file: str | None,
    **chosen: Any,
) -> None:
    """Search handwritten words that look like a query, itself first."""
    from spotlab.api.words import spot_words  # noqa: PLC0415 - takes a while

    check_target(json_file)
    check_target(str(chosen["out"]))
    out, kind = chosen.pop("out"), chosen.pop("kind")
    with as_options(), resumable(), progress_bar() as progress:
        found = spot_words(
            pages,
            [*queries, *_lines_of(file)],
            truth=chosen.pop("truth") or None,
            min_score=chosen.pop("at_least"),
            progress=progress,
            **chosen,
        )
    for page in found.index.left_out:
        click.echo(f"left out {page.page}: {page.problem}", err=True)
    written = _write(found, out, kind)
    if json_file:
        write_json(found.as_dict(), json_file)
    if json_file != "-":
        for line in [*_lines(found), *written]:
            click.echo(line)


def _lines_of(file: Path | None) -> list[WordQuery]:
    """The queries in a file, one in each line."""
    from spotlab.api.words import word_query  # noqa: PLC0415 - takes a while

    if file is None:
        return []
    try:
        lines = file.read_text("utf-8").splitlines()
    except OSError as error:
        raise BadInput(file, f"cannot be read: {reason(error)}") from error
    except UnicodeDecodeError as error:
        raise BadInput(file, "the file is not UTF-8") from error
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found += [word_query(line.strip())] if line.strip() else []
        except BadArgument as error:
            problem = str(error.__cause__ or error)
            raise BadInput(file, problem, place=f"line {number}") from error
    return found


def _write(found: WordSpotting, out: Path, kind: str) -> list[str]:
    """Write what was found; what to say of it."""
    if kind == "lists":
        return [f"wrote {found.write(out)}"]
    said = []
    for name in found.lists:
        path = out if len(found.lists) == 1 else out.with_name(f"{out.stem}-{name}{out.suffix}")
        said.append(f"wrote {found.run(name).write(path)}")
    return said


def _lines(found: WordSpotting) -> list[str]:
    """A table: for each query how much was found, and the average precision of its lists."""
    from spotlab.studies.words.word_spotting import mean_average_precision  # noqa: PLC0415

    lists, spotted = found.lists, found.words
    is_judged = any(word.relevant is not None for word in spotted)
    rows = [["query", "found", *(["written", *lists] if is_judged else [])]]
    for word in spotted:
        row = [word.name, f"{len(word.search.items):,}"]
        if is_judged:
            row.append("" if word.relevant is None else f"{word.relevant:,}")
            row += [_share(word.average_precision(ranked)) for ranked in word.lists]
        rows.append(row)
    if is_judged and len(spotted) > 1:
        means = [_share(mean_average_precision(spotted, name)) for name in lists]
        rows.append(["mean", "", "", *means])
    note = ["average precision, the query itself left out"] if is_judged else []
    return aligned(rows) + note


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
