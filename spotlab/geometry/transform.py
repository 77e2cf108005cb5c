"""Move, rotate and scale points, and keep what moves on the page."""

from __future__ import annotations

import math

import numpy as np

from spotlab.arrays import Points

Bounds = tuple[float, float, float, float]
Size = tuple[int, int]


def translate(points: Points, dx: float, dy: float) -> Points:
    """Move points.

    Parameters
    ----------
    points : (N, 2) float
        x, y in px.
    dx, dy : float
        Distance to the right and down, in px.

    Returns
    -------
    (N, 2) float

    Examples
    --------
    >>> translate(np.array([[1.0, 2.0]]), 3, -1).tolist()
    [[4.0, 1.0]]
    """
    there: Points = points + np.array([dx, dy])
    return there


def rotate(points: Points, angle: float, about: tuple[float, float]) -> Points:
    """Rotate points about a place.

    Parameters
    ----------
    points : (N, 2) float
        x, y in px.
    angle : float
        In degrees, clockwise on the screen; quarter turns are exact.
    about : (float, float)
        x, y in px of the place that stays.

    Returns
    -------
    (N, 2) float

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
    """Scale points about a place.

    Parameters
    ----------
    points : (N, 2) float
        x, y in px.
    sx, sy : float
        Factors along x and y; a negative one mirrors.
    about : (float, float)
        x, y in px of the place that stays.

    Returns
    -------
    (N, 2) float

    Examples
    --------
    >>> scale(np.array([[2.0, 2.0]]), 2, 0.5, (1, 1)).tolist()
    [[3.0, 1.5]]
    """
    return (points - about) * (sx, sy) + about


def limit_step(bounds: Bounds, dx: float, dy: float, page_size: Size) -> tuple[float, float]:
    """Shorten a step so that bounds stay on the page.

    Parameters
    ----------
    bounds : (float, float, float, float)
        Left, top, right and bottom in px.
    dx, dy : float
        The step in px.
    page_size : (int, int)
        Width and height in px.

    Returns
    -------
    dx, dy : float
        In px. Bounds that reach beyond the page are brought back onto it; those that are larger
        than the page are put at its left or top edge.

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
    """Limit a factor so that a span stays on the page when scaled about a place.

    Parameters
    ----------
    low, high : float
        The span in px.
    factor : float
        The factor that is wanted; a negative one mirrors.
    about : float
        The place that stays, in px.
    size : float
        Width or height of the page in px.

    Returns
    -------
    float
        A factor of the same sign. Unchanged where ``about`` lies outside the page, where no factor
        is the limit.

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
