"""How much the boxes of regions overlap."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats


def overlaps(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Compute by how much each two of boxes overlap.

    Parameters
    ----------
    first : (N, 4) float
        Left, top, right, bottom in px.
    second : (M, 4) float

    Returns
    -------
    iou : (N, M) float
        Intersection over union, 0 to 1.
    part : (N, M) float
        Share of the smaller box that lies in the other one.

    Examples
    --------
    >>> iou, part = overlaps(np.array([[0, 0, 4, 4.0]]), np.array([[2, 0, 4, 4.0]]))
    >>> iou.item(), part.item()
    (0.5, 1.0)
    """
    corner = np.maximum(first[:, None, :2], second[None, :, :2])
    end = np.minimum(first[:, None, 2:], second[None, :, 2:])
    shared = (end - corner).clip(0).prod(2)
    one = (first[:, 2:] - first[:, :2]).prod(1)[:, None]
    other = (second[:, 2:] - second[:, :2]).prod(1)[None]
    iou = shared / np.maximum(one + other - shared, 1e-9)
    return iou, shared / np.maximum(np.minimum(one, other), 1e-9)
