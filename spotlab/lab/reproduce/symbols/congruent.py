"""Finds contours of the same shape by laying them over each other, without descriptors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.geometry.outlines import Outlines
from spotlab.spotting.symbols.drawing.arc_length import resample

SIDE = 48  # px of the raster on which shapes are compared
ANGLES = 72
POINTS = 96  # of a contour that are compared
OVERLAP = 0.95  # of two areas, as a share of their union
_PIECE = 256  # shapes compared at once


def find_congruent(contours: Outlines) -> NDArray[np.bool_]:
    """Say which contours cover the same area after moving, scaling, turning and mirroring.

    Every contour is scaled to one distance from its middle to its farthest point and turned in
    steps of 5°. Contours that enclose nothing are congruent with themselves alone.

    Examples
    --------
    >>> square = np.array([(0, 0), (9, 0), (9, 9), (0, 9)])
    >>> flat = square * (1, 0.5)
    >>> find_congruent(Outlines.of([square, flat, flat[:, ::-1] + 3])).astype(int).tolist()
    [[1, 0, 0], [0, 1, 1], [0, 1, 1]]
    """
    count = len(contours)
    rings = [_normal(ring) for ring in resample(contours, POINTS)]
    upright = np.array([_raster(ring) for ring in rings]).reshape(count, SIDE * SIDE)
    areas = upright.sum(axis=1)
    same = np.eye(count, dtype=bool)
    turns = np.exp(2j * np.pi * np.arange(ANGLES) / ANGLES)
    for number, ring in enumerate(rings):
        likely = np.abs(np.log((areas + 1) / (areas[number] + 1))) < 1 - OVERLAP
        likely[: number + 1] = False
        others = np.flatnonzero(likely)
        if not len(others) or not areas[number]:
            continue
        poses = [_raster(side * turn) for side in (ring, ring.conj()) for turn in turns]
        posed = np.array(poses).reshape(len(poses), -1)
        for start in range(0, len(others), _PIECE):
            some = others[start : start + _PIECE]
            both = posed @ upright[some].T
            union = posed.sum(axis=1)[:, None] + areas[some] - both
            same[number, some] = (both >= OVERLAP * union).any(axis=0)
    return same | same.T


def _normal(ring: NDArray[np.complex128]) -> NDArray[np.complex128]:
    """Around its centroid, the farthest point 1 away."""
    corners = np.stack([ring.real, ring.imag], axis=1).astype(np.float32)
    moments = cv2.moments(corners.reshape(-1, 1, 2))
    middle = (moments["m10"] + 1j * moments["m01"]) / (moments["m00"] or 1)
    ring = ring - (middle if moments["m00"] > 0 else ring.mean())
    return ring / max(float(np.abs(ring).max()), 1e-9)


def _raster(ring: NDArray[np.complex128]) -> NDArray[np.float32]:
    """What the ring covers, as 0 and 1; nothing if it encloses nothing."""
    image = np.zeros((SIDE, SIDE), np.uint8)
    places = (ring * (SIDE / 2 - 1) + (SIDE / 2 - 0.5) * (1 + 1j)) * 16
    corners = np.stack([places.real, places.imag], axis=1).round().astype(np.int32)
    cv2.fillPoly(image, [corners], 1, cv2.LINE_8, 4)
    return image.ravel().astype(np.float32)
