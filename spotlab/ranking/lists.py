"""Several ranked lists of the same items side by side: aligned, normalised, ranked, counted."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from spotlab.model.ranked_list import RankedList
from spotlab.ranking.fusion import Choices, Setting


class Normalisation(IntEnum):
    """What is done to the scores of each list before lists are fused.

    Scores of one scoring function need nothing (Hast 2020, §2); those of different systems do.
    """

    NONE = 0
    """As they are."""
    MIN_MAX = 1
    """(s − min) / (max − min): from 0 to 1; 1 for all where all are the same."""
    SUM = 2
    """(s − min) / sum of these: the list sums to 1; 1/K each where all K are the same."""
    STANDARD = 3
    """(s − mean) / standard deviation; 0 for all where all are the same."""


NORMALISE = Setting(
    "normalise", "Scores: 0 as they are, 1 min–max, 2 sum to 1, 3 standard deviations", 0.0
)


def stack(lists: Sequence[RankedList], count: int) -> NDArray[np.float64]:
    """Align lists: (L, N) the score that each gives each of ``count`` items, NaN for none.

    Examples
    --------
    >>> stack([RankedList("a", [2, 0], [0.9, 0.5])], 3)
    array([[0.5, nan, 0.9]])
    """
    scores = np.full((len(lists), count), np.nan)
    for row, ranked in zip(scores, lists, strict=True):
        row[ranked.item] = ranked.score
    return scores


def normalise(lists: NDArray[np.float64], how: Normalisation) -> NDArray[np.float64]:
    """Bring the scores of each list on one scale (Wu, Crestani, Bi 2006; Montague, Aslam 2001).

    Parameters
    ----------
    lists : (L, N) float
        NaN where a list has not found an item.
    how : Normalisation

    Returns
    -------
    (L, N) float

    Examples
    --------
    >>> normalise(np.array([[1.0, 3.0, np.nan, 2.0]]), Normalisation.MIN_MAX)
    array([[0. , 1. , nan, 0.5]])
    """
    if how is Normalisation.NONE or not lists.size:
        return lists
    result = np.full(lists.shape, np.nan)
    for row, into in zip(lists, result, strict=True):
        found = ~np.isnan(row)
        if found.any():
            into[found] = _normalise_one(row[found], how)
    return result


def _normalise_one(scores: NDArray[np.float64], how: Normalisation) -> NDArray[np.float64]:
    low, high = scores.min(), scores.max()
    if high == low:
        same = {Normalisation.MIN_MAX: 1.0, Normalisation.SUM: 1 / len(scores)}
        return np.full(len(scores), same.get(how, 0.0))
    if how is Normalisation.STANDARD:
        return np.asarray((scores - scores.mean()) / scores.std())
    shifted = scores - low
    return np.asarray(shifted / (shifted.sum() if how is Normalisation.SUM else high - low))


def normalised(lists: NDArray[np.float64], choices: Choices) -> NDArray[np.float64]:
    """Normalise as ``choices.more["normalise"]`` says.

    Raises
    ------
    ValueError
        That number stands for nothing.
    """
    return normalise(lists, Normalisation(int(choices.more.get(NORMALISE.name, NORMALISE.usual))))


def sum_of_found(lists: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """(N,) the sum of the scores that the lists give, and (N,) how many lists found the item."""
    total = np.zeros(lists.shape[1])
    count = np.zeros(lists.shape[1], dtype=np.int64)
    for row in lists:  # list by list: what is added to stays in the cache
        found = ~np.isnan(row)
        np.add(total, row, out=total, where=found)
        count += found
    return total, count


def mean_of_found(lists: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,) the mean score over the lists that found an item; NaN where none has.

    Examples
    --------
    >>> mean_of_found(np.array([[0.9, np.nan, np.nan], [0.7, 0.6, np.nan]]))
    array([0.8, 0.6, nan])
    """
    total, count = sum_of_found(lists)
    return only_found(total / np.maximum(count, 1), count)


def only_found(scores: NDArray[np.float64], count: NDArray[np.int64]) -> NDArray[np.float64]:
    """(N,) the scores, NaN for items that no list has found."""
    return np.where(count > 0, scores, np.nan)


def ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rank by falling score, the best is 1; items of the same score share the mean of their ranks.

    Shared, so that a fusion of ranks does not depend on the order in which items are stored.

    Examples
    --------
    >>> ranks(np.array([0.2, np.nan, 0.9, 0.2]))
    array([2.5, nan, 1. , 2.5])
    """
    from scipy.stats import rankdata  # noqa: PLC0415 - a quarter of a second at the start

    result = np.full(len(scores), np.nan)
    found = ~np.isnan(scores)
    result[found] = rankdata(-scores[found], method="average")
    return result
