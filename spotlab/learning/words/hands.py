"""Hands that write: fonts of handwriting, in one size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import ImageFont

from spotlab.extras import cv2
from spotlab.learning.words.masks import Mask, pen_width, sheared
from spotlab.learning.words.texts import LONG_S

_SIZE = 60  # px a font is measured at
_X_HEIGHT = 26  # px of an x in all hands
_JOINED = 6  # parts of ink in "animinumen", three of them dots, in a hand that joins its letters


class FontHand:
    """A font.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    lean : float
        Shear by which it is slanted to the right.
    pen : float
        px; width of its strokes.
    is_joined : bool
        Whether its letters are joined.
    """

    def __init__(self, path: Path) -> None:
        box = ImageFont.truetype(str(path), _SIZE).getbbox("nnnnoouu")
        size = int(np.clip(_SIZE * _X_HEIGHT / max(box[3] - box[1], 4), 30, 130))
        self._font = ImageFont.truetype(str(path), size)
        self.lean = self._lean()
        self.pen = pen_width(self.mask("hamburgefonstiv"))
        dark = (self.mask("animinumen") > 100).astype(np.uint8)
        self.is_joined = cv2.connectedComponents(dark)[0] - 1 <= _JOINED

    def mask(self, text: str) -> Mask:
        """Ink of a text.

        Parameters
        ----------
        text : str
        """
        mask, _ = self._font.getmask2(text.replace(LONG_S, "fs"), mode="L")
        wide, high = mask.size
        if not wide or not high:
            return np.zeros((8, 8), np.uint8)
        return np.frombuffer(bytes(mask), np.uint8).reshape(high, wide)

    def _lean(self) -> float:
        """How slanted the font is, as the shear that makes its columns sharpest."""
        mask = self.mask("hlbdkfpqhlit")
        shears = np.arange(-0.2, 1.3, 0.1)
        sharp = [(sheared(mask, -shear).sum(0, dtype=float) ** 2).sum() for shear in shears]
        return float(shears[int(np.argmax(sharp))])
