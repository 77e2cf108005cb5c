"""Clip outlines at a page's edges.

A ring is projected onto the page: where an edge crosses the line of a side, the ring gets a corner,
and what lies beyond the line is moved onto it. This keeps how often the ring winds around every
place on the page, so that the even-odd rule encloses the same places there, whatever the ring is
like. No new coordinate lies beyond the page.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Flags
from spotlab.geometry.outlines import Outlines
from spotlab.geometry.transform import Size


def leaves_page(outlines: Outlines, page_size: Size, tolerance: float = 0.0) -> Flags:
    """Tell which outlines have a corner beyond the page.

    Parameters
    ----------
    outlines : Outlines
        N outlines, in px.
    page_size : (int, int)
        Width and height in px; the page is [0, width] × [0, height].
    tolerance : float
        How far a corner may lie beyond the page, in px.

    Returns
    -------
    (N,) bool
        False for an outline without corners.

    Examples
    --------
    >>> square, above = [(0, 0), (9, 0), (9, 9), (0, 9)], [(0, -1), (9, 0), (9, 9)]
    >>> leaves_page(Outlines.of([square, above, []]), (9, 9)).tolist()
    [False, True, False]
    """
    points, (width, height) = outlines.points, page_size
    beyond = ((points < -tolerance) | (points > (width + tolerance, height + tolerance))).any(
        axis=1
    )
    leaving = np.zeros(len(outlines), np.bool_)
    corners = np.flatnonzero(beyond)
    if len(corners):
        leaving[np.searchsorted(outlines.offsets, corners, side="right") - 1] = True
    return leaving


def clip_to_page(outlines: Outlines, page_size: Size) -> Outlines:
    """Keep the part of every outline that lies on the page.

    Parameters
    ----------
    outlines : Outlines
        N outlines, in px.
    page_size : (int, int)
        Width and height in px.

    Returns
    -------
    Outlines
        N outlines. Those on the page are unchanged; those that share no area with it have no
        corners.

    Examples
    --------
    >>> half, outside = [(-4, 0), (4, 0), (4, 2), (-4, 2)], [(9, 9), (12, 9), (9, 12)]
    >>> clipped = clip_to_page(Outlines.of([half, outside]), (6, 6))
    >>> clipped[0].tolist(), len(clipped[1])
    ([[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]], 0)
    """
    leaving = np.flatnonzero(leaves_page(outlines, page_size))
    if not len(leaving):
        return outlines
    clipped = outlines.take(leaving)
    for axis in (0, 1):
        for limit, outer in ((0.0, -1.0), (float(page_size[axis]), 1.0)):
            clipped = _without_repeats(_clip_at(clipped, axis, limit, outer))
    return _replaced(outlines, leaving, _without_flat(clipped))


def _clip_at(outlines: Outlines, axis: int, limit: float, outer: float) -> Outlines:
    """With nothing beyond one line; ``outer`` is 1 where larger coordinates are beyond it."""
    points, lengths = outlines.points, np.diff(outlines.offsets)
    ring = np.repeat(np.arange(len(outlines)), lengths)
    following = np.arange(1, len(points) + 1)
    filled = lengths > 0
    following[outlines.offsets[1:][filled] - 1] = outlines.offsets[:-1][filled]
    depth = (points[:, axis] - limit) * outer
    crossing = np.flatnonzero(depth * depth[following] < 0)
    here, there = points[crossing], points[following[crossing]]
    # from the same end for both directions, so that neighbours keep a common edge
    swapped = (here[:, axis] > there[:, axis])[:, None]
    low, high = np.where(swapped, there, here), np.where(swapped, here, there)
    share = (limit - low[:, axis]) / (high[:, axis] - low[:, axis])
    corners = low + (high - low) * share[:, None]
    corners[:, axis] = limit
    kept = points.copy()
    kept[:, axis] = np.where(depth > 0, limit, kept[:, axis])
    added = np.bincount(ring[crossing], minlength=len(outlines))
    offsets = np.concatenate([[0], np.cumsum(lengths + added)]).astype(np.int64)
    return Outlines(np.insert(kept, crossing + 1, corners, axis=0), offsets)


def _without_repeats(outlines: Outlines) -> Outlines:
    """Without corners that repeat the one before, the first of a ring following its last."""
    points, lengths = outlines.points, np.diff(outlines.offsets)
    before = np.arange(-1, len(points) - 1)
    filled = lengths > 0
    before[outlines.offsets[:-1][filled]] = outlines.offsets[1:][filled] - 1
    kept = (points != points[before]).any(axis=1)
    ring = np.repeat(np.arange(len(outlines)), lengths)
    counts = np.bincount(ring[kept], minlength=len(outlines))
    return Outlines(points[kept], np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))


def _without_flat(outlines: Outlines) -> Outlines:
    """Rings whose bounds have no area get no corners."""
    left, top, right, bottom = outlines.bounds.T
    whole = (right > left) & (bottom > top)
    lengths = np.where(whole, np.diff(outlines.offsets), 0)
    points = outlines.points[np.repeat(whole, np.diff(outlines.offsets))]
    return Outlines(points, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def _replaced(outlines: Outlines, places: NDArray[np.int64], others: Outlines) -> Outlines:
    """The outlines with others at these places."""
    both = outlines.followed_by(others)
    order = np.arange(len(outlines))
    order[places] = len(outlines) + np.arange(len(others))
    return both.take(order)
