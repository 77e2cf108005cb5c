"""How light a page's paper is everywhere, and the page as if its light were even."""

from __future__ import annotations

import cv2
import numpy as np

from spotlab.imaging.conversion import Pixels, darkness, row_bands
from spotlab.imaging.ink import Ink, otsu_threshold

_SIDE = 800  # px: paper changes slowly, so a small page is enough to see it
_WINDOW = 51  # of the small page; wider than any stroke, narrower than a stain
_FAINTEST = 229  # of 255: ink lacks at least a tenth of the light, or a blank page would have some


def estimate_paper(grey: Pixels) -> Pixels:
    """(h, w) how light the paper is, on a page of at most 800 px a side.

    The median of a wide neighbourhood, smoothed.
    """
    height, width = grey.shape
    scale = min(1.0, _SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(cv2.medianBlur(small, _WINDOW), (0, 0), 5), np.uint8)


def even_illumination(pixels: Pixels) -> Pixels:
    """(H, W) the page's darkest channel as a share of its paper's, 255 being all of it.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8

    Examples
    --------
    >>> page = np.repeat(np.array([[100], [200]], np.uint8), 60, axis=0).repeat(50, axis=1)
    >>> page[10, 10], page[100, 10] = 20, 40  # as dark as each other, for their light
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


def binarise_evened(pixels: Pixels) -> Ink:
    """(H, W) bool, True where there is ink: Otsu's threshold for the page in even light.

    For drawings of one pen on paper of whatever light: it neither tears strokes in the shade as one
    threshold for the page as it is, nor fills the paper's grain with ink as local thresholds do.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8

    Examples
    --------
    >>> bool(binarise_evened(np.full((9, 9), 200, np.uint8)).any())
    False
    """
    even = even_illumination(pixels)
    threshold = otsu_threshold(even) if even.size else None
    if threshold is None:
        return np.zeros(even.shape, np.bool_)
    ink: Ink = even <= min(threshold, _FAINTEST)
    return ink
