"""Searches for words like one word: WS, and QE with its expanded searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError
from spotlab.geometry.box_pairs import pair_boxes
from spotlab.model.items import Items
from spotlab.model.ranked_list import RankedList
from spotlab.ranking.common_scale import common_scores
from spotlab.ranking.fusion import Choices, Evidence, fusions
from spotlab.representation import short_repr
from spotlab.spotting.words.query import WordQuery, locate_query
from spotlab.spotting.words.scores import CalibratedScores

if TYPE_CHECKING:
    from spotlab.spotting.words.word_index import WordIndex

OVERLAP = 0.5
_SAME_PLACE = 0.3  # intersection over union with the query's box
_ROUNDING = 1e-5  # of a cosine in float32


@dataclass(frozen=True, eq=False)
class WordSearch:
    """The items found for a query.

    Attributes
    ----------
    query : WordQuery
        With its box.
    name : str
        The query's.
    places : (K,) int
        Numbers of the items found, rising.
    items : Items
        These K items.
    evidence : Evidence
        Of the K items: their scores against the query; with each other; of the first search and of
        each expanded one, NaN where it has not found the item; and which the first search found.
    tau, tight, overlap : float
        The thresholds of a hit and of a hit that expands the search; the share of the smaller of
        two boxes from which only the better one is kept.
    own : int or None
        Which of the K is the query itself; None where it was not found.
    expanded : (L - 1,) int
        Which of the K were queries of expanded searches.
    covered : int
        Number of hits that were left out because a better one lies on them.
    """

    query: WordQuery
    name: str
    places: NDArray[np.int64]
    items: Items
    evidence: Evidence
    tau: float
    tight: float
    overlap: float
    own: int | None
    expanded: NDArray[np.int64]
    covered: int

    __repr__ = short_repr


def search(
    index: WordIndex,
    query: WordQuery,
    *,
    tau: float = 0.7,
    tight: float = 0.8,
    overlap: float | None = None,
    words: Items | None = None,
) -> WordSearch:
    """Search for a word (WS), and again with the hits that are certain (QE).

    Every hit with a score of ``tight`` or more becomes a query on its own page, the one before and
    the one after, except the query itself. All hits of all searches are scored against the query
    alone. Where hits lie on each other only the one that scores best stays; what an expanded search
    has found counts for the one that stays.

    Parameters
    ----------
    index : WordIndex
    query : WordQuery
    tau : float
        Score from which an item is a hit.
    tight : float
        Score from which a hit expands the search.
    overlap : float, optional
        Share of the smaller box; 0.5 by default, and nothing is left out where the boxes of the
        index were given.
    words : Items, optional
        What is written where, to find a text; by default the index's own items, where they have
        texts.

    Returns
    -------
    WordSearch
        With scores of shape (K,); K is 0 where nothing is found.

    Raises
    ------
    SpotlabError
        The query's page is not in the index, or its text is nowhere.

    References
    ----------
    Hast (2020), §3: WS, and QE with the query's page, the one before and the one after.
    """
    query = locate_query(query, words if words is not None else index.words)
    if overlap is None:
        overlap = np.inf if index.given else OVERLAP
    feature = index.describe(query)
    raw = index.features @ feature
    scores = index.scale.apply(raw)
    hits = np.flatnonzero(scores >= tau)
    kept = index.overlaps.best(hits, scores[hits], overlap) == np.arange(len(hits))
    own_place = _own(index, query, hits[kept])
    tight_ones = hits[kept & (scores[hits] >= tight)]
    queries = tight_ones[tight_ones != own_place] if own_place is not None else tight_ones
    expanded = _expand(index, queries, tau)
    is_found = scores >= tau
    is_found[expanded.place] = True
    places = np.flatnonzero(is_found)
    best = index.overlaps.best(places, scores[places], overlap)
    stays = np.flatnonzero(best == np.arange(len(places)))
    lists = expanded.lists(len(queries), places, best)[:, stays]
    union, chosen = places, places[stays]
    own_score = scores[chosen]
    first = np.where(own_score >= tau, own_score, np.nan)
    evidence = Evidence(
        own_score,
        CalibratedScores(index.features[chosen], index.scale),
        np.concatenate([first[None], lists]),
        own_score >= tau,
    )
    own = None if own_place is None else int(np.searchsorted(chosen, own_place))
    return WordSearch(
        query, query.name, chosen, index.items.take(chosen), evidence, tau, tight, overlap, own,
        np.searchsorted(chosen, queries), len(union) - len(chosen),
    )  # fmt: skip


def _own(index: WordIndex, query: WordQuery, places: NDArray[np.int64]) -> int | None:
    """The one of some items that is the query itself."""
    assert query.box is not None  # it is located
    on_page = places[index.items.page[places] == index.items.pages.index(query.page)]
    pairs = pair_boxes(query.box, index.items.boxes[on_page])
    if not len(pairs) or pairs.iou.max() < _SAME_PLACE:
        return None
    return int(on_page[pairs.second[pairs.iou.argmax()]])


@dataclass(frozen=True, eq=False)
class _ExpandedHits:
    """The hits of expanded searches: which search, which item, with what score."""

    search: NDArray[np.int64]
    place: NDArray[np.int64]
    score: NDArray[np.float64]

    def lists(
        self, searches: int, places: NDArray[np.int64], best: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """(searches, K) the best score that each search gave to any hit that an item stands for."""
        position = np.zeros(int(places[-1]) + 1 if len(places) else 0, np.int64)
        position[places] = best
        lists = np.full(searches * len(places), -np.inf)
        np.maximum.at(lists, self.search * len(places) + position[self.place], self.score)
        lists[np.isneginf(lists)] = np.nan
        return lists.reshape(searches, len(places))


def _expand(index: WordIndex, queries: NDArray[np.int64], tau: float) -> _ExpandedHits:
    """Search with items on their own page, the one before and the one after."""
    pages = index.items.page[queries]
    starts = index.page_starts
    least = float(index.scale.invert(tau)) - _ROUNDING
    parts = []
    for page in np.unique(pages).tolist():
        here = np.flatnonzero(pages == page)
        start, stop = starts[max(page - 1, 0)], starts[min(page + 2, len(starts) - 1)]
        raw = index.features[queries[here]] @ index.features[start:stop].T
        likely = np.flatnonzero(raw.ravel() >= least)
        score = index.scale.apply(raw.ravel()[likely])
        hit = score >= tau
        which, place = np.divmod(likely[hit], stop - start)
        parts.append((here[which], start + place, score[hit]))
    if not parts:
        return _ExpandedHits(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
    return _ExpandedHits(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def make_lists(
    search: WordSearch, names: Sequence[str], choices: Choices | None = None
) -> tuple[RankedList, ...]:
    """Make ranked lists of a search, one for each fusion, as numbers of its items.

    All have scores on the scale of the search; see `spotlab.ranking.common_scale`.

    Parameters
    ----------
    search : WordSearch
    names : sequence of str
        Of fusions: "ws", "qe", "cr", "ml", "ml_cr", …
    choices : Choices, optional
        Settings of the fusions.

    Raises
    ------
    SpotlabError
        There is no such fusion.
    """
    known = fusions()
    for name in names:
        if name not in known:
            raise SpotlabError(f"there is no list {name!r}; there are {', '.join(known)}")
    choices = choices or Choices()
    return tuple(
        RankedList.ordered(name, common_scores(known[name], search.evidence, choices))
        for name in names
    )
