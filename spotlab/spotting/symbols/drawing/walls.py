"""Parts symbols from the walls, counters and tables that they touch.

Ink that touches is one component, so that the outline of what stands at a wall is lost, though the
holes inside it are not. What holes of a limited size enclose together, with the ink around them but
without lines longer than the limit, is the symbol again, as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from spotlab.imaging.conversion import row_bands
from spotlab.imaging.ink import Ink
from spotlab.imaging.runs import Runs, concatenate_runs, runs_from_mask

Ring = NDArray[np.int32]


def parted(ink: Ink, holes: Sequence[Ring], pen: float, limits: Sequence[float]) -> Iterator[Ink]:
    """For each limit, the filled shapes that holes up to that size enclose with their ink.

    Parameters
    ----------
    ink : (H, W) bool
    holes : sequence of (N, 2) int
        The contours of all of its holes, in px.
    pen : float
        How wide a usual line is, in px.
    limits : sequence of float
        Rising: px, the larger side of the largest hole, and the length from which on a line that
        runs along or across the page belongs to a wall.
    """
    sizes = np.array([max(cv2.boundingRect(hole)[2:]) for hole in holes], np.int64)
    reach = 2 * max(round(pen) - 1, 1) + 1
    drawn = ink.view(np.uint8)
    walls = [
        long_runs(drawn, limits[0]),
        long_runs(np.asarray(cv2.transpose(drawn), np.uint8), limits[0]),
    ]
    inside = np.zeros(ink.shape, np.uint8)
    below = 0.0
    for limit in limits:
        some = np.flatnonzero((sizes > below) & (sizes <= limit)).tolist()
        cv2.drawContours(inside, [holes[number][:, None] for number in some], -1, 1, cv2.FILLED)
        # how much is near, up to 255: unlike a dilation no slower where lines are wide
        shapes = cv2.boxFilter(
            inside, cv2.CV_8U, (reach, reach), normalize=False, borderType=cv2.BORDER_CONSTANT
        )
        cv2.min(shapes, drawn, dst=shapes)
        cv2.bitwise_or(shapes, inside, dst=shapes)
        for runs, image in zip(walls, (shapes, shapes.T), strict=True):
            wall = runs[runs.stops - runs.starts > limit]
            for row, start, stop in zip(wall.rows, wall.starts, wall.stops, strict=True):
                image[row, start:stop] = 0
        yield shapes.view(np.bool_)
        below = limit


def long_runs(ink: NDArray[np.uint8], longer: float) -> Runs:
    """All runs of ink that are longer than so many px."""
    height, width = ink.shape
    found = []
    for top, bottom in row_bands(width, height):
        runs = runs_from_mask(ink[top:bottom].view(np.bool_), top)
        found.append(runs[runs.stops - runs.starts > longer])
    return concatenate_runs(found)
