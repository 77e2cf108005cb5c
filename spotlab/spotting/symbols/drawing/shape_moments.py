"""Moments of many contours at once, as complex numbers: invariants follow from them in one line."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.extras import cv2
from spotlab.geometry.outlines import Outlines

Complex = NDArray[np.complex128]
Number = TypeVar("Number", np.float64, np.complex128)

THIN = 200.0  # c11 of a rectangle of 2,400 to 1; what is thinner counts as a line
AREA_OF_CIRCLE = 1 / (2 * np.pi)  # c11 by area, the least that there is
LINE_OF_CIRCLE = 1 / (4 * np.pi**2)  # c11 by line, the most that a convex contour has


class ShapeMoments(NamedTuple):
    """Central moments c_pq = ∫ z^p conj(z)^q, z = x + iy, made independent of the size.

    Turning a shape by an angle multiplies c_pq by exp(i (p - q) angle), mirroring it at the x axis
    conjugates it (Flusser 2000), so that c11, the magnitudes of the others and products in which
    the angles cancel are invariant.

    Attributes
    ----------
    c11 : (P,) float
    c20, c21, c30 : (P,) complex
    """

    c11: Floats
    c20: Complex
    c21: Complex
    c30: Complex


def area_moments(contours: Outlines) -> ShapeMoments:
    """Compute moments of the area inside contours, divided by A^(1 + (p + q) / 2).

    Parameters
    ----------
    contours : Outlines

    Returns
    -------
    ShapeMoments
        As of a straight line with c11 = `THIN` for a contour that encloses next to nothing, and as
        of a circle for one that is a point.

    Examples
    --------
    >>> square = Outlines.of([[(0, 0), (2, 0), (2, 2), (0, 2)]])
    >>> round(float(area_moments(square).c11[0]) * 6, 6)
    1.0
    """
    rows = [_normal_moments(contours[number]) for number in range(len(contours))]
    xx, xy, yy, xxx, xxy, xyy, yyy = np.array(rows, np.float64).reshape(-1, 7).T
    c11, c20 = xx + yy, xx - yy + 2j * xy
    c21, c30 = xxx + xyy + 1j * (xxy + yyy), xxx - 3 * xyy + 1j * (3 * xxy - yyy)
    line = ~((c11 > 0) & (c11 < THIN))
    point = line & ~(np.ptp(contours.bounds.reshape(-1, 2, 2), axis=1).sum(axis=1) > 0)
    return ShapeMoments(
        np.where(point, AREA_OF_CIRCLE, np.where(line, THIN, c11)),
        np.where(point, 0, np.where(line, THIN, c20)),
        np.where(line, 0, c21),
        np.where(line, 0, c30),
    )


def line_moments(contours: Outlines) -> ShapeMoments:
    """Compute moments of contours as lines, in closed form, divided by L^(1 + p + q).

    Parameters
    ----------
    contours : Outlines

    Returns
    -------
    ShapeMoments
        c11 is 1 / 48 for a contour that runs forth and back along a straight line, 1 / (4 π²) for
        a circle and for a point.

    References
    ----------
    Lambert & Gao (1996), "Discrimination properties of invariants using the line moments of
    vectorized contours", ICPR.

    Examples
    --------
    >>> square = Outlines.of([[(0, 0), (2, 0), (2, 2), (0, 2)]])
    >>> round(float(line_moments(square).c11[0]) * 48, 9)
    1.0
    """
    filled = np.flatnonzero(np.diff(contours.offsets))
    points = contours.points[:, 0] + 1j * contours.points[:, 1]
    corner = np.zeros(len(contours), np.complex128)
    corner[filled] = points[contours.offsets[:-1][filled]]
    start = _moved(points, corner, contours)  # far from the origin digits get lost
    stop = start[next_points(contours)]
    weight = np.abs(stop - start)
    length = contour_sums(weight, contours)
    safe = np.where(length > 0, length, 1.0)
    centre = contour_sums(weight * (start + stop), contours) / 2 / safe
    means = _means(_moved(start, centre, contours), _moved(stop, centre, contours))
    c11, c20, c21, c30 = (
        contour_sums(weight * mean, contours) / safe**power
        for mean, power in zip(means, (3, 3, 4, 4), strict=True)
    )
    return ShapeMoments(np.where(length > 0, c11.real, LINE_OF_CIRCLE), c20, c21, c30)


def contour_sums(values: NDArray[Number], contours: Outlines) -> NDArray[Number]:
    """Sum values over the points of each contour.

    Parameters
    ----------
    values : (M,) float or complex
        One for each point.
    contours : Outlines

    Returns
    -------
    (P,) float or complex
        0 for a contour without points.

    Examples
    --------
    >>> contours = Outlines.of([[(0, 0), (1, 0)], [], [(5, 5)]])
    >>> contour_sums(np.array([1.0, 2.0, 4.0]), contours).tolist()
    [3.0, 0.0, 4.0]
    """
    totals = np.zeros(len(contours), values.dtype)
    filled = np.flatnonzero(np.diff(contours.offsets))
    if len(filled):
        totals[filled] = np.add.reduceat(values, contours.offsets[:-1][filled])
    return totals


def next_points(contours: Outlines) -> NDArray[np.int64]:
    """Number the point after each one; after a contour's last comes its first.

    Parameters
    ----------
    contours : Outlines
        Of M points.

    Returns
    -------
    (M,) int
    """
    after = np.arange(1, len(contours.points) + 1)
    filled = np.flatnonzero(np.diff(contours.offsets))
    after[contours.offsets[1:][filled] - 1] = contours.offsets[:-1][filled]
    return after


def _normal_moments(ring: Floats) -> list[float]:
    """OpenCV's nu20, nu11, nu02, nu30, nu21, nu12, nu03; all 0 without area."""
    if not len(ring):
        return [0.0] * 7
    # single precision and raw moments first: near the origin neither matters
    moments = cv2.moments((ring - ring[0]).astype(np.float32).reshape(-1, 1, 2))
    return list(moments.values())[17:]


def _moved(points: Complex, centres: Complex, contours: Outlines) -> Complex:
    return points - np.repeat(centres, np.diff(contours.offsets))


def _means(start: Complex, stop: Complex) -> tuple[Complex, Complex, Complex, Complex]:
    """Means along the sides of |z|², z², z² conj(z) and z³."""
    a, b, ab = start**2, stop**2, start * stop
    size = (np.abs(start) ** 2 + np.abs(stop) ** 2 + (start * stop.conj()).real) / 3
    skew = (
        a * (3 * start + stop).conj()
        + 2 * ab * (start + stop).conj()
        + b * (start + 3 * stop).conj()
    ) / 12
    return size.astype(np.complex128), (a + ab + b) / 3, skew, (a + b) * (start + stop) / 4
