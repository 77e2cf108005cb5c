"""What ranked lists have to find: the truth of pages, or relevance judgements, applied to them.

All that is relevant counts, found or not, so that recall is the share of what there is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.lists.format import QueryLists, ReadLists
from spotlab.geometry.boxes import pair_boxes
from spotlab.model.queries import page_among, place_of
from spotlab.model.ranked_list import Items
from spotlab.ranking.own_instance import ItemTruth
from spotlab.spotting.words.texts import instances
from spotlab.studies.words.list_evidence import joined_items
from spotlab.studies.words.word_truth import match_texts, relevance

OWN = 0.3  # intersection over union of a query's box and an item, or word, that is the query
_NUMBERED = re.compile(r"(.*\S) \d+")


def truth_of(query: QueryLists) -> ItemTruth:
    """What is known of the items of a query's lists."""
    return ItemTruth(query.relevance, query.relevant, query.own)


def on_pages(items: Items, pages: Sequence[str]) -> Items:
    """Items whose pages have the names that they have among these pages, without folder and ending.

    Examples
    --------
    >>> on_pages(Items(("scans/270.png",), [0], [[0, 0, 9, 9]]), ["270"]).pages
    ('270',)
    """
    named = tuple(page_among(page, pages) for page in items.pages)
    return items if len(set(named)) < len(named) else replace(items, pages=named)


def searched_text(query: QueryLists, words: Items) -> str:
    """What is written on the word that a query searches; empty where that is not known.

    The query is called by its text, by its text and a number ("orders 3"), or by its place
    ("270:10,20,100,40"); or one of its items is the query itself.

    Examples
    --------
    >>> words = Items(("270",), [0], [[10, 20, 110, 60]], ("Orders,",))
    >>> none = np.zeros(0, np.int8)
    >>> names = ("orders", "orders 3", "270:12,20,98,40", "letter")
    >>> [searched_text(QueryLists(name, Items.named([]), (), none, None), words) for name in names]
    ['orders', 'orders', 'Orders,', '']
    """
    place = place_of(query.query)
    if place is not None:
        return _text_at(words, *place)
    numbered = _NUMBERED.fullmatch(query.query)
    for text in (query.query, *([numbered[1]] if numbered else [])):
        if len(instances(words, text)):
            return text
    own = query.own
    if own is None or query.items.page[own] < 0:
        return ""
    return _text_at(words, query.items.page_name(own), query.items.boxes[own].tolist())


def _text_at(words: Items, page: str, box: Sequence[float]) -> str:
    one = Items((page_among(page, words.pages),), np.zeros(1, np.int64), np.array([box]))
    return match_texts(one, words, OWN)[0] or ""


def judge_by_words(query: QueryLists, words: Items) -> QueryLists:
    """The lists of a query with the truth of pages; as they are where it does not know the word.

    Words of that text that are in no list become items, too: relevant, and not found. On pages
    without truth what the lists themselves say of their items stays.

    Parameters
    ----------
    query : QueryLists
    words : Items
        What is written where.
    """
    items = on_pages(query.items, words.pages)
    query = replace(query, items=items)
    text = searched_text(query, words)
    if not text:
        return query
    query = find_own(query)
    judged = relevance_with_own(items, text, words, query.own)
    judged = np.where(judged >= 0, judged, query.relevance).astype(np.int8)
    texts = tuple(
        own or known
        for own, known in zip(items.texts or [None] * len(items), match_texts(items, words),
                              strict=True)
    )  # fmt: skip
    known = replace(query, items=replace(items, texts=texts), relevance=judged)
    return find_own(with_missed(known, text, words))


def with_missed(query: QueryLists, text: str, words: Items) -> QueryLists:
    """The lists of a query, and as further items the words of a text that no item is.

    Parameters
    ----------
    query : QueryLists
        Judged by ``words``.
    text : str
        The word searched.
    words : Items
        What is written where.
    """
    missed = missed_words(query.items, query.relevance, text, words)
    items = joined_items(query.items, words.take(missed))
    judged = np.concatenate([query.relevance, np.ones(len(missed), np.int8)])
    relevant = int(np.count_nonzero(judged == 1))
    return replace(query, items=items, relevance=judged, relevant=relevant)


def missed_words(
    items: Items, judged: NDArray[np.int8], text: str, words: Items
) -> NDArray[np.int64]:
    """The words of a text on which no item lies that is judged relevant."""
    wanted = instances(words, text)
    if not len(wanted):
        return wanted
    covered = relevance(words.take(wanted), text, items_as_words(items, judged, text), OWN)
    missed: NDArray[np.int64] = wanted[covered != 1]
    return missed


def relevance_with_own(items: Items, text: str, words: Items, own: int | None) -> NDArray[np.int8]:
    """Which items are the word searched, as `relevance` says it; the query itself is one of them.

    Its box may be drawn so loosely that it lies on its word by less than other items have to.

    Parameters
    ----------
    items : Items
        N items.
    text : str
        The word searched.
    words : Items
        What is written where.
    own : int or None
        The item that is the query itself.

    Returns
    -------
    (N,) int8
        1 if it is the word, 0 if not, -1 where unknown.

    Examples
    --------
    >>> words = Items(("a",), [0], [[10, 10, 50, 30]], ("my",))
    >>> loose = Items(("a",), [0], [[0, 0, 60, 35]])
    >>> relevance_with_own(loose, "my", words, None), relevance_with_own(loose, "my", words, 0)
    (array([0], dtype=int8), array([1], dtype=int8))
    """
    judged = relevance(items, text, words)
    if own is None or judged[own] != 0:
        return judged
    wanted = words.take(missed_words(items, judged, text, words))
    judged[own] = 1 if relevance(items.take([own]), text, wanted, OWN)[0] == 1 else 0
    return judged


def on_searched_pages(words: Items, pages: Sequence[str]) -> Items:
    """The words on these pages; nothing is known of other ones."""
    here = [word for word in range(len(words)) if words.page_name(word) in pages]
    return words.take(here)


def items_as_words(items: Items, judged: NDArray[np.int8], text: str) -> Items:
    """The items that are judged relevant, as words of a text."""
    right = items.take(np.flatnonzero((judged == 1) & (items.page >= 0)))
    return replace(right, texts=(text,) * len(right))


def find_own(query: QueryLists, place: tuple[str, Sequence[float]] | None = None) -> QueryLists:
    """The query with the item that it is itself, where its name or the given place tells it.

    Parameters
    ----------
    query : QueryLists
    place : (str, (left, top, right, bottom)), optional
        Page and box of the query, in px; by default those that its name consists of.
    """
    place = place or place_of(query.query)
    if query.own is not None or place is None:
        return query
    items = query.items
    page = page_among(place[0], items.pages)
    here = np.array([item for item in range(len(items)) if items.page_name(item) == page], np.int64)
    pairs = pair_boxes([tuple(place[1])], items.boxes[here])
    if not len(pairs) or pairs.iou.max() < OWN:
        return query
    return replace(query, own=int(here[pairs.second[pairs.iou.argmax()]]))


def judge_all_by_words(read: ReadLists, words: Items) -> ReadLists:
    """The lists of all queries with the truth of pages, and a remark on words it does not know.

    Parameters
    ----------
    read : ReadLists
    words : Items
        What is written where.
    """
    placed = [replace(query, items=on_pages(query.items, words.pages)) for query in read.queries]
    unknown = [query.query for query in placed if not searched_text(query, words)]
    remarks = read.remarks
    if unknown:
        several = "1 query is" if len(unknown) == 1 else f"{len(unknown):,} queries are"
        first = ", ".join(map(repr, unknown[:5])) + (", …" if len(unknown) > 5 else "")
        remarks = (*remarks, f"{several} written nowhere in the ground truth: {first}")
    queries = tuple(judge_by_words(query, words) for query in placed)
    return replace(read, queries=queries, remarks=remarks)
