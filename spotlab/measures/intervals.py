"""Intervals and tests of figures by resampling: had other queries been asked, or other pages drawn.

Every figure of every query on drawn pages, from tallies: nothing is intersected again.

Pages are drawn with replacement, and all figures are computed again from the drawn pages' areas and
counts; a page that is drawn twice counts twice.

Bootstrap intervals of mean figures: had other queries been asked, or other pages been drawn.

The percentile bootstrap of Efron & Tibshirani (1993), ch. 13, from tallies: nothing is intersected
again. Queries are drawn with replacement and their figures averaged; or pages are drawn, see
`spotlab.measures.intervals`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Ints
from spotlab.measures import area
from spotlab.measures.figures import RunFigures, page_sums
from spotlab.measures.measure import (
    DrawnList,
    Figure,
    RankingFormula,
    Sums,
    SumsFormula,
    known_measures,
)
from spotlab.progress import Progress, silent

BLOCK = 250_000  # spots times draws that are held at the same time, in the processor's cache


def draw_weights(count: int, draws: int, seed: int) -> Floats:
    """Draw as many things as there are, with replacement, and count each thing in each draw.

    Parameters
    ----------
    count : int
        Number of things, and of those in each draw.
    draws, seed : int
        Number of draws, and the seed of the random numbers.

    Returns
    -------
    (draws, count) float
        Whole numbers; each draw adds up to ``count``.

    Examples
    --------
    >>> draw_weights(3, 2, 0).sum(axis=1).tolist()
    [3.0, 3.0]
    """
    if not count:
        return np.empty((draws, 0))
    counts = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=draws)
    return counts.astype(np.float64)


def page_columns(
    figures: RunFigures,
    draws: int,
    seed: int,
    progress: Progress = silent,
    ranking: Mapping[str, Floats] | None = None,
) -> dict[str, Floats]:
    """Every figure of every query on drawn pages.

    Parameters
    ----------
    figures : RunFigures
        The run.
    draws, seed : int
        Number of draws, and the seed of the random numbers.
    progress : Progress
        Is told of every query; may raise `Cancelled`.
    ranking : mapping of str to (draws, Q) float, optional
        What `ranking_columns` gives of all queries, where it is known already.

    Returns
    -------
    dict of str to (draws, Q) float
        By the figure's name; NaN where it is undefined. All figures of a query are undefined where
        the drawn pages have no region of it.
    """
    drawn = draw_weights(len(figures.tally.pages), draws, seed)
    columns = _sums_columns(_drawn_sums(figures, drawn))
    if ranking is None:
        ranking = ranking_columns(figures, draws, seed, range(len(figures.tally.queries)), progress)
    columns |= ranking
    there = drawn @ figures.tally.symbols.T > 0
    names = (measure.name for measure in known_measures())
    return {name: np.where(there, columns[name], np.nan) for name in names}


def _sums_columns(sums: Sums) -> dict[str, Floats]:
    columns = {}
    for measure in known_measures():
        formula = measure.formula
        if isinstance(formula, SumsFormula):
            compute = partial(formula.compute, sums)
            columns[measure.name] = measure.values(compute, sums.truth.shape)
    return columns


def _drawn_sums(figures: RunFigures, drawn: Floats) -> Sums:
    """(draws, Q) areas and counts on the drawn pages."""
    pages = page_sums(figures)
    return Sums(
        settings=pages.settings,
        retrieved=drawn @ pages.retrieved.T,
        relevant=drawn @ pages.relevant.T,
        outside=drawn @ pages.outside.T,
        truth=drawn @ pages.truth.T,
        pages=drawn @ pages.pages.T,
        symbols=drawn @ pages.symbols.T,
        recognised=drawn @ pages.recognised.T,
        false_positives=drawn @ pages.false_positives.T,
        spots=drawn @ pages.spots.T,
        correct=drawn @ pages.correct.T,
    )


def ranking_columns(
    figures: RunFigures, draws: int, seed: int, queries: Sequence[int], progress: Progress = silent
) -> dict[str, Floats]:
    """The figures of some queries on drawn pages that depend on the order of spots.

    Parameters
    ----------
    figures : RunFigures
        The run.
    draws, seed : int
        Number of draws, and the seed of the random numbers.
    queries : sequence of int
        Their places among all queries.
    progress : Progress
        Is told of every query; may raise `Cancelled`.

    Returns
    -------
    dict of str to (draws, len(queries)) float
        By the figure's name; NaN where it is undefined.
    """
    tally, drawn = figures.tally, draw_weights(len(figures.tally.pages), draws, seed)
    formulas = [
        (measure, measure.formula)
        for measure in known_measures()
        if isinstance(measure.formula, RankingFormula)
    ]
    columns = {measure.name: np.full((len(drawn), len(queries)), np.nan) for measure, _ in formulas}
    symbols = drawn @ tally.symbols.T
    truth = drawn @ tally.relevant(figures.settings.overlap).T
    for place, query in enumerate(queries):
        start, stop = tally.starts[query : query + 2].tolist()
        spots = slice(start, stop)
        for block in _blocks(len(drawn), stop - start):
            progress(place, len(queries), "Drawing pages")
            weight = drawn[block][:, tally.page[spots]]
            drawn_list = DrawnList(
                figures.lists, spots, weight, symbols[block, query], truth[block, query]
            )
            for measure, formula in formulas:
                columns[measure.name][block, place] = measure.values(
                    partial(formula.resampled, drawn_list), (len(weight),)
                )
    progress(len(queries), len(queries), "Drawing pages")
    return columns


def _blocks(draws: int, spots: int) -> Iterator[slice]:
    step = max(1, BLOCK // max(1, spots))
    return (slice(start, min(start + step, draws)) for start in range(0, draws, step))


@dataclass(frozen=True)
class Interval:
    """An interval in which a figure lies with a given level of confidence.

    Attributes
    ----------
    low, high : float
        Its ends in the figure's unit: shares in [0, 1], percent or counts.
    draws : int
        Number of draws that it is from: those in which the figure is defined.
    """

    low: float
    high: float
    draws: int = 0


class FiguresOfQueries(Protocol):
    """The figures of Q queries: `RunFigures`, or those that were computed elsewhere."""

    @property
    def in_truth(self) -> NDArray[np.bool_]:
        """(Q,) True for the queries of the truth."""

    @property
    def columns(self) -> Mapping[str, Floats]:
        """(Q,) values of each figure by its name; NaN where undefined."""

    @property
    def defined(self) -> Mapping[str, int]:
        """For how many of the truth's queries each figure is defined."""


def intervals_over_queries(
    figures: FiguresOfQueries,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    progress: Progress = silent,
) -> dict[str, Interval | None]:
    """Intervals of every mean figure, had other queries been asked.

    Parameters
    ----------
    figures : RunFigures
        The run.
    draws, seed : int
        Number of draws, and the seed of the random numbers; the same seed gives the same intervals.
    level : float
        Level of confidence, in [0, 1].
    progress : Progress
        Is told of every figure; may raise `Cancelled`.

    Returns
    -------
    dict of str to Interval or None
        By the figure's name; None where fewer than two queries have the figure.

    Notes
    -----
    The percentile bootstrap of Efron & Tibshirani (1993), ch. 13, over the truth's queries.

    Examples
    --------
    A single query has no interval:

    >>> from spotlab.geometry.polygon import Outlines
    >>> from spotlab.measures.figures import compute_figures
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> figures = compute_figures(Tally.of(nothing, {}, [], queries=["bed"]))
    >>> intervals_over_queries(figures, draws=10)["f"] is None
    True
    """
    means = query_draws(figures, draws, seed, progress)
    return {
        name: percentile_interval(values, level) if figures.defined[name] > 1 else None
        for name, values in means.items()
    }


def intervals_over_pages(
    figures: RunFigures,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    progress: Progress = silent,
    ranking: Mapping[str, Floats] | None = None,
) -> dict[str, Interval | None]:
    """Intervals of every mean figure, had other pages been drawn.

    Parameters
    ----------
    figures : RunFigures
        The run.
    draws, seed : int
        Number of draws, and the seed of the random numbers; the same seed gives the same intervals.
    level : float
        Level of confidence, in [0, 1].
    progress : Progress
        Is told of every query; may raise `Cancelled`.
    ranking : mapping of str to (draws, Q) float, optional
        What `spotlab.measures.intervals.ranking_columns` gives of all queries, where it is known.

    Returns
    -------
    dict of str to Interval or None
        By the figure's name; all None if there are fewer than two pages.

    Notes
    -----
    The percentile bootstrap of Efron & Tibshirani (1993), ch. 13, over pages.
    """
    if len(figures.tally.pages) < 2:
        return dict.fromkeys(figures.columns)
    means = page_draws(figures, draws, seed, progress, ranking)
    return {name: percentile_interval(values, level) for name, values in means.items()}


def percentile_interval(values: Floats, level: float = 0.95) -> Interval | None:
    """The middle part of the draws.

    Parameters
    ----------
    values : (draws,) float
        A figure on each draw, in its unit; NaN is undefined and left out.
    level : float
        Share of the draws that lie in the interval, in [0, 1].

    Returns
    -------
    Interval or None
        None if no draw is defined.

    Notes
    -----
    Efron & Tibshirani (1993), ch. 13.

    Examples
    --------
    >>> middle = percentile_interval(np.arange(101.0), 0.9)
    >>> round(middle.low), round(middle.high), middle.draws
    (5, 95, 101)
    >>> percentile_interval(np.array([np.nan])) is None
    True
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Interval(low, high, len(defined))


def weighted_means(values: Floats, weight: Floats) -> Floats:
    """Weighted means over queries, without what is undefined.

    Parameters
    ----------
    values : (Q,) or (draws, Q) float
        A figure of every query, in its unit; NaN is undefined.
    weight : (draws, Q) float
        How often each query counts in each draw.

    Returns
    -------
    (draws,) float
        NaN where no query of a draw has the figure.

    Examples
    --------
    >>> weighted_means(np.array([0.5, np.nan, 1.0]), np.array([[1.0, 1, 1], [0, 1, 0]])).tolist()
    [0.75, nan]
    """
    values = np.broadcast_to(values, weight.shape)
    there = ~np.isnan(values)
    return area.ratio((np.where(there, values, 0.0) * weight).sum(axis=1),
                      (weight * there).sum(axis=1))  # fmt: skip


def query_draws(
    figures: FiguresOfQueries, draws: int, seed: int, progress: Progress = silent
) -> dict[str, Floats]:
    """The mean of every figure over drawn queries of the truth.

    Parameters
    ----------
    figures : RunFigures
        The run.
    draws, seed : int
        Number of draws, and the seed of the random numbers.
    progress : Progress
        Is told of every figure; may raise `Cancelled`.

    Returns
    -------
    dict of str to (draws,) float
        By the figure's name; NaN if no drawn query has it.

    Examples
    --------
    Only the queries of the truth are drawn; here they are all found:

    >>> from types import SimpleNamespace
    >>> recall, in_truth = np.array([1.0, 1.0, 0.0]), np.array([True, True, False])
    >>> figures = SimpleNamespace(in_truth=in_truth, columns={"recall": recall})
    >>> query_draws(figures, 3, seed=0)["recall"].tolist()
    [1.0, 1.0, 1.0]
    """
    drawn = draw_weights(int(figures.in_truth.sum()), draws, seed)
    means = {}
    for number, (name, values) in enumerate(figures.columns.items()):
        progress(number, len(figures.columns), "Drawing queries")
        means[name] = weighted_means(values[figures.in_truth], drawn)
    progress(len(figures.columns), len(figures.columns), "Drawing queries")
    return means


def page_draws(
    figures: RunFigures,
    draws: int,
    seed: int,
    progress: Progress = silent,
    ranking: Mapping[str, Floats] | None = None,
) -> dict[str, Floats]:
    """The mean of every figure over the queries that the drawn pages' truth has.

    Parameters
    ----------
    figures : RunFigures
        The run.
    draws, seed : int
        Number of draws, and the seed of the random numbers.
    progress : Progress
        Is told of every query; may raise `Cancelled`.
    ranking : mapping of str to (draws, Q) float, optional
        What `spotlab.measures.intervals.ranking_columns` gives of all queries, where it is known.

    Returns
    -------
    dict of str to (draws,) float
        By the figure's name; NaN if it is defined for no query.

    Examples
    --------
    >>> from spotlab.geometry.polygon import Outlines
    >>> from spotlab.measures.figures import compute_figures
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> figures = compute_figures(Tally.of(nothing, {}, [], queries=["bed"]))
    >>> {values.shape for values in page_draws(figures, 20, seed=0).values()}
    {(20,)}
    """
    queries = np.ones((draws, len(figures.tally.queries)))
    columns = page_columns(figures, draws, seed, progress, ranking)
    return {name: weighted_means(values, queries) for name, values in columns.items()}


EXACT = 12  # pairs up to which all assignments of signs are tried
ROUNDING = 1e-12

Over = Literal["queries", "pages"]


@dataclass(frozen=True)
class Difference:
    """Difference of one run's mean figure from another's.

    Attributes
    ----------
    value : float
        First minus second, in the figure's unit, over the queries that have it in both runs.
    low, high : float
        Bootstrap interval of it.
    p : float
        Two-sided probability, in [0, 1], of a difference at least as large if the runs were alike.
    p_holm : float or None
        The same, corrected for all differences that are listed with it; None where it was not. See
        `multiple_comparisons.correct_differences`.
    """

    value: float
    low: float
    high: float
    p: float
    p_holm: float | None = None


def compare_runs(
    first: RunFigures,
    second: RunFigures,
    over: Over = "queries",
    draws: int = 1000,
    seed: int = 0,
    progress: Progress = silent,
) -> dict[str, Difference | None]:
    """Compare two runs on the same truth, figure by figure.

    Parameters
    ----------
    first, second : RunFigures
        Of the two runs.
    over : {"queries", "pages"}
        What is drawn again. "queries": the same queries are paired, and p is that of the paired
        randomisation test, which tosses the sign of every pair (all ways of tossing for up to 12
        pairs, otherwise ``draws`` of them and the observed one). "pages": the same pages are drawn
        for both runs, and p is twice the share of draws on the less likely side of 0.
    draws, seed : int
        Number of draws, and the seed of the random numbers; the same seed gives the same result.
    progress : Progress
        Is told of every figure, or of every query; may raise `Cancelled`.

    Returns
    -------
    dict of str to Difference or None
        By the figure's name. None where fewer than two queries have the figure in both runs; over
        pages None where no query has it, or the runs do not have the same two pages or more.

    Notes
    -----
    Means go over the queries that have a figure in both runs.
    """
    if over == "pages":
        return _over_pages(first, second, draws, seed, progress)
    mine, theirs = _shared_queries(first, second)
    differences: dict[str, Difference | None] = {}
    for number, name in enumerate(first.columns):
        progress(number, len(first.columns), "Comparing runs")
        pairs = first.columns[name][mine] - second.columns[name][theirs]
        differences[name] = paired_difference(pairs[~np.isnan(pairs)], draws, seed)
    return differences


def paired_difference(pairs: Floats, draws: int = 1000, seed: int = 0) -> Difference | None:
    """The mean of paired differences, with its bootstrap interval and its significance.

    Parameters
    ----------
    pairs : (n,) float
        First minus second of each query, in the figure's unit; all defined.
    draws, seed : int
        Number of draws, and the seed of the random numbers.

    Returns
    -------
    Difference or None
        None for fewer than two pairs.

    Examples
    --------
    >>> paired_difference(np.array([0.1, 0.2, 0.3])).p  # one of 8 ways, and its mirror image
    0.25
    """
    if len(pairs) < 2:
        return None
    around = percentile_interval(weighted_means(pairs, draw_weights(len(pairs), draws, seed)))
    assert around is not None  # every draw of defined pairs is defined
    return Difference(
        float(pairs.mean()), around.low, around.high, randomisation_p(pairs, draws, seed)
    )


def randomisation_p(pairs: Floats, draws: int = 1000, seed: int = 0) -> float:
    """Two-sided significance of the paired randomisation test that the mean difference is 0.

    Parameters
    ----------
    pairs : (n,) float
        Paired differences; all defined.
    draws, seed : int
        Number of draws of signs, and the seed, for more than 12 pairs; for fewer all signs are
        tried.

    Returns
    -------
    float
        Probability in (0, 1]; 1 without pairs.

    Examples
    --------
    >>> randomisation_p(np.array([0.1, 0.2, 0.3]))
    0.25
    """
    observed = abs(pairs.sum()) - ROUNDING * np.abs(pairs).sum()
    if len(pairs) <= EXACT:
        signs = np.array(list(product((-1.0, 1.0), repeat=len(pairs))))
        return float((np.abs(signs @ pairs) >= observed).mean())
    random = np.random.default_rng(seed)
    signs = random.integers(0, 2, (draws, len(pairs))) * 2.0 - 1.0
    return float(((np.abs(signs @ pairs) >= observed).sum() + 1) / (draws + 1))


def _over_pages(
    first: RunFigures, second: RunFigures, draws: int, seed: int, progress: Progress
) -> dict[str, Difference | None]:
    if first.tally.pages != second.tally.pages or len(first.tally.pages) < 2:
        return dict.fromkeys(first.columns)
    mine, theirs = _shared_queries(first, second)
    one, other = (page_columns(run, draws, seed, progress) for run in (first, second))
    differences: dict[str, Difference | None] = {}
    for name in first.columns:
        pairs = first.columns[name][mine] - second.columns[name][theirs]
        both = one[name][:, mine] - other[name][:, theirs]  # NaN where one of them has none
        drawn = weighted_means(both, np.ones(both.shape))
        differences[name] = _of_draws(pairs[~np.isnan(pairs)], drawn[~np.isnan(drawn)])
    return differences


def _of_draws(pairs: Floats, drawn: Floats) -> Difference | None:
    around = percentile_interval(drawn)
    if around is None or not len(pairs):
        return None
    less = min((drawn <= 0).sum(), (drawn >= 0).sum())
    p = min(1.0, float(2 * (less + 1) / (len(drawn) + 1)))
    return Difference(float(pairs.mean()), around.low, around.high, p)


def _shared_queries(first: RunFigures, second: RunFigures) -> tuple[Ints, Ints]:
    """Places in each run of the truth's queries that both have."""
    mine, theirs = (
        {name: place for place, name in enumerate(run.tally.queries) if run.in_truth[place]}
        for run in (first, second)
    )
    both = [name for name in mine if name in theirs]
    return (
        np.array([mine[name] for name in both], np.int64),
        np.array([theirs[name] for name in both], np.int64),
    )


Differences = Mapping[str, Difference | None]


def holm(p: ArrayLike) -> Floats:
    """Significances corrected by Holm's step-down method.

    Parameters
    ----------
    p : (n,) array_like of float
        Probabilities in [0, 1] of n tests; NaN is no test.

    Returns
    -------
    (n,) float
        Probabilities in [0, 1], never below ``p``; NaN where ``p`` is. If those at or below a
        level are called significant, the probability of any false call is at most that level,
        whether or not the tests depend on each other.

    Notes
    -----
    Holm (1979), "A simple sequentially rejective multiple test procedure". The k-th smallest of m
    values is multiplied by m - k + 1, made at least the one before it, and at most 1.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03, 0.005]).round(3).tolist()
    [0.03, 0.06, 0.06, 0.02]
    """
    values = np.asarray(p, np.float64)
    corrected = np.full(values.shape, np.nan)
    tests = np.flatnonzero(~np.isnan(values))
    order = tests[np.argsort(values[tests], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    return corrected


def correct_differences(
    comparisons: Sequence[Differences], figures: Sequence[Figure]
) -> tuple[list[dict[str, Difference | None]], int]:
    """Differences with their p corrected for all that are listed together.

    Parameters
    ----------
    comparisons : sequence of mapping of str to Difference or None
        For each two runs that are compared, their differences by the figure's name.
    figures : sequence of Figure
        Those that are listed. One that is neither better high nor low describes the truth, not a
        run; it is no test.

    Returns
    -------
    corrected : list of dict of str to Difference or None
        The same, with ``p_holm`` for each test.
    tests : int
        For how many tests they are corrected: over all comparisons and figures.

    Notes
    -----
    Holm (1979); see `holm`.

    Examples
    --------
    >>> f = Figure("f", "F", "", 1, "")
    >>> pairs = [{"f": Difference(0.1, 0.0, 0.2, 0.01)}, {"f": Difference(0.1, 0.0, 0.2, 0.04)}]
    >>> corrected, tests = correct_differences(pairs, [f])
    >>> [each["f"].p_holm for each in corrected], tests
    ([0.02, 0.04], 2)
    """
    names = {figure.name for figure in figures if figure.better}
    found: list[dict[str, Difference | None]] = [
        {name: difference and replace(difference, p_holm=None) for name, difference in each.items()}
        for each in comparisons
    ]
    tests = [
        (of_pair, name, difference)
        for of_pair in found
        for name, difference in of_pair.items()
        if difference is not None and name in names
    ]
    corrected = holm([difference.p for _, _, difference in tests]).tolist()
    for (of_pair, name, difference), p in zip(tests, corrected, strict=True):
        of_pair[name] = replace(difference, p_holm=p)
    return found, len(tests)
