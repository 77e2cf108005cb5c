"""How alike two rankings of systems are, and how sure a ranking without truth is.

The percentile bootstrap (Efron & Tibshirani, 1993, ch. 13), over items or over pages. Weights stay
as they are, so that P(δ) of an item is the same in every draw and a draw is only how often each
different row of votes, or each page, comes up: nothing is counted again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from spotlab.consensus.patterns import Patterns, find_patterns
from spotlab.consensus.precision import DIGITS, Weights, figures_of, item_probability
from spotlab.consensus.vote_bits import Floats, Ints, spans
from spotlab.consensus.votes import Votes
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr

HELD = 1 << 21  # numbers of draws times rows that are held at the same time

ASSUMPTION = (
    "The share of {draws} draws of {what}, with replacement, in which one system's F without truth "
    "is above the other's. It tells how much depends on which {what} were looked at, and is the "
    "chance to be better in truth only if the systems' errors are independent of each other: "
    "systems that err together look better, and surer, than they are."
)


def kendall(first: ArrayLike, second: ArrayLike) -> float | None:
    """Kendall's τ-b of two columns of figures, over the systems that have both.

    Returns
    -------
    float or None
        1 is the same order, −1 the opposite; None for fewer than two systems, or if either column
        holds one value only.

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

    Returns
    -------
    float or None
        As for Kendall's τ.

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
    """How the figures of systems vary from draw to draw.

    Attributes
    ----------
    systems : tuple of str
    precision, recall, f : (S, 2) float
        Lower and upper end of the interval; NaN where a figure is undefined in every draw.
    better : (S, S) float
        The share of draws in which F of the first is above that of the second, a tie half; NaN
        where no draw has both.
    assumption : str
        What ``better`` rests on: to be shown wherever it is.
    draws : int
    level : float
        Of the intervals.
    """

    systems: tuple[str, ...]
    precision: Floats
    recall: Floats
    f: Floats
    better: Floats
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
    """Intervals of every figure, and which system is better, had others been looked at.

    Parameters
    ----------
    votes : Votes
    weights : Weights
    draws, seed : int
        The same seed gives the same intervals.
    page : (N,) int or str, optional
        The page of every item: pages are drawn then, else items.
    level : float
    beta : float
        Of F.
    progress : Progress

    Returns
    -------
    Bootstrap
        All NaN where there are no items.

    Examples
    --------
    >>> from spotlab.consensus.precision import uniform
    >>> votes = Votes.of([[1, 1, 0], [0, 1, 1], [1, 1, 0]] * 20, ["a", "b", "c"])
    >>> bool(bootstrap(votes, uniform(3), draws=100).better[1, 2] > 0.99)
    True
    """
    weights = weights.normalised
    source = (
        _item_draws(votes, weights, draws, seed, progress)
        if page is None
        else _page_draws(votes, weights, np.asarray(page), draws, seed)
    )
    size = len(votes.systems)
    found = np.full((3, draws, size), np.nan)
    for block, (relevant, retrieved, possible) in source:
        found[:, block] = figures_of(relevant, retrieved, possible, beta)
    precision, recall, f = (_intervals(values, level) for values in found)
    what = "items" if page is None else "pages"
    return Bootstrap(
        votes.systems, precision, recall, f, better_of(found[2]),
        ASSUMPTION.format(draws=f"{draws:,}", what=what), draws, level,
    )  # fmt: skip


def better_of(f: Floats) -> Floats:
    """(S, S) in which share of draws the first has the higher F of (draws, S), a tie counting half.

    Examples
    --------
    >>> better_of(np.array([[0.5, 0.4], [0.4, 0.4]])).tolist()
    [[0.5, 0.75], [0.25, 0.5]]
    """
    value = np.round(f, DIGITS)  # rounding errors are no difference
    found = np.full((f.shape[1],) * 2, np.nan)
    for system in range(f.shape[1]):
        mine = value[:, [system]]
        both = (~np.isnan(value) & ~np.isnan(mine)).sum(axis=0)
        won = (mine > value).sum(axis=0) + (mine == value).sum(axis=0) / 2
        np.divide(won, both, out=found[system], where=both > 0)
    return found


Sums = tuple[Floats, Floats, Floats]


def _item_draws(
    votes: Votes, weights: Weights, draws: int, seed: int, progress: Progress
) -> Iterator[tuple[slice, Sums]]:
    """(draws, S) ΣP·S, ΣS and ΣP of drawn items."""
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
    """(draws, S) ΣP·S, ΣS and ΣP of drawn pages."""
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
    """(pages, S) ΣP·S, ΣS and ΣP of every page, over what a system knows and where P is defined.

    Parameters
    ----------
    votes : Votes
    weights : Weights
    page : (N,) int
        From 0 to pages − 1.
    pages : int
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
    """(M,) P(δ) of every different row of votes."""
    columns = weights.columns(systems)
    voted = columns.sum() if rows.known is None else np.asarray(rows.known @ columns)
    total = np.broadcast_to(voted + weights.top + weights.bottom, rows.count.shape)
    found = np.full(len(total), np.nan)
    np.divide(rows.yes @ columns + weights.top, total, out=found, where=total > 0)
    return found


def _intervals(values: Floats, level: float) -> Floats:
    """(S, 2) the middle part of (draws, S) values; those that are undefined do not count."""
    found = np.full((values.shape[1], 2), np.nan)
    there = ~np.isnan(values)
    tails = [(1 - level) / 2, (1 + level) / 2]
    for system in np.flatnonzero(there.any(axis=0)).tolist():
        found[system] = np.quantile(values[there[:, system], system], tails)
    return found


def _both(first: ArrayLike, second: ArrayLike) -> tuple[Floats, Floats]:
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    there = ~(np.isnan(one) | np.isnan(other))
    return one[there], other[there]


def _constant(one: Floats, other: Floats) -> bool:
    return len(one) < 2 or bool((one == one[0]).all() or (other == other[0]).all())
