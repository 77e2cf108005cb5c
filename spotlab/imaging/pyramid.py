"""A page at falling resolutions, each level the 2 × 2 average of the one before, in tiles."""

from __future__ import annotations

import cv2
import numpy as np

from spotlab.imaging.conversion import Pixels, bands
from spotlab.progress import Progress, silent

TILE = 512


class Pyramid:
    """The levels of a page; level 0 is the page itself, the last one fits into one tile.

    Averaging keeps thin lines visible when a drawing is shown small: a line of one px becomes a
    paler line, never a gap.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page; it is kept, not copied.

    Examples
    --------
    >>> pyramid = Pyramid(np.zeros((700, 1300), np.uint8))
    >>> [pyramid.level_size(level) for level in range(pyramid.levels)]
    [(1300, 700), (650, 350), (325, 175)]
    >>> pyramid.tile(0, 2, 1).shape
    (188, 276)
    """

    def __init__(self, pixels: Pixels, progress: Progress = silent) -> None:
        self._levels = [pixels]
        while max(self._levels[-1].shape[:2]) > TILE:
            progress(len(self._levels), None, "scaling")
            self._levels.append(_halved(self._levels[-1]))

    @property
    def pixels(self) -> Pixels:
        """The page in full resolution."""
        return self._levels[0]

    @property
    def width(self) -> int:
        """Width of the page in px."""
        return int(self._levels[0].shape[1])

    @property
    def height(self) -> int:
        """Height of the page in px."""
        return int(self._levels[0].shape[0])

    @property
    def levels(self) -> int:
        """How many levels there are, at least 1."""
        return len(self._levels)

    def level_size(self, level: int) -> tuple[int, int]:
        """(width, height) of a level in px: the page's over 2 to the ``level``, rounded up."""
        height, width = self._levels[level].shape[:2]
        return int(width), int(height)

    def tile(self, level: int, column: int, row: int) -> Pixels:
        """The tile of a level at this column and row, at most ``TILE`` × ``TILE``, contiguous.

        Empty outside the page.
        """
        left, top = column * TILE, row * TILE
        return np.ascontiguousarray(self._levels[level][top : top + TILE, left : left + TILE])


def _halved(pixels: Pixels) -> Pixels:
    """Averages of 2 × 2 px; the last column and row of odd sides stand for themselves."""
    height, width = pixels.shape[:2]
    half = np.empty(((height + 1) // 2, (width + 1) // 2, *pixels.shape[2:]), np.uint8)
    for top, bottom in bands(width, (height + 1) // 2):
        source = pixels[2 * top : min(height, 2 * bottom)]
        if source.shape[0] % 2 or width % 2:
            source = np.pad(
                source,
                [(0, source.shape[0] % 2), (0, width % 2)] + [(0, 0)] * (pixels.ndim - 2),
                mode="edge",
            )
        half[top:bottom] = cv2.resize(
            np.ascontiguousarray(source),
            (source.shape[1] // 2, source.shape[0] // 2),
            interpolation=cv2.INTER_AREA,
        )
    return half
