"""What alignment keeps of a page: which way its strokes run, and how near, at a px or so a line.

The page is made so small that a usual line is `LINE` px wide. The direction of its strokes, and of
the edges of walls and of other solid areas, is that of the smallest eigenvalue of the structure
tensor. Each place then knows in 32 bits which of eight directions are met there and how near, so
that one look says how well a piece of a stroke would lie there. Spreading directions
so that they may be looked up without a search is that of S. Hinterstoisser et al., "Gradient
response maps for real-time detection of textureless objects", IEEE TPAMI 34(5), 2012.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.imaging.ink import Ink

LINE = 1.4  # px that a usual line is wide in the small page
LARGEST = 4_000_000  # px of the small page
MIXED = 0.3  # share by which one direction outweighs the one across, below which it may be any
LETTER = 14  # small px: letters, and other small things, are no larger
CHANNELS = 8  # directions, 22.5 degrees apart
TURNS = 64  # finer directions, of which a channel takes eight
INKED = 76  # of 255: a small pixel that is so much ink belongs to a stroke
SOLID = 0.15  # a small pixel whose gradients are weaker lies inside of something solid

Map = NDArray[np.uint32]
Angles = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Strokes:
    """The strokes of a small page.

    Attributes
    ----------
    ink : (h, w) uint8
        How much of each pixel is ink, to 255.
    angle : (h, w) float32
        Which way the stroke there runs: 0 to π, from x towards y.
    there : (h, w) bool
        Where there is a stroke or the edge of something solid.
    loose : (h, w) bool
        Strokes of connected ink that is no larger than a letter.
    mixed : (h, w) bool
        Where strokes of several directions meet, which may be any.
    """

    ink: NDArray[np.uint8]
    angle: Angles
    there: NDArray[np.bool_]
    loose: NDArray[np.bool_]
    mixed: NDArray[np.bool_]


def reduction(size: tuple[int, int], pen: float) -> tuple[int, int]:
    """Width and height of the small page of a page with this width and height and pen, in px.

    Examples
    --------
    >>> reduction((3215, 2064), 4.2)
    (1072, 688)
    """
    width, height = size
    factor = max(pen / LINE, 1.0, (width * height / LARGEST) ** 0.5)
    return max(int(np.ceil(width / factor)), 1), max(int(np.ceil(height / factor)), 1)


def see_strokes(ink: Ink, pen: float) -> Strokes:
    """The strokes of a page.

    Parameters
    ----------
    ink : (H, W) bool
    pen : float
        How wide a usual line is, in px.
    """
    height, width = ink.shape
    if not ink.size:
        nothing = np.zeros((1, 1), np.uint8)
        return Strokes(nothing, nothing.astype(np.float32), *3 * [nothing > 0])
    full = ink.view(np.uint8) * np.uint8(255)
    small = cv2.resize(full, reduction((width, height), pen), interpolation=cv2.INTER_AREA)
    light = small.astype(np.float32) / np.float32(255 * 16)  # Scharr's weights add up to 16
    across, down = cv2.Scharr(light, cv2.CV_32F, 1, 0), cv2.Scharr(light, cv2.CV_32F, 0, 1)
    xx, yy, xy = (
        cv2.GaussianBlur(product, (0, 0), 1.0)
        for product in (across * across, down * down, across * down)
    )
    mixed = (xx - yy) ** 2 + 4 * xy**2 < (MIXED * (xx + yy)) ** 2
    angle = cv2.phase(xx - yy, 2 * xy) / 2 + np.float32(np.pi / 2)  # of the gradient, turned
    there = (small >= INKED) & (xx + yy > SOLID)
    turned = np.mod(angle, np.float32(np.pi))
    loose = there & _loose(small >= INKED)
    return Strokes(np.asarray(small, np.uint8), turned, there, loose, mixed)


def _loose(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(h, w) bool: the connected ink that is no larger than a letter."""
    _, number, facts, _ = cv2.connectedComponentsWithStats(ink.view(np.uint8), connectivity=8)
    sides = facts[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(1)
    sides[0] = LETTER + 1  # the paper
    return np.asarray((sides <= LETTER)[number])


def points_of(strokes: Strokes) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """(N, 2) x, y of all pixels of strokes, row by row, and (N,) their directions of `TURNS`."""
    y, x = np.nonzero(strokes.there)
    turn = np.floor(strokes.angle[y, x] * np.float32(TURNS / np.pi)).astype(np.int64) % TURNS
    return np.stack([x, y], 1).astype(np.uint16), turn.astype(np.uint8)


def pack(strokes: Strokes) -> Map:
    """(h, w) uint32: for each place which directions are met there, near it and farther off.

    Bits 0 to 7 are the directions of the strokes at the place itself, 8 to 15 those at most 1 px
    away, 16 to 23 at most 3 px away. Bit 24 says that those at most 1 px away are all loose; 25 to
    31 how much ink is there.
    """
    position = strokes.angle * np.float32(CHANNELS / np.pi)
    low = np.floor(position).astype(np.uint8)
    one = np.uint8(1)
    bits = (one << (low % CHANNELS)) | (one << ((low + one) % CHANNELS))
    bits[strokes.mixed] = 255
    here = np.where(strokes.there, bits, np.uint8(0)).astype(np.uint8)
    near = _spread(here, 1)
    far = _spread(near, 2)
    fast = _spread((strokes.there & ~strokes.loose).view(np.uint8), 1)
    ink = (strokes.ink & np.uint8(0xFE)) | ((near != 0) & (fast == 0))
    packed = here.astype(np.uint32)
    for shift, values in ((8, near), (16, far), (24, ink)):
        packed |= values.astype(np.uint32) << np.uint32(shift)
    return packed


def _spread(bits: NDArray[np.uint8], reach: int) -> NDArray[np.uint8]:
    """The bits of each pixel and of all so many px to its sides."""
    found = bits.copy()
    for step in range(1, reach + 1):
        found[:, step:] |= bits[:, :-step]
        found[:, :-step] |= bits[:, step:]
    wide = found.copy()
    for step in range(1, reach + 1):
        found[step:] |= wide[:-step]
        found[:-step] |= wide[step:]
    return found
