"""Ranked lists as they are written: all of them, those that were made, and what purging leaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.lists.format import QueryLists
from spotlab.model.ranked_list import RankedList
from spotlab.studies.words.ranked_lists import JudgedQuery, Reranking


def whole_lists(result: Reranking) -> list[QueryLists]:
    """All lists, given and made, with their scores on the common scale."""
    return [
        replace(query.query, lists=tuple(judged.common for judged in query.lists))
        for query in result.queries
    ]


def made_lists(result: Reranking) -> list[QueryLists]:
    """The lists that were made, with their scores on the common scale."""
    return [
        replace(query.query, lists=tuple(judged.common for judged in query.lists if judged.made))
        for query in result.queries
    ]


def purged_lists(result: Reranking) -> list[QueryLists]:
    """What purging leaves of each list.

    Items are only those that stay in a list, so that what purging lost is missing.
    """
    return [_purged(query) for query in result.queries]


def _purged(judged: JudgedQuery) -> QueryLists:
    cut = [(one.common, one.point.kept) for one in judged.lists]
    kept = [RankedList(r.name, r.item[:count], r.score[:count]) for r, count in cut if count]
    items = np.unique(np.concatenate([np.zeros(0, np.int64), *(ranked.item for ranked in kept)]))
    lists = [RankedList(r.name, np.searchsorted(items, r.item), r.score) for r in kept]
    query = judged.query
    return replace(
        query,
        items=query.items.take(items),
        lists=tuple(lists),
        relevance=query.relevance[items],
        own=None if query.own is None else _place_in(items, query.own),
    )


def _place_in(items: NDArray[np.int64], item: int) -> int | None:
    found = np.flatnonzero(items == item)
    return int(found[0]) if len(found) else None
