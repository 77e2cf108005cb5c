"""Moments of a shape as descriptors: Hu's and those of its polygon."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats
from spotlab.extras import cv2
from spotlab.geometry.polygon import Outlines
from spotlab.spotting.symbols.drawing.contours import Primitives
from spotlab.spotting.symbols.drawing.shape_moments import (
    AREA_OF_CIRCLE,
    LINE_OF_CIRCLE,
    area_moments,
    comparable_invariants,
    contour_sums,
    hu_invariants,
    line_moments,
)
from spotlab.spotting.symbols.voting.descriptor import Descriptor, Features

# so that no invariant drowns another one: how much each differs, and how noisy it is (floor plans)
WEIGHTS_HU = np.array([0.5, 1, 0.5, 0.5, 0.5, 0.5, 0.5])
# on 24 floor plans, half of them worn, 92 % of the contours that are the same in another symbol of
# its kind are within, and 28 of about 600 others on a page
RADIUS_HU = 0.09


def hu_features(primitives: Primitives) -> Features:
    """Compute Hu's invariants φ1 to φ7 of the area inside, as `comparable_invariants` scales them.

    Parameters
    ----------
    primitives : Primitives

    Returns
    -------
    (P, 7) float
        All 0 for a circle and for a point. A contour without area is like a rectangle of 2,400 to
        1.

    References
    ----------
    Hu (1962), "Visual pattern recognition by moment invariants", IRE Trans. on Information Theory
    8: reference 14 of Rusiñol & Lladós (2009).
    """
    invariants = hu_invariants(area_moments(primitives.contours))
    return np.asarray(comparable_invariants(invariants, AREA_OF_CIRCLE) * WEIGHTS_HU)


HU = Descriptor(
    name="b",
    title="Hu's invariants",
    definition="Hu's seven moment invariants of the area inside a contour.",
    describe=hu_features,
    radius=RADIUS_HU,
)


COARSE = 0.02  # how far the polygon may be off, as a share of the contour's length
WEIGHTS_POLYGON_MOMENTS = np.array([0.5, 1, 0.5, 0.5, 0.5, 0.5, 0.5])  # as for the area inside
# on 24 floor plans, half of them worn, 61 % of the contours that are the same in another symbol of
# its kind are within, and 7 of about 600 others on a page: the least tolerant of the four
RADIUS_POLYGON_MOMENTS = 0.02


def polygons(contours: Outlines) -> Outlines:
    """Approximate contours by polygons, by Douglas & Peucker's method.

    Parameters
    ----------
    contours : Outlines
        In px.

    Returns
    -------
    Outlines
        (N, 2) each; the polygon is at most `COARSE` of the contour's length off.

    Examples
    --------
    >>> crooked = Outlines.of([[(0, 0), (50, 1), (100, 0), (100, 100), (0, 100)]])
    >>> sorted(polygons(crooked)[0].tolist())
    [[0.0, 0.0], [0.0, 100.0], [100.0, 0.0], [100.0, 100.0]]
    """
    starts = _farthest(contours)
    return Outlines.of([_polygon(contours[i], start) for i, start in enumerate(starts)])


def polygon_features(primitives: Primitives) -> Features:
    """Compute Hu's invariants of the line moments of polygons that approximate contours.

    `comparable_invariants` scales them. A corner more or less moves whole sides, which makes this
    the least tolerant of the four descriptors.

    Parameters
    ----------
    primitives : Primitives

    Returns
    -------
    (P, 7) float
        All 0 for a circle, as far as a polygon is one, and for a point.

    References
    ----------
    Lambert & Gao (1996), "Discrimination properties of invariants using the line moments of
    vectorized contours", ICPR: reference 18 of Rusiñol & Lladós (2009).
    """
    invariants = hu_invariants(line_moments(polygons(primitives.contours)))
    return np.asarray(comparable_invariants(invariants, LINE_OF_CIRCLE) * WEIGHTS_POLYGON_MOMENTS)


def _farthest(contours: Outlines) -> list[int]:
    """Tell where each contour is farthest from the mean of its points: the same wherever it
    starts.
    """
    counts = np.diff(contours.offsets)
    points = contours.points @ np.array([1, 1j])
    means = contour_sums(points, contours) / np.maximum(counts, 1)
    away = np.abs(points - np.repeat(means, counts)).round(6)
    farthest = np.full(len(contours), -1.0)
    filled = np.flatnonzero(counts)
    if len(filled):
        farthest[filled] = np.maximum.reduceat(away, contours.offsets[:-1][filled])
    places = np.flatnonzero(away == np.repeat(farthest, counts))
    first = np.searchsorted(places, contours.offsets[:-1])
    places = np.append(places, 0)[first] - contours.offsets[:-1]
    return list(np.where(counts > 0, places, 0).tolist())


def _polygon(points: Floats, start: int) -> Floats:
    if not len(points):
        return points
    # single precision: near the origin it does not matter
    ring = np.concatenate([points[start:], points[:start]]) - points[start]
    ring = ring.astype(np.float32).reshape(-1, 1, 2)
    corners = cv2.approxPolyDP(ring, COARSE * cv2.arcLength(ring, True), True)[:, 0]
    return np.asarray(corners + points[start], np.float64)


POLYGON_MOMENTS = Descriptor(
    name="c",
    title="Polygon moments",
    definition="Hu's invariants of the sides of a polygon that approximates a contour.",
    describe=polygon_features,
    radius=RADIUS_POLYGON_MOMENTS,
)
