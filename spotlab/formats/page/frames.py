"""Turned boxes and ellipses of foreign formats: their frames, and outlines that are such shapes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spotlab.arrays import Points
from spotlab.geometry.frame import Frame
from spotlab.geometry.polygon import as_points, even_odd_geometry
from spotlab.geometry.primitives import ELLIPSE_POINTS, ellipse, ellipse_from_points
from spotlab.geometry.transform import rotate
from spotlab.libraries import shapely
from spotlab.model import Primitive, Region

Corners = list[tuple[float, float]]

TOLERANCE = 0.01  # px that a corner may be off the shape
_NEAR = 0.25  # px, for ellipses whose corners were rounded


def frame_corners(frame: Frame) -> Corners:
    """The corners of a turned box, clockwise on the screen from its own top left.

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


def frame_at_corner(x: float, y: float, width: float, height: float, angle: float) -> Frame:
    """The frame that is turned about its top left corner, as Label Studio turns boxes.

    Examples
    --------
    >>> frame = frame_at_corner(10, 10, 4, 2, 90)
    >>> [round(value, 6) for value in (frame.x, frame.y)]
    [9.0, 12.0]
    """
    middle = rotate(np.array([[x + width / 2, y + height / 2]]), angle, (x, y))[0]
    return Frame(float(middle[0]), float(middle[1]), width, height, angle)


def ellipse_corners(frame: Frame) -> Corners:
    """The 48 corners of the ellipse in a frame."""
    return [(x, y) for x, y in ellipse(frame).tolist()]


def box_frame(points: Sequence[tuple[float, float]]) -> Frame | None:
    """The frame of four corners with right angles, from the first one; None for other outlines.

    Examples
    --------
    >>> box_frame([(0, 0), (4, 0), (4, 2), (0, 2)])
    Frame(x=2.0, y=1.0, width=4.0, height=2.0, angle=0.0)
    >>> box_frame([(0, 0), (4, 0), (5, 2), (0, 2)]) is None
    True
    """
    if len(points) != 4:
        return None
    ring = np.asarray(points, np.float64)
    along, down = ring[1] - ring[0], ring[3] - ring[0]
    width, height = float(np.hypot(*along)), float(np.hypot(*down))
    if min(width, height) <= TOLERANCE or along[0] * down[1] - along[1] * down[0] < 0:
        return None
    middle = (ring[0] + ring[2]) / 2
    angle = float(np.degrees(np.arctan2(along[1], along[0])))
    frame = Frame(float(middle[0]), float(middle[1]), width, height, angle)
    off = np.abs(np.array(frame_corners(frame)) - ring).max()
    return frame if off <= TOLERANCE else None


def ellipse_frame(region: Region) -> Frame | None:
    """The frame of a region that is an ellipse; None where its outline is none."""
    if region.primitive is not Primitive.ELLIPSE or len(region.points) != ELLIPSE_POINTS:
        return None
    frame = ellipse_from_points(region.array)
    if frame is None:
        return None
    ring = shapely.LinearRing(ellipse(frame))
    off = shapely.distance(ring, shapely.points(region.array)).max()
    return frame if off <= _NEAR else None


def smallest_turned_box(points: Points) -> Corners:
    """The corners of the smallest box in any direction around an outline.

    Returns
    -------
    list of (float, float)
        Four corners, clockwise on the screen. Of a box these are its own, from the first one on.
    """
    own = box_frame([(x, y) for x, y in points.tolist()])
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
