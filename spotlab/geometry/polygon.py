"""Properties of one polygon, and points moved, turned and scaled."""

from __future__ import annotations

import math
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Frame:
    """A rectangle that may be rotated, such as a box or the frame of an ellipse.

    Attributes
    ----------
    x, y : float
        Centre in px.
    width, height : float
        Sides in px.
    angle : float
        In degrees, clockwise on the screen.
    """

    x: float
    y: float
    width: float
    height: float
    angle: float = 0.0

    def point_at(self, across: float, down: float) -> tuple[float, float]:
        """Return the place at shares of the half sides from the centre.

        Parameters
        ----------
        across, down : float
            Shares of the half sides: (-1, -1) is the first corner, (0, 0) the centre.

        Returns
        -------
        x, y : float
            In px.

        Examples
        --------
        >>> Frame(5, 5, 4, 2).point_at(1, -1)
        (7.0, 4.0)
        """
        place = np.array([[self.x + across * self.width / 2, self.y + down * self.height / 2]])
        x, y = rotate(place, self.angle, (self.x, self.y))[0]
        return float(x), float(y)

    def drag(self, across: int, down: int, to: tuple[float, float]) -> Frame:
        """Move one of the eight handles; what is opposite stays in place.

        Parameters
        ----------
        across, down : {-1, 0, 1}
            The handle: a corner, or the middle of a side where one of them is 0.
        to : (float, float)
            Where the handle goes: x, y in px. The middle of a side only moves away from the
            opposite side or towards it.

        Returns
        -------
        Frame
            With the same angle.

        Examples
        --------
        >>> Frame(5, 5, 4, 2).drag(1, 1, (9, 8))
        Frame(x=6.0, y=6.0, width=6.0, height=4.0, angle=0.0)
        """
        opposite = self.point_at(-across, -down)
        pointer = np.array([to])
        dx, dy = (rotate(pointer, -self.angle, opposite)[0] - opposite).tolist()
        width = abs(dx) if across else self.width
        height = abs(dy) if down else self.height
        half = np.array([[dx / 2 if across else 0.0, dy / 2 if down else 0.0]]) + opposite
        x, y = rotate(half, self.angle, opposite)[0]
        return Frame(float(x), float(y), width, height, self.angle)
