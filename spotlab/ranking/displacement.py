"""How far from where somebody would have placed them a system places items, by their relevance."""

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
    """How far an answer is from the ideal one.

    Attributes
    ----------
    total : float
        w, in ranks times relevance: the sum of the following two.
    found : float
        w_A, of the items that both have.
    missed : float
        w_B, of the items that only the ideal has; by hypothesis.
    up : (m,) int
        By how many ranks each item of the ideal, in its order, is further up in the answer;
        negative: further down. What is missing went to where the hypothesis places it.
    missing : (m,) bool
        Which items of the ideal the answer lacks.
    hypothesis : "optimist" or "pessimist"
    """

    total: float
    found: float
    missed: float
    up: NDArray[np.int64]
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
    """How far an answer is from the ideal ranking, each rank weighted by the item's relevance.

    Parameters
    ----------
    ideal : (m,) int
        Items as a subject ranks them, best first.
    relevance : (m,) float
        In [0, 1]: for how relevant the subject holds each. A subject's fall with the rank; when one
        of our own lists is the ideal, they need not.
    answer : (k,) int
        Items as the system ranks them. Those that are not in the ideal have no relevance: they
        count only by the ranks that they take.
    missing : "optimist" or "pessimist"
        Where items are taken to be that the answer lacks: right behind it, in the order of the
        ideal; or as far away as can be, displaced by ``size`` ranks each.
    size : int, optional
        N, items of the collection; the pessimist needs it where something is missing.

    Notes
    -----
    Santini, Benchmarking without ground truth, eqs. 17 and 21 to 23. There both lists
    have m items. A longer answer, of k, has the missing ones at k + 1, k + 2…; a shorter one still
    at m + 1, m + 2…, or an empty answer would be a perfect one.

    Examples
    --------
    >>> weighted_displacement([7, 8, 9], [1.0, 0.5, 0.25], [9, 7, 8]).total
    2.0
    >>> answer = [7, 1, 2]
    >>> weighted_displacement([7, 8, 9], [1.0, 0.5, 0.25], answer, "pessimist", size=100).missed
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
    each = weights * np.abs(there - ranks)
    found, missed = float(each[~lacks].sum()), float(each[lacks].sum())
    return Displacement(found + missed, found, missed, ranks - there, lacks, missing)


def quality(
    displacement: float, form: Literal["rational", "exponential"] = "rational", steepness: float = 1
) -> float:
    """A displacement as a quality in [0, 1]; 1 for none.

    Parameters
    ----------
    displacement : float
        w, not negative.
    form : "rational" or "exponential"
        1 / (1 + w) ** p, or exp(−λ w).
    steepness : float
        p or λ, positive.

    Notes
    -----
    Santini, Benchmarking without ground truth, eq. 18.

    Examples
    --------
    >>> quality(3.0), quality(3.0, steepness=2), round(quality(3.0, "exponential", 0.1), 3)
    (0.25, 0.0625, 0.741)
    """
    if not displacement >= 0 or not steepness > 0:
        raise ValueError("a displacement is not negative, and a steepness is positive")
    if form == "rational":
        return float((1 + displacement) ** -steepness)
    if form == "exponential":
        return exp(-steepness * displacement)
    raise ValueError(f"neither rational nor exponential: {form}")


def moved(before: RankedList, after: RankedList) -> NDArray[np.float64]:
    """By how many ranks each item of a list is further up than it was in another.

    Parameters
    ----------
    before, after : RankedList
        Of the same `Items`.

    Returns
    -------
    (K,) float
        For the items of ``after``, in its order: positive if an item went up, NaN if it was not in
        ``before``.

    Examples
    --------
    >>> before = RankedList.ordered("WS", np.array([0.9, 0.8, np.nan]))
    >>> moved(before, RankedList.ordered("CR", np.array([0.5, 0.9, 0.7])))
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
