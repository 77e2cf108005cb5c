"""What the ink of a page looks like, tile by tile, for looking at how it was binarised."""

from __future__ import annotations

import colorsys

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.imaging.conversion import Pixels, bands
from spotlab.imaging.ink import Ink
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.pyramid import TILE


def _distinct_colours(count: int = 64) -> Pixels:
    """(count, 3): colours that differ from their neighbours and are dark enough for white."""
    golden = 0.618033988749895
    colours = [
        colorsys.hls_to_rgb(which * golden % 1, 0.32 + 0.1 * (which % 3), 0.75)
        for which in range(count)
    ]
    return np.asarray(np.rint(np.array(colours) * 255), np.uint8)


_COLOURS = _distinct_colours()


def ink_tile(ink: PageInk, level: int, column: int, row: int, coloured: bool) -> Pixels:
    """A tile of the binarised page, lined up with :meth:`spotlab.imaging.pyramid.Pyramid.tile`.

    Parameters
    ----------
    ink : PageInk
        Of the page.
    level, column, row : int
        As in the pyramid: 2 to the ``level`` px of the page are averaged in each direction.
    coloured : bool
        Give each component a colour of its own, once the page is labelled; black until then.

    Returns
    -------
    (h, w, 3) uint8
        RGB on white, at most ``TILE`` × ``TILE``; empty outside the page.
    """
    factor = 2**level
    width, height = ink.page_size
    left, top = column * TILE * factor, row * TILE * factor
    right, bottom = min(width, left + TILE * factor), min(height, top + TILE * factor)
    if left >= right or top >= bottom:
        return np.empty((0, 0, 3), np.uint8)
    tile = np.empty((-(-(bottom - top) // factor), -(-(right - left) // factor), 3), np.uint8)
    # a band of the page at a time: at the last level one tile is the whole page
    for first, last in bands(right - left, len(tile), max(1, 2_000_000 // factor)):
        low, high = top + first * factor, min(bottom, top + last * factor)
        painted = _painted(ink, (left, low, right, high), coloured)
        tile[first:last] = _averaged(painted, factor)
    return tile


def _painted(ink: PageInk, box: tuple[int, int, int, int], coloured: bool) -> Pixels:
    if coloured and ink.components is not None:
        ids = ink.components.paint(*box)
        return np.where((ids > 0)[..., None], _COLOURS[(ids - 1) % len(_COLOURS)], np.uint8(255))
    paper: Ink = ~ink.ink(*box)
    grey: NDArray[np.uint8] = paper.view(np.uint8) * np.uint8(255)
    return np.repeat(grey[..., None], 3, axis=2)


def _averaged(pixels: Pixels, factor: int) -> Pixels:
    """Means of factor × factor px; the last ones of each row and column repeat the edge."""
    if factor == 1:
        return pixels
    height, width = pixels.shape[:2]
    padding = (-height % factor, -width % factor)
    padded = np.pad(pixels, ((0, padding[0]), (0, padding[1]), (0, 0)), mode="edge")
    size = padded.shape[1] // factor, padded.shape[0] // factor
    return np.asarray(cv2.resize(padded, size, interpolation=cv2.INTER_AREA))
