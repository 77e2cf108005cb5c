"""Cuts by rank and by score turned into each other, and into the steps of a slider."""

from __future__ import annotations

import math

import numpy as np

from spotlab.arrays import Floats, Ints

STEPS = 1000  # of a slider over scores


def score_steps(scores: Floats) -> Floats:
    """The score at each step of a slider: the lowest at the end, as if everything is kept.

    Steps are shares of the spots, not of the scores, since scores may crowd anywhere.

    Parameters
    ----------
    scores : (N,) float
        NaN where there is none; infinite ones have no step.

    Returns
    -------
    (STEPS + 1,) float
        Falling; empty if no spot has a score.

    Examples
    --------
    >>> steps = score_steps(np.array([0.1, np.nan, 0.9, 0.5]))
    >>> steps[[0, 500, 1000]].tolist()
    [0.9, 0.5, 0.1]
    """
    known = scores[np.isfinite(scores)]
    if not len(known):
        return np.zeros(0)
    shares = np.linspace(1, 0, STEPS + 1)
    return np.quantile(known, shares, method="nearest")


def score_digits(low: float, high: float) -> int:
    """How many digits after the point tell about ten thousand scores of this range apart.

    Examples
    --------
    >>> score_digits(0.0, 1.0), score_digits(-250.0, 1200.0), score_digits(0.5, 0.5)
    (4, 1, 4)
    """
    span = high - low
    return 4 if span <= 0 else min(10, max(1, 4 - math.floor(math.log10(span))))


def printed_score(score: float, digits: int) -> float:
    """The score with so many digits after the point, never above it: it keeps what the score keeps.

    Examples
    --------
    >>> printed_score(0.6979056, 5), printed_score(0.5, 4), printed_score(-0.12345, 3)
    (0.6979, 0.5, -0.124)
    """
    if not math.isfinite(score):
        return score
    printed = round(score, digits)
    return printed if printed <= score else round(printed - 10.0**-digits, digits)


def step_of_score(steps: Floats, score: float) -> int:
    """The slider's step that keeps what this score keeps, the last one where several do.

    Examples
    --------
    >>> step_of_score(np.array([0.9, 0.5, 0.5, 0.1]), 0.5)
    2
    >>> step_of_score(np.array([0.9, 0.5, 0.5, 0.1]), 0.95)
    0
    """
    return max(0, int(np.searchsorted(-steps, -score, side="right")) - 1)


def score_keeping(scores: Floats, kept: int) -> float | None:
    """The score at which about this many spots of all are kept; None for all of them.

    Where none is kept it lies a little above the best score.

    Examples
    --------
    >>> score_keeping(np.array([0.1, 0.9, 0.5]), 2), score_keeping(np.array([0.1, 0.9]), 2)
    (0.5, None)
    >>> score_keeping(np.array([0.1, 0.9]), 0)
    0.90001
    """
    known = np.sort(scores[~np.isnan(scores)])[::-1]
    if kept >= len(known):
        return None
    if kept > 0:
        return float(known[kept - 1])
    best, digits = float(known[0]), score_digits(float(known[-1]), float(known[0]))
    return printed_score(best, digits) + 10.0**-digits if math.isfinite(best) else best


def rank_keeping(lengths: Ints, kept: int) -> int | None:
    """The rank at which about this many spots of all are kept; None for all of them.

    Parameters
    ----------
    lengths : (Q,) int
        Of the queries' lists.

    Examples
    --------
    >>> rank_keeping(np.array([2, 5]), 6), rank_keeping(np.array([2, 5]), 7)
    (4, None)
    """
    if kept >= lengths.sum():
        return None
    ranks = np.arange(int(lengths.max(initial=0)) + 1)
    longer = len(lengths) - np.searchsorted(np.sort(lengths), ranks, side="left")
    total = np.cumsum(longer) - len(lengths)  # of rank 0 nothing
    return int(np.argmin(np.abs(total - kept)))
