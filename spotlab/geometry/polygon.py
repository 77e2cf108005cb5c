"""Properties of one polygon: area, bounds, convexity, whether it contains a point."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Points
from spotlab.libraries import shapely


def as_points(points: ArrayLike) -> Points:
    """Convert points to an array and open the ring: last points that repeat the first are dropped.

    Parameters
    ----------
    points : (N, 2) array_like
        x, y in px.

    Returns
    -------
    (M, 2) float

    Raises
    ------
    ValueError
        The points are not pairs of finite numbers.

    Examples
    --------
    >>> as_points([(0, 0), (2, 0), (2, 1), (0, 0)]).tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]]
    """
    array = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    if not np.isfinite(array).all():
        raise ValueError("coordinates have to be finite numbers")
    end = len(array)
    while end > 1 and (array[0] == array[end - 1]).all():  # all of them: doing it twice is the same
        end -= 1
    return array[:end]


def signed_area(points: Points) -> float:
    """Compute the shoelace area, positive for a ring that runs clockwise on the screen.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px.

    Returns
    -------
    float
        In px²; 0 for fewer than three points. The parts of a ring that crosses itself count with
        their signs.

    Examples
    --------
    >>> signed_area(as_points([(0, 0), (2, 0), (2, 1), (0, 1)]))
    2.0
    """
    if len(points) < 3:
        return 0.0
    x, y = (points - points[0]).T  # near the origin products stay exact
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def area(points: Points) -> float:
    """Compute the area that a ring encloses by the even-odd rule.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px.

    Returns
    -------
    float
        In px²; 0 for degenerate rings. A ring that crosses itself counts each enclosed place once.

    Examples
    --------
    >>> area(as_points([(0, 0), (2, 2), (2, 0), (0, 2)]))  # a bow-tie
    2.0
    """
    return (
        float(even_odd_geometry(points).area)
        if crosses_itself(points)
        else abs(signed_area(points))
    )


def even_odd_geometry(points: Points) -> Any:
    """Return what a ring encloses by the even-odd rule as a shapely geometry.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px.

    Returns
    -------
    shapely geometry
        Empty for fewer than three points and for points on a line.

    Examples
    --------
    >>> even_odd_geometry(as_points([(0, 0), (1, 0)])).is_empty
    True
    """
    if len(points) < 3:
        return shapely.Polygon()
    polygon = shapely.Polygon(points)
    if polygon.is_valid:
        return polygon
    # make_valid fills what a ring winds round twice, so the rule is applied to each face by itself
    faces, inner = _faces(points)
    odd = [contains(points, x, y) for x, y in inner]
    return shapely.union_all(faces[np.array(odd, dtype=bool)])


def winds_once(points: Points) -> bool:
    """Tell whether a ring goes round every enclosed place once, always in the same direction.

    True for simple rings and for those that touch themselves or join holes and parts by edges that
    run there and back; False for those that cross themselves or run round twice. Where it is True,
    the even-odd and the non-zero rule enclose the same area.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px.

    Returns
    -------
    bool

    Examples
    --------
    >>> winds_once(as_points([(0, 0), (2, 2), (2, 0), (0, 2)]))
    False
    """
    if not crosses_itself(points):
        return True
    _, inner = _faces(points)
    windings = {winding_number(points, x, y) for x, y in inner} - {0}
    return len(windings) <= 1 and windings <= {1, -1}


def winding_number(points: Points, x: float, y: float) -> int:
    """Count how often a ring runs round a place; clockwise on the screen is positive.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px.
    x, y : float
        The place in px.

    Returns
    -------
    int

    Examples
    --------
    >>> winding_number(as_points([(0, 0), (2, 0), (2, 2), (0, 2)] * 2), 1, 1)
    2
    """
    x1, y1 = points.T
    x2, y2 = np.roll(points, -1, axis=0).T
    spans = (y1 <= y) != (y2 <= y)
    x1, y1, x2, y2 = x1[spans], y1[spans], x2[spans], y2[spans]
    right = x < x1 + (y - y1) / (y2 - y1) * (x2 - x1)
    return int(np.where(y2 > y1, 1, -1)[right].sum())


def _faces(points: Points) -> tuple[Any, NDArray[np.float64]]:
    """The faces into which the ring cuts the plane, and a place inside each."""
    edges = shapely.union_all(shapely.linestrings(np.vstack([points, points[:1]])))
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(edges)))
    return faces, shapely.get_coordinates(shapely.point_on_surface(faces))


def bounds(points: Points) -> tuple[float, float, float, float]:
    """Return the bounding box of points.

    Parameters
    ----------
    points : (N, 2) float
        x, y in px.

    Returns
    -------
    left, top, right, bottom : float
        In px.

    Raises
    ------
    ValueError
        There are no points.
    """
    if len(points) == 0:
        raise ValueError("no points have no bounds")
    left, top = points.min(axis=0)
    right, bottom = points.max(axis=0)
    return float(left), float(top), float(right), float(bottom)


def contains(points: Points, x: float, y: float) -> bool:
    """Tell whether a place lies inside a ring by the even-odd rule.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px; fewer than three points contain nothing.
    x, y : float
        The place in px; left and top edges are inside.

    Returns
    -------
    bool

    Examples
    --------
    >>> square = as_points([(0, 0), (2, 0), (2, 2), (0, 2)])
    >>> contains(square, 1, 1), contains(square, 3, 1)
    (True, False)
    """
    if len(points) < 3:
        return False
    x1, y1 = points.T
    x2, y2 = np.roll(points, -1, axis=0).T
    spans = (y1 <= y) != (y2 <= y)
    if not spans.any():
        return False
    x1, y1, x2, y2 = x1[spans], y1[spans], x2[spans], y2[spans]
    return bool(np.count_nonzero(x < x1 + (y - y1) / (y2 - y1) * (x2 - x1)) % 2)


def crosses_itself(points: Points) -> bool:
    """Tell whether two edges of a ring meet elsewhere than at the corner they share.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px.

    Returns
    -------
    bool
        False for fewer than four points.
    """
    return len(points) >= 4 and not bool(
        shapely.is_simple(shapely.linearrings(np.vstack([points, points[:1]])))
    )


def centroid(points: Points) -> tuple[float, float]:
    """Return the centre of the enclosed area.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px, with at least one point.

    Returns
    -------
    x, y : float
        In px; the mean of the points where the area is zero.
    """
    geometry = even_odd_geometry(points)
    if geometry.is_empty or geometry.area == 0:
        x, y = points.mean(axis=0)
        return float(x), float(y)
    return float(geometry.centroid.x), float(geometry.centroid.y)
