"""Ranked lists in CSV: ``query,page,x,y,width,height,score[,relevant][,text][,list][,item][,own]``.

With a line of names first, columns in any order, x, y, width and height in px. ``list`` says to
which list of the query a row belongs (WS, QE, …); without it a file is one list, named like the
file. A row without score is in no list, but its item's relevance counts. Where ``item`` names the
items, the place on a page may be left out. ``own`` is 1 where an item is the query itself. What
spotlab says of its own lists, ``reading``, ``probability`` and ``descriptor``, is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.errors import BadInput
from spotlab.formats.lists.format import ListFormat, ListTable, QueryLists, join_tables
from spotlab.formats.rows.csv_rows import Names, names_of, no_names, quote_field, read_rows
from spotlab.formats.rows.files import write_atomically
from spotlab.formats.rows.numbers import are_scores, format_number, plain_numbers, read_number
from spotlab.formats.rows.taken_rows import TakenRows
from spotlab.formats.rows.text_files import content_name
from spotlab.progress import Progress
from spotlab.representation import utf8

PLACE = ("page", "x", "y", "width", "height")
NUMBERS = ("x", "y", "width", "height", "score")
COLUMNS = ("query", *PLACE, "score", "relevant", "text", "list", "item", "own")
WRITTEN_ONLY = ("reading", "probability", "descriptor")
EXPECTED = "the columns query, page, x, y, width, height, score, or query, item, score"
RELEVANCE = {"1": 1, "true": 1, "yes": 1, "0": 0, "false": 0, "no": 0, "": -1}


def read(path: Path, progress: Progress) -> ListTable:
    """The rows of a CSV file.

    Raises
    ------
    BadInput
        It cannot be read, is empty, or its first line does not name the columns.
    """
    rows = _ListRows(path)
    read_rows(path, rows, EXPECTED, progress)
    return rows.finish()


def _find_columns(names: Sequence[str], path: Path, place: str) -> dict[str, int]:
    """Tell where each of our columns is; BadInput if one is missing or there twice."""
    plain = [name.strip().casefold() for name in names]
    twice = sorted({name for name in plain if name in COLUMNS and plain.count(name) > 1})
    if twice:
        raise BadInput(path, f"the column {twice[0]} occurs twice", place=place, expected="once")
    has_place = [name in plain for name in PLACE]
    needed = ("query", *(() if "item" in plain and not any(has_place) else PLACE), "score")
    missing = [name for name in needed if name not in plain]
    if missing:
        problem = "there is no column " + ", ".join(missing)
        raise BadInput(path, problem, place=place, expected=EXPECTED)
    return {name: plain.index(name) for name in COLUMNS if name in plain}


def _passed_over(names: Sequence[str]) -> list[str]:
    known = (*COLUMNS, *WRITTEN_ONLY)
    others = [name for name in names if name.strip().casefold() not in known]
    return ["ignored columns: " + ", ".join(map(repr, others))] if others else []


def _table(
    path: Path, columns: Mapping[str, Names | Floats], lines: NDArray[np.int64]
) -> ListTable | None:
    """The table of these columns; None where a row is not right."""
    count = len(lines)

    def names(name: str) -> Names:
        column = columns.get(name)
        return column if isinstance(column, Names) else no_names(count)

    def numbers(name: str) -> Floats:
        column = columns.get(name)
        return column if isinstance(column, np.ndarray) else np.full(count, np.nan)

    query, page, item, lists = names("query"), names("page"), names("item"), names("list")
    left, top, width, height, score = map(numbers, NUMBERS)
    with np.errstate(over="ignore"):
        boxes = np.column_stack([left, top, left + width, top + height])
    relevance, own = (_flags(names(name)) for name in ("relevant", "own"))
    placed, paged = np.isfinite(boxes).all(axis=1), _given(page)
    nowhere = ~paged & np.isnan(np.column_stack([left, top, width, height])).all(axis=1)
    right = _given(query) & (relevance > -2) & (own > -2) & (~np.isnan(score) | (relevance >= 0))
    right &= (placed & paged & (boxes[:, :2] < boxes[:, 2:]).all(axis=1)) | (nowhere & _given(item))
    if not right.all():
        return None
    nothing = np.full(count, np.nan)
    named = Names(tuple(name or content_name(path).stem for name in lists.names), lists.code)
    return ListTable(
        path, query, named, item, page, names("text"), boxes, score, nothing, relevance, lines,
        own=own == 1,
    )  # fmt: skip


def _flags(column: Names) -> NDArray[np.int8]:
    """(N,) 1 yes, 0 no, -1 where nothing is said, -2 where something else is."""
    flags = [RELEVANCE.get(text.casefold(), -2) for text in column.names] or [-1]
    return np.array(flags, np.int8)[column.code]


def _given(column: Names) -> NDArray[np.bool_]:
    """(N,) where a column of names is not empty."""
    return np.array([bool(name) for name in column.names], np.bool_)[column.code]


class _ListRows(TakenRows):
    """Takes rows, thousands at once; where one is not right one by one, the bad as bad lines."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._columns: dict[str, int] = {}
        self._width = 0
        self._tables: list[ListTable] = []

    def begin(self, names: Sequence[str], place: str) -> None:
        self._columns = _find_columns(names, self.path, place)
        self._width = len(names)
        self.number_columns = [at for name, at in self._columns.items() if name in NUMBERS]
        self.remarks += _passed_over(names)

    def take(self, columns: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> bool:
        found: dict[str, Names | Floats] = {}
        for name, at in self._columns.items():
            column = (
                plain_numbers(columns[at], are_scores) if name in NUMBERS else names_of(columns[at])
            )
            if column is None:
                return False
            found[name] = column
        table = _table(self.path, found, lines)
        if table is not None:
            self._tables.append(table)
        return table is not None

    def add(self, rows: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> None:
        good = [self._is_right(row, line) for row, line in zip(rows, lines, strict=True)]
        right = [[value.strip() for value in row] for row in compress(rows, good)]
        columns = [[row[at] for row in right] for at in range(self._width)]
        taken = self.take(columns, lines[good])
        assert taken, "rows that were checked one by one are right"

    def _is_right(self, row: Sequence[str], line: int) -> bool:
        try:
            self.check(row)
        except ValueError as error:
            self.bad(int(line), str(error))
            return False
        return True

    def check(self, row: Sequence[str]) -> None:
        if len(row) != self._width:
            raise ValueError(f"{len(row)} fields, not {self._width} as in the first line")
        check_row({name: row[at].strip() for name, at in self._columns.items()})

    def finish(self) -> ListTable:
        nothing = _table(self.path, {}, np.zeros(0, np.int64))
        assert nothing is not None, "no row is bad"
        table = join_tables(self._tables or [nothing])
        table.bad_lines, table.remarks = self.bad_lines, self.remarks
        return table


def check_row(row: Mapping[str, str]) -> None:
    """See that a row is right.

    Raises
    ------
    ValueError
        It is not; the text says what is wrong and what was expected.
    """
    if not row["query"]:
        raise ValueError("query is empty; expected the text or name of the query")
    place = {name: row.get(name, "") for name in PLACE}
    if any(place.values()) or not row.get("item"):
        _check_place(place)
    relevant = row.get("relevant", "")
    for name in ("relevant", "own"):
        if row.get(name, "").casefold() not in RELEVANCE:
            raise ValueError(f"{name} is {row[name][:40]!r}; expected 1, 0 or nothing")
    if row["score"]:
        read_number("score", row["score"])
    elif not relevant:
        raise ValueError("score and relevant are both empty; expected a score")


def _check_place(place: Mapping[str, str]) -> None:
    empty = [name for name, text in place.items() if not text]
    if empty:
        raise ValueError(f"{', '.join(empty)} is empty; expected page, x, y, width, height")
    x, y, width, height = (read_number(name, place[name]) for name in PLACE[1:])
    for name, size, start in (("width", width, x), ("height", height, y)):
        if not start < start + size < np.inf:
            raise ValueError(f"{name} is {place[name][:40]!r}; expected a number of px above 0")


def _sniff(path: Path, head: bytes) -> bool:
    first = head.partition(b"\n")[0].lower()
    return path.suffix.lower() == ".csv" or (b"query" in first and b"score" in first)


FORMAT = ListFormat("csv", "CSV", _sniff, read)


def write_csv(queries: Iterable[QueryLists], path: Path) -> None:
    """Write lists, and the items in no list of which the relevance is known.

    Names and texts come back without spaces around. As the width of a box is written, not its end,
    a box that does not come from such a file may come back another by one rounding.

    Raises
    ------
    NotSaved
        The file could not be written; an old one is untouched.
    """
    queries = list(queries)
    columns = _columns(queries)
    lines = [",".join(columns)]
    for query in queries:
        lines += _rows(query, columns)
    write_atomically(path, utf8("\n".join([*lines, ""])))


def _columns(queries: list[QueryLists]) -> list[str]:
    """The columns that hold something."""
    left_out = set()
    if not any((query.items.page >= 0).any() for query in queries):
        left_out |= set(PLACE)
    if not any(query.items.names for query in queries) and queries:
        left_out.add("item")
    if not any(any(query.items.texts) for query in queries):
        left_out.add("text")
    if not any((query.relevance >= 0).any() for query in queries):
        left_out.add("relevant")
    if all(query.own is None for query in queries):
        left_out.add("own")
    further = dict.fromkeys(name for query in queries for name in query.further)
    return [*(name for name in COLUMNS if name not in left_out), *further]


def _rows(query: QueryLists, columns: Sequence[str]) -> list[str]:
    """The lines of all lists, then of the items in none of which the relevance is known."""
    known = query.relevance >= 0
    listed = np.zeros(len(query.items), np.bool_)
    lines = []
    facts = _facts(query)
    for ranked in query.lists:
        listed[ranked.item] = True
        scores = [format_number(score) for score in ranked.score.tolist()]
        lines += _lines(facts, columns, ranked.item.tolist(), scores, quote_field(ranked.name))
    others = np.flatnonzero(~listed & known).tolist()
    return lines + _lines(facts, columns, others, [""] * len(others), "")


def _lines(
    facts: Mapping[str, Sequence[str]],
    columns: Sequence[str],
    items: Sequence[int],
    scores: Sequence[str],
    name: str,
) -> list[str]:
    cells: list[Iterable[str]] = []
    nothing = [""] * len(facts["query"])  # a further column that another query has
    for column in columns:
        if column == "score":
            cells.append(scores)
        elif column == "list":
            cells.append([name] * len(items))
        else:
            cells.append(map(facts.get(column, nothing).__getitem__, items))
    return [",".join(row) for row in zip(*cells, strict=True)]


def _facts(query: QueryLists) -> dict[str, Sequence[str]]:
    """Return what stands in each column for each item."""
    items, nothing = query.items, [""] * len(query.items)
    pages = [*map(quote_field, items.pages), ""]  # -1, no place, is the last
    left, top, right, bottom = items.boxes.T
    sides = (left, top, right - left, bottom - top)
    return {
        "query": [quote_field(query.query)] * len(items),
        "page": [pages[page] for page in items.page.tolist()],
        **{
            name: [format_number(number) for number in side.tolist()]
            for name, side in zip(PLACE[1:], sides, strict=True)
        },
        "relevant": [str(value) if value >= 0 else "" for value in query.relevance.tolist()],
        "text": [quote_field(text or "") for text in items.texts] or nothing,
        "item": [quote_field(name) for name in items.names] or nothing,
        "own": ["1" if item == query.own else "" for item in range(len(items))],
        **{
            name: [*map(quote_field, texts), *nothing[len(texts) :]]
            for name, texts in query.further.items()
        },
    }
