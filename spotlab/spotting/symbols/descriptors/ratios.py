"""Method a: simple ratios of a contour, rough and tolerant."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from spotlab.arrays import Floats
from spotlab.extras import cv2
from spotlab.geometry.polygon import Outlines
from spotlab.spotting.symbols.drawing.contours import Primitives
from spotlab.spotting.symbols.drawing.shape_moments import (
    area_moments,
    contour_sums,
    next_points,
    perimeters,
)
from spotlab.spotting.symbols.voting.descriptor import Descriptor, Features

# on 24 floor plans, half of them worn, 95 % of the contours that are the same in another symbol of
# its kind are within, and 66 of about 600 others on a page: the most tolerant of the four
RADIUS = 0.23


def simple_ratios(primitives: Primitives) -> Features:
    """Compute five ratios of each contour, all from 0 to 1, so that none needs a scale.

    Parameters
    ----------
    primitives : Primitives

    Returns
    -------
    (P, 5) float
        1, 1, 0, 0, 0 for a contour without area, all 0 for a point. The smoothing that the length
        needs can make the fourth a little negative.

    Notes
    -----
    With area A, length P and principal second moments λ1 ≥ λ2 of the area:

    1. √(1 - λ2 / λ1), the eccentricity: 0 if round, 1 for a line,
    2. 1 - 4 π A / P², non-circularity,
    3. 1 - A / A of the convex hull, how much is concave,
    4. 1 - P of the convex hull / P, how much longer than necessary the contour is,
    5. 1 - A / A of the smallest rectangle around it, non-rectangularity.

    References
    ----------
    Stoyan & Stoyan (1994), Fractals, Random Shapes and Point Fields, ch. 8: reference 35 of Rusiñol
    & Lladós (2009).
    """
    contours = primitives.contours
    moments = area_moments(contours)
    around = np.abs(moments.c20)
    area, perimeter = primitives.moments[:, 0], perimeters(contours)
    hull_area, hull_perimeter, rectangle = _hull_sizes(primitives.hulls)
    return np.stack(
        [
            np.sqrt(np.clip(2 * around / (moments.c11 + around), 0, 1)),
            np.where(perimeter > 0, 1 - _ratio(4 * np.pi * area, perimeter**2, 0.0), 0.0),
            1 - _ratio(area, hull_area, 1.0),
            1 - _ratio(hull_perimeter, perimeter, 1.0),
            1 - _ratio(area, rectangle, 1.0),
        ],
        axis=1,
    )


def _hull_sizes(hulls: Outlines) -> tuple[Floats, Floats, Floats]:
    """Areas and perimeters of convex hulls, and areas of the smallest rectangles around them."""
    corners = np.repeat(hulls.bounds[:, :2], np.diff(hulls.offsets), axis=0)
    points = (hulls.points - corners) @ np.array([1, 1j])
    after = points[next_points(hulls)]
    area = np.abs(contour_sums((points.conj() * after).imag, hulls)) / 2
    perimeter = contour_sums(np.abs(after - points), hulls)
    local = (hulls.points - corners).astype(np.float32)
    offsets = hulls.offsets.tolist()
    sides = [cv2.minAreaRect(local[start:stop])[1] for start, stop in pairwise(offsets)]
    return area, perimeter, np.array(sides, np.float64).reshape(-1, 2).prod(axis=1)


def _ratio(above: Floats, below: Floats, otherwise: float) -> Floats:
    return np.divide(above, below, out=np.full_like(above, otherwise), where=below > 1e-6)


RATIOS = Descriptor(
    name="a",
    title="Simple ratios",
    definition="Eccentricity, circularity, convexity and rectangularity of a contour.",
    describe=simple_ratios,
    radius=RADIUS,
)
