"""Precision, recall and F from probabilities of relevance, with intervals and assumptions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Floats
from spotlab.consensus.precision import figures_of
from spotlab.consensus.votes import Votes
from spotlab.libraries import special

NORMAL_95 = 1.959963984540054  # the interval holds 95 % of a normal distribution
LEAST_BETA = 0.5  # smallest a + b of a Beta distribution; below it nearly everything is at 0 and 1
DRAWN = (
    "Intervals (95 %) show what other items like these would give, if the probabilities are "
    "right and the items independent."
)


@dataclass(frozen=True, eq=False)
class Estimates:
    """Estimates for items and systems without complete truth.

    Attributes
    ----------
    probability : (N,) float
        Probability that an item is relevant, in [0, 1]; NaN where nothing is known.
    precision, recall, f : (S,) float
        In [0, 1]; NaN where undefined.
    precision_interval, recall_interval, f_interval : (S, 2) float
        Lower and upper end of the 95 % interval; NaN where undefined.
    assumption : str
        Assumption behind figures and intervals, for a caption.
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
    """Estimate the figures of every system from probabilities of relevance.

    Parameters
    ----------
    votes : Votes
        N items, S systems. A system is judged on the items on which its vote is known.
    probability : (N,) or (N, S) float
        Probability that an item is relevant, in [0, 1], for all systems or for each; items with NaN
        are left out.
    assumption : str
        Assumption behind the probabilities, for a caption.

    Returns
    -------
    Estimates
        NaN where undefined.

    Notes
    -----
    Lamiroy & Sun (2013), eqs. 11 and 12, with any probabilities. The variance is that of the
    linearised ratio, over drawing the items and over each item being relevant or not. It gives a
    Wilson interval with as many trials as have that variance (Wilson 1927).

    Examples
    --------
    >>> estimates = estimate(Votes.of([[1], [1], [0]], ["a"]), [1, 0.5, 0.5], "None.")
    >>> estimates.precision.tolist(), estimates.recall.tolist(), estimates.f.round(2).tolist()
    ([0.75], [0.75], [0.75])
    >>> estimates.precision_interval.round(2).tolist()
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
        wilson(figure, var, count)
        for figure, var, count in zip(figures, variance, trials, strict=True)
    ]
    item = p if p.ndim == 1 else _mean(p)
    caption = f"{assumption} {DRAWN}"
    return Estimates(item, *figures, low_high[0], low_high[1], low_high[2], caption)


def wilson(figure: Floats, variance: Floats, trials: Floats) -> Floats:
    """Interval of shares (95 %) from their variance.

    Parameters
    ----------
    figure : (S,) float
        Shares in [0, 1]; NaN where undefined.
    variance : (S,) float
        Their variance.
    trials : (S,) float
        Number of trials to assume where the variance is 0, because all outcomes were equal.

    Returns
    -------
    (S, 2) float
        Lower and upper end, within [0, 1]; NaN where undefined.

    Notes
    -----
    Wilson (1927), with the number of trials that has the given variance.

    Examples
    --------
    >>> interval = wilson(np.array([0.5, 1]), np.array([0.0025, 0]), np.array([9.0, 9]))
    >>> interval.round(2).tolist()
    [[0.4, 0.6], [0.7, 1.0]]
    """
    share = np.clip(figure, 0.0, 1.0)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        effective = np.where(variance > 0, share * (1 - share) / variance, trials)
        effective = np.where((share == 0) | (share == 1), trials, effective)
    # Wilson's, by how much the middle is drawn to one half: wholly so where there are no trials
    drawn = NORMAL_95**2 / (effective + NORMAL_95**2)
    middle = share + drawn * (0.5 - share)
    half = np.sqrt(drawn * ((1 - drawn) * share * (1 - share) + drawn / 4))
    return np.stack([np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)], axis=-1)


def counted_interval(figure: Floats, variance: Floats, trials: Floats) -> Floats:
    """Interval (95 %) of shares that are a number of items out of another.

    Parameters
    ----------
    figure : (S,) float
        Estimated shares in [0, 1]; NaN where undefined.
    variance : (S,) float
        Their variance; where it is 0 the share is known.
    trials : (S,) float
        Number of items out of which each share is counted, such as the items that a system votes
        for. It can be a fraction, if it is estimated.

    Returns
    -------
    (S, 2) float
        Lower and upper end, within [0, 1]; NaN where undefined.

    Notes
    -----
    Quantiles of the Beta distribution with that mean and variance, half an item further out: a
    share of three items is 0, 1/3, 2/3 or 1, and an interval has to reach these.

    Examples
    --------
    >>> interval = counted_interval(np.array([0.8, 0.8, 1]), np.array([0.01, 0.01, 0]),
    ...                             np.array([3.0, 100, 9]))
    >>> interval.round(2).tolist()
    [[0.41, 1.0], [0.57, 0.96], [1.0, 1.0]]
    """
    count = np.maximum(trials, 1.0)
    share = np.clip(figure, 0.5 / (count + 1), 1 - 0.5 / (count + 1))
    with np.errstate(invalid="ignore", divide="ignore"):
        size = np.maximum(share * (1 - share) / variance - 1, LEAST_BETA)
    ends = [
        special.betaincinv(share * size, (1 - share) * size, tail) + step / count
        for tail, step in ((0.025, -0.5), (0.975, 0.5))
    ]
    low, high = np.minimum(ends[0], figure), np.maximum(ends[1], figure)
    known = variance <= 0
    ends = [np.where(known, figure, np.clip(end, 0.0, 1.0)) for end in (low, high)]
    return np.stack([np.where(np.isnan(figure), np.nan, end) for end in ends], axis=-1)


def _known(votes: Floats, p: Floats) -> tuple[Floats, Floats]:
    """Votes with 0 and probabilities with NaN where either is unknown, (n, S) each."""
    right = np.broadcast_to(p[:, None] if p.ndim == 1 else p, votes.shape)
    there = ~np.isnan(votes) & ~np.isnan(right)
    return np.where(there, votes, 0.0), np.where(there, right, np.nan)


def _sum(p: Floats) -> Floats:
    return np.asarray(np.nansum(p, axis=0))


def _mean(p: Floats) -> Floats:
    """Mean over the systems, (N,); NaN where none has a value."""
    seen = ~np.isnan(p)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nansum(p, axis=1) / seen.sum(axis=1))


def _spread(vote: Floats, p: Floats, precision: Floats, recall: Floats, f: Floats) -> Floats:
    """Sum of the squared deviations that an item is expected to add to each figure, (3, S)."""
    q = 1 - p
    return np.stack(
        [
            _sum(vote**2 * (p * (1 - precision) ** 2 + q * precision**2)),
            _sum(p * (vote - recall) ** 2),
            _sum(p * (2 * vote - f * (vote + 1)) ** 2 + q * (f * vote) ** 2),
        ]
    )
