"""Precision, recall and F from how likely items are relevant, with intervals and what they need."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.consensus.precision import figures_of
from spotlab.consensus.votes import Votes

Floats = NDArray[np.float64]

NORMAL_95 = 1.959963984540054  # the interval holds 95 % of a normal distribution
DRAWN = (
    "Intervals (95 %) say what other items like these would give, if the probabilities are right "
    "and the items independent."
)


@dataclass(frozen=True, eq=False)
class Estimates:
    """What is believed of items and systems without full truth.

    Attributes
    ----------
    probability : (N,) float
        That an item is relevant; NaN where nothing is known of it.
    precision, recall, f : (S,) float
        NaN where undefined.
    precision_interval, recall_interval, f_interval : (S, 2) float
        Lower and upper end, 95 %; NaN where undefined.
    assumption : str
        What the figures stand on, and their intervals: a caption.
    """

    probability: Floats
    precision: Floats
    recall: Floats
    f: Floats
    precision_interval: Floats
    recall_interval: Floats
    f_interval: Floats
    assumption: str


def estimate(votes: Votes, probability: ArrayLike, assumption: str) -> Estimates:
    """Figures of every system from probabilities of relevance.

    Parameters
    ----------
    votes : Votes
        N items, S systems. A system is judged on the items that it voted on.
    probability : (N,) or (N, S) float
        That an item is relevant; per system where each is judged by others; NaN is left out.
    assumption : str
        What the probabilities stand on.

    Notes
    -----
    The variance is that of the linearised ratio, over drawing the items and over each item being
    relevant or not; from it a Wilson interval with as many trials as give that variance.

    Examples
    --------
    >>> found = estimate(Votes.of([[1], [1], [0]], ["a"]), [1, 0.5, 0.5], "None.")
    >>> found.precision.tolist(), found.recall.tolist(), found.f.round(2).tolist()
    ([0.75], [0.75], [0.75])
    >>> found.precision_interval.round(2).tolist()
    [[0.2, 0.97]]
    """
    p = np.asarray(probability, np.float64)
    systems = len(votes.systems)
    sums = np.zeros((3, systems))  # ΣpS, ΣS, Σp
    for start, part in votes.spans():
        vote, right = _known(part, p[start : start + len(part)])
        sums += np.stack([_sum(right * vote), vote.sum(axis=0), _sum(right)])
    figures = figures_of(*sums)
    spread = np.zeros((3, systems))
    for start, part in votes.spans():
        vote, right = _known(part, p[start : start + len(part)])
        spread += _spread(vote, right, *(np.nan_to_num(figure) for figure in figures))
    base = np.stack([sums[1], sums[2], sums[1] + sums[2]])
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        variance = spread / base / base  # the square of very small sums would be 0
    trials = np.stack([sums[1], sums[2], (sums[1] + sums[2]) / 2])
    low_high = [
        wilson(figure, var, most)
        for figure, var, most in zip(figures, variance, trials, strict=True)
    ]
    item = p if p.ndim == 1 else _mean(p)
    caption = f"{assumption} {DRAWN}"
    return Estimates(item, *figures, low_high[0], low_high[1], low_high[2], caption)


def wilson(figure: Floats, variance: Floats, most: Floats) -> Floats:
    """(S, 2) interval of a share, from its variance.

    Parameters
    ----------
    figure, variance : (S,) float
        NaN where undefined.
    most : (S,) float
        Trials where the variance is 0: one kind of outcome only was seen.

    Examples
    --------
    >>> found = wilson(np.array([0.5, 1]), np.array([0.0025, 0]), np.array([9.0, 9]))
    >>> found.round(2).tolist()
    [[0.4, 0.6], [0.7, 1.0]]
    """
    share = np.clip(figure, 0.0, 1.0)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        trials = np.where(variance > 0, share * (1 - share) / variance, most)
        trials = np.where((share == 0) | (share == 1), most, trials)
    # Wilson's, by how much the middle is drawn to one half: wholly so where there are no trials
    drawn = NORMAL_95**2 / (trials + NORMAL_95**2)
    middle = share + drawn * (0.5 - share)
    half = np.sqrt(drawn * ((1 - drawn) * share * (1 - share) + drawn / 4))
    return np.stack([np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)], axis=-1)


def _known(votes: Floats, p: Floats) -> tuple[Floats, Floats]:
    """Votes with 0 and probabilities with NaN where either is unknown, (n, S) both."""
    right = np.broadcast_to(p[:, None] if p.ndim == 1 else p, votes.shape)
    there = ~np.isnan(votes) & ~np.isnan(right)
    return np.where(there, votes, 0.0), np.where(there, right, np.nan)


def _sum(p: Floats) -> Floats:
    return np.asarray(np.nansum(p, axis=0))


def _mean(p: Floats) -> Floats:
    """(N,) mean over the systems, NaN where none has a value."""
    seen = ~np.isnan(p)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nansum(p, axis=1) / seen.sum(axis=1))


def _spread(vote: Floats, p: Floats, precision: Floats, recall: Floats, f: Floats) -> Floats:
    """(3, S) Σ of the squared deviations that an item is expected to add to each figure."""
    q = 1 - p
    return np.stack(
        [
            _sum(vote**2 * (p * (1 - precision) ** 2 + q * precision**2)),
            _sum(p * (vote - recall) ** 2),
            _sum(p * (2 * vote - f * (vote + 1)) ** 2 + q * (f * vote) ** 2),
        ]
    )
