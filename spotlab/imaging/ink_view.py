"""The binarised page as tiles, to check how it was binarised."""

from __future__ import annotations

import colorsys

import numpy as np

from spotlab.extras import cv2
from spotlab.imaging.conversion import Pixels, row_bands
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.pyramid import TILE


def _distinct_colours() -> Pixels:
    """(256, 3): white, then colours that differ from the next ones and show on white."""
    golden = 0.618033988749895
    colours = [
        colorsys.hls_to_rgb(which * golden % 1, 0.32 + 0.1 * (which % 3), 0.75)
        for which in range(255)
    ]
    return np.asarray(np.rint(np.array([(1.0, 1.0, 1.0), *colours]) * 255), np.uint8)


_COLOURS = _distinct_colours()
_BLACK_ON_WHITE = np.repeat(np.array([[255], [0]], np.uint8), 3, axis=1)


def ink_tile(ink: PageInk, level: int, column: int, row: int, coloured: bool) -> Pixels:
    """Draw a tile of the binarised page, aligned with `spotlab.imaging.pyramid.Pyramid.tile`.

    Parameters
    ----------
    ink : PageInk
        Ink of the page.
    level, column, row : int
        As in the pyramid: 2 to the power of ``level`` px are averaged in each direction.
    coloured : bool
        Give each component a colour of its own. Until the page is labelled, all ink is black.

    Returns
    -------
    (h, w, 3) uint8
        RGB on white, at most ``TILE`` × ``TILE``; empty outside the page.

    Examples
    --------
    >>> ink = PageInk(np.array([[0, 255], [255, 255]], np.uint8))
    >>> ink_tile(ink, 0, 0, 0, coloured=False)[..., 0].tolist()
    [[0, 255], [255, 255]]
    """
    factor = 2**level
    width, height = ink.page_size
    left, top = column * TILE * factor, row * TILE * factor
    right, bottom = min(width, left + TILE * factor), min(height, top + TILE * factor)
    if left >= right or top >= bottom:
        return np.empty((0, 0, 3), np.uint8)
    tile = np.empty((-(-(bottom - top) // factor), -(-(right - left) // factor), 3), np.uint8)
    # a band of the page at a time: at the last level one tile is the whole page
    for first, last in row_bands(right - left, len(tile), max(1, 2_000_000 // factor)):
        low, high = top + first * factor, min(bottom, top + last * factor)
        indices, table = _indices(ink, (left, low, right, high), coloured)
        for channel in range(3):
            tile[first:last, :, channel] = _averaged(table[:, channel], indices, factor)
    return tile


def _indices(ink: PageInk, box: tuple[int, int, int, int], coloured: bool) -> tuple[Pixels, Pixels]:
    """The colour of each pixel of a window, and the table of colours."""
    if not coloured or ink.components is None:
        return ink.ink(*box).view(np.uint8), _BLACK_ON_WHITE
    left, top, right, bottom = box
    pieces, which = ink.components.runs.crop(*box)
    colours = (ink.components.ids[which] % 255 + 1).astype(np.uint8)
    return pieces.translate(-left, -top).fill(right - left, bottom - top, colours), _COLOURS


def _averaged(levels: Pixels, indices: Pixels, factor: int) -> Pixels:
    """Means of factor × factor px; the last ones of each row and column repeat the edge."""
    whole = np.full(256, 255, np.uint8)
    whole[: len(levels)] = levels
    pixels = np.asarray(cv2.LUT(np.ascontiguousarray(indices), whole), np.uint8)
    if factor == 1:
        return pixels
    height, width = pixels.shape
    padded = np.pad(pixels, ((0, -height % factor), (0, -width % factor)), mode="edge")
    size = padded.shape[1] // factor, padded.shape[0] // factor
    return np.asarray(cv2.resize(padded, size, interpolation=cv2.INTER_AREA), np.uint8)
