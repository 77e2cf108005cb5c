"""Puts a run together from rows of spots, and finds what is wrong with it as a whole."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.errors import BadInput, shortened
from spotlab.formats.rows.csv_rows import BadLine
from spotlab.formats.rows.numbers import Growing, are_scores, check_score, plain_numbers
from spotlab.formats.rows.text_files import content_name
from spotlab.formats.runs.format import (
    EXPECTED,
    BoxColumns,
    Naming,
    ReadRun,
    UnknownColumns,
    find_roles,
)
from spotlab.formats.runs.outline_columns import (
    asked,
    box_points_of,
    class_names,
    open_rings,
    page_names,
    parse_point_list,
    plain_boxes,
    plain_point_lists,
    settle_boxes,
)
from spotlab.geometry.polygon import Outlines, outlines_of
from spotlab.model.region import tidy_label
from spotlab.model.run import NameColumn, Run

Codes = NDArray[np.int32]
MOST_RANGES = 20  # of line numbers that one message names


@dataclass(frozen=True, eq=False)
class Block:
    """Some spots of a file, a place of each column a spot; NaN for a rank or score not given.

    Names are the numbers that `Gathered.tidy` gives them.
    """

    queries: Codes
    pages: Codes
    rank: Floats
    score: Floats
    outlines: Outlines
    labels: Codes
    lines: NDArray[np.int64]


class NumberedNames:
    """Numbers names, so that a million of them cost no more than their numbers; 0 is no name."""

    def __init__(self, *, spaces: bool) -> None:
        self._spaces = spaces
        self._number = {"": 0}  # of names as they are written
        self.names = [""]  # tidied, by number

    def take(self, names: Sequence[str]) -> Codes:
        """The number of each name, tidied: labels as regions have them, others without spaces."""
        number = self._number
        for name in set(names) - number.keys():
            tidy = name.strip() if self._spaces else tidy_label(name)
            if tidy not in number:
                number[tidy] = len(self.names)
                self.names.append(tidy)
            number[name] = number[tidy]
        return np.fromiter(map(number.__getitem__, names), np.int32, len(names))

    def column(self, codes: Codes) -> NameColumn:
        """The names with these numbers."""
        return NameColumn(tuple(self.names), codes)


class Gathered:
    """All spots and bad lines of a run so far."""

    def __init__(self, path: Path, name: str | None = None, naming: Naming | None = None) -> None:
        self.path = path
        self.naming = naming or Naming()
        self.box: BoxColumns | None = None  # where outlines are boxes that have to be settled
        self.from_zero = False  # numbers of classes begin with 0
        self.guessed: set[str] = set()
        self.name = content_name(path).stem if name is None else name
        self.bad_lines: list[BadLine] = []
        self.remarks: list[str] = []
        self.provenance: dict[str, str] = {}
        self._blocks: list[Block] = []
        self._points = Growing()
        self._queries = NumberedNames(spaces=False)
        self._pages = NumberedNames(spaces=True)
        self._labels = NumberedNames(spaces=False)

    def tidy(
        self, queries: Sequence[str], pages: Sequence[str], labels: Sequence[str]
    ) -> tuple[Codes, Codes, Codes]:
        """The numbers of names; the run has each as it is tidied."""
        return self._queries.take(queries), self._pages.take(pages), self._labels.take(labels)

    def add(self, block: Block) -> None:
        """Take spots in."""
        if len(block.queries):
            outlines = open_rings(block.outlines)
            self._points.add(outlines.points)
            # the corners are in one place already, and are not there twice
            offsets_only = Outlines(np.empty((0, 2)), outlines.offsets)
            self._blocks.append(replace(block, outlines=offsets_only))

    def bad(self, line: int, problem: str, place: str = "") -> None:
        """Take a bad line in."""
        self.bad_lines.append(BadLine(line, problem, place))

    def finish(self, unit: str = "line", *, several_files: bool = False) -> ReadRun:
        """The run of all good lines.

        A query whose spots are neither all ranked nor all scored has no order and is left out.

        Parameters
        ----------
        unit : str
            What the file is counted in, for messages.
        several_files : bool
            Bad lines of several files stay in the order in which they were found.
        """
        blocks, self._blocks = self._blocks, []
        rank = _joined([block.rank for block in blocks])
        score = _joined([block.score for block in blocks])
        lines = _joined([block.lines for block in blocks]).astype(np.int64)
        queries, pages, labels = (
            np.concatenate([np.empty(0, np.int32), *codes])
            for codes in (
                [block.queries for block in blocks],
                [block.pages for block in blocks],
                [block.labels for block in blocks],
            )
        )
        corners, offsets = self._points.taken(), _joined_offsets(blocks)
        del blocks
        named = page_names(self._pages.names[1:], self.naming)
        self._pages.names = [named.get(name, name) for name in self._pages.names]
        if self.box is not None:
            corners, told = settle_boxes(
                corners,
                np.diff(offsets),
                self.box,
                self._pages.names,
                pages,
                self.naming,
                self.path,
            )
            self.remarks += told
        outlines = outlines_of(corners, offsets)
        self._name_classes()
        good = self._ordered(queries, rank, score, lines, unit)
        if good is not None:
            queries, pages, labels = queries[good], pages[good], labels[good]
            rank, score, lines = rank[good], score[good], lines[good]
            outlines = outlines.arranged(good)
        run = Run.of_columns(
            self.name, self._queries.column(queries), self._pages.column(pages), outlines,
            rank=rank, score=score, labels=self._labels.column(labels) if labels.any() else None,
            line=lines, source=self.path, provenance=self.provenance,
        )  # fmt: skip
        self._compare_orders(run, bool(len(rank)) and not np.isnan(rank).all())
        bad_lines = self.bad_lines if several_files else sorted(self.bad_lines)
        return ReadRun(run, tuple(bad_lines), tuple(self.remarks), frozenset(self.guessed))

    def _name_classes(self) -> None:
        """Give queries that are numbers of classes their labels."""
        names, remark = class_names(self._queries.names[1:], self.naming, from_zero=self.from_zero)
        if len(set(names.values())) == len(names):
            self._queries.names = [names.get(name, name) for name in self._queries.names]
        if remark:
            self.remarks.append(remark)
            self.guessed.add("labels")

    def _ordered(
        self, queries: Codes, rank: Floats, score: Floats, lines: NDArray[np.int64], unit: str
    ) -> NDArray[np.int64] | None:
        """The spots of queries that have an order; None for all of them."""
        unranked, unscored = np.isnan(rank), np.isnan(score)
        if not unranked.any() or not unscored.any():
            return None
        names = self._queries.names
        mixed = np.zeros(len(names), np.bool_)
        mixed[queries[unranked]] = True
        some_unscored = np.zeros(len(names), np.bool_)
        some_unscored[queries[unscored]] = True
        mixed &= some_unscored
        for index in sorted(np.flatnonzero(mixed).tolist(), key=names.__getitem__):
            own = queries == index
            without_rank, without_score = lines[own & unranked], lines[own & unscored]
            self.bad(
                int(lines[own].min()),
                f"the query {names[index]!r} has no order and is left out: no rank in "
                f"{unit} {ranges(without_rank)}, no score in {unit} {ranges(without_score)}",
                f"{unit} {ranges(lines[own])}",
            )
        return np.flatnonzero(~mixed[queries]) if mixed.any() else None

    def _compare_orders(self, run: Run, ranked: bool) -> None:
        if not ranked:
            return
        rising = (np.diff(run.score) > 0) & (np.diff(run.query) == 0)
        count = len(np.unique(run.query[1:][rising]))
        if count:
            which = "one query" if count == 1 else f"{count} queries"
            self.remarks.append(f"in {which} a better rank has a lower score; the rank is used")


def shared_ranks(run: Run) -> NDArray[np.int64]:
    """(N,) ranks to write: those that are tied share the first one's, so that they stay tied.

    Examples
    --------
    >>> run = Run.ordered("a", ["x"] * 3, ["p"] * 3, Outlines.of([[(0, 0), (1, 0), (1, 1)]] * 3),
    ...                   score=np.array([0.9, 0.5, 0.5]))
    >>> shared_ranks(run).tolist()
    [1, 2, 2]
    """
    if not len(run):
        return np.empty(0, np.int64)
    together = run.tied[1:] & run.tied[:-1] & (run.query[1:] == run.query[:-1])
    loose = np.concatenate([[True], ~together])
    # where several groups of equals stand side by side, the scores tell them apart
    tight = loose | np.concatenate([[True], run.score[1:] < run.score[:-1]])
    alone = run.tied & tight & np.append(tight[1:], True)
    group = np.cumsum(loose) - 1
    doubtful = np.zeros(group[-1] + 1, np.bool_)
    doubtful[group[alone]] = True
    begins = np.flatnonzero(np.where(doubtful[group], loose, tight))
    lengths = np.diff(begins, append=len(run))
    return np.repeat(run.rank[begins], lengths)


def ranges(numbers: Iterable[int]) -> str:
    """Numbers in words, those in a row as one.

    Examples
    --------
    >>> ranges([5, 2, 3, 4, 9])
    '2–5, 9'
    """
    found: list[list[int]] = []
    for number in sorted({int(number) for number in numbers}):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    words = [f"{a}–{b}" if b > a else f"{a}" for a, b in found[:MOST_RANGES]]
    more = sum(b - a + 1 for a, b in found[MOST_RANGES:])
    return ", ".join(words) + (f" and {more} more" if more else "")


def _joined(arrays: Sequence[NDArray[np.float64] | NDArray[np.int64]]) -> Floats:
    return np.concatenate([np.empty(0), *arrays]) if arrays else np.empty(0)


def _joined_offsets(blocks: Sequence[Block]) -> NDArray[np.int64]:
    lengths = [np.diff(block.outlines.offsets) for block in blocks]
    return np.concatenate([np.zeros(1, np.int64), *lengths]).cumsum()


COLUMNS = ("query", "page", "rank", "score", "points", "label")
LARGEST_RANK = 2.0**53  # up to which every whole number has a float of its own
FEW_ROWS = 16  # which are not halved any more to find the bad one


@dataclass(frozen=True)
class Columns:
    """Positions of the known columns in a file.

    Attributes
    ----------
    places : mapping of str to int
        The place of each of our columns that is there.
    count : int
        Of all columns.
    values : mapping of str to str
        What all rows have in place of a column.
    box : BoxColumns or None
        The columns of boxes, in place of points.
    """

    places: Mapping[str, int]
    count: int
    values: Mapping[str, str] = field(default_factory=dict)
    box: BoxColumns | None = None

    def get(self, row: Sequence[str], name: str) -> str:
        """A row's value, empty where there is no such column."""
        place = self.places.get(name)
        return self.values.get(name, "") if place is None else row[place]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The places of columns of numbers."""
        own = [self.places[name] for name in ("rank", "score") if name in self.places]
        several = self.box is not None and len(self.box.places) > 1
        return (*own, *(self.box.places if self.box and several else ()))


def find_columns(names: Sequence[str], gathered: Gathered, place: str) -> Columns:
    """The columns of these names; remarks on those that are passed over.

    Raises
    ------
    BadInput
        One is missing or there twice.
    """
    plain = [name.strip().casefold() for name in names]
    path, naming = gathered.path, gathered.naming
    twice = sorted({name for name in plain if name in COLUMNS and plain.count(name) > 1})
    if twice:
        raise BadInput(path, f"the column {twice[0]} occurs twice", place=place, expected="once")
    roles = find_roles(names, naming.columns)
    values = dict(roles.values)
    own = content_name(path).stem
    if "page" not in (*roles.places, *values) and naming.size_of(own) is not None:
        values["page"] = own  # a file for each page
    known = {*roles.places, *values, *(["points"] if roles.box else [])}
    missing = [name for name in ("query", "page", "points") if name not in known]
    if not known & {"rank", "score"}:
        missing.append("rank or score")
    if missing:
        problem = "there is no column " + ", ".join(missing)
        expected = f"{EXPECTED}, or {asked(names)}"
        raise UnknownColumns(path, problem, place=place, expected=expected, names=names)
    used = {*roles.places.values(), *(roles.box.places if roles.box else ())}
    others = [name for at, name in enumerate(names) if at not in used]
    if others:
        gathered.remarks.append("ignored columns: " + shortened(", ".join(map(repr, others))))
    gathered.box = roles.box
    return Columns(roles.places, len(plain), values, roles.box)


def add_rows(
    rows: Sequence[Sequence[str]],
    lines: NDArray[np.int64],
    columns: Columns,
    gathered: Gathered,
    unit: str = "line",
) -> None:
    """Take rows in one by one, the bad ones as bad lines."""
    good: list[Row | None] = []
    for row, line in zip(rows, lines.tolist(), strict=True):
        try:
            good.append(read_row(row, columns))
        except ValueError as error:
            gathered.bad(line, str(error), f"{unit} {line}")
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
    if columns.box is None:
        points = parse_point_list(columns.get(row, "points"))
    else:
        points = box_points_of([row[place] for place in columns.box.places], columns.box.form)
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
    """Tell which are whole numbers above 0."""
    return np.asarray(
        (numbers > 0) & (numbers <= LARGEST_RANK) & (np.floor(numbers) == numbers), np.bool_
    )


def plain_block(
    values: Sequence[Sequence[str]], lines: NDArray[np.int64], columns: Columns, gathered: Gathered
) -> Block | None:
    """The spots of columns of values; None where one is not right, or written in an unusual way."""
    nothing = ("",) * len(lines)
    column = {name: values[place] for name, place in columns.places.items()}
    column.update({name: (value,) * len(lines) for name, value in columns.values.items()})
    rank = plain_numbers(column.get("rank", nothing), are_ranks)
    score = plain_numbers(column.get("score", nothing), are_scores)
    if rank is None or score is None or (np.isnan(rank) & np.isnan(score)).any():
        return None
    queries, pages, labels = gathered.tidy(
        column["query"], column["page"], column.get("label", nothing)
    )
    if not (queries.all() and pages.all()):
        return None
    if columns.box is None:
        outlines = plain_point_lists(column["points"])
    else:
        outlines = plain_boxes([values[place] for place in columns.box.places], columns.box.form)
    if outlines is None:
        return None
    return Block(queries, pages, rank, score, outlines, labels, lines)
