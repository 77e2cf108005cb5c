"""Area precision, area recall, F, fall-out and generality (Rusiñol & Lladós, eqs. 7, 9–11).

Areas are in px². Undefined is NaN in arrays. With ``tp`` the retrieved area that is relevant:
P = tp / A(R), R = tp / A(T), fall-out = (A(R) − tp) / (A(pages) − A(T)).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from spotlab.measures.tally import Floats, Ints, Tally


def ratio(part: ArrayLike, whole: ArrayLike) -> Floats:
    """part / whole; NaN, which is undefined, where the whole is nothing.

    Examples
    --------
    >>> ratio([1.0, 0.0], [2.0, 0.0]).tolist()
    [0.5, nan]
    """
    part, whole = np.broadcast_arrays(np.asarray(part, np.float64), np.asarray(whole, np.float64))
    found = np.full(part.shape, np.nan)
    np.divide(part, whole, out=found, where=whole > 0)
    return found


def f_score(relevant: ArrayLike, retrieved: ArrayLike, truth: ArrayLike, beta: float) -> Floats:
    """F_A^β (eq. 9) from areas: (1 + β²) tp / (β² A(T) + A(R)).

    That is (1 + β²) P R / (β² P + R) wherever P and R are defined, and goes on where one of them is
    not: nothing retrieved of a truth that is there has F = 0, and so has anything retrieved where
    there is no truth. Undefined only where there is neither.

    Parameters
    ----------
    relevant, retrieved, truth : float or array
        Areas: A(R ⊕ T), A(R), A(T).

    Examples
    --------
    >>> f_score([2.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], 1.0).tolist()
    [0.5, 0.0, nan]
    """
    square = beta * beta
    whole = square * np.asarray(truth, np.float64) + np.asarray(retrieved, np.float64)
    return ratio((1 + square) * np.asarray(relevant, np.float64), whole)


def fall_out(relevant: ArrayLike, retrieved: ArrayLike, truth: ArrayLike, pages: float) -> Floats:
    """Fo_A (eq. 11): retrieved area outside the truth over all area outside it.

    Examples
    --------
    >>> fall_out(2.0, 4.0, 20.0, 100.0).tolist()
    0.025
    """
    outside = np.asarray(retrieved, np.float64) - np.asarray(relevant, np.float64)
    return ratio(outside, pages - np.asarray(truth, np.float64))


def accumulate_by_query(steps: Floats, starts: Ints) -> Floats:
    """(N,) sums of what a query's spots add, up to each of them.

    One sum a query: a sum over all of them minus where each begins would lose digits.

    Examples
    --------
    >>> accumulate_by_query(np.array([1.0, 2.0, 5.0]), np.array([0, 2, 2, 3])).tolist()
    [1.0, 3.0, 5.0]
    """
    sums = np.empty(len(steps))
    bounds = starts.tolist()
    for start, stop in pairwise(bounds):
        np.cumsum(steps[start:stop], out=sums[start:stop])
    return sums


def first_reaching(recall: Floats, starts: Ints, grid: Floats) -> Ints:
    """(Q, G) the spot at which a query's recall first reaches each value of the grid; -1 for never.

    Recall 0 is reached by the first spot. A recall that rounding leaves a hair (1e-12) short counts
    as reached.

    Parameters
    ----------
    recall : (N,) float
        Not falling within a query.
    starts : (Q + 1,) int
        Where each query's spots begin and end.
    grid : (G,) float

    Examples
    --------
    >>> first_reaching(np.array([0.2, 0.8]), np.array([0, 2]), np.array([0, 0.5, 1])).tolist()
    [[0, 1, -1]]
    """
    found = np.full((len(starts) - 1, len(grid)), -1, np.int64)
    bounds = starts.tolist()
    for query, (start, stop) in enumerate(pairwise(bounds)):
        if start == stop or np.isnan(recall[start]):
            continue
        place = np.searchsorted(recall[start:stop], grid - 1e-12, side="left")
        found[query] = np.where(place < stop - start, start + place, -1)
    return found


def sample(values: Floats, places: Ints) -> Floats:
    """The values at these places; NaN where a place is -1.

    Examples
    --------
    >>> sample(np.array([0.5, 0.7]), np.array([[1, -1]])).tolist()
    [[0.7, nan]]
    """
    if not len(values):
        return np.full(places.shape, np.nan)
    return np.where(places >= 0, values[places], np.nan)


def generality(truth: ArrayLike, pages: float) -> Floats:
    """G_A (eq. 11): the truth's share of the area of all pages; undefined where there are none.

    Examples
    --------
    >>> generality([25.0], 100.0).tolist()
    [0.25]
    """
    return ratio(truth, pages)


def share_counted_twice(tally: Tally) -> float | None:
    """Σ areas over covered areas of all spots, each query by itself: 1 where nothing is doubled."""
    covered = float(tally.new_area.sum())
    return float(tally.area.sum()) / covered if covered > 0 else None
