"""Handwritten-looking digits: strokes with jitter, slant and blur, for trying out rankings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2, interpolate

SIDE = 28  # px, as MNIST's images
FINER = 4  # strokes are drawn so many times larger, then averaged

# each digit's strokes in a box from 0,0 (top left) to 1,1; smooth curves through these points
_STROKES: dict[int, tuple[tuple[tuple[float, float], ...], ...]] = {
    0: (((0.5, 0), (0.1, 0.25), (0.1, 0.75), (0.5, 1), (0.9, 0.75), (0.9, 0.25), (0.5, 0)),),
    1: (((0.5, 0), (0.5, 0.5), (0.5, 1)),),
    2: (((0.1, 0.2), (0.5, 0), (0.85, 0.25), (0.5, 0.65), (0.1, 0.95), (0.4, 0.9), (0.95, 1)),),
    3: (((0.1, 0.1), (0.6, 0), (0.8, 0.25), (0.4, 0.47), (0.9, 0.72), (0.55, 1), (0.05, 0.9)),),
    4: (((0.3, 0), (0.1, 0.3), (0.15, 0.55), (0.9, 0.55)), ((0.75, 0.05), (0.72, 0.5), (0.7, 1))),
    5: (((0.85, 0), (0.25, 0.02)),
        ((0.25, 0.02), (0.2, 0.4), (0.7, 0.45), (0.85, 0.75), (0.5, 1), (0.1, 0.9))),
    6: (((0.7, 0), (0.25, 0.4), (0.15, 0.8), (0.5, 1), (0.85, 0.75), (0.55, 0.55), (0.2, 0.75)),),
    7: (((0.05, 0.05), (0.5, 0.03), (0.9, 0.05)), ((0.9, 0.05), (0.55, 0.5), (0.4, 1))),
    8: (((0.8, 0.15), (0.4, 0), (0.25, 0.25), (0.75, 0.7), (0.5, 1), (0.2, 0.75), (0.6, 0.4),
         (0.8, 0.15)),),
    9: (((0.8, 0.25), (0.45, 0.05), (0.2, 0.3), (0.45, 0.5), (0.8, 0.25), (0.75, 0.6), (0.65, 1)),),
}  # fmt: skip


@dataclass(frozen=True)
class DigitHand:
    """Amounts of variation between the hands of different writers.

    Attributes
    ----------
    jitter : float
        Standard deviation of the points of a stroke, in heights of the digit.
    slant : float
        Standard deviation, in widths a height.
    stretch : float
        Standard deviation of width and height, as a share.
    thickness : (float, float)
        Of the pen, px, from and to.
    blur : float
        Standard deviation of the blur, px.
    """

    jitter: float = 0.06
    slant: float = 0.25
    stretch: float = 0.15
    thickness: tuple[float, float] = (1.4, 3.6)
    blur: float = 0.5


def draw_digits(
    per_digit: int, seed: int, hand: DigitHand | None = None
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Draw every digit so many times.

    Parameters
    ----------
    per_digit : int
        Number of images of each digit.
    seed : int
        The same seed draws the same images.
    hand : DigitHand, optional

    Returns
    -------
    images : (10 · per_digit, 28, 28) uint8
        255 is ink, as in MNIST.
    labels : (10 · per_digit,) int
        In the order of the digits.

    Examples
    --------
    >>> images, labels = draw_digits(2, seed=1)
    >>> images.shape, labels[:3]
    ((20, 28, 28), array([0, 0, 1]))
    """
    random = np.random.default_rng(seed)
    hand = hand or DigitHand()
    labels = np.repeat(np.arange(10), per_digit)
    images = [_draw(int(digit), hand, random) for digit in labels]
    return np.stack(images) if images else np.zeros((0, SIDE, SIDE), np.uint8), labels


def _draw(digit: int, hand: DigitHand, random: np.random.Generator) -> NDArray[np.uint8]:
    size = 20 * np.clip(1 + hand.stretch * random.normal(size=2), 0.4, 1.3) * (0.75, 1)
    slant = hand.slant * random.normal()
    shift = random.normal(scale=0.7, size=2)
    thickness = max(1, round(FINER * random.uniform(*hand.thickness)))
    canvas = np.zeros((SIDE * FINER, SIDE * FINER), np.uint8)
    for stroke in _STROKES[digit]:
        points = np.array(stroke) + hand.jitter * random.normal(size=(len(stroke), 2))
        points -= 0.5
        points[:, 0] -= slant * points[:, 1]
        curve = _smooth(points * size + SIDE / 2 + shift) * FINER
        cv2.polylines(canvas, [np.rint(curve).astype(np.int32)], False, 255, thickness, cv2.LINE_AA)
    small = cv2.resize(canvas, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), hand.blur), dtype=np.uint8)


def _smooth(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """(40, 2) a smooth curve through the points."""
    steps = np.arange(len(points))
    spline = interpolate.make_interp_spline(steps, points, k=min(3, len(points) - 1))
    return np.asarray(spline(np.linspace(0, len(points) - 1, 40)))
