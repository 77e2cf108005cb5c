"""Shows what has been decoded of a page while the rest is still being decoded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.imaging.conversion import (
    Pixels,
    apply_orientation,
    blend_on_white,
    scale_to_byte,
    white_value,
)
from spotlab.imaging.pyramid import halve, quarter

_PARTS = 16  # in which the page is looked at


class GrowingPage:
    """The upper part of a page whose rows are being decoded; may be used from several threads.

    Parameters
    ----------
    side : int
        Largest length of the longer side of the picture in px.

    Examples
    --------
    >>> growing, page = GrowingPage(64), np.zeros((640, 960), np.uint8)
    >>> with growing.showing(page):
    ...     page[:300] = 9
    ...     small = growing.look()
    >>> small.shape, small[[0, 39], 0].tolist()
    ((40, 60), [9, 255])
    """

    def __init__(self, side: int) -> None:
        self._side = side
        self._lock = Lock()
        self._pixels: NDArray[Any] | None = None
        self._orientation = 1
        self._small: Pixels | None = None
        self._rows = 0  # of the page that are in the picture
        self._brightest = 0  # of 16-bit values that were looked at

    @contextmanager
    def showing(self, pixels: NDArray[Any], orientation: int = 1) -> Iterator[None]:
        """Look at these pixels while they are filled from the top in a ``with`` block.

        Parameters
        ----------
        pixels : (H, W), (H, W, 3) or (H, W, 4) uint8, or (H, W) uint16
            Grey, RGB or BGRA, which is shown on white; all 0, but for the last row.
        orientation : int
            How the page has to be turned, as in EXIF.
        """
        with self._lock:
            self._pixels, self._orientation = pixels, orientation
            self._small, self._rows, self._brightest = None, 0, 0
        try:
            yield
        finally:
            with self._lock:  # nobody looks at the pixels any more: they may be moved
                self._pixels = None

    def look(self) -> Pixels | None:
        """Return a small picture of the page, white where nothing has been decoded yet.

        Returns
        -------
        (h, w) or (h, w, 3) uint8 or None
            None where there is no more to be seen than at the last call.
        """
        with self._lock:
            if self._pixels is None or not self._look_at(self._pixels):
                return None
            assert self._small is not None
            return np.ascontiguousarray(apply_orientation(self._small.copy(), self._orientation))

    def _look_at(self, pixels: NDArray[Any]) -> bool:
        """Bring the picture up to date; False where nothing is new."""
        height, width = pixels.shape[:2]
        factor = 4
        while max(height, width) > factor * self._side:
            factor *= 2
        if self._small is None:
            colours = (3,) if pixels.ndim == 3 else ()
            self._small = np.full(
                (-(-height // factor), -(-width // factor), *colours), 255, np.uint8
            )
        edges = [height * part // _PARTS // factor * factor for part in range(1, _PARTS)]
        # what is above a row that is not black is there; black rows show with those that follow
        known = next((edge for edge in reversed(edges) if pixels[edge].any()), 0)
        if known <= self._rows:
            return False
        band = quarter(pixels[self._rows : known])
        for _ in range(factor.bit_length() - 3):
            band = halve(band)
        if band.shape[2:] == (4,):
            band = blend_on_white(band)[..., ::-1]
        if band.dtype == np.uint16:
            self._brightest = max(self._brightest, int(band.max()))
            band = scale_to_byte(band, 0, white_value(self._brightest))
        self._small[self._rows // factor : known // factor] = band
        self._rows = known
        return True
