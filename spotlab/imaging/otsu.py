"""Otsu's threshold, from the histogram of a whole page.

References
----------
N. Otsu, "A threshold selection method from gray-level histograms", IEEE Trans. SMC 9(1), 1979.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spotlab.extras import cv2
from spotlab.imaging.conversion import Pixels, darkness, row_bands


def otsu_threshold(pixels: Pixels, grey_of: Callable[[Pixels], Pixels] = darkness) -> int | None:
    """Compute the grey level up to which pixels are ink, by Otsu (1979).

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page, grey or RGB.
    grey_of : callable
        Gives the grey levels of a part of the page, in which ink is dark.

    Returns
    -------
    int or None
        None where all pixels have the same darkness.
    """
    height, width = pixels.shape[:2]
    histogram = np.zeros(256, np.int64)
    for top, bottom in row_bands(width, height):
        grey = grey_of(pixels[top:bottom])
        histogram += cv2.calcHist([grey], [0], None, [256], [0, 256]).ravel().astype(np.int64)
    if np.count_nonzero(histogram) < 2:
        return None
    # OpenCV's Otsu wants pixels, so it gets every grey level as often as its share of 2**22
    counts = np.maximum(histogram * 2**22 // histogram.sum(), histogram > 0)
    levels = np.repeat(np.arange(256, dtype=np.uint8), counts)
    threshold, _ = cv2.threshold(levels[None], 0, 255, cv2.THRESH_OTSU)
    return int(threshold)
