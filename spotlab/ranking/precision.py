"""Average precision of one ranked list, or of thousands at once."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
