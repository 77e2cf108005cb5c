"""Boxes that are nearly the same, of which one stands for the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Boxes, Ints
from spotlab.geometry.box_pairs import pair_boxes


def share_boxes(boxes: Boxes, same: float) -> tuple[Ints, Ints]:
    """Choose boxes that stand for all others.

    The box that most others are nearly the same as is chosen first, and they with it.

    Parameters
    ----------
    boxes : (N, 4) float
        left, top, right, bottom in px.
    same : float
        Intersection over union from which two boxes are nearly the same.

    Returns
    -------
    chosen : (M,) int
        Rising.
    row : (N,) int
        Which of the chosen stands for each box: the one that it shares most with.

    Examples
    --------
    >>> share_boxes(np.array([[0, 0, 20, 9], [0, 0, 21, 9], [0, 0, 40, 9]], float), 0.75)
    (array([0, 2]), array([0, 0, 1]))
    """
    pairs = pair_boxes(boxes, boxes)
    kept = (pairs.iou >= same) & (pairs.first != pairs.second)
    first, second, shared = pairs.first[kept], pairs.second[kept], pairs.iou[kept]
    starts = np.searchsorted(first, np.arange(len(boxes) + 1))
    is_open, is_chosen = np.ones(len(boxes), np.bool_), np.zeros(len(boxes), np.bool_)
    for box in np.argsort(-np.diff(starts), kind="stable").tolist():
        if is_open[box]:
            is_chosen[box] = True
            is_open[second[starts[box] : starts[box + 1]]] = False
            is_open[box] = False
    owner = np.arange(len(boxes))
    order = np.flatnonzero(is_chosen[second] & ~is_chosen[first])
    order = order[np.argsort(shared[order], kind="stable")]
    owner[first[order]] = second[order]  # the one that shares most comes last and stays
    chosen = np.flatnonzero(is_chosen)
    return chosen, np.searchsorted(chosen, owner)


def unlike(boxes: Boxes, others: Boxes, same: float) -> NDArray[np.bool_]:
    """Which boxes are not nearly the same as one of some others.

    Parameters
    ----------
    boxes : (N, 4) float
    others : (M, 4) float
        left, top, right, bottom in px.
    same : float
        Intersection over union from which two boxes are nearly the same.

    Returns
    -------
    (N,) bool

    Examples
    --------
    >>> boxes = np.array([[0, 0, 20, 9], [30, 0, 40, 9]], float)
    >>> unlike(boxes, np.array([[0, 0, 21, 9]], float), 0.75).tolist()
    [False, True]
    """
    pairs = pair_boxes(boxes, others)
    kept = np.ones(len(boxes), np.bool_)
    kept[pairs.first[pairs.iou >= same]] = False
    return kept
