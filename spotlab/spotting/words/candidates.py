"""Where words may be on a page: its writing smeared by several widths, each blob a candidate."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from spotlab.spotting.words.channels import HEIGHT, Channels, prepare
from spotlab.spotting.words.ink import InkMap
from spotlab.spotting.words.zones import Boxes

# all in heights of small letters
_WIDTHS = (0.25, 0.38, 0.5, 0.65, 0.82, 1.0, 1.25)
_HEIGHTS = (0.12, 0.25)
_SHARES = (0.06, 0.12)  # of the darkest that a smear can be
_LEAST_HEIGHT, _MOST_HEIGHT = 1.1, 10.5
_LEAST_WIDTH, _MOST_WIDTH = 1.25, 40.0
_SAME = 0.25  # corners in the same square of this side are the same
_MARGIN = np.array([-0.3, -0.3, 0.4, 0.6])  # people leave room around words, most below


def candidates(page: InkMap | Channels) -> Boxes:
    """(N, 4) float: left, top, right, bottom in px of what may be words; they overlap.

    Parameters
    ----------
    page : (H, W) float32, or Channels
        Its ink, or that prepared.

    Examples
    --------
    >>> candidates(np.zeros((100, 100), np.float32)).shape  # a blank page
    (0, 4)
    """
    channels = page if isinstance(page, Channels) else prepare(page)
    boxes = np.array(list(_blobs(channels.writing)), np.float64).reshape(-1, 4) / HEIGHT
    high, wide = boxes[:, 3] - boxes[:, 1], boxes[:, 2] - boxes[:, 0]
    fits = (high > _LEAST_HEIGHT) & (high < _MOST_HEIGHT)
    fits &= (wide > _LEAST_WIDTH) & (wide < _MOST_WIDTH)
    boxes = np.unique(boxes[fits], axis=0)
    _, first = np.unique(np.floor(boxes / _SAME), axis=0, return_index=True)
    height, width = channels.writing.shape
    found = np.clip((boxes[first] + _MARGIN) * HEIGHT, 0, [width, height, width, height])
    return np.asarray(found / channels.scale)


def _blobs(strokes: NDArray[np.uint8]) -> Iterator[tuple[int, int, int, int]]:
    """Boxes of the ink of each blob at each smear."""
    dark = strokes.astype(np.float32)
    for width in _WIDTHS:
        for height in _HEIGHTS:
            smeared = cv2.GaussianBlur(dark, (0, 0), sigmaX=width * HEIGHT, sigmaY=height * HEIGHT)
            for share in _SHARES:
                blobs = (smeared > share).astype(np.uint8)
                _, labels = cv2.connectedComponents(blobs, connectivity=8)
                labels *= strokes
                for found in ndimage.find_objects(labels):
                    if found is not None:
                        down, across = found
                        yield across.start, down.start, across.stop, down.stop
