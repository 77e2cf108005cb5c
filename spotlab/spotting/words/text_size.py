"""How large a page's writing is, so that nothing else has to be given in pixels."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.words.ink import InkMap

DARK = 0.25  # ink darker than this is a stroke, not a shadow of one

_LONG = 0.45  # of the page: wider strokes are rules or borders
_HIGH = 0.1
_ROUNDS = 3
_DETAIL = 10.0  # px that small letters are high where bands are looked for
_ALONG = 7.0  # heights of small letters to each side that are smeared
_LEAST = 4.0  # px: below, letters have no shape


def text_height(ink: InkMap) -> float:
    """Height of small letters (a, n, o) in px: of the darkest band of the lines of text.

    Text is smeared along its lines; the bands that stay above half of the darkness have the height
    of small letters, because strokes above and below are few. The median over the page, by width.
    The smear is as wide as the height found before, from components at first.

    Parameters
    ----------
    ink : (H, W) float32

    Returns
    -------
    float
        At least 4, also where there is no ink.

    Examples
    --------
    >>> text_height(np.zeros((50, 50), np.float32))
    4.0
    """
    return height_of_strokes(letter_strokes(ink))


def height_of_strokes(strokes: NDArray[np.uint8]) -> float:
    """As `text_height`, from what `letter_strokes` gives."""
    _, _, found, _ = cv2.connectedComponentsWithStats(strokes, connectivity=8)
    heights, areas = found[1:, cv2.CC_STAT_HEIGHT], found[1:, cv2.CC_STAT_AREA]
    letters = heights >= _LEAST
    height = _weighted_median(heights[letters], areas[letters]) / 2
    for _ in range(_ROUNDS if height > 0 else 0):
        height = _band_height(strokes, max(height, _LEAST))
    return float(max(height, _LEAST))


def letter_strokes(ink: InkMap) -> NDArray[np.uint8]:
    """(H, W) 1 where there are strokes that may belong to letters: no borders, no ruled lines."""
    strokes = (ink > DARK).astype(np.uint8)
    _, labels, found, _ = cv2.connectedComponentsWithStats(strokes, connectivity=8)
    height, width = ink.shape
    long = found[1:, cv2.CC_STAT_WIDTH] > _LONG * width
    high = found[1:, cv2.CC_STAT_HEIGHT] > _HIGH * height
    for number in np.flatnonzero(long | high) + 1:
        left, top, across, down, _ = found[number].tolist()
        part = np.s_[top : top + down, left : left + across]
        strokes[part][labels[part] == number] = 0
    return strokes


def _band_height(strokes: NDArray[np.uint8], guess: float) -> float:
    scale = min(1.0, _DETAIL / guess)
    size = (max(1, round(strokes.shape[1] * scale)), max(1, round(strokes.shape[0] * scale)))
    small = cv2.resize(strokes * np.uint8(255), size, interpolation=cv2.INTER_AREA)
    unit = guess * scale
    smeared = cv2.blur(small, (2 * round(_ALONG * unit) + 1, 1))
    smeared = cv2.GaussianBlur(smeared, (0, 0), sigmaX=unit, sigmaY=0.15 * unit)
    peak = cv2.dilate(smeared, np.ones((2 * round(2 * unit) + 1, 1), np.uint8))
    bands = (smeared > peak * 0.5) & (peak > 15)
    _, _, found, _ = cv2.connectedComponentsWithStats(bands.astype(np.uint8), connectivity=4)
    widths = found[1:, cv2.CC_STAT_WIDTH]
    heights = found[1:, cv2.CC_STAT_AREA] / np.maximum(widths, 1)
    lines = widths > 6 * unit
    return _weighted_median(heights[lines], widths[lines]) / scale or guess


def _weighted_median(values: NDArray[Any], weights: NDArray[Any]) -> float:
    """0 where there is nothing."""
    if not len(values):
        return 0.0
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[order], dtype=np.float64)
    return float(values[order][np.searchsorted(total, total[-1] / 2)])
