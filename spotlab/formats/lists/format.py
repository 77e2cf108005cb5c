"""Interface of ranked-list formats, and the result of reading: lists, bad lines, remarks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.formats.rows.csv_rows import BadLine, Names, join_names
from spotlab.model.ranked_list import Items, RankedList
from spotlab.progress import Progress
from spotlab.representation import short_repr


@dataclass(frozen=True, eq=False)
class QueryLists:
    """The ranked lists of one query.

    Attributes
    ----------
    query : str
    items : Items
        All K that its lists hold, and those of which only the relevance is known.
    lists : tuple of RankedList
        Positions in ``items``; WS, QE, … or one a system.
    relevance : (K,) int8
        1 relevant, 0 not, -1 unknown.
    relevant : int or None
        The relevant items of the collection, in a list or not; None where nothing says it.
    own : int or None
        The item that is the query itself; None where it is not among them, or nothing says it.
    further : mapping of str to (sequence of str)
        Further columns by name, with a text for each of the first items; they are written, and not
        read again.
    """

    query: str
    items: Items
    lists: tuple[RankedList, ...]
    relevance: NDArray[np.int8]
    relevant: int | None
    own: int | None = None
    further: Mapping[str, Sequence[str]] = field(default_factory=dict)

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class ReadLists:
    """Ranked lists as they were read.

    Attributes
    ----------
    queries : tuple of QueryLists
        In order of the files.
    bad_lines : tuple of BadLine
        All lines that are not read, each with its file and number.
    remarks : tuple of str
        What a person should know besides.
    """

    queries: tuple[QueryLists, ...]
    bad_lines: tuple[BadLine, ...] = ()
    remarks: tuple[str, ...] = ()

    __repr__ = short_repr

    def query(self, name: str) -> QueryLists:
        """The lists of this query; KeyError if there are none."""
        for each in self.queries:
            if each.query == name:
                return each
        raise KeyError(name)


@dataclass(eq=False)
class ListTable:
    """The rows of a file of ranked lists, in columns.

    Attributes
    ----------
    path : Path
    query, lists, item, page, text : Names
        The empty name where there is nothing.
    boxes : (N, 4) float
        left, top, right, bottom in px; NaN for an item that has no place.
    score : (N,) float
        NaN for an item that is in no list, only its relevance is known.
    rank : (N,) float
        NaN where it is not given; only says how equal scores are ordered.
    relevant : (N,) int8
        1, 0, -1 unknown.
    line : (N,) int
    bad_lines, remarks : list
    own : (N,) bool
        Whether the item is the query itself; (0,) where nothing says it.
    """

    path: Path
    query: Names
    lists: Names
    item: Names
    page: Names
    text: Names
    boxes: Floats
    score: Floats
    rank: Floats
    relevant: NDArray[np.int8]
    line: Ints
    bad_lines: list[BadLine] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    own: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))

    def __post_init__(self) -> None:
        if not len(self.own):
            self.own = np.zeros(len(self.score), np.bool_)

    def __len__(self) -> int:
        return len(self.score)


@dataclass(frozen=True)
class ListFormat:
    """One format of ranked lists, found through the registry.

    Attributes
    ----------
    name, title : str
        What commands and what people call it.
    sniff : callable
        Whether a file of this name with these first bytes is of this format.
    read : callable
        Raises `BadInput` where nothing can be read.
    """

    name: str
    title: str
    sniff: Callable[[Path, bytes], bool]
    read: Callable[[Path, Progress], ListTable]


def join_tables(tables: Sequence[ListTable]) -> ListTable:
    """The rows of several parts of one file."""
    joined: dict[str, Any] = {
        field.name: join_names([getattr(table, field.name) for table in tables])
        if isinstance(getattr(tables[0], field.name), Names)
        else np.concatenate([getattr(table, field.name) for table in tables])
        for field in fields(ListTable)
        if field.name not in ("path", "bad_lines", "remarks")
    }
    return ListTable(path=tables[0].path, **joined)
