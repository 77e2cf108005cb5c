"""Precision and recall of systems' answers as distributions, cut-off by cut-off, and compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.libraries import fft
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr
from spotlab.uncertain_truth.relevant_items import (
    Distribution,
    mix,
    pmf,
    relevant_counts,
    shift_grid,
    shift_log_odds,
)

SHARES = np.array([0.5, 0.25, 0.75, 0.025, 0.975])


@dataclass(frozen=True, eq=False)
class Answer:
    """Items that a system returns for a query, with their probabilities of relevance.

    Attributes
    ----------
    probability : (C, n) float
        p(ω|r) of each item r, best first, for each of the C categories ω of the query, in [0, 1].
        NaN for an item that nobody judged.
    weight : (C,) float
        p(ω|q), in [0, 1]; divided by their sum if that exceeds 1.
    size : (C,) float
        |ω|, the expected number of items of each category.

    Raises
    ------
    ValueError
        If lengths differ, a weight is negative, or all weights are 0.
    """

    probability: Floats
    weight: Floats
    size: Floats

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if not len(self.probability) == len(self.weight) == len(self.size):
            raise ValueError("not as many weights or sizes as categories")
        if not (self.weight >= 0).all() or not self.weight.sum() > 0:
            raise ValueError("a weight is negative, or all are 0")

    def __len__(self) -> int:
        return int(self.probability.shape[1])


@dataclass(frozen=True, eq=False)
class Band:
    """A measure over T cut-offs, in [0, 1]; NaN where it is undefined.

    Attributes
    ----------
    mean, median : (T,) float
        Mean and median of the measure.
    middle_50 : (T, 2) float
        Lower and upper end of the middle 50 %.
    middle_95 : (T, 2) float
        Lower and upper end of the middle 95 %.
    """

    mean: Floats
    median: Floats
    middle_50: Floats
    middle_95: Floats

    __repr__ = short_repr

    @staticmethod
    def of(distributions: Sequence[Distribution | None]) -> Band:
        """Summarise distributions.

        Parameters
        ----------
        distributions : sequence of (Distribution or None)
            One per cut-off; None where it is undefined.

        Returns
        -------
        Band
            Arrays of shape (T,) or (T, 2).
        """
        rows = np.full((len(distributions), 1 + len(SHARES)), np.nan)
        for row, distribution in zip(rows, distributions, strict=True):
            if distribution is not None:
                row[0], row[1:] = distribution.mean, distribution.quantiles(SHARES)
        return Band(rows[:, 0], rows[:, 1], rows[:, 2:4], rows[:, 4:6])

    def without_bands(self) -> Band:
        """The same without the middle 50 and 95 %.

        Returns
        -------
        Band
            With NaN instead.
        """
        return Band(
            self.mean,
            self.median,
            np.full_like(self.middle_50, np.nan),
            np.full_like(self.middle_95, np.nan),
        )


@dataclass(frozen=True, eq=False)
class Bands:
    """Precision and recall of an answer over cut-offs.

    Attributes
    ----------
    cut_off : (T,) int
        Number of items returned.
    precision, recall : Band
        Their distributions.
    """

    cut_off: NDArray[np.int64]
    precision: Band
    recall: Band

    __repr__ = short_repr


def default_cut_offs(n: int) -> tuple[int, ...]:
    """Default cut-offs: every rank up to 200, then steps of about 2 %, and the last rank.

    Parameters
    ----------
    n : int
        Number of items returned.

    Returns
    -------
    tuple of int
        Ascending; empty for 0.

    Examples
    --------
    >>> default_cut_offs(3), len(default_cut_offs(100_000)), default_cut_offs(100_000)[-1]
    ((1, 2, 3), 521, 100000)
    """
    cuts = list(range(1, min(n, 200) + 1))
    while cuts and cuts[-1] < n:
        cuts.append(min(n, cuts[-1] + cuts[-1] // 50))
    return tuple(cuts)


def measures_at(
    answer: Answer, cut_off: int, shift: float = 0.0
) -> tuple[Distribution | None, Distribution | None]:
    """Distributions of precision and recall of the first items.

    Parameters
    ----------
    answer : Answer
        Items returned for a query.
    cut_off : int
        Number of first items, n.
    shift : float
        Standard deviation of a shift of the log odds that all items share, for subjects that all
        err to the same side; 0 for none. |ω| is not shifted.

    Returns
    -------
    precision, recall : Distribution or None
        Distributions of k/n and of k/|ω|, which can exceed 1. Both are None beyond the end of the
        answer or if a first item is not judged. Precision is None for a cut-off of 0, recall if
        |ω| = 0 for a category.

    Notes
    -----
    Santini, Benchmarking without ground truth, eqs. 11 to 14.

    Examples
    --------
    >>> answer = Answer(np.array([[1.0, 0.5]]), np.array([1.0]), np.array([1.2]))
    >>> precision, recall = measures_at(answer, 2)
    >>> precision.values, precision.mass, recall.values[-1].round(3)
    (array([0. , 0.5, 1. ]), array([0. , 0.5, 0.5]), np.float64(1.667))
    """
    if cut_off > len(answer):
        return None, None
    (mass,) = relevant_counts(answer.probability, [cut_off], shift)
    return _measures(answer, mass)


def bands_of(
    answer: Answer,
    cut_offs: Sequence[int] | None = None,
    shift: float = 0.0,
    progress: Progress = silent,
) -> Bands:
    """Distributions of precision and recall at several cut-offs, as bands.

    Parameters
    ----------
    answer : Answer
        Items returned for a query.
    cut_offs : sequence of int, optional
        T ascending numbers of first items; by default `default_cut_offs`.
    shift : float
        As in `measures_at`.
    progress : callable
        Called with the number of cut-offs done.

    Returns
    -------
    Bands
        Arrays of shape (T,) or (T, 2); NaN where undefined, as in `measures_at`.

    Notes
    -----
    Santini, Benchmarking without ground truth, eqs. 11 to 14.

    Examples
    --------
    >>> answer = Answer(np.array([[1.0, 0.5, np.nan]]), np.array([1.0]), np.array([2.0]))
    >>> bands_of(answer).precision.mean, bands_of(answer).recall.middle_95[1]
    (array([1.  , 0.75,  nan]), array([0.5, 1. ]))
    """
    cuts = list(default_cut_offs(len(answer)) if cut_offs is None else cut_offs)
    within = [cut for cut in cuts if cut <= len(answer)]
    precisions: list[Distribution | None] = [None] * len(cuts)
    recalls: list[Distribution | None] = [None] * len(cuts)
    for at, mass in enumerate(relevant_counts(answer.probability, within, shift)):
        progress(at, len(within), "computing bands")
        precisions[at], recalls[at] = _measures(answer, mass)
    return Bands(np.array(cuts, np.int64), Band.of(precisions), Band.of(recalls))


def _measures(
    answer: Answer, mass: Floats | None
) -> tuple[Distribution | None, Distribution | None]:
    """Precision and recall from the distribution of the number of relevant items per category."""
    if mass is None:
        return None, None
    count = np.arange(mass.shape[1], dtype=np.float64)
    precision = recall = None
    if mass.shape[1] > 1:
        precision = Distribution(count / count[-1], answer.weight @ mass / answer.weight.sum())
    taken = answer.weight > 0
    if (answer.size[taken] > 0).all():
        parts = [
            Distribution(count / size, chances)
            for size, chances in zip(answer.size[taken], mass[taken], strict=True)
        ]
        recall = parts[0] if len(parts) == 1 else mix(parts, answer.weight[taken])
    return precision, recall


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
