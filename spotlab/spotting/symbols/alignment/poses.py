"""Where a template might lie: poses from contours of like form, and from places of like strokes.

A pose is a row of x, y (px of the small page), turn (radians), the two logarithms of the scales
along the template's axes, and 1 or -1 where it is mirrored (x to -x) before.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats
from spotlab.extras import cv2
from spotlab.spotting.symbols.drawing.primitives import Primitives

SCALE = np.log(2.2)  # a symbol may be so much larger or smaller than its model
_FORM = 0.35  # by how much the logarithms of the ratios of the sides may differ,
_FRAME = 0.9  # and of contours that span the whole template, such as boxes that hold text
_FREE = np.log(6)  # the same of templates that have any length
LONGEST, SHORTEST = 4.0, 0.4  # as long as its model, a symbol that has any length may be
_LENGTHS = 64  # lengths that are tried between them
_WHOLE = 0.7  # of the largest contour's sides: from there on one spans the template
_FRAMES = 4  # of a template, the largest: small ones inside say little about where it lies
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


def poses_from_frames(
    ours: Floats, theirs: Floats, mirrors: Sequence[int] = (1, -1), is_free: bool = False
) -> Floats:
    """Lay rectangles around a template's contours onto those of the page with a like form.

    Parameters
    ----------
    ours : (P, 6) float
        Frames of the template, from its middle; the largest are used.
    theirs : (Q, 6) float
        Frames of the page.
    mirrors : sequence of int
        -1 for mirrored poses; 1 alone will do for templates that look the same in a mirror.
    is_free : bool
        Whether the template has any length, so that rectangles that span it need no like form.

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
    ours = ours[np.argsort(-ours[:, 2] * ours[:, 3], kind="stable")[:_FRAMES]]
    swapped = theirs[:, [0, 1, 3, 2, 4, 5]] + [0, 0, 0, 0, np.pi / 2, 0]
    both = np.concatenate([theirs, swapped])
    one, other = np.nonzero(_alike(ours, both, is_free))
    return np.concatenate(
        [_laid(ours[one], both[other], mirror, turn) for mirror in mirrors for turn in (0.0, np.pi)]
    )


def stretched_poses(poses: Floats, half: Floats, axis: int, end: int) -> Floats:
    """Move one end of a template to other lengths, while the other end stays.

    Parameters
    ----------
    poses : (N, 6) float
    half : (2,) float
        The halves of the template's sides, in small px.
    axis : {0, 1}
        The side that is stretched.
    end : {1, -1}
        Which of its ends moves.

    Returns
    -------
    (N, L, 6) float
        Lengths from `SHORTEST` to `LONGEST` of the template's own, and first the one it has.

    Examples
    --------
    >>> pose = np.array([[50.0, 20, 0, 0, 0, 1]])
    >>> longest = stretched_poses(pose, np.array([10.0, 4.0]), axis=0, end=1)[0, -1]
    >>> longest[[0, 3]].round(3).tolist()  # the left end stays at 40
    [80.0, 1.386]
    """
    scales = np.log(np.geomspace(SHORTEST, LONGEST, _LENGTHS))
    own = poses[:, 3 + axis, None]
    longer = np.concatenate([own, np.broadcast_to(scales, (len(poses), _LENGTHS))], axis=1)
    shift = end * half[axis] * (np.exp(longer) - np.exp(own))
    cosine, sine = np.cos(poses[:, 2:3]), np.sin(poses[:, 2:3])
    stretched = np.repeat(poses[:, None], _LENGTHS + 1, axis=1)
    stretched[:, :, 0] += shift * (cosine if axis == 0 else -sine)
    stretched[:, :, 1] += shift * (sine if axis == 0 else cosine)
    stretched[:, :, 3 + axis] = longer
    return stretched


def _alike(ours: Floats, theirs: Floats, is_free: bool) -> NDArray[np.bool_]:
    """(P, Q) whether rectangles are of like form and not too different in size."""
    across, down = (np.log(theirs[:, side] / ours[:, side, None]) for side in (2, 3))
    close = np.abs(across + down) < 2 * SCALE
    spans = (ours[:, 2:4] >= _WHOLE * ours[:, 2:4].max(0, initial=0)).all(1)
    close &= np.abs(across - down) < np.where(spans, _FRAME, _FORM)[:, None]
    if is_free:
        thin = np.minimum(np.abs(across), np.abs(down)) < SCALE / 2
        close |= spans[:, None] & thin & (np.abs(across - down) < _FREE)
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
