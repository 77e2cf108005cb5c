"""Brings the scores of every fusion to one scale, so that one threshold purges all lists.

Diffusion, k-reciprocal neighbours, votes and sums have scales of their own. On the common scale an
item has the score that consensus ranking (or the query, where items cannot be compared) gives on
average to items of its rank.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.libraries import optimize
from spotlab.ranking.fusion import Choices, Evidence, Fusion
from spotlab.ranking.fusions.cr import fuse as consensus

ORDER = 1e-9  # of the scale: keeps scores apart that the regression makes equal


def common_scores(
    fusion: Fusion,
    evidence: Evidence,
    choices: Choices,
    own: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """The scores of a fusion on the scale of the query's scores.

    Parameters
    ----------
    fusion : Fusion
    evidence : Evidence
        Of N items.
    choices : Choices
    own : (N,) float, optional
        The fusion's own scores, where they are known already.

    Returns
    -------
    (N,) float
        The fusion's own scores where they are on that scale; else `to_common_scale` of them, by the
        scores of consensus ranking, or of the query where the scores between items are not known.
        NaN for items that are not in its list.

    Examples
    --------
    >>> from spotlab.ranking.fusion import fusions
    >>> query = np.array([0.9, 0.8, 0.4])
    >>> lists = np.array([[0.9, 0.8, 0.4], [5.0, 7.0, np.nan]])
    >>> votes = Evidence(query, None, lists, query > 0.5)
    >>> fusions()["borda"].fuse(votes, Choices())
    array([5., 5., 2.])
    >>> common_scores(fusions()["borda"], votes, Choices()).round(3)
    array([0.85, 0.85, 0.4 ])
    """
    own = fusion.fuse(evidence, choices) if own is None else own
    return own if fusion.comparable else to_common_scale(own, consensus(evidence, choices))


def to_common_scale(
    scores: NDArray[np.float64], reference: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Map scores to those that a reference gives on average to items of the same rank.

    Parameters
    ----------
    scores : (N,) float
        On any scale; NaN for an item that is not in the list.
    reference : (N,) float
        Scores of the same items on the wanted scale; NaN or infinite where unknown.

    Returns
    -------
    (N,) float
        In the same order as ``scores``, with the same ties, and within the range of the reference.
        The scores themselves where no item of the list has a reference.

    Notes
    -----
    Isotonic regression of the reference on the rank: the rising steps of least squares (Barlow et
    al. 1972). Only ranks count, so that a power or a logarithm of the scores gives the same. So
    that a threshold can cut within a step, a step rises through its mean from its lowest to its
    highest reference, but not beyond halfway to the step before or after it. A sharp fall of the
    reference stays sharp.

    Examples
    --------
    >>> to_common_scale(np.array([8.0, 1e-3, 1e-6]), np.array([0.9, 0.7, 0.3])).round(3)
    array([0.9, 0.7, 0.3])
    >>> to_common_scale(np.array([8.0, 1e-3, np.nan]), np.array([0.5, 0.7, 0.3])).round(3)
    array([0.7, 0.5, nan])
    """
    listed = ~np.isnan(scores)
    known = np.isfinite(reference[listed])
    if not known.any():
        return np.array(scores, dtype=np.float64)
    _, level, count = np.unique(scores[listed], return_inverse=True, return_counts=True)
    rank = np.cumsum(count) - (count + 1) / 2  # the middle of those that are tied, from 0
    places, values = _knots(level[known], rank, reference[listed][known])
    height = np.interp(rank, places, values) + ORDER * (rank / len(level) - 1)
    mapped = np.full(len(scores), np.nan)
    mapped[listed] = height[level]
    return mapped


def _knots(
    level: NDArray[np.intp], rank: NDArray[np.float64], reference: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Tell where the map bends: the beginning, the middle and the end of each step."""
    weight = np.bincount(level, minlength=len(rank)).astype(np.float64)
    used = np.flatnonzero(weight)
    mean = np.bincount(level, reference, len(rank))[used] / weight[used]
    fitted = optimize.isotonic_regression(mean, weights=weight[used])
    starts, ends = fitted.blocks[:-1], fitted.blocks[1:] - 1
    height = fitted.x[starts]
    between = (height[1:] + height[:-1]) / 2
    low, high = np.minimum.reduceat(mean, starts), np.maximum.reduceat(mean, starts)
    low[1:], high[:-1] = np.maximum(low[1:], between), np.minimum(high[:-1], between)
    share = np.add.reduceat(weight[used], starts)
    middle = np.add.reduceat(weight[used] * rank[used], starts) / share
    places = np.stack([rank[used[starts]], middle, rank[used[ends]]], axis=1)
    return places.ravel(), np.stack([low, height, high], axis=1).ravel()
