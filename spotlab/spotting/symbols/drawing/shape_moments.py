"""Moments and invariants of many contours at once, sampled evenly along their length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.extras import cv2
from spotlab.geometry.polygon import Outlines

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


CHUNK = 512  # contours sampled at once: large drawings have tens of thousands


def chunks(contours: Outlines) -> Iterator[Outlines]:
    """Split contours into chunks of a few hundred, so that memory is bounded.

    Parameters
    ----------
    contours : Outlines

    Yields
    ------
    Outlines
        At least one chunk, also without contours.

    Examples
    --------
    >>> [len(chunk) for chunk in chunks(Outlines.of([[(0, 0)]] * 1000))]
    [512, 488]
    """
    for start in range(0, max(len(contours), 1), CHUNK):
        offsets = contours.offsets[start : start + CHUNK + 1]
        yield Outlines(contours.points[offsets[0] : offsets[-1]], offsets - offsets[0])


def resample(contours: Outlines, count: int) -> Complex:
    """Sample points at equal distances along each contour, its first point first.

    Parameters
    ----------
    contours : Outlines
        In px.
    count : int
        Number of points.

    Returns
    -------
    (P, count) complex
        x + iy in px from the contour's first point; all 0 for a contour that is a point or has
        none.

    Examples
    --------
    >>> resample(Outlines.of([[(0, 0), (2, 0), (2, 2), (0, 2)]]), 8).tolist()[0][:4]
    [0j, (1+0j), (2+0j), (2+1j)]
    """
    samples = np.zeros((len(contours), count), np.complex128)
    filled = np.flatnonzero(np.diff(contours.offsets))
    if not len(filled):
        return samples
    points = contours.points[:, 0] + 1j * contours.points[:, 1]
    steps = points[next_points(contours)] - points
    distances = np.abs(steps)
    ends = np.cumsum(distances)
    first, last = contours.offsets[:-1][filled], contours.offsets[1:][filled] - 1
    begins = ends[first] - distances[first]
    lengths = ends[last] - begins
    wanted = begins[:, None] + lengths[:, None] * (np.arange(count) / count)
    side = np.searchsorted(ends, wanted.ravel(), side="right").reshape(wanted.shape)
    side = np.clip(side, first[:, None], last[:, None])
    back = ends[side] - wanted  # how far before the end of the side
    share = np.divide(back, distances[side], out=np.zeros_like(back), where=distances[side] > 0)
    samples[filled] = points[side] + steps[side] * (1 - share) - points[first][:, None]
    return samples


def smoothed_spectrum(samples: Complex, width: float) -> Complex:
    """Compute Fourier coefficients of closed curves that are smoothed by a Gaussian.

    Parameters
    ----------
    samples : (P, N) complex
        Evenly spaced.
    width : float
        Standard deviation of the Gaussian, as a share of the length.

    Returns
    -------
    (P, N) complex
        In the order of `numpy.fft.fft`.

    Examples
    --------
    >>> circle = np.exp(2j * np.pi * np.arange(8) / 8)[None]
    >>> np.abs(smoothed_spectrum(circle, width=0.1))[0, 1].round(2)
    np.float64(6.57)
    """
    turns = np.fft.fftfreq(samples.shape[1], 1 / samples.shape[1])
    blur = np.exp(-((2 * np.pi * width * turns) ** 2) / 2)
    return np.asarray(np.fft.fft(samples, axis=1) * blur)


def perimeters(contours: Outlines, count: int = 128, width: float = 0.01) -> NDArray[np.float64]:
    """Measure the lengths of contours after smoothing.

    Parameters
    ----------
    contours : Outlines
        In px.
    count : int
        Number of points sampled along each.
    width : float
        Standard deviation of the smoothing, as a share of the length.

    Returns
    -------
    (P,) float
        In px; 0 for a point.

    Notes
    -----
    The steps from pixel to pixel are longer than the line that they follow, by up to 8 %, depending
    on its direction; smoothing takes that away.

    Examples
    --------
    >>> perimeters(Outlines.of([[(0, 0), (100, 0), (100, 100), (0, 100)]])).round()
    array([390.])
    """
    lengths = []
    for chunk in chunks(contours):
        curves = np.fft.ifft(smoothed_spectrum(resample(chunk, count), width), axis=1)
        lengths.append(np.abs(np.roll(curves, -1, axis=1) - curves).sum(axis=1))
    return np.concatenate(lengths)


TINY = 1e-12


def hu_invariants(moments: ShapeMoments) -> Floats:
    """Compute Hu's invariants φ1 to φ7.

    Parameters
    ----------
    moments : ShapeMoments
        Of P contours.

    Returns
    -------
    (P, 7) float

    Notes
    -----
    With complex moments they are, after Hu (1962), eq. 59: φ1 = c11, φ2 = |c20|², φ3 = |c30|²,
    φ4 = |c21|², φ5 = Re(c30 conj(c21)³), φ6 = Re(c20 conj(c21)²), φ7 = Im(c30 conj(c21)³).
    Mirroring changes the sign of φ7 alone.

    References
    ----------
    Hu (1962), "Visual pattern recognition by moment invariants", IRE Trans. on Information Theory
    8, eq. 59; Flusser (2000), "On the independence of rotation moment invariants", Pattern
    Recognition 33.

    Examples
    --------
    >>> from spotlab.geometry.polygon import Outlines
    >>> from spotlab.spotting.symbols.drawing.shape_moments import line_moments
    >>> square = Outlines.of([[(0, 0), (2, 0), (2, 2), (0, 2)]])
    >>> (hu_invariants(line_moments(square)) * 48).round(9).tolist()
    [[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]
    """
    c11, c20, c21, c30 = moments
    product = c30 * c21.conj() ** 3
    return np.stack(
        [
            c11,
            np.abs(c20) ** 2,
            np.abs(c30) ** 2,
            np.abs(c21) ** 2,
            product.real,
            (c20 * c21.conj() ** 2).real,
            product.imag,
        ],
        axis=1,
    )


def comparable_invariants(invariants: Floats, circle: float) -> Floats:
    """Rescale Hu's invariants to a similar size, on which noise of the contour is even.

    Raw, they differ by orders of magnitude, and all of them grow without end for thin shapes. With
    σ = √φ1 as the unit of length, each of the others is a plain number, of the degree of which the
    root is taken; φ5, φ6 and φ7, in which several moments meet, are divided by them instead of
    having a root that would be infinitely steep at 0:

    1. ln(φ1 / φ1 of a circle), the only one without an upper limit,
    2. √φ2 / φ1, from 0 (round) to 1 (a line),
    3. √φ3 / φ1^1.5,
    4. √φ4 / φ1^1.5, the skewness,
    5. φ5 / (φ3 + φ4)^1.5 / φ1^1.5,
    6. φ6 / φ1⁴ / (√φ2 / φ1 + √φ4 / φ1^1.5)²,
    7. \\|φ7\\| / (φ3 + φ4)^1.5 / φ1^1.5, without the sign, which mirroring changes.

    Parameters
    ----------
    invariants : (P, 7) float
        φ1 above 0.
    circle : float
        φ1 of a circle.

    Returns
    -------
    (P, 7) float
        5, 6 and 7 are 0 where what they are divided by is.

    Examples
    --------
    >>> comparable_invariants(np.array([[0.5, 0.25, 0, 0, 0, 0, 0]]), circle=0.5)[0, :2]
    array([0., 1.])
    """
    first = invariants[:, 0]
    skewness = first**1.5
    axes = np.sqrt(invariants[:, 1]) / first
    skewed = np.sqrt(invariants[:, 2:4]) / skewness[:, None]
    both = (invariants[:, 2] + invariants[:, 3]) ** 1.5 * skewness
    mixed = first**4 * (axes + skewed[:, 1]) ** 2
    return np.column_stack(
        [
            np.log(first / circle),
            axes,
            skewed,
            _share(invariants[:, 4], both),
            _share(invariants[:, 5], mixed),
            np.abs(_share(invariants[:, 6], both)),
        ]
    )


def _share(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > TINY)
