"""Stretches the contrast of small pictures, so that pale drawings are seen in them."""

from __future__ import annotations

import numpy as np

from spotlab.imaging.conversion import Pixels

DARKEST, BRIGHTEST = 0.01, 0.5  # quantiles: a hundredth is ink, and half a page is paper
LEAST = 16  # grey levels between them, or it is a page without a drawing


def stretch_contrast(pixels: Pixels) -> Pixels:
    """Make the paper white and the darkest strokes black.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        Grey or RGB; all channels are stretched alike, so that hues stay.

    Returns
    -------
    ndarray of uint8
        Of the same shape; the same where the page is blank, or mostly dark.

    Examples
    --------
    >>> page = np.array([[180, 180, 180, 100]], np.uint8)
    >>> stretch_contrast(page).tolist()
    [[255, 255, 255, 0]]
    """
    if not pixels.size:
        return pixels
    brightness = pixels if pixels.ndim == 2 else pixels.max(axis=2)
    darkness = pixels if pixels.ndim == 2 else pixels.min(axis=2)
    low = float(np.quantile(darkness, DARKEST, method="lower"))
    high = float(np.quantile(brightness, BRIGHTEST))
    if high - low < LEAST or high < 128:
        return pixels
    stretched = (pixels.astype(np.float32) - low) * (255 / (high - low))
    return np.asarray(np.clip(np.rint(stretched), 0, 255), np.uint8)
