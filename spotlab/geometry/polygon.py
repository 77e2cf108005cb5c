"""What can be asked of one polygon: area, bounds, convexity, whether it holds a point."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]


def as_points(points: ArrayLike) -> Points:
    """An (N, 2) float array of the points, without last points that repeat the first.

    Examples
    --------
    >>> as_points([(0, 0), (2, 0), (2, 1), (0, 0)]).tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]]

    Raises
    ------
    ValueError
        The points are not pairs of finite numbers.
    """
    array = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    if not np.isfinite(array).all():
        raise ValueError("coordinates have to be finite numbers")
    end = len(array)
    while end > 1 and (array[0] == array[end - 1]).all():  # all of them: doing it twice is the same
        end -= 1
    return array[:end]


def signed_area(points: Points) -> float:
    """Shoelace area in px², positive when the ring runs clockwise on the screen.

    Fewer than three points have area 0. A self-crossing ring counts its parts with their signs.

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
    """Area in px² that the ring encloses by the even-odd rule.

    A ring that crosses itself counts each enclosed place once; degenerate rings have area 0.

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
    """The shapely geometry of what the ring encloses by the even-odd rule; may be empty.

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
    """Whether the ring goes round every enclosed place once, and all in the same direction.

    True for simple rings and for those that touch themselves or join holes and parts by edges that
    run there and back; false for those that cross themselves or run round twice. Every way of
    filling, even-odd or non-zero, gives the same area then.

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
    """How often the ring runs round a place, clockwise on the screen counting as positive.

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
    """(left, top, right, bottom) in px.

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
    """Whether (x, y) lies inside by the even-odd rule; left and top edges count as inside.

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
    """Whether two edges meet elsewhere than at the corner they share.

    Fewer than four points never do.
    """
    return len(points) >= 4 and not bool(
        shapely.is_simple(shapely.linearrings(np.vstack([points, points[:1]])))
    )


def is_convex(points: Points) -> bool:
    """Whether the ring turns one way only, once around; straight angles are allowed.

    Fewer than three points, or points on a line, are not convex polygons.

    Examples
    --------
    >>> is_convex(as_points([(0, 0), (2, 0), (2, 2), (0, 2)]))
    True
    >>> is_convex(as_points([(0, 0), (2, 0), (1, 1), (2, 2), (0, 2)]))
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
    """Corners of the convex hull, clockwise on the screen, without points on its edges.

    Returns
    -------
    (M, 2) float
        Empty when the points do not span an area.

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
    """Width of the narrowest strip that the points fit into, in px; 0 for points on a line.

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


def centroid(points: Points) -> tuple[float, float]:
    """Centre of the enclosed area in px; of the points where the area is zero."""
    geometry = even_odd_geometry(points)
    if geometry.is_empty or geometry.area == 0:
        x, y = points.mean(axis=0)
        return float(x), float(y)
    return float(geometry.centroid.x), float(geometry.centroid.y)
