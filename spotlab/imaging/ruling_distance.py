"""How far the lines of ruled paper are from each other."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats

CLOSEST, WIDEST = 7, 250  # px between two lines
PERIODIC = 0.2  # autocorrelation of rows from which they repeat


def ruling_distance(profiles: Floats) -> float | None:
    """Find the distance of ruled lines: the first lag at which rows of a page repeat themselves.

    Parameters
    ----------
    profiles : (S, H) float
        The share of each strip's rows that is ink.

    Returns
    -------
    float or None
        In px; None where nothing repeats.

    Examples
    --------
    >>> rows = np.zeros((1, 200))
    >>> rows[0, ::20] = 1
    >>> round(ruling_distance(rows))
    20
    """
    height = profiles.shape[1]
    longest = min(WIDEST, height // 3)
    if longest <= CLOSEST:
        return None
    rows = np.clip(profiles, 0, 1)
    smooth = _blurred(rows)
    smooth -= smooth.mean(axis=1, keepdims=True)
    whole = 1 << (2 * height - 1).bit_length()  # a length that is transformed fast
    spectrum = np.fft.rfft(smooth, whole, axis=1)
    power = np.fft.irfft((np.abs(spectrum) ** 2).sum(axis=0))[: longest + 2]
    lags = power / max(power[0], 1e-9) * height / (height - np.arange(longest + 2))
    tops = [
        lag
        for lag in range(CLOSEST, longest + 1)
        if lags[lag] >= max(lags[lag - 1], lags[lag + 1], PERIODIC)
    ]
    if not tops:
        return None
    best = max(lags[lag] for lag in tops)
    lag = next(lag for lag in tops if lags[lag] >= 0.75 * best or _repeats(lags[:-1], lag))
    left, middle, right = lags[lag - 1 : lag + 2]
    bend = left - 2 * middle + right
    return float(lag + (0.5 * (left - right) / bend if bend else 0.0))


def _repeats(lags: Floats, lag: int) -> bool:
    """Whether rows are alike at each multiple of a lag; those with writing may be more alike."""
    multiples = ((lag * n, 1 + n // 2) for n in range(1, (len(lags) - 1) // lag + 1))
    return all(lags[m - off : m + off + 1].max() >= PERIODIC for m, off in multiples)


def _blurred(rows: Floats) -> Floats:
    """Rows of profiles, smoothed by about a px."""
    padded = np.pad(rows, ((0, 0), (1, 1)), mode="edge")
    return np.asarray(0.25 * padded[:, :-2] + 0.5 * padded[:, 1:-1] + 0.25 * padded[:, 2:])
