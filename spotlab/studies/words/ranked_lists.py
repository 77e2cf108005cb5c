"""Makes better ranked lists of several, and says of each how good it is and what purging leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np
from numpy.typing import NDArray

from spotlab.formats.lists.format import QueryLists
from spotlab.formats.lists.judgements import ReadJudgements
from spotlab.model.items import Items
from spotlab.model.ranked_list import RankedList
from spotlab.progress import Progress, silent, track
from spotlab.ranking.displacement import rank_gains
from spotlab.ranking.fusion import Choices, Evidence, Fusion, fusions
from spotlab.ranking.item_scores import ItemScores
from spotlab.ranking.lists import stack_lists
from spotlab.ranking.precision import average_precision, mean_average_precision
from spotlab.ranking.purge import Purge, PurgePoint, Suggestion

ScoresBetween = Callable[[Items], ItemScores]


@dataclass(frozen=True, eq=False)
class JudgedList:
    """A ranked list of a query and all that is known of it.

    Attributes
    ----------
    ranked : RankedList
    title : str
    made : bool
        Whether it was made here of others.
    average_precision : float or None
        None where nothing is known to be relevant.
    tied : int
        Items that share their score with one of the other kind, relevant or not: another order of
        these would give another average precision.
    purge : Purge
    point : PurgePoint or None
        What stays at the threshold; None where the list's scores are on another scale.
    suggestions : tuple of Suggestion
    tied_at_top : int
        Items with the same score on both sides of the cut after the top n.
    moved : (K,) float
        By how many ranks each item is further up than in the query's first list; NaN if it was not
        in it.
    """

    ranked: RankedList
    title: str
    made: bool
    average_precision: float | None
    tied: int
    purge: Purge
    point: PurgePoint | None
    suggestions: tuple[Suggestion, ...]
    tied_at_top: int
    moved: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class JudgedQuery:
    """The lists of one query, those given first."""

    query: QueryLists
    lists: tuple[JudgedList, ...]


@dataclass(frozen=True)
class ListMeans:
    """A list over all queries that have it.

    Attributes
    ----------
    name : str
    queries : int
    mean_average_precision : float or None
    defined : int
        Over how many queries that mean is.
    kept, true, false, unknown : int or None
        What purging leaves, of all queries together; None where the scores are on another scale.
    lost, removed : float or None
        The share of the relevant and of the other items in the lists that purging takes out.
    """

    name: str
    queries: int
    mean_average_precision: float | None
    defined: int
    kept: int | None
    true: int | None
    false: int | None
    unknown: int | None
    lost: float | None
    removed: float | None


@dataclass(frozen=True, eq=False)
class Reranking:
    """All queries' lists, those given and those made of them.

    Attributes
    ----------
    queries : tuple of JudgedQuery
    means : tuple of ListMeans
        A list each, over all queries.
    fusions : tuple of Fusion
        How lists were made.
    choices : Choices
    threshold : float
        At which lists are purged.
    """

    queries: tuple[JudgedQuery, ...]
    means: tuple[ListMeans, ...]
    fusions: tuple[Fusion, ...]
    choices: Choices
    threshold: float


def rerank(
    queries: Sequence[QueryLists],
    scores: ScoresBetween | None,
    fusion_names: Sequence[str],
    choices: Choices | None = None,
    threshold: float = 0.7,
    progress: Progress = silent,
    *,
    judged: ReadJudgements | None = None,
) -> Reranking:
    """Fuse the lists of each query, judge them all by what is known to be relevant, and purge them.

    An item's score against the query is that of the query's first list; where that does not hold
    it, of the first list that does. Items of the same score stay in the order of these lists.

    Parameters
    ----------
    queries : sequence of QueryLists
    scores : callable or None
        Gives the scores of items with each other, such as `ScoreFile.among`.
    fusion_names : sequence of str
        Of `fusions`; the lists that are made, in this order.
    choices : Choices, optional
        Judgements in it are of the items of every query.
    threshold : float
        Items with this score or more stay.

    judged : ReadJudgements, optional
        What a person said: it overrides what is known to be relevant, and adds to the feedback of
        the choices.

    Raises
    ------
    ValueError
        There is no such fusion, or it needs scores between items and there are none.
    """
    choices = choices or Choices()
    chosen = _find_fusions(fusion_names, scores is not None)
    ranked = tuple(
        _rerank_query(*_judged(query, choices, judged), scores, chosen, threshold)
        for query in track(queries, progress, "ranking")
    )
    names = dict.fromkeys(each.ranked.name for query in ranked for each in query.lists)
    means = tuple(_means(name, ranked) for name in names)
    return Reranking(ranked, means, chosen, choices, threshold)


def _find_fusions(names: Sequence[str], between: bool) -> tuple[Fusion, ...]:
    known = fusions()
    for name in names:
        if name not in known:
            raise ValueError(f"there is no fusion {name!r}; there are {', '.join(known)}")
        if known[name].needs == "between" and not between:
            raise ValueError(f"{known[name].title} needs the scores of the items with each other")
    return tuple(known[name] for name in dict.fromkeys(names))


def _judged(
    query: QueryLists, choices: Choices, judged: ReadJudgements | None
) -> tuple[QueryLists, Choices]:
    """The query and the choices as a person's judgements change them."""
    said = judged.of(query.query, query.items) if judged else np.zeros(0, np.int8)
    if not np.any(said >= 0):
        return query, choices
    relevance = np.where(said >= 0, said, query.relevance).astype(np.int8)
    gained = np.count_nonzero(relevance == 1) - np.count_nonzero(query.relevance == 1)
    relevant = None if query.relevant is None else query.relevant + int(gained)
    if relevant is None and np.any(said == 1):
        relevant = int(gained)
    no = np.zeros(len(said), bool)
    choices = replace(
        choices,
        relevant=(said == 1) | (choices.relevant if len(choices.relevant) else no),
        irrelevant=(said == 0) | (choices.irrelevant if len(choices.irrelevant) else no),
    )
    return replace(query, relevance=relevance, relevant=relevant), choices


def _rerank_query(
    query: QueryLists,
    choices: Choices,
    scores: ScoresBetween | None,
    chosen: Sequence[Fusion],
    threshold: float,
) -> JudgedQuery:
    listed = _in_order_of_lists(query.lists)
    aligned = stack_lists(query.lists, len(query.items))[:, listed]
    between = scores(query.items.take(listed)) if scores is not None and len(listed) else None
    evidence = Evidence(_first_known(aligned), between, aligned, _found_first(aligned))
    own = replace(
        choices,
        relevant=_taken(choices.relevant, listed),
        irrelevant=_taken(choices.irrelevant, listed),
    )
    given = {ranked.name for ranked in query.lists}
    lists = [_judge(query, each, each.name, None, choices, threshold) for each in query.lists]
    for fusion in chosen if len(listed) else ():
        made = RankedList.ordered(_free_name(fusion.name, given), fusion.fuse(evidence, own))
        made = RankedList(made.name, listed[made.item], made.score)
        lists.append(_judge(query, made, fusion.title, fusion, choices, threshold))
    return JudgedQuery(query, tuple(lists))


def _in_order_of_lists(lists: Sequence[RankedList]) -> NDArray[np.int64]:
    """Every item that is in a list, in the order of the first one, then of the others."""
    items = np.concatenate([np.zeros(0, np.int64), *(ranked.item for ranked in lists)])
    _, first = np.unique(items, return_index=True)
    return items[np.sort(first)]


def _first_known(aligned: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,) each item's score in the first list that has it."""
    if not len(aligned):
        return np.full(aligned.shape[1], np.nan)
    first = np.argmax(~np.isnan(aligned), axis=0)
    return np.asarray(aligned[first, np.arange(aligned.shape[1])])


def _found_first(aligned: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(~np.isnan(aligned[0]) if len(aligned) else np.zeros(0), np.bool_)


def _taken(mask: NDArray[np.bool_], items: NDArray[np.int64]) -> NDArray[np.bool_]:
    return mask[items] if len(mask) else mask


def _free_name(name: str, taken: set[str]) -> str:
    """The name, or one like it that no list given has: its own CR stays apart from ours."""
    others = (f"{name} ({count})" for count in range(2, len(taken) + 3))
    return next(each for each in (name, *others) if each not in taken)


def _judge(
    query: QueryLists,
    ranked: RankedList,
    title: str,
    fusion: Fusion | None,
    choices: Choices,
    threshold: float,
) -> JudgedList:
    comparable = fusion is None or fusion.comparable
    relevant = query.relevance == 1
    precision, tied = None, 0
    if query.relevant is not None:
        precision = average_precision(relevant[ranked.item], query.relevant)
        scores, kind = ranked.score[None], relevant[ranked.item][None]
        tied = int(mean_average_precision(scores, kind).tied[0])
    purge = Purge.of(ranked, query.relevance, query.relevant)
    suggestions = purge.suggestions(threshold)
    return JudgedList(
        ranked=ranked,
        title=title,
        made=fusion is not None,
        average_precision=precision,
        tied=tied,
        purge=purge,
        point=purge.at(threshold) if comparable else None,
        suggestions=tuple(each for each in suggestions if comparable or each.name != "tau"),
        tied_at_top=purge.at_rank(choices.top).tied,
        moved=rank_gains(query.lists[0], ranked),
    )


def _means(name: str, queries: Sequence[JudgedQuery]) -> ListMeans:
    own = [each for query in queries for each in query.lists if each.ranked.name == name]
    defined = [each.average_precision for each in own if each.average_precision is not None]
    mean = fsum(defined) / len(defined) if defined else None
    points = [each.point for each in own if each.point is not None]
    if len(points) < len(own):
        return ListMeans(name, len(own), mean, len(defined), None, None, None, None, None, None)
    true, false = sum(point.true for point in points), sum(point.false for point in points)
    every_true = sum(int(each.purge.true[-1]) for each in own)
    every_false = sum(int(each.purge.false[-1]) for each in own)
    return ListMeans(
        name, len(own), mean, len(defined),
        kept=sum(point.kept for point in points),
        true=true,
        false=false,
        unknown=sum(point.unknown for point in points),
        lost=1 - true / every_true if every_true else None,
        removed=1 - false / every_false if every_false else None,
    )  # fmt: skip


def whole_lists(result: Reranking) -> list[QueryLists]:
    """All lists, given and made, to be written."""
    return [
        replace(each.query, lists=tuple(one.ranked for one in each.lists))
        for each in result.queries
    ]


def made_lists(result: Reranking) -> list[QueryLists]:
    """The lists that were made."""
    return [
        replace(each.query, lists=tuple(one.ranked for one in each.lists if one.made))
        for each in result.queries
    ]


def purged_lists(result: Reranking) -> list[QueryLists]:
    """What stays of each list that has scores on the scale of the threshold.

    Only items that stay in one are left, so what purging lost is not there.
    """
    return [_purged(each) for each in result.queries]


def _purged(judged: JudgedQuery) -> QueryLists:
    cut = [(each.ranked, each.point.kept) for each in judged.lists if each.point is not None]
    kept = [RankedList(r.name, r.item[:count], r.score[:count]) for r, count in cut if count]
    items = np.unique(np.concatenate([np.zeros(0, np.int64), *(each.item for each in kept)]))
    lists = [RankedList(each.name, np.searchsorted(items, each.item), each.score) for each in kept]
    query = judged.query
    return replace(
        query,
        items=query.items.take(items),
        lists=tuple(lists),
        relevance=query.relevance[items],
    )
