"""Describes the words of a page by a network, boxes that are nearly the same only once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.box_pairs import pair_boxes
from spotlab.representation import short_repr
from spotlab.spotting.words.embedding.network import Described, WordNetwork
from spotlab.spotting.words.embedding.pictures import Grey

Boxes = NDArray[np.float64]
Ints = NDArray[np.int64]

SAME = 0.75  # intersection over union from which candidates share one description
MARGIN = np.array([-0.09, -0.06, 0.09, 0.06])  # heights around candidates that the network is given


@dataclass(frozen=True, eq=False)
class PageDescription:
    """What a network says of the words of a page.

    Attributes
    ----------
    described : Described
        Of M different words.
    row : (N,) int
        Which of them describes each word.
    """

    described: Described
    row: Ints

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.row)


def describe_page(
    network: WordNetwork, grey: Grey, boxes: Boxes, *, given: bool = False
) -> PageDescription:
    """Describe the words of a page.

    Parameters
    ----------
    network : WordNetwork
    grey : (H, W) uint8
        The page.
    boxes : (N, 4) float
        left, top, right, bottom in px.
    given : bool
        Boxes that somebody has drawn are described one by one. Candidates overlap: those that are
        nearly the same share a description.
    """
    if given:
        return PageDescription(network.describe(grey, boxes), np.arange(len(boxes)))
    chosen, row = share_boxes(boxes, SAME)
    return PageDescription(network.describe(grey, with_margin(boxes[chosen])), row)


def with_margin(boxes: Boxes) -> Boxes:
    """Enlarge boxes that are tight as people leave room around words.

    Parameters
    ----------
    boxes : (N, 4) float
        left, top, right, bottom in px.

    Examples
    --------
    >>> with_margin(np.array([[100.0, 100, 300, 200]])).tolist()
    [[91.0, 94.0, 309.0, 206.0]]
    """
    return np.asarray(boxes + (boxes[:, 3:] - boxes[:, 1:2]) * MARGIN)


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
