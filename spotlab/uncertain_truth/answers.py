"""Answers where truth is uncertain: relevant items, precision and recall as distributions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr

TELLING = 4.0  # log odds that the judgements of an item add, at most
RIDGE = np.array([0.05, 0.3])  # of the level, and of its change with the logarithm of the rank
ROUNDS, STILL = 40, 1e-6
FURTHEST_STEP = 2.0
SURE = 1e-9  # a prior this close to 0 or 1 is certain
PLAIN = 0.1  # weight of the share of the subjects, so that no item is certain


def adapt_to_rank(probability: Floats, prior: float) -> Floats:
    """Learn how often the items of an answer are relevant, rank by rank, and adapt to it.

    Parameters
    ----------
    probability : (n,) float
        Probability of relevance of each item from its judgements alone, best rank first, in [0, 1].
    prior : float
        Probability of relevance of any item of the collection, in (0, 1).

    Returns
    -------
    (n,) float
        In (0, 1).

    Notes
    -----
    Saerens, Latinne & Decaestecker (2002): expectation maximisation of the prior, here
    logit = a + b·log(rank), with a ridge towards the collection's prior. What the judgements of an
    item add to its log odds is kept within ±4, because subjects do not err independently.

    Examples
    --------
    Two of three subjects, each right in two of three cases, say yes of each item:

    >>> bool(adapt_to_rank(np.full(20, 0.67), 0.5).min() > 0.9)
    True
    """
    telling = _log_odds(np.clip(probability, 1e-6, 1 - 1e-6)) - _log_odds(prior)
    telling = np.clip(telling, -TELLING, TELLING)
    rank = np.log(np.arange(1, len(telling) + 1))
    columns = np.column_stack([np.ones(len(telling)), rank - rank.mean()])
    level = start = np.array([_log_odds(prior), 0.0])
    for _ in range(ROUNDS):
        relevant, chance = _chance(telling + columns @ level), _chance(columns @ level)
        curve = (columns.T * (chance * (1 - chance))) @ columns + np.diag(RIDGE)
        slope = columns.T @ (relevant - chance) - RIDGE * (level - start)
        step = np.clip(np.linalg.solve(curve, slope), -FURTHEST_STEP, FURTHEST_STEP)
        level = level + step
        if np.abs(step).max() < STILL:
            break
    return np.asarray(_chance(telling + columns @ level))


def returned_probability(
    probability: Floats, prior: Floats, share: Floats, known: Floats
) -> Floats:
    """Probability of truth of every item of an answer, in several categories.

    Parameters
    ----------
    probability : (C, n) float
        Probability of each category from the judgements of each item alone, best rank first, in
        [0, 1]; NaN for an item that nobody judged.
    prior : (C,) float
        Probability of each category for any item of the collection, in [0, 1].
    share : (C, n) float
        Share of the subjects that assigned the item to the category, in [0, 1].
    known : (n,) float
        Number of subjects that judged each item.

    Returns
    -------
    (C, n) float
        In [0, 1]; NaN where nobody judged. Where the prior is 0 or 1 so is the probability.

    Examples
    --------
    >>> one = np.array([[1.0, 1.0, np.nan]])
    >>> returned_probability(one, np.ones(1), one, np.array([3, 3, 0])).tolist()
    [[1.0, 1.0, nan]]
    """
    result = np.clip(probability, 0.0, 1.0)  # sums over categories pass 1 by a rounding
    judged = np.flatnonzero(known > 0)
    if not len(judged):
        return result
    for at, before in enumerate(prior):
        if SURE < before < 1 - SURE:
            learned = adapt_to_rank(probability[at, judged], float(before))
            count = known[judged]
            plain = (share[at, judged] * count + 0.5) / (count + 1)
            result[at, judged] = plain + (1 - PLAIN) * (learned - plain)
    return result


SHORTEST, LONGEST = 16, 16  # items up to which the recurrence, then products make a distribution
FEW = 4  # items up to which the recurrence does if calls take longer than what they compute,
SMALL = 2**11  # which is up to this many items in all
NOTHING = 40.0  # of a probability: less than e to the minus 40 is of no account
BLOCK = 2**14  # numbers in a block of rows; what is worked on stays in the processor's cache


def pmf(probability: ArrayLike) -> Floats:
    """Probability of each number of relevant items, with an absolute error of about 1e-15.

    Parameters
    ----------
    probability : (n,) or (B, n) float
        Probability that each item is relevant, in [0, 1]; items are independent. Shorter rows can
        be padded with 0.

    Returns
    -------
    (n + 1,) or (B, n + 1) float
        Probabilities of 0, 1, …, n relevant items, for each row; [1] without items.

    Raises
    ------
    ValueError
        If a probability is not in [0, 1], or there are more dimensions.

    Notes
    -----
    Santini, Benchmarking without ground truth, eq. 10.

    Examples
    --------
    >>> pmf([0.5, 0.5, 1.0])
    array([0.  , 0.25, 0.5 , 0.25])
    >>> pmf([[0.5, 0.5], [1.0, 0.0]])
    array([[0.25, 0.5 , 0.25],
           [0.  , 1.  , 0.  ]])
    """
    given = np.asarray(probability, np.float64)
    if given.ndim not in (1, 2):
        raise ValueError(f"{given.ndim} dimensions, not 1 or 2")
    if not ((given >= 0) & (given <= 1)).all():
        raise ValueError("a probability is undefined, or not between 0 and 1")
    rows = np.atleast_2d(given)
    count, n = rows.shape
    mass = np.empty((count, n + 1))
    step = max(1, BLOCK // (n + 1))
    for start in range(0, count, step):
        mass[start : start + step] = _transformed(rows[start : start + step])
    return mass.reshape(*given.shape[:-1], n + 1)


def add_item(mass: Floats, probability: Floats) -> Floats:
    """Add one item to a distribution: the step of the recurrence.

    Parameters
    ----------
    mass : (…, n + 1) float
        Probabilities of 0, 1, …, n relevant items.
    probability : (…,) float
        Probability that the new item is relevant, for each distribution.

    Returns
    -------
    (…, n + 2) float
        Probabilities of 0, 1, …, n + 1 relevant items.

    Examples
    --------
    >>> add_item(np.array([0.5, 0.5]), np.array(0.5))
    array([0.25, 0.5 , 0.25])
    """
    chance = probability[..., None]
    more = np.empty((*mass.shape[:-1], mass.shape[-1] + 1))
    np.multiply(mass, 1 - chance, out=more[..., :-1])
    more[..., -1] = 0
    more[..., 1:] += mass * chance
    return more


def _transformed(rows: Floats) -> Floats:
    """(B, n) probabilities to (B, n + 1): recurrence for short runs, then transforms."""
    count, n = rows.shape
    is_small = n > 2 * SHORTEST and rows.size <= SMALL
    shortest, parts = FEW if is_small else SHORTEST, 1
    while parts * shortest < n:
        parts *= 2
    size = max(-(-n // parts), 1)
    filled = np.zeros((count, parts * size))  # an item without any probability changes nothing
    filled[:, :n] = rows
    made = _recurrence(filled.reshape(count, parts, size).T.reshape(size, parts * count))
    while parts > 1 and len(made) <= LONGEST and not is_small:
        made, parts = _multiplied(made), parts // 2
    parts_mass = np.ascontiguousarray(made.T).reshape(parts, count, -1)
    if parts == 1:
        return parts_mass[0, :, : n + 1]
    while len(parts_mass) > 4 and not is_small:
        # an odd power of two is made an even one, so that four are left for the last product
        parts_mass = _joined(parts_mass, 4 if len(parts_mass).bit_length() % 2 else 2)
    return _last(parts_mass, rows)


def _round_length(least: int) -> int:
    """The least length, or somewhat more, that has no prime factors but 2, 3 and 5: a fast one."""
    odd = (1, 3, 5, 9, 15, 25, 27, 45, 75, 81)
    return min(each << max(0, (-(-least // each) - 1).bit_length()) for each in odd)


def _chance(log_odds: ArrayLike) -> Floats:
    """Probabilities of logarithms of odds."""
    return np.asarray(np.exp(-np.logaddexp(0, -np.asarray(log_odds))))


def _log_odds(chance: ArrayLike) -> Floats:
    """Logarithms of the odds of probabilities."""
    with np.errstate(divide="ignore"):
        known = np.minimum(chance, 1.0)  # sums of weights may be above by rounding
        return np.asarray(np.log(known) - np.log1p(-known))


def _last(parts: Floats, rows: Floats) -> Floats:
    """(ways, B, d + 1) to (B, n + 1): the last product, computed only where there is mass.

    Bernstein's inequality bounds the distance from the mean at which a probability is above 1e-17.
    The transform needs to separate only that many numbers; what wraps around is negligible.
    """
    count, n = rows.shape
    widest = float((rows * (1 - rows)).sum(axis=1).max(initial=0.0))
    reach = NOTHING / 3 + np.sqrt(NOTHING**2 / 9 + 2 * NOTHING * widest)
    length = _round_length(max(int(2 * reach) + 3, parts.shape[-1]))
    if length > n:
        whole = _joined(parts, len(parts))[0, :, : n + 1]
        return np.maximum(whole, 0, out=whole)
    product = np.multiply.reduce(_spectra(parts, length))
    wrapped = np.fft.irfft(product, length)
    np.maximum(wrapped, 0, out=wrapped)
    mass = np.zeros((count, n + 1))
    starts = np.maximum(rows.sum(axis=1) - length / 2, 0)
    starts = np.minimum(starts, n + 1 - length).astype(np.int64)
    for row, values, start in zip(mass, wrapped, starts.tolist(), strict=True):
        turn = start % length
        row[start : start + length - turn] = values[turn:]
        row[start + length - turn : start + length] = values[:turn]
    return mass


def _recurrence(items: Floats) -> Floats:
    """(n, B) to (n + 1, B): distributions of columns, adding one item of each after the other."""
    n, columns = items.shape
    mass = np.zeros((n + 1, columns))
    moved = np.empty((n, columns))
    others = 1 - items
    mass[0], mass[1] = others[0], items[0]
    for at in range(1, n):
        np.multiply(mass[: at + 1], items[at], out=moved[: at + 1])
        mass[: at + 1] *= others[at]
        mass[1 : at + 2] += moved[: at + 1]
    return mass


def _multiplied(made: Floats) -> Floats:
    """(d + 1, 2 M) to (2 d + 1, M): products of columns, the first half with the second."""
    half = made.shape[1] // 2
    left, right = made[:, :half], made[:, half:]
    product = np.zeros((2 * len(made) - 1, half))
    term = np.empty_like(right)
    for at, values in enumerate(left):
        np.multiply(right, values, out=term)
        product[at : at + len(made)] += term
    return product


def _joined(parts: Floats, ways: int) -> Floats:
    """(ways M, B, d + 1) to (M, B, ways d + 1): products of several polynomials of degree d.

    Four at once need fewer transforms than two by two. A transform of length ways · d wraps the
    last value of the product onto the first, but both are products of single numbers, so that
    length, mostly a round number, suffices.
    """
    degree = ways * (parts.shape[-1] - 1)
    length = _round_length(degree)
    several = parts.reshape(ways, -1, *parts.shape[1:])
    product = np.multiply.reduce(_spectra(several, length))
    joined = np.empty((*product.shape[:-1], degree + 1))
    whole = min(length, degree + 1)
    joined[..., :whole] = np.fft.irfft(product, length)[..., :whole]
    for end in (0, -1):
        joined[..., end] = several[..., end].prod(axis=0)
    return joined


def _spectra(parts: Floats, length: int) -> NDArray[np.complex128]:
    """(…, d + 1) to (…, length // 2 + 1): transforms, by a matrix product for low degrees."""
    size = parts.shape[-1]
    if size > FEW + 1:
        spectra: NDArray[np.complex128] = np.fft.rfft(parts, length)
        return spectra
    products = parts.reshape(-1, size) @ _waves(size, length)
    return products.view(np.complex128).reshape(*parts.shape[:-1], -1)


@lru_cache(maxsize=64)
def _waves(size: int, length: int) -> Floats:
    """(size, 2 K) real and imaginary parts, by turns, of the transform of each power alone."""
    return np.asarray(np.fft.rfft(np.eye(size), length)).view(np.float64)


STEPS = 48  # items between two cut-offs up to which they are taken in one by one
REACH = 5.0  # standard deviations of a shift that are gone through; 6e-7 are beyond


def shift_grid(deviation: float, items: int) -> tuple[Floats, Floats]:
    """Quadrature of a normally distributed shift of all items' log odds: steps and weights.

    Parameters
    ----------
    deviation : float
        Standard deviation of the shift; 0 for none.
    items : int
        Number of items returned. More items make the distribution of each step narrower, so that
        the steps have to be closer.

    Returns
    -------
    shift_grid : (M,) float
        Shifts of the log odds.
    weights : (M,) float
        Weights that sum to 1.

    Raises
    ------
    ValueError
        If the deviation is negative or NaN.

    Examples
    --------
    >>> shift_grid(0.0, 10)
    (array([0.]), array([1.]))
    """
    if not deviation >= 0:
        raise ValueError("a standard deviation must be 0 or more")
    if deviation == 0:
        return np.zeros(1), np.ones(1)
    # one step moves the number of relevant items by no more than its own standard deviation
    half = max(12, int(np.ceil(REACH * deviation * np.sqrt(items) / 2)))
    steps = np.linspace(-REACH, REACH, 2 * half + 1)
    weights = np.exp(-(steps**2) / 2)
    return steps * deviation, weights / weights.sum()


def shift_log_odds(probability: Floats, by: float | Floats) -> Floats:
    """Shift the log odds of probabilities.

    Parameters
    ----------
    probability : (…,) float
        In [0, 1]; 0 and 1 stay.
    by : float or (…,) float
        Shift of the log odds.

    Returns
    -------
    (…,) float
        Probabilities in [0, 1].

    Examples
    --------
    >>> shift_log_odds(np.array([0.0, 0.5, 1.0]), np.log(3)).round(6)
    array([0.  , 0.75, 1.  ])
    """
    moved: Floats = _chance(_log_odds(probability) + by)
    return moved


def relevant_counts(
    probability: Floats, cut_offs: Sequence[int], shift: float = 0.0
) -> Iterator[Floats | None]:
    """Distributions of the number of relevant items among the first ones, cut-off by cut-off.

    Parameters
    ----------
    probability : (C, n) float
        Probability of relevance of each item, in rank order, for each of C categories; NaN where
        undefined.
    cut_offs : sequence of int
        Ascending numbers of first items, from 0 to n.
    shift : float
        Standard deviation of a shift of the log odds that all items share; 0 for none.

    Yields
    ------
    (C, cut-off + 1) float or None
        Probabilities of 0, 1, … relevant items; None where one of the first items is undefined.

    Notes
    -----
    Santini, Benchmarking without ground truth, eq. 10.

    Examples
    --------
    >>> [mass.tolist() for mass in relevant_counts(np.array([[0.5, 0.5]]), [0, 1, 2])]
    [[[1.0]], [[0.5, 0.5]], [[0.25, 0.5, 0.25]]]
    """
    undefined = np.isnan(probability).any(axis=0)
    known = int(undefined.argmax()) if undefined.any() else probability.shape[1]
    last = max((cut for cut in cut_offs if cut <= known), default=0)
    steps, weights = shift_grid(shift, last)
    moved = probability[None, :, :last]
    if shift:
        moved = shift_log_odds(moved, steps[:, None, None])
    mass, at = np.ones((*moved.shape[:2], 1)), 0
    for cut in cut_offs:
        if cut > known:
            yield None
            continue
        mass, at = _taken_in(mass, moved[:, :, at:cut]), cut
        yield np.tensordot(weights, mass, 1)


def _taken_in(mass: Floats, items: Floats) -> Floats:
    """The distributions with some more items."""
    if items.shape[2] <= STEPS:
        for at in range(items.shape[2]):
            mass = add_item(mass, items[:, :, at])
        return mass
    several = pmf(items.reshape(-1, items.shape[2])).reshape(*items.shape[:2], -1)
    joined = np.empty((*mass.shape[:2], mass.shape[2] + items.shape[2]))
    few = max(1, BLOCK * 8 // joined.shape[2])
    length = _round_length(joined.shape[2])
    for at in range(0, len(joined), few):
        rows = slice(at, at + few)
        product = np.fft.rfft(mass[rows], length)
        product *= np.fft.rfft(several[rows], length)
        joined[rows] = np.fft.irfft(product, length)[..., : joined.shape[2]]
    return np.maximum(joined, 0, out=joined)


SLACK = 1e-12  # of a probability; sums of masses are not more precise


@dataclass(frozen=True, eq=False)
class Distribution:
    """A discrete distribution.

    Attributes
    ----------
    values : (K,) float
        Ascending.
    mass : (K,) float
        Probability of each value; they sum to 1.

    Raises
    ------
    ValueError
        If lengths differ, there is no value, or values do not ascend.

    Examples
    --------
    >>> coins = Distribution(np.array([0.0, 0.5, 1.0]), np.array([0.25, 0.5, 0.25]))
    >>> coins.mean, coins.median, coins.band(0.5)
    (0.5, 0.5, (0.0, 0.5))
    """

    values: Floats
    mass: Floats

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if self.values.shape != self.mass.shape or self.values.ndim != 1 or not len(self.values):
            raise ValueError("not as many masses as values, or none")
        if (np.diff(self.values) < 0).any():
            raise ValueError("values do not ascend")

    @property
    def mean(self) -> float:
        """Expected value: the sum of values times probabilities."""
        return float(self.values @ self.mass)

    @property
    def median(self) -> float:
        """The lower median: the quantile of a probability of 0.5."""
        return self.quantile(0.5)

    def quantile(self, share: float) -> float:
        """The smallest value that is not exceeded with a given probability.

        Parameters
        ----------
        share : float
            Probability, in [0, 1].

        Returns
        -------
        float
            One of the values.
        """
        return float(self.quantiles([share])[0])

    def quantiles(self, shares: ArrayLike) -> Floats:
        """Several quantiles at once.

        Parameters
        ----------
        shares : (Q,) float
            Probabilities, in [0, 1].

        Returns
        -------
        (Q,) float
            What `quantile` gives for each.
        """
        cumulated = np.cumsum(self.mass)
        at = np.searchsorted(cumulated, np.asarray(shares, np.float64) * cumulated[-1] - SLACK)
        quantiles: Floats = self.values[np.minimum(at, len(self.values) - 1)]
        return quantiles

    def band(self, share: float) -> tuple[float, float]:
        """The central interval.

        Parameters
        ----------
        share : float
            Probability in the interval, in [0, 1].

        Returns
        -------
        (float, float)
            Lower and upper end; the rest of the probability is halved between both sides.
        """
        low, high = self.quantiles([(1 - share) / 2, (1 + share) / 2])
        return float(low), float(high)


def mix(parts: Sequence[Distribution], weights: ArrayLike) -> Distribution:
    """Mix several distributions.

    Parameters
    ----------
    parts : sequence of Distribution
        At least one.
    weights : (P,) float
        Weight of each part; not negative, not all 0, divided by their sum.

    Returns
    -------
    Distribution
        Over all values of the parts.

    Raises
    ------
    ValueError
        If a weight is missing or negative, or all are 0.

    Notes
    -----
    The sums over categories of Santini, Benchmarking without ground truth, eqs. 13 and 14.

    Examples
    --------
    >>> low = Distribution(np.array([0.0, 1.0]), np.array([0.5, 0.5]))
    >>> high = Distribution(np.array([1.0, 2.0]), np.array([0.5, 0.5]))
    >>> mix([low, high], [1, 3]).mass
    array([0.125, 0.5  , 0.375])
    """
    shares = np.asarray(weights, np.float64)
    if len(shares) != len(parts) or not (shares >= 0).all() or not shares.sum() > 0:
        raise ValueError("a weight is missing or negative, or all are 0")
    shares = shares / shares.sum()
    values, at = np.unique(np.concatenate([part.values for part in parts]), return_inverse=True)
    masses = [share * part.mass for share, part in zip(shares, parts, strict=True)]
    mass = np.bincount(at, np.concatenate(masses), minlength=len(values)).astype(np.float64)
    return Distribution(values, mass)


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
    length = _round_length(size)
    spectrum = np.fft.rfft(masses[0], length)
    for mass in masses[1:]:
        spectrum *= np.fft.rfft(mass, length)
    total: Floats = np.maximum(np.fft.irfft(spectrum, length)[:size], 0)
    return total
