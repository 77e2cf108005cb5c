"""Which boxes overlap, and by how much."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Boxes
from spotlab.geometry.spans import concatenate_ranges


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
