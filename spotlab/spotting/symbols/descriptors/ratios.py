"""Method a: simple ratios of a contour, rough and tolerant."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.outlines import Outlines
from spotlab.spotting.symbols.arc_length import perimeters
from spotlab.spotting.symbols.descriptor import Descriptor, Features
from spotlab.spotting.symbols.primitives import Primitives
from spotlab.spotting.symbols.shape_moments import area_moments, following, sums

# how much each ratio differs between the contours of floor plans (standard deviation)
SPREAD = np.array([0.28, 0.25, 0.18, 0.12, 0.2])


def simple_ratios(primitives: Primitives) -> Features:
    """Five ratios of each contour, divided by how much they usually differ.

    With area A, perimeter P, principal second moments λ1 ≥ λ2, and the same of the convex hull:

    1. √(λ2 / λ1), the eccentricity as a ratio of axes,
    2. 4 π A / P², circularity: 1 for a circle, else less,
    3. A / A(hull), solidity,
    4. P(hull) / P, convexity,
    5. A / A(smallest rectangle around it), rectangularity.

    Returns
    -------
    (P, 5) float
        A contour without area has 0, 0, 1, 1, 1 before the division.

    References
    ----------
    Stoyan & Stoyan 1994, Fractals, Random Shapes and Point Fields, part II: shape ratios.
    """
    contours = primitives.contours
    moments = area_moments(contours)
    around = np.abs(moments.c20)
    axes = np.sqrt(np.maximum(moments.c11 - around, 0) / (moments.c11 + around))
    area = primitives.moments[:, 0]
    perimeter = perimeters(contours)
    hulls = primitives.hulls
    hull_area, hull_perimeter, rectangle = _hull_sizes(hulls)
    ratios = np.stack(
        [
            axes,
            _ratio(4 * np.pi * area, perimeter**2, 0.0),
            _ratio(area, hull_area, 1.0),
            _ratio(hull_perimeter, perimeter, 1.0),
            _ratio(area, rectangle, 1.0),
        ],
        axis=1,
    )
    return np.asarray(ratios / SPREAD)


def _hull_sizes(
    hulls: Outlines,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Areas and perimeters of convex hulls, and areas of the smallest rectangles around them."""
    points = hulls.points - np.repeat(hulls.bounds[:, :2], np.diff(hulls.offsets), axis=0)
    places = points[:, 0] + 1j * points[:, 1]
    after = places[following(hulls)]
    area = np.abs(sums((places.conj() * after).imag, hulls)) / 2
    perimeter = sums(np.abs(after - places), hulls)
    sides = [
        cv2.minAreaRect(np.asarray(hulls[number], np.float32).reshape(-1, 1, 2))[1]
        for number in range(len(hulls))
    ]
    rectangle = np.array(sides, np.float64).reshape(-1, 2).prod(axis=1)
    return area, perimeter, rectangle


def _ratio(
    above: NDArray[np.float64], below: NDArray[np.float64], otherwise: float
) -> NDArray[np.float64]:
    return np.divide(above, below, out=np.full_like(above, otherwise), where=below > 1e-6)


RATIOS = Descriptor(
    name="a",
    title="Simple ratios",
    definition="Eccentricity, circularity, solidity, convexity and rectangularity of a contour.",
    describe=simple_ratios,
    radius=1.0,
)
