"""Displacement of a system's ranking from the one a subject would have given, by relevance.

Santini, Benchmarking without ground truth, §5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.model.ranked_list import RankedList
from spotlab.representation import short_repr

Missing = Literal["optimist", "pessimist"]


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


def quality(
    displacement: float, form: Literal["rational", "exponential"] = "rational", steepness: float = 1
) -> float:
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
