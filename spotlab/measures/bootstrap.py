"""Bootstrap intervals of mean figures: had other queries been asked, or other pages been drawn.

The percentile bootstrap of Efron & Tibshirani (1993), ch. 13, from tallies: nothing is intersected
again. Queries are drawn with replacement and their figures averaged; or pages are drawn, see
`spotlab.measures.resampling`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.measures import area
from spotlab.measures.figures import RunFigures
from spotlab.measures.resampling import draw_weights, page_columns
from spotlab.progress import Progress, silent


@dataclass(frozen=True)
class Interval:
    """Where a figure lies with a given level of confidence.

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
        """(Q,) whether a query is one of the truth's."""

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

    >>> from spotlab.geometry.outlines import Outlines
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
        What `spotlab.measures.resampling.ranking_columns` gives of all queries, where it is known.

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
        What `spotlab.measures.resampling.ranking_columns` gives of all queries, where it is known.

    Returns
    -------
    dict of str to (draws,) float
        By the figure's name; NaN if it is defined for no query.

    Examples
    --------
    >>> from spotlab.geometry.outlines import Outlines
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
