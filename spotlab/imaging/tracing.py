"""The exact outline of pixels along their edges, as one ring."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Ints, Points
from spotlab.geometry.rings import join_rings
from spotlab.imaging.runs import Runs


def trace(runs: Runs) -> Points:
    """Return one ring that encloses, by the even-odd rule, exactly the pixels of the runs.

    Parameters
    ----------
    runs : Runs
        The pixels.

    Returns
    -------
    (N, 2) float
        Corners in px. Edges lie on the grid of pixel corners, except those that run there and back
        to join parts and holes. Empty where there are no runs.

    Examples
    --------
    >>> trace(Runs.of([3], [1], [5])).tolist()
    [[1.0, 3.0], [5.0, 3.0], [5.0, 4.0], [1.0, 4.0]]
    """
    if not len(runs):
        return np.empty((0, 2))
    return join_rings(sorted(boundary_rings(runs), key=len, reverse=True))


def boundary_rings(runs: Runs) -> list[Points]:
    """Return the closed boundaries of pixels, outer ones and holes.

    Parameters
    ----------
    runs : Runs
        The pixels.

    Returns
    -------
    list of (n, 2) float
        The corners of each boundary in px, as an open ring.
    """
    x, y = _corners(runs)
    # along a row corners pair up to horizontal edges, along a column to vertical ones
    across = _partners(np.lexsort((x, y)))
    along = _partners(np.lexsort((y, x)))
    rings = []
    visited = np.zeros(len(x), np.bool_).tolist()
    across_list, along_list = across.tolist(), along.tolist()
    for first in np.lexsort((x, y)).tolist():
        if visited[first]:
            continue
        ring, corner = [], first
        while not visited[corner]:
            other = across_list[corner]
            visited[corner] = visited[other] = True
            ring += [corner, other]
            corner = along_list[other]
        rings.append(np.column_stack([x[ring], y[ring]]).astype(np.float64))
    return rings


def _corners(runs: Runs) -> tuple[Ints, Ints]:
    """Places where the boundary turns; a point where pixels touch only at a corner comes twice.

    A run's end has one corner above and one below it. Where the runs of two rows end on the same
    side at the same x, the boundary goes straight on and both corners cancel.
    """
    ends = np.concatenate([runs.starts, runs.stops]).astype(np.int64)
    tops = np.concatenate([runs.rows, runs.rows]).astype(np.int64)
    side = np.repeat(np.array([0, 1]), len(runs))
    x, y = np.tile(ends, 2), np.concatenate([tops, tops + 1])
    sides = np.tile(side, 2)
    order = np.lexsort((sides, x, y))
    x, y, sides = x[order], y[order], sides[order]
    same = (x[1:] == x[:-1]) & (y[1:] == y[:-1]) & (sides[1:] == sides[:-1])
    cancelled = np.zeros(len(x), np.bool_)
    cancelled[1:] |= same
    cancelled[:-1] |= same
    return x[~cancelled], y[~cancelled]


def _partners(order: Ints) -> Ints:
    partners = np.empty_like(order)
    partners[order[::2]] = order[1::2]
    partners[order[1::2]] = order[::2]
    return partners
