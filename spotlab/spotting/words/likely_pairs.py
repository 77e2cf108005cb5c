"""Pairs of a collection's items that are most likely the same word; nobody has to say so."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.boxes import pair_boxes

_ROWS = 4_000  # items that are compared; more only take longer
_NEAREST = 3
_SURE = 0.8  # share of mutual neighbours, from the most similar on, that are taken
_SEED = 20260102


def likely_pairs(
    features: NDArray[np.float32], page: NDArray[np.int64], boxes: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find mutual nearest neighbours at different places.

    Each of two items is among the three that resemble the other most, not counting those that lie
    on it. Of these pairs the more similar four fifths are taken.

    Parameters
    ----------
    features : (N, k) float32
        Rows of length 1, or 0 where there is no ink. Of more than 4,000 some are drawn, always the
        same.
    page : (N,) int
    boxes : (N, 4) float
        left, top, right, bottom in px.

    Returns
    -------
    one, other : (P,) int

    Examples
    --------
    >>> features = np.array([[1, 0], [0, 1], [1, 0]], np.float32)
    >>> likely_pairs(features, np.zeros(3, int), np.array([[0, 0, 9, 9], [20, 0, 29, 9],
    ...              [40, 0, 49, 9]], float))
    (array([0, 0, 1]), array([1, 2, 2]))
    """
    drawn = np.arange(len(features))
    if len(drawn) > _ROWS:
        drawn = np.sort(np.random.default_rng(_SEED).choice(drawn, _ROWS, replace=False))
    near, score = _nearest(features[drawn], page[drawn], boxes[drawn])
    own = np.arange(len(drawn))[:, None]
    mutual = (near[near] == own[:, :, None]).any(axis=2) & (own < near) & np.isfinite(score)
    one, column = np.nonzero(mutual)
    other, alike = near[one, column], score[one, column]
    sure = np.argsort(-alike, kind="stable")[: int(np.ceil(_SURE * len(alike)))]
    sure.sort()
    return drawn[one[sure]], drawn[other[sure]]


def _nearest(
    features: NDArray[np.float32], page: NDArray[np.int64], boxes: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """(N, 3) the nearest others elsewhere and their scores, -inf where there is none."""
    count = min(_NEAREST, max(len(features) - 1, 0))
    near = np.zeros((len(features), count), np.int64)
    score = np.full((len(features), count), -np.inf, np.float32)
    for number in np.unique(page).tolist() if count else ():
        here = np.flatnonzero(page == number)
        rows = features[here] @ features.T
        lying = pair_boxes(boxes[here], boxes[here])
        rows[lying.first, here[lying.second]] = -np.inf
        rows[np.arange(len(here)), here] = -np.inf
        best = np.argpartition(rows, -count, axis=1)[:, -count:]
        near[here], score[here] = best, np.take_along_axis(rows, best, axis=1)
    return near, score
