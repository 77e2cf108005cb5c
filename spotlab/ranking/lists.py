"""Several ranked lists of the same items side by side: aligned, normalised, ranked and counted."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from spotlab.model.ranked_list import RankedList
from spotlab.ranking.fusion import Choices, Setting


class Normalisation(IntEnum):
    """How the scores of each list are normalised before lists are fused.

    Scores of one scoring function need no normalisation (Hast (2020), §2); those of different
    systems do.
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


def stack_lists(lists: Sequence[RankedList], count: int) -> NDArray[np.float64]:
    """Align lists of the same items.

    Parameters
    ----------
    lists : sequence of RankedList
        L lists.
    count : int
        N, the number of items.

    Returns
    -------
    (L, N) float
        The score that each list gives each item; NaN if the list does not have the item.

    Examples
    --------
    >>> stack_lists([RankedList("a", [2, 0], [0.9, 0.5])], 3)
    array([[0.5, nan, 0.9]])
    """
    scores = np.full((len(lists), count), np.nan)
    for row, ranked in zip(scores, lists, strict=True):
        row[ranked.item] = ranked.score
    return scores


def normalise(lists: NDArray[np.float64], how: Normalisation) -> NDArray[np.float64]:
    """Bring the scores of each list to one scale.

    Parameters
    ----------
    lists : (L, N) float
        NaN if a list does not have an item.
    how : Normalisation
        What to do.

    Returns
    -------
    (L, N) float
        NaN stays NaN; `Normalisation` says what a list of equal scores gives.

    Notes
    -----
    Montague & Aslam (2001); Wu, Crestani & Bi (2006).

    Examples
    --------
    >>> normalise(np.array([[1.0, 3.0, np.nan, 2.0]]), Normalisation.MIN_MAX)
    array([[0. , 1. , nan, 0.5]])
    """
    if how is Normalisation.NONE or not lists.size:
        return lists
    result = np.full(lists.shape, np.nan)
    for row, into in zip(lists, result, strict=True):
        is_listed = ~np.isnan(row)
        if is_listed.any():
            into[is_listed] = _normalise_one(row[is_listed], how)
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


def normalise_by_setting(lists: NDArray[np.float64], choices: Choices) -> NDArray[np.float64]:
    """Normalise lists as the setting "normalise" says.

    Parameters
    ----------
    lists : (L, N) float
        NaN if a list does not have an item.
    choices : Choices
        ``choices.more["normalise"]`` is the number of a `Normalisation`.

    Returns
    -------
    (L, N) float
        See `normalise`.

    Raises
    ------
    ValueError
        There is no normalisation of that number.

    Examples
    --------
    >>> normalise_by_setting(np.array([[1.0, 3.0, 2.0]]), Choices(more={"normalise": 1}))
    array([[0. , 1. , 0.5]])
    """
    return normalise(lists, Normalisation(int(choices.more.get(NORMALISE.name, NORMALISE.default))))


def sum_scores(lists: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Sum the scores that the lists give each item.

    Parameters
    ----------
    lists : (L, N) float
        NaN if a list does not have an item.

    Returns
    -------
    total : (N,) float
        Sum of scores; 0 for an item that no list has.
    count : (N,) int
        How many lists have the item.
    """
    total = np.zeros(lists.shape[1])
    count = np.zeros(lists.shape[1], dtype=np.int64)
    for row in lists:  # list by list: what is added to stays in the cache
        is_listed = ~np.isnan(row)
        np.add(total, row, out=total, where=is_listed)
        count += is_listed
    return total, count


def mean_scores(lists: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean score over the lists that have an item.

    Parameters
    ----------
    lists : (L, N) float
        NaN if a list does not have an item.

    Returns
    -------
    (N,) float
        NaN for an item that no list has.

    Examples
    --------
    >>> mean_scores(np.array([[0.9, np.nan, np.nan], [0.7, 0.6, np.nan]]))
    array([0.8, 0.6, nan])
    """
    total, count = sum_scores(lists)
    return mask_missing(total / np.maximum(count, 1), count)


def mask_missing(scores: NDArray[np.float64], count: NDArray[np.int64]) -> NDArray[np.float64]:
    """Keep the scores of the items that some list has.

    Parameters
    ----------
    scores : (N,) float
        Scores of all items.
    count : (N,) int
        How many lists have each item.

    Returns
    -------
    (N,) float
        NaN for an item that no list has.

    Examples
    --------
    >>> mask_missing(np.array([0.5, 0.0]), np.array([2, 0]))
    array([0.5, nan])
    """
    return np.where(count > 0, scores, np.nan)


def count_lists(lists: NDArray[np.float64]) -> NDArray[np.int64]:
    """Count the lists that have each item.

    Parameters
    ----------
    lists : (L, N) float
        NaN if a list does not have an item.

    Returns
    -------
    (N,) int

    Examples
    --------
    >>> count_lists(np.array([[0.9, np.nan, np.nan], [0.7, 0.6, np.nan]]))
    array([2, 1, 0])
    """
    count = np.zeros(lists.shape[1], dtype=np.int64)
    for row in lists:
        count += ~np.isnan(row)
    return count
