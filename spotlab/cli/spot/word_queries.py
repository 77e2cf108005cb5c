"""The queries of `spotlab spot words`: texts, boxes, and several examples of one name."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from spotlab.errors import BadArgument, BadInput, reason

if TYPE_CHECKING:
    from spotlab.spotting.words.query import WordQuery

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
    from spotlab.spotting.words.query import WordQuery, join_examples  # noqa: PLC0415 - heavy

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
    from spotlab.api.word_queries import word_query  # noqa: PLC0415 - takes a while
    from spotlab.spotting.words.query import join_examples  # noqa: PLC0415 - heavy

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
    from spotlab.spotting.words.query import WordQuery  # noqa: PLC0415 - heavy

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
    try:
        text = file.read_text("utf-8-sig")
    except OSError as error:
        raise BadInput(file, f"cannot be read: {reason(error)}") from error
    except UnicodeDecodeError as error:
        raise BadInput(file, "the file is not UTF-8") from error
    if file.suffix.lower() == ".csv":
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
    from spotlab.spotting.words.query import WordQuery  # noqa: PLC0415 - heavy

    reader = csv.DictReader(text.splitlines())
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        problem = f"the column {missing[0]!r} is missing"
        raise BadInput(file, problem, expected=f"the columns {', '.join(COLUMNS)}")
    queries = []
    for number, row in enumerate(reader, 2):
        try:
            left, top, width, height = (float(row[name]) for name in COLUMNS[2:])
            box = (left, top, left + width, top + height)
            queries.append(WordQuery(row["page"], box, label=row["query"].strip()))
        except (TypeError, ValueError) as error:
            problem = "it is no box with a name, a page and an area"
            raise BadInput(file, problem, place=f"line {number}") from error
    return queries
