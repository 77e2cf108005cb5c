"""Many contours at once, sampled evenly along their length and smoothed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.outlines import Outlines
from spotlab.spotting.symbols.drawing.shape_moments import Complex, next_points

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
