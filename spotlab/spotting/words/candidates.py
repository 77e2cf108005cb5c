"""Where words may be on a page: its ink smeared by several widths, each blob a candidate."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from spotlab.spotting.words.ink import InkMap
from spotlab.spotting.words.text_size import text_height, writing
from spotlab.spotting.words.zones import Boxes

# in heights of small letters
_WIDTHS = (0.38, 0.57, 0.82, 1.13)
_HEIGHT = 0.19
_SHARES = (0.06, 0.12)
_LEAST_HEIGHT, _MOST_HEIGHT = 1.1, 10.5
_LEAST_WIDTH, _MOST_WIDTH = 1.25, 40.0
_MARGIN = 0.12
_DETAIL = 8.0  # px that small letters are high where the search is done
_SAME = 0.12  # corners as near as this are the same


def candidates(ink: InkMap) -> Boxes:
    """(N, 4) float: left, top, right, bottom in px of what may be words; they overlap.

    Parameters
    ----------
    ink : (H, W) float32
        As `word_ink` gives it.

    Examples
    --------
    >>> candidates(np.zeros((100, 100), np.float32)).shape  # a blank page
    (0, 4)
    """
    unit = text_height(ink)
    scale = _DETAIL / unit
    size = (max(1, round(ink.shape[1] * scale)), max(1, round(ink.shape[0] * scale)))
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = np.asarray(cv2.resize(writing(ink), size, interpolation=method), np.uint8)
    boxes = np.array(list(_blobs(small)), np.float64).reshape(-1, 4) / _DETAIL
    high, wide = boxes[:, 3] - boxes[:, 1], boxes[:, 2] - boxes[:, 0]
    fits = (high > _LEAST_HEIGHT) & (high < _MOST_HEIGHT)
    fits &= (wide > _LEAST_WIDTH) & (wide < _MOST_WIDTH)
    boxes = np.unique(boxes[fits], axis=0)
    _, first = np.unique(np.floor(boxes / _SAME), axis=0, return_index=True)
    found = (boxes[first] + np.array([-_MARGIN, -_MARGIN, _MARGIN, _MARGIN])) * unit
    limit = np.array([ink.shape[1], ink.shape[0]] * 2, np.float64)
    return np.asarray(np.clip(found, 0, limit))


def _blobs(strokes: NDArray[np.uint8]) -> Iterator[tuple[int, int, int, int]]:
    """Boxes of the ink of each blob at each smear."""
    dark = strokes.astype(np.float32)
    for width in _WIDTHS:
        smeared = cv2.GaussianBlur(dark, (0, 0), sigmaX=width * _DETAIL, sigmaY=_HEIGHT * _DETAIL)
        for share in _SHARES:
            _, labels = cv2.connectedComponents((smeared > share).astype(np.uint8), connectivity=8)
            labels *= strokes
            for found in ndimage.find_objects(labels):
                if found is not None:
                    down, across = found
                    yield across.start, down.start, across.stop, down.stop
