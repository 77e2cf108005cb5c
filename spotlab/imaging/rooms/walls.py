"""Finds the walls of a floor plan in its ink, and the band of a wall along a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Points
from spotlab.extras import cv2
from spotlab.geometry.polygon import as_points
from spotlab.imaging.ink import Ink
from spotlab.imaging.outlines import label_parts
from spotlab.imaging.rooms.wall_bands import (
    BROKEN,
    WallBand,
    closed,
    long_parts,
    wall_bands,
    with_bands,
)
from spotlab.libraries import shapely
from spotlab.progress import Progress, silent

_LARGE = 1 / 30  # of the page's longer side: what is smaller is lettering or furniture
_BINS = 64  # of the histogram of stroke widths, on a logarithmic scale up to
_WIDEST = 8.0  # powers of two px
_DISTINCT = 2.5  # times the thin strokes' width: walls are thicker by that at least
_SPREAD = 0.4  # of the drawing's extent that walls have at least
_SLENDER = 3.0  # times its width: an outlined wall is longer at least
_NARROW = 1 / 40  # of the page's longer side: an outlined wall is no thicker
_APART = 0.9  # times the thickness: a wall that stands free is longer
_PENS = 8.0  # widths of the pen that stand for a wall's thickness where walls are single lines


class WallKind(StrEnum):
    """Drawing style of a plan's walls."""

    AUTOMATIC = "automatic"
    FILLED = "filled"
    OUTLINED = "outlined"
    LINES = "lines"


@dataclass(frozen=True, eq=False)
class Walls:
    """The walls of a page.

    Attributes
    ----------
    mask : (H, W) bool
        True inside walls.
    thickness : float
        Thickness of the thickest common walls in px; 1 where there are none.
    kind : WallKind
        How they are drawn.
    """

    mask: NDArray[np.bool_]
    thickness: float
    kind: WallKind

    @cached_property
    def bands(self) -> list[WallBand]:
        """The straight walls, each with its own thickness, the largest first."""
        return wall_bands(self.mask, self.thickness)


def find_walls(ink: Ink, kind: WallKind = WallKind.AUTOMATIC, progress: Progress = silent) -> Walls:
    """Find the walls of a floor plan.

    Filled walls are strokes that are much thicker than the other long strokes. Walls of two faces,
    hatched or not, are added where one face is such a stroke or hatching fills them, wall by wall.
    Where that gives no walls, long, narrow spaces between lines are walls, or else every long line.

    Parameters
    ----------
    ink : (H, W) bool
        The page's ink.
    kind : WallKind
        How the walls are drawn; by default the first kind that gives walls across the drawing.
    progress : Progress
        Called between the steps; it may raise to cancel.

    Returns
    -------
    Walls
        Without any wall where the page has no long lines.

    Examples
    --------
    >>> ink = np.zeros((200, 200), np.bool_)
    >>> ink[20:180, 20:180] = True
    >>> ink[30:170, 30:170] = False
    >>> ink[100, 30:170] = True  # a thin line is no wall
    >>> walls = find_walls(ink)
    >>> str(walls.kind), bool(walls.mask[25, 100]), bool(walls.mask[100, 100])
    ('filled', True, False)
    """
    progress(0, 3, "finding walls")
    large = _large(ink)
    wanted = [kind] if kind is not WallKind.AUTOMATIC else list(_FINDERS)
    walls = Walls(large, 1.0, WallKind.LINES)
    for number, each in enumerate(wanted):
        progress(number, 3, "finding walls")
        walls = _FINDERS[each](large)
        if kind is not WallKind.AUTOMATIC or _spans(walls.mask, large):
            break
    return walls


def _filled(large: Ink) -> Walls:
    """Strokes of the thicker of two classes of stroke widths, by Otsu's threshold."""
    widths = _stroke_widths(large)
    classes = _two_classes(widths)
    if classes is None or classes[1] < _DISTINCT * classes[0]:
        return Walls(np.zeros_like(large), 1.0, WallKind.FILLED)
    thin, thick, between = classes
    # walls of different thickness: the thinnest ones are far below the mean of the thick class
    # an odd side: an even one would move the walls by half a pixel
    side = 2 * max(1, round(0.6 * float(np.sqrt(thin * thick)) - 0.5)) + 1
    thickness = float(np.percentile(widths[widths > between], 95))
    opened = cv2.morphologyEx(
        large.astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8)
    )
    mask = long_parts(opened, _APART * thickness)
    if (banded := with_bands(large, mask, thickness)) is not None:
        mask, thickness = banded
    mask = closed(mask, min(BROKEN, int(thickness / 4)))
    return Walls(mask, thickness, WallKind.FILLED)


def _outlined(large: Ink) -> Walls:
    """Long narrow pieces of paper between lines, with the lines."""
    paper = (~large).astype(np.uint8)
    labels, stats = label_parts(paper)
    inside = cv2.distanceTransform(paper, cv2.DIST_L2, 3)
    inside = np.minimum(inside, max(large.shape))  # a page without ink has no distances
    widths = np.zeros(len(stats))
    np.maximum.at(widths, labels.ravel(), 2 * inside.ravel())
    extents = stats[:, 2:4].max(axis=1)
    narrow = (widths <= _NARROW * max(large.shape)) & (widths >= 2)
    narrow &= extents >= _SLENDER * widths
    narrow[0] = False
    if not narrow.any():
        return Walls(np.zeros_like(large), 1.0, WallKind.OUTLINED)
    order = np.argsort(widths[narrow])
    area = np.cumsum(stats[narrow, 4][order])
    thickness = float(widths[narrow][order][np.searchsorted(area, 0.75 * area[-1])])
    narrow &= widths <= 2 * thickness
    between = narrow[labels].astype(np.uint8)
    around = cv2.dilate(between, np.ones((3, 3), np.uint8), iterations=3)
    mask = (between > 0) | (large & (around > 0))
    return Walls(mask, thickness, WallKind.OUTLINED)


def _lines(large: Ink) -> Walls:
    """Every long line."""
    widths = _stroke_widths(large)
    pen = float(np.median(widths)) if len(widths) else 1.0
    return Walls(large, max(1.0, _PENS * pen), WallKind.LINES)


_FINDERS = {WallKind.FILLED: _filled, WallKind.OUTLINED: _outlined, WallKind.LINES: _lines}


def _large(ink: Ink) -> Ink:
    """The ink of components that are long: no lettering, no furniture that stands free."""
    return long_parts(ink, max(ink.shape) * _LARGE)


def _spans(mask: Ink, large: Ink) -> bool:
    """Tell whether walls extend over a good part of the drawing."""
    if not mask.any():
        return False
    return bool(np.hypot(*_extent(mask)) >= _SPREAD * np.hypot(*_extent(large)))


def _extent(mask: Ink) -> tuple[int, int]:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(rows[-1] - rows[0] + 1), int(columns[-1] - columns[0] + 1)


def _stroke_widths(ink: Ink) -> NDArray[np.float64]:
    """The width of strokes in px, once for each pixel of their middle lines."""
    distance = cv2.distanceTransform(ink.astype(np.uint8), cv2.DIST_L2, 3)
    middle = (distance == cv2.dilate(distance, np.ones((3, 3)))) & ink
    widths: NDArray[np.float64] = np.maximum(2.0 * distance[middle].astype(np.float64) - 1, 1)
    return widths


def _two_classes(widths: NDArray[np.float64]) -> tuple[float, float, float] | None:
    """Geometric means of thin and thick widths and the threshold between; None for one width."""
    counts, edges = np.histogram(np.log2(widths), bins=_BINS, range=(0, _WIDEST))
    centres = (edges[:-1] + edges[1:]) / 2
    below, sums = np.cumsum(counts), np.cumsum(counts * centres)
    split = np.flatnonzero((below > 0) & (below < below[-1]))
    if not len(split):
        return None
    share = below[split] / below[-1]
    low = sums[split] / below[split]
    high = (sums[-1] - sums[split]) / (below[-1] - below[split])
    best = int((share * (1 - share) * (high - low) ** 2).argmax())
    return float(2 ** low[best]), float(2 ** high[best]), float(2 ** edges[split[best] + 1])


_STATIONS = 48  # along a line, at which its faces are looked for
_FITTED_AT = 200  # stations, at which they are fitted
_STEP = 0.5  # px, as exact as faces are
_DRIFT = 1.5  # px at the ends of a line between slopes that are tried
_SOLID = 0.5  # share of ink along the line from which a wall is filled
_LINE = 0.6  # share of ink along a face of a wall,
_BROKEN = 0.4  # or of one that a crossing wall breaks, where the other face is whole
_TILT = 0.06  # px across per px along: how much the line that was drawn may be askew
_FITTED = 4.0  # px beside a face in which it is fitted
_BEYOND = 1.0  # times the thickness: how far an end may be moved to where the band ends
_THIN = 2.0  # px: no wall is thinner
_STRAIGHT = 0.02  # of a stroke's length, or 3 px: how far it may leave a straight line


def wall_band(ink: Ink, line: ArrayLike, widest: float) -> Points | None:
    """Find the band of a wall that a line runs along.

    A wall is filled where the line mostly runs over ink: the band ends where ink does. Else the
    band reaches to the nearest lines on either side, whatever is hatched between them. The line may
    be slightly askew, and its ends are moved to where the faces end if that is near.

    Parameters
    ----------
    ink : (H, W) bool
        The page's ink, or a part of the page.
    line : (2, 2) array_like
        Start and end in px, inside the wall.
    widest : float
        Distance in px from the line to a face of the wall at most.

    Returns
    -------
    (4, 2) float or None
        An open ring in px; None where there is no band.

    Examples
    --------
    >>> ink = np.zeros((60, 200), np.bool_)
    >>> ink[20:30, 20:180] = True
    >>> np.rint(wall_band(ink, [(25, 26), (170, 24)], 30)).astype(int).tolist()
    [[20, 20], [180, 20], [180, 30], [20, 30]]
    >>> wall_band(ink, [(25, 50), (170, 50)], 10) is None
    True
    """
    places = as_points(line)
    if len(places) < 2:
        return None
    start, end = places
    length = float(np.hypot(*(end - start)))
    if length < _THIN or not ink.size:
        return None
    ahead = (end - start) / length
    normal = np.array([-ahead[1], ahead[0]])
    faces = _faces(ink, start, ahead, normal, length, widest)
    if faces is None:
        return None
    low, high, slope = faces
    turned = ahead + slope * normal
    ahead = turned / np.hypot(*turned)
    middle = (start + end) / 2 + (low + high) / 2 * normal
    thickness = (high - low) * float(1 / np.sqrt(1 + slope**2))
    normal = np.array([-ahead[1], ahead[0]])
    first, last = (float((place - middle) @ ahead) for place in (start, end))
    first, last = _ends(ink, middle, ahead, normal, thickness, (first, last))
    half = thickness / 2
    corners = [(first, -half), (last, -half), (last, half), (first, half)]
    band = np.array([middle + along * ahead + across * normal for along, across in corners])
    rounded: Points = np.round(band, 2) + 0.0
    return rounded


def wall_along(ink: Ink, stroke: Sequence[tuple[float, float]], widest: float) -> Points | None:
    """Find the bands of walls along a freehand stroke and join them.

    Parameters
    ----------
    ink : (H, W) bool
        The page's ink.
    stroke : sequence of (x, y)
        In px; it may turn where walls do.
    widest : float
        Distance in px from the stroke to a face of a wall at most.

    Returns
    -------
    (N, 2) float or None
        An open ring in px; None where some straight part of the stroke has no band, or where the
        bands do not touch.

    Examples
    --------
    >>> ink = np.zeros((100, 100), np.bool_)
    >>> ink[10:20, 10:90] = ink[10:90, 80:90] = True
    >>> ring = wall_along(ink, [(12, 15), (50, 16), (85, 15), (85, 50), (84, 85)], 20)
    >>> abs(shapely.Polygon(ring).area - 1500) < 50
    True
    """
    places = as_points(stroke)
    if len(places) < 2:
        return None
    extent = float(np.hypot(*np.ptp(places, axis=0)))
    bend = max(3.0, _STRAIGHT * extent)
    turns = cv2.approxPolyDP(places.astype(np.float32)[:, None], bend, False)[:, 0]
    turns = turns.astype(np.float64)
    bands = []
    for first, last in pairwise(turns):
        band = wall_band(ink, (first, last), widest)
        if band is None:
            return None
        bands.append(band)
    if len(bands) == 1:
        return bands[0]
    joined = shapely.union_all([shapely.Polygon(band) for band in bands])
    joined = shapely.make_valid(joined).simplify(0.5)
    if joined.geom_type != "Polygon":
        return None
    ring: Points = np.array(joined.exterior.coords)[:-1]
    return ring


def _faces(
    ink: Ink, start: Floats, ahead: Floats, normal: Floats, length: float, widest: float
) -> tuple[float, float, float] | None:
    """Offsets of the two faces from the line's middle, and how much they are askew to it."""
    thick = cv2.dilate(ink.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    away = np.arange(-widest, widest + 1)
    along = np.linspace(0, length, min(_STATIONS, max(8, int(length))))
    tilts = 2 * int(np.ceil(_TILT * length / 2 / _DRIFT)) + 1
    best: tuple[float, tuple[float, float, float]] | None = None
    for slope in np.linspace(-_TILT, _TILT, tilts):
        across = away[:, None] + slope * (along - length / 2)[None]
        places = start + along[None, :, None] * ahead + across[..., None] * normal
        share = _at(thick, places).mean(axis=1)
        pair = _solid(share, away) or _between(share, away)
        if pair is None:
            continue
        low, high = pair
        # the faces are steepest where the slope is right
        at = [int(np.argmin(np.abs(away - offset))) for offset in (low, high)]
        steps = np.abs(np.diff(share))
        sharp = sum(float(steps[max(0, place - 3) : place + 3].max()) for place in at)
        sharp -= 0.2 * abs(float(slope)) / _TILT
        if best is None or sharp > best[0]:
            best = sharp, (low, high, float(slope))
    along = np.linspace(0, length, min(_FITTED_AT, max(8, int(length))))
    return None if best is None else _refined(ink, start, ahead, normal, along, best[1])


def _refined(
    ink: Ink,
    start: Floats,
    ahead: Floats,
    normal: Floats,
    along: Floats,
    faces: tuple[float, float, float],
) -> tuple[float, float, float]:
    """The faces, fitted to where ink begins at each station."""
    low, high, slope = faces
    from_middle = along - along.mean()
    inward = np.arange(-_FITTED, _FITTED + _STEP, _STEP / 2)
    offsets, slopes = [], []
    for face, sign in ((low, 1.0), (high, -1.0)):
        across = face + sign * inward[:, None] + slope * from_middle
        places = start + along[None, :, None] * ahead + across[..., None] * normal
        drawn = _at(ink, places)
        first = drawn.argmax(axis=0)
        clear = drawn.any(axis=0) & (first > 0)
        where, residual = from_middle[clear], sign * inward[first[clear]]
        close = np.abs(residual - np.median(residual)) <= 1.5 if len(residual) else where > 0
        if close.sum() < 3 or not np.ptp(where[close]):
            return faces
        steep, _ = np.polyfit(where[close], residual[close], 1)
        slopes.append(slope + float(steep))
        offsets.append(face + float(np.median(residual[close] - steep * where[close])))
    tilt = sum(slopes) / 2
    return offsets[0], offsets[1], tilt if abs(tilt) * np.ptp(along) > _STEP else 0.0


def _solid(share: Floats, away: Floats) -> tuple[float, float] | None:
    """The stretch of ink around the line, if it runs along a filled wall."""
    middle = len(away) // 2
    if share[middle] < _SOLID:
        return None
    paper = np.flatnonzero(share < _SOLID)
    before, after = paper[paper < middle], paper[paper > middle]
    if not len(before) or not len(after):
        return None
    low, high = away[before[-1] + 1] - _STEP / 2, away[after[0] - 1] + _STEP / 2
    return (float(low), float(high)) if high - low > _THIN else None


def _between(share: Floats, away: Floats) -> tuple[float, float] | None:
    """The outer sides of the nearest lines on both sides."""
    middle = len(away) // 2
    drawn = share >= _LINE
    if drawn[:middle].any() != drawn[middle:].any():
        part = slice(0, middle) if drawn[middle:].any() else slice(middle, None)
        drawn[part] = share[part] >= _BROKEN
    before, after = np.flatnonzero(drawn[:middle]), np.flatnonzero(drawn[middle:]) + middle
    if not len(before) or not len(after):
        return None
    low, high = int(before[-1]), int(after[0])
    while low > 0 and drawn[low - 1]:
        low -= 1
    while high + 1 < len(away) and drawn[high + 1]:
        high += 1
    if low == 0 or high == len(away) - 1:
        return None
    return float(away[low]) - _STEP / 2, float(away[high]) + _STEP / 2


def _ends(
    ink: Ink,
    middle: Floats,
    ahead: Floats,
    normal: Floats,
    thickness: float,
    ends: tuple[float, float],
) -> tuple[float, float]:
    """Tell where both faces end, if that is near the ends that were given; those otherwise."""
    reach = _BEYOND * thickness + 4
    moved = []
    for place, outward in zip(ends, (-1.0, 1.0), strict=True):
        along = place + outward * np.arange(-reach, reach + 3, 1.0)
        inner = np.array([-1, 1, -1, 1]) * (thickness / 2 - np.array([0.5, 0.5, 1.5, 1.5]))
        places = middle + along[:, None, None] * ahead + inner[None, :, None] * normal
        held = np.asarray(
            _at(ink, places).any(axis=1)
        )  # a face goes on where a crossing wall ends the other
        first = int(np.flatnonzero(~held)[0]) if (~held).any() else -1
        gone = first >= 0 and not held[first : first + 3].any() and held[:first].any()
        moved.append(float(along[first] - outward * 0.5) if gone else place)
    return moved[0], moved[1]


def _at(ink: Ink, places: Floats) -> NDArray[np.bool_]:
    whole = np.floor(places).astype(np.int64)
    height, width = ink.shape
    inside = (whole >= 0).all(axis=-1) & (whole[..., 0] < width) & (whole[..., 1] < height)
    rows, columns = np.clip(whole[..., 1], 0, height - 1), np.clip(whole[..., 0], 0, width - 1)
    found: NDArray[np.bool_] = ink[rows, columns] & inside
    return found
