"""Area precision, area recall, F, fall-out and generality.

Rusiñol & Lladós (2009), eqs. 7 and 9–11. Areas are in px², undefined values are NaN. With ``tp``
the retrieved area that is relevant, P = tp / A(R), R = tp / A(T) and the fall-out is
(A(R) − tp) / (A(pages) − A(T)).
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Floats, Ints


def ratio(part: ArrayLike, whole: ArrayLike) -> Floats:
    """Divide, with NaN (undefined) where the divisor is not positive.

    Parameters
    ----------
    part, whole : array_like of float
        Dividend and divisor in the same unit; they are broadcast against each other.

    Returns
    -------
    ndarray of float
        Of the shape of both; usually shares in [0, 1]. NaN where ``whole`` is 0 or less.

    Notes
    -----
    Area precision and area recall are such ratios of areas (Rusiñol & Lladós (2009), eq. 7).

    Examples
    --------
    >>> ratio([1.0, 0.0], [2.0, 0.0]).tolist()
    [0.5, nan]
    """
    part, whole = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    alike = part.shape == whole.shape
    shares = np.full(part.shape if alike else np.broadcast_shapes(part.shape, whole.shape), np.nan)
    np.divide(part, whole, out=shares, where=whole > 0)
    return shares


MATRIX = (
    "retrieved_relevant", "retrieved_non_relevant", "retrieved",
    "not_retrieved_relevant", "not_retrieved_non_relevant", "not_retrieved",
    "relevant", "non_relevant", "total",
)  # fmt: skip


def retrieval_matrix(
    relevant: ArrayLike, outside: ArrayLike, truth: ArrayLike, pages: ArrayLike
) -> dict[str, Floats]:
    """All areas of the retrieval matrix, with its sums.

    Parameters
    ----------
    relevant, outside, truth : array_like of float
        A(R ⊕ T), the retrieved area outside the truth, and A(T), in px².
    pages : array_like of float
        Area of all pages in px².

    Returns
    -------
    dict of str to ndarray of float
        In px², by the names of `MATRIX`, each of the shape of the arguments. NaN where nothing can
        be left, because area that is retrieved repeatedly counts as often.

    Notes
    -----
    Rusiñol & Lladós (2009), Table 1, of areas.

    Examples
    --------
    >>> found = retrieval_matrix(30.0, 10.0, 50.0, 200.0)
    >>> found["not_retrieved_relevant"].item(), found["not_retrieved_non_relevant"].item()
    (20.0, 140.0)
    """
    found, false, rel, total = (
        np.asarray(each, np.float64) for each in (relevant, outside, truth, pages)
    )
    missed, rest = rel - found, total - rel - false
    values = (
        found, false, found + false, missed, rest, missed + rest, rel, total - rel, total,
    )  # fmt: skip
    slack = -1e-6 * total
    return {
        name: np.where(each < slack, np.nan, np.maximum(each, 0.0))
        for name, each in zip(MATRIX, np.broadcast_arrays(*values), strict=True)
    }


def f_score(relevant: ArrayLike, retrieved: ArrayLike, truth: ArrayLike, beta: float) -> Floats:
    """F_A^β, the weighted harmonic mean of area precision and area recall, from areas.

    Parameters
    ----------
    relevant, retrieved, truth : array_like of float
        A(R ⊕ T), A(R) and A(T) in px²; broadcast against each other.
    beta : float
        β > 0; above 1 recall weighs more than precision.

    Returns
    -------
    ndarray of float
        Of the shape of the areas; shares in [0, 1]. NaN where nothing is retrieved and there is no
        truth.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 9, written as (1 + β²) tp / (β² A(T) + A(R)). This equals
    (1 + β²) P R / (β² P + R) wherever P and R are both defined. It also covers the cases where
    one of them is undefined: F is 0 if nothing of an existing truth is retrieved, and 0 if
    something is retrieved where there is no truth.

    Examples
    --------
    >>> f_score([2.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], 1.0).tolist()
    [0.5, 0.0, nan]
    """
    square = beta * beta
    whole = square * np.asarray(truth, np.float64) + np.asarray(retrieved, np.float64)
    return ratio((1 + square) * np.asarray(relevant, np.float64), whole)


def fall_out(outside: ArrayLike, truth: ArrayLike, pages: ArrayLike) -> Floats:
    """Fo_A, the share of the area outside the truth that is retrieved.

    Parameters
    ----------
    outside : array_like of float
        A(R) − A(R ⊕ T) in px², the retrieved area outside the truth.
    truth : array_like of float
        A(T) in px².
    pages : array_like of float
        Area of all pages in px².

    Returns
    -------
    ndarray of float
        Of the shape of the areas; shares in [0, 1] when areas are those of unions. NaN where the
        truth covers all pages.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 11.

    Examples
    --------
    >>> fall_out(2.0, 20.0, 100.0).tolist()
    0.025
    """
    return ratio(outside, np.asarray(pages, np.float64) - np.asarray(truth, np.float64))


def accumulate_by_query(steps: Floats, starts: Ints) -> Floats:
    """Cumulative sums that start again with every query.

    Parameters
    ----------
    steps : (N,) float
        What each spot adds, in px²; the spots of one query stand together, in rank order.
    starts : (Q + 1,) int
        Where the spots of each query begin and end.

    Returns
    -------
    (N,) float
        The sum over the query's spots up to and including each one, in px²; empty without spots.

    Notes
    -----
    Each query is summed by itself: one sum over all queries, minus its value where a query
    begins, would lose digits.

    Examples
    --------
    >>> accumulate_by_query(np.array([1.0, 2.0, 5.0]), np.array([0, 2, 2, 3])).tolist()
    [1.0, 3.0, 5.0]
    """
    sums = np.empty(len(steps))
    bounds = starts.tolist()
    for start, stop in pairwise(bounds):
        if stop > start:
            np.add.accumulate(steps[start:stop], out=sums[start:stop])
    return sums


def first_reaching(recall: Floats, starts: Ints, grid: Floats) -> Ints:
    """The spot at which the recall of each query first reaches each value of a grid.

    Parameters
    ----------
    recall : (N,) float
        Shares in [0, 1] after each spot, non-decreasing within a query; NaN where there is no
        truth.
    starts : (Q + 1,) int
        Where the spots of each query begin and end.
    grid : (G,) float
        Recalls in [0, 1].

    Returns
    -------
    (Q, G) int
        Places in ``recall``; -1 where the recall is never reached, or the query has no spots or
        no truth. Recall 0 is reached by the first spot.

    Notes
    -----
    A recall that rounding leaves up to 1e-12 short counts as reached. This is the rank of
    P_A(r) in Rusiñol & Lladós (2009), §3.2.

    Examples
    --------
    >>> first_reaching(np.array([0.2, 0.8]), np.array([0, 2]), np.array([0, 0.5, 1])).tolist()
    [[0, 1, -1]]
    """
    spots = np.full((len(starts) - 1, len(grid)), -1, np.int64)
    bounds, reached = starts.tolist(), np.asarray(grid - 1e-12)
    for query, (start, stop) in enumerate(pairwise(bounds)):
        if start == stop or math.isnan(recall[start]):
            continue
        place = recall[start:stop].searchsorted(reached)
        spots[query] = np.where(place < stop - start, start + place, -1)
    return spots


def highest_after(values: Floats, starts: Ints) -> Floats:
    """The highest value at each spot of a query, or at a later one.

    Parameters
    ----------
    values : (N,) float
        NaN is undefined.
    starts : (Q + 1,) int
        Where the spots of each query begin and end.

    Returns
    -------
    (N,) float
        NaN where no value of these is defined.

    Examples
    --------
    >>> highest_after(np.array([0.0, 0.5, 0.25, 0.1]), np.array([0, 3, 4])).tolist()
    [0.5, 0.5, 0.25, 0.1]
    """
    highest = values.copy()
    for start, stop in pairwise(starts.tolist()):
        turned = highest[start:stop][::-1]
        np.fmax.accumulate(turned, out=turned)
    return highest


def sample(values: Floats, places: Ints) -> Floats:
    """Take values at the given places.

    Parameters
    ----------
    values : (N,) float
        One value per spot, in any unit.
    places : (...) int
        Places in ``values``; -1 for none.

    Returns
    -------
    (...) float
        NaN where a place is -1, and everywhere if there are no values.

    Examples
    --------
    >>> sample(np.array([0.5, 0.7]), np.array([[1, -1]])).tolist()
    [[0.7, nan]]
    """
    if not len(values):
        return np.full(places.shape, np.nan)
    return np.where(places >= 0, values[places], np.nan)


def generality(truth: ArrayLike, pages: ArrayLike) -> Floats:
    """G_A, the share of the area of all pages that is truth.

    Parameters
    ----------
    truth : array_like of float
        A(T) in px².
    pages : array_like of float
        Area of all pages in px².

    Returns
    -------
    ndarray of float
        Of the shape of both; shares in [0, 1] when areas are those of unions. NaN if the pages
        have no area.

    Notes
    -----
    Rusiñol & Lladós (2009), eq. 11.

    Examples
    --------
    >>> generality([25.0], 100.0).tolist()
    [0.25]
    """
    return ratio(truth, pages)
