"""Bootstrap intervals of mean figures: had other queries been asked, or other pages been drawn.

The percentile bootstrap of Efron & Tibshirani (1993), ch. 13, from tallies: nothing is intersected
again. Queries are drawn with replacement and their figures averaged. Or pages are drawn, and every
query's figures are computed again from the drawn pages' areas and counts; a page that is drawn
twice counts twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from spotlab.measures import area
from spotlab.measures.figures import RunFigures
from spotlab.measures.measure import RankingFormula, SumsFormula, known_measures
from spotlab.measures.ranked_lists import DrawnList
from spotlab.measures.sums import Sums
from spotlab.measures.symbols import NEVER, counts_by_page
from spotlab.measures.tally import Floats
from spotlab.progress import Progress, silent

BLOCK = 250_000  # spots times draws that are held at the same time, in the processor's cache


@dataclass(frozen=True)
class Interval:
    """Where a figure lies with this level of confidence.

    Attributes
    ----------
    low, high : float
    draws : int
        How many draws it is from: those in which the figure was defined.
    """

    low: float
    high: float
    draws: int = 0


def over_queries(
    figures: RunFigures,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    progress: Progress = silent,
) -> dict[str, Interval | None]:
    """Intervals of every mean figure, had other queries been asked.

    Parameters
    ----------
    figures : RunFigures
    draws, seed : int
        The same seed gives the same intervals.
    level : float

    Returns
    -------
    dict of str to Interval or None
        By figure; None where it is defined for fewer than two queries.
    """
    means = query_draws(figures, draws, seed, progress)
    return {
        name: interval(values, level) if figures.defined[name] > 1 else None
        for name, values in means.items()
    }


def over_pages(
    figures: RunFigures,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    progress: Progress = silent,
) -> dict[str, Interval | None]:
    """Intervals of every mean figure, had other pages been looked at.

    Returns
    -------
    dict of str to Interval or None
        By figure; all None where there are fewer than two pages.
    """
    if len(figures.tally.pages) < 2:
        return dict.fromkeys(figures.columns)
    means = page_draws(figures, draws, seed, progress)
    return {name: interval(values, level) for name, values in means.items()}


def interval(values: Floats, level: float = 0.95) -> Interval | None:
    """The middle part of the draws; those that are undefined do not count.

    Examples
    --------
    >>> found = interval(np.arange(101.0), 0.9)
    >>> round(found.low), round(found.high), found.draws, interval(np.array([np.nan]))
    (5, 95, 101, None)
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2]).tolist()
    return Interval(low, high, len(defined))


def weights(count: int, draws: int, seed: int) -> Floats:
    """(draws, count) how often each of so many things is in each draw of as many, with replacement.

    Examples
    --------
    >>> weights(3, 2, 0).sum(axis=1).tolist()
    [3.0, 3.0]
    """
    if not count:
        return np.empty((draws, 0))
    found = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=draws)
    return found.astype(np.float64)


def mean_defined(values: Floats, weight: Floats) -> Floats:
    """(draws,) means of (Q,) or (draws, Q) values with these (draws, Q) weights, NaN left out."""
    values = np.broadcast_to(values, weight.shape)
    there = ~np.isnan(values)
    return area.ratio((np.where(there, values, 0.0) * weight).sum(axis=1),
                      (weight * there).sum(axis=1))  # fmt: skip


def query_draws(
    figures: RunFigures, draws: int, seed: int, progress: Progress = silent
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
    """
    drawn = weights(int(figures.in_truth.sum()), draws, seed)
    means = {}
    for number, (name, values) in enumerate(figures.columns.items()):
        progress(number, len(figures.columns), "Drawing queries")
        means[name] = mean_defined(values[figures.in_truth], drawn)
    progress(len(figures.columns), len(figures.columns), "Drawing queries")
    return means


def page_draws(
    figures: RunFigures, draws: int, seed: int, progress: Progress = silent
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

    Returns
    -------
    dict of str to (draws,) float
        By the figure's name; NaN if it is defined for no query.
    """
    queries = np.ones((draws, len(figures.tally.queries)))
    columns = page_columns(figures, draws, seed, progress)
    return {name: mean_defined(values, queries) for name, values in columns.items()}


def page_columns(
    figures: RunFigures, draws: int, seed: int, progress: Progress = silent
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

    Returns
    -------
    dict of str to (draws, Q) float
        By the figure's name; NaN where it is undefined. All figures of a query are undefined where
        the drawn pages have no region of it.
    """
    drawn = weights(len(figures.tally.pages), draws, seed)
    columns = _sums_columns(_drawn_sums(figures, drawn))
    columns |= _ranking_columns(figures, drawn, progress)
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
    tally, settings = figures.tally, figures.settings
    shape = len(tally.queries), len(tally.pages)
    cell = tally.query * shape[1] + tally.page
    steps = tally.steps(settings.overlap)
    retrieved, relevant = (
        drawn @ np.bincount(cell, step, shape[0] * shape[1]).reshape(shape).T for step in steps
    )
    recognised, false = counts_by_page(
        tally, figures.recognised_at < NEVER, figures.cleared_at == NEVER
    )
    return Sums(
        settings=settings,
        retrieved=retrieved,
        relevant=relevant,
        outside=retrieved - relevant,
        truth=drawn @ tally.relevant(settings.overlap).T,
        pages=(drawn @ tally.page_area)[:, None],
        symbols=drawn @ tally.symbols.T,
        recognised=drawn @ recognised.T,
        false_positives=drawn @ false.T,
    )


def _ranking_columns(figures: RunFigures, drawn: Floats, progress: Progress) -> dict[str, Floats]:
    """(draws, Q) the figures that depend on the order of spots."""
    tally = figures.tally
    formulas = [
        (measure, measure.formula)
        for measure in known_measures()
        if isinstance(measure.formula, RankingFormula)
    ]
    columns = {
        measure.name: np.full((len(drawn), len(tally.queries)), np.nan) for measure, _ in formulas
    }
    symbols = drawn @ tally.symbols.T
    for query, (start, stop) in enumerate(pairwise(tally.starts.tolist())):
        spots = slice(start, stop)
        for block in _blocks(len(drawn), stop - start):
            progress(query, len(tally.queries), "Drawing pages")
            weight = drawn[block][:, tally.page[spots]]
            drawn_list = DrawnList(figures.lists, spots, weight, symbols[block, query])
            for measure, formula in formulas:
                columns[measure.name][block, query] = measure.values(
                    partial(formula.resampled, drawn_list), (len(weight),)
                )
    progress(len(tally.queries), len(tally.queries), "Drawing pages")
    return columns


def _blocks(draws: int, spots: int) -> Iterator[slice]:
    step = max(1, BLOCK // max(1, spots))
    return (slice(start, min(start + step, draws)) for start in range(0, draws, step))
