"""Draws outlines into painted overlays: whole, or in dashes that tell them apart without colour."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spotlab.arrays import Floats
from spotlab.extras import cv2
from spotlab.geometry.outlines import Outlines
from spotlab.geometry.spans import concatenate_ranges
from spotlab.imaging.area_overlay import Pixels
from spotlab.imaging.overlay_raster import OverlayRaster, on_raster

_BITS = 4  # of the fractions of a pixel that OpenCV is given
_FARTHEST = 1 << 24  # px; OpenCV counts in 32 bits
_MARGIN = 8.0  # pixels beyond the raster on which dashes are still drawn


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

    Examples
    --------
    A square of 3 px, whose middle stays clear:

    >>> painted = np.zeros((5, 5, 4), np.uint8)
    >>> square = Outlines.of([[(0.5, 0.5), (4.5, 0.5), (4.5, 4.5), (0.5, 4.5)]])
    >>> paint_outlines(painted, square, OverlayRaster((1, 0, 0, 1, 0, 0), 5, 5), "#FF0000")
    >>> (painted[0, 2] > 0).tolist(), painted[2, 2].tolist()
    ([False, False, True, True], [0, 0, 0, 0])
    """
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    thickness = max(1, round(width * raster.ratio))
    placed = on_raster(outlines, raster)
    points = np.clip(placed.points - 0.5, -_FARTHEST, _FARTHEST)
    fixed = np.rint(points * 2**_BITS).astype(np.int32)
    rings = [ring for ring in np.split(fixed, placed.offsets[1:-1]) if len(ring)]
    cv2.polylines(painted, rings, True, (blue, green, red, 255), thickness, cv2.LINE_AA, _BITS)


def paint_dashes(
    painted: Pixels,
    outlines: Outlines,
    raster: OverlayRaster,
    colour: str,
    width: float,
    dashes: Sequence[float],
) -> None:
    """Draw outlines in dashes into a painted overlay, with smooth edges.

    Parameters
    ----------
    painted : (H, W, 4) uint8
        Premultiplied blue, green, red and alpha; it is changed.
    outlines : Outlines
        In px of the page.
    raster : OverlayRaster
        The pixels.
    colour : str
        Such as "#009E73".
    width : float
        Width of the lines in px of the screen.
    dashes : sequence of float
        Lengths of dashes and gaps in turn, in px of the screen.

    Examples
    --------
    Dashes of 4 px with gaps of 4 px:

    >>> painted = np.zeros((9, 17, 4), np.uint8)
    >>> line = Outlines.of([[(0.5, 4.5), (16.5, 4.5), (16.5, 40.5)]])
    >>> raster = OverlayRaster((1, 0, 0, 1, 0, 0), 17, 9)
    >>> paint_dashes(painted, line, raster, "#FF0000", 1.0, (4.0, 4.0))
    >>> (painted[4, [2, 6, 10, 14], 2] > 0).tolist()
    [True, False, True, False]
    """
    placed = on_raster(outlines, raster)
    pattern = [length * raster.ratio for length in dashes]
    pieces = dash(placed, pattern, (raster.width, raster.height))
    fixed = np.rint((pieces - 0.5) * 2**_BITS).astype(np.int32)
    thickness = max(1, round(width * raster.ratio))
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    pen = (blue, green, red, 255)
    cv2.polylines(painted, list(fixed), False, pen, thickness, cv2.LINE_AA, _BITS)


def dash(outlines: Outlines, pattern: Sequence[float], size: tuple[int, int]) -> Floats:
    """Cut the edges of outlines into dashes.

    Parameters
    ----------
    outlines : Outlines
        Rings in pixels.
    pattern : sequence of float
        Lengths of dashes and gaps in turn, in pixels; they begin anew with each ring and go round
        its corners.
    size : (width, height)
        Of the raster in pixels; dashes that lie beyond it are left out.

    Returns
    -------
    (K, 2, 2) float
        Both ends of each piece of a dash.

    Examples
    --------
    >>> square = Outlines.of([[(0, 0), (4, 0), (4, 4), (0, 4)]])
    >>> dash(square, [3, 2], (9, 9)).tolist()[:3]
    [[[0.0, 0.0], [3.0, 0.0]], [[4.0, 1.0], [4.0, 4.0]], [[2.0, 4.0], [0.0, 4.0]]]
    """
    lengths = np.diff(outlines.offsets)
    following = np.arange(1, len(outlines.points) + 1)
    filled = lengths > 0
    following[outlines.offsets[1:][filled] - 1] = outlines.offsets[:-1][filled]
    here, there = outlines.points, outlines.points[following]
    along = np.hypot(*(there - here).T)
    ends = np.cumsum(along)
    before = (ends - along)[outlines.offsets[:-1][filled]]
    from_start = ends - along - np.repeat(before, lengths[filled])
    low, high = _visible(here, there, size)
    seen = np.flatnonzero((low < high) & (along > 0))
    first, last = (from_start[seen] + share[seen] * along[seen] for share in (low, high))
    period = sum(pattern)
    rounds = np.floor(first / period).astype(np.int64)
    counts = np.floor(last / period).astype(np.int64) - rounds + 1
    edge = np.repeat(seen, counts)
    begin = concatenate_ranges(rounds, counts) * period
    first, last = np.repeat(first, counts), np.repeat(last, counts)
    pieces = []
    for number in range(0, len(pattern), 2):
        start = np.maximum(first, begin + sum(pattern[:number]))
        stop = np.minimum(last, begin + sum(pattern[: number + 1]))
        there_is = start < stop
        own = edge[there_is]
        shares = [(at[there_is] - from_start[own]) / along[own] for at in (start, stop)]
        pieces.append(np.stack(
            [here[own] + (there[own] - here[own]) * share[:, None] for share in shares], axis=1
        ))  # fmt: skip
    return np.concatenate(pieces) if pieces else np.empty((0, 2, 2))


def _visible(here: Floats, there: Floats, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """The shares of edges between which they lie on the raster (Liang and Barsky, 1984)."""
    low, high = np.zeros(len(here)), np.ones(len(here))
    for axis in (0, 1):
        way = there[:, axis] - here[:, axis]
        for side, sign in ((-_MARGIN, 1.0), (size[axis] + _MARGIN, -1.0)):
            inside = (here[:, axis] - side) * sign  # how far the beginning is inside
            grows = way * sign
            share = np.divide(-inside, grows, out=np.zeros(len(here)), where=grows != 0)
            low = np.where(grows > 0, np.maximum(low, share), low)
            high = np.where(grows < 0, np.minimum(high, share), high)
            high = np.where((grows == 0) & (inside < 0), -1.0, high)
    return low, high
