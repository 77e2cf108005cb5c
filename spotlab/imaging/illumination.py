"""The brightness of a page's paper, and the page as if it were evenly lit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.conversion import Pixels, darkness, row_bands
from spotlab.imaging.otsu import otsu_threshold

_SIDE = 800  # px: paper changes slowly, so a small page is enough to see it
_WINDOW = 51  # of the small page; wider than any stroke, narrower than a stain
_FAINTEST = 229  # of 255: ink lacks at least a tenth of the light, or a blank page would have some


def estimate_paper(grey: Pixels) -> Pixels:
    """Estimate the brightness of the paper everywhere on a page.

    Parameters
    ----------
    grey : (H, W) uint8
        The page.

    Returns
    -------
    (h, w) uint8
        The smoothed median of a wide neighbourhood, on a page of at most 800 px a side.
    """
    height, width = grey.shape
    scale = min(1.0, _SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(cv2.medianBlur(small, _WINDOW), (0, 0), 5), np.uint8)


def even_illumination(pixels: Pixels) -> Pixels:
    """Divide a page's darkest channel by the brightness of its paper.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page.

    Returns
    -------
    (H, W) uint8
        255 where a pixel is as bright as the paper around it.

    Examples
    --------
    >>> page = np.repeat(np.array([[100], [200]], np.uint8), 60, axis=0).repeat(50, axis=1)
    >>> page[10, 10], page[100, 10] = 20, 40  # equally dark for the paper around them
    >>> even_illumination(page)[[10, 100, 30, 90], 10].tolist()
    [51, 51, 255, 255]
    """
    height, width = pixels.shape[:2]
    even = np.empty((height, width), np.uint8)
    if not even.size:
        return even
    for top, bottom in row_bands(width, height):
        even[top:bottom] = darkness(pixels[top:bottom])
    small = np.maximum(estimate_paper(even), 1).astype(np.float32)
    wide = cv2.resize(small, (width, len(small)), interpolation=cv2.INTER_LINEAR)
    for top, bottom in row_bands(width, height):
        rows = (np.arange(top, bottom) + 0.5) * len(small) / height - 0.5
        low = np.clip(np.floor(rows).astype(np.int64), 0, len(small) - 1)
        high = np.minimum(low + 1, len(small) - 1)
        weight = np.clip(rows - low, 0, 1).astype(np.float32)[:, None]
        paper = wide[low] * (1 - weight) + wide[high] * weight
        even[top:bottom] = np.minimum(even[top:bottom] / paper, 1) * 255 + 0.5
    return even


def binarise_evened(pixels: Pixels, offset: int = 0) -> NDArray[np.bool_]:
    """Binarise a page with Otsu's threshold after evening its illumination.

    Meant for drawings of one pen on unevenly lit paper: one threshold for the page as it is tears
    strokes in the shade, local thresholds take the paper's grain for ink.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page.
    offset : int
        Grey levels added to the threshold; more than 0 makes more ink.

    Returns
    -------
    (H, W) bool
        True where there is ink; nowhere on a blank page.

    Examples
    --------
    >>> bool(binarise_evened(np.full((9, 9), 200, np.uint8)).any())
    False
    """
    even = even_illumination(pixels)
    threshold = otsu_threshold(even) if even.size else None
    if threshold is None:
        return np.zeros(even.shape, np.bool_)
    return np.asarray(even <= min(threshold, _FAINTEST) + offset)
