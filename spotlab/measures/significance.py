"""Whether one run is better than another, or only luckier with its queries or pages."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.measures.bootstrap import percentile_interval, weighted_means
from spotlab.measures.figures import RunFigures
from spotlab.measures.resampling import draw_weights, page_columns
from spotlab.progress import Progress, silent

EXACT = 12  # pairs up to which all assignments of signs are tried
ROUNDING = 1e-12

Over = Literal["queries", "pages"]


@dataclass(frozen=True)
class Difference:
    """How far one run's mean figure is above another's.

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
