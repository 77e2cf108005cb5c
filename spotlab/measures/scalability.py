"""Whether a system answers alike, however many classes are searched in however many pages.

Rusiñol & Lladós, §4.4 and §5.4. All of it is algebra on curves and counts that are there already:
no region is intersected again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.progress import Progress, silent, track
from spotlab.representation import short_repr

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

STEP = 5  # from one number of classes to the next, as in §5.4


def class_counts(classes: int, step: int = STEP) -> tuple[int, ...]:
    """How many classes are drawn: every multiple of ``step``, and all of them.

    Examples
    --------
    >>> class_counts(38), class_counts(3), class_counts(0)
    ((5, 10, 15, 20, 25, 30, 35, 38), (3,), ())
    """
    return (*range(step, classes, step), *([classes] if classes else []))


def draw_subsets(total: int, count: int, draws: int, random: np.random.Generator) -> Flags:
    """Subsets of ``count`` of ``total`` things, every one equally likely.

    Returns
    -------
    (draws, total) bool

    Examples
    --------
    >>> draw_subsets(4, 2, 3, np.random.default_rng(0)).sum(axis=1).tolist()
    [2, 2, 2]
    """
    first = np.zeros((draws, total), np.bool_)
    first[:, :count] = True
    return random.permuted(first, axis=1)


def averaged(samples: Floats, subsets: Flags) -> Floats:
    """The mean curve of each subset of queries.

    Parameters
    ----------
    samples : (Q, G) float
        A curve a query; NaN where it is undefined, which the mean leaves out.
    subsets : (D, Q) bool

    Returns
    -------
    (D, G) float
        NaN where no query of the subset is defined.

    Examples
    --------
    >>> curves = np.array([[1.0, np.nan], [0.0, 0.5], [np.nan, np.nan]])
    >>> averaged(curves, np.array([[True, True, False], [False, False, True]])).tolist()
    [[0.5, 0.5], [nan, nan]]
    """
    weights = subsets.astype(np.float64)
    defined = ~np.isnan(samples)
    return _ratio(weights @ np.where(defined, samples, 0.0), weights @ defined)


@dataclass(frozen=True, eq=False)
class Family:
    """Averaged curves, one for each number of classes (Fig. 9).

    Attributes
    ----------
    counts : (C,) int
        How many classes.
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
        The deviation to be expected from drawing alone. Where queries are answered independently of
        each other, it is all there is.
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
        """The mean of the deviation over all samples, as in Table 3; None if it has none."""
        defined = self.deviation[~np.isnan(self.deviation)]
        return float(defined.mean()) if len(defined) else None

    @property
    def largest_deviation(self) -> float | None:
        """The maximum of the deviation over all samples, as in Table 3; None if it has none."""
        defined = self.deviation[~np.isnan(self.deviation)]
        return float(defined.max()) if len(defined) else None

    @property
    def mean_by_chance(self) -> float | None:
        """The mean of what drawing alone makes of the deviation; None if it has none."""
        defined = self.by_chance[~np.isnan(self.deviation)]
        return float(defined.mean()) if len(defined) else None


def family(samples: Floats, subsets: Sequence[Flags], progress: Progress = silent) -> Family:
    """The averaged curves for growing numbers of classes, and how they differ.

    Parameters
    ----------
    samples : (Q, G) float
        One curve a class; NaN where it is undefined.
    subsets : sequence of (D, Q) bool
        The draws of each number of classes; within one, all draw the same number.

    Notes
    -----
    Deviations are of the population (divided by the number of curves, not by one less). The paper
    does not say which; for eight curves the other is 7 % larger.

    Examples
    --------
    Two classes that answer differently, drawn one at a time and together:

    >>> curves = np.array([[1.0], [0.0]])
    >>> one = np.array([[True, False], [True, False], [True, False], [False, True]])
    >>> found = family(curves, [one, np.array([[True, True]])])
    >>> found.mean.tolist(), found.deviation.tolist(), found.largest_deviation
    ([[0.75], [0.5]], [0.125], 0.125)
    """
    doing = "averaging curves"
    drawn = [averaged(samples, each) for each in track(subsets, progress, doing)]
    mean = _stacked([_mean(each) for each in drawn], samples.shape[1])
    spread = _stacked([_deviation(each, least=1) for each in drawn], samples.shape[1])
    return Family(
        counts=np.array([int(each[0].sum()) for each in subsets], np.int64),
        mean=mean,
        spread=spread,
        centre=_mean(mean),
        deviation=_deviation(mean, least=2),
        by_chance=_by_chance(samples, subsets),
    )


@dataclass(frozen=True)
class Size:
    """A part of the collection and what is recognised in it (Fig. 10).

    Attributes
    ----------
    classes, pages : int
        How many.
    recognition_rate, recognition_spread : float or None
        Recognised of all symbols in %: mean over the draws and standard deviation between them.
        None where no draw has a symbol.
    false_positives, false_positives_spread : float
        AveFP, a query's on average: the same.
    symbols : float
        Truth regions: mean over the draws.
    """

    classes: int
    pages: int
    recognition_rate: float | None
    recognition_spread: float | None
    false_positives: float
    false_positives_spread: float
    symbols: float


def size(recognised: Ints, symbols: Ints, false: Ints, classes: Flags, pages: Flags) -> Size:
    """What is recognised in parts of a collection, by how many false positives.

    Parameters
    ----------
    recognised, symbols, false : (Q, P) int
        Regions recognised, all regions, and false positives of each query on each page.
    classes : (D, Q) bool
    pages : (D, P) bool
        The parts, drawn together.

    Examples
    --------
    >>> ones = np.ones((2, 3), np.int64)
    >>> found = size(ones, 2 * ones, 3 * ones, np.array([[True, False]]),
    ...              np.array([[True, True, False]]))
    >>> found.recognition_rate, found.false_positives, found.symbols
    (50.0, 6.0, 4.0)
    """
    of_classes, of_pages = classes.astype(np.float64), pages.astype(np.float64)

    def total(counts: Ints) -> Floats:
        found: Floats = ((of_classes @ counts) * of_pages).sum(axis=1)
        return found

    all_symbols = total(symbols)
    rate = 100 * _ratio(total(recognised), all_symbols)
    rate = rate[~np.isnan(rate)]
    per_query = total(false) / of_classes.sum(axis=1)
    return Size(
        classes=int(classes[0].sum()),
        pages=int(pages[0].sum()),
        recognition_rate=float(rate.mean()) if len(rate) else None,
        recognition_spread=float(rate.std()) if len(rate) else None,
        false_positives=float(per_query.mean()),
        false_positives_spread=float(per_query.std()),
        symbols=float(all_symbols.mean()),
    )


def _by_chance(samples: Floats, subsets: Sequence[Flags]) -> Floats:
    """Deviation between the means of D draws of n out of N values each, without replacement.

    One mean varies by s²/n · (1 − n/N), D of them averaged by a D-th of it.
    """
    defined = ~np.isnan(samples)
    known = defined.sum(axis=0)
    centred = np.where(defined, samples - _mean(samples), 0.0)
    variance = (centred**2).sum(axis=0) / np.maximum(known - 1, 1)
    total = len(samples)
    variances = [
        variance * (1 / each[0].sum() - 1 / total) * total / known.clip(1) / len(each)
        for each in subsets
    ]
    if len(variances) < 2:
        return np.full(samples.shape[1], np.nan)
    chance: Floats = np.sqrt(np.mean(variances, axis=0) * (1 - 1 / len(variances)))
    return chance


def _mean(values: Floats) -> Floats:
    """Down the columns, of what is defined."""
    defined = ~np.isnan(values)
    return _ratio(np.where(defined, values, 0.0).sum(axis=0), defined.sum(axis=0))


def _deviation(values: Floats, least: int) -> Floats:
    """Down the columns, of what is defined; NaN where that is less than ``least``."""
    defined = ~np.isnan(values)
    squares = np.where(defined, (values - _mean(values)) ** 2, 0.0).sum(axis=0)
    known = defined.sum(axis=0)
    return np.sqrt(_ratio(squares, np.where(known < least, 0, known)))


def _ratio(above: Floats, below: NDArray[np.float64] | Ints) -> Floats:
    """Above over below, NaN where that is nothing."""
    known = np.asarray(below) > 0
    found: Floats = np.divide(above, below, out=np.full(np.shape(above), np.nan), where=known)
    return found


def _stacked(rows: Sequence[Floats], width: int) -> Floats:
    return np.array(rows, np.float64).reshape(len(rows), width)
