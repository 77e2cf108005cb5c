"""The ink of a handwritten page: how dark it is against its paper, whatever stains that has."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.ink import InkMethod, InkSettings, InkTone, binarise, estimate_paper
from spotlab.imaging.reading.conversion import Pixels, darkness

InkMap = NDArray[np.float32]


# What is around a page: so much of the light of its paper, at most, which is that of most of it
_SURROUND, _LIGHT = 0.3, 75
_BROAD = 0.04  # of what is seen, at least: narrow borders of scans are cut off from strokes
_EDGE = 13  # px of the small page in which the page's edge is blurred


class WordInk(StrEnum):
    """Which of the dark pixels count as ink."""

    NONE = "none"
    OTSU = "otsu"
    SAUVOLA = "sauvola"
    WOLF = "wolf"


def word_ink(pixels: Pixels, method: WordInk | InkMethod | str = WordInk.NONE) -> InkMap:
    """Measure how dark the ink of a page is.

    The paper is the median of a wide neighbourhood, smoothed; ink is the share of its light that
    is missing. What is around a page that was photographed on something dark has no ink.

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
    small = estimate_paper(grey)
    paper = np.maximum(_resized(small, grey.shape), 1)
    ink = np.clip(1 - grey.astype(np.float32) / paper, 0, 1)
    surround = _surround(small)
    if surround.any():
        ink[_resized(surround, grey.shape) > 0] = 0
    method = WordInk(method)
    if method is not WordInk.NONE:
        ink *= binarise(np.clip(255 * (1 - ink) + 0.5, 0, 255).astype(np.uint8), _settings(method))
    return np.asarray(ink, np.float32)


def _settings(method: WordInk) -> InkSettings:
    return InkSettings(InkMethod(method.value), tone=InkTone.DARK)


def _surround(paper: Pixels) -> Pixels:
    """(h, w) 1 where a scan or a photograph shows what is around the page, much darker than it."""
    dark = paper < _SURROUND * np.percentile(paper, _LIGHT)
    _, labels = cv2.connectedComponents(dark.astype(np.uint8), connectivity=8)
    edges = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    sizes = np.bincount(labels.ravel())
    broad = edges[(edges > 0) & (sizes[edges] > _BROAD * labels.size)]
    outside = np.isin(labels, broad).astype(np.uint8)
    return np.asarray(cv2.dilate(outside, np.ones((_EDGE, _EDGE), np.uint8)), np.uint8)


def _resized(small: Pixels, shape: tuple[int, ...]) -> NDArray[np.float32]:
    height, width = shape
    whole = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(whole, np.float32)
