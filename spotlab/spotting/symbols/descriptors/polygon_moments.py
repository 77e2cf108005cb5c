"""Method c: invariant moments of polygons that approximate the contours."""

from __future__ import annotations

import cv2
import numpy as np

from spotlab.geometry.outlines import Outlines
from spotlab.spotting.symbols.descriptor import Descriptor, Features
from spotlab.spotting.symbols.primitives import Primitives
from spotlab.spotting.symbols.shape_moments import hu_invariants, line_moments

COARSE = 0.02  # how far the polygon may be off, as a share of the contour's length
DEGREES = np.array([1, 2, 2, 2, 4, 3, 4])
UNIT = 0.002
SPREAD = 1.0


def polygons(contours: Outlines) -> Outlines:
    """The contours with fewer corners, by Douglas & Peucker's method."""
    found = []
    for number in range(len(contours)):
        ring = np.asarray(contours[number], np.float32).reshape(-1, 1, 2)
        slack = COARSE * cv2.arcLength(ring, True)
        found.append(cv2.approxPolyDP(ring, slack, True)[:, 0])
    return Outlines.of(found)


def polygon_features(primitives: Primitives) -> Features:
    """Hu's invariants of the line moments of the approximating polygons.

    Returns
    -------
    (P, 7) float
    """
    found = hu_invariants(line_moments(polygons(primitives.contours)))
    found[:, 6] = np.abs(found[:, 6])
    roots = np.sign(found) * np.abs(found) ** (1 / DEGREES)
    return np.asarray(np.arcsinh(roots / UNIT) / SPREAD)


POLYGON_MOMENTS = Descriptor(
    name="c",
    title="Polygon moments",
    definition="Invariant line moments of the polygon that approximates a contour.",
    describe=polygon_features,
    radius=0.3,
)
