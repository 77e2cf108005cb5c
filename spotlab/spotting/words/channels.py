"""A page prepared for describing any box on it: sums of strokes by direction over any rectangle."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.words.ink import InkMap
from spotlab.spotting.words.text_size import DARK, text_height

DIRECTIONS = 8
HEIGHT = 8.0  # px that small letters are high in the channels

_LEVELS = 255  # of ink and of gradients: whole numbers, so that sums over a page stay exact


@dataclass(frozen=True, eq=False)
class Channels:
    """Integral images of a page reduced to letters of one height.

    Attributes
    ----------
    strokes : (h + 1, w + 1, 8) int32
        Sums of the gradient's magnitude by its direction; they may wrap around, differences do not.
    ink : (h + 1, w + 1) int32
        Sums of the ink.
    scale : float
        px of the channels in a px of the page.
    """

    strokes: NDArray[np.int32]
    ink: NDArray[np.int32]
    scale: float


def prepare(ink: InkMap) -> Channels:
    """The channels of a page.

    Parameters
    ----------
    ink : (H, W) float32
        As `word_ink` gives it.
    """
    scale = HEIGHT / text_height(ink)
    size = (max(1, round(ink.shape[1] * scale)), max(1, round(ink.shape[0] * scale)))
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = np.asarray(cv2.resize(ink, size, interpolation=method), np.float32)
    dark = np.where(small < DARK, 0, small * _LEVELS).astype(np.uint8)
    amounts = np.asarray(cv2.integral(dark, sdepth=cv2.CV_32S), np.int32)
    return Channels(_gradients(small), amounts, scale)


def _gradients(ink: InkMap) -> NDArray[np.int32]:
    smooth = cv2.GaussianBlur(ink, (0, 0), 1.0)
    across = np.zeros_like(smooth)
    down = np.zeros_like(smooth)
    across[:, 1:-1] = smooth[:, 2:] - smooth[:, :-2]
    down[1:-1] = smooth[2:] - smooth[:-2]
    size, angle = cv2.cartToPolar(across, down)
    direction = angle * (DIRECTIONS / np.pi)  # a stroke and its other side are the same
    first = direction.astype(np.int32)
    share = direction - first
    size *= _LEVELS
    near, next_one = size * (1 - share), size * share
    first %= DIRECTIONS
    height, width = ink.shape
    sums = np.empty((height + 1, width + 1, DIRECTIONS), np.int32)
    for number in range(DIRECTIONS):
        part = np.where(first == number, near, 0)
        part += np.where(first == (number - 1) % DIRECTIONS, next_one, 0)
        sums[..., number] = cv2.integral((part + 0.5).astype(np.uint8), sdepth=cv2.CV_32S)
    return sums
