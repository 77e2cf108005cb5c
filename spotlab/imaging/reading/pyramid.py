"""A page at falling resolutions, each level the 2 × 2 average of the one before, in tiles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.reading.conversion import BAND_PIXELS, Pixels, row_bands
from spotlab.progress import Progress, silent

TILE = 512


class Pyramid:
    """The levels of a page: level 0 is the page itself, the last one fits into one tile.

    Averaging keeps thin lines visible when a drawing is shown small: a line of one px becomes
    paler, but has no gaps.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page; it is kept as ``pixels``, not copied.
    progress : Progress
        Called with the levels done.

    Examples
    --------
    >>> pyramid = Pyramid(np.zeros((700, 1300), np.uint8))
    >>> pyramid.levels, pyramid.tile(0, 2, 1).shape
    (3, (188, 276))
    """

    def __init__(self, pixels: Pixels, progress: Progress = silent) -> None:
        self.pixels = pixels
        self._sizes = [(int(pixels.shape[1]), int(pixels.shape[0]))]
        while max(self._sizes[-1]) > TILE:
            width, height = self._sizes[-1]
            self._sizes.append(((width + 1) // 2, (height + 1) // 2))
        # level 1 would be three quarters of the memory and is made anew for each tile
        self._small: list[Pixels] = []
        for level in range(2, self.levels):
            progress(level, self.levels, "scaling")
            self._small.append(halve(self._small[-1]) if self._small else quarter(self.pixels))

    @property
    def width(self) -> int:
        """Width of the page in px."""
        return self._sizes[0][0]

    @property
    def height(self) -> int:
        """Height of the page in px."""
        return self._sizes[0][1]

    @property
    def levels(self) -> int:
        """Number of levels, at least 1."""
        return len(self._sizes)

    def reduced(self, side: int) -> Pixels:
        """Return the page at the smallest resolution at which it still has enough pixels.

        Parameters
        ----------
        side : int
            The length in px that the longer side has at least, unless the page is smaller.

        Returns
        -------
        (h, w) or (h, w, 3) uint8
            Not a copy.

        Examples
        --------
        >>> Pyramid(np.zeros((3000, 5000), np.uint8)).reduced(1000).shape
        (750, 1250)
        """
        enough = (pixels for pixels in reversed(self._small) if max(pixels.shape[:2]) >= side)
        return next(enough, self.pixels)

    def tile(self, level: int, column: int, row: int) -> Pixels:
        """Return a tile of a level.

        Parameters
        ----------
        level : int
            2 to the power of ``level`` px of the page are averaged in each direction.
        column, row : int
            Position of the tile, from 0.

        Returns
        -------
        (h, w) or (h, w, 3) uint8
            Contiguous, at most ``TILE`` × ``TILE``; empty outside the page.

        Examples
        --------
        >>> Pyramid(np.zeros((700, 1300), np.uint8)).tile(1, 1, 0).shape
        (350, 138)
        """
        left, top = column * TILE, row * TILE
        if level == 1:
            source = self.pixels[2 * top : 2 * (top + TILE), 2 * left : 2 * (left + TILE)]
            return halve(source) if source.size else source
        pixels = self._small[level - 2] if level else self.pixels
        return np.ascontiguousarray(pixels[top : top + TILE, left : left + TILE])


def halve(pixels: NDArray[Any]) -> NDArray[Any]:
    """Average 2 × 2 px; the last column and row of odd sides are averaged alone.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8 or uint16
        At least one pixel.

    Returns
    -------
    (h, w) or (h, w, 3), of the same type
        Sides are halved and rounded up.

    Examples
    --------
    >>> halve(np.array([[0, 10, 20], [20, 10, 40]], np.uint8)).tolist()
    [[10, 30]]
    """
    height, width = pixels.shape[:2]
    if height % 2 or width % 2:
        padding = [(0, height % 2), (0, width % 2)] + [(0, 0)] * (pixels.ndim - 2)
        pixels = np.pad(pixels, padding, mode="edge")
    size = pixels.shape[1] // 2, pixels.shape[0] // 2
    half = cv2.resize(np.ascontiguousarray(pixels), size, interpolation=cv2.INTER_AREA)
    return np.asarray(half)


def quarter(pixels: NDArray[Any]) -> NDArray[Any]:
    """Average 4 × 4 px, as `halve` applied twice, without holding all of the first result.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8 or uint16
        At least one pixel.

    Returns
    -------
    (h, w) or (h, w, 3), of the same type
        Sides are divided by 4 and rounded up.

    Examples
    --------
    >>> quarter(np.full((8, 9), 5, np.uint8)).tolist()
    [[5, 5, 5], [5, 5, 5]]
    """
    height, width = pixels.shape[:2]
    quarter = np.empty(((height + 3) // 4, (width + 3) // 4, *pixels.shape[2:]), pixels.dtype)
    for top, bottom in row_bands(width, len(quarter), BAND_PIXELS // 4):
        quarter[top:bottom] = halve(halve(pixels[4 * top : 4 * bottom]))
    return quarter


def shrink(pixels: Pixels, side: int) -> Pixels:
    """Average the pixels of a page so that it is small.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page.
    side : int
        Largest length of the longer side in px.

    Returns
    -------
    (h, w) or (h, w, 3) uint8
        A page that is smaller keeps its size.

    Examples
    --------
    >>> shrink(np.array([[0, 10, 20, 20], [20, 10, 40, 40]], np.uint8), 2).tolist()
    [[10, 30]]
    """
    # halving is much quicker than one step of any other size, with the same averages
    while max(pixels.shape[:2]) >= 4 * side:
        pixels = quarter(pixels)
    while max(pixels.shape[:2]) >= 2 * side:
        pixels = halve(pixels)
    height, width = pixels.shape[:2]
    factor = side / max(height, width)
    if factor >= 1:
        return np.ascontiguousarray(pixels)
    size = max(1, round(width * factor)), max(1, round(height * factor))
    # rows are gathered first, because a turned page is not stored row by row
    small = cv2.resize(np.ascontiguousarray(pixels), size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)
