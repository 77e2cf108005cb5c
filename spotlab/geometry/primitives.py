"""The outlines that can be drawn: boxes, ellipses, hulls, isothetic and free polygons."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Points
from spotlab.geometry.polygon import (
    Frame,
    Size,
    area,
    as_points,
    bounds,
    convex_hull,
    even_odd_geometry,
    limit_step,
    rotate,
    signed_area,
)
from spotlab.geometry.rings import remove_straight_points, ring_from_geometry, tidy
from spotlab.libraries import shapely

ELLIPSE_POINTS = 48
TOLERANCE = 0.01  # px that a corner of a box may be off


def box(x1: float, y1: float, x2: float, y2: float) -> Points:
    """Return the four corners of a box, clockwise from the top left.

    Parameters
    ----------
    x1, y1, x2, y2 : float
        Two opposite corners in px.

    Returns
    -------
    (4, 2) float

    Examples
    --------
    >>> box(4, 1, 0, 3).tolist()
    [[0.0, 1.0], [4.0, 1.0], [4.0, 3.0], [0.0, 3.0]]
    """
    left, right = sorted((x1, x2))
    top, bottom = sorted((y1, y2))
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], dtype=float)


def ellipse(frame: Frame) -> Points:
    """Return 48 points on the ellipse that touches the sides of a frame.

    Parameters
    ----------
    frame : Frame
        Its sides are the axes of the ellipse.

    Returns
    -------
    (48, 2) float
        x, y in px, not rounded.
    """
    angles = np.arange(ELLIPSE_POINTS) * (2 * math.pi / ELLIPSE_POINTS)
    points = np.column_stack(
        [frame.x + frame.width / 2 * np.cos(angles), frame.y + frame.height / 2 * np.sin(angles)]
    )
    return rotate(points, frame.angle, (frame.x, frame.y))


def ellipse_from_points(points: Points) -> Frame | None:
    """Fit the ellipse with the same centre and second-order moments as a ring's area.

    Parameters
    ----------
    points : (N, 2) float
        A ring by the even-odd rule, in px.

    Returns
    -------
    Frame or None
        With an angle in (-45°, 45°], so that its width is the side nearer to x; 0° where the sides
        differ by less than a pixel and the direction would be arbitrary. None where there is no
        area.

    Notes
    -----
    A 48-gon on an ellipse has semi-axes a = √(12 σ² / (2 + cos(2π/48))), where σ² is the variance
    of its area along the axis, so that drawing the result gives the same ellipse again.

    Examples
    --------
    >>> frame = ellipse_from_points(ellipse(Frame(50, 40, 60, 20, 30)))
    >>> [round(value, 6) for value in (frame.x, frame.y, frame.width, frame.height, frame.angle)]
    [50.0, 40.0, 60.0, 20.0, 30.0]
    """
    ring = ring_from_geometry(even_odd_geometry(points))  # parts and holes with their right signs
    if len(ring) < 3:
        return None
    origin = ring.mean(axis=0)
    (x1, y1), (x2, y2) = (ring - origin).T, np.roll(ring - origin, -1, axis=0).T
    cross = x1 * y2 - x2 * y1
    whole = float(cross.sum()) / 2
    if whole == 0:
        return None
    x = float(((x1 + x2) * cross).sum()) / (6 * whole)
    y = float(((y1 + y2) * cross).sum()) / (6 * whole)
    xx = float(((x1 * x1 + x1 * x2 + x2 * x2) * cross).sum()) / (12 * whole) - x * x
    yy = float(((y1 * y1 + y1 * y2 + y2 * y2) * cross).sum()) / (12 * whole) - y * y
    xy = float(((x1 * (2 * y1 + y2) + x2 * (y1 + 2 * y2)) * cross).sum()) / (24 * whole) - x * y
    return _frame_from_moments(x + float(origin[0]), y + float(origin[1]), xx, yy, xy)


def _frame_from_moments(x: float, y: float, xx: float, yy: float, xy: float) -> Frame | None:
    middle, half = (xx + yy) / 2, math.hypot((xx - yy) / 2, xy)
    if middle - half <= 0:
        return None
    factor = 48 / (2 + math.cos(2 * math.pi / ELLIPSE_POINTS))  # a whole side is twice a semi-axis
    long, short = math.sqrt(factor * (middle + half)), math.sqrt(factor * (middle - half))
    if long - short < 1:
        return Frame(x, y, math.sqrt(factor * xx), math.sqrt(factor * yy))
    angle = math.degrees(math.atan2(2 * xy, xx - yy)) / 2  # of the long axis, in (-90°, 90°]
    if -45 < angle <= 45:
        return Frame(x, y, long, short, angle)
    return Frame(x, y, short, long, angle - math.copysign(90, angle))


def isothetic_polygon(clicks: ArrayLike, tolerance: float = 0.0) -> Points:
    """Return the polygon with edges along x and y only whose corners include the clicks.

    Between two clicks that are not in line the path turns once. It leaves each click across the
    direction in which it came, so that every click is a corner. The first leg goes along the longer
    distance.

    Parameters
    ----------
    clicks : (N, 2) array_like
        x, y in px, in the order of the outline.
    tolerance : float
        A click that is this close, in px, to being in line with the one before is put in line.

    Returns
    -------
    (M, 2) float
        Fewer than three points where the clicks enclose no area.

    Examples
    --------
    >>> isothetic_polygon([(0, 0), (9, 5)]).tolist()
    [[0.0, 0.0], [9.0, 0.0], [9.0, 5.0], [0.0, 5.0]]
    """
    places = _in_line(as_points(clicks), tolerance)
    if len(places) < 2:
        return places
    first = places[1] - places[0]
    along_x = bool(abs(first[0]) >= abs(first[1]))  # whether the next leg starts along x
    path = [places[0]]
    for here, there in zip(places, np.roll(places, -1, axis=0), strict=True):
        if (here != there).all():
            path.append(np.array([there[0], here[1]] if along_x else [here[0], there[1]]))
        else:
            along_x = bool(here[0] == there[0])
        path.append(there)
    ring = tidy(np.array(path[:-1]))
    return remove_straight_points(ring) if len(ring) else ring


def _in_line(places: Points, tolerance: float) -> Points:
    """Put each place in line with the one before, and the last with the first, if it nearly is."""
    places = places.copy()
    for number in range(1, len(places)):
        near = np.abs(places[number] - places[number - 1]) <= tolerance
        places[number, near] = places[number - 1, near]
    if len(places) > 2:
        near = np.abs(places[-1] - places[0]) <= tolerance
        near &= places[-1] != places[-2]  # what is in line with the one before stays so
        places[-1, near] = places[0, near]
    return places


def is_isothetic(points: Points) -> bool:
    """Tell whether every edge of a ring runs along x or y.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px.

    Returns
    -------
    bool
    """
    edges = np.roll(points, -1, axis=0) - points
    return bool((edges == 0).any(axis=1).all())


def is_box(points: Points) -> bool:
    """Tell whether a ring is the four corners of its bounding box, in turn.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px.

    Returns
    -------
    bool
        False where the box has no area.
    """
    return len(points) == 4 and is_isothetic(points) and area(points) > 0


def frame_corners(frame: Frame) -> list[tuple[float, float]]:
    """Return the corners of a turned box, clockwise on the screen from its own top left.

    Parameters
    ----------
    frame : Frame

    Returns
    -------
    list of (x, y)
        Four places in px, not rounded.

    Examples
    --------
    >>> frame_corners(Frame(5, 5, 4, 2))
    [(3.0, 4.0), (7.0, 4.0), (7.0, 6.0), (3.0, 6.0)]
    """
    across, down = frame.width / 2, frame.height / 2
    corners = np.array([[-across, -down], [across, -down], [across, down], [-across, down]])
    middle = frame.x, frame.y
    turned = rotate(corners + np.array(middle), frame.angle, middle)
    return [(x, y) for x, y in turned.tolist()]


def box_frame(points: ArrayLike) -> Frame | None:
    """Find the frame of four corners with right angles, in either direction round.

    Parameters
    ----------
    points : (N, 2) array_like
        x, y in px.

    Returns
    -------
    Frame or None
        Its own top left is the first corner. None where a corner is off by more than 0.01 px, or a
        side is no longer than that.

    Examples
    --------
    >>> box_frame([(0, 0), (4, 0), (4, 2), (0, 2)])
    Frame(x=2.0, y=1.0, width=4.0, height=2.0, angle=0.0)
    >>> box_frame([(0, 0), (0, 2), (4, 2), (4, 0)])
    Frame(x=2.0, y=1.0, width=4.0, height=2.0, angle=0.0)
    >>> box_frame([(0, 0), (4, 0), (5, 2), (0, 2)]) is None
    True
    """
    if len(points) != 4:  # type: ignore[arg-type]
        return None
    ring = np.asarray(points, np.float64)
    if signed_area(ring) < 0:
        ring = ring[[0, 3, 2, 1]]
    along, down = ring[1] - ring[0], ring[3] - ring[0]
    width, height = float(np.hypot(*along)), float(np.hypot(*down))
    if min(width, height) <= TOLERANCE:
        return None
    middle = (ring[0] + ring[2]) / 2
    angle = float(np.degrees(np.arctan2(along[1], along[0])))
    frame = Frame(float(middle[0]), float(middle[1]), width, height, angle)
    off = np.abs(np.array(frame_corners(frame)) - ring).max()
    return frame if off <= TOLERANCE else None


def turned_frame(points: Points) -> Frame | None:
    """Find the frame of a box that is turned.

    Parameters
    ----------
    points : (N, 2) float
        A ring in px.

    Returns
    -------
    Frame or None
        None for boxes along x and y, and for other outlines.

    Examples
    --------
    >>> turned_frame(np.array([(2, 0), (4, 2), (2, 4), (0, 2)])).angle
    45.0
    >>> turned_frame(box(0, 0, 4, 2)) is None
    True
    """
    return None if len(points) != 4 or is_isothetic(points) else box_frame(points)


def box_on_side(clicks: ArrayLike, page_size: Size) -> Points:
    """Return the box on a side, as wide as a third place is far from the side.

    Parameters
    ----------
    clicks : (N, 2) array_like
        Both ends of the side, and a place on the opposite one; x, y in px.
    page_size : (int, int)
        Width and height in px. The box ends at the page's edge.

    Returns
    -------
    (4, 2) float
        Clockwise on the screen. Without a third place, or a width, the clicks.

    Examples
    --------
    >>> box_on_side([(0, 0), (4, 0), (9, 2)], (50, 50)).tolist()
    [[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]]
    """
    places = np.clip(as_points(clicks), 0, np.array(page_size, np.float64))
    if len(places) < 3:
        return places
    start, end, far = places[:3]
    along = end - start
    length = float(np.hypot(*along))
    if length == 0:
        return places[:1]
    across = np.array([-along[1], along[0]]) / length
    step = across * float((far - start) @ across)
    for corner in (start, end):
        for here, way, most in zip(corner, step, page_size, strict=True):
            reach = most - here if way > 0 else here
            if abs(way) > reach:
                step = step * (reach / abs(way))
    ring = np.array([start, end, end + step, start + step])
    return ring if signed_area(ring) >= 0 else ring[[1, 0, 3, 2]]


def snap_turned_box(points: Points, page_size: Size) -> Points | None:
    """Move the corners of a turned box onto the page, to thousandths of a px.

    Whole px would turn it, or take its right angles.

    Parameters
    ----------
    points : (N, 2) float
        A ring in px.
    page_size : (int, int)
        Width and height in px.

    Returns
    -------
    (4, 2) float, or None
        None where it is no turned box, or the page has no room for it.

    Examples
    --------
    >>> ring = snap_turned_box(np.array(frame_corners(Frame(5, 0, 4, 2, 30))), (100, 100))
    >>> round(turned_frame(ring).angle, 2), float(ring.min())
    (30.0, 0.0)
    >>> snap_turned_box(box(0, 0, 4, 2), (100, 100)) is None
    True
    """
    frame = turned_frame(points)
    if frame is None:
        return None
    left, top, right, bottom = bounds(points)
    if right - left > page_size[0] or bottom - top > page_size[1]:
        return None
    back = limit_step((left, top, right, bottom), 0, 0, page_size)
    for corners in (points, np.array(frame_corners(frame))):  # the first stays as it is, if it can
        snapped: Points = np.clip(np.round(corners + back, 3), 0, page_size)
        if turned_frame(snapped) is not None:
            return snapped
    return None


def smallest_turned_box(points: Points) -> list[tuple[float, float]]:
    """Return the corners of the smallest box in any direction around an outline.

    Parameters
    ----------
    points : (N, 2) float
        x, y in px.

    Returns
    -------
    list of (x, y)
        Four corners, clockwise on the screen. Of a box these are its own, from the first one on.

    Examples
    --------
    >>> smallest_turned_box(np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (1.0, 2.0)]))
    [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 2.0)]
    """
    own = box_frame(points)
    if own is not None:
        return frame_corners(own)
    try:
        box = shapely.oriented_envelope(shapely.MultiPoint(as_points(points)))
    except shapely.GEOSException:  # of corners that are on a line but for a rounding
        box = None
    if not isinstance(box, shapely.Polygon):  # all corners on a line
        box = shapely.envelope(even_odd_geometry(points).buffer(0.5))
    ring = shapely.get_coordinates(box)[:4]
    if not isinstance(box, shapely.Polygon) or len(ring) < 4:
        left, top = points.min(axis=0)
        right, bottom = points.max(axis=0)
        ring = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    (x1, y1), (x2, y2), (x3, y3) = ring[:3]
    if (x2 - x1) * (y3 - y2) - (y2 - y1) * (x3 - x2) < 0:
        ring = ring[::-1]
    start = int(np.argmin(ring.sum(axis=1)))
    return [(x, y) for x, y in np.roll(ring, -start, axis=0).tolist()]


def snap(points: ArrayLike, page_size: Size, *, convex: bool = False) -> Points | None:
    """Round a ring to whole px on the page, without repeated points and spikes.

    A convex outline is clipped at the page's edges; points of any other are moved onto the edge.

    Parameters
    ----------
    points : (N, 2) array_like
        x, y in px; halves are rounded up, so that a whole step moves every point alike.
    page_size : (int, int)
        Width and height in px; 0 and the size itself are on the page.
    convex : bool
        Return the convex hull of the rounded points.

    Returns
    -------
    (M, 2) float, or None
        None where no area remains.

    Examples
    --------
    >>> snap([(-3, 0.2), (4.5, 0), (4.5, 3), (4.4, 3), (0, 3)], (100, 100)).tolist()
    [[0.0, 0.0], [5.0, 0.0], [5.0, 3.0], [4.0, 3.0], [0.0, 3.0]]
    >>> snap([(0, 0), (9, 0.3), (4, 0.1)], (100, 100)) is None
    True
    """
    array = as_points(points)
    if convex and ((array < 0) | (array > page_size)).any():
        page = shapely.box(0, 0, *page_size)
        # corners within the rounding of each other make hulls that GEOS refuses to cut
        outline = shapely.convex_hull(shapely.multipoints(np.round(array, 6)))
        array = shapely.get_coordinates(shapely.intersection(outline, page))
    whole: NDArray[np.float64] = np.floor(array + 0.5)
    clamped = np.clip(whole, 0, np.array(page_size, dtype=np.float64))
    ring = convex_hull(clamped) if convex else tidy(clamped)
    return ring if len(ring) >= 3 and area(ring) > 0 else None


def there_and_back(corners: ArrayLike) -> Points:
    """Return a ring along an open line and back, which encloses nothing.

    Parameters
    ----------
    corners : (N, 2) array_like
        x, y in px, from end to end. A single place becomes a line of one px to its left.

    Returns
    -------
    (M, 2) float
        At least three points, of which `open_line` gives the corners.

    Examples
    --------
    >>> there_and_back([(0, 0), (9, 0), (9, 5)]).tolist()
    [[0.0, 0.0], [9.0, 0.0], [9.0, 5.0], [9.0, 0.0]]
    >>> there_and_back([(4, 4)]).tolist()
    [[4.0, 4.0], [3.0, 4.0], [3.0, 4.0]]
    """
    line = np.asarray(corners, np.float64).reshape(-1, 2)
    if len(line) == 1:
        line = np.concatenate([line, line - (1.0, 0.0)])
    ring = np.concatenate([line, line[-2:0:-1]])
    return ring if len(ring) > 2 else np.concatenate([ring, ring[-1:]])


def open_line(ring: Points) -> Points:
    """Return the corners of the line that a ring of `there_and_back` runs along.

    Any other ring comes back as a line through all of its points.

    Parameters
    ----------
    ring : (N, 2) float
        x, y in px.

    Returns
    -------
    (M, 2) float

    Examples
    --------
    >>> open_line(there_and_back([(0, 0), (9, 0), (9, 5)])).tolist()
    [[0.0, 0.0], [9.0, 0.0], [9.0, 5.0]]
    """
    for count in (2, len(ring) // 2 + 1):
        if np.array_equal(there_and_back(ring[:count]), ring):
            return ring[:count]
    return ring


def snap_line(corners: Points, page_size: Size) -> Points | None:
    """Round an open line, or a point, to whole px on the page.

    Parameters
    ----------
    corners : (N, 2) float
        From end to end; one of a point.
    page_size : (int, int)
        Width and height in px.

    Returns
    -------
    (M, 2) float, or None
        As `there_and_back` gives it; None where nothing is left of a line but a point.

    Examples
    --------
    >>> snap_line(np.array([(-2, 1.2), (3.5, 1), (3.6, 1)]), (9, 9)).tolist()
    [[0.0, 1.0], [4.0, 1.0], [4.0, 1.0]]
    """
    whole = np.clip(np.floor(corners + 0.5), 0, np.array(page_size, np.float64))
    differs = np.concatenate([[True], (np.diff(whole, axis=0) != 0).any(axis=1)])
    if len(corners) == 1:
        whole = np.maximum(whole, (1.0, 0.0))
    return None if differs.sum() < min(len(corners), 2) else there_and_back(whole[differs])


def snap_ellipse(frame: Frame, page_size: Size) -> Points | None:
    """Return a convex ring of up to 48 whole-numbered points for an ellipse, on the page.

    Rounding alone would let the ellipse grow, because the hull keeps the points that were rounded
    outwards. So a few slightly smaller and larger ellipses are tried, and the ring is returned from
    which `ellipse_from_points` restores the frame best.

    Parameters
    ----------
    frame : Frame
        Its sides are the axes of the ellipse.
    page_size : (int, int)
        Width and height in px.

    Returns
    -------
    (M, 2) float, or None
        x, y in px; None where no area remains.

    Examples
    --------
    >>> ring = snap_ellipse(Frame(50, 40, 60, 20), (100, 100))
    >>> frame = ellipse_from_points(ring)
    >>> abs(frame.width - 60) < 0.5 and abs(frame.height - 20) < 0.5
    True
    """
    best: tuple[float, Points] | None = None
    wanted = np.array([max(frame.width, frame.height), min(frame.width, frame.height)])
    aim = wanted
    for _ in range(4):
        sides = aim if frame.width >= frame.height else aim[::-1]
        tried = replace(frame, width=float(sides[0]), height=float(sides[1]))
        ring = snap(ellipse(tried), page_size, convex=True)
        fitted = None if ring is None else ellipse_from_points(ring)
        if ring is None or fitted is None:
            break
        missing = wanted - (max(fitted.width, fitted.height), min(fitted.width, fitted.height))
        error = float(np.abs(missing).max())
        if best is None or error < best[0]:
            best = (error, ring)
        aim = np.maximum(aim + missing, 0)
    return best[1] if best else None
