"""Compare rankings of systems, and measure how certain a ranking without truth is.

The percentile bootstrap (Efron & Tibshirani, 1993, ch. 13), over items or over pages. The weights
are fixed, so P(δ) of an item is the same in every draw, and a draw only says how often each
different row of votes, or each page, occurs. Nothing is counted again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Floats
from spotlab.consensus.precision import DIGITS, figures_of
from spotlab.consensus.resampling import draw_items, draw_pages
from spotlab.consensus.votes import Votes
from spotlab.consensus.weights import Weights
from spotlab.libraries import stats
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr

ASSUMPTION = (
    "Share of {draws} draws of {what}, with replacement, in which one system's F without truth is "
    "above the other's. It shows how much depends on the choice of {what}. It is the probability "
    "of being better only if the systems' errors are independent of each other: systems that err "
    "together look better, and more certain, than they are."
)


def kendall(first: ArrayLike, second: ArrayLike) -> float | None:
    """Kendall's τ-b of two columns of figures, over the systems that have both.

    Parameters
    ----------
    first, second : (S,) float
        Figures of the systems; NaN where undefined.

    Returns
    -------
    float or None
        In [-1, 1]: 1 for the same order, −1 for the opposite. None for fewer than two systems, or
        if all values of a column are equal.

    Notes
    -----
    Kendall (1945), τ-b: ties count for neither order.

    Examples
    --------
    >>> kendall([0.1, 0.2, 0.3, 0.4, np.nan], [1, 2, 4, 3, 5]), kendall([1, 1], [1, 2])
    (0.6666666666666669, None)
    """
    one, other = _both(first, second)
    return None if _constant(one, other) else float(stats.kendalltau(one, other).statistic)


def spearman(first: ArrayLike, second: ArrayLike) -> float | None:
    """Spearman's ρ of two columns of figures, over the systems that have both.

    Parameters
    ----------
    first, second : (S,) float
        Figures of the systems; NaN where undefined.

    Returns
    -------
    float or None
        In [-1, 1]; None as for `kendall`.

    Notes
    -----
    Spearman (1904): the correlation of the ranks.

    Examples
    --------
    >>> round(spearman([0.1, 0.2, 0.3], [1, 3, 2]), 12)
    0.5
    """
    one, other = _both(first, second)
    return None if _constant(one, other) else float(stats.spearmanr(one, other).statistic)


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Variation of the systems' figures over bootstrap draws.

    Attributes
    ----------
    systems : tuple of str
        Names of the systems.
    precision, recall, f : (S, 2) float
        Lower and upper end of the interval; NaN where a figure is undefined in every draw.
    superiority : (S, S) float
        Share of draws, in [0, 1], in which F of the row's system is above that of the column's; a
        tie counts half. NaN where no draw has both.
    assumption : str
        Assumption behind ``superiority``, to be shown beside it.
    draws : int
        Number of draws.
    level : float
        Confidence level of the intervals, in (0, 1).
    """

    systems: tuple[str, ...]
    precision: Floats
    recall: Floats
    f: Floats
    superiority: Floats
    assumption: str
    draws: int
    level: float

    __repr__ = short_repr


def bootstrap(
    votes: Votes,
    weights: Weights,
    draws: int = 1000,
    seed: int = 0,
    page: ArrayLike | None = None,
    level: float = 0.95,
    beta: float = 1.0,
    progress: Progress = silent,
) -> Bootstrap:
    """Estimate intervals of every figure and which system is better, by resampling.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    weights : Weights
        Weights of the systems, ⊤ and ⊥.
    draws : int
        Number of bootstrap draws.
    seed : int
        Seed of the draws; the same seed gives the same intervals.
    page : (N,) int or str, optional
        Page of every item, to draw pages instead of items.
    level : float
        Confidence level of the intervals, in (0, 1).
    beta : float
        β of F; above 1 recall weighs more.
    progress : callable
        Called with the number of draws done.

    Returns
    -------
    Bootstrap
        All NaN where there are no items.

    Raises
    ------
    ValueError
        If ``page`` is not as long as there are items.

    Notes
    -----
    Percentile bootstrap, Efron & Tibshirani (1993), ch. 13.

    Examples
    --------
    >>> from spotlab.consensus.weights import uniform_weights
    >>> votes = Votes.of([[1, 1, 0], [0, 1, 1], [1, 1, 0]] * 20, ["a", "b", "c"])
    >>> bool(bootstrap(votes, uniform_weights(3), draws=100).superiority[1, 2] > 0.99)
    True
    """
    weights = weights.normalised
    source = (
        draw_items(votes, weights, draws, seed, progress)
        if page is None
        else draw_pages(votes, weights, np.asarray(page), draws, seed)
    )
    size = len(votes.systems)
    figures = np.full((3, draws, size), np.nan)
    for block, (relevant, retrieved, possible) in source:
        figures[:, block] = figures_of(relevant, retrieved, possible, beta)
    precision, recall, f = (_intervals(values, level) for values in figures)
    what = "items" if page is None else "pages"
    return Bootstrap(
        votes.systems, precision, recall, f, superiority_of(figures[2]),
        ASSUMPTION.format(draws=f"{draws:,}", what=what), draws, level,
    )  # fmt: skip


def superiority_of(f: Floats) -> Floats:
    """Share of draws in which one system has a higher F than another, for all pairs.

    Parameters
    ----------
    f : (draws, S) float
        F of every system in every draw; NaN where undefined.

    Returns
    -------
    (S, S) float
        In [0, 1], row above column, a tie counting half; NaN where no draw has both.

    Examples
    --------
    >>> superiority_of(np.array([[0.5, 0.4], [0.4, 0.4]])).tolist()
    [[0.5, 0.75], [0.25, 0.5]]
    """
    value = np.round(f, DIGITS)  # rounding errors are no difference
    shares = np.full((f.shape[1],) * 2, np.nan)
    for system in range(f.shape[1]):
        mine = value[:, [system]]
        both = (~np.isnan(value) & ~np.isnan(mine)).sum(axis=0)
        won = (mine > value).sum(axis=0) + (mine == value).sum(axis=0) / 2
        np.divide(won, both, out=shares[system], where=both > 0)
    return shares


def _intervals(values: Floats, level: float) -> Floats:
    """Central intervals of (draws, S) values, (S, 2); undefined values are left out."""
    ends = np.full((values.shape[1], 2), np.nan)
    there = ~np.isnan(values)
    tails = [(1 - level) / 2, (1 + level) / 2]
    for system in np.flatnonzero(there.any(axis=0)).tolist():
        ends[system] = np.quantile(values[there[:, system], system], tails)
    return ends


def _both(first: ArrayLike, second: ArrayLike) -> tuple[Floats, Floats]:
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    there = ~(np.isnan(one) | np.isnan(other))
    return one[there], other[there]


def _constant(one: Floats, other: Floats) -> bool:
    return len(one) < 2 or bool((one == one[0]).all() or (other == other[0]).all())
