"""Whether one run is better than another, or only luckier with its queries or pages."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np

from spotlab.measures.bootstrap import interval, mean_defined, page_draws, weights
from spotlab.measures.figure_list import FIGURES
from spotlab.measures.figures import RunFigures
from spotlab.measures.tally import Floats
from spotlab.progress import Progress, silent

EXACT = 12  # pairs up to which all assignments of signs are tried
ROUNDING = 1e-12

Over = Literal["queries", "pages"]


@dataclass(frozen=True)
class Difference:
    """How much one run's mean figure is above another's.

    Attributes
    ----------
    value : float
        First minus second, over what both have.
    low, high : float
        Bootstrap interval.
    p : float
        How often chance alone makes a difference at least as large, two-sided.
    """

    value: float
    low: float
    high: float
    p: float


def compare(
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
    over : str
        "queries": pairs are queries, and p is that of the paired randomisation test, in which every
        pair's sign is tossed (all ways of tossing for up to 12 pairs, else ``draws`` and one).
        "pages": the interval is that of drawn pages, the same for both, and p is twice the share of
        draws on the less likely side of 0.

    Returns
    -------
    dict of str to Difference or None
        By figure; None where fewer than two pairs have it in both.
    """
    if over == "pages":
        return _over_pages(first, second, draws, seed, progress)
    names = sorted(set(first.tally.queries) & set(second.tally.queries))
    mine, theirs = (
        np.searchsorted(np.array(run.tally.queries), names) if names else np.empty(0, np.int64)
        for run in (first, second)
    )
    found: dict[str, Difference | None] = {}
    for number, figure in enumerate(FIGURES):
        progress(number, len(FIGURES), "Comparing runs")
        pairs = first.columns[figure.name][mine] - second.columns[figure.name][theirs]
        found[figure.name] = paired_difference(pairs[~np.isnan(pairs)], draws, seed)
    return found


def paired_difference(pairs: Floats, draws: int = 1000, seed: int = 0) -> Difference | None:
    """The mean of paired differences with its interval and p; None for fewer than two.

    Examples
    --------
    >>> paired_difference(np.array([0.1, 0.2, 0.3])).p  # one of 8 ways, and its mirror image
    0.25
    """
    if len(pairs) < 2:
        return None
    around = interval(mean_defined(pairs, weights(len(pairs), draws, seed)))
    assert around is not None  # every draw of defined pairs is defined
    return Difference(float(pairs.mean()), around.low, around.high, p_of(pairs, draws, seed))


def p_of(pairs: Floats, draws: int = 1000, seed: int = 0) -> float:
    """Two-sided p of the paired randomisation test that the mean difference is 0."""
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
        return {figure.name: None for figure in FIGURES}
    mine, theirs = (page_draws(run, draws, seed, progress) for run in (first, second))
    found: dict[str, Difference | None] = {}
    for figure in FIGURES:
        means = first.mean[figure.name], second.mean[figure.name]
        drawn = mine[figure.name] - theirs[figure.name]
        drawn = drawn[~np.isnan(drawn)]
        around = interval(drawn)
        if around is None or means[0] is None or means[1] is None:
            found[figure.name] = None
            continue
        less = min((drawn <= 0).sum(), (drawn >= 0).sum())
        p = min(1.0, float(2 * (less + 1) / (len(drawn) + 1)))
        found[figure.name] = Difference(means[0] - means[1], around.low, around.high, p)
    return found
