"""Descriptors of an outline: its curvature and ratios of its size."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from spotlab.arrays import Floats
from spotlab.extras import cv2
from spotlab.geometry.polygon import Outlines
from spotlab.spotting.symbols.drawing.contours import Primitives
from spotlab.spotting.symbols.drawing.shape_moments import (
    Complex,
    area_moments,
    chunks,
    contour_sums,
    next_points,
    perimeters,
    resample,
    smoothed_spectrum,
)
from spotlab.spotting.symbols.voting.descriptor import Descriptor, Features

SAMPLES = 128
WIDTH = 0.03  # of the smoothing, as a share of the length
HARMONICS = 16
SHARPEST = 0.75 * np.pi  # an inward turn; what turns more is the end of something thin
# on 24 floor plans, half of them worn, 84 % of the contours that are the same in another symbol of
# its kind are within, and 11 of about 600 others on a page
RADIUS_CURVATURE = 0.12


def curvature_spectrum(primitives: Primitives) -> Features:
    """Compute magnitudes of the Fourier coefficients of the curvature along contours.

    Parameters
    ----------
    primitives : Primitives

    Returns
    -------
    (P, 16) float
        \\|F_k\\| / √k; all 0 for a circle and for a point.

    Notes
    -----
    F_k = 1 / (2 π) ∮ κ(s) exp(-2 π i k s / L) ds for k = 1 … 16, where κ ds is the turn of the
    tangent of the smoothed contour. Starting elsewhere or turning the contour changes no magnitude,
    mirroring conjugates and negates the coefficients, L takes the size away. F_0 is the number of
    whole turns, 1 for all. Noise grows with k, and faster than shapes differ: hence √k below.

    References
    ----------
    Kauppinen, Seppänen & Pietikäinen (1995), "An experimental comparison of autoregressive and
    Fourier-based descriptors in 2D shape classification", IEEE PAMI 17(2): reference 17 of Rusiñol
    & Lladós (2009).
    """
    return np.concatenate([_spectrum(chunk) for chunk in chunks(primitives.contours)])


def _spectrum(contours: Outlines) -> Features:
    spectrum = smoothed_spectrum(resample(contours, SAMPLES), WIDTH)
    curves = np.fft.ifft(spectrum, axis=1)
    steps = np.roll(curves, -1, axis=1) - curves
    turns = _turns(curves, steps)
    lengths = np.abs(steps)
    whole = lengths.sum(axis=1, keepdims=True)
    before = np.cumsum(lengths, axis=1) - lengths
    where = np.divide(before, whole, out=np.zeros_like(before), where=whole > 0)
    wave = np.exp(-2j * np.pi * where)
    magnitudes = np.empty((len(contours), HARMONICS))
    running = np.where(whole > 0, turns, 0) / (2 * np.pi) + 0j
    for harmonic in range(HARMONICS):
        running *= wave
        magnitudes[:, harmonic] = np.abs(running.sum(axis=1))
    return magnitudes / np.sqrt(np.arange(1, HARMONICS + 1))


def _turns(curves: Complex, steps: Complex) -> Floats:
    """(P, N) angles by which the contour turns at each point, outward ones positive."""
    turns = np.angle(steps * np.roll(steps, 1, axis=1).conj())
    inside = (curves.conj() * np.roll(curves, -1, axis=1)).imag.sum(axis=1, keepdims=True)
    turns = np.where(inside < 0, -turns, turns)
    return np.asarray(np.where(turns < -SHARPEST, turns + 2 * np.pi, turns))


CURVATURE = Descriptor(
    name="d",
    title="Curvature spectrum",
    definition="Fourier magnitudes of the curvature along a contour.",
    describe=curvature_spectrum,
    radius=RADIUS_CURVATURE,
)


# on 24 floor plans, half of them worn, 95 % of the contours that are the same in another symbol of
# its kind are within, and 66 of about 600 others on a page: the most tolerant of the four
RADIUS_RATIOS = 0.23


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
    radius=RADIUS_RATIOS,
)
