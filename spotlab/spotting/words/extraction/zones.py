"""Zones of boxes: where their ink is, and where in it the small letters are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Boxes

_ROWS = 64
_COLUMNS = 256
_EMPTY = 0.02  # of the darkest row or column: less is no ink
_CORE = 0.5  # of the darkest row: the small letters


def row_profile(ink: NDArray[np.int32], boxes: Boxes, rows: int = _ROWS) -> NDArray[np.float64]:
    """Sum the ink of equally high rows of each box.

    Parameters
    ----------
    ink : (H + 1, W + 1) int32
        Integral image.
    boxes : (N, 4) float
        left, top, right, bottom in px.
    rows : int
        Number of rows.

    Returns
    -------
    (N, rows) float

    Examples
    --------
    >>> ink = np.arange(5)[:, None] * np.arange(3) * np.ones((5, 3), np.int32)
    >>> row_profile(ink.astype(np.int32), np.array([[0.0, 0, 2, 4]]), rows=2).tolist()
    [[4.0, 4.0]]
    """
    height, width = ink.shape[0] - 1, ink.shape[1] - 1
    edges = boxes[:, 1:2] + (boxes[:, 3:4] - boxes[:, 1:2]) * np.linspace(0, 1, rows + 1)
    left, right = _whole(boxes[:, 0], width)[:, None], _whole(boxes[:, 2], width)[:, None]
    return np.diff(_between(edges, height, lambda at: ink[at, right] - ink[at, left]), axis=1)


def column_profile(
    ink: NDArray[np.int32], boxes: Boxes, columns: int = _COLUMNS
) -> NDArray[np.float64]:
    """Sum the ink of equally wide columns of each box.

    Parameters
    ----------
    ink : (H + 1, W + 1) int32
        Integral image.
    boxes : (N, 4) float
        left, top, right, bottom in px.
    columns : int
        Number of columns.

    Returns
    -------
    (N, columns) float

    Examples
    --------
    >>> ink = np.arange(5)[:, None] * np.arange(3) * np.ones((5, 3), np.int32)
    >>> column_profile(ink.astype(np.int32), np.array([[0.0, 0, 2, 4]]), columns=2).tolist()
    [[4.0, 4.0]]
    """
    height, width = ink.shape[0] - 1, ink.shape[1] - 1
    edges = boxes[:, 0:1] + (boxes[:, 2:3] - boxes[:, 0:1]) * np.linspace(0, 1, columns + 1)
    top, bottom = _whole(boxes[:, 1], height)[:, None], _whole(boxes[:, 3], height)[:, None]
    return np.diff(_between(edges, width, lambda at: ink[bottom, at] - ink[top, at]), axis=1)


def letter_zone(ink: NDArray[np.int32], boxes: Boxes) -> NDArray[np.float64]:
    """Find the zone of small letters: the rows around the darkest that are above half of it.

    Parameters
    ----------
    ink : (H + 1, W + 1) int32
        Integral image.
    boxes : (N, 4) float
        left, top, right, bottom in px.

    Returns
    -------
    (N, 2) float
        Top and bottom in px; the first row where there is no ink.

    Examples
    --------
    >>> letter_zone(np.zeros((10, 10), np.int32), np.array([[1.0, 2, 8, 7]])).tolist()
    [[2.0, 2.078125]]
    """
    profile = row_profile(ink, boxes)
    profile = _smoothed(profile)
    top, bottom = _span(profile, profile.argmax(axis=1), _CORE)
    step = (boxes[:, 3] - boxes[:, 1]) / profile.shape[1]
    return np.stack([boxes[:, 1] + top * step, boxes[:, 1] + bottom * step], axis=1)


def shrink_to_ink(ink: NDArray[np.int32], boxes: Boxes) -> Boxes:
    """Shrink boxes to their ink.

    Parameters
    ----------
    ink : (H + 1, W + 1) int32
        Integral image.
    boxes : (N, 4) float
        left, top, right, bottom in px.

    Returns
    -------
    (N, 4) float
        Boxes without ink stay as they are.

    Examples
    --------
    >>> shrink_to_ink(np.zeros((10, 10), np.int32), np.array([[1.0, 2, 8, 7]])).tolist()
    [[1.0, 2.0, 8.0, 7.0]]
    """
    shrunk = boxes.copy()
    for profile, low, high in ((column_profile, 0, 2), (row_profile, 1, 3)):
        amounts = profile(ink, shrunk)
        inked = amounts > _EMPTY * amounts.max(axis=1, keepdims=True)
        some = inked.any(axis=1)
        first = inked.argmax(axis=1)
        last = inked.shape[1] - inked[:, ::-1].argmax(axis=1)
        step = (shrunk[:, high] - shrunk[:, low]) / inked.shape[1]
        start = shrunk[:, low].copy()
        shrunk[some, low] = (start + first * step)[some]
        shrunk[some, high] = (start + last * step)[some]
    return shrunk


def _smoothed(profile: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of each row and two on each side."""
    padded = np.pad(profile, ((0, 0), (3, 2)))
    sums = padded.cumsum(axis=1)
    return np.asarray((sums[:, 5:] - sums[:, :-5]) / 5)


def _span(
    profile: NDArray[np.float64], peak: NDArray[np.int64], share: float
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and one after the last row around the peak that has this share of its amount."""
    count = profile.shape[1]
    place = np.arange(count)
    most = np.take_along_axis(profile, peak[:, None], axis=1)
    low = profile <= share * most
    above = np.where(low & (place < peak[:, None]), place + 1, 0).max(axis=1)
    below = np.where(low & (place > peak[:, None]), place, count).min(axis=1)
    return above, below


def _between(
    edges: Boxes, limit: int, at: Callable[[NDArray[np.int64]], NDArray[np.int32]]
) -> NDArray[np.float64]:
    """Sums up to places between pixels."""
    edges = np.clip(edges, 0, limit)
    first = np.minimum(edges.astype(np.int64), max(limit - 1, 0))
    share = edges - first
    start, end = at(first), at(first + 1)
    return start + (end - start) * share


def _whole(values: NDArray[np.float64], limit: int) -> NDArray[np.int64]:
    return np.clip(np.rint(values), 0, limit).astype(np.int64)
