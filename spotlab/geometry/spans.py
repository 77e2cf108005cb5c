"""Ranges of whole numbers, many at a time."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Ints


def concatenate_ranges(starts: Ints, counts: Ints) -> Ints:
    """List the numbers of several ranges, one range after the other.

    Parameters
    ----------
    starts, counts : (N,) int
        The first number of each range, and how many it has: 0 or more.

    Returns
    -------
    (sum of counts,) int

    Examples
    --------
    >>> concatenate_ranges(np.array([5, 0, 8]), np.array([2, 0, 3])).tolist()
    [5, 6, 8, 9, 10]
    """
    if len(starts) == 1:
        return np.arange(starts[0], starts[0] + counts[0], dtype=np.int64)
    before = np.cumsum(counts) - counts
    return np.asarray(np.arange(counts.sum()) + np.repeat(starts - before, counts), np.int64)
