"""Paints what was found, what is false and what was missed, area by area, in colours and hatching.

The colours are Okabe and Ito's, which the colour-blind can distinguish; the hatching distinguishes
them in grey. Hatching is fixed to the page, so that it moves with it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.outlines import Outlines

Matrix = tuple[float, float, float, float, float, float]
Pixels = NDArray[np.uint8]

PERIOD = 8  # screen px between two lines of a hatching
TINT, LINES = 0.42, 0.95  # how much of the paper tints and lines hide
_BITS = 4  # of the fractions of a pixel that OpenCV is given
_FARTHEST = 1 << 24  # px; OpenCV counts in 32 bits


class AreaKind(IntEnum):
    """What a place is. Where queries differ, the higher kind wins."""

    NOTHING = 0
    FALSE = 1
    MISSED = 2
    FOUND = 3


COLOURS = {AreaKind.FOUND: "#009E73", AreaKind.FALSE: "#D55E00", AreaKind.MISSED: "#0072B2"}


class Hatch(StrEnum):
    """The lines of a hatching."""

    RISING = "rising"
    FALLING = "falling"
    LEVEL = "level"
    UPRIGHT = "upright"
    DOTS = "dots"


@dataclass(frozen=True)
class Look:
    """How a kind of area is painted.

    Attributes
    ----------
    colour : str
        Such as "#009E73".
    hatch : Hatch
        The lines of its hatching.
    tint : float
        How much of the paper its colour hides between the lines, in [0, 1].
    """

    colour: str
    hatch: Hatch
    tint: float = TINT


Looks = tuple[tuple[int, Look], ...]
LOOKS: Looks = (
    (AreaKind.FALSE, Look(COLOURS[AreaKind.FALSE], Hatch.RISING)),
    (AreaKind.MISSED, Look(COLOURS[AreaKind.MISSED], Hatch.FALLING)),
    (AreaKind.FOUND, Look(COLOURS[AreaKind.FOUND], Hatch.DOTS)),
)


@dataclass(frozen=True, eq=False)
class PageAreas:
    """Truth and spots of one page.

    Attributes
    ----------
    truth, spots : Outlines
        T and N outlines by the even-odd rule, in px of the page.
    truth_query, spot_query : (T,) and (N,) int
        Query of each; a spot finds only what is of its own query.
    """

    truth: Outlines
    spots: Outlines
    truth_query: NDArray[np.int64]
    spot_query: NDArray[np.int64]


@dataclass(frozen=True)
class OverlayRaster:
    """The pixels that an overlay is painted on, and how the page lies on them.

    Attributes
    ----------
    matrix : (float, float, float, float, float, float)
        From px of the page to pixels: x' = a x + c y + dx, y' = b x + d y + dy.
    width, height : int
        In pixels.
    ratio : float
        Pixels per px of the screen; lines and hatching grow with it.
    """

    matrix: Matrix
    width: int
    height: int
    ratio: float = 1.0


def area_kinds(page: PageAreas, raster: OverlayRaster) -> Pixels:
    """Classify every pixel of an overlay.

    Parameters
    ----------
    page : PageAreas
        Truth and spots.
    raster : OverlayRaster
        The pixels.

    Returns
    -------
    (H, W) uint8
        The `AreaKind` of each pixel; pixels on an outline count as inside.

    Examples
    --------
    >>> square, beside = [(1, 1), (3, 1), (3, 3), (1, 3)], [(5, 1), (7, 1), (7, 3), (5, 3)]
    >>> page = PageAreas(Outlines.of([square]), Outlines.of([beside]), np.zeros(1, int),
    ...                  np.zeros(1, int))
    >>> kinds = area_kinds(page, OverlayRaster((1, 0, 0, 1, 0, 0), 8, 4))
    >>> AreaKind(kinds[2, 2]).name, AreaKind(kinds[2, 6]).name, AreaKind(kinds[0, 0]).name
    ('MISSED', 'FALSE', 'NOTHING')
    """
    kinds = np.zeros((raster.height, raster.width), np.uint8)
    truth, spots = _mapped(page.truth, raster), _mapped(page.spots, raster)
    for ring in spots.rings:
        cv2.fillPoly(kinds, [ring], int(AreaKind.FALSE), cv2.LINE_8, _BITS)
    for ring in truth.rings:
        cv2.fillPoly(kinds, [ring], int(AreaKind.MISSED), cv2.LINE_8, _BITS)
    for number, ring in enumerate(truth.rings):
        left, top, right, bottom = truth.clipped(number, raster)
        if left >= right or top >= bottom:
            continue
        inside = spots.meeting(truth.bounds[number])
        same = inside[page.spot_query[inside] == page.truth_query[number]]
        if not len(same):
            continue
        shape = (bottom - top, right - left)
        covered, there = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
        shift = np.array([left, top], np.int32) << _BITS
        for spot in same.tolist():
            cv2.fillPoly(covered, [spots.rings[spot] - shift], 1, cv2.LINE_8, _BITS)
        cv2.fillPoly(there, [ring - shift], 1, cv2.LINE_8, _BITS)
        kinds[top:bottom, left:right][(covered & there) > 0] = AreaKind.FOUND
    return kinds


def paint_areas(
    kinds: Pixels, raster: OverlayRaster, opacity: float = 1.0, looks: Looks = LOOKS
) -> Pixels:
    """Paint the kinds of areas in their colours and hatchings.

    Parameters
    ----------
    kinds : (H, W) uint8
        What `area_kinds` returns.
    raster : OverlayRaster
        The pixels.
    opacity : float
        From 0, invisible, to 1.
    looks : tuple of (int, Look)
        How each kind is painted; others are not.

    Returns
    -------
    (H, W, 4) uint8
        Premultiplied blue, green, red and alpha; all 0 where there is nothing.

    Examples
    --------
    >>> kinds = np.array([[AreaKind.NOTHING, AreaKind.FOUND]], np.uint8)
    >>> paint_areas(kinds, OverlayRaster((1, 0, 0, 1, 0, 0), 2, 1))[0, 0].tolist()
    [0, 0, 0, 0]
    """
    pattern = _pattern(raster.ratio, opacity, raster.width, raster.height, looks)
    period = _period(raster.ratio)
    left, top = (-round(shift) % period for shift in raster.matrix[4:])
    painted = np.zeros((*kinds.shape, 4), np.uint8)
    for area, _ in looks:
        part = pattern[area][top : top + raster.height, left : left + raster.width]
        cv2.copyTo(part, (kinds == area).view(np.uint8), painted)
    return painted


def paint_outlines(
    painted: Pixels, outlines: Outlines, raster: OverlayRaster, colour: str, width: float = 1.0
) -> None:
    """Draw outlines into a painted overlay, with smooth edges.

    Parameters
    ----------
    painted : (H, W, 4) uint8
        What `paint_areas` returns; it is changed.
    outlines : Outlines
        In px of the page.
    raster : OverlayRaster
        The pixels.
    colour : str
        Such as "#009E73".
    width : float
        Width of the lines in px of the screen.
    """
    red, green, blue = _rgb(colour)
    thickness = max(1, round(width * raster.ratio))
    rings = [ring for ring in _mapped(outlines, raster).rings if len(ring)]
    cv2.polylines(painted, rings, True, (blue, green, red, 255), thickness, cv2.LINE_AA, _BITS)


def on_raster(outlines: Outlines, raster: OverlayRaster) -> Outlines:
    """The outlines in pixels of the raster, with fractions."""
    a, b, c, d, dx, dy = raster.matrix
    points = outlines.points @ np.array([[a, b], [c, d]]) + (dx, dy)
    return Outlines(points, outlines.offsets)


@dataclass(frozen=True, eq=False)
class _Mapped:
    """Outlines in pixels of a raster, with fractions, and their bounds in pixels."""

    rings: list[NDArray[np.int32]]
    bounds: NDArray[np.float64]

    def clipped(self, number: int, raster: OverlayRaster) -> tuple[int, int, int, int]:
        left, top, right, bottom = self.bounds[number]
        return (
            max(0, math.floor(left) - 1), max(0, math.floor(top) - 1),
            min(raster.width, math.ceil(right) + 2), min(raster.height, math.ceil(bottom) + 2),
        )  # fmt: skip

    def meeting(self, bounds: NDArray[np.float64]) -> NDArray[np.int64]:
        left, top, right, bottom = bounds
        mine = self.bounds
        return np.flatnonzero(
            (mine[:, 0] <= right) & (mine[:, 2] >= left)
            & (mine[:, 1] <= bottom) & (mine[:, 3] >= top)
        )  # fmt: skip


def _mapped(outlines: Outlines, raster: OverlayRaster) -> _Mapped:
    a, b, c, d, dx, dy = raster.matrix
    points = outlines.points @ np.array([[a, b], [c, d]]) + (dx - 0.5, dy - 0.5)
    points = np.clip(points, -_FARTHEST, _FARTHEST)
    fixed = np.rint(points * 2**_BITS).astype(np.int32)
    moved = Outlines(points, outlines.offsets)
    cuts = zip(outlines.offsets[:-1].tolist(), outlines.offsets[1:].tolist(), strict=True)
    return _Mapped([fixed[start:stop] for start, stop in cuts], np.nan_to_num(moved.bounds))


def _period(ratio: float) -> int:
    return max(4, round(PERIOD * ratio))


@lru_cache(maxsize=8)
def _pattern(
    ratio: float, opacity: float, width: int, height: int, looks: Looks
) -> dict[int, Pixels]:
    """Each kind's hatching for a raster of this size, a period larger so that it can be moved."""
    period = _period(ratio)
    line = max(1, round(1.4 * ratio))
    y, x = np.mgrid[:period, :period]
    middle = (period - 1) / 2
    hatched = {
        Hatch.RISING: (x + y) % period < line,
        Hatch.FALLING: (x - y) % period < line,
        Hatch.LEVEL: y % period < line,
        Hatch.UPRIGHT: x % period < line,
        Hatch.DOTS: (abs(x - middle) <= line / 2) & (abs(y - middle) <= line / 2),
    }
    patterns = {}
    for area, look in looks:
        red, green, blue = _rgb(look.colour)
        alpha = np.where(hatched[look.hatch], LINES, look.tint)[..., None] * opacity
        tile = np.rint(alpha * (blue, green, red, 255)).astype(np.uint8)
        times = (height // period + 2, width // period + 2, 1)
        patterns[area] = np.tile(tile, times)
    return patterns


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
