"""Boxes: which overlap, which are nearly the same, and the order in which they are read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Boxes, Ints
from spotlab.geometry.outlines import concatenate_ranges


@dataclass(frozen=True, eq=False)
class BoxPairs:
    """Pairs of a first and a second box that share some area.

    Attributes
    ----------
    first, second : (P,) int
        Positions of the boxes, in order of ``first`` and then ``second``.
    shared : (P,) float
        Area that both boxes cover, in px²; above 0.
    first_area, second_area : (P,) float
        Areas of the boxes in px².
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    shared: NDArray[np.float64]
    first_area: NDArray[np.float64]
    second_area: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.first)

    @property
    def iou(self) -> NDArray[np.float64]:
        """(P,) intersection over union, in (0, 1]."""
        return self.shared / (self.first_area + self.second_area - self.shared)

    @property
    def share_of_smaller(self) -> NDArray[np.float64]:
        """(P,) share of the smaller box that lies in the other one, in (0, 1]."""
        return self.shared / np.minimum(self.first_area, self.second_area)


def pair_boxes(first: ArrayLike, second: ArrayLike) -> BoxPairs:
    """Find all pairs of boxes that share some area.

    Parameters
    ----------
    first : (N, 4) float
        Left, top, right and bottom of each box, in px.
    second : (M, 4) float
        Likewise.

    Returns
    -------
    BoxPairs
        Empty where no boxes overlap. Boxes that only touch share no area.

    Notes
    -----
    Only boxes of similar height on the page are compared, so that a page of text costs little more
    than the pairs that there are.

    Examples
    --------
    >>> pairs = pair_boxes([[0, 0, 4, 2]], [[2, 0, 4, 4], [4, 0, 9, 9]])
    >>> pairs.first.tolist(), pairs.second.tolist(), pairs.shared.tolist(), pairs.iou.round(2)
    ([0], [0], [4.0], array([0.33]))
    >>> len(pair_boxes(np.empty((0, 4)), [[0, 0, 1, 1]]))
    0
    """
    a = np.asarray(first, np.float64).reshape(-1, 4)
    b = np.asarray(second, np.float64).reshape(-1, 4)
    order = np.argsort(b[:, 1], kind="stable")
    tops = b[order, 1]
    tallest = (b[:, 3] - b[:, 1]).max(initial=0.0)
    low = np.searchsorted(tops, a[:, 1] - tallest, "left")
    high = np.maximum(np.searchsorted(tops, a[:, 3], "left"), low)
    counts = high - low
    one = np.repeat(np.arange(len(a)), counts)
    other = order[concatenate_ranges(low, counts)]
    shared = _shared(a, b, one, other)
    meeting = np.flatnonzero(shared > 0)
    meeting = meeting[np.lexsort((other[meeting], one[meeting]))]
    one, other = one[meeting], other[meeting]
    return BoxPairs(one, other, shared[meeting], _areas(a)[one], _areas(b)[other])


def _shared(
    a: Boxes, b: Boxes, one: NDArray[np.int64], other: NDArray[np.int64]
) -> NDArray[np.float64]:
    across = np.minimum(a[one, 2], b[other, 2]) - np.maximum(a[one, 0], b[other, 0])
    down = np.minimum(a[one, 3], b[other, 3]) - np.maximum(a[one, 1], b[other, 1])
    shared: NDArray[np.float64] = np.maximum(across, 0) * np.maximum(down, 0)
    return shared


def _areas(boxes: Boxes) -> NDArray[np.float64]:
    areas: NDArray[np.float64] = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return areas


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
    """Tell which boxes are not nearly the same as one of some others.

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


def reading_order(boxes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Sort boxes line by line.

    A box belongs to the line of the one above it if its middle is not below that one's middle by
    more than half the lower of both heights.

    Parameters
    ----------
    boxes : (N, 4) float
        Left, top, right, bottom in px.

    Returns
    -------
    (N,) int
        Numbers of the boxes in their order.

    Examples
    --------
    >>> reading_order(np.array([[50, 3, 60, 13], [0, 20, 10, 30], [0, 0, 10, 10.0]])).tolist()
    [2, 0, 1]
    """
    middles, heights = (boxes[:, 1] + boxes[:, 3]) / 2, boxes[:, 3] - boxes[:, 1]
    lines = np.zeros(len(boxes), np.int64)
    first = -1  # of its line
    for number in np.argsort(middles, kind="stable").tolist():
        before = first
        if before >= 0:
            reach = min(heights[number], heights[before]) / 2
            lines[number] = lines[before] + (middles[number] - middles[before] > reach)
        if before < 0 or lines[number] != lines[before]:
            first = number
    return np.lexsort((boxes[:, 0], lines))
