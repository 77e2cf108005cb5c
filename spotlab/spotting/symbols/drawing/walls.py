"""Parts symbols from the walls, counters and tables that they touch.

Ink that touches is one component, so that the outline of what stands at a wall is lost, though the
holes inside it are not. What holes of a limited size enclose together, with the ink around them but
without lines longer than the limit, is the symbol again, as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.ink import Ink
from spotlab.imaging.reading.conversion import row_bands
from spotlab.imaging.runs import Runs, concatenate_runs, runs_from_mask

Ring = NDArray[np.int32]


def part_from_walls(
    ink: Ink, holes: Sequence[Ring], pen: float, limits: Sequence[float]
) -> Iterator[Ink]:
    """Fill the shapes that holes up to a size enclose with their ink, for each limit of size.

    Parameters
    ----------
    ink : (H, W) bool
    holes : sequence of (N, 2) int
        The contours of all of its holes, in px.
    pen : float
        Width of a usual line in px.
    limits : sequence of float
        Rising: px, the larger side of the largest hole, and the length from which on a line that
        runs along or across the page belongs to a wall.

    Yields
    ------
    (H, W) bool

    Examples
    --------
    >>> ink = np.zeros((60, 80), bool)
    >>> ink[38:40] = True  # a wall, and a symbol at it
    >>> ink[10:40, 20:60] = True
    >>> ink[13:37, 23:57] = False
    >>> hole = np.array([(23, 13), (56, 13), (56, 36), (23, 36)], np.int32)
    >>> [shapes] = part_from_walls(ink, [hole], pen=3, limits=[45])
    >>> np.flatnonzero(shapes.any(0))[[0, -1]]
    array([21, 58])
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
    """Find all runs of ink that are longer than a limit.

    Parameters
    ----------
    ink : (H, W) uint8
        0 or 1.
    longer : float
        Limit in px.

    Examples
    --------
    >>> long_runs(np.array([[1, 1, 1, 0, 1]], np.uint8), longer=2).stops.tolist()
    [3]
    """
    height, width = ink.shape
    parts = []
    for top, bottom in row_bands(width, height):
        runs = runs_from_mask(ink[top:bottom].view(np.bool_), top)
        parts.append(runs[runs.stops - runs.starts > longer])
    return concatenate_runs(parts)
