"""Displacement of a system's ranking from the one a subject would have given, by relevance.

Santini, Benchmarking without ground truth, §5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, fsum
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.model.ranked_list import RankedList
from spotlab.representation import short_repr

Missing = Literal["optimist", "pessimist"]
QualityForm = Literal["rational", "exponential"]


@dataclass(frozen=True, eq=False)
class Displacement:
    """Displacement of an answer from the ideal ranking of m items.

    Attributes
    ----------
    total : float
        w, in ranks times relevance: the sum of ``common_part`` and ``missing_part``.
    common_part : float
        w_A, the part of the items that both rankings have, in ranks times relevance.
    missing_part : float
        w_B, the part of the items that only the ideal has, in ranks times relevance.
    rank_gain : (m,) int
        How many ranks higher each item of the ideal is in the answer; negative if it is lower. A
        missing item is at the rank that the hypothesis gives it.
    missing : (m,) bool
        Which items of the ideal the answer lacks.
    hypothesis : {"optimist", "pessimist"}
        At which ranks missing items are assumed to be.
    """

    total: float
    common_part: float
    missing_part: float
    rank_gain: NDArray[np.int64]
    missing: NDArray[np.bool_]
    hypothesis: Missing

    __repr__ = short_repr


def weighted_displacement(
    ideal: Sequence[int] | NDArray[np.int64],
    relevance: ArrayLike,
    answer: Sequence[int] | NDArray[np.int64],
    missing: Missing = "optimist",
    size: int | None = None,
) -> Displacement:
    """The displacement of an answer from the ideal ranking, weighted by relevance.

    Parameters
    ----------
    ideal : (m,) int
        Items as a subject ranks them, best first.
    relevance : (m,) float
        How relevant each of them is to the subject, in [0, 1]. It decreases with the rank for a
        subject, but need not if a list of a system is the ideal.
    answer : (k,) int
        Items as the system ranks them. Items that are not in the ideal have no relevance and count
        only by the ranks that they take.
    missing : {"optimist", "pessimist"}
        Where items that the answer lacks are assumed to be: directly behind it, in the order of the
        ideal; or as far away as possible, displaced by ``size`` ranks each.
    size : int, optional
        N, the number of items of the collection; the pessimist needs it if an item is missing.

    Returns
    -------
    Displacement
        All 0 for an empty ideal.

    Raises
    ------
    ValueError
        An item is listed twice, relevances do not fit the ideal or are outside [0, 1], or ``size``
        is missing or too small.

    Notes
    -----
    Santini, Benchmarking without ground truth, eq. 17 and eqs. 21 to 23. There both lists have m
    items. Behind a longer answer, of k items, missing items are at k + 1, k + 2, …; behind a
    shorter one they still are at m + 1, m + 2, …, or an empty answer would be perfect.

    Examples
    --------
    >>> weighted_displacement([7, 8, 9], [1.0, 0.5, 0.25], [9, 7, 8]).total
    2.0
    >>> given = [7, 8, 9], [1.0, 0.5, 0.25], [7, 1, 2]
    >>> weighted_displacement(*given, "pessimist", size=100).missing_part
    75.0
    """
    if missing not in ("optimist", "pessimist"):
        raise ValueError(f"neither optimist nor pessimist: {missing}")
    weights = _weights(relevance, len(ideal))
    place = _ranks(answer)
    ranks = np.arange(1, len(ideal) + 1)
    there = np.array([place.get(item, 0) for item in _ranks(ideal)], dtype=np.int64)
    lacks = there == 0
    count = int(np.count_nonzero(lacks))
    if missing == "optimist":
        there[lacks] = max(len(place), len(ideal)) + np.arange(1, count + 1)
    elif count:
        if size is None or size < len(place) + count:
            raise ValueError("the pessimist has to know how many items there are in all")
        there[lacks] = ranks[lacks] + size
    displaced = weights * np.abs(there - ranks)
    common, absent = float(displaced[~lacks].sum()), float(displaced[lacks].sum())
    return Displacement(common + absent, common, absent, ranks - there, lacks, missing)


def quality(displacement: float, form: QualityForm = "rational", steepness: float = 1) -> float:
    """Turn a displacement into a quality.

    Parameters
    ----------
    displacement : float
        w ≥ 0, in ranks times relevance.
    form : {"rational", "exponential"}
        1 / (1 + w) ** p, or exp(−λ w).
    steepness : float
        p or λ, above 0.

    Returns
    -------
    float
        In [0, 1]; 1 for no displacement.

    Raises
    ------
    ValueError
        The displacement is negative, the steepness not positive, or the form unknown.

    Notes
    -----
    Santini, Benchmarking without ground truth, eq. 18.

    Examples
    --------
    >>> quality(3.0), quality(3.0, steepness=2), round(quality(3.0, "exponential", 0.1), 3)
    (0.25, 0.0625, 0.741)
    """
    if not displacement >= 0 or not steepness > 0:
        raise ValueError("a displacement must be 0 or more, and a steepness above 0")
    if form == "rational":
        return float((1 + displacement) ** -steepness)
    if form == "exponential":
        return exp(-steepness * displacement)
    raise ValueError(f"neither rational nor exponential: {form}")


def rank_gains(before: RankedList, after: RankedList) -> NDArray[np.float64]:
    """Tell how many ranks higher each item of a list is than in another list.

    Parameters
    ----------
    before, after : RankedList
        Two lists of the same `Items`.

    Returns
    -------
    (K,) float
        For the items of ``after``, in its order: positive if an item went up, NaN if it was not in
        ``before``; empty for an empty list.

    Examples
    --------
    >>> before = RankedList.ordered("WS", np.array([0.9, 0.8, np.nan]))
    >>> rank_gains(before, RankedList.ordered("CR", np.array([0.5, 0.9, 0.7])))
    array([ 1., nan, -2.])
    """
    last = max((int(ranked.item.max()) for ranked in (before, after) if len(ranked)), default=-1)
    rank = np.full(last + 1, np.nan)
    rank[before.item] = np.arange(1, len(before) + 1)
    up: NDArray[np.float64] = rank[after.item] - np.arange(1, len(after) + 1)
    return up


def _ranks(items: Sequence[int] | NDArray[np.int64]) -> dict[int, int]:
    ranks = {int(item): rank for rank, item in enumerate(items, 1)}
    if len(ranks) != len(items):
        raise ValueError("an item is in a ranked list twice")
    return ranks


def _weights(relevance: ArrayLike, count: int) -> NDArray[np.float64]:
    weights = np.asarray(relevance, dtype=np.float64).reshape(-1)
    if len(weights) != count:
        raise ValueError(f"{len(weights)} relevances for {count} items")
    if not ((weights >= 0) & (weights <= 1)).all():
        raise ValueError("a relevance is not between 0 and 1")
    return weights


BLOCK = 32  # queries sorted at a time, so that what is in between stays in the processor's cache


@dataclass(frozen=True, eq=False)
class AveragePrecisions:
    """Average precision of Q queries.

    Attributes
    ----------
    per_query : (Q,) float
        In [0, 1]; NaN (undefined) if nothing is relevant.
    mean : float or None
        mAP, the mean over the queries for which it is defined; None if there is none.
    defined : int
        Number of these queries.
    tied : (Q,) int
        Number of items that share their score with an item of the other kind (relevant or not).
        Their order is that of the items, and another order would give another average precision.
    """

    per_query: NDArray[np.float64]
    mean: float | None
    defined: int
    tied: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _InRankOrder:
    """Relevance of items in rank order; no item is relevant beyond the end of a list."""

    relevant: NDArray[np.bool_]
    length: NDArray[np.int64]
    counts: NDArray[np.int64]
    tied: NDArray[np.int64]


def average_precision(relevant: NDArray[np.bool_], count: int) -> float | None:
    """Average precision of one ranked list.

    Parameters
    ----------
    relevant : (K,) bool
        Whether each item of the list is relevant, in rank order.
    count : int
        Number of relevant items in the collection, in the list or not.

    Returns
    -------
    float or None
        The mean of the precision at each relevant item, where those outside the list count as 0; in
        [0, 1]. None if nothing is relevant.

    Raises
    ------
    ValueError
        The list has more than ``count`` relevant items.

    Notes
    -----
    Hast (2020), eq. 3.

    Examples
    --------
    >>> average_precision(np.array([True, False, True]), 4)
    0.41666666666666663
    """
    places = np.flatnonzero(np.asarray(relevant, dtype=bool))
    if len(places) > count:
        raise ValueError(f"{len(places)} relevant items in the list, but only {count} in all")
    if not count:
        return None
    precision = np.arange(1, len(places) + 1) / (places + 1)
    # one after the other, as everybody does it: numpy's sum differs from that in the last digit
    return float(np.cumsum(precision)[-1] / count) if len(places) else 0.0


def mean_average_precision(
    scores: NDArray[Any], relevant: NDArray[np.bool_], counts: ArrayLike | None = None
) -> AveragePrecisions:
    """Average precision of every query, and the mean over them.

    Parameters
    ----------
    scores : (Q, N) float
        Of every item for every query; larger is better, NaN for an item that is not in the list.
        Items of equal score keep the order of the items.
    relevant : (Q, N) bool
        Whether each item is relevant to each query.
    counts : (Q,) int, optional
        Number of relevant items in the collection; by default those of ``relevant``, in the list or
        not.

    Returns
    -------
    AveragePrecisions
        NaN for a query to which nothing is relevant.

    Raises
    ------
    ValueError
        Shapes differ, or a list has more relevant items than its count.

    Notes
    -----
    Hast (2020), eq. 3. The numbers equal ``map`` of trec_eval to the last bit if no two scores
    tie; trec_eval compares scores as 32-bit floats and orders ties by name.

    Examples
    --------
    >>> scores = np.array([[0.9, 0.8, 0.7, np.nan], [0.9, 0.8, 0.7, 0.6]])
    >>> result = mean_average_precision(scores, np.array([[1, 0, 1, 1], [0, 0, 0, 0]]))
    >>> result.per_query.round(3), result.defined
    (array([0.556,   nan]), 1)
    """
    ranked = _in_rank_order(scores, relevant, counts)
    query, place = np.divmod(np.flatnonzero(ranked.relevant), max(ranked.relevant.shape[1], 1))
    hits = np.bincount(query, minlength=len(ranked.counts))
    before = np.cumsum(hits) - hits
    precision = (np.arange(1, len(query) + 1) - before[query]) / (place + 1)
    with np.errstate(invalid="ignore"):
        # bincount adds one after the other, as trec_eval does
        per_query = np.bincount(query, precision, len(hits)) / ranked.counts
    defined = per_query[ranked.counts > 0]
    mean = fsum(defined) / len(defined) if len(defined) else None
    return AveragePrecisions(per_query, mean, len(defined), ranked.tied)


def _in_rank_order(
    scores: NDArray[Any], relevant: NDArray[np.bool_], counts: ArrayLike | None
) -> _InRankOrder:
    scores, relevant = np.atleast_2d(scores), np.atleast_2d(np.asarray(relevant, dtype=bool))
    if scores.shape != relevant.shape:
        raise ValueError(f"scores are {scores.shape}, relevance is {relevant.shape}")
    if not np.issubdtype(scores.dtype, np.floating):
        scores = scores.astype(np.float64)
    queries, items = scores.shape
    totals = np.count_nonzero(relevant, axis=1) if counts is None else np.asarray(counts, np.int64)
    if totals.shape != (queries,):
        raise ValueError(f"{totals.size} counts for {queries} queries")
    in_order = _InRankOrder(
        np.empty(relevant.shape, dtype=bool), np.empty(queries, np.int64), totals,
        np.zeros(queries, dtype=np.int64),
    )  # fmt: skip
    for start in range(0, queries, BLOCK):
        block = slice(start, start + BLOCK)
        part, length, tied = in_order.relevant[block], in_order.length[block], in_order.tied[block]
        order, values = _stable_order(scores[block])
        length[:] = items - np.count_nonzero(np.isnan(values), axis=1)
        part[:] = relevant[block].take(order)
        if (length < items).any():
            part[np.arange(items) >= length[:, None]] = False
        for row in np.flatnonzero((values[:, 1:] == values[:, :-1]).any(axis=1)):
            tied[row] = _tied_with_the_other_kind(values[row, : length[row]], part[row])
    if (np.count_nonzero(in_order.relevant, axis=1) > totals).any():
        raise ValueError("fewer relevant items counted than there are in a list")
    return in_order


def _stable_order(scores: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Flat positions of the items by decreasing score, and the negated scores in that order."""
    negative = -scores
    order = np.argsort(negative, axis=1)  # some five times faster than a stable sort
    rows = np.arange(len(negative))[:, None] * negative.shape[1]
    values = negative.take(order + rows)
    tied = (values[:, 1:] == values[:, :-1]).any(axis=1)
    if tied.any():
        order[tied] = np.argsort(negative[tied], axis=1, kind="stable")
    return order + rows, values


def _tied_with_the_other_kind(values: NDArray[Any], relevant: NDArray[np.bool_]) -> int:
    """Number of items that share their score with an item of the other relevance."""
    run = np.cumsum(np.concatenate([[0], values[1:] != values[:-1]]))
    size = np.bincount(run)
    hits = np.bincount(run, relevant[: len(values)])
    return int(size[(hits > 0) & (hits < size)].sum())
