"""Reads ranked lists of whatever format, and puts the rows of files together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Ints
from spotlab.errors import BadInput
from spotlab.formats.lists.format import ListFormat, ListTable, QueryLists, ReadLists
from spotlab.formats.rows.csv_rows import BadLine, Names, bad_line, join_names
from spotlab.formats.rows.files import BYTE_ORDER_MARK
from spotlab.formats.rows.text_files import content_name, read_head
from spotlab.model.ranked_list import Items, RankedList
from spotlab.progress import Progress, silent
from spotlab.registry import discover, guarded


def number_values(values: NDArray[np.generic]) -> tuple[Ints, Ints]:
    """Number values in the order in which they come first.

    Returns
    -------
    (N,) int
        The number of each.
    (M,) int
        Where each of the M different ones comes first.

    Examples
    --------
    >>> number_values(np.array([7, 3, 7, 9]))
    (array([0, 1, 0, 2]), array([0, 1, 3]))
    """
    _, first, code = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return place[code], first[order]


def number_rows(*columns: NDArray[np.generic]) -> tuple[Ints, Ints]:
    """Number the different rows of several columns, as `number_values` does for one."""
    code, first = number_values(columns[0])
    for column in columns[1:]:
        other, kinds = number_values(column)
        code, first = number_values(code * max(len(kinds), 1) + other)
    return code, first


def assemble(tables: Sequence[ListTable]) -> ReadLists:
    """The lists of all files together: the same query in several files has several lists.

    An item is the same where its name is, or where it has none, its page and box. A row that
    has an item a second time in its list, or says otherwise whether it is relevant, is bad.
    """
    joined = _Joined(tables)
    queries = tuple(joined.queries())
    lines = [line for table in tables for line in table.bad_lines]
    remarks = [remark for table in tables for remark in table.remarks]
    order = {str(table.path): place for place, table in enumerate(tables)}
    bad = sorted(
        [*lines, *joined.bad_lines],
        key=lambda line: (order.get(line.place.rpartition(", line ")[0], 0), line.line),
    )
    return ReadLists(queries, tuple(bad), (*remarks, *joined.remarks))


class _Joined:
    """The rows of all files, with names and items numbered over all of them."""

    def __init__(self, tables: Sequence[ListTable]) -> None:
        self.tables = tables
        self.bad_lines: list[BadLine] = []
        self.remarks: list[str] = []
        self.file = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
        self.line = np.concatenate([table.line for table in tables])
        self.query = join_names([table.query for table in tables])
        self.lists = _join_lists(tables)
        self.name = join_names([table.item for table in tables])
        self.page = join_names([table.page for table in tables])
        self.text = join_names([table.text for table in tables])
        self.boxes = np.concatenate([table.boxes for table in tables])
        self.score = np.concatenate([table.score for table in tables])
        self.rank = np.concatenate([table.rank for table in tables])
        self.relevant = np.concatenate([table.relevant for table in tables])
        self.own = np.concatenate([table.own for table in tables])
        self.item = self._number_items()
        self._drop(self._find_repeated())
        self._drop(self._find_contradicting())

    def _number_items(self) -> Ints:
        named = np.array([bool(name) for name in self.name.names])[self.name.code]
        if named.all():
            return number_values(self.name.code)[0]
        columns = [np.where(named, np.nan, side) + 0.0 for side in self.boxes.T]  # -0 is 0
        page = np.where(named, -1, self.page.code)
        return number_rows(self.name.code, page, *columns)[0]

    def _find_repeated(self) -> NDArray[np.bool_]:
        """Rows with an item that its list has already."""
        listed = ~np.isnan(self.score)
        rows = np.flatnonzero(listed)
        code, first = number_rows(self.query.code[rows], self.lists.code[rows], self.item[rows])
        bad = np.zeros(len(listed), np.bool_)
        for at in np.flatnonzero(first[code] != np.arange(len(rows))):
            row, before = rows[at], rows[first[code[at]]]
            bad[row] = True
            self._bad(row, f"the item is in this list already, in {self._place(before, row)}")
        return bad

    def _find_contradicting(self) -> NDArray[np.bool_]:
        """Rows that say otherwise than one before whether an item is relevant."""
        rows = np.flatnonzero(self.relevant >= 0)
        code, first = number_rows(self.query.code[rows], self.item[rows])
        bad = np.zeros(len(self.relevant), np.bool_)
        before = rows[first[code]]
        wrong = self.relevant[rows] != self.relevant[before]
        for row, earlier in zip(rows[wrong], before[wrong], strict=True):
            bad[row] = True
            value, place = self.relevant[earlier], self._place(earlier, row)
            self._bad(row, f"relevant is {self.relevant[row]}, but {value} in {place}")
        return bad

    def _place(self, row: int, seen_from: int) -> str:
        if self.file[row] == self.file[seen_from]:
            return f"line {self.line[row]}"
        return f"{self.tables[self.file[row]].path}, line {self.line[row]}"

    def _bad(self, row: int, problem: str) -> None:
        path = self.tables[self.file[row]].path
        self.bad_lines.append(bad_line(path, int(self.line[row]), problem))

    def _drop(self, bad: NDArray[np.bool_]) -> None:
        if not bad.any():
            return
        for name in ("file", "line", "boxes", "score", "rank", "relevant", "own", "item"):
            setattr(self, name, getattr(self, name)[~bad])
        for name in ("query", "lists", "name", "page", "text"):
            column: Names = getattr(self, name)
            setattr(self, name, Names(column.names, column.code[~bad]))

    def queries(self) -> list[QueryLists]:
        """The lists of each query, in the order in which the files name them."""
        code, first = number_values(self.query.code)
        order = np.argsort(code, kind="stable")
        groups = np.split(order, np.searchsorted(code[order], np.arange(1, len(first))))
        return [self._query(rows) for rows in groups if len(rows)]

    def _query(self, rows: Ints) -> QueryLists:
        item, first = number_values(self.item[rows])
        relevance = np.full(len(first), -1, np.int8)
        known = self.relevant[rows] >= 0
        relevance[item[known]] = self.relevant[rows][known]
        lists = self._lists(rows, item)
        relevant = int(np.count_nonzero(relevance == 1)) if known.any() else None
        name = self.query.names[self.query.code[rows[0]]]
        own = item[self.own[rows]]
        return QueryLists(
            name, self._items(rows, item, first), lists, relevance, relevant,
            int(own[0]) if len(own) else None,
        )  # fmt: skip

    def _items(self, rows: Ints, item: Ints, first: Ints) -> Items:
        own = rows[first]
        names = tuple(self.name.names[code] for code in self.name.code[own].tolist())
        page = np.where(np.isnan(self.boxes[own, 0]), -1, self.page.code[own])
        texts: list[str | None] = [None] * len(first)
        blank = np.array([not text for text in self.text.names])
        written = np.flatnonzero(~blank[self.text.code[rows]])[::-1]  # the first one stays
        for place, code in zip(item[written], self.text.code[rows[written]], strict=True):
            texts[place] = self.text.names[code]
        return Items(
            self.page.names, page, self.boxes[own], tuple(texts) if len(written) else (),
            names if any(names) else (),
        )  # fmt: skip

    def _lists(self, rows: Ints, item: Ints) -> tuple[RankedList, ...]:
        listed = ~np.isnan(self.score[rows])
        rows, item = rows[listed], item[listed]
        code, first = number_values(self.lists.code[rows])
        rank = np.nan_to_num(self.rank[rows], nan=np.inf)
        order = np.lexsort((rank, -self.score[rows], code))  # stable: then as in the file
        groups = np.split(order, np.searchsorted(code[order], np.arange(1, len(first))))
        return tuple(
            RankedList(
                self.lists.names[self.lists.code[rows[group[0]]]],
                item[group],
                self.score[rows[group]],
            )
            for group in groups
            if len(group)
        )


def _join_lists(tables: Sequence[ListTable]) -> Names:
    """The lists of all files; one of the same query and name as an earlier one gets a new name."""
    taken: set[tuple[str, str]] = set()
    columns = []
    for table in tables:
        names = [name or content_name(table.path).stem for name in table.lists.names]
        _, first = number_rows(table.query.code, table.lists.code)
        queries: list[set[str]] = [set() for _ in names]
        for row in first:
            queries[table.lists.code[row]].add(table.query.names[table.query.code[row]])
        free = [
            _free_name(name, content_name(table.path).stem, own, taken)
            for name, own in zip(names, queries, strict=True)
        ]
        taken |= {(query, name) for name, own in zip(free, queries, strict=True) for query in own}
        columns.append(Names(tuple(free), table.lists.code))
    return join_names(columns)


def _free_name(name: str, stem: str, queries: set[str], taken: set[tuple[str, str]]) -> str:
    """The name, or one like it that no list of these queries has."""
    others = (f"{stem}: {name} ({count})" for count in range(2, len(taken) + 3))
    return next(
        each
        for each in (name, f"{stem}: {name}", *others)
        if not any((query, each) in taken for query in queries)
    )


PACKAGE = "spotlab.formats.lists"
QREL_WORDS = 4


def known_list_formats() -> dict[str, ListFormat]:
    """All formats of ranked lists by name, other people's included."""
    return discover(PACKAGE, ListFormat)


def list_format_of(path: Path) -> ListFormat:
    """The format of a file, by its content and its name.

    Raises
    ------
    BadInput
        It cannot be read, or is of no known format.
    """
    head = _head(path)
    if not head.strip():
        raise BadInput(path, "the file is empty", expected="ranked lists")
    formats = known_list_formats().values()
    for each in formats:
        if guarded(each, partial(each.sniff, content_name(path), head)):
            return each
    if _are_qrels(head):
        problem = "this looks like relevance judgements (qrels), not like ranked lists"
        raise BadInput(path, problem, expected="query Q0 item rank score tag")
    titles = ", ".join(each.title for each in formats)
    raise BadInput(path, "these are no ranked lists", expected=f"one of {titles}")


def is_qrels(path: Path) -> bool:
    """Tell whether a file has relevance judgements (qrels), not lists.

    False where it cannot be read.
    """
    try:
        head = _head(path)
    except BadInput:
        return False
    formats = known_list_formats().values()
    return _are_qrels(head) and not any(
        guarded(each, partial(each.sniff, content_name(path), head)) for each in formats
    )


def _head(path: Path) -> bytes:
    return read_head(path).removeprefix(BYTE_ORDER_MARK)


def _are_qrels(head: bytes) -> bool:
    return len(head.lstrip().partition(b"\n")[0].split()) == QREL_WORDS


def read_lists(paths: Path | str | Sequence[Path | str], progress: Progress = silent) -> ReadLists:
    """The ranked lists of one file, or of several as if they were one.

    Parameters
    ----------
    paths : Path or sequence of Path
        Those of the same query become several lists of it.

    Returns
    -------
    ReadLists
        The lists of all good lines, by query; every line that is not right; remarks.

    Raises
    ------
    BadInput
        Of a file nothing can be read.
    """
    several = [paths] if isinstance(paths, Path | str) else paths
    files = [Path(path) for path in several]
    return assemble([list_format_of(path).read(path, progress) for path in files])
