"""Polygons, outlines of many, and boxes: bounds, areas, hulls, and which touch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from spotlab.arrays import Boxes, Flags, Ints, Points
from spotlab.libraries import shapely
from spotlab.representation import short_repr


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
    return (float(max(-left, min(dx, width - right))), float(max(-top, min(dy, height - bottom))))


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


def has_form(array: NDArray[Any], kind: DTypeLike, *shape: int | None) -> bool:
    """Tell whether an array has this very type and shape.

    Parameters
    ----------
    array : ndarray
        Any shape.
    kind : dtype
        The type that is expected.
    *shape : int or None
        The length of each axis; None stands for any length.

    Returns
    -------
    bool

    Examples
    --------
    >>> has_form(np.zeros((3, 2)), np.float64, None, 2), has_form(np.zeros(3), np.int64, 3)
    (True, False)
    """
    if array.dtype != np.dtype(kind) or array.ndim != len(shape):
        return False
    return all(want in (None, has) for want, has in zip(shape, array.shape, strict=True))


def concatenate_ranges(starts: Ints, counts: Ints) -> Ints:
    """List the numbers of several ranges, one range after the other.

    Parameters
    ----------
    starts, counts : (N,) int
        The first number of each range, and how many it has: 0 or more.

    Returns
    -------
    (sum of counts,) int

    Examples
    --------
    >>> concatenate_ranges(np.array([5, 0, 8]), np.array([2, 0, 3])).tolist()
    [5, 6, 8, 9, 10]
    """
    if len(starts) == 1:
        return np.arange(starts[0], starts[0] + counts[0], dtype=np.int64)
    before = np.cumsum(counts) - counts
    return np.asarray(np.arange(counts.sum()) + np.repeat(starts - before, counts), np.int64)


@dataclass(frozen=True, eq=False)
class Outlines:
    """N open rings, one after the other; each encloses its area by the even-odd rule.

    Attributes
    ----------
    points : (M, 2) float
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Ring i is ``points[offsets[i]:offsets[i + 1]]``.

    Examples
    --------
    >>> outlines = Outlines.of([[(0, 0), (2, 0), (2, 1)], [(5, 5), (6, 5), (6, 6), (5, 6)]])
    >>> len(outlines), outlines[1].tolist()[0], outlines.bounds[0].tolist()
    (2, [5.0, 5.0], [0.0, 0.0, 2.0, 1.0])
    """

    points: Points
    offsets: NDArray[np.int64]

    __repr__ = short_repr

    @classmethod
    def of(cls, rings: Sequence[ArrayLike]) -> Outlines:
        """Make outlines from their corners.

        Parameters
        ----------
        rings : sequence of (n, 2) float
            Open rings, x and y in px; a ring may be empty.

        Returns
        -------
        Outlines
        """
        arrays = [np.asarray(ring, dtype=np.float64).reshape(-1, 2) for ring in rings]
        offsets = np.zeros(len(arrays) + 1, np.int64)
        np.cumsum([len(array) for array in arrays], out=offsets[1:])
        return cls(np.concatenate([np.empty((0, 2)), *arrays]), offsets)

    @classmethod
    def joined(cls, parts: Sequence[Outlines]) -> Outlines:
        """Put outlines one after the other.

        Parameters
        ----------
        parts : sequence of Outlines
            May be empty.

        Returns
        -------
        Outlines
            As many as all parts have.

        Examples
        --------
        >>> first, second = Outlines.of([[(0, 0), (2, 0), (2, 1)]]), Outlines.of([[], [(5, 5)]])
        >>> Outlines.joined([first, second, second]).offsets.tolist()
        [0, 3, 3, 4, 4, 5]
        """
        lengths = [np.diff(part.offsets) for part in parts]
        offsets = np.cumsum(np.concatenate([np.zeros(1, np.int64), *lengths]))
        return cls(np.concatenate([np.empty((0, 2)), *(part.points for part in parts)]), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> Points:
        if not 0 <= index < len(self):
            raise IndexError(index)
        return np.asarray(self._stored[self.offsets[index] : self.offsets[index + 1]], np.float64)

    def is_sound(self) -> bool:
        """Tell whether the arrays fit each other; they are not checked when outlines are made.

        Examples
        --------
        >>> Outlines(np.zeros((3, 2)), np.array([0, 3])).is_sound()
        True
        >>> Outlines(np.zeros((3, 2)), np.array([0, 4])).is_sound()
        False
        """
        points, offsets = self.points, self.offsets
        return bool(
            has_form(points, np.float64, None, 2)
            and has_form(offsets, np.int64, None)
            and len(offsets)
            and (offsets[0], offsets[-1]) == (0, len(points))
            and (offsets[:-1] <= offsets[1:]).all()
            and np.isfinite(points).all()
        )

    def take(self, indices: ArrayLike) -> Outlines:
        """Return some of these outlines, in this order.

        Parameters
        ----------
        indices : (K,) int
            Positions of the outlines; one may come several times.

        Returns
        -------
        Outlines
            K outlines.

        Examples
        --------
        >>> outlines = Outlines.of([[(0, 0), (2, 0), (2, 1)], [(5, 5), (6, 5), (6, 6)]])
        >>> outlines.take([1])[0].tolist()
        [[5.0, 5.0], [6.0, 5.0], [6.0, 6.0]]
        """
        corners, offsets = self._taken(indices)
        return Outlines(np.asarray(corners, np.float64), offsets)

    def arranged(self, indices: ArrayLike) -> Outlines:
        """Return some of these outlines, in this order, to be kept: in no more memory than these.

        Parameters
        ----------
        indices : (K,) int
            Positions of the outlines.

        Returns
        -------
        Outlines
            K outlines.

        Examples
        --------
        >>> outlines = Outlines.of([[(0, 0), (2, 0), (2, 1)], [(5, 5), (6, 5), (6, 6)]])
        >>> outlines.arranged([1, 0])[1].tolist()
        [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]]
        """
        return self.take(indices)

    def followed_by(self, others: Outlines) -> Outlines:
        """Return these outlines and then others.

        Parameters
        ----------
        others : Outlines
            M outlines.

        Returns
        -------
        Outlines
            N + M outlines.

        Examples
        --------
        >>> first, second = Outlines.of([[(0, 0), (2, 0), (2, 1)]]), Outlines.of([[], [(5, 5)]])
        >>> first.followed_by(second).offsets.tolist()
        [0, 3, 3, 4]
        """
        return Outlines.joined([self, others])

    @property
    def bounds(self) -> NDArray[np.float64]:
        """(N, 4) left, top, right, bottom in px; NaN for a ring without corners."""
        bounds = np.full((len(self), 4), np.nan)
        filled = np.flatnonzero(np.diff(self.offsets))
        if len(filled):
            starts = self.offsets[:-1][filled]
            bounds[filled, :2] = np.minimum.reduceat(self._stored, starts, axis=0)
            bounds[filled, 2:] = np.maximum.reduceat(self._stored, starts, axis=0)
        return bounds

    @property
    def _stored(self) -> NDArray[np.float64] | NDArray[np.float32]:
        """(M, 2) corners of all rings, as they are kept."""
        return self.points

    def _taken(
        self, indices: ArrayLike
    ) -> tuple[NDArray[np.float64] | NDArray[np.float32], NDArray[np.int64]]:
        """The corners of some outlines, as they are kept, and where each begins and ends."""
        chosen = np.asarray(indices, dtype=np.int64).reshape(-1)
        first = self.offsets[:-1][chosen]
        lengths = self.offsets[1:][chosen] - first
        offsets = np.zeros(len(chosen) + 1, np.int64)
        np.cumsum(lengths, out=offsets[1:])
        return self._stored[concatenate_ranges(first, lengths)], offsets


class NarrowOutlines(Outlines):
    """N open rings whose corners float32 holds exactly; what is asked of them is in float64.

    Parameters
    ----------
    corners : (M, 2) float32
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Ring i is ``corners[offsets[i]:offsets[i + 1]]``.

    Examples
    --------
    >>> outlines = outlines_of(np.array([[0, 0], [2, 0], [2, 1]], np.float32), np.array([0, 3]))
    >>> outlines.points.dtype, outlines.take([0])[0].tolist()
    (dtype('float64'), [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0]])
    """

    corners: NDArray[np.float32]

    def __init__(self, corners: NDArray[np.float32], offsets: NDArray[np.int64]) -> None:
        vars(self).update(corners=corners, offsets=offsets)  # it is frozen

    @property
    def points(self) -> Points:
        """(M, 2) corners of all rings; made anew whenever they are asked for."""
        return self.corners.astype(np.float64)

    @property
    def _stored(self) -> NDArray[np.float32]:
        return self.corners

    def arranged(self, indices: ArrayLike) -> Outlines:
        """Return some of these outlines, in this order, in half the memory too.

        Parameters
        ----------
        indices : (K,) int
            Positions of the outlines.

        Returns
        -------
        Outlines
            K outlines.

        Examples
        --------
        >>> outlines = outlines_of(np.zeros((3, 2), np.float32), np.array([0, 3]))
        >>> type(outlines.arranged([0, 0])).__name__
        'NarrowOutlines'
        """
        corners, offsets = self._taken(indices)
        return NarrowOutlines(corners.astype(np.float32, copy=False), offsets)


def outlines_of(
    corners: NDArray[np.float64] | NDArray[np.float32], offsets: NDArray[np.int64]
) -> Outlines:
    """Outlines with these corners, which are not copied.

    Parameters
    ----------
    corners : (M, 2) float64 or float32
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Where each ring begins and ends.

    Returns
    -------
    Outlines
        N rings.

    Examples
    --------
    >>> type(outlines_of(np.zeros((3, 2)), np.array([0, 3]))).__name__
    'Outlines'
    """
    if corners.dtype == np.float32:
        return NarrowOutlines(np.asarray(corners, np.float32), offsets)
    return Outlines(np.asarray(corners, np.float64), offsets)


def leaves_page(outlines: Outlines, page_size: Size, tolerance: float = 0.0) -> Flags:
    """Tell which outlines have a corner beyond the page.

    Parameters
    ----------
    outlines : Outlines
        N outlines, in px.
    page_size : (int, int)
        Width and height in px; the page is [0, width] × [0, height].
    tolerance : float
        How far a corner may lie beyond the page, in px.

    Returns
    -------
    (N,) bool
        False for an outline without corners.

    Examples
    --------
    >>> square, above = [(0, 0), (9, 0), (9, 9), (0, 9)], [(0, -1), (9, 0), (9, 9)]
    >>> leaves_page(Outlines.of([square, above, []]), (9, 9)).tolist()
    [False, True, False]
    """
    points, (width, height) = outlines.points, page_size
    beyond = ((points < -tolerance) | (points > (width + tolerance, height + tolerance))).any(
        axis=1
    )
    leaving = np.zeros(len(outlines), np.bool_)
    corners = np.flatnonzero(beyond)
    if len(corners):
        leaving[np.searchsorted(outlines.offsets, corners, side="right") - 1] = True
    return leaving


def clip_to_page(outlines: Outlines, page_size: Size) -> Outlines:
    """Keep the part of every outline that lies on the page.

    Parameters
    ----------
    outlines : Outlines
        N outlines, in px.
    page_size : (int, int)
        Width and height in px.

    Returns
    -------
    Outlines
        N outlines. Those on the page are unchanged; those that share no area with it have no
        corners.

    Examples
    --------
    >>> half, outside = [(-4, 0), (4, 0), (4, 2), (-4, 2)], [(9, 9), (12, 9), (9, 12)]
    >>> clipped = clip_to_page(Outlines.of([half, outside]), (6, 6))
    >>> clipped[0].tolist(), len(clipped[1])
    ([[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]], 0)
    """
    leaving = np.flatnonzero(leaves_page(outlines, page_size))
    if not len(leaving):
        return outlines
    clipped = outlines.take(leaving)
    for axis in (0, 1):
        for limit, outer in ((0.0, -1.0), (float(page_size[axis]), 1.0)):
            clipped = _without_repeats(_clip_at(clipped, axis, limit, outer))
    return _replaced(outlines, leaving, _without_flat(clipped))


def _clip_at(outlines: Outlines, axis: int, limit: float, outer: float) -> Outlines:
    """With nothing beyond one line; ``outer`` is 1 where larger coordinates are beyond it."""
    points, lengths = outlines.points, np.diff(outlines.offsets)
    ring = np.repeat(np.arange(len(outlines)), lengths)
    following = np.arange(1, len(points) + 1)
    filled = lengths > 0
    following[outlines.offsets[1:][filled] - 1] = outlines.offsets[:-1][filled]
    depth = (points[:, axis] - limit) * outer
    crossing = np.flatnonzero(depth * depth[following] < 0)
    here, there = points[crossing], points[following[crossing]]
    # from the same end for both directions, so that neighbours keep a common edge
    swapped = (here[:, axis] > there[:, axis])[:, None]
    low, high = np.where(swapped, there, here), np.where(swapped, here, there)
    share = (limit - low[:, axis]) / (high[:, axis] - low[:, axis])
    corners = low + (high - low) * share[:, None]
    corners[:, axis] = limit
    kept = points.copy()
    kept[:, axis] = np.where(depth > 0, limit, kept[:, axis])
    added = np.bincount(ring[crossing], minlength=len(outlines))
    offsets = np.concatenate([[0], np.cumsum(lengths + added)]).astype(np.int64)
    return Outlines(np.insert(kept, crossing + 1, corners, axis=0), offsets)


def _without_repeats(outlines: Outlines) -> Outlines:
    """Without corners that repeat the one before, the first of a ring following its last."""
    points, lengths = outlines.points, np.diff(outlines.offsets)
    before = np.arange(-1, len(points) - 1)
    filled = lengths > 0
    before[outlines.offsets[:-1][filled]] = outlines.offsets[1:][filled] - 1
    kept = (points != points[before]).any(axis=1)
    ring = np.repeat(np.arange(len(outlines)), lengths)
    counts = np.bincount(ring[kept], minlength=len(outlines))
    return Outlines(points[kept], np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))


def _without_flat(outlines: Outlines) -> Outlines:
    """Rings whose bounds have no area get no corners."""
    left, top, right, bottom = outlines.bounds.T
    whole = (right > left) & (bottom > top)
    lengths = np.where(whole, np.diff(outlines.offsets), 0)
    points = outlines.points[np.repeat(whole, np.diff(outlines.offsets))]
    return Outlines(points, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def _replaced(outlines: Outlines, places: NDArray[np.int64], others: Outlines) -> Outlines:
    """The outlines with others at these places."""
    both = outlines.followed_by(others)
    order = np.arange(len(outlines))
    order[places] = len(outlines) + np.arange(len(others))
    return both.take(order)


@dataclass(frozen=True, eq=False)
class BoxPairs:
    """Pairs of a first and a second box that share some area.

    Attributes
    ----------
    first, second : (P,) int
        Positions of the boxes, in order of ``first`` and then ``second``.
    shared : (P,) float
        Area that both boxes cover, in px²; above 0.
    first_area, second_area : (P,) float
        Areas of the boxes in px².
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    shared: NDArray[np.float64]
    first_area: NDArray[np.float64]
    second_area: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.first)

    @property
    def iou(self) -> NDArray[np.float64]:
        """(P,) intersection over union, in (0, 1]."""
        return self.shared / (self.first_area + self.second_area - self.shared)

    @property
    def share_of_smaller(self) -> NDArray[np.float64]:
        """(P,) share of the smaller box that lies in the other one, in (0, 1]."""
        return self.shared / np.minimum(self.first_area, self.second_area)


def pair_boxes(first: ArrayLike, second: ArrayLike) -> BoxPairs:
    """Find all pairs of boxes that share some area.

    Parameters
    ----------
    first : (N, 4) float
        Left, top, right and bottom of each box, in px.
    second : (M, 4) float
        Likewise.

    Returns
    -------
    BoxPairs
        Empty where no boxes overlap. Boxes that only touch share no area.

    Notes
    -----
    Only boxes of similar height on the page are compared, so that a page of text costs little more
    than the pairs that there are.

    Examples
    --------
    >>> pairs = pair_boxes([[0, 0, 4, 2]], [[2, 0, 4, 4], [4, 0, 9, 9]])
    >>> pairs.first.tolist(), pairs.second.tolist(), pairs.shared.tolist(), pairs.iou.round(2)
    ([0], [0], [4.0], array([0.33]))
    >>> len(pair_boxes(np.empty((0, 4)), [[0, 0, 1, 1]]))
    0
    """
    a = np.asarray(first, np.float64).reshape(-1, 4)
    b = np.asarray(second, np.float64).reshape(-1, 4)
    order = np.argsort(b[:, 1], kind="stable")
    tops = b[order, 1]
    tallest = (b[:, 3] - b[:, 1]).max(initial=0.0)
    low = np.searchsorted(tops, a[:, 1] - tallest, "left")
    high = np.maximum(np.searchsorted(tops, a[:, 3], "left"), low)
    counts = high - low
    one = np.repeat(np.arange(len(a)), counts)
    other = order[concatenate_ranges(low, counts)]
    shared = _shared(a, b, one, other)
    meeting = np.flatnonzero(shared > 0)
    meeting = meeting[np.lexsort((other[meeting], one[meeting]))]
    one, other = one[meeting], other[meeting]
    return BoxPairs(one, other, shared[meeting], _areas(a)[one], _areas(b)[other])


def _shared(
    a: Boxes, b: Boxes, one: NDArray[np.int64], other: NDArray[np.int64]
) -> NDArray[np.float64]:
    across = np.minimum(a[one, 2], b[other, 2]) - np.maximum(a[one, 0], b[other, 0])
    down = np.minimum(a[one, 3], b[other, 3]) - np.maximum(a[one, 1], b[other, 1])
    shared: NDArray[np.float64] = np.maximum(across, 0) * np.maximum(down, 0)
    return shared


def _areas(boxes: Boxes) -> NDArray[np.float64]:
    areas: NDArray[np.float64] = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return areas


def share_boxes(boxes: Boxes, same: float) -> tuple[Ints, Ints]:
    """Choose boxes that stand for all others.

    The box that most others are nearly the same as is chosen first, and they with it.

    Parameters
    ----------
    boxes : (N, 4) float
        left, top, right, bottom in px.
    same : float
        Intersection over union from which two boxes are nearly the same.

    Returns
    -------
    chosen : (M,) int
        Rising.
    row : (N,) int
        Which of the chosen stands for each box: the one that it shares most with.

    Examples
    --------
    >>> share_boxes(np.array([[0, 0, 20, 9], [0, 0, 21, 9], [0, 0, 40, 9]], float), 0.75)
    (array([0, 2]), array([0, 0, 1]))
    """
    pairs = pair_boxes(boxes, boxes)
    kept = (pairs.iou >= same) & (pairs.first != pairs.second)
    first, second, shared = pairs.first[kept], pairs.second[kept], pairs.iou[kept]
    starts = np.searchsorted(first, np.arange(len(boxes) + 1))
    is_open, is_chosen = np.ones(len(boxes), np.bool_), np.zeros(len(boxes), np.bool_)
    for box in np.argsort(-np.diff(starts), kind="stable").tolist():
        if is_open[box]:
            is_chosen[box] = True
            is_open[second[starts[box] : starts[box + 1]]] = False
            is_open[box] = False
    owner = np.arange(len(boxes))
    order = np.flatnonzero(is_chosen[second] & ~is_chosen[first])
    order = order[np.argsort(shared[order], kind="stable")]
    owner[first[order]] = second[order]  # the one that shares most comes last and stays
    chosen = np.flatnonzero(is_chosen)
    return chosen, np.searchsorted(chosen, owner)


def unlike(boxes: Boxes, others: Boxes, same: float) -> NDArray[np.bool_]:
    """Tell which boxes are not nearly the same as one of some others.

    Parameters
    ----------
    boxes : (N, 4) float
    others : (M, 4) float
        left, top, right, bottom in px.
    same : float
        Intersection over union from which two boxes are nearly the same.

    Returns
    -------
    (N,) bool

    Examples
    --------
    >>> boxes = np.array([[0, 0, 20, 9], [30, 0, 40, 9]], float)
    >>> unlike(boxes, np.array([[0, 0, 21, 9]], float), 0.75).tolist()
    [False, True]
    """
    pairs = pair_boxes(boxes, others)
    kept = np.ones(len(boxes), np.bool_)
    kept[pairs.first[pairs.iou >= same]] = False
    return kept


def reading_order(boxes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Sort boxes line by line.

    A box belongs to the line of the one above it if its middle is not below that one's middle by
    more than half the lower of both heights.

    Parameters
    ----------
    boxes : (N, 4) float
        Left, top, right, bottom in px.

    Returns
    -------
    (N,) int
        Numbers of the boxes in their order.

    Examples
    --------
    >>> reading_order(np.array([[50, 3, 60, 13], [0, 20, 10, 30], [0, 0, 10, 10.0]])).tolist()
    [2, 0, 1]
    """
    middles, heights = (boxes[:, 1] + boxes[:, 3]) / 2, boxes[:, 3] - boxes[:, 1]
    lines = np.zeros(len(boxes), np.int64)
    first = -1  # of its line
    for number in np.argsort(middles, kind="stable").tolist():
        before = first
        if before >= 0:
            reach = min(heights[number], heights[before]) / 2
            lines[number] = lines[before] + (middles[number] - middles[before] > reach)
        if before < 0 or lines[number] != lines[before]:
            first = number
    return np.lexsort((boxes[:, 0], lines))
