"""Re-scoring: a list is scored anew by the mean of its items' scores with a few chosen ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.ranking.fusion import Choices
from spotlab.ranking.item_scores import ItemScores


def judged(mask: NDArray[np.bool_], count: int) -> NDArray[np.bool_]:
    """(N,) what was judged so, also where nothing was judged at all."""
    return np.asarray(mask, dtype=bool) if len(mask) else np.zeros(count, dtype=bool)


def choose_re_scoring(scores: NDArray[np.float64], choices: Choices) -> NDArray[np.int64]:
    """Choose the items that re-score a list.

    The best ``choices.top`` of the list with ``choices.at_least`` or more, without those judged
    irrelevant (the next one moves up), and every item judged relevant, wherever it is and however
    many there are.

    Parameters
    ----------
    scores : (N,) float
        Of the list; NaN for items that are not in it.
    choices : Choices

    Returns
    -------
    (K,) int
        Items, best first, those judged relevant outside the best at the end; of items with the
        same score the earlier come first. Empty where no item is good enough.

    Examples
    --------
    >>> scores = np.array([0.5, 0.9, 0.85, np.nan, 0.95])
    >>> choose_re_scoring(scores, Choices(top=2))
    array([4, 1])
    >>> choose_re_scoring(scores, Choices(top=2, irrelevant=np.arange(5) == 4))
    array([1, 2])
    """
    count = len(scores)
    relevant = judged(choices.relevant, count)
    able = scores >= choices.at_least  # False for NaN
    able &= ~judged(choices.irrelevant, count)
    candidates = np.flatnonzero(able)
    best = candidates[np.argsort(-scores[candidates], kind="stable")][: max(choices.top, 0)]
    return np.concatenate([best, np.setdiff1d(np.flatnonzero(relevant), best)])


def re_scoring_weights(
    scores: NDArray[np.float64], chosen: NDArray[np.int64], choices: Choices, power: float
) -> NDArray[np.float64]:
    """(K,) score ** power; 1 for an item judged relevant, which is sure whatever its score is."""
    relevant = judged(choices.relevant, len(scores))[chosen]
    known = np.nan_to_num(scores[chosen], nan=0.0)
    return np.where(relevant, 1.0, np.maximum(known, 0.0) ** power)


def re_score(
    scores: NDArray[np.float64], between: ItemScores, choices: Choices
) -> NDArray[np.float64]:
    """Re-score a list by consensus (Hast 2020, §3).

    ``new(i) = Σ_k w_k s(k, i) / Σ_k w_k`` over the re-scoring items k with
    ``w_k = score(k) ** choices.weight``; with weight 0 the plain mean of the paper. Only the rows
    of the re-scoring items are computed, so it takes O(n·N).

    Parameters
    ----------
    scores : (N,) float
        Of the list; NaN for items that are not in it, which stay out.
    between : ItemScores
        A score that is NaN there is left out of the mean.
    choices : Choices
        After the first of ``iterations`` the list that was made chooses the re-scoring items, by
        its own scores.

    Returns
    -------
    (N,) float
        On the scale of ``between``. The scores given where nothing re-scores.

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
    """(N,) of (K, N) rows, without what is not known; NaN where nothing is."""
    unknown = np.isnan(rows)
    if not unknown.any():
        return np.asarray(weights @ rows / weights.sum(), dtype=np.float64)
    total = weights @ ~unknown
    mean = weights @ np.where(unknown, 0.0, rows) / np.where(total > 0, total, 1.0)
    return np.where(total > 0, mean, np.nan)
