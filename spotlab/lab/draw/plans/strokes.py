"""Pen strokes as arrays of points: what every drawing is made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Points

STEP = 7.5  # degrees between two points of an arc


class Rect(NamedTuple):
    """An upright rectangle, in whatever unit its user has."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Extent along x."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Extent along y."""
        return self.bottom - self.top

    def overlaps(self, other: Rect) -> bool:
        """Tell whether the two share an area; touching edges do not count."""
        return (
            self.left < other.right - 1e-6
            and other.left < self.right - 1e-6
            and self.top < other.bottom - 1e-6
            and other.top < self.bottom - 1e-6
        )

    def holds(self, other: Rect) -> bool:
        """Tell whether the other lies inside or on the border."""
        return (
            self.left <= other.left + 1e-6
            and self.top <= other.top + 1e-6
            and self.right >= other.right - 1e-6
            and self.bottom >= other.bottom - 1e-6
        )

    def grown(self, margin: float) -> Rect:
        """The rectangle with its edges moved outwards."""
        return Rect(
            self.left - margin, self.top - margin, self.right + margin, self.bottom + margin
        )


def path(*points: tuple[float, float]) -> Points:
    """A polyline through the points."""
    return np.array(points, dtype=np.float64)


def line(x1: float, y1: float, x2: float, y2: float) -> Points:
    """A straight stroke."""
    return path((x1, y1), (x2, y2))


def arc(
    x: float, y: float, rx: float, ry: float | None = None, *, start: float = 0, stop: float = 360
) -> Points:
    """Part of an ellipse around (x, y) with half axes rx and ry (a circle without ry).

    Angles in degrees, from the x axis towards y, that is clockwise on the screen.

    Examples
    --------
    >>> arc(0, 0, 2, start=0, stop=90)[[0, -1]].round(6).tolist()
    [[2.0, 0.0], [0.0, 2.0]]
    """
    angles = np.radians(np.linspace(start, stop, max(2, int(abs(stop - start) / STEP) + 1)))
    return np.column_stack(
        [x + rx * np.cos(angles), y + (rx if ry is None else ry) * np.sin(angles)]
    )


def box(x1: float, y1: float, x2: float, y2: float, radius: float = 0) -> Points:
    """A closed upright rectangle, with rounded corners if a radius is given.

    Examples
    --------
    >>> box(0, 0, 2, 1).tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0], [0.0, 0.0]]
    """
    if radius <= 0:
        return path((x1, y1), (x2, y1), (x2, y2), (x1, y2), (x1, y1))
    r = min(radius, (x2 - x1) / 2, (y2 - y1) / 2)
    corners = [
        arc(x1 + r, y1 + r, r, start=180, stop=270),
        arc(x2 - r, y1 + r, r, start=270, stop=360),
        arc(x2 - r, y2 - r, r, start=0, stop=90),
        arc(x1 + r, y2 - r, r, start=90, stop=180),
    ]
    ring = np.vstack(corners)
    return np.vstack([ring, ring[:1]])


def spokes(x: float, y: float, inner: float, outer: float, count: int) -> tuple[Points, ...]:
    """Strokes away from a centre, evenly around it."""
    angles = np.arange(count) * 2 * np.pi / count
    return tuple(
        line(x + inner * c, y + inner * s, x + outer * c, y + outer * s)
        for c, s in zip(np.cos(angles), np.sin(angles), strict=True)
    )


def rungs(x1: float, y1: float, x2: float, y2: float, count: int) -> tuple[Points, ...]:
    """Strokes along x that divide the height of a box into ``count`` parts."""
    return tuple(line(x1, y, x2, y) for y in np.linspace(y1, y2, count + 1)[1:-1])


def posts(x1: float, y1: float, x2: float, y2: float, count: int) -> tuple[Points, ...]:
    """Strokes along y that divide the width of a box into ``count`` parts."""
    return tuple(line(x, y1, x, y2) for x in np.linspace(x1, x2, count + 1)[1:-1])


def turned(
    points: ArrayLike, degrees: float, x: float = 0, y: float = 0, mirrored: bool = False
) -> Points:
    """Mirror at the y axis if wanted, turn clockwise on the screen, then move by (x, y).

    Examples
    --------
    >>> turned([(0, -1)], 90, 5, 5).round(6).tolist()
    [[6.0, 5.0]]
    """
    array = np.array(points, dtype=np.float64).reshape(-1, 2)
    if mirrored:
        array[:, 0] *= -1
    angle = np.radians(degrees)
    c, s = np.cos(angle), np.sin(angle)
    if degrees % 90 == 0:  # no crumbs of rounding on right angles
        c, s = np.round(c), np.round(s)
    return np.column_stack(
        [c * array[:, 0] - s * array[:, 1] + x, s * array[:, 0] + c * array[:, 1] + y]
    )
