"""The height of a page's small letters, so that no other size has to be given in pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.runs import label_parts

HEIGHT = 8.0  # px that small letters are high where pages are looked at
DARK = 0.25  # ink darker than this is a stroke, not a shadow of one

_ROUNDS = 3
_DETAIL = 10.0  # px that small letters are high where bands are looked for
_ALONG = 7.0  # heights of small letters to each side that are smeared
_MIN_HEIGHT = 4.0  # px: smaller letters have no shape
_DASH = 4.0  # times as wide as high: what is longer and so low is no letter


def text_height(strokes: NDArray[np.uint8]) -> float:
    """Measure the height of small letters (a, n, o): of the darkest band of the lines of text.

    Text is smeared along its lines; the bands that stay above half of the darkness have the height
    of small letters, because strokes above and below are few. The median over the page, by width.
    The smear is as wide as the height found before, from components at first.

    Parameters
    ----------
    strokes : (H, W) uint8
        1 where there is a stroke that may belong to letters. Dashes less than 4 px high, such as
        what is left of rulings, have no say.

    Returns
    -------
    float
        In px; at least 4, also where there are no strokes.

    Examples
    --------
    >>> text_height(np.zeros((50, 50), np.uint8))
    4.0
    """
    labels, components = label_parts(strokes, diagonal=True)
    widths, heights, areas = components[1:, cv2.CC_STAT_WIDTH : cv2.CC_STAT_AREA + 1].T
    high = heights >= _MIN_HEIGHT
    height = _weighted_median(heights[high], areas[high]) / 2
    letters = np.append(False, high | (widths <= _DASH * heights)).astype(np.uint8)[labels]
    for _ in range(_ROUNDS if height > 0 else 0):
        height = _band_height(letters, max(height, _MIN_HEIGHT))
    return float(max(height, _MIN_HEIGHT))


def scaled_strokes(strokes: NDArray[np.uint8], scale: float) -> NDArray[np.uint8]:
    """Bring strokes to another size.

    Parameters
    ----------
    strokes : (H, W) uint8
        1 where there is a stroke.
    scale : float
        px afterwards per px of the page.

    Examples
    --------
    >>> scaled_strokes(np.ones((20, 50), np.uint8), 0.5).shape
    (10, 25)
    """
    return (resized(strokes * np.uint8(255), scale) > DARK * 255).astype(np.uint8)


def resized(picture: NDArray[Any], scale: float) -> NDArray[Any]:
    """A picture in another size, 1 px at least.

    Parameters
    ----------
    picture : (H, W)
    scale : float
        px afterwards per px of the page.

    Examples
    --------
    >>> resized(np.zeros((20, 50), np.uint8), 0.01).shape
    (1, 1)
    """
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(picture, size, interpolation=method))


def _band_height(strokes: NDArray[np.uint8], guess: float) -> float:
    scale = min(1.0, _DETAIL / guess)
    size = (max(1, round(strokes.shape[1] * scale)), max(1, round(strokes.shape[0] * scale)))
    small = cv2.resize(strokes * np.uint8(255), size, interpolation=cv2.INTER_AREA)
    unit = guess * scale
    smeared = cv2.blur(small, (2 * round(_ALONG * unit) + 1, 1))
    smeared = cv2.GaussianBlur(smeared, (0, 0), sigmaX=unit, sigmaY=0.15 * unit)
    peak = cv2.dilate(smeared, np.ones((2 * round(2 * unit) + 1, 1), np.uint8))
    bands = (smeared > peak * 0.5) & (peak > 15)
    _, components = label_parts(bands)
    widths = components[1:, cv2.CC_STAT_WIDTH]
    heights = components[1:, cv2.CC_STAT_AREA] / np.maximum(widths, 1)
    lines = widths > 6 * unit
    return _weighted_median(heights[lines], widths[lines]) / scale or guess


def _weighted_median(values: NDArray[Any], weights: NDArray[Any]) -> float:
    """The weighted median; 0 where there is nothing."""
    if not len(values):
        return 0.0
    order = np.argsort(values, kind="stable")
    total = np.cumsum(weights[order], dtype=np.float64)
    return float(values[order][np.searchsorted(total, total[-1] / 2)])
