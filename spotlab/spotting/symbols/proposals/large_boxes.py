"""Large boxes between two long lines, such as the pools and lanes of diagrams drawn by hand.

Such lines are crossed by arrows, bent, broken and open at the corners: what they enclose is no
closed contour. Lines are found first, each as the best path through the ink from side to side;
every two that run beside each other then bound a box.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.geometry.polygon import Outlines
from spotlab.geometry.primitives import box
from spotlab.imaging.ink import Ink

LINES = 8  # level lines, and as many upright ones, that bound boxes
_SIDE = 1000  # px of the longer side of the small page
_RUN = 8  # small px of ink in a row: fewer are no piece of a line
_STEP = 8  # small px along a line in which it rises or falls by one at most
_GAP = 0.3  # share of ink in a step below which a path gets worse
_LONG = 0.15  # of the page: the least ink of a line, less what its gaps cost
_OWN, _NEAR = 2, 6  # rows on either side that are a line's own, and those that are near it
_CROWDED = 1.3  # times the share of ink in near rows, by which a path gets worse: it is lettering
_BESIDE = 4  # small px on either side of a line that belong to it
_BENT = 0.9  # of the ink beside a row that counts for it: lines bend within a step
_SHARED = 0.5  # of the length of both together, that two lines run beside each other


class LongLine(NamedTuple):
    """A level line: where it starts and ends, and its mean height."""

    start: float
    end: float
    height: float


def find_large_boxes(ink: Ink) -> Outlines:
    """Find the upright boxes between every two long lines that run beside each other.

    Parameters
    ----------
    ink : (H, W) bool
        The page's.

    Returns
    -------
    Outlines
        In px; of at most `LINES` level lines and as many upright ones. None without long lines.

    Examples
    --------
    >>> ink = np.zeros((300, 400), bool)
    >>> ink[[50, 150, 250], 40:360] = True
    >>> ink[:, 200:220] = False  # gaps
    >>> find_large_boxes(ink).bounds.round(-1).tolist()
    [[40.0, 50.0, 360.0, 150.0], [40.0, 50.0, 360.0, 250.0], [40.0, 150.0, 360.0, 250.0]]
    """
    factor = max(max(ink.shape) / _SIDE, 1.0)
    height, width = (int(side / factor) for side in ink.shape)
    if min(height, width) < 2 * _STEP:
        return Outlines.of([])
    full = ink.view(np.uint8) * np.uint8(255)
    small = (cv2.resize(full, (width, height), interpolation=cv2.INTER_AREA) > 0).view(np.uint8)
    found, scale = [], np.array([ink.shape[1] / width, ink.shape[0] / height])
    for turned in (False, True):
        lines = long_lines(small.T if turned else small)
        for one, other in combinations(sorted(lines, key=lambda line: line.height), 2):
            start, end = min(one.start, other.start), max(one.end, other.end)
            shared = min(one.end, other.end) - max(one.start, other.start)
            if shared >= _SHARED * (end - start):
                corners = np.array([(start, one.height), (end, other.height)])
                corners = corners[:, ::-1] if turned else corners
                found.append(box(*(corners * scale).ravel().tolist()))
    return Outlines.of(found)


def long_lines(ink: NDArray[np.uint8]) -> list[LongLine]:
    """Find the lines from left to right that have most ink, the best first, each by Viterbi's path.

    Parameters
    ----------
    ink : (H, W) uint8
        1 where there is ink, at a size at which lines are a few px wide.

    Returns
    -------
    list of LongLine
        In px; `LINES` at most.

    Examples
    --------
    >>> ink = np.zeros((100, 200), np.uint8)
    >>> ink[40, 16:184] = 1
    >>> long_lines(ink)
    [LongLine(start=16, end=184, height=40.5)]
    """
    height, width = ink.shape
    steps = width // _STEP
    pieces = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((1, _RUN), np.uint8))
    share = _shares(np.asarray(pieces, np.uint8), steps)
    beside = np.pad(share, ((0, 0), (1, 1)))
    gain = np.minimum(share + _BENT * np.maximum(beside[:, :-2], beside[:, 2:]), 1) - _GAP
    own, wide = (2 * rows + 1 for rows in (_OWN, _NEAR))
    all_ink = _shares(ink, steps)
    around = cv2.blur(all_ink, (wide, 1)) * wide - cv2.blur(all_ink, (own, 1)) * own
    gain -= _CROWDED * around / (wide - own)
    lines: list[LongLine] = []
    while len(lines) < LINES:
        best = np.zeros((steps + 1, height + 2), np.float32)  # of paths that end in each row
        before = np.zeros((steps, height), np.int64)
        for step in range(steps):
            three = np.stack([best[step, by : by + height] for by in (1, 0, 2)])
            before[step] = three.argmax(0)
            best[step + 1, 1:-1] = np.maximum(three.max(0) + gain[step], 0)
        end, row = (int(at) for at in np.unravel_index(best.argmax(), best.shape))
        if best[end, row] * _STEP < _LONG * width:
            break
        step, rows = end, []
        while best[step, row] > 0:
            step, row = step - 1, row - 1
            rows.append(row)
            gain[step, max(row - _BESIDE, 0) : row + _BESIDE + 1] = -_GAP
            row += (1, 0, 2)[before[step, row]]
        lines.append(LongLine(step * _STEP, end * _STEP, float(np.mean(rows)) + 0.5))
    return lines


def _shares(ink: NDArray[np.uint8], steps: int) -> NDArray[np.float32]:
    """(S, H) the shares of ink in each step of each row."""
    parts = ink[:, : steps * _STEP].reshape(len(ink), steps, _STEP)
    return np.ascontiguousarray(parts.mean(2, dtype=np.float32).T)
