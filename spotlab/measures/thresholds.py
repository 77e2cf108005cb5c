"""Thresholds that are chosen on some pages and reported on others, and curves over the threshold.

A threshold that has the highest F on some pages has it partly by chance: on other pages F is lower.
So pages are parted; on each part the threshold is used that is the best for all other parts
(cross-validation, Stone 1974), and F is that of all pages together. As it differs from page to
page, an interval says where F lies on as many other pages: the one of `interval_ends`, wider by
the square root of 2, because those pages differ as these do (a prediction interval).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from spotlab.arrays import Flags, Floats, Ints
from spotlab.measures import area
from spotlab.measures.cuts import ROUNDING, By, cut_scores
from spotlab.measures.figures import ListFigures
from spotlab.measures.intervals import (
    FEWEST,
    LEVEL,
    Interval,
    interval_ends,
    mean_interval,
    pseudo_values,
    weights_without_each,
)
from spotlab.measures.significance import student_quantile
from spotlab.representation import short_repr

PARTS = 10  # of the pages, each of which is left out once
SAMPLES = 201  # thresholds of a curve
CELLS = 1_000_000  # sums that are held at the same time: of queries, parts and thresholds


@dataclass(frozen=True)
class HeldOut:
    """Figures of a threshold on pages that it was not chosen on.

    Attributes
    ----------
    f, precision, recall : float or None
        Each page is cut at the threshold with the best F on the other parts; shares.
    interval : Interval or None
        In which F of a threshold that is chosen so lies on as many other pages, with a
        probability of 95 %; None for fewer than six pages.
    parts : int
        In how many parts the pages were parted.
    """

    f: float | None
    precision: float | None
    recall: float | None
    interval: Interval | None
    parts: int


def held_out(figures: ListFigures, by: By, *, pooled: bool = False) -> HeldOut | None:
    """Choose the threshold with the best F on some pages, and report F on the others.

    Parameters
    ----------
    figures : ListFigures
        The run, by area or by numbers.
    by : {"rank", "score"}
        What lists are cut by.
    pooled : bool
        F of all queries together, instead of the mean over queries.

    Returns
    -------
    HeldOut or None
        None for fewer than two pages, and where no spot has a score.

    Notes
    -----
    Of thresholds, at most some thousand are tried: quantiles of all.

    Examples
    --------
    >>> from spotlab.geometry.polygon import Outlines
    >>> from spotlab.measures.figures import compute_figures
    >>> from spotlab.measures.tally import Tally
    >>> from spotlab.model.run import Run
    >>> nothing = Run.ordered("nothing", [], [], Outlines.of([]))
    >>> held_out(compute_figures(Tally.of(nothing, {}, [])), "score") is None
    True
    """
    tally = figures.tally
    pages = len(tally.pages)
    parts = min(PARTS, pages)
    order = _order(figures, by)
    keys = _candidates(order, CELLS // max(1, parts * len(tally.queries)))
    if pages < 2 or not len(keys):
        return None
    part = np.arange(pages) % parts
    sums = _grouped(figures, part, np.searchsorted(keys, order), len(keys))
    f = np.nan_to_num(_without_each(sums, figures, pooled, figures.in_truth)[2], nan=-1.0)
    highest = f.max(axis=1, keepdims=True)
    chosen = keys[np.argmax(f >= highest - ROUNDING, axis=1)[1:]]
    kept = order <= chosen[part][tally.page]
    single = np.arange(pages) % len(weights_without_each(pages)[1:])
    whole = _grouped(figures, single, np.where(kept, 0, 1), 1)
    precision, recall, f = (
        column[:, 0] for column in _without_each(whole, figures, pooled, figures.in_truth)
    )
    sizes = whole.retrieved[:, figures.in_truth].sum(axis=(1, 2))
    sizes += whole.truth[:, figures.in_truth].sum(axis=1)
    values = _defined(f), _defined(precision), _defined(recall)
    return HeldOut(*values, _predicted(f, float(highest[0, 0]), pages, sizes), parts)


def _defined(figures: Floats) -> float | None:
    return None if math.isnan(figures[0]) else float(figures[0])


def _predicted(f: Floats, best: float, pages: int, sizes: Floats) -> Interval | None:
    """The interval of F on as many other pages, given what each group of pages weighs.

    A threshold that is chosen on all pages is a little better than those that are chosen on fewer:
    upwards, the interval begins at the best F of all pages, which is too high by chance. Pages of
    different sizes tell as much as fewer equal ones, (Σw)² / Σw² of them (Kish 1965).
    """
    found = mean_interval(pseudo_values(f, pages)) if pages >= FEWEST else None
    if found is None or not sizes.any():
        return None
    equal = max(sizes.sum() ** 2 / (sizes**2).sum(), 2.0)
    wider, usual = student_quantile([equal - 1, found.units - 1], (1 + LEVEL) / 2).tolist()
    reach = math.sqrt(2) * max(wider / usual, 1.0)
    low, high = (f[0] + reach * (end - f[0]) for end in (found.low, found.high))
    high += max(0.0, best - float(f[0]))
    return replace(found, low=max(0.0, float(low)), high=min(1.0, float(high)))


@dataclass(frozen=True, eq=False)
class ThresholdCurves:
    """Precision, recall and F over the threshold; make them with `threshold_curves`.

    Attributes
    ----------
    value : (K,) float
        Scores, falling, or ranks, rising.
    precision, recall, f : (K,) float
        Shares; NaN where undefined.
    bands : dict of str to (2, K) float
        Ends of the 95 % interval of each of them, had other pages been drawn; NaN where there are
        too few pages.
    """

    value: Floats
    precision: Floats
    recall: Floats
    f: Floats
    bands: dict[str, Floats]

    __repr__ = short_repr


def threshold_curves(
    figures: ListFigures, by: By = "score", query: str | None = None, *, pooled: bool = False
) -> ThresholdCurves:
    """Precision, recall and F over the threshold, with intervals over pages.

    Parameters
    ----------
    figures : ListFigures
        The run, by area or by numbers.
    by : {"rank", "score"}
        What lists are cut by.
    query : str, optional
        Only this query; by default all of the truth's.
    pooled : bool
        All queries together, instead of means over queries.

    Returns
    -------
    ThresholdCurves
        At 201 thresholds at most: quantiles of those at which something changes.

    Notes
    -----
    Intervals are those of `interval_ends`, of the pseudo-values of pages. Computed once for the
    same figures.
    """
    known = _KNOWN.setdefault(figures, {})
    key = by, query, pooled
    if key not in known:
        known[key] = _curves(figures, by, query, pooled)
    return known[key]


_KNOWN: WeakKeyDictionary[ListFigures, dict[tuple[By, str | None, bool], ThresholdCurves]]
_KNOWN = WeakKeyDictionary()


def _curves(figures: ListFigures, by: By, query: str | None, pooled: bool) -> ThresholdCurves:
    tally = figures.tally
    chosen = figures.in_truth if query is None else np.array([n == query for n in tally.queries])
    order = _order(figures, by)
    keys = _candidates(order[np.asarray(chosen, np.bool_)[tally.query]], SAMPLES)
    pages = len(tally.pages)
    groups = np.arange(pages) % max(1, len(weights_without_each(pages)) - 1)
    sums = _grouped(figures, groups, np.searchsorted(keys, order), len(keys))
    columns = _without_each(sums, figures, pooled, np.asarray(chosen, np.bool_))
    bands = [
        np.clip(interval_ends(pseudo_values(column, pages)), 0.0, 1.0)
        if pages >= FEWEST
        else np.full((2, len(keys)), np.nan)
        for column in columns
    ]
    named = dict(zip(("precision", "recall", "f"), bands, strict=True))
    precision, recall, f = (column[0] for column in columns)
    return ThresholdCurves(keys if by == "rank" else -keys, precision, recall, f, named)


@dataclass(frozen=True, eq=False)
class _GroupSums:
    """(G, Q, K) retrieved and relevant sums of groups of pages up to thresholds; (G, Q) truth."""

    retrieved: Floats
    relevant: Floats
    truth: Floats


def _order(figures: ListFigures, by: By) -> Floats:
    """(N,) numbers by which spots go one after the other as the threshold is lowered."""
    return figures.tally.rank.astype(np.float64) if by == "rank" else -cut_scores(figures.tally)


def _candidates(order: Floats, most: int) -> Floats:
    """(K,) thresholds, the one that keeps least first."""
    keys = np.unique(order[np.isfinite(order)])
    if len(keys) <= most:
        return keys
    return np.unique(np.quantile(keys, np.linspace(0, 1, max(2, most)), method="nearest"))


def _grouped(figures: ListFigures, group: Ints, place: Ints, count: int) -> _GroupSums:
    """Sum up what spots add: place is the first threshold that keeps each, count for none."""
    tally = figures.tally
    shape = (int(group.max(initial=-1)) + 1, len(tally.queries), count + 1)
    cell = (group[tally.page] * shape[1] + tally.query) * shape[2] + place
    sums: list[Floats] = []
    for total in (figures.retrieved, figures.relevant):
        before = np.concatenate([[0.0], total[:-1]]) if len(total) else total
        before[tally.rank == 1] = 0.0
        summed = np.bincount(cell, total - before, shape[0] * shape[1] * shape[2])
        sums.append(np.cumsum(summed.astype(np.float64).reshape(shape)[:, :, :-1], axis=2))
    truth = np.zeros(shape[:2])
    np.add.at(truth, group, figures.truth_on_pages.T)
    return _GroupSums(sums[0], sums[1], truth)


def _and_without_each(parts: Floats) -> Floats:
    """(1 + G, ...) the sum of G parts, and the sums without each of them."""
    total = parts.sum(axis=0, keepdims=True)
    return np.concatenate([total, total - parts])


def _without_each(
    sums: _GroupSums, figures: ListFigures, pooled: bool, chosen: Flags
) -> tuple[Floats, Floats, Floats]:
    """(1 + G, K) precision, recall and F of all groups, and without each of them."""
    retrieved, relevant, truth = (
        _and_without_each(part[:, chosen]) for part in (sums.retrieved, sums.relevant, sums.truth)
    )
    truth = np.where(truth > 1e-9 * truth[:1], truth, 0.0)[:, :, None]
    retrieved = np.where(retrieved > 1e-9 * retrieved[:1, :, -1:], retrieved, 0.0)
    if pooled:
        retrieved, relevant, truth = (
            part.sum(axis=1, keepdims=True) for part in (retrieved, relevant, truth)
        )
    f = area.f_score(relevant, retrieved, truth, figures.settings.beta)
    found = []
    for column in (area.ratio(relevant, retrieved), area.ratio(relevant, truth), f):
        known = ~np.isnan(column) & (truth > 0)
        found.append(area.ratio(np.where(known, column, 0.0).sum(axis=1), known.sum(axis=1)))
    return found[0], found[1], found[2]
