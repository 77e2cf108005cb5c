"""Channels of a page, to describe boxes: ink, directions of strokes, and sums over strips."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.spotting.words.extraction.ink import InkMap
from spotlab.spotting.words.extraction.layout import Layout, find_layout
from spotlab.spotting.words.extraction.text_size import DARK, resized

DIRECTIONS = 4
OFFSETS = ((4, 0), (0, 4), (4, 4), (-4, 4))  # px of the channels, to the right and down
PAIRS = len(OFFSETS) * DIRECTIONS**2

_REACH = max(abs(step) for offset in OFFSETS for step in offset)
_LEVELS = 255  # of ink and of gradients: whole numbers, so that sums over a page stay exact
_ROOTS = np.rint(np.sqrt(np.arange(256) * 255.0)).astype(np.uint8)

Sums = NDArray[np.int32]
PairSums = NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class Channels:
    """A page at one letter height, as it is and with letters upright.

    Sums may wrap around on huge pages; differences do not.

    Attributes
    ----------
    ink : (h + 1, w + 1) int32
        Sums of the ink.
    upright_ink : (h + 1, w' + 1) int32
        Like ``ink``, of the page with each row moved so that letters stand upright: what is at
        (x, y) is at (x + slant * y + shift, y) there.
    upright_strokes : (4, h, w') uint8
        Roots of how much of each direction the edges of strokes have there.
    scale : float
        px of the channels per px of the page.
    slant : float
        px to the right per px upwards.
    shift : float
        In px of the channels.
    """

    ink: Sums
    upright_ink: Sums
    upright_strokes: NDArray[np.uint8]
    scale: float
    slant: float
    shift: float


def prepare_channels(ink: InkMap, layout: Layout | None = None) -> Channels:
    """Prepare the channels of a page.

    Parameters
    ----------
    ink : (H, W) float32
        As `word_ink` gives it.
    layout : Layout, optional
        Of the page, where it is known.
    """
    layout = layout or find_layout(ink)
    return channels_at(ink, layout.scale, layout.slant)


def channels_at(ink: InkMap, scale: float, slant: float) -> Channels:
    """Prepare the channels of a page, or of a part of one, whose writing is known.

    Parameters
    ----------
    ink : (H, W) float32
        As `word_ink` gives it.
    scale : float
        px of the channels per px of the page.
    slant : float
        px to the right per px upwards.

    Examples
    --------
    >>> channels_at(np.zeros((20, 50), np.float32), 0.5, 0.0).ink.shape
    (11, 26)
    """
    small = resized(ink, scale).astype(np.float32)
    size = small.shape[1], small.shape[0]
    shift = max(0.0, -slant * size[1])
    move = np.array([[1, slant, shift], [0, 1, 0]], np.float32)
    wide = (size[0] + int(abs(slant) * size[1]) + 1, size[1])
    upright = np.asarray(cv2.warpAffine(small, move, wide, flags=cv2.INTER_LINEAR), np.float32)
    return Channels(_amounts(small), _amounts(upright), _directions(upright), scale, slant, shift)


def _amounts(ink: InkMap) -> Sums:
    dark = np.where(ink < DARK, 0, ink * _LEVELS).astype(np.uint8)
    return np.asarray(cv2.integral(dark, sdepth=cv2.CV_32S), np.int32)


def empty_sums(rows: int, width: int) -> PairSums:
    """Make room for `sum_stroke_pairs` of strips of a page.

    Parameters
    ----------
    rows, width : int
        Of the highest strip, in px.

    Returns
    -------
    (16, rows + 1, width + 1, 4) uint16
        Not written to yet.

    Examples
    --------
    >>> empty_sums(20, 30).shape
    (16, 21, 31, 4)
    """
    return np.empty((PAIRS // DIRECTIONS, rows + 1, width + 1, DIRECTIONS), np.uint16)


def sum_stroke_pairs(strokes: NDArray[np.uint8], top: int, bottom: int, into: PairSums) -> PairSums:
    """Sum the geometric means of strokes in two directions at two places a little apart.

    What strokes next to each other look like says more than what each of them does.

    Parameters
    ----------
    strokes : (4, h, w) uint8
        As of `Channels`.
    top, bottom : int
        The strip of the page that is summed, in px: all of it would be half a gigabyte.
    into : (16, >= bottom - top + 1, w + 1, 4) uint16
        Is written to: new memory for each strip would take longer than the sums.

    Returns
    -------
    (16, bottom - top + 1, w + 1, 4) uint16
        Part of ``into``: integral images of each of four offsets and each pair of directions. They
        wrap around, to be half as large. A strip without rows has sums of zero.

    Examples
    --------
    >>> strokes = np.full((4, 20, 30), 255, np.uint8)
    >>> sums = sum_stroke_pairs(strokes, 0, 10, empty_sums(10, 30))
    >>> sums.shape, sums[0, -1, -1].tolist()
    ((16, 11, 31, 4), [33280, 33280, 33280, 33280])
    """
    high, wide = bottom - top, strokes.shape[2]
    if not high:
        into[:, 0] = 0
        return into[:, :1]
    roots = strokes[:, top : bottom + _REACH]
    below = _REACH + high - roots.shape[1]
    around = np.pad(roots, ((0, 0), (0, below), (_REACH, _REACH)))
    sums = into[:, : high + 1]
    planes = iter(sums)
    for right, down in OFFSETS:
        start = _REACH + right
        beside = around[:, down : down + high, start : start + wide]
        for here in roots[:, :high]:
            # half of what they are, so that cells of wide words stay within 16 bits; OpenCV sums
            # four channels at a time
            both = [cv2.multiply(here, there, scale=0.5 / _LEVELS) for there in beside]
            next(planes)[:] = cv2.integral(cv2.merge(both), sdepth=cv2.CV_32S)
    return sums


def _directions(ink: InkMap) -> NDArray[np.uint8]:
    """Roots of how much gradient there is, shared between the two directions next to its own."""
    smooth = cv2.GaussianBlur(ink, (0, 0), 1.0)
    beside = np.array([[-_LEVELS, 0, _LEVELS]], np.float32)
    across = cv2.filter2D(smooth, cv2.CV_32F, beside, borderType=cv2.BORDER_REPLICATE)
    down = cv2.filter2D(smooth, cv2.CV_32F, beside.T, borderType=cv2.BORDER_REPLICATE)
    size, angle = cv2.cartToPolar(across, down)
    # a stroke and its other side have the same direction: half a turn is 256 steps
    turn = (angle * (256 / np.pi)).astype(np.int16).astype(np.uint8)
    amount = (size + 0.5).astype(np.uint8)
    parts = (
        cv2.multiply(cv2.LUT(turn, _share(number)), amount, scale=1 / 255)
        for number in range(DIRECTIONS)
    )
    return np.stack([np.asarray(cv2.LUT(part, _ROOTS), np.uint8) for part in parts])


def _share(direction: int) -> NDArray[np.uint8]:
    """(256,) how much of a gradient of each direction belongs to one of the four, of 255."""
    step = 256 // DIRECTIONS
    away = np.abs((np.arange(256) - direction * step + 128) % 256 - 128)
    return np.asarray(np.maximum(255 - away * 255 // step, 0), np.uint8)
