"""Boxes around the ink of words, with the room that people leave who draw them."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Boxes
from spotlab.spotting.words.extraction.text_size import HEIGHT

_MARGIN = np.array([-0.3, -0.3, 0.4, 0.6])  # in heights of small letters; they leave most below
# A box has so many times the area of the ink's at most: others draw no room, and would share less
# than half with a larger one. So .87 of the short words on pages 270 to 274 of George Washington's
# letters, where boxes are drawn loosely, share half, and .90 on synthetic ones, drawn tightly.
_LARGEST = 1.75


def with_room(ink: Boxes, reach: Boxes, pitch: float = np.inf) -> Boxes:
    """Boxes as people would draw them around ink.

    Parameters
    ----------
    ink : (N, 4) float
        left, top, right, bottom of the ink in px, small letters being `HEIGHT` px high; with area.
    reach : (N, 4) float
        What to leave room around: boxes that hold the ink, such as a line's height of it.
    pitch : float
        px from line to line, where text is dense: no box is higher, unless its ink is. Boxes are
        as many times as high as the ink there as a line is as high as they are.

    Returns
    -------
    (N, 4) float

    Examples
    --------
    >>> ink = np.array([[0.0, 0, 400, 20], [0, 0, 8, 8]])
    >>> boxes = with_room(ink, ink)
    >>> boxes[0].tolist()
    [-2.4, -2.4, 403.2, 24.8]
    >>> round(float(np.prod(boxes[1, 2:] - boxes[1, :2])), 6)  # instead of 211: 1.75 of 64
    112.0
    >>> with_room(ink[:1], ink[:1], pitch=23.6).round(1).tolist()
    [[-2.4, -0.6, 403.2, 21.2]]
    """
    sides = ink[:, 2:] - ink[:, :2]
    most = _within_line(ink, reach + _MARGIN * HEIGHT, pitch)
    more = most[:, 2:] - most[:, :2] - sides
    # the part f of the room with which (width + f more) (height + f more) is as large as allowed
    square, linear = more.prod(axis=1), (sides * more[:, ::-1]).sum(axis=1)
    constant = (_LARGEST - 1) * sides.prod(axis=1)
    part = 2 * constant / (np.sqrt(linear**2 + 4 * square * constant) + linear)
    return np.asarray(ink + (most - ink) * np.minimum(part, 1)[:, None])


def _within_line(ink: Boxes, most: Boxes, pitch: float) -> Boxes:
    """The boxes with most room, less above and below where lines are close.

    People draw at least the ink there and at most a line; halfway a box is as much like both.
    """
    high = ink[:, 3] - ink[:, 1]
    allowed = np.sqrt(high * np.maximum(pitch, high)) - high
    part = np.minimum(allowed / (most[:, 3] - most[:, 1] - high), 1)
    within = most.copy()
    for side in (1, 3):
        within[:, side] = ink[:, side] + (most[:, side] - ink[:, side]) * part
    return within
