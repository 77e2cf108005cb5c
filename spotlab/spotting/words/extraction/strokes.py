"""The strokes of a page, without what neither a pen nor a press has put there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.rulings import remove_rulings
from spotlab.representation import short_repr
from spotlab.spotting.words.extraction.ink import InkMap
from spotlab.spotting.words.extraction.text_size import DARK

Strokes = NDArray[np.uint8]

# Of the page's width and height: strokes that hang together and are larger are no word
_WIDE, _HIGH = 0.45, 0.1
# Of its longer side. Chosen on pages 270 to 274 of George Washington's letters
_SIZES = (
    0.004,  # a border is thicker than this, each way
    0.03,  # or its ink goes on straight for so far
    0.001,  # and a little on both sides of that
    0.5,  # where that is for longer, it is a border's, not a drawing's,
    0.008,  # and what touches it reaches farther: the rest is frayed
)


@dataclass(frozen=True, eq=False)
class PageStrokes:
    """The strokes of a page, without lines of ruled or squared paper and without a scan's borders.

    Attributes
    ----------
    drawn : (H, W) uint8
        1 where there is a stroke.
    letters : (H, W) uint8
        The same without strokes that hang together and are larger than words.
    """

    drawn: Strokes
    letters: Strokes

    __repr__ = short_repr


def page_strokes(ink: InkMap) -> PageStrokes:
    """Find the strokes of a page; what touches a ruling or a border stays.

    Parameters
    ----------
    ink : (H, W) float32
        As `spotlab.spotting.words.extraction.ink.word_ink` gives it.

    Examples
    --------
    >>> page = np.zeros((900, 1200), np.float32)
    >>> page[:, 1150:] = 1
    >>> page[40:43, 1125:1150] = page[40:60, 1130:1133] = 1  # a t that touches the border
    >>> np.flatnonzero(page_strokes(page).letters.any(axis=0))[[0, -1]].tolist()
    [1125, 1148]
    """
    strokes = remove_rulings(ink > DARK).view(np.uint8)
    large, border = _large(strokes)
    touching = _touching(border)
    return PageStrokes(strokes & ~border | touching, strokes & ~large | touching)


def _touching(border: Strokes) -> Strokes:
    """The strokes that touch a border, of what hangs together with it."""
    side = max(border.shape)
    thick, run, frayed, long, reach = (max(1, round(part * side)) for part in _SIZES)
    left = border
    for least in ((thick, thick), (run, 1), (1, run)):
        left = np.asarray(left & ~_around(_opened(left, least), frayed), np.uint8)
    beside = _around(_opened(border, (long, 1)) | _opened(border, (1, long)), reach)
    count, labels = cv2.connectedComponents(left, connectivity=8)
    touches = np.zeros(count, np.uint8)
    touches[labels[(left & ~beside).view(np.bool_)]] = 1
    found = np.asarray(touches[labels], np.uint8)
    return np.asarray(found & ~_large(found)[0], np.uint8)


def _opened(strokes: Strokes, least: tuple[int, int]) -> Strokes:
    opened = cv2.morphologyEx(strokes, cv2.MORPH_OPEN, np.ones(least, np.uint8))
    return np.asarray(opened, np.uint8)


def _around(strokes: Strokes, reach: int) -> Strokes:
    square = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    return np.asarray(cv2.dilate(strokes, square), np.uint8)


def _large(strokes: Strokes) -> tuple[Strokes, Strokes]:
    """Strokes that hang together and are larger than words, and those that reach the edge, too."""
    height, width = strokes.shape
    _, labels, parts, _ = cv2.connectedComponentsWithStats(strokes, connectivity=8)
    left, top, wide, high = parts[:, : cv2.CC_STAT_AREA].T
    large = (wide > _WIDE * width) | (high > _HIGH * height)
    large[0] = False  # paper
    at_edge = (left == 0) | (top == 0) | (left + wide == width) | (top + high == height)
    whole, border = (each.astype(np.uint8)[labels] for each in (large, large & at_edge))
    return np.asarray(whole, np.uint8), np.asarray(border, np.uint8)
