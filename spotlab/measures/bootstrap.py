"""Bootstrap intervals of mean figures: had other queries been asked, or other pages been looked at.

The percentile bootstrap (Efron & Tibshirani, 1993, ch. 13), from tallies: nothing is intersected
again. Queries are drawn with replacement and their figures averaged; or pages are, and every
query's figures are computed again from the drawn pages' areas and counts, a page that is drawn
twice weighing twice: the copies of a spot share its rank, and precision there is that after all of
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from spotlab.measures import area
from spotlab.measures.figure_list import FIGURES
from spotlab.measures.figures import RunFigures
from spotlab.measures.iou import RECALLS, match
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
        return {figure.name: None for figure in FIGURES}
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
    """(draws,) the mean of every figure over drawn queries; NaN where it is defined for none.

    They are drawn from the truth's queries.
    """
    drawn = weights(int(figures.in_truth.sum()), draws, seed)
    found = {}
    for number, (name, values) in enumerate(figures.columns.items()):
        progress(number, len(FIGURES), "Drawing queries")
        found[name] = mean_defined(values[figures.in_truth], drawn)
    progress(len(FIGURES), len(FIGURES), "Drawing queries")
    return found


def page_draws(
    figures: RunFigures, draws: int, seed: int, progress: Progress = silent
) -> dict[str, Floats]:
    """(draws,) the mean of every figure on drawn pages; NaN where it is undefined.

    It goes over the queries that the drawn pages' truth has.
    """
    queries = np.ones((draws, len(figures.tally.queries)))
    columns = page_columns(figures, draws, seed, progress)
    return {name: mean_defined(values, queries) for name, values in columns.items()}


def page_columns(
    figures: RunFigures, draws: int, seed: int, progress: Progress = silent
) -> dict[str, Floats]:
    """(draws, Q) every figure of every query on drawn pages; NaN where it is undefined.

    Nothing is defined of a query where the drawn pages have no region of it.
    """
    drawn = weights(len(figures.tally.pages), draws, seed)
    columns = _sums_on(figures, drawn) | _ranked_on(figures, drawn, progress)
    there = drawn @ figures.tally.symbols.T > 0
    return {figure.name: np.where(there, columns[figure.name], np.nan) for figure in FIGURES}


def _sums_on(figures: RunFigures, drawn: Floats) -> dict[str, Floats]:
    """(draws, Q) the figures that are ratios of sums over pages."""
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
    truth = drawn @ tally.relevant(settings.overlap).T
    pages = (drawn @ tally.page_area)[:, None]
    symbols, found = drawn @ tally.symbols.T, drawn @ recognised.T
    return {
        "area_precision": area.ratio(relevant, retrieved),
        "area_recall": area.ratio(relevant, truth),
        "f": area.f_score(relevant, retrieved, truth, settings.beta),
        "fall_out": area.ratio(retrieved - relevant, pages - truth),
        "generality": area.ratio(truth, np.broadcast_to(pages, truth.shape)),
        "symbols": symbols,
        "recognised": found,
        "recognition_rate": area.ratio(100 * found, symbols),
        "false_positives": drawn @ false.T,
    }


def _ranked_on(figures: RunFigures, drawn: Floats, progress: Progress) -> dict[str, Floats]:
    """(draws, Q) the figures that depend on the order of spots."""
    tally = figures.tally
    kinds = ("retrieved", "relevant", "hits")
    names = [*(f"average_precision_{kind}" for kind in kinds), "iou_precision"]
    columns = {name: np.full((len(drawn), len(tally.queries)), np.nan) for name in names}
    symbols = drawn @ tally.symbols.T
    right = match(tally, figures.settings.iou) >= 0
    new, new_relevant = tally.steps(figures.settings.overlap)
    for query, (start, stop) in enumerate(pairwise(tally.starts.tolist())):
        spots = slice(start, stop)
        for block in _blocks(len(drawn), stop - start):
            progress(query, len(tally.queries), "Drawing pages")
            weight = drawn[block][:, tally.page[spots]]
            hits = np.flatnonzero(tally.hit[spots])  # only what is right or hits counts by itself
            precision = area.ratio(
                np.cumsum(weight * new_relevant[spots], axis=1)[:, hits],
                np.cumsum(weight * new[spots], axis=1)[:, hits],
            )
            of_hits = weight[:, hits]
            sums = (np.nan_to_num(precision) * of_hits).sum(axis=1)
            wholes = (weight.sum(axis=1), symbols[block, query], of_hits.sum(axis=1))
            for name, whole in zip(names, wholes, strict=False):
                columns[name][block, query] = area.ratio(sums, whole)
            found = np.flatnonzero(right[spots])
            columns["iou_precision"][block, query] = _interpolated(
                weight[:, found], np.cumsum(weight, axis=1)[:, found], symbols[block, query]
            )
    progress(len(tally.queries), len(tally.queries), "Drawing pages")
    return columns


def _interpolated(right: Floats, ranks: Floats, symbols: Floats) -> Floats:
    """(draws,) average precision at 101 recalls of (draws, n) weighted right spots at these ranks.

    Precision is highest at right spots, so that others need not be looked at.
    """
    hits = np.cumsum(right, axis=1)
    precision = np.nan_to_num(area.ratio(hits, ranks))
    envelope = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    found = np.full(len(right), np.nan)
    for draw in np.flatnonzero(symbols > 0).tolist():
        place = np.searchsorted(hits[draw] / symbols[draw], RECALLS, side="left")
        found[draw] = np.append(envelope[draw], 0.0)[place].mean()
    return found


def _blocks(draws: int, spots: int) -> Iterator[slice]:
    step = max(1, BLOCK // max(1, spots))
    return (slice(start, min(start + step, draws)) for start in range(0, draws, step))
