"""The order in which boxes on a page are read: line by line, each from the left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


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
