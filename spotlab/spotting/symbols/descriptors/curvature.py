"""Method d: Fourier descriptors of the curvature along a contour."""

from __future__ import annotations

import numpy as np

from spotlab.spotting.symbols.arc_length import resampled, smoothed_spectrum
from spotlab.spotting.symbols.descriptor import Descriptor, Features
from spotlab.spotting.symbols.primitives import Primitives

SAMPLES = 128
WIDTH = 0.015  # of the smoothing, as a share of the length
HARMONICS = 16
SPREAD = 0.15  # typical standard deviation of a harmonic between the contours of floor plans
SHARPEST = 0.75 * np.pi  # an inward turn; what turns more is the end of something thin


def curvature_spectrum(primitives: Primitives) -> Features:
    """Magnitudes of the Fourier coefficients of the curvature as a function of arc length.

    F_k = 1 / (2 π) ∮ κ(s) exp(-2 π i k s / L) ds, k = 1 … 16, where κ ds is the turn of the
    tangent. Starting elsewhere or turning changes no magnitude, mirroring conjugates and negates
    the coefficients, L takes the size away. F_0 is the number of turns, the same for all.

    Returns
    -------
    (P, 16) float
        All 0 for a circle, and for a point.

    References
    ----------
    Kauppinen, Seppänen & Pietikäinen 1995, An experimental comparison of autoregressive and
    Fourier-based descriptors in 2D shape classification, IEEE PAMI 17(2): curvature Fourier.
    """
    spectrum = smoothed_spectrum(resampled(primitives.contours, SAMPLES), WIDTH)
    curves = np.fft.ifft(spectrum, axis=1)
    steps = np.roll(curves, -1, axis=1) - curves
    turns = np.angle(steps * np.roll(steps, 1, axis=1).conj())
    inside = (curves.conj() * np.roll(curves, -1, axis=1)).imag.sum(axis=1, keepdims=True)
    turns = np.where(inside < 0, -turns, turns)
    turns = np.where(turns < -SHARPEST, turns + 2 * np.pi, turns)
    lengths = np.abs(steps)
    whole = lengths.sum(axis=1, keepdims=True)
    before = np.cumsum(lengths, axis=1) - lengths
    where = np.divide(before, whole, out=np.zeros_like(before), where=whole > 0)
    turns = np.where(whole > 0, turns, 0)
    turn = np.exp(-2j * np.pi * where)
    wave, found = turn, np.empty((len(primitives), HARMONICS))
    for harmonic in range(HARMONICS):
        found[:, harmonic] = np.abs((turns * wave).sum(axis=1)) / (2 * np.pi)
        wave = wave * turn
    return found / SPREAD


CURVATURE = Descriptor(
    name="d",
    title="Curvature spectrum",
    definition="Fourier magnitudes of the curvature along a contour.",
    describe=curvature_spectrum,
    radius=1.0,
)
