"""Compare rankings of systems, and measure how certain a ranking without truth is.

The percentile bootstrap (Efron & Tibshirani, 1993, ch. 13), over items or over pages. The weights
are fixed, so P(δ) of an item is the same in every draw, and a draw only says how often each
different row of votes, or each page, occurs. Nothing is counted again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from spotlab.consensus.patterns import Patterns, find_patterns
from spotlab.consensus.precision import DIGITS, figures_of, item_probability
from spotlab.consensus.vote_bits import Floats, Ints, spans
from spotlab.consensus.votes import Votes
from spotlab.consensus.weights import Weights
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr

HELD = 1 << 21  # numbers of draws times rows that are held at the same time

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
    from scipy.stats import kendalltau  # noqa: PLC0415 - a quarter of a second at the start

    one, other = _both(first, second)
    return None if _constant(one, other) else float(kendalltau(one, other).statistic)


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
    from scipy.stats import spearmanr  # noqa: PLC0415 - a quarter of a second at the start

    one, other = _both(first, second)
    return None if _constant(one, other) else float(spearmanr(one, other).statistic)


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
        _item_draws(votes, weights, draws, seed, progress)
        if page is None
        else _page_draws(votes, weights, np.asarray(page), draws, seed)
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


Sums = tuple[Floats, Floats, Floats]


def _item_draws(
    votes: Votes, weights: Weights, draws: int, seed: int, progress: Progress
) -> Iterator[tuple[slice, Sums]]:
    """ΣP·S, ΣS and ΣP of drawn items, (draws, S) each."""
    if not len(votes):
        return
    rows = find_patterns(votes)
    chance = _row_probability(rows, weights, len(votes.systems))
    defined = (~np.isnan(chance)).astype(np.float64)
    chance = np.nan_to_num(chance)
    share = rows.count / rows.count.sum()
    random = np.random.default_rng(seed)
    for start, stop in spans(draws, max(1, HELD // len(share))):
        progress(start, draws, "Drawing items")
        drawn = random.multinomial(len(votes), share, stop - start).astype(np.float64)
        relevant = drawn * chance
        possible = (
            np.broadcast_to(relevant.sum(axis=1)[:, None], (stop - start, len(votes.systems)))
            if rows.known is None
            else np.asarray((rows.known.T @ relevant.T).T)
        )
        sums = (rows.yes.T @ relevant.T).T, (rows.yes.T @ (drawn * defined).T).T
        yield slice(start, stop), (np.asarray(sums[0]), np.asarray(sums[1]), possible)
    progress(draws, draws, "Drawing items")


def _page_draws(
    votes: Votes, weights: Weights, page: NDArray[np.generic], draws: int, seed: int
) -> Iterator[tuple[slice, Sums]]:
    """ΣP·S, ΣS and ΣP of drawn pages, (draws, S) each."""
    if page.shape != (len(votes),):
        raise ValueError(f"pages of {page.shape} for {len(votes)} items")
    if not len(votes):
        return
    names, number = np.unique(page, return_inverse=True)
    sums = sums_by_page(votes, weights, number.astype(np.int64), len(names))
    share = np.full(len(names), 1 / len(names))
    drawn = np.random.default_rng(seed).multinomial(len(names), share, draws).astype(np.float64)
    yield slice(0, draws), (drawn @ sums[0], drawn @ sums[1], drawn @ sums[2])


def sums_by_page(votes: Votes, weights: Weights, page: Ints, pages: int) -> Sums:
    """Sum ΣP·S, ΣS and ΣP for every page, over known votes and items where P is defined.

    Parameters
    ----------
    votes : Votes
        N items, S systems.
    weights : Weights
        Weights of the systems, ⊤ and ⊥.
    page : (N,) int
        Page of every item, from 0 to pages − 1.
    pages : int
        Number of pages.

    Returns
    -------
    relevant, retrieved, possible : (pages, S) float
        Sums of which precision and recall are ratios; 0 for a page without items.

    Notes
    -----
    The terms of Lamiroy & Sun (2013), eqs. 11 and 12.

    Examples
    --------
    >>> from spotlab.consensus.weights import vote_share_weights
    >>> votes = Votes.of([[1, 0], [1, 1], [0, 1]], ["a", "b"])
    >>> relevant, *_ = sums_by_page(votes, vote_share_weights(2), np.array([0, 0, 1]), 2)
    >>> relevant.tolist()
    [[1.5, 1.0], [0.0, 0.5]]
    """
    chance = item_probability(votes, weights)
    shape = pages, len(votes.systems)
    relevant, retrieved, possible = (np.zeros(shape) for _ in range(3))
    for start, part in votes.spans():
        stop = start + len(part)
        there = np.flatnonzero(~np.isnan(chance[start:stop]))
        vote, right = part[there], chance[start:stop][there]
        known = ~np.isnan(vote)
        vote[~known] = 0.0
        place = page[start:stop][there]
        on = sparse.csr_array(
            (np.ones(len(place)), (place, np.arange(len(place)))), (pages, len(place))
        )
        relevant += on @ (vote * right[:, None])
        retrieved += on @ vote
        possible += on @ (known * right[:, None])
    return relevant, retrieved, possible


def _row_probability(rows: Patterns, weights: Weights, systems: int) -> Floats:
    """P(δ) of every different row of votes, (M,)."""
    columns = weights.columns(systems)
    voted = columns.sum() if rows.known is None else np.asarray(rows.known @ columns)
    total = np.broadcast_to(voted + weights.top + weights.bottom, rows.count.shape)
    chances = np.full(len(total), np.nan)
    np.divide(rows.yes @ columns + weights.top, total, out=chances, where=total > 0)
    return chances


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
