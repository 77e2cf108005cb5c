"""A nib on paper: strokes as ink, broad where the pen is pressed down, thin where it goes up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.extras import cv2
from spotlab.lab.draw.manuscript.hand import LetterHand
from spotlab.libraries import ndimage

FINE = 3  # how many times finer than the page strokes are drawn
_FRACTION = 4  # binary digits behind the point that the drawing is exact to


@dataclass(frozen=True, eq=False)
class Blot:
    """Ink somewhere on a page.

    Attributes
    ----------
    left, top : int
        Where its upper left corner is on the page.
    ink : (h, w) uint8
        How much of each pixel is ink, 0 to 255.
    """

    left: int
    top: int
    ink: NDArray[np.uint8]


def lay_ink(
    strokes: Sequence[Points], hand: LetterHand, unit: float, wet: float, rng: np.random.Generator
) -> Blot:
    """Ink of strokes.

    Parameters
    ----------
    strokes : sequence of (K, 2) float
        Where the pen goes on the page, in px.
    unit : float
        A ninth of the height of small letters, in px.
    wet : float
        How much ink the pen holds, 0 to 1.
    """
    every = np.vstack(strokes)
    margin = int(np.ceil(hand.thick * unit)) + 2
    left, top = (np.floor(every.min(axis=0)).astype(int) - margin).tolist()
    right, bottom = (np.ceil(every.max(axis=0)).astype(int) + margin).tolist()
    canvas = np.zeros((FINE * (bottom - top), FINE * (right - left)), np.uint8)
    for stroke in strokes:
        widths, greys = _pressed(stroke, hand, unit, wet, rng)
        places = ((stroke - (left, top)) * FINE * 2**_FRACTION).round().astype(int).tolist()
        for start, stop, width, grey in zip(places, places[1:], widths, greys, strict=False):
            cv2.line(canvas, start, stop, grey, width, cv2.LINE_8, _FRACTION)
    size = (right - left, bottom - top)
    return Blot(left, top, np.asarray(cv2.resize(canvas, size, interpolation=cv2.INTER_AREA)))


def _pressed(
    stroke: Points, hand: LetterHand, unit: float, wet: float, rng: np.random.Generator
) -> tuple[list[int], list[int]]:
    """Width (in fine px) and darkness of the pen at each point of a stroke."""
    moves = np.diff(stroke, axis=0, append=stroke[-1:] * 2 - stroke[-2:-1])
    moves /= np.maximum(np.hypot(*moves.T), 1e-9)[:, None]
    lean = hand.slant * 0.6
    down = np.maximum(moves @ (np.array([-lean, 1.0]) / np.hypot(lean, 1)), 0)
    pressure = ndimage.gaussian_filter1d(down**1.6, max(1.0, unit * 0.8), mode="nearest")
    count = len(stroke)
    strength = 1 + 0.16 * _slow_noise(count, 14 * unit, rng)
    width = (hand.thin + (hand.thick - hand.thin) * pressure) * strength
    # the pen comes down and leaves with little pressure
    end = np.minimum(np.arange(count), np.arange(count)[::-1]) / max(1.0, 1.8 * unit)
    width *= 0.6 + 0.4 * np.minimum(end, 1)
    darkness = wet * (0.8 + 0.25 * pressure) + 0.1 * _slow_noise(count, 9 * unit, rng)
    widths = np.maximum(1, np.round(width * unit * FINE)).astype(int)
    return widths.tolist(), np.clip(255 * darkness, 110, 255).astype(int).tolist()


def _slow_noise(count: int, period: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Noise of unit strength that changes over about this many points."""
    knots = rng.normal(0, 1, int(count / period) + 3)
    return np.interp(np.arange(count) / period + rng.uniform(0, 1), np.arange(len(knots)), knots)
