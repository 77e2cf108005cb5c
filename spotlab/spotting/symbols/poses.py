"""Where a template might lie: poses from contours of like form, and from places of like strokes.

A pose is a row of x, y (px of the small page), turn (radians), the two logarithms of the scales
along the template's axes, and 1 or -1 where it is mirrored (x to -x) before.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.spotting.symbols.primitives import Primitives

Floats = NDArray[np.float64]

SCALE = np.log(2.2)  # a symbol may be so much larger or smaller than its model
_FORM = 0.35  # by how much the logarithms of the ratios of the sides may differ
_FILL = 0.2  # by how much the shares may differ that a contour fills of its rectangle


def frames(primitives: Primitives) -> NDArray[np.float32]:
    """(P, 6) the smallest rectangles around contours: centre x, y, sides, turn, share filled."""
    found = np.zeros((len(primitives), 6), np.float32)
    for number in range(len(primitives)):
        ring = primitives.contours[number].astype(np.float32).reshape(-1, 1, 2)
        (x, y), (width, height), angle = cv2.minAreaRect(ring)
        width, height = width + 1, height + 1
        share = cv2.contourArea(ring) / (width * height)
        found[number] = x + 0.5, y + 0.5, width, height, np.deg2rad(angle), share
    return found


def from_frames(ours: Floats, theirs: Floats) -> Floats:
    """(N, 6) the poses that lay one of our contours' rectangles onto one of the page's.

    Parameters
    ----------
    ours : (P, 6) float
        Frames of the template, from its middle.
    theirs : (Q, 6) float
        Frames of the page.

    Returns
    -------
    (N, 6) float
        Poses with x, y in px of the page.
    """
    poses = [np.zeros((0, 6))]
    swapped = theirs[:, [0, 1, 3, 2, 4, 5]] + [0, 0, 0, 0, np.pi / 2, 0]
    for frame in ours:
        for page in (theirs, swapped):
            like = _alike(frame, page)
            for mirror in (1.0, -1.0):
                for turn in (0.0, np.pi):
                    poses.append(_laid(frame, page[like], mirror, turn))
    return np.concatenate(poses)


def _alike(frame: Floats, page: Floats) -> NDArray[np.bool_]:
    scales = np.log(page[:, 2:4] / frame[2:4])
    close = np.abs(scales.mean(1)) < SCALE
    close &= np.abs(scales[:, 0] - scales[:, 1]) < _FORM
    return np.asarray(close & (np.abs(page[:, 5] - frame[5]) < _FILL))


def _laid(frame: Floats, page: Floats, mirror: float, turn: float) -> Floats:
    scales = np.log(page[:, 2:4] / frame[2:4])
    aligned = np.mod(frame[4] + 0.1, np.pi / 2) < 0.2
    if not aligned:
        scales[:] = scales.mean(1, keepdims=True)
    elif np.mod(frame[4] + np.pi / 4, np.pi) > np.pi / 2:
        scales = scales[:, ::-1]
    angle = page[:, 4] - mirror * frame[4] + turn
    x, y = mirror * frame[0] * np.exp(scales[:, 0]), frame[1] * np.exp(scales[:, 1])
    left = page[:, 0] - (np.cos(angle) * x - np.sin(angle) * y)
    top = page[:, 1] - (np.sin(angle) * x + np.cos(angle) * y)
    return np.stack([left, top, angle, *scales.T, np.full(len(page), mirror)], 1)
