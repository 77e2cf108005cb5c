"""Candidates for words: the writing of a page is smeared by several widths, and each blob is one.

Each smear is also cut along the valleys between lines, or letters that reach into the next line
would join words of both.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.libraries import ndimage
from spotlab.spotting.words.extraction.channels import HEIGHT, Channels, prepare_channels
from spotlab.spotting.words.extraction.ink import InkMap
from spotlab.spotting.words.extraction.zones import Boxes

# all in heights of small letters
_WIDTHS = (0.1, 0.17, 0.25, 0.38, 0.5, 0.65, 0.82, 1.0, 1.25)
_HEIGHTS = (0.12, 0.25)
_SHARES = (0.06, 0.12)  # of the darkest that a smear can be
_LINE_LENGTH, _LINE_HEIGHT = 4.0, 0.35  # of the smear that makes lines of letters
_LINE_APART = 1.2  # a valley is the lowest place so far up and down
_VALLEY = 0.6  # of the darkness of the lines beside it, at most
_NO_LINE = 0.03  # darkness of what is no line
_MIN_HEIGHT, _MAX_HEIGHT = 1.1, 10.5
_MIN_WIDTH, _MAX_WIDTH = 1.25, 40.0
_SAME = 0.25  # corners in the same square of this side are the same
_MARGIN = np.array([-0.3, -0.3, 0.4, 0.6])  # people leave room around words, most below


def word_candidates(page: InkMap | Channels) -> Boxes:
    """Find boxes of what may be words.

    Parameters
    ----------
    page : (H, W) float32, or Channels
        Its ink, or the channels prepared from it.

    Returns
    -------
    (N, 4) float
        left, top, right, bottom in px; they overlap.

    Examples
    --------
    >>> word_candidates(np.zeros((100, 100), np.float32)).shape  # a blank page
    (0, 4)
    """
    channels = page if isinstance(page, Channels) else prepare_channels(page)
    boxes = np.array(list(_blobs(channels.letter_strokes)), np.float64).reshape(-1, 4) / HEIGHT
    high, wide = boxes[:, 3] - boxes[:, 1], boxes[:, 2] - boxes[:, 0]
    fits = (high > _MIN_HEIGHT) & (high < _MAX_HEIGHT)
    fits &= (wide > _MIN_WIDTH) & (wide < _MAX_WIDTH)
    boxes = np.unique(boxes[fits], axis=0)
    _, first = np.unique(np.floor(boxes / _SAME), axis=0, return_index=True)
    height, width = channels.letter_strokes.shape
    boxes = np.clip((boxes[first] + _MARGIN) * HEIGHT, 0, [width, height, width, height])
    return np.asarray(boxes / channels.scale)


def _blobs(strokes: NDArray[np.uint8]) -> Iterator[tuple[int, int, int, int]]:
    """Boxes of the ink of each blob at each smear, whole and cut between lines."""
    dark = strokes.astype(np.float32)
    between = valleys(dark)
    for width in _WIDTHS:
        for height in _HEIGHTS:
            smeared = cv2.GaussianBlur(dark, (0, 0), sigmaX=width * HEIGHT, sigmaY=height * HEIGHT)
            for share in _SHARES:
                whole = smeared > share
                for blobs in (whole, whole & ~between):
                    _, labels = cv2.connectedComponents(blobs.astype(np.uint8), connectivity=8)
                    labels *= strokes
                    for blob in ndimage.find_objects(labels):
                        if blob is not None:
                            down, across = blob
                            yield across.start, down.start, across.stop, down.stop


def valleys(dark: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Find the thin bands between lines of text, where there is least ink along the lines.

    Parameters
    ----------
    dark : (H, W) float32
        1 where there is a stroke, small letters being `HEIGHT` px high.

    Returns
    -------
    (H, W) bool

    Examples
    --------
    >>> page = np.zeros((90, 300), np.float32)
    >>> page[20:32] = page[50:62] = 1.0  # two lines
    >>> np.flatnonzero(valleys(page)[:, 150]).mean().round()
    np.float64(41.0)
    """
    along = cv2.GaussianBlur(
        dark, (0, 0), sigmaX=_LINE_LENGTH * HEIGHT, sigmaY=_LINE_HEIGHT * HEIGHT
    )
    column = np.ones((2 * round(_LINE_APART * HEIGHT) + 1, 1), np.uint8)
    lowest, highest = cv2.erode(along, column), cv2.dilate(along, column)
    least = (along <= lowest + 1e-6) & (along < _VALLEY * highest) & (highest > _NO_LINE)
    return cv2.dilate(least.astype(np.uint8), np.ones((2, 1), np.uint8)).astype(np.bool_)
