"""Tells what is drawn on a page from what is written: frames around labels, arrows, rulings."""

from __future__ import annotations

import numpy as np

from spotlab.extras import cv2
from spotlab.imaging.runs import label_parts
from spotlab.spotting.words.extraction.strokes import Strokes

# All in heights of small letters. Chosen on five photographs of diagrams, and so that words of five
# pages of letters, 270 to 274 of George Washington's, stay
_SIZE = 3.0  # from this size on, strokes that hang together may be drawn
_HOLLOW = 1.2  # radius of a circle without ink between them, more than letters leave
_THIN = 0.6  # thickness of a line, at most
_STRAIGHT = 1.2  # length along x or y in which a stroke is a line, not part of a letter
_EDGE = 0.05  # grey edge of a line


def without_drawings(strokes: Strokes, unit: float) -> Strokes:
    """Leave out what is drawn.

    Strokes that hang together are drawn where they enclose more paper than letters do, or where
    they are a long line. Of words that touch what is drawn, what is left without its lines stays.

    Parameters
    ----------
    strokes : (H, W) uint8
        1 where there is a stroke.
    unit : float
        px that small letters are high.

    Returns
    -------
    (H, W) uint8

    Examples
    --------
    >>> page = np.zeros((60, 200), np.uint8)
    >>> page[20:40, 50] = page[20:40, 150] = page[20, 50:150] = page[40, 50:150] = 1  # a frame
    >>> page[27:33, 70:130:5] = 1  # letters in it
    >>> columns = np.flatnonzero(without_drawings(page, 6.0).any(axis=0)).tolist()
    >>> columns[0], columns[-1]
    (70, 125)
    """
    drawn = _drawn(strokes, unit)
    rest = drawn & ~_lines(drawn, unit)
    return np.asarray((strokes & ~drawn) | (rest & ~_drawn(rest, unit)))


def _drawn(strokes: Strokes, unit: float) -> Strokes:
    """What of the strokes is drawn."""
    labels, parts = label_parts(strokes, diagonal=True)
    is_drawn = np.zeros(len(parts), np.uint8)
    size = parts[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(axis=1)
    for number in (np.flatnonzero(size[1:] > _SIZE * unit) + 1).tolist():
        left, top, wide, high, _ = parts[number].tolist()
        own = labels[top : top + high, left : left + wide] == number
        is_drawn[number] = _is_drawn(own.astype(np.uint8), unit)
    return np.asarray(is_drawn[labels], np.uint8)


def _is_drawn(own: Strokes, unit: float) -> bool:
    """Whether strokes that hang together are drawn; they reach all edges of the picture."""
    hull = cv2.convexHull(cv2.findNonZero(own))
    _, sides, _ = cv2.minAreaRect(hull)
    if min(sides) < _THIN * unit:
        return True
    inside = np.zeros((own.shape[0] + 2, own.shape[1] + 2), np.uint8)  # paper around it
    cv2.fillConvexPoly(inside, hull + 1, 1)
    inside[1:-1, 1:-1] &= 1 - own
    return bool(cv2.distanceTransform(inside, cv2.DIST_L2, 3).max() > _HOLLOW * unit)


def _lines(strokes: Strokes, unit: float) -> Strokes:
    """Where strokes run along x or y for longer than in letters."""
    length, edge = max(3, round(_STRAIGHT * unit)), max(1, round(_EDGE * unit))
    across, down = (
        cv2.morphologyEx(strokes, cv2.MORPH_OPEN, np.ones(along, np.uint8))
        for along in ((1, length), (length, 1))
    )
    around = np.ones((2 * edge + 1, 2 * edge + 1), np.uint8)
    return np.asarray(cv2.dilate(cv2.max(across, down), around), np.uint8)
