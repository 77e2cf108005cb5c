"""Every figure of every query on drawn pages, from tallies: nothing is intersected again.

Pages are drawn with replacement, and all figures are computed again from the drawn pages' areas and
counts; a page that is drawn twice counts twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from spotlab.arrays import Floats
from spotlab.measures.figures import RunFigures
from spotlab.measures.measure import RankingFormula, SumsFormula, known_measures
from spotlab.measures.page_sums import page_sums
from spotlab.measures.ranked_lists import DrawnList
from spotlab.measures.sums import Sums
from spotlab.progress import Progress, silent

BLOCK = 250_000  # spots times draws that are held at the same time, in the processor's cache


def draw_weights(count: int, draws: int, seed: int) -> Floats:
    """How often each thing is in each draw of as many things, with replacement.

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
