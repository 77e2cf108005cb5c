"""Re-scoring: a list is scored again by the mean of its items' scores with a few chosen items."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices
from spotlab.ranking.item_scores import ItemScores


def feedback_mask(mask: NDArray[np.bool_], count: int) -> NDArray[np.bool_]:
    """Feedback as one flag per item, also if nothing was judged.

    Parameters
    ----------
    mask : (N,) or (0,) bool
        Items that were judged so; empty if nothing was judged.
    count : int
        N, the number of items.

    Returns
    -------
    (N,) bool
        All False if nothing was judged.

    Examples
    --------
    >>> feedback_mask(np.zeros(0, dtype=bool), 2)
    array([False, False])
    """
    return np.asarray(mask, dtype=bool) if len(mask) else np.zeros(count, dtype=bool)


def choose_re_scoring(scores: NDArray[np.float64], choices: Choices) -> NDArray[np.int64]:
    """Choose the items that re-score a list.

    These are the best ``choices.top`` items with a score of ``choices.at_least`` or more, without
    those judged irrelevant (the next one moves up), and every item judged relevant, whatever its
    score. Those that lie more than ``choices.fall`` below the second best are left out.

    Parameters
    ----------
    scores : (N,) float
        Scores of the list; NaN for an item that is not in it.
    choices : Choices
        How many items, which score they need, and what was judged.

    Returns
    -------
    (K,) int
        Places of items, best first, then those judged relevant that are not among the best; of
        equal scores the earlier item first. Empty if no item is good enough.

    Notes
    -----
    Hast (2020), §3; feedback is an addition.

    Examples
    --------
    >>> scores = np.array([0.5, 0.9, 0.85, np.nan, 0.95])
    >>> choose_re_scoring(scores, Choices(top=2))
    array([4, 1])
    >>> choose_re_scoring(scores, Choices(top=2, irrelevant=np.arange(5) == 4))
    array([1, 2])
    >>> choose_re_scoring(scores, Choices(top=3, fall=0.01))
    array([4, 1])
    """
    count = len(scores)
    relevant = feedback_mask(choices.relevant, count)
    able = scores >= choices.at_least  # False for NaN
    able &= ~feedback_mask(choices.irrelevant, count)
    candidates = np.flatnonzero(able)
    best = candidates[np.argsort(-scores[candidates], kind="stable")][: max(choices.top, 0)]
    if len(best) > 1:
        best = best[scores[best] >= scores[best[1]] - choices.fall]
    return np.concatenate([best, np.setdiff1d(np.flatnonzero(relevant), best)])


def re_scoring_weights(
    scores: NDArray[np.float64], chosen: NDArray[np.int64], choices: Choices, power: float
) -> NDArray[np.float64]:
    """The weight of each re-scoring item, score ** power.

    Parameters
    ----------
    scores : (N,) float
        Scores of the list; NaN for an item that is not in it.
    chosen : (K,) int
        Places of the re-scoring items.
    choices : Choices
        What was judged.
    power : float
        0 gives all items the same weight.

    Returns
    -------
    (K,) float
        1 for an item judged relevant, whatever its score.

    Examples
    --------
    >>> re_scoring_weights(np.array([0.5, 0.9]), np.array([1]), Choices(), 2.0).round(2)
    array([0.81])
    """
    relevant = feedback_mask(choices.relevant, len(scores))[chosen]
    known = np.nan_to_num(scores[chosen], nan=0.0)
    return np.where(relevant, 1.0, np.maximum(known, 0.0) ** power)


def re_score(
    scores: NDArray[np.float64], between: ItemScores, choices: Choices
) -> NDArray[np.float64]:
    """Re-score a list by consensus.

    ``new(i) = Σ_k w_k s(k, i) / Σ_k w_k`` over the re-scoring items k with
    ``w_k = score(k) ** choices.weight``; with weight 0 this is the plain mean of the paper.

    Parameters
    ----------
    scores : (N,) float
        Scores of the list; NaN for an item that is not in it, which stays out.
    between : ItemScores
        Scores of the items with each other; NaN is left out of the mean.
    choices : Choices
        In every one of ``iterations`` the last list chooses the re-scoring items by its own scores.

    Returns
    -------
    (N,) float
        On the scale of ``between``; the given scores if no item re-scores.

    Notes
    -----
    Hast (2020), §3. Only the rows of the re-scoring items are computed, in O(n · N).

    Examples
    --------
    >>> from spotlab.ranking.item_scores import MatrixScores
    >>> between = MatrixScores(np.array([[1, 0.8, 0.2], [0.8, 1, 0.4], [0.2, 0.4, 1]]))
    >>> re_score(np.array([0.9, 0.85, 0.6]), between, Choices(top=2)).round(2)
    array([0.9, 0.9, 0.3])
    """
    current = np.array(scores, dtype=np.float64)
    within = ~np.isnan(current)
    for _ in range(choices.iterations):
        chosen = choose_re_scoring(current, choices)
        weights = re_scoring_weights(current, chosen, choices, choices.weight)
        if not weights.any():
            break
        new = _weighted_mean(between.rows(chosen), weights)
        current = np.where(within, new, np.nan)
    return current


def _weighted_mean(rows: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,) weighted mean of (K, N) rows without unknown scores; NaN where all are unknown."""
    unknown = np.isnan(rows)
    if not unknown.any():
        return np.asarray(weights @ rows / weights.sum(), dtype=np.float64)
    total = weights @ ~unknown
    mean = weights @ np.where(unknown, 0.0, rows) / np.where(total > 0, total, 1.0)
    return np.where(total > 0, mean, np.nan)
