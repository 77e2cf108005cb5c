"""The ink of a handwritten page: how dark it is against its paper, whatever stains that has."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.conversion import Pixels, darkness
from spotlab.imaging.illumination import estimate_paper
from spotlab.imaging.ink import InkMethod, InkSettings, binarise

InkMap = NDArray[np.float32]


class WordInk(StrEnum):
    """Which of the dark pixels count as ink."""

    NONE = "none"
    OTSU = "otsu"
    SAUVOLA = "sauvola"
    WOLF = "wolf"


def word_ink(pixels: Pixels, method: WordInk | InkMethod | str = WordInk.NONE) -> InkMap:
    """Measure how dark the ink of a page is.

    The paper is the median of a wide neighbourhood, smoothed; ink is the share of its light that
    is missing.

    Parameters
    ----------
    pixels : (H, W) or (H, W, 3) uint8
        The page.
    method : WordInk
        ``none`` keeps all that is darker than the paper. The others keep only what Otsu's,
        Sauvola's or Wolf's threshold takes for ink too, with its greys (`spotlab.imaging.ink`).

    Returns
    -------
    (H, W) float32
        0 for paper to 1 for the blackest ink.

    Examples
    --------
    >>> word_ink(np.array([[200] * 9, [200] * 4 + [50] + [200] * 4, [200] * 9], np.uint8))[1, 3:6]
    array([0.  , 0.75, 0.  ], dtype=float32)
    >>> float(word_ink(np.full((30, 30), 200, np.uint8)).max())  # a blank page
    0.0
    """
    grey = darkness(pixels)
    if not grey.size:
        return np.zeros(grey.shape, np.float32)
    paper = np.maximum(_paper(grey), 1)
    ink = np.clip(1 - grey.astype(np.float32) / paper, 0, 1)
    method = WordInk(method)
    if method is not WordInk.NONE:
        ink *= binarise(np.clip(255 * (1 - ink) + 0.5, 0, 255).astype(np.uint8), _settings(method))
    return np.asarray(ink, np.float32)


def _settings(method: WordInk) -> InkSettings:
    return InkSettings(InkMethod(method.value))


def _paper(grey: Pixels) -> NDArray[np.float32]:
    """(H, W) how light the paper is everywhere."""
    height, width = grey.shape
    paper = cv2.resize(estimate_paper(grey), (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(paper, np.float32)
