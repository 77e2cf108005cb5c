"""Tells dark ink on light paper from light ink on dark paper, as on blueprints and CAD screens."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from spotlab.extras import cv2
from spotlab.imaging.conversion import Pixels

_SIDE = 800  # px: lines are still seen on a small page
_WINDOW = 51  # px of the small page: wider than strokes and walls, narrower than shade and margins
_CLEARLY = 1.5  # times as much light ink as dark ink
_SPECK = 9 * 255.0**3  # a few white px on black, which are no drawing
_LEAST = 64  # grey levels between the paper and white in a channel that tells ink from paper


class InkTone(StrEnum):
    """Whether ink is darker or lighter than its paper."""

    AUTO = "auto"
    DARK = "dark"
    LIGHT = "light"


def tone_of(pixels: Pixels) -> InkTone:
    """Decide whether a page's ink is dark or light: ink is the minority around each place.

    Every pixel is compared with the median around it, so that dark margins, shade and lamps do not
    count, and strong contrasts count most.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page, grey or RGB.

    Returns
    -------
    InkTone
        DARK or LIGHT; DARK where neither is clear, as on a page of one colour.

    Examples
    --------
    >>> page = np.full((60, 60), 30, np.uint8)
    >>> page[20:22, 10:50] = 240
    >>> str(tone_of(page)), str(tone_of(255 - page))
    ('light', 'dark')
    """
    height, width = pixels.shape[:2]
    if not (height and width):
        return InkTone.DARK
    scale = min(1.0, _SIDE / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = cv2.resize(np.ascontiguousarray(pixels), size, interpolation=cv2.INTER_AREA)
    if small.ndim == 3:
        small = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)
    beyond = small.astype(np.float64) - cv2.medianBlur(small, _WINDOW)
    light = (np.maximum(beyond, 0) ** 3).sum()
    dark = (np.maximum(-beyond, 0) ** 3).sum()
    return InkTone.LIGHT if light > max(_CLEARLY * dark, _SPECK) else InkTone.DARK


class LightInk:
    """Shows a page of light ink as if its ink were black and its paper white.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The whole page, from which the colour of the paper is taken.
    """

    def __init__(self, pixels: Pixels) -> None:
        step = max(1, max(pixels.shape[:2]) // _SIDE)
        sample = pixels[::step, ::step].reshape(-1, 1 if pixels.ndim == 2 else 3)
        levels = np.arange(256)
        self._tables = []
        for paper in np.median(sample, axis=0).tolist():
            above = np.maximum(levels - paper, 0) / max(255 - paper, _LEAST)
            self._tables.append(np.asarray(np.rint(255 - 255 * above), np.uint8))

    def darkness(self, pixels: Pixels) -> Pixels:
        """Return how far each pixel is from the paper towards white, in its lightest channel.

        Parameters
        ----------
        pixels : (H, W) or (H, W, 3) uint8
            A window of the page.

        Returns
        -------
        (H, W) uint8
            255 is paper, or darker; 0 is white.

        Examples
        --------
        >>> blue = np.full((3, 3, 3), (0, 60, 160), np.uint8)
        >>> blue[1, 1] = 255
        >>> LightInk(blue).darkness(blue)[1].tolist()
        [255, 0, 255]
        """
        if pixels.ndim == 2:
            return np.asarray(cv2.LUT(np.ascontiguousarray(pixels), self._tables[0]))
        channels = cv2.split(np.ascontiguousarray(pixels))
        first, *others = (cv2.LUT(*each) for each in zip(channels, self._tables, strict=True))
        for other in others:
            first = cv2.min(first, other)
        return np.asarray(first)
