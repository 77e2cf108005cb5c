"""`spotlab spot words`: handwritten words like a query, as ranked lists or as a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from spotlab.api.settings import WordSpottingSettings
from spotlab.cli.console import as_options, check_target, json_option, progress_bar, say, tell
from spotlab.cli.options import (
    EXISTING_FILE,
    FILE,
    csv_safe_option,
    given,
    options,
    pages_option,
    resumable,
)
from spotlab.errors import BadArgument, BadInput
from spotlab.formats.rows.csv_rows import rows_of, with_decimal_point
from spotlab.formats.rows.text_files import content_name, read_text
from spotlab.report.figure_text import aligned, written

if TYPE_CHECKING:
    from spotlab.api.spot_words import WordSpotting
    from spotlab.spotting.words.word_index import WordQuery


@click.command()
@click.option(
    "--query",
    "queries",
    multiple=True,
    help="Query: a text, or PAGE:x,y,width,height in px; may be given several times. Boxes given "
    "as NAME=PAGE:x,y,width,height with the same name are examples of one query.",
)
@click.option(
    "--queries",
    "file",
    type=EXISTING_FILE,
    help="Text file with one query per line, or a table (.csv) with the columns query, page, x, y, "
    "width and height, in which rows with the same query are examples of it.",
)
@pages_option
@click.option("--out", type=FILE, required=True, help="CSV file for the results.")
@click.option(
    "--as",
    "kind",
    type=click.Choice(["lists", "run"]),
    default="lists",
    show_default=True,
    help="Write all ranked lists to one file (lists), or each list to its own run (run), named "
    "OUT-LIST if there are several.",
)
@options(WordSpottingSettings, {"texts": "--text"}, types={"lists": str})
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
    from spotlab.api.spot_words import spot_words  # noqa: PLC0415 - takes a while

    check_target(json_file)
    check_target(str(chosen["out"]))
    out, kind = chosen.pop("out"), chosen.pop("kind")
    with as_options(), resumable(), progress_bar() as progress:
        result = spot_words(
            pages,
            collected([*queries, *queries_in(file), *typed_queries(chosen.pop("texts"))]),
            progress=progress,
            **given(chosen),
        )
    for note in result.summary.notes:
        say(note, err=True)
    files = _write(result, out, kind)
    tell(json_file, result.as_dict, lambda: [*_lines(result), *files])


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
            row += [written(word.average_precision(ranked)) for ranked in word.lists]
        rows.append(row)
    if is_judged and len(spotted) > 1:
        means = [written(mean_average_precision(spotted, name)) for name in lists]
        rows.append(["mean", "", "", *means])
    note = ["average precision, the query itself left out"] if is_judged else []
    return [*aligned(rows), *note, f"compared by {result.index.compared_by}"]


COLUMNS = ("query", "page", "x", "y", "width", "height")


def collected(queries: Sequence[str | WordQuery]) -> list[WordQuery]:
    """Make queries; boxes with the same name become examples of one.

    Parameters
    ----------
    queries : sequence of str or WordQuery
        ``NAME=PAGE:x,y,width,height`` names a box.

    Raises
    ------
    BadArgument
        A box has no area.
    """
    from spotlab.spotting.words.search import join_examples  # noqa: PLC0415 - heavy
    from spotlab.spotting.words.word_index import WordQuery  # noqa: PLC0415 - heavy

    found: list[WordQuery] = []
    named: dict[str, list[WordQuery]] = {}
    for query in queries:
        made = query if isinstance(query, WordQuery) else named_query(query)
        if not made.label:
            found.append(made)
            continue
        if made.label not in named:
            found.append(made)  # keeps its place
        named.setdefault(made.label, []).append(made)
    return [join_examples(named[made.label], made.label) if made.label else made for made in found]


def named_query(text: str) -> WordQuery:
    """Make a query of a text, a box, or NAME=BOX.

    Parameters
    ----------
    text : str

    Raises
    ------
    BadArgument
        The box has no area.
    """
    from spotlab.api.spot_words import word_query  # noqa: PLC0415 - takes a while
    from spotlab.spotting.words.search import join_examples  # noqa: PLC0415 - heavy

    name, is_named, place = text.partition("=")
    if is_named and name.strip():
        made = word_query(place.strip())
        if made.box is not None:
            return join_examples([made], name.strip())
    return word_query(text)


def typed_queries(texts: Sequence[str]) -> list[WordQuery]:
    """Make queries of texts that are searched as they are typed.

    Parameters
    ----------
    texts : sequence of str

    Raises
    ------
    BadArgument
        A text is empty.
    """
    from spotlab.spotting.words.word_index import WordQuery  # noqa: PLC0415 - heavy

    if not all(text.strip() for text in texts):
        raise BadArgument("a text to search is empty")
    return [WordQuery(text=text.strip(), typed=True) for text in texts]


def queries_in(file: Path | None) -> list[WordQuery]:
    """Read the queries in a file: one in each line, or a table of boxes.

    Parameters
    ----------
    file : Path or None

    Raises
    ------
    BadInput
        It cannot be read, or a line is no query.
    """
    if file is None:
        return []
    text = read_text(file, lambda remark: say(f"{file}: {remark}", err=True))
    if content_name(file).suffix.lower() in (".csv", ".tsv"):
        return _in_table(file, text)
    queries = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            queries += [named_query(line.strip())] if line.strip() else []
        except BadArgument as error:
            problem = str(error.__cause__ or error)
            raise BadInput(file, problem, place=f"line {number}") from error
    return queries


def _in_table(file: Path, text: str) -> list[WordQuery]:
    from spotlab.spotting.words.word_index import WordQuery  # noqa: PLC0415 - heavy

    (_, names), *rows = list(rows_of(text)) or [(1, [])]
    names = [name.strip().casefold() for name in names]
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        problem = f"the column {missing[0]!r} is missing"
        raise BadInput(file, problem, expected=f"the columns {', '.join(COLUMNS)}")
    queries = []
    for number, values in rows:
        try:
            row = dict(zip(names, values, strict=True))
            left, top, width, height = (
                float(with_decimal_point(row[name])) for name in COLUMNS[2:]
            )
            box = (left, top, left + width, top + height)
            queries.append(WordQuery(row["page"], box, label=row["query"].strip()))
        except ValueError as error:
            problem = "it is no box with a name, a page and an area"
            raise BadInput(file, problem, place=f"line {number}") from error
    return queries
