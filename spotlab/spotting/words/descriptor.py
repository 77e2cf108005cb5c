"""What a word looks like: the directions of its strokes in overlapping cells on its three zones."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.spotting.words.channels import DIRECTIONS, Channels, prepare
from spotlab.spotting.words.ink import InkMap
from spotlab.spotting.words.zones import Boxes, core, tight

ROWS = 6
COLUMNS = 18
OVERLAP = 0.35  # of a cell, to each side
REACH = 1.25  # heights of small letters above and below them that count
LENGTH = ROWS * COLUMNS * DIRECTIONS

_BATCH = 4096


def describe(page: InkMap | Channels, boxes: ArrayLike) -> NDArray[np.float32]:
    """Descriptors of boxes on a page, to be projected (`Projection`) before they are compared.

    Parameters
    ----------
    page : (H, W) float32, or Channels
        Its ink, or that prepared.
    boxes : (N, 4) float
        left, top, right, bottom in px; what is beyond the page is paper.

    Returns
    -------
    (N, 864) float32
        Zero for boxes without ink.

    Examples
    --------
    >>> describe(np.zeros((50, 90), np.float32), [[10, 10, 40, 30]]).any()
    np.False_
    """
    channels = page if isinstance(page, Channels) else prepare(page)
    scaled = np.asarray(boxes, np.float64).reshape(-1, 4) * channels.scale
    rows = np.empty((len(scaled), LENGTH), np.float32)
    for start in range(0, len(scaled), _BATCH):
        part = tight(channels.ink, scaled[start : start + _BATCH])
        rows[start : start + _BATCH] = _cells(channels, part)
    return rows


def _cells(channels: Channels, boxes: Boxes) -> NDArray[np.float32]:
    sums = channels.strokes
    height, width = sums.shape[0] - 1, sums.shape[1] - 1
    zone = core(channels.ink, boxes)
    high = np.maximum(zone[:, 1] - zone[:, 0], 3)
    first, last = zone[:, 0] - REACH * high, zone[:, 1] + REACH * high
    tops, bottoms = _edges(first, last, ROWS)
    lefts, rights = _edges(boxes[:, 0], boxes[:, 2], COLUMNS)
    # only ink inside the box counts
    tops, bottoms = (np.clip(edge, boxes[:, 1:2], boxes[:, 3:4]) for edge in (tops, bottoms))
    top, bottom = _whole(tops, height)[:, :, None], _whole(bottoms, height)[:, :, None]
    left, right = _whole(lefts, width)[:, None], _whole(rights, width)[:, None]
    right = np.maximum(right, np.minimum(left + 1, width))
    found = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    cells = found.astype(np.float32)
    length = np.linalg.norm(cells, axis=3, keepdims=True)
    floor = 0.05 * length.max(axis=(1, 2), keepdims=True) + 1e-9
    cells /= np.sqrt(length**2 + floor**2)
    return np.asarray(cells.reshape(len(cells), LENGTH))


def _edges(
    start: NDArray[np.float64], stop: NDArray[np.float64], count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    size = ((stop - start) / count)[:, None]
    first = start[:, None] + size * (np.arange(count) - OVERLAP)
    return first, first + size * (1 + 2 * OVERLAP)


def _whole(values: NDArray[np.float64], limit: int) -> NDArray[np.int64]:
    return np.clip(np.rint(values), 0, limit).astype(np.int64)
