"""The directions of a page's strokes, at a size at which lines are about a px wide.

The page is made so small that a usual line is `LINE` px wide. Where this would lose the thinnest
common line, that line is widened before. The direction of its strokes, and of the edges of walls
and of other solid areas, is that of the smallest eigenvalue of the structure tensor. Each place
then knows in 32 bits which of eight directions are met there and how near, so that one look says
how well a piece of a stroke would lie there, see `pack`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.ink import Ink
from spotlab.imaging.outlines import label_parts
from spotlab.imaging.stroke_outline import thinnest_line

LINE = 1.4  # px that a usual line is wide in the small page
LARGEST = 4_000_000  # px of the small page
MIXED = 0.3  # share by which one direction outweighs the one across, below which it may be any
LETTER = 14  # small px: letters, and other small things, are no larger
CHANNELS = 8  # directions, 22.5 degrees apart
DIRECTIONS = 64  # finer directions, of which a channel takes eight
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
    is_stroke : (h, w) bool
        Where there is a stroke or the edge of something solid.
    is_loose : (h, w) bool
        Strokes of connected ink that is no larger than a letter.
    is_mixed : (h, w) bool
        Where strokes of several directions meet, so that none is known.
    """

    ink: NDArray[np.uint8]
    angle: Angles
    is_stroke: NDArray[np.bool_]
    is_loose: NDArray[np.bool_]
    is_mixed: NDArray[np.bool_]


def reduced_size(size: tuple[int, int], pen: float) -> tuple[int, int]:
    """Compute the size of the small page.

    Parameters
    ----------
    size : (int, int)
        Width and height of the page in px.
    pen : float
        Width of a usual line in px.

    Returns
    -------
    width, height : int
        In px of the small page; at least 1.

    Examples
    --------
    >>> reduced_size((3215, 2064), 4.2)
    (1072, 688)
    """
    width, height = size
    factor = max(pen / LINE, 1.0, (width * height / LARGEST) ** 0.5)
    return max(int(np.ceil(width / factor)), 1), max(int(np.ceil(height / factor)), 1)


def extract_strokes(ink: Ink, pen: float) -> Strokes:
    """Extract the strokes of a page, at the size at which a usual line is `LINE` px wide.

    Parameters
    ----------
    ink : (H, W) bool
    pen : float
        Width of a usual line in px.

    Returns
    -------
    Strokes
        Of 1 × 1 px without ink for a page without pixels.

    Examples
    --------
    >>> ink = np.zeros((30, 90), bool)
    >>> ink[10:13, 5:85] = True
    >>> strokes = extract_strokes(ink, pen=3)
    >>> strokes.ink.shape, bool(strokes.is_stroke.any())
    ((14, 42), True)
    """
    height, width = ink.shape
    if not ink.size:
        nothing = np.zeros((1, 1), np.uint8)
        return Strokes(nothing, nothing.astype(np.float32), *3 * [nothing > 0])
    size = reduced_size((width, height), pen)
    kept = _widened(ink, max(width / size[0], height / size[1]))
    full = kept.view(np.uint8) * np.uint8(255)
    small = cv2.resize(full, size, interpolation=cv2.INTER_AREA)
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


def _widened(ink: Ink, factor: float) -> Ink:
    """Ink whose thinnest common lines are strokes of a page that is smaller by a factor, too.

    A line that lies across two small pixels is a stroke if it covers half of each.
    """
    least = int(np.ceil(factor))
    if least < 2 or thinnest_line(ink) >= least:
        return ink
    full, square = ink.view(np.uint8), np.ones((least, least), np.uint8)
    solid = cv2.morphologyEx(full, cv2.MORPH_OPEN, square) > 0
    thin = ink & ~solid
    number, facts = label_parts(thin, diagonal=True)
    sides = facts[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(1)
    sides[0] = 0  # the paper
    lines = (sides >= LETTER * factor)[number]  # not the rough edge of a wider line
    return np.asarray(ink | (cv2.dilate(lines.view(np.uint8), square) > 0))


def _loose(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(h, w) bool: the connected ink that is no larger than a letter."""
    number, facts = label_parts(ink, diagonal=True)
    sides = facts[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]].max(1)
    sides[0] = LETTER + 1  # the paper
    return np.asarray((sides <= LETTER)[number])


def stroke_points(strokes: Strokes) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """List all pixels of strokes, row by row.

    Parameters
    ----------
    strokes : Strokes

    Returns
    -------
    points : (N, 2) uint16
        x, y in px of the small page.
    directions : (N,) uint8
        Of `DIRECTIONS` over half a turn.
    """
    y, x = np.nonzero(strokes.is_stroke)
    turn = (
        np.floor(strokes.angle[y, x] * np.float32(DIRECTIONS / np.pi)).astype(np.int64) % DIRECTIONS
    )
    return np.stack([x, y], 1).astype(np.uint16), turn.astype(np.uint8)


def pack(strokes: Strokes) -> Map:
    """Pack the directions of strokes at, near and around each place into 32 bits.

    Spreading directions, so that they are looked up without a search, is that of Hinterstoisser et
    al. (2012), "Gradient response maps for real-time detection of textureless objects", IEEE TPAMI
    34(5).

    Parameters
    ----------
    strokes : Strokes

    Returns
    -------
    (h, w) uint32

    Notes
    -----
    Bits 0 to 7 are the directions of the strokes at the place itself, 8 to 15 those at most 1 px
    away, 16 to 23 at most 3 px away. Bit 24 says that those at most 1 px away are all loose; 25 to
    31 how much ink is there.
    """
    position = strokes.angle * np.float32(CHANNELS / np.pi)
    low = np.floor(position).astype(np.uint8)
    one = np.uint8(1)
    bits = (one << (low % CHANNELS)) | (one << ((low + one) % CHANNELS))
    bits[strokes.is_mixed] = 255
    here = np.where(strokes.is_stroke, bits, np.uint8(0)).astype(np.uint8)
    near = _spread(here, 1)
    far = _spread(near, 2)
    firm = _spread((strokes.is_stroke & ~strokes.is_loose).view(np.uint8), 1)
    ink = (strokes.ink & np.uint8(0xFE)) | ((near != 0) & (firm == 0))
    packed = here.astype(np.uint32)
    for shift, values in ((8, near), (16, far), (24, ink)):
        packed |= values.astype(np.uint32) << np.uint32(shift)
    return packed


def _spread(bits: NDArray[np.uint8], radius: int) -> NDArray[np.uint8]:
    """The bits of each pixel and of all pixels in the square around it."""
    spread = bits.copy()
    for step in range(1, radius + 1):
        spread[:, step:] |= bits[:, :-step]
        spread[:, :-step] |= bits[:, step:]
    wide = spread.copy()
    for step in range(1, radius + 1):
        spread[step:] |= wide[:-step]
        spread[:-step] |= wide[step:]
    return spread
