"""Chooses among poses: those worth moving to fit, and of those that fit each place once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_ALIKE = np.pi / 6  # poses that are turned by less are alike
_SHARED = 0.4  # of their boxes: poses that share more are about the same thing


def promising(poses: Floats, scores: Floats, reach: float, most: int) -> Floats:
    """The best poses that score at all, of those that lie, turn and mirror nearly alike only one.

    Parameters
    ----------
    poses : (N, 6) float
    scores : (N,) float
    reach : float
        Small px within which poses are alike.
    most : int
        How many.
    """
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] > 0]
    cells = np.floor(poses[order, :2] / reach).astype(np.int64)
    ways = np.floor(np.mod(poses[order, 2], 2 * np.pi) * (4 / np.pi) + 0.5).astype(np.int64) % 8
    keys = ((cells[:, 0] << 24) + cells[:, 1]) * 16 + ways * 2 + (poses[order, 5] > 0)
    first = np.unique(keys, return_index=True)[1]
    found = poses[order[np.sort(first)][: 3 * most]]
    turned = np.abs(np.mod(found[:, 2] - found[:, 2, None] + np.pi, 2 * np.pi) - np.pi)
    alike = cdist(found[:, :2], found[:, :2]) < reach
    alike &= (turned < _ALIKE) & (found[:, 5] == found[:, 5, None])
    return np.asarray(found[_first_ones(alike)[:most]])


def once(poses: Floats, scores: Floats, half: Floats, least: float) -> tuple[Floats, Floats]:
    """The poses that score enough and whose place no better one has taken, best first.

    Parameters
    ----------
    poses : (N, 6) float
    scores : (N,) float
    half : (2,) float
        The halves of the template's sides, in small px.
    least : float
    """
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] >= least]
    found = poses[order]
    right, down = found[:, 0] - found[:, :1], found[:, 1] - found[:, 1:2]
    cosine, sine = np.cos(found[:, 2:3]), np.sin(found[:, 2:3])
    across = np.abs(cosine * right + sine * down) / (2 * half[0] * np.exp(found[:, 3:4]))
    along = np.abs(cosine * down - sine * right) / (2 * half[1] * np.exp(found[:, 4:5]))
    shared = np.maximum(1 - across, 0) * np.maximum(1 - along, 0)
    kept = _first_ones(np.maximum(shared, shared.T) > _SHARED)
    return found[kept], scores[order[kept]]


def _first_ones(same: NDArray[np.bool_]) -> list[int]:
    """Which are not the same as one before them that is kept itself."""
    kept: list[int] = []
    for index in range(len(same)):
        if not same[index, kept].any():
            kept.append(index)
    return kept
