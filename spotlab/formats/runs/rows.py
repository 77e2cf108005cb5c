"""Turns rows of texts into spots: thousands at once, and one by one where some are not right."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.errors import BadInput, shortened
from spotlab.formats.rows.numbers import are_scores, check_score, plain_numbers
from spotlab.formats.runs.format import EXPECTED
from spotlab.formats.runs.gather import Block, Gathered
from spotlab.formats.runs.point_lists import parse_point_list, plain_point_lists
from spotlab.geometry.outlines import Outlines

COLUMNS = ("query", "page", "rank", "score", "points", "label")
LARGEST_RANK = 2.0**53  # up to which every whole number has a float of its own
FEW_ROWS = 16  # which are not halved any more to find the bad one


@dataclass(frozen=True)
class Columns:
    """Where a file has what.

    Attributes
    ----------
    places : mapping of str to int
        The place of each of our columns that is there.
    count : int
        Of all columns.
    """

    places: Mapping[str, int]
    count: int

    def get(self, row: Sequence[str], name: str) -> str:
        """A row's value, empty where there is no such column."""
        place = self.places.get(name)
        return "" if place is None else row[place]


def find_columns(names: Sequence[str], gathered: Gathered, place: str) -> Columns:
    """The columns of these names; remarks on those that are passed over.

    Raises
    ------
    BadInput
        One is missing or there twice.
    """
    plain = [name.strip().casefold() for name in names]
    path = gathered.path
    twice = sorted({name for name in plain if name in COLUMNS and plain.count(name) > 1})
    if twice:
        raise BadInput(path, f"the column {twice[0]} occurs twice", place=place, expected="once")
    missing = [name for name in ("query", "page", "points") if name not in plain]
    if "rank" not in plain and "score" not in plain:
        missing.append("rank or score")
    if missing:
        problem = "there is no column " + ", ".join(missing)
        raise BadInput(path, problem, place=place, expected=EXPECTED)
    others = [name for name, known in zip(names, plain, strict=True) if known not in COLUMNS]
    if others:
        gathered.remarks.append("ignored columns: " + shortened(", ".join(map(repr, others))))
    return Columns({name: plain.index(name) for name in COLUMNS if name in plain}, len(plain))


def add_rows(
    rows: Sequence[Sequence[str]],
    lines: NDArray[np.int64],
    columns: Columns,
    gathered: Gathered,
) -> None:
    """Take rows in one by one, the bad ones as bad lines."""
    good: list[Row | None] = []
    for row, line in zip(rows, lines.tolist(), strict=True):
        try:
            good.append(read_row(row, columns))
        except ValueError as error:
            gathered.bad(line, str(error))
            good.append(None)
    gathered.add(block_of(good, lines, gathered))


@dataclass(frozen=True)
class Row:
    """One row that is right."""

    query: str
    page: str
    rank: float
    score: float
    points: list[tuple[float, float]]
    label: str


def read_row(row: Sequence[str], columns: Columns) -> Row:
    """The spot of one row.

    Raises
    ------
    ValueError
        It is none; the text is for a person.
    """
    if len(row) != columns.count:
        hint = "; points need quotes around them" if len(row) > columns.count else ""
        raise ValueError(f"{len(row)} fields, not {columns.count} as in the first line{hint}")
    query, page = columns.get(row, "query"), columns.get(row, "page")
    rank, score = read_rank(columns.get(row, "rank")), read_score(columns.get(row, "score"))
    check_spot(query, page, rank, score)
    points = parse_point_list(columns.get(row, "points"))
    return Row(query, page, rank, score, points, columns.get(row, "label"))


def check_spot(query: str, page: str, rank: float, score: float) -> None:
    """See that a spot has what it needs besides its outline; NaN stands for nothing.

    Raises
    ------
    ValueError
        It has not; the text is for a person.
    """
    if not query.strip():
        raise ValueError("query is empty")
    if not page.strip():
        raise ValueError("page is empty")
    if math.isnan(rank) and math.isnan(score):
        raise ValueError("there is neither rank nor score")


def read_rank(text: str) -> float:
    """A rank, NaN where there is none; 3.0 is taken for 3.

    Raises
    ------
    ValueError
        It is not a whole number above 0.
    """
    number = _number(text)
    if number is None or not (number.is_integer() and 0 < number <= LARGEST_RANK):
        if not text.strip():
            return math.nan
        raise ValueError(f"rank is {text[:40]!r}, not a whole number above 0")
    return number


def read_score(text: str) -> float:
    """A score, NaN where there is none.

    Raises
    ------
    ValueError
        It is not a finite number, or too large.
    """
    number = _number(text)
    if number is None and not text.strip():
        return math.nan
    return check_score(math.nan if number is None else number, "score", f"{text[:40]!r}")


def _number(text: str) -> float | None:
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def block_of(rows: Sequence[Row | None], lines: NDArray[np.int64], gathered: Gathered) -> Block:
    """The spots of these rows and lines; a row that is None is left out."""
    good = [row for row in rows if row is not None]
    queries, pages, labels = gathered.tidy(
        [row.query for row in good], [row.page for row in good], [row.label for row in good]
    )
    return Block(
        queries,
        pages,
        np.array([row.rank for row in good], np.float64),
        np.array([row.score for row in good], np.float64),
        Outlines.of([row.points for row in good]),
        labels,
        lines[[row is not None for row in rows]],
    )


def are_ranks(numbers: Floats) -> NDArray[np.bool_]:
    """Which are whole numbers above 0."""
    return np.asarray(
        (numbers > 0) & (numbers <= LARGEST_RANK) & (np.floor(numbers) == numbers), np.bool_
    )


def plain_block(
    values: Sequence[Sequence[str]],
    lines: NDArray[np.int64],
    columns: Columns,
    gathered: Gathered,
) -> Block | None:
    """The spots of columns of values; None where one is not right, or written in an unusual way."""
    nothing = ("",) * len(lines)
    column = {name: values[place] for name, place in columns.places.items()}
    rank = plain_numbers(column.get("rank", nothing), are_ranks)
    score = plain_numbers(column.get("score", nothing), are_scores)
    if rank is None or score is None or (np.isnan(rank) & np.isnan(score)).any():
        return None
    queries, pages, labels = gathered.tidy(
        column["query"], column["page"], column.get("label", nothing)
    )
    if not (queries.all() and pages.all()):
        return None
    outlines = plain_point_lists(column["points"])
    if outlines is None:
        return None
    return Block(queries, pages, rank, score, outlines, labels, lines)
