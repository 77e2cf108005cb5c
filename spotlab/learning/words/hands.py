"""Hands that write: fonts of handwriting, in one size."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import ImageFont

from spotlab.extras import cv2
from spotlab.learning.words.masks import Mask, pen_width, sheared
from spotlab.learning.words.texts import LONG_S

_SIZE = 60  # px a font is measured at
X_HEIGHT = 26  # px of an x in all hands
_JOINED = 6  # parts of ink in "animinumen", three of them dots, in a hand that joins its letters


@dataclass(frozen=True, eq=False)
class Letter:
    """A letter by itself.

    Attributes
    ----------
    mask : (H, W) uint8
    left, top : int
        px; where its mask begins, from the pen's place and from the line it stands on.
    advance : float
        px; how far the pen moves to the next letter.
    """

    mask: Mask
    left: int
    top: int
    advance: float


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
        size = int(np.clip(_SIZE * X_HEIGHT / max(box[3] - box[1], 4), 30, 130))
        self._font = ImageFont.truetype(str(path), size)
        self._letters: dict[str, Letter] = {}
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
        return _array(self._font.getmask2(text.replace(LONG_S, "fs"), mode="L")[0])

    def letter(self, sign: str) -> Letter:
        """Ink of a single letter.

        Parameters
        ----------
        sign : str
            A character.
        """
        if sign not in self._letters:
            mask, (left, top) = self._font.getmask2(sign, mode="L", anchor="ls")
            advance = self._font.getlength(sign)
            self._letters[sign] = Letter(_array(mask), int(left), int(top), advance)
        return self._letters[sign]

    def _lean(self) -> float:
        """How slanted the font is, as the shear that makes its columns sharpest."""
        mask = self.mask("hlbdkfpqhlit")
        shears = np.arange(-0.2, 1.3, 0.1)
        sharp = [(sheared(mask, -shear).sum(0, dtype=float) ** 2).sum() for shear in shears]
        return float(shears[int(np.argmax(sharp))])


def _array(mask: Any) -> Mask:
    wide, high = mask.size
    if not wide or not high:
        return np.zeros((8, 8), np.uint8)
    return np.frombuffer(bytes(mask), np.uint8).reshape(high, wide)
