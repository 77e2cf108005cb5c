"""Searches for words like one word: WS, and QE with its expanded searches.

All words are ranked; the score of a hit only marks the cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError
from spotlab.geometry.polygon import concatenate_ranges, pair_boxes
from spotlab.model.ranked_list import Items, RankedList
from spotlab.model.spelling import literal
from spotlab.ranking.fusion import Choices, Evidence, fusions
from spotlab.ranking.purge import HIT, IDENTICAL, SCALE, ScoreCalibration, common_scores
from spotlab.representation import short_repr
from spotlab.spotting.words.line_hits import NO_HITS, LineHits, typed_scores
from spotlab.spotting.words.word_index import (
    Box,
    CalibratedScores,
    ItemOverlaps,
    WordIndex,
    WordQuery,
    queries_of,
)

COMBINE = ("maximum", "mean")
SAME_PLACE = 0.3  # intersection over union of two boxes around the same word


@dataclass(frozen=True, eq=False)
class UsedExample:
    """An example as it was searched.

    Attributes
    ----------
    page : str
    drawn : (float, float, float, float)
        left, top, right, bottom in px, as it was drawn.
    cleaned : (float, float, float, float)
        The ink in that box without rulings and neighbours' strokes, which leave the box.
    item : int or None
        The word of the index that lies on it best; None where none does.
    box : (float, float, float, float)
        The box of that word, else the cleaned one.
    features : (1 or 2, k) float32
        Of the drawn box, cleaned, and of the word.
    """

    page: str
    drawn: Box
    cleaned: Box
    item: int | None
    box: Box
    features: NDArray[np.float32]

    __repr__ = short_repr


def use_examples(index: WordIndex, query: WordQuery) -> tuple[UsedExample, ...]:
    """Find what the boxes of a query are drawn around, and describe it.

    Parameters
    ----------
    index : WordIndex
    query : WordQuery
        With its box.

    Raises
    ------
    SpotlabError
        The query has no box, or a page is not in the index.
    BadInput
        A page's image cannot be read any more.
    """
    if query.box is None:
        raise SpotlabError(f"where {query.text!r} is, is not known")
    return tuple(_use(index, page, box) for page, box in query.places)


def _use(index: WordIndex, page: str, box: Box) -> UsedExample:
    number, same = index.page_number(page), index.item_with(page, box)
    if same is not None:
        return UsedExample(page, box, box, same, box, index.features[same : same + 1])
    feature, cleaned, turn = index.describe_drawn(page, box)
    here = index.on_page(number)
    alike = here.start + np.flatnonzero(index.turns_of(here) == turn)
    pairs = pair_boxes([cleaned], index.items.boxes[alike])
    if not len(pairs) or pairs.iou.max() < SAME_PLACE:
        return UsedExample(page, box, cleaned, None, cleaned, feature[None])
    item = int(alike[pairs.second[pairs.iou.argmax()]])
    left, top, right, bottom = index.items.boxes[item].tolist()
    both = np.stack([feature, index.features[item]])
    return UsedExample(page, box, cleaned, item, (left, top, right, bottom), both)


def combined_scores(
    features: NDArray[np.float32], examples: tuple[UsedExample, ...], combine: str = "maximum"
) -> NDArray[np.float64]:
    """Compare items with all examples.

    Parameters
    ----------
    features : (N, k) float32
        Rows of length 1.
    examples : tuple of UsedExample
        One or more.
    combine : {"maximum", "mean"}
        Of several examples: an item's best cosine, or the cosine with the mean of the examples.
        The two descriptions of one example always count by their mean.

    Returns
    -------
    (N,) float
        Cosines.

    Raises
    ------
    SpotlabError
        There is no such way to combine.

    Examples
    --------
    >>> rows, box = np.eye(2, dtype=np.float32), (0.0, 0.0, 4.0, 9.0)
    >>> used = tuple(UsedExample("a", box, box, None, box, row[None]) for row in rows)
    >>> combined_scores(rows, used), combined_scores(rows, used, "mean").round(2)
    (array([1., 1.]), array([0.71, 0.71]))
    """
    if combine not in COMBINE:
        raise SpotlabError(
            f"there is no way {combine!r} to combine examples; there are {', '.join(COMBINE)}"
        )
    rows = np.stack([_unit(example.features.sum(axis=0)) for example in examples])
    if combine == "mean":
        return np.asarray(features @ _unit(rows.sum(axis=0)), np.float64)
    return np.asarray((features @ rows.T).max(axis=1), np.float64)


def _unit(row: NDArray[np.float32]) -> NDArray[np.float32]:
    length = float(np.linalg.norm(row))
    return np.asarray(row / length if length else row, np.float32)


MOST = 8  # words that are looked at beside a word; chosen on five pages of letters
OVERLAP = 0.5  # share of the smaller box from which two items stand at one place
# of a typed text, chosen on the same pages
BEST = 500  # words with the best scores: others do not say it, and do not count
BESIDE = 0.5  # weight of a word that looks just like another, beside that one's own
_NOTHING = -2.0  # below each cosine


@dataclass(frozen=True, eq=False)
class LookAlikes:
    """The words of a collection, to be asked which of them look like one.

    Attributes
    ----------
    features : (N, D) float32
        Of length 1, or 0.
    scale : ScoreCalibration
        Makes scores of cosines.
    overlaps : ItemOverlaps
        Of the N items: what lies on an item is no other word.
    """

    features: NDArray[np.float32]
    scale: ScoreCalibration
    overlaps: ItemOverlaps

    __repr__ = short_repr

    @classmethod
    def of(cls, index: WordIndex) -> LookAlikes:
        """Take what an index knows of its words.

        Parameters
        ----------
        index : WordIndex
        """
        return cls(index.features, index.scale, index.overlaps)

    def agreed(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Let the best words for a text count what those among them say that look like them.

        Parameters
        ----------
        scores : (N,) float
            Of each word by itself, on the common scale.

        Returns
        -------
        (N,) float
            The same for all but the `BEST` words: these have the mean of their own score and, with
            at most the weight `BESIDE` each, of those of the words that `beside` finds among them.

        Examples
        --------
        >>> from spotlab.model.ranked_list import Items
        >>> boxes = [[0, 0, 9, 9], [20, 0, 29, 9], [40, 0, 49, 9]]
        >>> overlaps = ItemOverlaps.of(Items(("page",), [0, 0, 0], boxes))
        >>> features = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
        >>> alike = LookAlikes(features, ScoreCalibration.none(), overlaps)
        >>> alike.agreed(np.array([0.9, 0.6, 0.3])).round(2).tolist()
        [0.8, 0.7, 0.3]
        """
        best = np.arange(len(scores))
        if len(scores) > BEST:
            best = np.sort(np.argpartition(-scores, BEST)[:BEST])
        places, weight = self.beside(best, best, BESIDE)
        together = scores.copy()
        together[best] = (weight * scores[places]).sum(axis=1)
        return together

    def beside(
        self, items: NDArray[np.int64], among: NDArray[np.int64] | None = None, most: float = 1.0
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Find the words that look like each of some items, and how much each of them counts.

        Parameters
        ----------
        items : (n,) int
        among : (m,) int, optional
            Which words may be found, rising; by default all.
        most : float
            How much a word counts beside the item that looks just the same.

        Returns
        -------
        places : (n, K) int
            The item itself, then up to `MOST` words that look most like it, in no order.
        weight : (n, K) float
            Of sum 1 for each item. A word counts ``most`` times as much as the item if its score
            is `spotlab.ranking.purge.IDENTICAL`, and nothing from
            `spotlab.ranking.purge.HIT` on down.

        Examples
        --------
        >>> from spotlab.model.ranked_list import Items
        >>> boxes = [[0, 0, 9, 9], [20, 0, 29, 9], [40, 0, 49, 9]]
        >>> overlaps = ItemOverlaps.of(Items(("page",), [0, 0, 0], boxes))
        >>> features = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
        >>> alike = LookAlikes(features, ScoreCalibration.none(), overlaps)
        >>> places, weight = alike.beside(np.array([0]))
        >>> sorted(zip(places[0].tolist(), weight[0].tolist()))
        [(0, 0.5), (1, 0.5), (2, 0.0)]
        """
        among = np.arange(len(self.features)) if among is None else among
        alike = self.features[items] @ self.features[among].T
        self._hide_same_place(alike, items, among)
        first = len(among) - min(MOST, len(among) - 1)
        nearest = np.argpartition(alike, first - 1, axis=1)[:, first:]
        cosine = np.take_along_axis(alike, nearest, axis=1).astype(np.float64)
        weight = (self.scale.apply(cosine) - HIT) / (IDENTICAL - HIT)
        weight = np.where(cosine > _NOTHING, most * np.clip(weight, 0, 1), 0)
        weight = np.concatenate([np.ones((len(items), 1)), weight], axis=1)
        places = np.concatenate([items[:, None], among[nearest]], axis=1)
        return places, weight / weight.sum(axis=1, keepdims=True)

    def _hide_same_place(
        self, alike: NDArray[np.float32], items: NDArray[np.int64], among: NDArray[np.int64]
    ) -> None:
        """Let (n, m) cosines be `_NOTHING` for an item itself and for what lies on it."""
        column = np.full(len(self.features), -1, np.int64)
        column[among] = np.arange(len(among))
        starts, counts = self.overlaps.starts[items], np.diff(self.overlaps.starts)[items]
        pairs = concatenate_ranges(starts, counts)
        same = self.overlaps.share[pairs] >= OVERLAP
        row = np.concatenate(
            [np.arange(len(items)), np.repeat(np.arange(len(items)), counts)[same]]
        )
        hidden = column[np.concatenate([items, self.overlaps.other[pairs][same]])]
        alike[row[hidden >= 0], hidden[hidden >= 0]] = _NOTHING


# scores of typed texts: at random, right as often as not, surely, at best; chosen on five pages of
# letters and three of Gothic hands
EVEN = ScoreCalibration(np.array([0.4, 0.755, 0.86, 1.0]), np.array(SCALE), "letters")
DEPTH = 5_000
RE_SCORING = Choices(top=6, at_least=0.6, weight=3.0, fall=0.1)  # chosen on five pages of letters
APART = 0.06  # cosine that an item loses with ink beside it; chosen on the same pages
_ROUNDING = 1e-5  # of a cosine in float32


@dataclass(frozen=True, eq=False)
class WordSearch:
    """The ranked items of a query.

    Attributes
    ----------
    query : WordQuery
        With its box, unless its text was searched.
    name : str
        The query's.
    places : (K,) int
        Numbers of the items ranked, rising; places on lines that are no items have the next ones.
    items : Items
        These K items.
    evidence : Evidence
        Of the K items: their scores against the query; with each other; of the first search and of
        each expanded one, NaN where it has not found the item but another one has; and which were
        found at all.
    tau, tight, overlap : float
        The thresholds of a hit and of a hit that expands the search; the share of the smaller of
        two boxes from which only the better one is kept.
    own : int or None
        Which of the K is the query itself, its first example; None where none is.
    examples : (E,) int
        Which of the K are examples of the query, rising.
    used : tuple of UsedExample
        The boxes that were searched, by example.
    expanded : (L - 1,) int
        Which of the K were queries of expanded searches.
    covered : int
        Number of hits that were left out because a better one lies on them.
    omitted : int
        Number of items that are not ranked because ``depth`` better ones are.
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
    examples: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    used: tuple[UsedExample, ...] = ()
    omitted: int = 0

    __repr__ = short_repr


def search(
    index: WordIndex,
    query: WordQuery,
    *,
    tau: float = 0.7,
    tight: float = 0.8,
    overlap: float | None = None,
    words: Items | None = None,
    depth: int = DEPTH,
    combine: str = "maximum",
    reader: ExampleReader | None = None,
) -> WordSearch:
    """Search for a word (WS), and again with the hits that are certain (QE).

    All items are ranked by their scores against the query. Every hit with a score of ``tight`` or
    more becomes a query on its own page, the one before and the one after, except the query itself.
    Where items lie on each other only the one that scores best stays; what an expanded search has
    found counts for the one that stays.

    An item with ink close beside it is rather a part of a word, and loses a little of its score.

    A box is only a hint: both its ink, without what leaves the box, and the item that lies on it
    best are searched. What a reader reads in that item is searched, too, and counts the more the
    surer it is. A typed text is compared with the characters that a network sees in words,
    and the best of these with each other, see `LookAlikes.agreed`; what it finds is compared with
    each other as ever. Where the text, or what is surely read in an example, is read along a line,
    and no box says it as surely, a box is cut out of the line, see
    `spotlab.spotting.words.line_hits`.

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
    depth : int
        Rank so many items at most; all that were found are ranked in any case.
    combine : {"maximum", "mean"}
        How several examples make one score: the best one, or that of their mean.
    reader : ExampleReader, optional
        Reads what is in examples.

    Returns
    -------
    WordSearch
        With scores of shape (K,).

    Raises
    ------
    SpotlabError
        The query's page is not in the index, or its text is nowhere; a text is typed, and the index
        has no network.

    References
    ----------
    Hast (2020), §3: WS, and QE with the query's page, the one before and the one after.
    """
    if overlap is None:
        overlap = np.inf if index.given else OVERLAP
    used: tuple[UsedExample, ...] = ()
    on_lines = NO_HITS
    if query.typed:
        scores, on_lines = typed_scores(index, query.text, LookAlikes.of(index).agreed)
        scores, on_lines = EVEN.apply(scores), replace(on_lines, score=EVEN.apply(on_lines.score))
    else:
        query = locate_query(query, words if words is not None else index.words)
        used = use_examples(index, query)
        alike = combined_scores(index.features, used, combine)
        scores = index.scale.apply(alike - APART * (1 - index.apart))
        scores, on_lines = _with_reading(index, scores, used, reader)
    hits = np.flatnonzero(scores >= tau)
    kept = index.overlaps.best(hits, scores[hits], overlap) == np.arange(len(hits))
    examples = _examples(index, used, hits[kept])
    tight_ones = hits[kept & (scores[hits] >= tight)]
    queries = np.setdiff1d(tight_ones, examples)
    expanded = _expand(index, queries, tau)
    is_found = scores >= tau
    is_found[expanded.place] = True
    places, best = _ranked(index, scores, is_found, overlap, depth)
    stays = np.flatnonzero((best == np.arange(len(places))) & np.isfinite(scores[places]))
    chosen = places[stays]
    found = np.zeros(len(places), np.bool_)
    found[best[is_found[places]]] = True
    own_score = scores[chosen]
    found = found[stays]
    first = np.where((own_score >= tau) | ~found, own_score, np.nan)
    evidence = Evidence(
        own_score,
        CalibratedScores(index.features[chosen], index.scale),
        np.concatenate([first[None], expanded.lists(len(queries), places, best)[:, stays]]),
        np.ones(len(chosen), np.bool_),
        found,
    )
    examples = _examples(index, used, chosen)
    own = _position(_own(index, used[:1], chosen), chosen)
    items = index.items.take(chosen)
    if len(on_lines):
        chosen = np.append(chosen, len(index) + np.arange(len(on_lines)))
        items = _with_hits(items, on_lines)
        evidence = _with_scores(evidence, index, on_lines, tau)
    return WordSearch(
        query, query.name, chosen, items, evidence, tau, tight, overlap, own,
        np.searchsorted(chosen, queries),
        int(is_found.sum() - found.sum()), np.searchsorted(chosen, examples), used,
        len(scores) - len(places),
    )  # fmt: skip


class ProposedText(Protocol):
    """Reading of a word, with its probability."""

    @property
    def text(self) -> str:
        """The likeliest word."""

    @property
    def probability(self) -> float:
        """Its probability, in [0, 1]."""


class ExampleReader(Protocol):
    """Reads words, such as `spotlab.spotting.words.readings.WordReader`."""

    def read(self, items: Iterable[int]) -> Sequence[ProposedText]:
        """Propose a reading of each of some items of the index.

        Parameters
        ----------
        items : iterable of int
        """


# weight of what is read in an example, if that is certain; chosen on five pages of letters, and on
# eight photographs of diagrams by other writers
READ = 0.5


SURE = 0.8  # probability of a reading from which it is searched along lines, too


def _with_reading(
    index: WordIndex,
    scores: NDArray[np.float64],
    used: tuple[UsedExample, ...],
    reader: ExampleReader | None,
) -> tuple[NDArray[np.float64], LineHits]:
    """(N,) the scores of items, together with those for what is read surest in an example.

    Where it is read surely, it is found along lines, too: a place there looks as the item does that
    lies on it best.
    """
    items = [example.item for example in used if example.item is not None]
    if reader is None or not items:
        return scores, NO_HITS
    best = max(reader.read(items), key=lambda reading: reading.probability)
    weight, agreed = READ * best.probability, LookAlikes.of(index).agreed
    if best.probability < SURE:
        return (1 - weight) * scores + weight * agreed(index.text_scores(best.text)), NO_HITS
    said, hits = typed_scores(index, literal(best.text), agreed)
    below = _items_below(index, hits)
    others = np.ones(len(hits), np.bool_)
    for example in used:
        pairs = pair_boxes(hits.boxes, [example.box])
        lying = pairs.first[pairs.iou >= SAME_PLACE]
        others[lying[hits.page[lying] == index.page_number(example.page)]] = False
    looks = np.array([0.0 if item is None else scores[item] for item in below])
    both = replace(hits, score=(1 - weight) * looks + weight * hits.score).take(others)
    hidden = np.isneginf(said[items])
    said[items] = np.where(hidden, index.text_scores(best.text)[items], said[items])
    return (1 - weight) * scores + weight * said, both


def _items_below(index: WordIndex, hits: LineHits) -> list[int | None]:
    """The item that lies best on each place."""
    found: list[int | None] = []
    for page, box in zip(hits.page.tolist(), hits.boxes, strict=True):
        here = index.on_page(page)
        pairs = pair_boxes([box], index.items.boxes[here])
        found.append(here.start + int(pairs.second[pairs.iou.argmax()]) if len(pairs) else None)
    return found


def _with_hits(items: Items, hits: LineHits) -> Items:
    """The items, and the places on lines behind them."""
    texts = (*items.texts, *(None for _ in range(len(hits)))) if items.texts else ()
    page, boxes = np.append(items.page, hits.page), np.concatenate([items.boxes, hits.boxes])
    return replace(items, page=page, boxes=boxes, texts=texts, line=np.zeros(0, np.int64))


def _with_scores(evidence: Evidence, index: WordIndex, hits: LineHits, tau: float) -> Evidence:
    """The evidence of items, and of places on lines: each looks like the item that it is most
    like.
    """
    between = evidence.between
    assert isinstance(between, CalibratedScores)
    looks = np.zeros((len(hits), index.features.shape[1]), np.float32)
    for number, item in enumerate(_items_below(index, hits)):
        if item is not None:
            looks[number] = index.features[item]
    lists = np.full((len(evidence.lists), len(hits)), np.nan)
    lists[0] = hits.score
    return Evidence(
        np.append(evidence.query, hits.score),
        replace(between, features=np.concatenate([between.features, looks])),
        np.concatenate([evidence.lists, lists], axis=1),
        np.ones(len(evidence) + len(hits), np.bool_),
        np.append(evidence.found, hits.score >= tau),
    )


def _position(place: int | None, places: NDArray[np.int64]) -> int | None:
    return None if place is None else int(np.searchsorted(places, place))


def _ranked(
    index: WordIndex,
    scores: NDArray[np.float64],
    is_found: NDArray[np.bool_],
    overlap: float,
    depth: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The items that make the best ``depth`` of the ranking, rising, and which stands for each."""
    count = max(4 * depth, 1)
    while True:
        pool = np.arange(len(scores))
        if count < len(scores):
            least = np.partition(scores, len(scores) - count)[len(scores) - count]
            pool = np.flatnonzero((scores >= least) | is_found)
        best = index.overlaps.best(pool, scores[pool], overlap)
        stays = np.flatnonzero(best == np.arange(len(pool)))
        if len(stays) >= depth or len(pool) == len(scores):
            break
        count *= 2
    if len(stays) <= depth:
        return pool, best
    last = np.sort(scores[pool[stays]])[len(stays) - depth]
    wanted = (scores[pool[stays]] >= last) | is_found[pool[stays]]
    wanted |= np.isin(stays, best[is_found[pool]])
    kept = np.isin(best, stays[wanted])
    position = np.cumsum(kept) - 1
    return pool[kept], position[best[kept]]


def _examples(
    index: WordIndex, used: tuple[UsedExample, ...], places: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Those of some items, rising, that are examples of the query."""
    own = (_own(index, (example,), places) for example in used)
    return np.unique(np.array([place for place in own if place is not None], np.int64))


def _own(index: WordIndex, used: tuple[UsedExample, ...], places: NDArray[np.int64]) -> int | None:
    """The one of some items that is an example; None without an example."""
    if not used:
        return None
    (example,) = used
    on_page = places[index.items.page[places] == index.page_number(example.page)]
    pairs = pair_boxes([example.box], index.items.boxes[on_page])
    if not len(pairs) or pairs.iou.max() < SAME_PLACE:
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
        position[places] = best  # all that was found is among the places
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

    All have scores on the scale of the search; see `spotlab.ranking.purge`.

    Parameters
    ----------
    search : WordSearch
    names : sequence of str
        Of fusions: "ws", "qe", "cr", "ml", "ml_cr", …
    choices : Choices, optional
        Settings of the fusions; `RE_SCORING` by default.

    Raises
    ------
    SpotlabError
        There is no such fusion.
    """
    known = fusions()
    for name in names:
        if name not in known:
            raise SpotlabError(f"there is no list {name!r}; there are {', '.join(known)}")
    choices = choices or RE_SCORING
    return tuple(
        RankedList.ordered(name, common_scores(known[name], search.evidence, choices))
        for name in names
    )


def join_examples(queries: Sequence[WordQuery], label: str = "") -> WordQuery:
    """Make one query of several boxes around the same word.

    Parameters
    ----------
    queries : sequence of WordQuery
        With boxes, one or more.
    label : str
        What the query is called.

    Returns
    -------
    WordQuery
        With the text of the first of them that has one.

    Raises
    ------
    ValueError
        There is none, or one has no box.

    Examples
    --------
    >>> one, other = WordQuery("a", (0, 0, 4, 9)), WordQuery("b", (5, 0, 9, 9), "own")
    >>> join_examples([one, other]).places
    (('a', (0, 0, 4, 9)), ('b', (5, 0, 9, 9)))
    """
    places = [place for query in queries for place in query.places]
    if not places or any(query.box is None for query in queries):
        raise ValueError("examples of a word are boxes on pages")
    (page, box), *more = dict.fromkeys(places)
    text = next((query.text for query in queries if query.text), "")
    return WordQuery(page, box, text, tuple(more), label)


def locate_query(query: WordQuery, words: Items | None) -> WordQuery:
    """Give a query a box: its own, or that of the first instance of its text.

    Parameters
    ----------
    query : WordQuery
    words : Items or None
        With texts; None where these are not known.

    Raises
    ------
    SpotlabError
        Texts are not known, or the query's is not among them.

    Examples
    --------
    >>> words = Items(("a",), [0], [[5, 0, 9, 9]], ("Own,",))
    >>> locate_query(WordQuery(text="own"), words).box
    (5.0, 0.0, 9.0, 9.0)
    """
    if query.box is not None:
        return query
    if words is None:
        raise SpotlabError(
            f"where {query.text!r} is written is not known: words with texts are needed"
        )
    first = queries_of(words, query.text)[0]
    return WordQuery(first.page, first.box, query.text)
