"""`spotlab spot words`: handwritten words like a query, as ranked lists or as a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.console import say
from spotlab.cli.csv_option import csv_safe_option
from spotlab.cli.finite import FINITE, Finite
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.option_errors import as_options
from spotlab.cli.progress_bar import progress_bar
from spotlab.cli.spot.word_queries import collected, queries_in, typed_queries
from spotlab.cli.spot_options import pages_option, resumable, working_options
from spotlab.report.aligned import aligned

if TYPE_CHECKING:
    from spotlab.api.words import WordSpotting

COMBINE = ("maximum", "mean")  # a test holds them against the model
INKS = ("none", "otsu", "sauvola", "wolf")  # a test holds them against the model
DESCRIPTORS = ("strokes", "learned", "both")  # a test holds them against the model
USUAL = "ws,qe,cr,ml,ml_cr"


@click.command()
@click.option(
    "--query",
    "queries",
    multiple=True,
    help="Query: a text, or PAGE:x,y,width,height in px; may be given several times. Boxes given "
    "as NAME=PAGE:x,y,width,height with the same name are examples of one query.",
)
@click.option(
    "--text",
    "texts",
    multiple=True,
    help="Text to search as it is typed, whether or not it is transcribed; * stands for any "
    "characters: orde*. May be given several times. Needs a learned descriptor.",
)
@click.option(
    "--queries",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Text file with one query per line, or a table (.csv) with the columns query, page, x, y, "
    "width and height, in which rows with the same query are examples of it.",
)
@pages_option
@click.option(
    "--truth",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="PAGE XML with transcribed words, or a folder of such files.  [default: beside the pages]",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="CSV file for the results.",
)
@click.option(
    "--as",
    "kind",
    type=click.Choice(["lists", "run"]),
    default="lists",
    show_default=True,
    help="Write all ranked lists to one file (lists), or each list to its own run (run), named "
    "OUT-LIST if there are several.",
)
@click.option(
    "--lists", default=USUAL, show_default=True, help="Ranked lists to make, separated by commas."
)
@click.option("--tau", type=FINITE, default=0.7, show_default=True, help="Smallest score of a hit.")
@click.option(
    "--tight",
    type=FINITE,
    default=0.8,
    show_default=True,
    help="Smallest score of a hit that is used as a further query.",
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    default=6,
    show_default=True,
    help="Largest number of items that re-score a list.",
)
@click.option(
    "--at-least",
    type=FINITE,
    default=0.6,
    show_default=True,
    help="Smallest score of an item that re-scores a list.",
)
@click.option(
    "--fall",
    type=Finite(min=0),
    default=0.1,
    show_default=True,
    help="Largest distance of such an item's score from the second best score.",
)
@click.option(
    "--weight",
    type=Finite(min=0),
    default=3.0,
    show_default=True,
    help="Exponent of such an item's score in its weight; 0 weighs all equally.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=5000,
    show_default=True,
    help="Largest number of words that are ranked for a query, besides all hits.",
)
@click.option(
    "--combine",
    type=click.Choice(COMBINE),
    default=COMBINE[0],
    show_default=True,
    help="How several examples of a query make one score: the best score, or that of their mean.",
)
@click.option(
    "--overlap",
    type=Finite(0.25),
    help="Overlap, as a share of a box, above which only the better of two boxes is kept.  "
    "[default: 0.5; with --given-boxes all are kept]",
)
@click.option(
    "--ink",
    type=click.Choice(INKS),
    default=INKS[0],
    show_default=True,
    help="Binarisation method.",
)
@click.option(
    "--descriptor",
    type=click.Choice(DESCRIPTORS),
    default=DESCRIPTORS[-1],
    show_default=True,
    help="What words are compared by: strokes (nothing is trained), a trained network, or both. "
    "Without an installed network, both means strokes.",
)
@click.option(
    "--network",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Network that describes the words (.onnx).  [default: the one that was adapted to the "
    "pages, else the one that comes with spotlab]",
)
@click.option(
    "--adapted/--not-adapted",
    default=True,
    help="Whether a network that was adapted to the pages describes the words.  [default: adapted]",
)
@click.option(
    "--words",
    "lexicon",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Text file with a word per line, with its frequency behind it or the most frequent first: "
    "the words that proposed readings consist of.  [default: frequent English words]",
)
@click.option("--given-boxes", is_flag=True, help="Search only among the word boxes of the truth.")
@click.option(
    "--all-instances", is_flag=True, help="Search a text with each of its instances as a query."
)
@working_options
@json_option
@csv_safe_option
def words(
    queries: tuple[str, ...],
    file: Path | None,
    pages: tuple[Path, ...],
    json_file: str | None,
    **chosen: Any,
) -> None:
    """Search handwritten words that look like a query; the query itself comes first."""
    from spotlab.api.words import spot_words  # noqa: PLC0415 - takes a while

    check_target(json_file)
    check_target(str(chosen["out"]))
    out, kind = chosen.pop("out"), chosen.pop("kind")
    with as_options(), resumable(), progress_bar() as progress:
        result = spot_words(
            pages,
            collected([*queries, *queries_in(file), *typed_queries(chosen.pop("texts"))]),
            truth=chosen.pop("truth") or None,
            min_score=chosen.pop("at_least"),
            progress=progress,
            **chosen,
        )
    for page in result.index.left_out:
        say(f"left out {page.page}: {page.problem}", err=True)
    for problem in result.not_searched:
        say(f"not searched: {problem}", err=True)
    written = _write(result, out, kind)
    if json_file:
        write_json(result.as_dict(), json_file)
    if json_file != "-":
        say(*_lines(result), *written)


def _write(result: WordSpotting, out: Path, kind: str) -> list[str]:
    """Write what was found; what to say of it."""
    if kind == "lists":
        return [f"wrote {result.write(out)}"]
    said = []
    for name in result.lists:
        path = out if len(result.lists) == 1 else out.with_name(f"{out.stem}-{name}{out.suffix}")
        said.append(f"wrote {result.run(name).write(path)}")
    return said


def _lines(result: WordSpotting) -> list[str]:
    """A table: for each query how much was found, and the average precision of its lists."""
    from spotlab.studies.words.word_spotting import mean_average_precision  # noqa: PLC0415

    lists, spotted = result.lists, result.words
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
    return [*aligned(rows), *note, f"compared by {result.index.compared_by}"]


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.4f}"
