"""The darkness of a page's ink of one colour, as if all other ink were paper."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.imaging.conversion import Pixels

Colour = tuple[int, int, int]

GREY = 40  # of 255: a pen whose colours differ less has no hue


def colour_darkness(pixels: Pixels, colour: Colour, tolerance: float = 30) -> Pixels:
    """Show the ink of one colour in grey levels, and all other ink as paper.

    What a colour absorbs beyond what all three channels lack is its hue; so shade, and black ink,
    have none. Of a pen without a hue, black or grey, the brightest channel counts.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        Grey or RGB.
    colour : (int, int, int)
        Red, green and blue of the pen.
    tolerance : float
        How far the hue of ink may be from the pen's, in degrees.

    Returns
    -------
    (H, W) uint8
        0 for ink of exactly this colour, or a stronger one, and 255 for paper.

    Examples
    --------
    >>> page = np.array([[[255, 255, 255], [220, 30, 30], [0, 160, 200], [20, 20, 20]]], np.uint8)
    >>> colour_darkness(page, (220, 30, 30)).tolist()
    [[255, 0, 255, 255]]
    >>> colour_darkness(page, (20, 20, 20)).tolist()
    [[255, 220, 200, 20]]
    """
    if pixels.ndim == 2:
        pixels = np.repeat(pixels[..., None], 3, axis=2)
    pen, strength = _hue(np.asarray(colour, np.float32))
    if strength < GREY:
        return np.asarray(pixels.max(axis=2))
    hues, strengths = _hue(pixels.astype(np.float32))
    along = hues @ pen / strength**2
    near = hues @ pen >= np.cos(np.radians(tolerance)) * strengths * strength
    share = np.where(near, np.clip(along, 0, 1), 0)
    return np.asarray(255 - np.rint(255 * share), np.uint8)


def colour_of_text(text: str) -> Colour | None:
    """Read a colour as in HTML; None where it is none.

    Parameters
    ----------
    text : str
        # and six hexadecimal digits.

    Examples
    --------
    >>> colour_of_text("#dc1e1e"), colour_of_text("red")
    ((220, 30, 30), None)
    """
    if not re.fullmatch("#[0-9a-fA-F]{6}", text):
        return None
    red, green, blue = bytes.fromhex(text[1:])
    return red, green, blue


def _hue(colours: ArrayLike) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What colours absorb beyond grey, and how much that is."""
    absorbed = 255 - np.asarray(colours, np.float32)
    hue = absorbed - absorbed.min(axis=-1, keepdims=True)
    return hue, np.linalg.norm(hue, axis=-1)
