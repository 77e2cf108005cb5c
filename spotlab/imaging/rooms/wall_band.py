"""The band of a wall along a line: filled, hatched, or between two parallel lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Points
from spotlab.extras import cv2
from spotlab.geometry.polygon import as_points
from spotlab.imaging.ink import Ink
from spotlab.libraries import shapely

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
    """Where both faces end, if that is near the ends that were given; those otherwise."""
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
