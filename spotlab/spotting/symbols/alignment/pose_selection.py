"""Chooses among poses: those worth refining, and of those that fit one at each place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.spotting.symbols.alignment import chamfer

_ALIKE = np.pi / 6  # poses that are turned by less are alike
_SHARED = 0.4  # of their boxes: poses that share more are about the same thing


def best_poses(poses: Floats, scores: Floats, radius: float, count: int) -> Floats:
    """Choose the best poses that score at all; of those nearly alike only one.

    Parameters
    ----------
    poses : (N, 6) float
        See `spotlab.spotting.symbols.alignment.poses`.
    scores : (N,) float
    radius : float
        Small px within which poses are alike, if they turn and mirror alike.
    count : int
        How many to choose at most.

    Returns
    -------
    (M, 6) float
        Best first.

    Examples
    --------
    >>> poses = np.zeros((3, 6))
    >>> poses[:, 0] = [0, 1, 50]
    >>> best_poses(poses, np.array([0.5, 0.7, 0.2]), radius=3, count=9)[:, 0].tolist()
    [1.0, 50.0]
    """
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] > 0]
    cells = np.floor(poses[order, :2] / radius).astype(np.int64)
    ways = np.floor(np.mod(poses[order, 2], 2 * np.pi) * (4 / np.pi) + 0.5).astype(np.int64) % 8
    keys = ((cells[:, 0] << 24) + cells[:, 1]) * 16 + ways * 2 + (poses[order, 5] > 0)
    first = np.unique(keys, return_index=True)[1]
    best = poses[order[np.sort(first)][: 3 * count]]
    return np.asarray(best[chamfer.choose_distinct(best, radius, _ALIKE, count)])


def suppress_overlaps(
    poses: Floats, scores: Floats, half: Floats, min_score: float
) -> tuple[Floats, Floats]:
    """Keep the poses that score enough and whose place no better one has taken.

    Parameters
    ----------
    poses : (N, 6) float
        See `spotlab.spotting.symbols.alignment.poses`.
    scores : (N,) float
    half : (2,) float
        The halves of the template's sides, in small px.
    min_score : float
        Poses with a lower score are left out.

    Returns
    -------
    poses : (M, 6) float
        Best first.
    scores : (M,) float

    Examples
    --------
    >>> poses = np.zeros((3, 6))
    >>> poses[:, 0] = [0, 1, 50]
    >>> half = np.array([5.0, 5.0])
    >>> suppress_overlaps(poses, np.array([0.5, 0.7, 0.4]), half, min_score=0.3)[1].tolist()
    [0.7, 0.4]
    """
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] >= min_score]
    best = poses[order]
    right, down = best[:, 0] - best[:, :1], best[:, 1] - best[:, 1:2]
    cosine, sine = np.cos(best[:, 2:3]), np.sin(best[:, 2:3])
    across = np.abs(cosine * right + sine * down) / (2 * half[0] * np.exp(best[:, 3:4]))
    along = np.abs(cosine * down - sine * right) / (2 * half[1] * np.exp(best[:, 4:5]))
    shared = np.maximum(1 - across, 0) * np.maximum(1 - along, 0)
    kept = _first_ones(np.maximum(shared, shared.T) > _SHARED)
    return best[kept], scores[order[kept]]


def _first_ones(same: NDArray[np.bool_]) -> list[int]:
    """Which are not the same as one before them that is kept itself."""
    kept: list[int] = []
    for index in range(len(same)):
        if not same[index, kept].any():
            kept.append(index)
    return kept
