"""Features of regions: size, fullness, what runs out of them, and orientation histograms."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.extras import cv2
from spotlab.geometry.polygon import Outlines
from spotlab.imaging.ink import Ink
from spotlab.spotting.symbols.drawing.contours import Primitives

NAMES = (
    "size", "aspect", "fullness", "upright fullness", "turn", "rim", "crossing", "ink", "core",
    "closed", "largest hole", "parts",
)  # fmt: skip
_AROUND = 64  # places along a hull


def region_features(
    ink: Ink, primitives: Primitives, pen: float, hulls: Outlines, frames: Floats
) -> Floats:
    """Compute the features of regions.

    Parameters
    ----------
    ink : (H, W) bool
    primitives : Primitives
        Of the ink.
    pen : float
        Width of a usual line in px.
    hulls : Outlines
        Convex, in px.
    frames : (N, 5) float
        See `spotlab.spotting.symbols.proposals.region_features.upright_frames`.

    Returns
    -------
    (N, 12) float
        In the order of `NAMES`. size and parts are natural logarithms (of px and of a number), as
        is aspect; turn is the angle to upright over 45 degrees, the others are shares.

    Examples
    --------
    >>> from spotlab.spotting.symbols.proposals.region_features import upright_frames
    >>> hulls = Outlines.of([[(0, 0), (40, 0), (40, 20), (0, 20)]])
    >>> none = Primitives(Outlines.of([]), np.zeros(0, np.int64))
    >>> rows = region_features(np.ones((50, 50), bool), none, 2.0, hulls, upright_frames(hulls))
    >>> dict(zip(NAMES, rows[0].round(2).tolist()))["fullness"]
    1.0
    """
    areas = np.array([cv2.contourArea(hulls[n].astype(np.float32)) for n in range(len(hulls))])
    boxes = hulls.bounds
    width, height = (boxes[:, 2:] - boxes[:, :2]).T
    sizes = np.log(np.maximum(areas, 1)) / 2
    turn = np.abs((np.rad2deg(frames[:, 4]) + 45) % 90 - 45) / 45
    rim, crossing = _along_rims(ink, hulls, pen)
    closed, largest, parts = _holes_inside(primitives, boxes, areas)
    filled, core = _filled(ink, frames)
    return np.column_stack(
        [
            sizes,
            np.log(frames[:, 2] / frames[:, 3]),
            areas / (frames[:, 2] * frames[:, 3]),
            areas / np.maximum(width * height, 1),
            turn,
            rim,
            crossing,
            filled,
            core,
            closed,
            largest,
            np.log1p(parts),
        ]
    )


def _along_rims(ink: Ink, hulls: Outlines, pen: float) -> tuple[Floats, Floats]:
    """Share of each hull's rim that is ink, and share of what lies just outside that is."""
    count = len(hulls)
    places, outward = np.empty((count, _AROUND, 2)), np.empty((count, _AROUND, 2))
    for number in range(count):
        ring = hulls[number]
        edges = np.roll(ring, -1, axis=0) - ring
        lengths = np.hypot(*edges.T)
        ends = np.cumsum(lengths)
        along = (np.arange(_AROUND) + 0.5) * ends[-1] / _AROUND
        edge = np.searchsorted(ends, along).clip(max=len(ring) - 1)
        part = (along - ends[edge] + lengths[edge]) / np.maximum(lengths[edge], 1e-9)
        places[number] = ring[edge] + part[:, None] * edges[edge]
        normal = np.column_stack([edges[edge, 1], -edges[edge, 0]])
        outward[number] = normal / np.maximum(np.hypot(*normal.T), 1e-9)[:, None]
        middle = ring.mean(0)
        inwards = ((places[number] - middle) * outward[number]).sum(1) < 0
        outward[number][inwards] *= -1
    rim = np.zeros((count, _AROUND), bool)
    for inwards_by in np.linspace(0, 2 * pen + 1, 5):
        rim |= _at(ink, places - outward * inwards_by)
    outside = np.zeros((count, _AROUND), bool)
    for outwards_by in (1.5, pen / 2 + 1.5, pen + 1.5):
        outside |= _at(ink, places + outward * outwards_by)
    return rim.mean(1), outside.mean(1)


def _at(ink: Ink, places: Floats) -> NDArray[np.bool_]:
    height, width = ink.shape
    x, y = np.floor(places).astype(np.int64).transpose(2, 0, 1)
    within = (x >= 0) & (y >= 0) & (x < width) & (y < height)
    is_ink: NDArray[np.bool_] = within & ink[y.clip(0, height - 1), x.clip(0, width - 1)]
    return is_ink


def _filled(ink: Ink, frames: Floats) -> tuple[Floats, Floats]:
    """Shares of ink in the upright boxes around the frames' middles: all of it, and the core."""
    sums = cv2.integral(ink.view(np.uint8), sdepth=cv2.CV_32S)
    height, width = ink.shape
    shares = []
    for share in (0.7, 0.35):
        # of a turned box the part that surely lies inside
        cosine, sine = np.abs(np.cos(frames[:, 4])), np.abs(np.sin(frames[:, 4]))
        reach_x = share / 2 * np.maximum(frames[:, 2] * cosine, frames[:, 3] * sine)
        reach_y = share / 2 * np.maximum(frames[:, 2] * sine, frames[:, 3] * cosine)
        left = np.round(frames[:, 0] - reach_x).astype(np.int64).clip(0, width)
        right = np.round(frames[:, 0] + reach_x).astype(np.int64).clip(0, width)
        top = np.round(frames[:, 1] - reach_y).astype(np.int64).clip(0, height)
        bottom = np.round(frames[:, 1] + reach_y).astype(np.int64).clip(0, height)
        total = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        shares.append(total / np.maximum((right - left) * (bottom - top), 1))
    return shares[0], shares[1]


def _holes_inside(
    primitives: Primitives, boxes: Floats, areas: Floats
) -> tuple[Floats, Floats, Floats]:
    """Share of each region inside closed contours, in the largest of them, and their number."""
    contours = primitives.contours
    count = len(boxes)
    if not len(contours) or not count:
        return np.zeros(count), np.zeros(count), np.zeros(count)
    signed = np.array(
        [cv2.contourArea(contours[n].astype(np.float32), True) for n in range(len(contours))]
    )
    holes = np.flatnonzero((signed > 0) & (primitives.level == 0))
    bounds = contours.bounds[holes]
    inside = (
        (bounds[:, 0] >= boxes[:, :1] - 1)
        & (bounds[:, 1] >= boxes[:, 1:2] - 1)
        & (bounds[:, 2] <= boxes[:, 2:3] + 1)
        & (bounds[:, 3] <= boxes[:, 3:] + 1)
    )
    share = inside * signed[holes]
    total, largest = share.sum(1), share.max(1, initial=0)
    size = np.maximum(areas, 1)
    return np.minimum(total / size, 1.5), np.minimum(largest / size, 1.5), inside.sum(1) * 1.0


SIDE = 32  # px of a picture
CELLS = 8  # a side
DIRECTIONS = 8  # over half a turn
LENGTH = CELLS * CELLS * DIRECTIONS
_AT_A_TIME = 256  # pictures, so that memory stays bounded
_SMOOTHING = 0.7  # px of a picture

Frames = NDArray[np.float64]
Histograms = NDArray[np.float32]


def upright_frames(hulls: Outlines) -> Frames:
    """Fit the narrowest box around each hull.

    Parameters
    ----------
    hulls : Outlines
        In px.

    Returns
    -------
    (N, 5) float
        Centre x, y, longer and shorter side in px, at least 1, and the angle of the longer side to
        the x axis in radians.

    Examples
    --------
    >>> upright_frames(Outlines.of([[(0, 0), (9, 0), (9, 4), (0, 4)]]))[:, :4].tolist()
    [[4.5, 2.0, 9.0, 4.0]]
    """
    frames = np.empty((len(hulls), 5))
    for number in range(len(hulls)):
        (x, y), (width, height), angle = cv2.minAreaRect(hulls[number].astype(np.float32))
        if height > width:
            width, height, angle = height, width, angle - 90
        frames[number] = x, y, max(width, 1), max(height, 1), np.deg2rad(angle)
    return frames


def orientation_histograms(ink: Ink, hulls: Outlines, frames: Frames) -> Histograms:
    """Compute the orientation histograms of regions.

    Parameters
    ----------
    ink : (H, W) bool
    hulls : Outlines
        Convex, in px.
    frames : (N, 5) float
        Which way up, see `upright_frames`.

    Returns
    -------
    (N, LENGTH) float32
        Unit vectors; zeros where there is no ink.

    Examples
    --------
    >>> hulls = Outlines.of([[(0, 0), (40, 0), (40, 40), (0, 40)]])
    >>> rows = orientation_histograms(np.zeros((50, 50), bool), hulls, upright_frames(hulls))
    >>> rows.shape, bool(rows.any())
    ((1, 512), False)
    """
    pyramid = _pyramid(ink)
    rows = np.zeros((len(hulls), LENGTH), np.float32)
    for start in range(0, len(hulls), _AT_A_TIME):
        stop = min(start + _AT_A_TIME, len(hulls))
        pictures = np.zeros((stop - start, SIDE, SIDE), np.float32)
        for number in range(start, stop):
            pictures[number - start] = _picture(pyramid, hulls[number], frames[number])
        rows[start:stop] = _directions(pictures)
    return rounded(rows)


def rounded(rows: NDArray[np.floating]) -> NDArray[np.float32]:
    """Round numbers to half precision, so that they take half of a file, and are the same there.

    Parameters
    ----------
    rows : (N, D) float
        At most 65,504 in magnitude.

    Returns
    -------
    (N, D) float32

    Examples
    --------
    >>> rounded(np.array([[0.1, 3.0]])).tolist()
    [[0.0999755859375, 3.0]]
    """
    return rows.astype(np.float16).astype(np.float32)


def posed_histograms(histogram: Histograms) -> Histograms:
    """Compute a region's histograms in all poses of a square.

    Parameters
    ----------
    histogram : (LENGTH,) float32

    Returns
    -------
    (8, LENGTH) float32
        The first four poses keep the longer side.
    """
    return histogram[pose_permutations()]


def _pyramid(ink: Ink) -> list[NDArray[np.uint8]]:
    """The ink in grey, and halved again and again: small pictures of large regions keep lines."""
    levels = [ink.view(np.uint8) * np.uint8(255)]
    while min(levels[-1].shape) > 2 * SIDE and len(levels) < 6:
        height, width = levels[-1].shape
        half = cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        levels.append(half.astype(np.uint8, copy=False))
    return levels


def _picture(
    pyramid: list[NDArray[np.uint8]], hull: NDArray[np.float64], frame: NDArray[np.float64]
) -> NDArray[np.float32]:
    x, y, width, height, angle = frame
    level = min(max(int(np.log2(max(np.sqrt(width * height) / SIDE, 1))), 0), len(pyramid) - 1)
    scale = 0.5**level
    along = np.array([np.cos(angle), np.sin(angle)]) * width / SIDE
    down = np.array([-np.sin(angle), np.cos(angle)]) * height / SIDE
    corner = np.array([x, y]) - (along + down) * (SIDE - 1) / 2 - 0.5
    page_from_picture = np.column_stack([along, down, corner])
    turned = np.linalg.inv(page_from_picture[:, :2])
    source = page_from_picture * scale
    source[:, 2] += 0.5 * scale - 0.5
    picture = cv2.warpAffine(
        pyramid[level], source, (SIDE, SIDE), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    )
    inside = np.zeros((SIDE, SIDE), np.uint8)
    ring = (hull - 0.5 - corner) @ turned.T
    cv2.fillConvexPoly(inside, np.round(ring * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return np.where(cv2.dilate(inside, np.ones((3, 3), np.uint8)) > 0, picture, 0).astype(
        np.float32
    )


def _directions(pictures: NDArray[np.float32]) -> Histograms:
    """(N, LENGTH) of (N, SIDE, SIDE)."""
    smooth = np.stack([cv2.GaussianBlur(picture, (0, 0), _SMOOTHING) for picture in pictures])
    padded = np.pad(smooth, ((0, 0), (1, 1), (1, 1)))
    across = padded[:, 1:-1, 2:] - padded[:, 1:-1, :-2]
    down = padded[:, 2:, 1:-1] - padded[:, :-2, 1:-1]
    strength = np.sqrt(across**2 + down**2)
    place = np.arctan2(down, across) * (DIRECTIONS / np.pi) % DIRECTIONS
    low = np.floor(place)
    share = place - low
    low = low.astype(np.int64) % DIRECTIONS
    count = len(pictures)
    size = SIDE // CELLS
    rows = np.arange(SIDE) // size
    cell = (rows[:, None] * CELLS + rows) * DIRECTIONS
    base = np.arange(count)[:, None, None] * LENGTH + cell
    total = count * LENGTH
    sums = np.bincount((base + low).ravel(), (strength * (1 - share)).ravel(), total)
    sums += np.bincount((base + (low + 1) % DIRECTIONS).ravel(), (strength * share).ravel(), total)
    cells = sums.reshape(count, CELLS, CELLS, DIRECTIONS).astype(np.float32)
    # neighbouring cells share, so that a line near a border does not jump
    for axis in (1, 2):
        edge = [(0, 0)] * 4
        edge[axis] = (1, 1)
        wide = np.pad(cells, edge)
        before = np.take(wide, range(CELLS), axis)
        after = np.take(wide, range(2, CELLS + 2), axis)
        cells = 0.5 * cells + 0.25 * (before + after)
    return _of_unit_length(np.sqrt(cells.reshape(count, LENGTH)))


def border_histograms(histograms: Histograms) -> Histograms:
    """Reduce histograms to the cells along the border, whatever is drawn inside.

    Parameters
    ----------
    histograms : (N, LENGTH) float32

    Returns
    -------
    (N, LENGTH) float32
        Unit vectors, 0 inside.
    """
    cells = histograms.reshape(-1, CELLS, CELLS, DIRECTIONS).copy()
    cells[:, 1:-1, 1:-1] = 0
    return _of_unit_length(cells.reshape(len(histograms), LENGTH))


def _of_unit_length(rows: NDArray[np.float32]) -> Histograms:
    lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    return np.asarray(rows / lengths, np.float32)


@cache
def pose_permutations() -> NDArray[np.int64]:
    """(8, LENGTH) the place in a histogram that each number of a posed one comes from."""
    numbers = np.arange(LENGTH).reshape(CELLS, CELLS, DIRECTIONS)
    mirrored = -np.arange(DIRECTIONS) % DIRECTIONS
    exchanged = (DIRECTIONS // 2 - np.arange(DIRECTIONS)) % DIRECTIONS
    four = [
        numbers,
        numbers[:, ::-1][:, :, mirrored],
        numbers[::-1][:, :, mirrored],
        numbers[::-1, ::-1],
    ]
    eight = four + [pose.transpose(1, 0, 2)[:, :, exchanged] for pose in four]
    return np.stack([pose.ravel() for pose in eight])
