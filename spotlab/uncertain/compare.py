"""Which of two systems is better where it is uncertain what is relevant.

An item that both return is relevant to both or to neither: what they have in common cancels, and
the difference is one of the other items only. Distributions that are taken to be independent would
have it too wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.uncertain.distributions import Distribution
from spotlab.uncertain.poisson_binomial import batched
from spotlab.uncertain.relevant_items import shifted, shifts

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pair:
    """What two systems return first for one query.

    Attributes
    ----------
    probability : (C, N) float
        p(ω|r) of each item of the collection for each category of the query; NaN: undefined.
    weight : (C,) float
        p(ω|q); divided by their sum.
    a, b : (n,) int
        The items that each system returns, equally many.
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
    """System a beside system b: of their precision, equally of their recall.

    Attributes
    ----------
    difference : Distribution
        Of a's precision less b's, the mean over the queries.
    better, equal, worse : float
        The probability that a's is higher, the same, lower; summing to 1.
    mean : float
    interval : (float, float)
        The middle 95 % of the difference.
    common : float
        Which share of the returned items both return.
    queries : int
    """

    difference: Distribution
    better: float
    equal: float
    worse: float
    mean: float
    interval: tuple[float, float]
    common: float
    queries: int


def compare(
    pairs: Sequence[Pair], shift: float = 0.0, progress: Progress = silent
) -> Comparison | None:
    """The difference of two systems' precision, over queries that both answer.

    Parameters
    ----------
    pairs : sequence of Pair
        One a query, all with answers of the same length n. Queries are independent.
    shift : float
        Standard deviation of a shift of the log odds that all items and queries share.

    Returns
    -------
    Comparison or None
        None if there is no query, or an item that only one of both returns is undefined.

    Examples
    --------
    >>> items = np.array([[0.9, 0.5, 0.1]])
    >>> found = compare([Pair(items, np.ones(1), np.array([0, 1]), np.array([2, 1]))])
    >>> found.difference.mass.round(2), round(found.better, 2), round(found.mean, 2)
    (array([0.01, 0.18, 0.81]), 0.81, 0.4)
    """
    if not pairs:
        return None
    n = len(pairs[0].a)
    if any(len(pair.a) != n for pair in pairs):
        raise ValueError("the answers are not equally long")
    signed = [_signed(pair) for pair in pairs]
    if any(np.isnan(each).any() for each, _ in signed):
        return None
    # the differences run from minus to plus the number of items that a system has for itself
    reach = [each.shape[1] // 2 for each, _ in signed]
    steps, weights = shifts(shift, 2 * sum(reach))
    mass = np.zeros(2 * sum(reach) + 1)
    for step, weight in track(
        list(zip(steps, weights, strict=True)), progress, "comparing systems"
    ):
        mass += weight * _sum(
            [_mixed(each, pair, step) for (each, _), pair in zip(signed, pairs, strict=True)]
        )
    values = np.arange(-sum(reach), sum(reach) + 1) / (n * len(pairs))
    common = [both for _, both in signed]
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


def _signed(pair: Pair) -> tuple[Floats, int]:
    """(C, 2 m) probabilities of a's own m items, then of b's own; and how many both have."""
    own_a = pair.a[~np.isin(pair.a, pair.b)]
    own_b = pair.b[~np.isin(pair.b, pair.a)]
    both = len(pair.a) - len(own_a)
    return np.concatenate([pair.probability[:, own_a], pair.probability[:, own_b]], axis=1), both


def _mixed(items: Floats, pair: Pair, step: float) -> Floats:
    """The distribution of a's relevant items less b's, from -m to m, over the categories.

    m more than the difference is how many of a's are relevant and how many of b's are not.
    """
    chances = shifted(items, step) if step else items
    half = items.shape[1] // 2
    turned = np.concatenate([chances[:, :half], 1 - chances[:, half:]], axis=1)
    mass: Floats = pair.weight @ batched(turned) / pair.weight.sum()
    return mass


def _sum(masses: Sequence[Floats]) -> Floats:
    """The distribution of the sum of independent numbers, from the sum of the least on."""
    if len(masses) == 1:
        return masses[0]
    size = sum(len(mass) - 1 for mass in masses) + 1
    length = fft.next_fast_len(size, real=True)
    spectrum = fft.rfft(masses[0], length)
    for mass in masses[1:]:
        spectrum *= fft.rfft(mass, length)
    total: Floats = np.maximum(fft.irfft(spectrum, length)[:size], 0)
    return total
