"""What finished lists say of their items, as fusions take it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.lists.format import QueryLists
from spotlab.model.ranked_list import Items, RankedList
from spotlab.ranking.fusion import Evidence
from spotlab.ranking.item_scores import ItemScores


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


def evidence_of(
    aligned: NDArray[np.float64],
    between: ItemScores | None,
    ranked: Sequence[RankedList] = (),
) -> Evidence:
    """What aligned lists say of N items.

    An item's score against the query is that of the first list that has it; the first list counts
    as what the first search has found.

    Parameters
    ----------
    aligned : (L, N) float
        As `stack_lists` gives them.
    between : ItemScores or None
    ranked : sequence of RankedList
        The same lists, of items from 0 to N − 1.

    Examples
    --------
    >>> evidence_of(np.array([[0.9, np.nan], [0.8, 0.7]]), None).query
    array([0.9, 0.7])
    """
    if not len(aligned):
        nothing = np.full(aligned.shape[1], np.nan)
        return Evidence(nothing, between, aligned, np.zeros(len(nothing), np.bool_))
    first = np.argmax(~np.isnan(aligned), axis=0)
    query = aligned[first, np.arange(aligned.shape[1])]
    return Evidence(query, between, aligned, ~np.isnan(aligned[0]), ranked=tuple(ranked))


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
    """Whether a list of a file is one that is there, perhaps under a name with the file's."""
    return (
        other.name in (one.name, f"{name}: {one.name}")
        and np.array_equal(one.item, other.item)
        and np.array_equal(one.score, other.score)
    )


def _free_name(name: str, file: str, taken: set[str]) -> str:
    others = (f"{file}: {name} ({count})" for count in range(2, len(taken) + 3))
    return next(each for each in (name, f"{file}: {name}", *others) if each not in taken)


def joined_items(items: Items, more: Items) -> Items:
    """Items, and more behind them.

    Examples
    --------
    >>> one = Items(("a",), [0], [[0, 0, 9, 9]])
    >>> both = joined_items(one, Items(("b", "a"), [1], [[5, 0, 9, 9]], ("own",)))
    >>> [both.page_name(item) for item in (0, 1)], both.texts
    (['a', 'a'], (None, 'own'))
    """
    if not len(more):
        return items
    pages = tuple(dict.fromkeys([*items.pages, *more.pages]))
    number = {name: place for place, name in enumerate(pages)}
    moved = [number[more.pages[page]] if page >= 0 else -1 for page in more.page.tolist()]
    nothing: tuple[None, ...] = (None,)
    texts = (items.texts or nothing * len(items)) + (more.texts or nothing * len(more))
    names = (items.names or ("",) * len(items)) + (more.names or ("",) * len(more))
    return Items(
        pages,
        np.concatenate([items.page, np.array(moved, np.int64)]),
        np.concatenate([items.boxes, more.boxes]),
        texts if items.texts or more.texts else (),
        names if items.names or more.names else (),
    )
