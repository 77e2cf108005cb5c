"""The strokes of a page, without the lines of its paper and the borders of its scan."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.cleaning import remove_rulings
from spotlab.imaging.runs import label_parts
from spotlab.representation import short_repr
from spotlab.spotting.words.extraction.ink import InkMap
from spotlab.spotting.words.extraction.text_size import DARK

Strokes = NDArray[np.uint8]

# Of the page's width and height: strokes that hang together and are larger are no word
_WIDE, _HIGH = 0.45, 0.1
# Of its longer side. Chosen on pages 270 to 274 of George Washington's letters
_THICK = 0.004  # a border is thicker than this, each way
_RUN = 0.03  # or its ink goes on straight for so far
_FRAYED = 0.001  # and a little on both sides of that
_LONG = 0.5  # what is cut off belongs to a border, not to a drawing, if it is longer than this
_REACH = 0.008  # what is no farther from such a border is frayed, too


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
    touching = _touching(border) if border.any() else border
    return PageStrokes(strokes & ~border | touching, strokes & ~large | touching)


def _touching(border: Strokes) -> Strokes:
    """The strokes that touch a border, of what hangs together with it."""
    side = max(border.shape)
    thick, run, frayed, reach = (
        max(1, round(part * side)) for part in (_THICK, _RUN, _FRAYED, _REACH)
    )
    left = border
    for least in ((thick, thick), (run, 1), (1, run)):
        left = np.asarray(left & ~_around(_opened(left, least), frayed), np.uint8)
    labels, cut = label_parts(border & ~left, diagonal=True)
    beside = _around(_chosen(labels, _sizes(cut).max(axis=1) > _LONG * side), reach)
    labels, parts = label_parts(left, diagonal=True)
    touches = np.zeros(len(parts), np.bool_)
    touches[labels[(left & ~beside).view(np.bool_)]] = True
    return _chosen(labels, touches & ~_is_large(parts, border.shape))


def _opened(strokes: Strokes, least: tuple[int, int]) -> Strokes:
    opened = cv2.morphologyEx(strokes, cv2.MORPH_OPEN, np.ones(least, np.uint8))
    return np.asarray(opened, np.uint8)


def _around(strokes: Strokes, reach: int) -> Strokes:
    square = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    return np.asarray(cv2.dilate(strokes, square), np.uint8)


def _large(strokes: Strokes) -> tuple[Strokes, Strokes]:
    """Strokes that hang together and are larger than words, and those that reach the edge, too."""
    height, width = strokes.shape
    labels, parts = label_parts(strokes, diagonal=True)
    left, top, wide, high = parts[:, : cv2.CC_STAT_AREA].T
    at_edge = (left == 0) | (top == 0) | (left + wide == width) | (top + high == height)
    large = _is_large(parts, strokes.shape)
    return _chosen(labels, large), _chosen(labels, large & at_edge)


def _is_large(parts: NDArray[np.int32], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    return np.asarray((_sizes(parts) > np.array([_WIDE, _HIGH]) * shape[::-1]).any(axis=1))


def _sizes(parts: NDArray[np.int32]) -> NDArray[np.int32]:
    """(N, 2) their width and height."""
    return parts[:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_AREA]


def _chosen(labels: NDArray[np.int32], which: NDArray[np.bool_]) -> Strokes:
    """The strokes of some numbers; paper, which has the first, is none of them."""
    which[0] = False
    return np.asarray(which.astype(np.uint8)[labels], np.uint8)
