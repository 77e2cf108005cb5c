"""Orientation histograms of the inside of regions: how much ink runs in which direction where.

After Dalal & Triggs (2005), "Histograms of oriented gradients for human detection", CVPR, of the
ink inside a region that is turned upright and stretched to a square. Two regions are alike when
they are in one of the eight poses of a square, so that turned and mirrored symbols are found.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.geometry.outlines import Outlines
from spotlab.imaging.ink import Ink

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
