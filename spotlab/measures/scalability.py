"""Scalability: how figures change with the number of classes and pages that are searched.

Rusiñol & Lladós (2009), §4.4, §5.4 and Fig. 10. All of it is algebra on curves and counts that
exist already: no region is intersected again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Flags, Floats, Ints
from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr

AT_ONCE = 10_000  # pages that are summed together


@dataclass(frozen=True)
class CollectionPart:
    """A part of the collection, and what is recognised in it (Rusiñol & Lladós (2009), Fig. 10).

    Attributes
    ----------
    classes, pages : int
        Number of classes and of pages.
    recognition_rate, recognition_spread : float or None
        Recognised symbols in %: mean over the draws, and standard deviation between them. None if
        no draw has a symbol.
    false_positives, false_positives_spread : float
        AveFP, the number of false positives per query: mean over the draws, and standard deviation
        between them.
    symbols : float
        Number of truth regions, mean over the draws.
    """

    classes: int
    pages: int
    recognition_rate: float | None
    recognition_spread: float | None
    false_positives: float
    false_positives_spread: float
    symbols: float


def drawn_counts(counts: Ints, classes: Flags, pages: Flags) -> Floats:
    """Sums over the drawn classes and pages.

    Parameters
    ----------
    counts : (Q, P) int
        A number for each query on each page.
    classes : (D, Q) bool
        The classes of each draw.
    pages : (D, P) bool
        The pages of each draw.

    Returns
    -------
    (D,) float
        Sums of some classes and of others add up to that of both.

    Examples
    --------
    >>> drawn_counts(np.array([[1, 2], [4, 8]]), np.array([[True, False]]),
    ...              np.array([[False, True]])).tolist()
    [2.0]
    """
    weights, sums = classes.astype(np.float64), np.zeros(len(classes))
    for start in range(0, counts.shape[1], AT_ONCE):  # whole numbers: no order changes the sums
        some = slice(start, start + AT_ONCE)
        sums += ((weights @ counts[:, some]) * pages[:, some]).sum(axis=1)
    return sums


def part_of_counts(
    recognised: Floats, symbols: Floats, false: Floats, classes: int, pages: int
) -> CollectionPart:
    """A part of a collection, from what `drawn_counts` gave of all its classes.

    Parameters
    ----------
    recognised, symbols, false : (D,) float
        Number of recognised regions, of all regions, and of false positives of each draw.
    classes, pages : int
        How many are drawn.

    Returns
    -------
    CollectionPart
        The recognition rate is None if no draw has a symbol.

    Examples
    --------
    >>> part_of_counts(np.ones(2), np.full(2, 4.0), np.full(2, 6.0), 3, 5).false_positives
    2.0
    """
    rate = 100 * recognised[symbols > 0] / symbols[symbols > 0]
    per_query = false / classes
    return CollectionPart(
        classes=classes,
        pages=pages,
        recognition_rate=float(rate.mean()) if len(rate) else None,
        recognition_spread=float(rate.std()) if len(rate) else None,
        false_positives=float(per_query.mean()),
        false_positives_spread=float(per_query.std()),
        symbols=float(symbols.mean()),
    )


STEP = 5  # from one number of classes to the next, as in §5.4


def class_counts(classes: int, step: int = STEP) -> tuple[int, ...]:
    """The numbers of classes to draw: the multiples of ``step`` below ``classes``, and ``classes``.

    Parameters
    ----------
    classes : int
        Number of all classes.
    step : int
        Difference between one number and the next; Rusiñol & Lladós (2009), §5.4, take 5.

    Returns
    -------
    tuple of int
        Increasing; empty without classes.

    Examples
    --------
    >>> class_counts(38), class_counts(3), class_counts(0)
    ((5, 10, 15, 20, 25, 30, 35, 38), (3,), ())
    """
    return (*range(step, classes, step), *([classes] if classes else []))


def draw_subsets(total: int, count: int, draws: int, random: np.random.Generator) -> Flags:
    """Draw subsets of a fixed size, every one equally likely.

    Parameters
    ----------
    total : int
        Number of all things.
    count : int
        How many of them each subset has, at most ``total``.
    draws : int
        Number of subsets.
    random : numpy.random.Generator
        Where the random numbers come from.

    Returns
    -------
    (draws, total) bool
        Whether each thing is in each subset.

    Examples
    --------
    >>> draw_subsets(4, 2, 3, np.random.default_rng(0)).sum(axis=1).tolist()
    [2, 2, 2]
    """
    first = np.zeros((draws, total), np.bool_)
    first[:, :count] = True
    return random.permuted(first, axis=1)


def average_subsets(samples: Floats, subsets: Flags) -> Floats:
    """The mean curve of each subset of queries.

    Parameters
    ----------
    samples : (Q, G) float
        One curve per query; NaN where it is undefined, which the mean leaves out.
    subsets : (D, Q) bool
        The queries of each subset.

    Returns
    -------
    (D, G) float
        In the unit of the samples; NaN where no query of the subset is defined.

    Notes
    -----
    Rusiñol & Lladós (2009), §4.4.

    Examples
    --------
    >>> curves = np.array([[1.0, np.nan], [0.0, 0.5], [np.nan, np.nan]])
    >>> average_subsets(curves, np.array([[True, True, False], [False, False, True]])).tolist()
    [[0.5, 0.5], [nan, nan]]
    """
    weights = subsets.astype(np.float64)
    defined = ~np.isnan(samples)
    return _ratio(weights @ np.where(defined, samples, 0.0), weights @ defined)


@dataclass(frozen=True, eq=False)
class CurveFamily:
    """Averaged curves, one for each number of classes (Rusiñol & Lladós (2009), Fig. 9).

    Attributes
    ----------
    counts : (C,) int
        The numbers of classes.
    mean : (C, G) float
        The curve, averaged over the classes drawn and over the draws; NaN where undefined.
    spread : (C, G) float
        Standard deviation between draws; NaN where undefined.
    centre : (G,) float
        The central tendency of the family.
    deviation : (G,) float
        Standard deviation between the numbers of classes: std_R, std_P, std_F. NaN where fewer than
        two of them are defined.
    by_chance : (G,) float
        The deviation to expect from drawing alone. If queries are answered independently of each
        other, there is no other deviation.
    """

    counts: Ints
    mean: Floats
    spread: Floats
    centre: Floats
    deviation: Floats
    by_chance: Floats

    __repr__ = short_repr

    @property
    def mean_deviation(self) -> float | None:
        """The mean of the deviation over all samples; None if it is defined for none.

        As in Rusiñol & Lladós (2009), Table 3.
        """
        defined = self.deviation[~np.isnan(self.deviation)]
        return float(defined.mean()) if len(defined) else None

    @property
    def largest_deviation(self) -> float | None:
        """The maximum of the deviation over all samples; None if it is defined for none.

        As in Rusiñol & Lladós (2009), Table 3.
        """
        defined = self.deviation[~np.isnan(self.deviation)]
        return float(defined.max()) if len(defined) else None

    @property
    def mean_by_chance(self) -> float | None:
        """The mean of the deviation to expect from drawing alone; None if defined for no sample."""
        defined = self.by_chance[~np.isnan(self.deviation)]
        return float(defined.mean()) if len(defined) else None


def curve_family(
    samples: Floats, subsets: Sequence[Flags], progress: Progress = silent
) -> CurveFamily:
    """Average curves for growing numbers of classes, and measure how they differ.

    Parameters
    ----------
    samples : (Q, G) float
        One curve per class; NaN where it is undefined.
    subsets : sequence of (D, Q) bool
        The draws of each number of classes; all draws of one number have the same size.
    progress : Progress
        Is told of every number of classes; may raise `Cancelled`.

    Returns
    -------
    CurveFamily
        NaN where nothing is defined.

    Notes
    -----
    Rusiñol & Lladós (2009), §4.4 and §5.4. Deviations are those of the population, divided by the
    number of curves rather than by one less. The paper does not say which it uses; for eight
    curves the other is 7 % larger.

    Examples
    --------
    Two classes that answer differently, drawn one at a time and together:

    >>> curves = np.array([[1.0], [0.0]])
    >>> one = np.array([[True, False], [True, False], [True, False], [False, True]])
    >>> curve_family = curve_family(curves, [one, np.array([[True, True]])])
    >>> curve_family.mean.tolist(), curve_family.deviation.tolist()
    ([[0.75], [0.5]], [0.125])
    """
    doing = "averaging curves"
    drawn = [average_subsets(samples, draws) for draws in track(subsets, progress, doing)]
    mean = _stacked([_mean(curves) for curves in drawn], samples.shape[1])
    spread = _stacked([_deviation(curves, fewest=1) for curves in drawn], samples.shape[1])
    return CurveFamily(
        counts=np.array([int(draws[0].sum()) for draws in subsets], np.int64),
        mean=mean,
        spread=spread,
        centre=_mean(mean),
        deviation=_deviation(mean, fewest=2),
        by_chance=_by_chance(samples, subsets),
    )


def _by_chance(samples: Floats, subsets: Sequence[Flags]) -> Floats:
    """Deviation between the means of D draws of n out of N values each, without replacement.

    One mean varies by s²/n · (1 − n/N), the mean of D of them by a D-th of it.
    """
    defined = ~np.isnan(samples)
    known = defined.sum(axis=0)
    centred = np.where(defined, samples - _mean(samples), 0.0)
    variance = (centred**2).sum(axis=0) / np.maximum(known - 1, 1)
    total = len(samples)
    variances = [
        variance * (1 / subset[0].sum() - 1 / total) * total / known.clip(1) / len(subset)
        for subset in subsets
    ]
    if len(variances) < 2:
        return np.full(samples.shape[1], np.nan)
    chance: Floats = np.sqrt(np.mean(variances, axis=0) * (1 - 1 / len(variances)))
    return chance


def _mean(values: Floats) -> Floats:
    """Mean of each column over its defined values."""
    defined = ~np.isnan(values)
    return _ratio(np.where(defined, values, 0.0).sum(axis=0), defined.sum(axis=0))


def _deviation(values: Floats, fewest: int) -> Floats:
    """Standard deviation of each column over its defined values; NaN if fewer than ``fewest``."""
    defined = ~np.isnan(values)
    squares = np.where(defined, (values - _mean(values)) ** 2, 0.0).sum(axis=0)
    known = defined.sum(axis=0)
    return np.sqrt(_ratio(squares, np.where(known < fewest, 0, known)))


def _ratio(part: Floats, whole: NDArray[np.float64] | Ints) -> Floats:
    """Above over below, NaN where that is nothing."""
    positive = np.asarray(whole) > 0
    ratios: Floats = np.divide(part, whole, out=np.full(np.shape(part), np.nan), where=positive)
    return ratios


def _stacked(rows: Sequence[Floats], width: int) -> Floats:
    return np.array(rows, np.float64).reshape(len(rows), width)
