"""Many contours at once, sampled evenly along their length and smoothed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from spotlab.geometry.outlines import Outlines
from spotlab.spotting.symbols.drawing.shape_moments import Complex, following

PIECE = 512  # contours sampled at once: large drawings have tens of thousands


def pieces(contours: Outlines) -> Iterator[Outlines]:
    """The contours, a few hundred at a time and at least one piece, so that memory is bounded.

    Examples
    --------
    >>> [len(each) for each in pieces(Outlines.of([[(0, 0)]] * 1000))]
    [512, 488]
    """
    for start in range(0, max(len(contours), 1), PIECE):
        offsets = contours.offsets[start : start + PIECE + 1]
        yield Outlines(contours.points[offsets[0] : offsets[-1]], offsets - offsets[0])


def resampled(contours: Outlines, count: int) -> Complex:
    """Points at equal distances along each contour, its first point first.

    Returns
    -------
    (P, count) complex
        x + iy in px from the contour's first point; all 0 for a contour that is a point or has
        none.

    Examples
    --------
    >>> resampled(Outlines.of([[(0, 0), (2, 0), (2, 2), (0, 2)]]), 8).tolist()[0][:4]
    [0j, (1+0j), (2+0j), (2+1j)]
    """
    found = np.zeros((len(contours), count), np.complex128)
    filled = np.flatnonzero(np.diff(contours.offsets))
    if not len(filled):
        return found
    points = contours.points[:, 0] + 1j * contours.points[:, 1]
    steps = points[following(contours)] - points
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
    found[filled] = points[side] + steps[side] * (1 - share) - points[first][:, None]
    return found


def smoothed_spectrum(samples: Complex, width: float) -> Complex:
    """Fourier coefficients of closed curves after a Gaussian as wide as a share of their length.

    Parameters
    ----------
    samples : (P, N) complex
        Evenly spaced.
    width : float
        Standard deviation, as a share of the length.

    Returns
    -------
    (P, N) complex
        In the order of `numpy.fft.fft`.
    """
    turns = np.fft.fftfreq(samples.shape[1], 1 / samples.shape[1])
    blur = np.exp(-((2 * np.pi * width * turns) ** 2) / 2)
    return np.asarray(np.fft.fft(samples, axis=1) * blur)


def perimeters(contours: Outlines, count: int = 128, width: float = 0.01) -> NDArray[np.float64]:
    """(P,) lengths in px of the contours after smoothing.

    The steps from pixel to pixel are longer than the line that they follow, by up to 8 %, depending
    on its direction; smoothing takes that away.
    """
    found = []
    for piece in pieces(contours):
        curves = np.fft.ifft(smoothed_spectrum(resampled(piece, count), width), axis=1)
        found.append(np.abs(np.roll(curves, -1, axis=1) - curves).sum(axis=1))
    return np.concatenate(found)
