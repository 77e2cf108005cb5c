"""Convex polygons and hulls."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Points
from spotlab.geometry.polygon import signed_area
from spotlab.libraries import shapely


def is_convex(points: Points) -> bool:
    """Tell whether a ring turns one way only, once around; straight angles are allowed.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px.

    Returns
    -------
    bool
        False for fewer than three points and for points on a line.

    Examples
    --------
    >>> is_convex(np.array([(0, 0), (2, 0), (2, 2), (0, 2)]))
    True
    >>> is_convex(np.array([(0, 0), (2, 0), (1, 1), (2, 2), (0, 2)]))
    False
    """
    if len(points) < 3 or signed_area(points) == 0:
        return False
    edges = np.roll(points, -1, axis=0) - points
    edges = edges[(edges != 0).any(axis=1)]
    following = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    dots = (edges * following).sum(axis=1)
    if not ((turns >= 0).all() or (turns <= 0).all()) or ((turns == 0) & (dots < 0)).any():
        return False
    return abs(float(np.arctan2(turns, dots).sum())) < 2 * np.pi + 0.1


def convex_hull(points: ArrayLike) -> Points:
    """Return the corners of the convex hull, clockwise on the screen, without points on its edges.

    Parameters
    ----------
    points : (N, 2) array_like
        x, y in px.

    Returns
    -------
    (M, 2) float
        The topmost, leftmost corner comes first. Empty if the points span no area.

    Examples
    --------
    >>> convex_hull([(0, 0), (2, 0), (1, 1), (2, 2), (0, 2)]).tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]
    >>> len(convex_hull([(0, 0), (1, 1), (2, 2)]))
    0
    """
    array = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    if len(array) < 3:
        return np.empty((0, 2))
    hull = shapely.convex_hull(shapely.multipoints(array))
    if hull.geom_type != "Polygon":
        return np.empty((0, 2))
    ring = shapely.get_coordinates(hull.exterior)[:-1]
    if signed_area(ring) < 0:
        ring = ring[::-1]
    first = int(np.lexsort((ring[:, 0], ring[:, 1]))[0])  # topmost, then leftmost, comes first
    return np.ascontiguousarray(np.roll(ring, -first, axis=0))


def min_width(points: ArrayLike) -> float:
    """Return the width of the narrowest strip that contains all points.

    Parameters
    ----------
    points : (N, 2) array_like
        x, y in px.

    Returns
    -------
    float
        In px; 0 for points on a line.

    Examples
    --------
    >>> min_width([(0, 0), (9, 9), (8, 10), (-1, 1)])  # doctest: +ELLIPSIS
    1.414...
    """
    hull = convex_hull(points)
    if not len(hull):
        return 0.0
    edges = np.roll(hull, -1, axis=0) - hull  # the strip lies along one of the hull's edges
    normals = np.column_stack([-edges[:, 1], edges[:, 0]]) / np.hypot(*edges.T)[:, None]
    return float(np.ptp(hull @ normals.T, axis=0).min())
