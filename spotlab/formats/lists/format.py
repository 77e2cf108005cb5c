"""Interface of ranked-list formats, and the result of reading: lists, bad lines, remarks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.formats.rows.csv_rows import BadLine, Names, join_names
from spotlab.model.ranked_list import Items, RankedList, joined_items
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


def listed_items(lists: Sequence[RankedList]) -> NDArray[np.int64]:
    """Every item that is in a list, in the order of the first one, then of the others.

    Examples
    --------
    >>> listed_items([RankedList("a", [2, 0], [0.9, 0.5]), RankedList("b", [3, 2], [0.9, 0.5])])
    array([2, 0, 3])
    """
    items = np.concatenate([np.zeros(0, np.int64), *(ranked.item for ranked in lists)])
    _, first = np.unique(items, return_index=True)
    return items[np.sort(first)]


def in_order_of_lists(query: QueryLists) -> QueryLists:
    """The same query with the items that are in a list first, in the order of `listed_items`.

    Examples
    --------
    >>> lists = (RankedList("a", [2, 0], [0.9, 0.5]),)
    >>> query = QueryLists("q", Items.named("xyz"), lists, np.array([0, -1, 1], np.int8), 1, 2)
    >>> query = in_order_of_lists(query)
    >>> query.items.names, query.lists[0].item.tolist(), query.relevance.tolist(), query.own
    (('z', 'x', 'y'), [0, 1], [1, 0, -1], 0)
    """
    listed = listed_items(query.lists)
    order = np.concatenate([listed, np.setdiff1d(np.arange(len(query.items)), listed)])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    lists = tuple(RankedList(each.name, place[each.item], each.score) for each in query.lists)
    return replace(
        query,
        items=query.items.take(order),
        lists=lists,
        relevance=query.relevance[order],
        own=None if query.own is None else int(place[query.own]),
    )


def join_lists(first: QueryLists, second: QueryLists, name: str) -> QueryLists:
    """Two files' lists of one query side by side.

    Items are the same where their name is, or their page and box. A list that is there already is
    not added again.

    Parameters
    ----------
    first, second : QueryLists
        What the first says of an item counts where both say something.
    name : str
        What the lists of the second one are called besides, where their names are taken: the name
        of their file.

    Examples
    --------
    >>> none = np.full(2, -1, np.int8)
    >>> a = QueryLists("q", Items.named("xy"), (RankedList("WS", [0], [0.9]),), none, None)
    >>> b = QueryLists("q", Items.named("yz"), (RankedList("WS", [0], [0.8]),), none, None)
    >>> both = join_lists(a, b, "theirs")
    >>> [(each.name, each.item.tolist()) for each in both.lists], both.items.names
    ([('WS', [0]), ('theirs: WS', [1])], ('x', 'y', 'z'))
    """
    number = {first.items.name(item): item for item in range(len(first.items))}
    new = [item for item in range(len(second.items)) if second.items.name(item) not in number]
    for place, item in enumerate(new):
        number[second.items.name(item)] = len(first.items) + place
    moved = np.array([number[second.items.name(item)] for item in range(len(second.items))])
    moved = moved.astype(np.int64)
    relevance = np.concatenate([first.relevance, second.relevance[new]])
    unknown = relevance[moved] < 0
    relevance[moved[unknown]] = second.relevance[unknown]
    lists = list(first.lists)
    for ranked in second.lists:
        own = RankedList(ranked.name, moved[ranked.item], ranked.score)
        if not any(_same(own, each, name) for each in lists):
            free = _free_name(ranked.name, name, {each.name for each in lists})
            lists.append(RankedList(free, own.item, own.score))
    relevant = int(np.count_nonzero(relevance == 1)) if (relevance >= 0).any() else None
    own_item = first.own
    if own_item is None and second.own is not None:
        own_item = int(moved[second.own])
    items = joined_items(first.items, second.items.take(new))
    return QueryLists(first.query, items, tuple(lists), relevance, relevant, own_item)


def _same(one: RankedList, other: RankedList, name: str) -> bool:
    """Tell whether a list of a file is one that is there, perhaps under a name with the file's."""
    return (
        other.name in (one.name, f"{name}: {one.name}")
        and np.array_equal(one.item, other.item)
        and np.array_equal(one.score, other.score)
    )


def _free_name(name: str, file: str, taken: set[str]) -> str:
    others = (f"{file}: {name} ({count})" for count in range(2, len(taken) + 3))
    return next(each for each in (name, f"{file}: {name}", *others) if each not in taken)
