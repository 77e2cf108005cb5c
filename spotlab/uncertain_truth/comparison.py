"""Compare two systems where it is uncertain which items are relevant.

An item that both systems return is relevant for both or for neither, so it cancels. The difference
depends only on the other items. Two distributions taken as independent would make it too wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.libraries import fft
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.uncertain_truth.distributions import Distribution
from spotlab.uncertain_truth.poisson_binomial import pmf
from spotlab.uncertain_truth.relevant_items import shift_grid, shift_log_odds


@dataclass(frozen=True, eq=False)
class AnswerPair:
    """First items that two systems return for one query.

    Attributes
    ----------
    probability : (C, N) float
        p(ω|r) of each item of the collection for each category of the query, in [0, 1]; NaN where
        undefined.
    weight : (C,) float
        p(ω|q), in [0, 1]; divided by their sum.
    a, b : (n,) int
        Indices of the items that each system returns, equally many.

    Raises
    ------
    ValueError
        If the answers are empty or of different lengths.
    """

    probability: Floats
    weight: Floats
    a: NDArray[np.int64]
    b: NDArray[np.int64]

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if len(self.a) != len(self.b) or not len(self.a):
            raise ValueError("the answers are not equally long, or empty")


@dataclass(frozen=True, eq=False)
class Comparison:
    """Precision of system a compared with that of system b; the same holds for recall.

    Attributes
    ----------
    difference : Distribution
        Precision of a minus precision of b, in [-1, 1], averaged over the queries.
    superiority, equality, inferiority : float
        Probability that a's precision is higher, equal or lower; they sum to 1.
    mean : float
        Mean of the difference.
    interval : (float, float)
        The middle 95 % of the difference.
    common : float
        Share of the returned items that both systems return, in [0, 1].
    queries : int
        Number of queries.
    """

    difference: Distribution
    superiority: float
    equality: float
    inferiority: float
    mean: float
    interval: tuple[float, float]
    common: float
    queries: int


def compare(
    pairs: Sequence[AnswerPair], shift: float = 0.0, progress: Progress = silent
) -> Comparison | None:
    """Compare the precision of two systems over the queries that both answer.

    Parameters
    ----------
    pairs : sequence of Pair
        One per query, all with answers of the same length n. Queries are independent.
    shift : float
        Standard deviation of a shift of the log odds that all items and queries share; 0 for none.
    progress : callable
        Called with the number of steps of the shift done.

    Returns
    -------
    Comparison or None
        None if there is no query, or an item that only one system returns is undefined.

    Raises
    ------
    ValueError
        If the answers are of different lengths.

    Examples
    --------
    >>> items = np.array([[0.9, 0.5, 0.1]])
    >>> comparison = compare([AnswerPair(items, np.ones(1), np.array([0, 1]), np.array([2, 1]))])
    >>> comparison.difference.mass.round(2), round(comparison.superiority, 2)
    (array([0.01, 0.18, 0.81]), 0.81)
    """
    if not pairs:
        return None
    n = len(pairs[0].a)
    if any(len(pair.a) != n for pair in pairs):
        raise ValueError("the answers are not equally long")
    own_items = [_signed(pair) for pair in pairs]
    if any(np.isnan(items).any() for items, _ in own_items):
        return None
    # the differences run from minus to plus the number of items that a system has for itself
    reach = [items.shape[1] // 2 for items, _ in own_items]
    steps, weights = shift_grid(shift, 2 * sum(reach))
    mass = np.zeros(2 * sum(reach) + 1)
    for step, weight in track(
        list(zip(steps, weights, strict=True)), progress, "comparing systems"
    ):
        mass += weight * _sum(
            [_mixed(items, pair, step) for (items, _), pair in zip(own_items, pairs, strict=True)]
        )
    values = np.arange(-sum(reach), sum(reach) + 1) / (n * len(pairs))
    common = [both for _, both in own_items]
    return _compared(
        Distribution(values, mass / mass.sum()), float(np.mean(common)) / n, len(pairs)
    )


def _compared(difference: Distribution, common: float, queries: int) -> Comparison:
    worse, better = (float(difference.mass[sign * difference.values > 0].sum()) for sign in (-1, 1))
    return Comparison(
        difference,
        better,
        max(0.0, 1 - better - worse),
        worse,
        difference.mean,
        difference.band(0.95),
        common,
        queries,
    )


def _signed(pair: AnswerPair) -> tuple[Floats, int]:
    """Probabilities of a's own m items, then of b's own, (C, 2 m), and the number in common."""
    own_a = pair.a[~np.isin(pair.a, pair.b)]
    own_b = pair.b[~np.isin(pair.b, pair.a)]
    both = len(pair.a) - len(own_a)
    return np.concatenate([pair.probability[:, own_a], pair.probability[:, own_b]], axis=1), both


def _mixed(items: Floats, pair: AnswerPair, step: float) -> Floats:
    """Distribution of a's relevant items minus b's, from -m to m, mixed over the categories.

    The difference plus m is the number of a's items that are relevant and of b's that are not.
    """
    chances = shift_log_odds(items, step) if step else items
    half = items.shape[1] // 2
    turned = np.concatenate([chances[:, :half], 1 - chances[:, half:]], axis=1)
    mass: Floats = pair.weight @ pmf(turned) / pair.weight.sum()
    return mass


def _sum(masses: Sequence[Floats]) -> Floats:
    """Distribution of the sum of independent numbers, starting at the smallest sum."""
    if len(masses) == 1:
        return masses[0]
    size = sum(len(mass) - 1 for mass in masses) + 1
    length = fft.next_fast_len(size, real=True)
    spectrum = fft.rfft(masses[0], length)
    for mass in masses[1:]:
        spectrum *= fft.rfft(mass, length)
    total: Floats = np.maximum(fft.irfft(spectrum, length)[:size], 0)
    return total
