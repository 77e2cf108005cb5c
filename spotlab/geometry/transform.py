"""Move, rotate and scale points, and keep what moves on the page."""

from __future__ import annotations

import math

import numpy as np

from spotlab.geometry.polygon import Points

Bounds = tuple[float, float, float, float]
Size = tuple[int, int]


def translate(points: Points, dx: float, dy: float) -> Points:
    """The points dx to the right and dy down, in px.

    Examples
    --------
    >>> translate(np.array([[1.0, 2.0]]), 3, -1).tolist()
    [[4.0, 1.0]]
    """
    there: Points = points + np.array([dx, dy])
    return there


def rotate(points: Points, angle: float, about: tuple[float, float]) -> Points:
    """The points turned by an angle in degrees, clockwise on the screen; quarter turns are exact.

    Examples
    --------
    >>> rotate(np.array([[2.0, 0.0]]), 90, (1, 0)).tolist()
    [[1.0, 1.0]]
    """
    quarters = angle / 90
    if quarters == int(quarters):
        cosine, sine = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarters) % 4]
    else:
        cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    turned: Points = (points - about) @ np.array([[cosine, sine], [-sine, cosine]]) + about
    return turned


def scale(points: Points, sx: float, sy: float, about: tuple[float, float]) -> Points:
    """The points drawn out from a place by a factor along x and one along y; below 0 mirrors.

    Examples
    --------
    >>> scale(np.array([[2.0, 2.0]]), 2, 0.5, (1, 1)).tolist()
    [[3.0, 1.5]]
    """
    return (points - about) * (sx, sy) + about


def limit_step(bounds: Bounds, dx: float, dy: float, page_size: Size) -> tuple[float, float]:
    """The part of a step that keeps the bounds on the page.

    Bounds that already reach beyond the page are brought back onto it; those that are larger than
    the page are put at its left or top edge.

    Examples
    --------
    >>> limit_step((10, 10, 30, 20), 100, -3, (50, 50))
    (20.0, -3.0)
    """
    left, top, right, bottom = bounds
    width, height = page_size
    return (
        float(max(-left, min(dx, width - right))),
        float(max(-top, min(dy, height - bottom))),
    )


def limit_factor(low: float, high: float, factor: float, about: float, size: float) -> float:
    """The part of a factor that keeps what spans low…high within 0…size when scaled about a place.

    Unchanged where the place itself is outside: no factor can be told to be the limit there.

    Examples
    --------
    >>> limit_factor(10, 20, 9, 10, 50)
    4.0
    """
    if not 0 <= about <= size:
        return factor
    limit = abs(factor)
    for reach in (low - about, high - about):
        towards = reach * factor
        if towards > 0:
            limit = min(limit, (size - about) / abs(reach))
        elif towards < 0:
            limit = min(limit, about / abs(reach))
    return math.copysign(limit, factor)
