"""Where a template might lie: poses from contours of like form, and from places of like strokes.

A pose is a row of x, y (px of the small page), turn (radians), the two logarithms of the scales
along the template's axes, and 1 or -1 where it is mirrored (x to -x) before.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.symbols.drawing.primitives import Primitives

Floats = NDArray[np.float64]

SCALE = np.log(2.2)  # a symbol may be so much larger or smaller than its model
_FORM = 0.35  # by how much the logarithms of the ratios of the sides may differ,
_FRAME = 0.9  # and of contours that span the whole template, such as boxes that hold text
_WHOLE = 0.7  # of the largest contour's sides: from there on one spans the template
_FILL = 0.2  # by how much the shares may differ that a contour fills of its rectangle


def contour_frames(primitives: Primitives) -> NDArray[np.float32]:
    """Fit the smallest rectangle around each contour.

    Parameters
    ----------
    primitives : Primitives

    Returns
    -------
    (P, 6) float32
        Centre x, y and sides in px, turn in radians, share of the rectangle that is filled.
    """
    frames = np.zeros((len(primitives), 6), np.float32)
    for number in range(len(primitives)):
        ring = primitives.contours[number].astype(np.float32).reshape(-1, 1, 2)
        (x, y), (width, height), angle = cv2.minAreaRect(ring)
        width, height = width + 1, height + 1
        share = cv2.contourArea(ring) / (width * height)
        frames[number] = x + 0.5, y + 0.5, width, height, np.deg2rad(angle), share
    return frames


def poses_from_frames(ours: Floats, theirs: Floats, mirrors: Sequence[int] = (1, -1)) -> Floats:
    """Lay rectangles around a template's contours onto those of the page with a like form.

    Parameters
    ----------
    ours : (P, 6) float
        Frames of the template, from its middle.
    theirs : (Q, 6) float
        Frames of the page.
    mirrors : sequence of int
        -1 for mirrored poses; 1 alone will do for templates that look the same in a mirror.

    Returns
    -------
    (N, 6) float
        Poses with x, y in px of the page.

    Examples
    --------
    >>> frame = np.array([[0.0, 0, 40, 20, 0, 1]])
    >>> there = np.array([[70.0, 50, 44, 22, 0, 1]])
    >>> poses_from_frames(frame, there, mirrors=[1])[0].round(2).tolist()
    [70.0, 50.0, 0.0, 0.1, 0.1, 1.0]
    """
    swapped = theirs[:, [0, 1, 3, 2, 4, 5]] + [0, 0, 0, 0, np.pi / 2, 0]
    both = np.concatenate([theirs, swapped])
    one, other = np.nonzero(_alike(ours, both))
    return np.concatenate(
        [_laid(ours[one], both[other], mirror, turn) for mirror in mirrors for turn in (0.0, np.pi)]
    )


def _alike(ours: Floats, theirs: Floats) -> NDArray[np.bool_]:
    """(P, Q) whether rectangles are of like form and not too different in size."""
    across, down = (np.log(theirs[:, side] / ours[:, side, None]) for side in (2, 3))
    close = np.abs(across + down) < 2 * SCALE
    spans = (ours[:, 2:4] >= _WHOLE * ours[:, 2:4].max(0, initial=0)).all(1)
    close &= np.abs(across - down) < np.where(spans, _FRAME, _FORM)[:, None]
    return np.asarray(close & (np.abs(theirs[:, 5] - ours[:, 5, None]) < _FILL))


def _laid(ours: Floats, theirs: Floats, mirror: float, turn: float) -> Floats:
    """Poses that lay each of our rectangles onto one of theirs."""
    scales = np.log(theirs[:, 2:4] / ours[:, 2:4])
    upright = np.mod(ours[:, 4] + 0.1, np.pi / 2) < 0.2
    scales[~upright] = scales[~upright].mean(1, keepdims=True)
    lying = upright & (np.mod(ours[:, 4] + np.pi / 4, np.pi) > np.pi / 2)
    scales[lying] = scales[lying, ::-1]
    angle = theirs[:, 4] - mirror * ours[:, 4] + turn
    x, y = mirror * ours[:, 0] * np.exp(scales[:, 0]), ours[:, 1] * np.exp(scales[:, 1])
    left = theirs[:, 0] - (np.cos(angle) * x - np.sin(angle) * y)
    top = theirs[:, 1] - (np.sin(angle) * x + np.cos(angle) * y)
    return np.stack([left, top, angle, *scales.T, np.full(len(angle), mirror)], 1)
