"""Where the ends of a slope chart and their names stand, so that no name hides another."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats, Ints


def spread(wanted: Floats, apart: float, low: float, high: float) -> Floats:
    """Move places as little as needed so that each two are so far apart.

    Parameters
    ----------
    wanted : (N,) float
        Where each would stand; NaN stands nowhere.
    apart : float
    low, high : float
        Between which all stand, if there is room.

    Returns
    -------
    (N,) float
        In the same order from low to high; equals in the order given.

    Examples
    --------
    >>> spread(np.array([10.0, 10.0, 50.0]), 10, 0, 100).tolist()
    [5.0, 15.0, 50.0]
    >>> spread(np.array([0.0, 0.0, np.nan]), 10, 0, 100).tolist()
    [0.0, 10.0, nan]
    """
    found = np.full(len(wanted), np.nan)
    order = [place for place in np.argsort(wanted, kind="stable") if not np.isnan(wanted[place])]
    groups: list[list[float]] = []  # mean of what is wanted, members: pushed apart together
    for place in order:
        groups.append([float(wanted[place]), 1])
        while len(groups) > 1 and _touch(groups[-2], groups[-1], apart):
            (mean, count), (last, more) = groups[-2], groups.pop()
            groups[-1] = [(mean * count + last * more) / (count + more), count + more]
    heights = [
        mean + (number - (count - 1) / 2) * apart
        for mean, count in groups
        for number in range(int(count))
    ]
    return _within(found, order, np.array(heights), apart, low, high)


def crossings(left: Floats, right: Floats) -> Ints:
    """(N,) how many others each one passes between two rankings; NaN is in neither.

    Examples
    --------
    >>> crossings(np.array([1.0, 2, 3]), np.array([3.0, 1, 2])).tolist()
    [2, 1, 1]
    """
    before = np.sign(left[:, None] - left)
    after = np.sign(right[:, None] - right)
    return np.asarray((before * after == -1).sum(axis=1), np.int64)


def _touch(upper: list[float], lower: list[float], apart: float) -> bool:
    end = upper[0] + (upper[1] - 1) / 2 * apart
    start = lower[0] - (lower[1] - 1) / 2 * apart
    return start - end < apart


def _within(
    found: Floats, order: list[int], heights: Floats, apart: float, low: float, high: float
) -> Floats:
    steps = np.arange(len(heights)) * apart
    heights = np.maximum(heights, low + steps)
    heights = np.minimum(heights, high - steps[::-1])
    found[order] = np.maximum(heights, low + steps) if len(heights) else heights
    return found
