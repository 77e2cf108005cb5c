"""Intervals and tests of mean figures: had other queries been asked, or other pages been drawn.

A mean figure has *units*: the queries that it is a mean of, or the pages that they are searched on.
Each unit has a value, and the figure is the mean of these values. A query's value is its figure; a
page's is its jackknife pseudo-value, from the figures without this page (Tukey 1958; Efron &
Tibshirani 1993, ch. 11), by algebra on the tallies: nothing is intersected again.

Everything else follows from the values alone, without chance: Student's interval and the one that
Hall (1992, J. R. Stat. Soc. B 54, 221-228) corrects for skewness, whichever reaches further. Only
the paired randomisation test of more than 12 units draws at random.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Literal, Protocol

import numpy as np

from spotlab.arrays import Flags, Floats, Ints
from spotlab.errors import counted
from spotlab.measures import area
from spotlab.measures.figures import RunFigures, page_sums
from spotlab.measures.measure import (
    DrawnList,
    RankingFormula,
    Sums,
    columns_of_sums,
    known_figures,
    known_measures,
)
from spotlab.measures.significance import holm, mean_ranks, student_quantile
from spotlab.progress import Progress, silent, track

LEVEL = 0.95
FEWEST = (
    6  # units of an interval: of fewer no randomisation test reaches 5 %, nor do intervals hold
)
GROUPS = 100  # pages are left out in so many groups at most
EXACT = 4096  # ways of swapping two runs that are all tried
SURE = 0.001  # a p that the test of a family can reach
PRIMARY = "iou_precision"
DRAWS = 1000
BLOCK = 500_000  # spots times weights that are held at the same time, in the processor's cache
ROUNDING = 1e-12
INTERVALS = "Computing intervals"

Over = Literal["queries", "pages"]
UNITS: tuple[Over, ...] = ("queries", "pages")


def weights_without_each(units: int) -> Floats:
    """Weights of units: each counts once with all of them, and not at all where it is left out.

    Parameters
    ----------
    units : int
        Number of units, such as pages. More than 100 are left out in groups.

    Returns
    -------
    (1 + G, units) float
        A row of ones, and a row for each of G groups.

    Examples
    --------
    >>> weights_without_each(2).tolist()
    [[1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]
    """
    place = np.arange(units)
    groups = min(units, GROUPS)
    weights = np.ones((1 + groups, units))
    weights[1 + place % max(groups, 1), place] = 0
    return weights


def page_columns(
    figures: RunFigures, progress: Progress = silent, ranking: Mapping[str, Floats] | None = None
) -> dict[str, Floats]:
    """Every figure of every query on all pages, and without each group of pages.

    Parameters
    ----------
    figures : RunFigures
        The run.
    progress : Progress
        Is told of every query; may raise `Cancelled`.
    ranking : mapping of str to (1 + G, Q) float, optional
        What `ranking_columns` gives of all queries, where it is known already.

    Returns
    -------
    dict of str to (1 + G, Q) float
        By the figure's name; NaN where it is undefined. All figures of a query are undefined where
        the pages have no region of it.
    """
    weights = weights_without_each(len(figures.tally.pages))
    columns = columns_of_sums(_weighted_sums(figures, weights))
    if ranking is None:
        ranking = ranking_columns(figures, range(len(figures.tally.queries)), progress)
    columns |= ranking
    there = weights @ figures.tally.symbols.T > 0
    names = (measure.name for measure in known_measures())
    return {name: np.where(there, columns[name], np.nan) for name in names}


def _weighted_sums(figures: RunFigures, weights: Floats) -> Sums:
    """(1 + G, Q) areas and counts on these pages."""
    pages = page_sums(figures)
    return Sums(
        settings=pages.settings,
        retrieved=weights @ pages.retrieved.T,
        relevant=weights @ pages.relevant.T,
        outside=weights @ pages.outside.T,
        truth=weights @ pages.truth.T,
        pages=weights @ pages.pages.T,
        symbols=weights @ pages.symbols.T,
        recognised=weights @ pages.recognised.T,
        false_positives=weights @ pages.false_positives.T,
        spots=weights @ pages.spots.T,
        correct=weights @ pages.correct.T,
    )


def ranking_columns(
    figures: RunFigures, queries: Sequence[int], progress: Progress = silent
) -> dict[str, Floats]:
    """The figures of some queries that depend on the order of spots, as in `page_columns`.

    Parameters
    ----------
    figures : RunFigures
        The run.
    queries : sequence of int
        Their places among all queries.
    progress : Progress
        Is told of every query; may raise `Cancelled`.

    Returns
    -------
    dict of str to (1 + G, n) float
        By the figure's name, of the n queries in their order; NaN where it is undefined.
    """
    tally, weights = figures.tally, weights_without_each(len(figures.tally.pages))
    formulas = [
        (measure, measure.formula)
        for measure in known_measures()
        if isinstance(measure.formula, RankingFormula)
    ]
    columns = {
        measure.name: np.full((len(weights), len(queries)), np.nan) for measure, _ in formulas
    }
    symbols = weights @ tally.symbols.T
    truth = weights @ tally.relevant(figures.settings.overlap).T
    for place, query in enumerate(queries):
        start, stop = tally.starts[query : query + 2].tolist()
        spots = slice(start, stop)
        for block in _blocks(len(weights), stop - start):
            progress(place, len(queries), "Leaving pages out")
            weight = weights[block][:, tally.page[spots]]
            drawn_list = DrawnList(
                figures.lists,
                spots,
                weight,
                symbols[block, query],
                truth[block, query],
                query,
                weights[block],
            )
            for measure, formula in formulas:
                columns[measure.name][block, place] = measure.values(
                    partial(formula.resampled, drawn_list), (len(weight),)
                )
    progress(len(queries), len(queries), "Leaving pages out")
    return columns


def _blocks(rows: int, columns: int) -> Iterator[slice]:
    step = max(1, BLOCK // max(1, columns))
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))


def pseudo_values(figures: Floats, units: int) -> Floats:
    """Give each group of units the value by which a figure is a mean over units.

    Parameters
    ----------
    figures : (1 + G, …) float
        A figure with the rows of `weights_without_each`; NaN where it is undefined.
    units : int
        Number of units.

    Returns
    -------
    (G, …) float
        Pseudo-values of the jackknife, moved so that their mean is the figure of all units; NaN
        where the figure is undefined without the group.

    Notes
    -----
    Tukey (1958); for groups that differ in size, Busing, Meijer & van der Leeden (1999).

    Examples
    --------
    >>> pseudo_values(np.array([2.0, 2.5, 2.0, 1.5]), 3).tolist()  # the mean of 1, 2 and 3
    [1.0, 2.0, 3.0]
    """
    whole, without = figures[0], figures[1:]
    sizes = np.bincount(np.arange(units) % max(len(without), 1), minlength=len(without))
    share = (units / sizes).reshape(-1, *[1] * whole.ndim)
    values = share * whole - (share - 1) * without
    known = ~np.isnan(values)
    mean = area.ratio(np.where(known, values, 0.0).sum(axis=0), known.sum(axis=0))
    return np.asarray(values + whole - mean)


@dataclass(frozen=True)
class Interval:
    """An interval in which a figure lies with a given level of confidence.

    Attributes
    ----------
    low, high : float
        Its ends in the figure's unit: shares in [0, 1], percent or counts.
    units : int
        Number of queries or pages that it is from: those that have the figure.
    """

    low: float
    high: float
    units: int = 0


def interval_ends(values: Floats, level: float = LEVEL) -> Floats:
    """Both ends of the intervals of means.

    Parameters
    ----------
    values : (n, K) float
        n units of each of K means; NaN is undefined and left out.
    level : float
        Level of confidence, in (0, 1).

    Returns
    -------
    (2, K) float
        NaN where fewer than 6 units are defined, or all have the same value: then nothing is known
        of how much others would differ.

    Notes
    -----
    The hull of Student's interval and that of Hall (1992), which inverts
    T = t + a t² + a² t³ / 3 + b / n with a = γ / 3 and b = γ / 6 of the skewness γ. Of 5 units or
    fewer even the exact randomisation test has no p of 5 % (2 of 2⁵ ways are 6 %), and samples may
    miss one of two kinds of units altogether.

    Examples
    --------
    >>> interval_ends(np.arange(6.0)[:, None]).round(2).tolist()
    [[0.54], [4.46]]
    """
    count, mean, deviation, skewness = _moments(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        reach = student_quantile(count - 1, (1 + level) / 2) / np.sqrt(count)
        slope, shift = skewness / 3, skewness / 6 / count
        skewed = [
            np.where(
                np.abs(slope) < 1e-9, end, (np.cbrt(1 + 3 * slope * (end - shift)) - 1) / slope
            )
            for end in (reach, -reach)
        ]
    ends = np.array([
        mean - deviation * np.maximum(reach, skewed[0]),
        mean - deviation * np.minimum(-reach, skewed[1]),
    ])  # fmt: skip
    return np.where((count >= FEWEST) & (deviation > 0), ends, np.nan)


def student_half_width(values: Floats, level: float = LEVEL) -> Floats:
    """Half the width of Student's intervals of means, for bands around a curve.

    Parameters
    ----------
    values : (n, K) float
        n units of each of K means; NaN is undefined and left out.
    level : float
        Level of confidence, in (0, 1).

    Returns
    -------
    (K,) float
        In the unit of the values; NaN where fewer than 6 units are defined.

    Examples
    --------
    >>> student_half_width(np.arange(6.0)[:, None]).round(2).tolist()
    [1.96]
    """
    count, _, deviation, _ = _moments(values)
    with np.errstate(invalid="ignore", divide="ignore"):
        half = student_quantile(count - 1, (1 + level) / 2) / np.sqrt(count) * deviation
    return np.where(count >= FEWEST, half, np.nan)


def _moments(values: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """(K,) numbers, means, standard deviations and skewnesses, the latter without bias."""
    known = ~np.isnan(values)
    count = known.sum(axis=0).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(known, values, 0.0).sum(axis=0) / count
        around = np.where(known, values - mean, 0.0)
        spread = np.sqrt((around**2).sum(axis=0) / count)
        spread[spread <= ROUNDING * np.abs(mean)] = 0.0
        skewness = (around**3).sum(axis=0) / count / spread**3
        skewness *= np.sqrt(count * (count - 1)) / (count - 2)
        deviation = spread * np.sqrt(count / (count - 1))
    return count, mean, deviation, np.nan_to_num(skewness, posinf=0.0, neginf=0.0)


def mean_interval(values: Floats, level: float = LEVEL) -> Interval | None:
    """The interval of one mean, see `interval_ends`.

    Parameters
    ----------
    values : (n,) float
        Of each unit; NaN is undefined and left out.
    level : float
        Level of confidence, in (0, 1).

    Returns
    -------
    Interval or None
        None where there are too few units, or all are alike.

    Examples
    --------
    >>> mean_interval(np.array([0.5, 0.7])) is None
    True
    """
    low, high = interval_ends(values[:, None], level)[:, 0].tolist()
    units = int((~np.isnan(values)).sum())
    return None if math.isnan(low) else Interval(low, high, units)


LIMITS = {"": (0.0, 1.0), "%": (0.0, 100.0), "count": (0.0, math.inf), "px²": (0.0, math.inf)}


def limited(interval: Interval | None, name: str) -> Interval | None:
    """Cut off what the figure of this name cannot be.

    Parameters
    ----------
    interval : Interval or None
        In the unit of the figure.
    name : str
        Name of the figure.

    Returns
    -------
    Interval or None
        Within [0, 1] for a share; unchanged for figures without limits.

    Examples
    --------
    >>> limited(Interval(0.8, 1.1), "area_recall")
    Interval(low=0.8, high=1.0, units=0)
    >>> limited(Interval(-0.2, 1.1), "average_precision_relevant")  # several spots of a region
    Interval(low=0.0, high=1.1, units=0)
    """
    figure = next((each for each in known_figures() if each.name == name), None)
    if interval is None or figure is None or figure.unit not in LIMITS:
        return interval
    low, high = LIMITS[figure.unit] if figure.bounded else (0.0, math.inf)
    return replace(interval, low=max(interval.low, low), high=min(interval.high, high))


class FiguresOfQueries(Protocol):
    """The figures of Q queries: `RunFigures`, or those that were computed elsewhere."""

    @property
    def in_truth(self) -> Flags:
        """(Q,) True for the queries of the truth."""

    @property
    def columns(self) -> Mapping[str, Floats]:
        """(Q,) values of each figure by its name; NaN where undefined."""

    @property
    def mean(self) -> Mapping[str, float | None]:
        """Mean of each figure over the queries in which it is defined."""

    @property
    def defined(self) -> Mapping[str, int]:
        """Number of these queries."""

    @property
    def pooled(self) -> Mapping[str, float | None]:
        """Each figure of all queries together."""


def intervals_over_queries(
    figures: FiguresOfQueries, level: float = LEVEL, progress: Progress = silent
) -> dict[str, Interval | None]:
    """Intervals of every mean figure, had other queries been asked.

    Parameters
    ----------
    figures : RunFigures
        The run.
    level : float
        Level of confidence, in (0, 1).
    progress : Progress
        Is told of every figure; may raise `Cancelled`.

    Returns
    -------
    dict of str to Interval or None
        By the figure's name; None where too few of the truth's queries have the figure, or all have
        the same.

    Notes
    -----
    See `interval_ends`.

    Examples
    --------
    A single query has no interval:

    >>> from spotlab.geometry.polygon import Outlines
    >>> from spotlab.measures.figures import compute_figures
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> figures = compute_figures(Tally.of(nothing, {}, [], queries=["bed"]))
    >>> intervals_over_queries(figures)["f"] is None
    True
    """
    there = figures.in_truth
    return {
        name: limited(mean_interval(values[there], level), name)
        for name, values in track(figures.columns.items(), progress, INTERVALS)
    }


def intervals_over_pages(
    figures: RunFigures,
    level: float = LEVEL,
    progress: Progress = silent,
    columns: Mapping[str, Floats] | None = None,
) -> dict[str, Interval | None]:
    """Intervals of every mean figure, had other pages been drawn.

    Parameters
    ----------
    figures : RunFigures
        The run.
    level : float
        Level of confidence, in (0, 1).
    progress : Progress
        Is told of every query; may raise `Cancelled`.
    columns : mapping of str to (1 + G, Q) float, optional
        What `page_columns` gives, where it is known.

    Returns
    -------
    dict of str to Interval or None
        By the figure's name; None where there are too few pages, or all are alike.

    Notes
    -----
    See `interval_ends` and `pseudo_values`.
    """
    pages = len(figures.tally.pages)
    if pages < FEWEST:
        return dict.fromkeys(figures.columns)
    columns = page_columns(figures, progress) if columns is None else columns
    return {
        name: limited(mean_interval(pseudo_values(_mean_of_rows(values), pages), level), name)
        for name, values in track(columns.items(), progress, INTERVALS)
    }


def _mean_of_rows(values: Floats) -> Floats:
    """Means over the queries that have the figure; NaN where none has."""
    known = ~np.isnan(values)
    return area.ratio(np.where(known, values, 0.0).sum(axis=1), known.sum(axis=1))


@dataclass(frozen=True)
class Difference:
    """Difference of one run's mean figure from another's.

    Attributes
    ----------
    value : float
        Second minus first, in the figure's unit, over the units that have it in both runs.
    interval : Interval or None
        Of it; None where there are too few units.
    p : float or None
        Two-sided probability, in (0, 1], of a difference at least as large if the runs were alike;
        None where the figure is not tested.
    p_holm : float or None
        The same, corrected for all that is tested with it.
    """

    value: float
    interval: Interval | None = None
    p: float | None = None
    p_holm: float | None = None

    def __neg__(self) -> Difference:
        """The difference the other way round.

        Examples
        --------
        >>> turned = -Difference(0.5, Interval(0.25, 0.75))
        >>> turned.value, turned.interval
        (-0.5, Interval(low=-0.75, high=-0.25, units=0))
        """
        ends = self.interval
        turned = ends and replace(ends, low=-ends.high, high=-ends.low)
        return replace(self, value=-self.value, interval=turned)


def paired_differences(pairs: Floats, draws: int = 0, seed: int = 0) -> list[Difference | None]:
    """Means of paired differences with their intervals, and with their significance.

    Parameters
    ----------
    pairs : (n, K) float
        Second minus first of n units, K times; NaN where either is undefined.
    draws : int
        Number of draws of the randomisation test where there are too many units to try all ways;
        0 tests nothing.
    seed : int
        Of the random numbers.

    Returns
    -------
    list of Difference or None
        K of them; None for fewer than two units.

    Notes
    -----
    p is that of the paired randomisation test, which swaps the runs on any of the units (Smucker,
    Allan & Carterette 2007). Its own interval lies between means of subsets of the units (Hartigan
    1969). A tested difference has the hull of it and of `interval_ends`, but for an end beyond 0
    where the test rejects 0: there it is the test's. So the interval leaves 0 out if and only if p
    is .05 or less.

    Examples
    --------
    >>> found = paired_differences(np.array([[0.1], [0.2], [0.3]]), draws=100)[0]
    >>> found.p, found.interval  # one of 8 ways, and its mirror image
    (0.25, None)
    """
    known = ~np.isnan(pairs)
    count = known.sum(axis=0)
    ends = interval_ends(pairs)
    p = np.full(pairs.shape[1], np.nan)
    if draws:
        for pattern in np.unique(known[:, count > 1], axis=1).T:
            alike = np.flatnonzero((known == pattern[:, None]).all(axis=0))
            values = pairs[np.ix_(pattern, alike)]
            tested, p[alike] = _randomised(values, draws, seed)
            ends[:, alike] = _reaching(ends[:, alike], tested)
    return [
        None
        if units < 2
        else Difference(
            float(column[of_column].mean()),
            None if math.isnan(low) else Interval(low, high, units),
            None if math.isnan(chance) else chance,
        )
        for column, of_column, units, low, high, chance in zip(
            pairs.T, known.T, count.tolist(), *ends.tolist(), p.tolist(), strict=True
        )
    ]


def _reaching(ends: Floats, tested: Floats) -> Floats:
    """The hulls of two (2, K) intervals; where the tested one leaves 0 out, so does the hull."""
    low, high = np.minimum(ends[0], tested[0]), np.maximum(ends[1], tested[1])
    low = np.where((tested[0] > 0) & (low <= 0), tested[0], low)
    high = np.where((tested[1] < 0) & (high >= 0), tested[1], high)
    return np.array([low, high])


def _randomised(values: Floats, draws: int, seed: int) -> tuple[Floats, Floats]:
    """(2, K) ends and (K,) two-sided p of the paired randomisation test of n defined units.

    Swapping the runs on some units makes the sum of differences as large as it is, or larger, if
    and only if the mean over these units is not above 0.
    """
    units = len(values)
    if 2**units <= max(EXACT, draws):
        numbers = np.arange(1, 2**units)[:, None]
        subsets = (numbers >> np.arange(units) & 1).astype(np.float64)
        means = (subsets @ values) / subsets.sum(axis=1, keepdims=True)
    else:
        random = np.random.default_rng(seed)
        means = np.empty((draws, values.shape[1]))
        for block in _blocks(draws, units):
            drawn = random.integers(0, 2, (block.stop - block.start, units)).astype(np.float64)
            means[block] = (drawn @ values) / np.maximum(drawn.sum(axis=1, keepdims=True), 1.0)
    ways = len(means) + 1
    tiny = ROUNDING * np.abs(values).mean(axis=0)
    less, more = ((means <= tiny).sum(axis=0), (means >= -tiny).sum(axis=0))
    p = np.minimum(2 * (np.minimum(less, more) + 1) / ways, 1.0)
    last = int((1 - LEVEL) / 2 * ways)
    if not last:
        return np.full((2, values.shape[1]), np.nan), p
    means.partition([last - 1, len(means) - last], axis=0)
    return np.array([means[last - 1], means[-last]]), p


def compare_pairs(
    pairs: Sequence[Mapping[str, Floats]], primary: str, draws: int = DRAWS, seed: int = 0
) -> list[dict[str, Difference | None]]:
    """Compare systems figure by figure, and test one figure for all pairs of systems.

    Parameters
    ----------
    pairs : sequence of mapping of str to (n,) float
        For each two systems, by the figure's name: second minus first of n units, the same ones in
        all pairs; NaN where either is undefined.
    primary : str
        Name of the figure that is tested; its p is corrected for the number of pairs.
    draws, seed : int
        Number of draws of the randomisation test, and the seed of the random numbers. More are
        drawn where so many pairs could otherwise not have a corrected p of .001.

    Returns
    -------
    list of dict of str to Difference or None
        For each pair; None where fewer than two units have the figure in both.

    Notes
    -----
    See `paired_differences` and `holm`.

    Examples
    --------
    >>> better = {"f": np.linspace(0.1, 0.3, 12)}
    >>> [found["f"].p_holm for found in compare_pairs([better, better], "f")]
    [0.0009765625, 0.0009765625]
    """
    found = []
    for values in pairs:
        differences = paired_differences(np.stack(list(values.values()), axis=1))
        found.append(dict(zip(values, differences, strict=True)))
    if not pairs:
        return found
    draws = max(draws, math.ceil(2 * len(pairs) / SURE))
    tested = paired_differences(np.stack([each[primary] for each in pairs], axis=1), draws, seed)
    p = holm([np.nan if each is None or each.p is None else each.p for each in tested])
    for of_pair, each, corrected in zip(found, tested, p.tolist(), strict=True):
        of_pair[primary] = each and replace(each, p_holm=corrected)
    return found


@dataclass(frozen=True)
class Design:
    """Design of a comparison: the one figure that is tested for all pairs of runs, over some units.

    Attributes
    ----------
    primary, title : str
        Name and title of the figure. All others are described, with intervals, and not tested.
    over : {"queries", "pages"}
        What another study would have others of.
    units : int
        How many of these there are: the fewest that any two runs share.
    tests : int
        Number of pairs of runs that can be tested, for which p is corrected by Holm's method.
    reason : str
        Why these units, for a person; empty where somebody has chosen them.
    ranks : tuple of float
        Mean rank of each run by the figure, 1 being the best, over the units that all runs have;
        empty where there are none.
    """

    primary: str
    title: str
    over: Over
    units: int
    tests: int
    reason: str = ""
    ranks: tuple[float, ...] = ()


class ComparedRun:
    """A run with its figures of each unit, which are computed once.

    Parameters
    ----------
    figures : RunFigures
        The run.
    ranking : mapping of str to (1 + G, Q) float, optional
        What `ranking_columns` gives of all queries, where it is known.
    """

    def __init__(self, figures: RunFigures, ranking: Mapping[str, Floats] | None = None) -> None:
        self.figures = figures
        self._ranking = ranking
        self._columns: dict[str, Floats] | None = None
        self._intervals: dict[Over, dict[str, Interval | None]] = {}

    def columns(self, progress: Progress = silent) -> dict[str, Floats]:
        """Compute figures on all pages and without each group of them, see `page_columns`.

        Parameters
        ----------
        progress : Progress
            Is told of every query; may raise `Cancelled`.

        Returns
        -------
        dict of str to (1 + G, Q) float
            By the name of the figure; kept for the next call.
        """
        if self._columns is None:
            self._columns = page_columns(self.figures, progress, self._ranking)
        return self._columns

    def intervals(self, over: Over, progress: Progress = silent) -> dict[str, Interval | None]:
        """Compute intervals of every mean figure over queries, or over pages.

        Parameters
        ----------
        over : {"queries", "pages"}
            What would be drawn anew.
        progress : Progress
            Is told of every query and figure; may raise `Cancelled`.

        Returns
        -------
        dict of str to Interval or None
            By the name of the figure; None where too few are known. Kept for the next call.

        Examples
        --------
        A run without pages has no interval over pages:

        >>> from spotlab.geometry.polygon import Outlines
        >>> from spotlab.measures.figures import compute_figures
        >>> from spotlab.measures.tally import Tally
        >>> from spotlab.model.run import Run
        >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
        >>> figures = compute_figures(Tally.of(nothing, {}, [], queries=["bed"]))
        >>> print(ComparedRun(figures).intervals("pages")["f"])
        None
        """
        if over not in self._intervals:
            enough = over == "pages" and len(self.figures.tally.pages) >= FEWEST
            self._intervals[over] = (
                intervals_over_queries(self.figures, progress=progress)
                if over == "queries"
                else intervals_over_pages(
                    self.figures,
                    progress=progress,
                    columns=self.columns(progress) if enough else {},
                )
            )
        return self._intervals[over]


def compare_runs(
    runs: Sequence[ComparedRun],
    primary: str = PRIMARY,
    over: Over | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress = silent,
) -> tuple[Design, dict[tuple[int, int], dict[str, Difference | None]]]:
    """Compare all pairs of runs on the same truth, figure by figure, and test one figure.

    Parameters
    ----------
    runs : sequence of ComparedRun
    primary : str
        Name of the figure that is tested.
    over : {"queries", "pages"}, optional
        The units; by default queries, or pages where there are too few queries and more pages.
    draws, seed : int
        Number of draws of the randomisation test, and the seed of the random numbers. More are
        drawn where so many pairs could otherwise not have a corrected p of .001.
    progress : Progress
        Is told of every pair; may raise `Cancelled`.

    Returns
    -------
    design : Design
    differences : dict of (int, int) to dict of str to Difference or None
        For each two runs by their places, the earlier one first: by figure, second minus first.
        None where fewer than two units have the figure in both runs, and over pages where the runs
        are not on the same pages.

    Notes
    -----
    See `paired_differences` and `holm`. The family of tests is that of all pairs of runs; so p is
    the same wherever a pair is shown.
    """
    pairs = list(combinations(range(len(runs)), 2))
    design = _design(runs, len(pairs), primary, over)
    values = []
    queries = sorted({
        query
        for run in runs
        for query, there in zip(run.figures.tally.queries, run.figures.in_truth, strict=True)
        if there
    })  # fmt: skip
    for number, (first, second) in enumerate(pairs):
        progress(number, len(pairs), "Comparing runs")
        values.append(_paired_values(runs[first], runs[second], design.over, queries, progress))
    differences = compare_pairs(values, primary, draws, seed)
    progress(len(pairs), len(pairs), "Comparing runs")
    tested = [each[primary] for each in differences]
    tests = sum(each is not None and each.p is not None for each in tested)
    ranks = _ranks(runs, design, queries, progress) if tests else ()
    return replace(design, tests=tests, ranks=ranks), dict(zip(pairs, differences, strict=True))


def _ranks(
    runs: Sequence[ComparedRun], design: Design, queries: Sequence[str], progress: Progress
) -> tuple[float, ...]:
    """Mean ranks of all runs by the tested figure."""
    values = []
    for run in runs:
        columns = run.figures.columns if design.over == "queries" else run.columns(progress)
        each = _taken(columns[design.primary], _places(run.figures, queries))
        if design.over == "pages":
            each = pseudo_values(_mean_of_rows(each), len(run.figures.tally.pages))
        values.append(each)
    better = next(each.better for each in known_figures() if each.name == design.primary)
    return mean_ranks(better * np.array(values))


def _design(runs: Sequence[ComparedRun], tests: int, primary: str, over: Over | None) -> Design:
    figures = [run.figures for run in runs]
    known = [each.in_truth & ~np.isnan(each.columns[primary]) for each in figures]
    queries = min((int(each.sum()) for each in known), default=0)
    pages = len(figures[0].tally.pages) if figures else 0
    if any(each.tally.pages != figures[0].tally.pages for each in figures):
        pages = 0
    units: dict[Over, int] = {"queries": queries, "pages": min(pages, GROUPS)}
    figure = next(each for each in known_figures() if each.name == primary)
    title = figure.titled(figures[0].settings if figures else None)
    title = f"mean {title}" if figure.over == "pooled" else title
    if over is not None:
        return Design(primary, title, over, units[over], tests)
    enough = 1 + math.ceil(math.log2(max(tests, 1) / SURE))
    if queries >= enough or queries >= pages:
        return Design(primary, title, "queries", queries, tests)
    few = counted(queries, "query") + (" is" if queries == 1 else " are")
    reason = f"{few} too few for a p of {SURE:g}".replace("0.", ".")
    return Design(primary, title, "pages", units["pages"], tests, reason)


def _paired_values(
    first: ComparedRun, second: ComparedRun, over: Over, queries: Sequence[str], progress: Progress
) -> dict[str, Floats]:
    """(n,) second minus first of every unit, by figure; NaN where either is undefined."""
    one, other = first.figures, second.figures
    names = [measure.name for measure in known_measures()]
    places = [_places(run, queries) for run in (one, other)]
    pages = len(one.tally.pages)
    if over == "pages" and (one.tally.pages != other.tally.pages or pages < 2):
        return {name: np.full(min(pages, GROUPS), np.nan) for name in names}
    before, after = (
        (one.columns, other.columns)
        if over == "queries"
        else (first.columns(progress), second.columns(progress))
    )
    found = {}
    for name in names:
        values = _taken(after[name], places[1]) - _taken(before[name], places[0])
        found[name] = values if over == "queries" else pseudo_values(_mean_of_rows(values), pages)
    return found


def _places(run: RunFigures, queries: Sequence[str]) -> Ints:
    """Places of queries of the truth in a run; -1 for those that are not there."""
    own = {name: place for place, name in enumerate(run.tally.queries) if run.in_truth[place]}
    return np.array([own.get(name, -1) for name in queries], np.int64)


def _taken(values: Floats, places: Ints) -> Floats:
    """(..., L) values of some queries; NaN for those that are not there."""
    if not values.shape[-1]:
        return np.full((*values.shape[:-1], len(places)), np.nan)
    return np.where(places >= 0, values[..., places], np.nan)
