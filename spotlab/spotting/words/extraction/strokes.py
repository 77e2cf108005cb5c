"""The strokes of a page, without what neither a pen nor a press has put there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.rulings import remove_rulings
from spotlab.spotting.words.extraction.ink import InkMap
from spotlab.spotting.words.extraction.text_size import DARK

Strokes = NDArray[np.uint8]

# Of the page's width and height: strokes that hang together and are larger are no word
_WIDE, _HIGH = 0.45, 0.1
# Of its longer side. Chosen on pages 270 to 274 of George Washington's letters
_THICK = 0.004  # a border is thicker than this, each way
_RUN = 0.03  # or its ink goes on straight for so far
_FRAYED = 0.001  # and a little on both sides of that


def page_strokes(ink: InkMap) -> Strokes:
    """Find the strokes of a page: no lines of ruled or squared paper, no borders of a scan.

    What touches such a line or border stays.

    Parameters
    ----------
    ink : (H, W) float32
        As `spotlab.spotting.words.extraction.ink.word_ink` gives it.

    Returns
    -------
    (H, W) uint8
        1 where there is a stroke.

    Examples
    --------
    >>> page = np.zeros((900, 1200), np.float32)
    >>> page[:, 1150:] = 1
    >>> page[40:43, 1125:1150] = page[40:60, 1130:1133] = 1  # a t that touches the border
    >>> np.flatnonzero(page_strokes(page).any(axis=0))[[0, -1]].tolist()
    [1125, 1148]
    """
    strokes = remove_rulings(ink > DARK).view(np.uint8)
    border = strokes & _large(strokes, at_edge=True)
    thick, run, frayed = (
        max(1, round(share * max(ink.shape))) for share in (_THICK, _RUN, _FRAYED)
    )
    around = np.ones((2 * frayed + 1, 2 * frayed + 1), np.uint8)
    touching = border
    for least in ((thick, thick), (run, 1), (1, run)):
        straight = cv2.morphologyEx(touching, cv2.MORPH_OPEN, np.ones(least, np.uint8))
        cut = np.asarray(cv2.dilate(straight, around), np.uint8)
        touching = np.asarray(touching & ~cut, np.uint8)
    return np.asarray((strokes & ~border) | letter_strokes(touching), np.uint8)


def letter_strokes(strokes: Strokes) -> Strokes:
    """Choose the strokes that may belong to letters: those that are no larger than words.

    Parameters
    ----------
    strokes : (H, W) uint8
        As `page_strokes` gives them.
    """
    return np.asarray(strokes & ~_large(strokes), np.uint8)


def _large(strokes: Strokes, *, at_edge: bool = False) -> Strokes:
    """Those that hang together and are larger than words, and perhaps reach the page's edge."""
    height, width = strokes.shape
    _, labels, parts, _ = cv2.connectedComponentsWithStats(strokes, connectivity=8)
    left, top, wide, high = parts[:, : cv2.CC_STAT_AREA].T
    large = (wide > _WIDE * width) | (high > _HIGH * height)
    if at_edge:
        large &= (left == 0) | (top == 0) | (left + wide == width) | (top + high == height)
    large[0] = False  # paper
    return np.asarray(large.astype(np.uint8)[labels], np.uint8)
