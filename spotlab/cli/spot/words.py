"""`spotlab spot words`: handwritten words like a query, as ranked lists or as a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.cli.aligned import aligned
from spotlab.cli.finite import FINITE, Finite
from spotlab.cli.json_output import json_option, write_json
from spotlab.cli.judging import check_target
from spotlab.cli.progress_bar import progress_bar
from spotlab.cli.spot_options import (
    page_among,
    pages_option,
    place_of,
    resumable,
    working_options,
)
from spotlab.errors import BadInput, SpotlabError, reason

if TYPE_CHECKING:
    from spotlab.formats.folder import PageEntry
    from spotlab.model.items import Items
    from spotlab.progress import Progress
    from spotlab.spotting.words.query import WordQuery
    from spotlab.spotting.words.word_index import WordIndex
    from spotlab.studies.words.word_spotting import SpottedWord

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
    from spotlab.spotting.page_entries import page_entries  # noqa: PLC0415 - takes a while
    from spotlab.studies.words.word_spotting import as_json, resolve, spot_words  # noqa: PLC0415

    check_target(json_file)
    check_target(str(chosen["out"]))
    lists = _list_names(chosen["lists"])
    wanted = _queries(queries, file)
    with resumable(), progress_bar() as progress:
        entries = page_entries(pages)
        names = [entry.name for entry in entries]
        needs_words = chosen["given_boxes"] or any(query.box is None for query in wanted)
        known = _known_words(entries, chosen["truth"], needs_words, progress)
        wanted = [replace(each, page=page_among(each.page, names)) for each in wanted]
        resolved = resolve(wanted, known, names, all_instances=chosen["all_instances"])
        index = _index(entries, known, chosen, progress)
        spotted = spot_words(
            index,
            resolved,
            lists,
            words=known,
            choices=_choices(chosen),
            tau=chosen["tau"],
            tight=chosen["tight"],
            overlap=chosen["overlap"],
            progress=progress,
        )
    for page in index.left_out:
        click.echo(f"left out {page.page}: {page.problem}", err=True)
    written = _write(spotted, lists, chosen["out"], chosen["kind"])
    if json_file:
        write_json(as_json(index, spotted, lists), json_file)
    if json_file != "-":
        for line in [*_lines(spotted, lists), *written]:
            click.echo(line)


def _list_names(text: str) -> list[str]:
    """The names of lists, each once.

    Raises
    ------
    UsageError
        There is no such list.
    """
    from spotlab.ranking.fusion import fusions  # noqa: PLC0415 - takes a while

    names = [name.strip().lower().replace("-", "_") for name in text.split(",")]
    for name in names:
        if name not in fusions():
            known = ", ".join(fusions())
            problem = f"there is no list {name!r}; there are {known}"
            raise click.UsageError(problem, click.get_current_context())
    return list(dict.fromkeys(names))


def _queries(given: Sequence[str], file: Path | None) -> list[WordQuery]:
    """All queries, those of the file last."""
    texts = [(text, "") for text in given]
    if file is not None:
        try:
            lines = file.read_text("utf-8").splitlines()
        except OSError as error:
            raise BadInput(file, f"cannot be read: {reason(error)}") from error
        except UnicodeDecodeError as error:
            raise BadInput(file, "the file is not UTF-8") from error
        texts += [(line, f"line {number}") for number, line in enumerate(lines, 1) if line.strip()]
    if not texts:
        raise click.UsageError("there is no query", click.get_current_context())
    found = []
    for text, place in texts:
        try:
            found.append(_query(text.strip()))
        except ValueError as error:
            if file is not None and place:
                raise BadInput(file, str(error), place=place) from error
            raise click.UsageError(f"{text!r}: {error}", click.get_current_context()) from error
    return found


def _query(text: str) -> WordQuery:
    from spotlab.spotting.words.query import WordQuery  # noqa: PLC0415 - takes a while

    place = place_of(text)
    return WordQuery(text=text) if place is None else WordQuery(*place)


def _known_words(
    entries: Sequence[PageEntry], truth: Sequence[Path], needed: bool, progress: Progress
) -> Items | None:
    """What is written where; None where nobody says it and nobody has to."""
    from spotlab.studies.words.word_truth import read_words  # noqa: PLC0415

    if truth:
        return read_words(truth, progress)
    beside = [entry.truth_path for entry in entries if entry.has_truth]
    if not beside:
        if needed:
            raise SpotlabError(
                "what is written on the pages is not known: --truth names PAGE XML with words"
            )
        return None
    try:
        return read_words(beside, progress)
    except BadInput:
        if needed:
            raise
        return None


def _index(
    entries: Sequence[PageEntry], known: Items | None, chosen: dict[str, Any], progress: Progress
) -> WordIndex:
    from spotlab.spotting.words.extraction.ink import WordInk  # noqa: PLC0415
    from spotlab.spotting.words.extraction.page_words import WordSettings  # noqa: PLC0415
    from spotlab.spotting.words.index import build_index  # noqa: PLC0415 - takes a while

    return build_index(
        entries,
        WordSettings(WordInk(chosen["ink"])),
        boxes=known if chosen["given_boxes"] else None,
        cache=chosen["cache"],
        jobs=chosen["jobs"],
        cluster=chosen["cluster"],
        progress=progress,
    )


def _choices(chosen: dict[str, Any]) -> Any:
    from spotlab.ranking.fusion import Choices  # noqa: PLC0415 - takes a while

    return Choices(top=chosen["top"], at_least=chosen["at_least"])


def _write(spotted: Sequence[SpottedWord], lists: Sequence[str], out: Path, kind: str) -> list[str]:
    """Write what was found; what to say of it."""
    from spotlab.formats.lists.csv_write import write_csv  # noqa: PLC0415 - takes a while
    from spotlab.formats.runs import csv_run  # noqa: PLC0415
    from spotlab.studies.words.word_spotting import run_of  # noqa: PLC0415

    if kind == "lists":
        write_csv([word.query_lists for word in spotted], out)
        return [f"wrote {out}"]
    said = []
    for name in lists:
        path = out if len(lists) == 1 else out.with_name(f"{out.stem}-{name}{out.suffix}")
        csv_run.write_csv(run_of(spotted, name), path)
        said.append(f"wrote {path}")
    return said


def _lines(spotted: Sequence[SpottedWord], lists: Sequence[str]) -> list[str]:
    """A table: for each query how much was found, and the average precision of its lists."""
    from spotlab.studies.words.word_spotting import mean_average_precision  # noqa: PLC0415

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
