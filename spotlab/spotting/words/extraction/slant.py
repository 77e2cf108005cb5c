"""The slant of a page's writing, so that letters can be set upright."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2

_STEP = 0.1
_MAX = 1.5
_DETAIL = 5.0  # px that small letters are high where the slant is looked for
_BAND = 2.0  # heights of small letters


def page_slant(strokes: NDArray[np.uint8], unit: float) -> float:
    """Measure how many px strokes move to the right for each px that they rise.

    It is the slant under which the ink piles up most: strokes that are set upright make a few dark
    columns, leaning ones many pale ones. Measured is the sum of squares of column sums in bands
    about as high as letters.

    Parameters
    ----------
    strokes : (H, W) uint8
        1 where there is writing.
    unit : float
        Height of small letters in px.

    Returns
    -------
    float
        0 where there is no writing.

    References
    ----------
    Vinciarelli & Luettin (2001), "A new normalization technique for cursive handwritten words",
    Pattern Recognition Letters 22, who ask for whole columns likewise.

    Examples
    --------
    >>> page_slant(np.zeros((90, 90), np.uint8), 8)  # nothing leans
    0.0
    """
    scale = min(1.0, _DETAIL / unit)
    size = (max(1, round(strokes.shape[1] * scale)), max(1, round(strokes.shape[0] * scale)))
    dark = strokes.astype(np.float32)
    small = np.asarray(cv2.resize(dark, size, interpolation=cv2.INTER_AREA), np.float32)
    high = max(2, round(_BAND * unit * scale))
    slants = np.arange(round(-_MAX / _STEP), round(_MAX / _STEP) + 1) * _STEP
    piled = np.array([_piled(small, slant, high) for slant in slants])
    if not np.ptp(piled):
        return 0.0
    best = int(piled.argmax())
    if not 0 < best < len(piled) - 1:
        return float(slants[best])
    before, there, after = piled[best - 1 : best + 2]
    bend = before - 2 * there + after
    return float(slants[best] + (0.5 * (before - after) / bend if bend else 0) * _STEP)


def _piled(ink: NDArray[np.float32], slant: float, high: int) -> float:
    """Sum of squares of the columns of bands, once the ink is set upright."""
    height, width = ink.shape
    # each band is turned about its own middle, so that nothing leaves the page
    rows = height // high * high
    offset = np.rint(slant * (np.arange(high) - (high - 1) / 2)).astype(int)
    reach = int(np.abs(offset).max(initial=0))
    bands = np.pad(ink[:rows].reshape(-1, high, width), ((0, 0), (0, 0), (reach, reach)))
    columns = sum(
        bands[:, row, reach - shift : reach - shift + width] for row, shift in enumerate(offset)
    )
    return float(np.square(columns).sum())
