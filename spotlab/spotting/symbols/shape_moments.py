"""Moments of many contours at once, as complex numbers: invariants follow from them in one line."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.outlines import Outlines

Complex = NDArray[np.complex128]
Number = TypeVar("Number", np.float64, np.complex128)

THINNEST = 1e-4  # of the squared length; a contour with less area inside counts as a line


class ShapeMoments(NamedTuple):
    """Central moments c_pq = ∫ z^p conj(z)^q, z = x + iy, made independent of the size.

    Turning a shape by an angle multiplies c_pq by exp(i (p - q) angle), mirroring it at the x axis
    conjugates it (Flusser 2000), so that c11, the magnitudes of the others and products in which
    the angles cancel are invariant.
    """

    c11: NDArray[np.float64]
    c20: Complex
    c21: Complex
    c30: Complex


def area_moments(contours: Outlines) -> ShapeMoments:
    """Moments of the area inside, by Green's theorem: exact for polygons.

    Normalised by A^(1 + (p + q) / 2), so that c11 is 1 / (2 π) for a circle and more for all else.

    Returns
    -------
    ShapeMoments
        (P,) each. A contour that encloses next to nothing gets those of a straight line with
        `THINNEST` of its squared length as area, one that is a point too.

    Examples
    --------
    >>> square = Outlines.of([[(0, 0), (2, 0), (2, 2), (0, 2)]])
    >>> round(float(area_moments(square).c11[0]) * 6, 9)
    1.0
    """
    start, stop = _sides(contours)
    cross = (start.conj() * stop).imag  # twice the area between a side and the origin
    # of a homogeneous function of degree d, a triangle has 2 / (d + 2) times the mean on its side
    area = sums(cross, contours) / 2
    lengths = sums(np.abs(stop - start), contours)
    thin = np.abs(area) <= THINNEST * lengths**2
    safe = np.where(thin, 1.0, area)
    centre = sums(cross * (start + stop), contours) / 6 / safe
    start, stop = _moved(start, centre, contours), _moved(stop, centre, contours)
    cross = (start.conj() * stop).imag
    found = _means(start, stop)
    weights = (cross / 4, cross / 4, cross / 5, cross / 5)
    powers = (2.0, 2.0, 2.5, 2.5)
    turn = np.sign(safe)  # the other way round everything is negative
    size = np.abs(safe)
    whole = [
        np.where(thin, 0, turn * sums(weight * mean, contours) / size**power)
        for weight, mean, power in zip(weights, found, powers, strict=True)
    ]
    line = 1 / (48 * THINNEST)  # forth and back along half the length: c11 = A (L / 2)² / 12 / A²
    c11 = np.where(thin, line, whole[0].real)
    return ShapeMoments(c11, np.where(thin, line, whole[1]), whole[2], whole[3])


def line_moments(contours: Outlines) -> ShapeMoments:
    """Moments of the line itself, in closed form for each side (Lambert & Gao 1995).

    Normalised by L^(1 + p + q), so that c11 is 1 / (4 π²) for a circle, the largest that there is
    for a convex contour, and 1 / 48 for one that runs forth and back along a line.

    Returns
    -------
    ShapeMoments
        (P,) each; all 0 for a point.

    Examples
    --------
    >>> square = Outlines.of([[(0, 0), (2, 0), (2, 2), (0, 2)]])
    >>> round(float(line_moments(square).c11[0]) * 48, 9)
    1.0
    """
    start, stop = _sides(contours)
    weight = np.abs(stop - start)
    lengths = sums(weight, contours)
    safe = np.where(lengths > 0, lengths, 1.0)
    centre = sums(weight * (start + stop), contours) / 2 / safe
    start, stop = _moved(start, centre, contours), _moved(stop, centre, contours)
    found = _means(start, stop)
    whole = [
        sums(weight * mean, contours) / safe**power
        for mean, power in zip(found, (3, 3, 4, 4), strict=True)
    ]
    return ShapeMoments(whole[0].real, whole[1], whole[2], whole[3])


def hu_invariants(moments: ShapeMoments) -> NDArray[np.float64]:
    """(P, 7) Hu's invariants φ1 to φ7 (Hu 1962, eq. 59), written with complex moments.

    Examples
    --------
    >>> square = Outlines.of([[(0, 0), (2, 0), (2, 2), (0, 2)]])
    >>> (hu_invariants(area_moments(square)) * 6).round(9).tolist()
    [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]
    """
    c11, c20, c21, c30 = moments
    skewed = c30 * c21.conj() ** 3
    return np.stack(
        [
            c11,
            np.abs(c20) ** 2,
            np.abs(c30) ** 2,
            np.abs(c21) ** 2,
            skewed.real,
            (c20 * c21.conj() ** 2).real,
            skewed.imag,
        ],
        axis=1,
    )


def sums(values: NDArray[Number], contours: Outlines) -> NDArray[Number]:
    """(P,) sums over the points of each contour; 0 for one that has none."""
    found = np.zeros(len(contours), values.dtype)
    filled = np.flatnonzero(np.diff(contours.offsets))
    if len(filled):
        found[filled] = np.add.reduceat(values, contours.offsets[:-1][filled])
    return found


def following(contours: Outlines) -> NDArray[np.int64]:
    """(M,) number of the point after each one; after a contour's last comes its first."""
    after = np.arange(1, len(contours.points) + 1)
    filled = np.flatnonzero(np.diff(contours.offsets))
    after[contours.offsets[1:][filled] - 1] = contours.offsets[:-1][filled]
    return after


def _sides(contours: Outlines) -> tuple[Complex, Complex]:
    """Both ends of all sides, from the contour's first point: far off, digits get lost."""
    points = contours.points[:, 0] + 1j * contours.points[:, 1]
    filled = np.flatnonzero(np.diff(contours.offsets))
    first = np.zeros(len(contours), np.complex128)
    first[filled] = points[contours.offsets[:-1][filled]]
    points = _moved(points, first, contours)
    return points, points[following(contours)]


def _moved(points: Complex, centres: Complex, contours: Outlines) -> Complex:
    return points - np.repeat(centres, np.diff(contours.offsets))


def _means(start: Complex, stop: Complex) -> tuple[Complex, Complex, Complex, Complex]:
    """Means along the sides of |z|², z², z² conj(z) and z³."""
    a, b, ab = start**2, stop**2, start * stop
    across = start * stop.conj()
    round_ = (np.abs(start) ** 2 + np.abs(stop) ** 2 + across.real) / 3
    skew = (
        a * (3 * start + stop).conj()
        + 2 * ab * (start + stop).conj()
        + b * (start + 3 * stop).conj()
    ) / 12
    return round_.astype(np.complex128), (a + ab + b) / 3, skew, (a + b) * (start + stop) / 4
