"""Fuses ranked lists, judges each of them, and purges them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.lists.format import QueryLists, listed_items
from spotlab.formats.lists.kept_lines import ReadJudgements
from spotlab.formats.rows.json_values import attributes, to_builtins
from spotlab.model.ranked_list import Items, RankedList
from spotlab.progress import Progress, silent, track
from spotlab.ranking.displacement import mean_average_precision, rank_gains
from spotlab.ranking.fusion import Choices, Fusion, ItemScores, fusions, stack_lists
from spotlab.ranking.list_scale import (
    FOLDS,
    ONE_SCALE,
    ListScale,
    RankProbability,
    by_rank,
    share_a_scale,
)
from spotlab.ranking.purge import Purge, PurgePoint, Suggestion, common_scores
from spotlab.representation import short_repr
from spotlab.studies.words.word_truth import evidence_of, truth_of

ScoresBetween = Callable[[Items], ItemScores]


@dataclass(frozen=True, eq=False)
class JudgedList:
    """A ranked list of a query with its figures.

    Attributes
    ----------
    ranked : RankedList
        With the scores of its file or fusion.
    common : RankedList
        The same with scores on the scale of the lists given, by which it is purged; see
        `spotlab.ranking.purge`.
    title : str
    made : bool
        Whether it was made here by fusion.
    average_precision : float or None
        None where no relevant item is known.
    tied : int
        Items tied with one of the other kind: another order gives another average precision.
    purge : Purge
    point : PurgePoint
        What purging leaves at the threshold.
    suggestions : tuple of Suggestion
    tied_at_top : int
        Items with the same score on both sides of the cut after the top n.
    moved : (K,) float
        Number of ranks by which each item is higher than in the query's first list; NaN if it is
        not in it.
    """

    ranked: RankedList
    common: RankedList
    title: str
    made: bool
    average_precision: float | None
    tied: int
    purge: Purge
    point: PurgePoint
    suggestions: tuple[Suggestion, ...]
    tied_at_top: int
    moved: NDArray[np.float64]

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class JudgedQuery:
    """The lists of one query, those given first; none where no list answers it."""

    query: QueryLists
    lists: tuple[JudgedList, ...]

    __repr__ = short_repr


@dataclass(frozen=True)
class ListMeans:
    """A list over all queries.

    Attributes
    ----------
    name : str
    queries : int
        Number of queries that have it.
    mean_average_precision : float or None
    defined : int
        Number of queries over which the mean is taken.
    unanswered : int
        Number of those that have no such list though words are to be found; they count 0, as
        ``trec_eval -c`` has it.
    kept, true, false, unknown : int
        What purging leaves of all queries together.
    lost, removed : float or None
        Shares of the relevant and of the other items in the lists that purging removes.
    """

    name: str
    queries: int
    mean_average_precision: float | None
    defined: int
    unanswered: int
    kept: int
    true: int
    false: int
    unknown: int
    lost: float | None
    removed: float | None


@dataclass(frozen=True, eq=False)
class Reranking:
    """The lists of all queries, those given and those made of them.

    Attributes
    ----------
    queries : tuple of JudgedQuery
    means : tuple of ListMeans
        A list each, over all queries.
    fusions : tuple of Fusion
        How lists were made.
    choices : Choices
    threshold : float
        Score at which lists are purged.
    scale : ListScale
        What scores on the common scale are.
    """

    queries: tuple[JudgedQuery, ...]
    means: tuple[ListMeans, ...]
    fusions: tuple[Fusion, ...]
    choices: Choices
    threshold: float
    scale: ListScale = ListScale.SCORE

    __repr__ = short_repr


def rerank(
    queries: Sequence[QueryLists],
    scores: ScoresBetween | None,
    fusion_names: Sequence[str],
    choices: Choices | None = None,
    threshold: float | None = None,
    progress: Progress = silent,
    *,
    judged: ReadJudgements | None = None,
    scale: ListScale | None = None,
) -> Reranking:
    """Fuse the lists of each query, judge all lists by the relevant items known, and purge them.

    An item's score against the query is that of the query's first list; where that does not hold
    it, of the first list that does. Items of the same score stay in the order of these lists.

    Parameters
    ----------
    queries : sequence of QueryLists
    scores : callable or None
        Returns the scores of items with each other, as `ScoreFile.among` does.
    fusion_names : sequence of str
        Of `fusions`; the lists that are made, in this order.
    choices : Choices, optional
        Judgements in it are of the items of every query.
    threshold : float, optional
        Items with this score or more on the common scale stay; by default the scale's usual one.
    judged : ReadJudgements, optional
        A person's judgements: they override the known relevance, and add to the feedback of the
        choices.
    scale : ListScale, optional
        To which all lists are brought; by default the one that `choose_scale` gives.

    Raises
    ------
    ValueError
        There is no such fusion, or it needs scores between items and there are none.
    """
    choices = choices or Choices()
    chosen = _find_fusions(fusion_names, scores is not None)
    known = [_judged(query, choices, judged) for query in queries]
    scale = scale or choose_scale([query for query, _ in known])
    cut = scale.usual_cut if threshold is None else threshold
    pairs = list(zip(known, scaled_lists([query for query, _ in known], scale), strict=True))
    ranked = tuple(
        _rerank_query(query, own, scaled, scores, chosen, cut, scale)
        for (query, own), scaled in track(pairs, progress, "ranking")
    )
    names = dict.fromkeys(judged.ranked.name for query in ranked for judged in query.lists)
    means = tuple(_means(name, ranked) for name in names)
    return Reranking(ranked, means, chosen, choices, cut, scale)


def choose_scale(queries: Sequence[QueryLists]) -> ListScale:
    """Choose the scale on which one threshold means the same for all lists.

    Parameters
    ----------
    queries : sequence of QueryLists
        As they were judged.

    Returns
    -------
    ListScale
        That of a search where the scores may be on it; else that of probabilities where at least
        two queries are judged, some of each list's items relevant and some not; else that of ranks.

    Examples
    --------
    >>> lists = RankedList("a", [0, 1], [302.0, 44.0]), RankedList("b", [1, 0], [4e7, 3e6])
    >>> query = QueryLists("q", Items.named("xy"), lists, np.array([1, 0], np.int8), 1)
    >>> choose_scale([query]), choose_scale([query, query])
    (<ListScale.RANK: 'rank'>, <ListScale.PROBABILITY: 'probability'>)
    """
    by_name: dict[str, list[RankedList]] = {}
    for query in queries:
        for ranked in query.lists:
            by_name.setdefault(ranked.name, []).append(ranked)
    comparable = {each.name for each in fusions().values() if each.comparable}
    apart = 1 if by_name.keys() <= comparable else ONE_SCALE  # lists of one search have its scale
    if share_a_scale(by_name.values(), apart):
        return ListScale.SCORE
    fits = _fits(queries)
    able = bool(fits) and all(fit is not None for of_fold in fits for fit in of_fold.values())
    return ListScale.PROBABILITY if able else ListScale.RANK


def _fits(queries: Sequence[QueryLists]) -> list[dict[str, RankProbability | None]]:
    """For each part of the queries, what judgements of the other parts say of each list's ranks.

    Empty where there is only one query.
    """
    names = dict.fromkeys(ranked.name for query in queries for ranked in query.lists)
    relevances: dict[str, list[tuple[int, NDArray[np.int8]]]] = {name: [] for name in names}
    for number, query in enumerate(queries):
        relevance = truth_of(query).without_own().relevance
        for ranked in query.lists:
            relevances[ranked.name].append((number, relevance[ranked.item]))
    count = min(FOLDS, len(queries))
    return [
        {
            name: RankProbability.fit([said for number, said in own if number % count != fold])
            for name, own in relevances.items()
        }
        for fold in range(count if count > 1 else 0)
    ]


def scaled_lists(queries: Sequence[QueryLists], scale: ListScale) -> list[tuple[RankedList, ...]]:
    """Bring the lists of queries to a scale; their order stays.

    Parameters
    ----------
    queries : sequence of QueryLists
        As they were judged. A query's own judgements say nothing of its own probabilities.
    scale : ListScale

    Returns
    -------
    list of tuple of RankedList
        Of each query; by rank where too little is judged for probabilities.

    Examples
    --------
    >>> query = QueryLists(
    ...     "q", Items.named("xy"), (RankedList("a", [0, 1], [302.0, 44.0]),),
    ...     np.array([1, 0], np.int8), 1)
    >>> scaled_lists([query], ListScale.RANK)[0][0].score
    array([1. , 0.5])
    """
    if scale is ListScale.SCORE:
        return [query.lists for query in queries]
    fits = _fits(queries) if scale is ListScale.PROBABILITY else []
    scaled = []
    for number, query in enumerate(queries):
        own = fits[number % len(fits)] if fits else {}
        known = [(ranked, own.get(ranked.name)) for ranked in query.lists]
        scaled.append(tuple(fit.of(each) if fit else by_rank(each) for each, fit in known))
    return scaled


def _find_fusions(names: Sequence[str], between: bool) -> tuple[Fusion, ...]:
    known = fusions()
    for name in names:
        if name not in known:
            raise ValueError(f"there is no fusion {name!r}; there are {', '.join(known)}")
        if known[name].needs == "between" and not between:
            raise ValueError(f"{known[name].title} needs the scores of the items with each other")
    return tuple(known[name] for name in dict.fromkeys(names))


def with_judgements(query: QueryLists, judged: ReadJudgements | None) -> QueryLists:
    """The query with what a person says of its items instead of what was known.

    Parameters
    ----------
    query : QueryLists
    judged : ReadJudgements or None

    Examples
    --------
    >>> query = QueryLists("q", Items.named("x"), (), np.array([1], np.int8), 1)
    >>> with_judgements(query, ReadJudgements({})) is query
    True
    """
    said = judged.of(query.query, query.items) if judged else np.zeros(0, np.int8)
    if not np.any(said >= 0):
        return query
    relevance = np.where(said >= 0, said, query.relevance).astype(np.int8)
    gained = np.count_nonzero(relevance == 1) - np.count_nonzero(query.relevance == 1)
    relevant = None if query.relevant is None else query.relevant + int(gained)
    if relevant is None and np.any(said == 1):
        relevant = int(gained)
    return replace(query, relevance=relevance, relevant=relevant)


def _judged(
    query: QueryLists, choices: Choices, judged: ReadJudgements | None
) -> tuple[QueryLists, Choices]:
    """The query and the choices as a person's judgements change them."""
    said = judged.of(query.query, query.items) if judged else np.zeros(0, np.int8)
    if not np.any(said >= 0):
        return query, choices
    no = np.zeros(len(said), bool)
    choices = replace(
        choices,
        relevant=(said == 1) | (choices.relevant if len(choices.relevant) else no),
        irrelevant=(said == 0) | (choices.irrelevant if len(choices.irrelevant) else no),
    )
    return with_judgements(query, judged), choices


def _rerank_query(
    query: QueryLists,
    choices: Choices,
    scaled: Sequence[RankedList],
    scores: ScoresBetween | None,
    chosen: Sequence[Fusion],
    threshold: float,
    scale: ListScale,
) -> JudgedQuery:
    if not query.lists:
        return JudgedQuery(query, ())
    listed = listed_items(query.lists)
    aligned = stack_lists(scaled, len(query.items))[:, listed]
    between = scores(query.items.take(listed)) if scores is not None and len(listed) else None
    column = np.zeros(len(query.items), np.int64)
    column[listed] = np.arange(len(listed))
    ranked = [replace(each, item=column[each.item]) for each in scaled]
    evidence = evidence_of(aligned, between, ranked)
    own = replace(
        choices,
        relevant=_taken(choices.relevant, listed),
        irrelevant=_taken(choices.irrelevant, listed),
    )
    given = {ranked.name for ranked in query.lists}
    tau = threshold if scale is ListScale.SCORE else None
    cut = threshold, tau
    lists = [
        _judge(query, ranked, common, ranked.name, choices, cut)
        for ranked, common in zip(query.lists, scaled, strict=True)
    ]
    for fusion in chosen if len(listed) else ():
        name, fused = _free_name(fusion.name, given), fusion.fuse(evidence, own)
        order = RankedList.ordered(name, fused).item
        common = common_scores(fusion, evidence, own, fused, scale)
        made, purged = (RankedList(name, listed[order], each[order]) for each in (fused, common))
        lists.append(_judge(query, made, purged, fusion.title, choices, cut, made=True))
    return JudgedQuery(query, tuple(lists))


def _taken(mask: NDArray[np.bool_], items: NDArray[np.int64]) -> NDArray[np.bool_]:
    return mask[items] if len(mask) else mask


def _free_name(name: str, taken: set[str]) -> str:
    """The name, or one like it that no list given has: its own CR stays apart from ours."""
    others = (f"{name} ({count})" for count in range(2, len(taken) + 3))
    return next(free for free in (name, *others) if free not in taken)


def _judge(
    query: QueryLists,
    ranked: RankedList,
    common: RankedList,
    title: str,
    choices: Choices,
    cut: tuple[float, float | None],
    made: bool = False,
) -> JudgedList:
    relevant = query.relevance == 1
    truth, tied = truth_of(query), 0
    if query.relevant is not None:
        scores, kind = ranked.score[None], relevant[ranked.item][None]
        tied = int(mean_average_precision(scores, kind).tied[0])
    purge = truth.purge(common)
    return JudgedList(
        ranked=ranked,
        common=common,
        title=title,
        made=made,
        average_precision=truth.average_precision(ranked),
        tied=tied,
        purge=purge,
        point=purge.at(cut[0]),
        suggestions=purge.suggestions(cut[1]),
        tied_at_top=purge.at_rank(choices.top).tied,
        moved=rank_gains(query.lists[0], ranked),
    )


def _means(name: str, queries: Sequence[JudgedQuery]) -> ListMeans:
    own = [judged for query in queries for judged in query.lists if judged.ranked.name == name]
    unanswered = sum(
        bool(truth_of(query.query).without_own().relevant)
        and all(judged.ranked.name != name for judged in query.lists)
        for query in queries
    )
    precisions = [judged.average_precision for judged in own]
    defined = [precision for precision in precisions if precision is not None] + [0.0] * unanswered
    mean = fsum(defined) / len(defined) if defined else None
    points = [judged.point for judged in own]
    true, false = sum(point.true for point in points), sum(point.false for point in points)
    every_true = sum(int(judged.purge.true[-1]) for judged in own)
    every_false = sum(int(judged.purge.false[-1]) for judged in own)
    return ListMeans(
        name, len(own), mean, len(defined), unanswered,
        kept=sum(point.kept for point in points),
        true=true,
        false=false,
        unknown=sum(point.unknown for point in points),
        lost=1 - true / every_true if every_true else None,
        removed=1 - false / every_false if every_false else None,
    )  # fmt: skip


def as_json(reranking: Reranking, remarks: Sequence[str] = ()) -> Any:
    """The lists as `json.dumps` takes them, without NaN, and remarks on what was read."""
    return to_builtins(
        {
            "settings": {
                "fusions": [fusion.name for fusion in reranking.fusions],
                **attributes(reranking.choices, "top", "at_least", "weight", "iterations"),
                "scale": str(reranking.scale),
                "threshold": reranking.threshold,
            },
            "remarks": remarks,
            "lists": reranking.means,
            "queries": [_query(query) for query in reranking.queries],
        }
    )


def _query(judged: JudgedQuery) -> dict[str, Any]:
    query = judged.query
    return {
        "query": query.query,
        "items": len(query.items),
        "relevant": query.relevant,
        "lists": [_list(judged, ranked) for ranked in judged.lists],
    }


def _list(judged: JudgedQuery, own: JudgedList) -> dict[str, Any]:
    items, relevance = judged.query.items, judged.query.relevance
    up = [None if math.isnan(ranks) else int(ranks) for ranks in own.moved.tolist()]
    relevant = [{1: True, 0: False}.get(value) for value in relevance[own.ranked.item].tolist()]
    return {
        "name": own.ranked.name,
        **attributes(own, "title", "made", "average_precision", "tied", "tied_at_top"),
        "purged": own.point,
        "suggestions": own.suggestions,
        "item": [items.name(item) for item in own.ranked.item.tolist()],
        "score": own.ranked.score,
        "common_score": own.common.score,
        "relevant": relevant,
        "up": up,
    }


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
    """Return what purging leaves of each list.

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
