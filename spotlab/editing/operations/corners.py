"""Corners and edges of a region: what dragging, adding and deleting them does."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.editing.operations.handles import (
    FRAME_HANDLES,
    Place,
    corner_of_box,
    drag_frame,
    frame_of,
)
from spotlab.editing.operations.outline import (
    behaves_as,
    page_size,
    reshaped,
    straight_points_of,
    without_hidden,
)
from spotlab.errors import SpotlabError
from spotlab.geometry import polygon
from spotlab.geometry.primitives import there_and_back, turned_frame
from spotlab.libraries import shapely
from spotlab.model import Page, Primitive, Region

_ROOM = 6  # px around the pointer in which an edge is searched for room for a point


def move_handle(region: Region, index: int, to: Place, page: Page) -> Region:
    """The region with one of its `handles` dragged to a place.

    - Box, ellipse: what is opposite stays; an ellipse stops where it would leave the page.
    - Hull: a rubber band around its corners. The corner goes to ``to`` and the band is drawn tight
      again: corners that no longer stick out drop off, and so does the dragged one when it is
      pulled inside. Points beside it that have no handle go with it. A gesture applies the whole
      way to the region it began with, so pulling it out again brings the corners back.
    - Isothetic polygon, cells: both edges at the corner go along and stay parallel to x and y.
    - Free polygon, trace: the corner alone moves.

    Cells become an isothetic polygon and a trace a free polygon: they are no longer what they say.

    Points at one place, as where a hole is joined to its outline, move together.

    Raises
    ------
    SpotlabError
        No area would remain; the gesture keeps what it last had.
    IndexError
        There is no such handle.
    """
    to = _on_page(to, page)
    frame = frame_of(region)
    if frame is not None:
        return drag_frame(region, frame, index, to, page)
    points = region.array.copy()
    if not 0 <= index < len(points):
        raise IndexError(f"there is no control point {index} among {len(points)}")
    straight = straight_points_of(region)
    stays = without_hidden(region, index)
    points, straight, index = points[stays], straight[stays], int(stays[:index].sum())
    if behaves_as(region) is Primitive.ISOTHETIC:
        points[_linked(points, index, axis=0), 0] = to[0]
        points[_linked(points, index, axis=1), 1] = to[1]
    else:
        points[(points == points[index]).all(axis=1)] = to
    return reshaped(region, points, page, kept=points[straight])


def move_edge(region: Region, edge: int, step: tuple[float, float], page: Page) -> Region:
    """The region with an edge, from point ``edge`` to the next, pushed by a step.

    Edges of boxes, turned or not, and edges along x or y of isothetic polygons and cells move
    across themselves and draw their neighbours along; both ends of any other edge move. Ellipses
    have no edges to push: the region comes back as it is.
    """
    kind = behaves_as(region)
    if kind is Primitive.ELLIPSE:
        return region
    points = region.array.copy()
    ends = [edge, (edge + 1) % len(points)]
    frame = turned_frame(points) if kind is Primitive.BOX else None
    if frame is not None:
        middle = points[ends].mean(axis=0)
        sides = [frame.point_at(*FRAME_HANDLES[side]) for side in range(4, 8)]
        index = 4 + int(np.hypot(*(np.array(sides) - middle).T).argmin())
        return drag_frame(region, frame, index, (middle[0] + step[0], middle[1] + step[1]), page)
    if kind in (Primitive.BOX, Primitive.ISOTHETIC):
        axis = 0 if points[ends[0], 0] == points[ends[1], 0] else 1
        to = points[edge, axis] + step[axis]
        points[_linked(points, edge, axis), axis] = to
    else:
        for end in ends:
            points[(region.array == region.array[end]).all(axis=1)] = region.array[end] + step
    return reshaped(region, points, page)


def add_point(region: Region, edge: int, at: Place, page: Page) -> Region:
    """The region with one more corner at a place, between point ``edge`` and the next one.

    A hull takes in only what lies outside of it or right on the edge, where the point stays until
    a change of the outline leaves it inside; any other place leaves the hull as it is. A box or an
    ellipse that takes one in becomes a hull. On an isothetic polygon or cells the edge gets a step
    instead: from its middle on it moves to the place.
    """
    at = _on_page(at, page)
    points = region.array
    kind = behaves_as(region)
    if kind is Primitive.ISOTHETIC:
        return reshaped(region, _stepped(points, edge, at), page)
    if kind in (Primitive.HULL, Primitive.BOX, Primitive.ELLIPSE):
        at = _whole(at)
        if polygon.even_odd_geometry(points).contains(shapely.Point(at)):
            return region
        grown = np.insert(points, edge + 1, at, axis=0)
        kept = np.insert(straight_points_of(region), edge + 1, True)
        return reshaped(region, grown, page, Primitive.HULL, grown[kept])
    if kind is Primitive.LINE:
        corners = region.corners
        before = edge if edge < len(corners) - 1 else len(points) - 1 - edge  # on the way back
        grown = np.insert(corners, min(before, len(corners) - 2) + 1, at, axis=0)
        return reshaped(region, there_and_back(grown), page)
    return reshaped(region, np.insert(points, edge + 1, at, axis=0), page)


def place_on_edge(region: Region, edge: int, x: float, y: float) -> Place:
    """The place nearest to (x, y) where an edge of a convex outline has room for one more point.

    It has whole coordinates and lies right on the edge, or up to a px outside where no other
    corner drops off by that: the outline stays as it is but for the rounding.

    Raises
    ------
    SpotlabError
        There is no such place near it.

    Examples
    --------
    >>> square = Region(((0, 0), (8, 0), (8, 8), (0, 8)))
    >>> place_on_edge(square, 0, 3.2, 0.4), place_on_edge(square, 2, 0.1, 8)
    ((3.0, 0.0), (1.0, 8.0))
    """
    points = region.array
    turn = np.sign(polygon.signed_area(points))
    start, end = points[edge], points[(edge + 1) % len(points)]
    along = end - start
    share = np.clip((np.array([x, y]) - start) @ along / (along @ along), 0, 1)
    foot = start + share * along
    steps = np.arange(-_ROOM, _ROOM + 1)
    around = np.floor(foot + 0.5) + np.stack(np.meshgrid(steps, steps), -1).reshape(-1, 2)
    off = -turn * _cross(along, around - start)  # above 0 outside
    between = ((around - start) @ along > 0) & ((end - around) @ along > 0)
    at_start = turn * _cross(start - points[edge - 1], around - start) > 0
    at_end = turn * _cross(end - around, points[(edge + 2) % len(points)] - end) > 0
    near = (off > 0) & (off <= np.hypot(*along)) & at_start & at_end
    found = around[between & ((off == 0) | near)]
    if not len(found):
        raise SpotlabError(
            "This edge has no room for a point; drag the edge outwards, or make the outline free"
        )
    place = found[np.argmin(((found - foot) ** 2).sum(axis=1))]
    return float(place[0]), float(place[1])


def delete_point(region: Region, index: int, page: Page) -> Region:
    """The region without the corner that one of its `handles` is; a box becomes a hull.

    An isothetic polygon loses a step.

    Raises
    ------
    SpotlabError
        It has only three corners, it is an ellipse, the handle is in the middle of a box's side, or
        no area would remain.
    """
    kind = behaves_as(region)
    if kind is Primitive.ELLIPSE:
        raise SpotlabError("An ellipse has no corners to delete; make it free first")
    if kind is Primitive.BOX:
        index = corner_of_box(region, index)
    stays = without_hidden(region, index)
    points, straight = region.array[stays], straight_points_of(region)[stays]
    alike = (points == region.array[index]).all(axis=1)
    if kind is Primitive.LINE:
        left = region.corners[(region.corners != region.array[index]).any(axis=1)]
        if len(left) < 2:
            raise SpotlabError("A line needs two ends; delete the line instead")
        return reshaped(region, there_and_back(left), page)
    if len(points) - np.count_nonzero(alike) < 3:
        raise SpotlabError("A region needs at least three corners; delete the region instead")
    if kind is Primitive.ISOTHETIC:
        # the corner moves onto the one two further on, which takes their step away
        there = points[(index + 2) % len(points)]
        return move_handle(region, index, (float(there[0]), float(there[1])), page)
    primitive = Primitive.HULL if kind is Primitive.BOX else kind
    kept = straight & ~alike
    return reshaped(region, points[~alike], page, primitive, points[kept])


def nearest_edge(region: Region, x: float, y: float) -> tuple[int, float, Place]:
    """The edge nearest to a place.

    Returns
    -------
    edge : int
        From the point with this index to the next.
    distance : float
        In px.
    foot : (x, y)
        The nearest place on it.

    Examples
    --------
    >>> nearest_edge(Region(((0, 0), (4, 0), (4, 4))), 2, -1)
    (0, 1.0, (2.0, 0.0))
    """
    starts = region.array
    along = np.roll(starts, -1, axis=0) - starts
    lengths = np.maximum((along**2).sum(axis=1), np.finfo(float).tiny)
    share = np.clip(((np.array([x, y]) - starts) * along).sum(axis=1) / lengths, 0, 1)
    feet = starts + share[:, None] * along
    distances = np.hypot(feet[:, 0] - x, feet[:, 1] - y)
    edge = int(np.argmin(distances))
    return edge, float(distances[edge]), (float(feet[edge, 0]), float(feet[edge, 1]))


def _linked(points: Points, index: int, axis: int, cut: int | None = None) -> NDArray[np.intp]:
    """The points that have to share a coordinate with this one: along straight edges, and alike.

    The edge ``cut`` links nothing.
    """
    following = np.roll(points, -1, axis=0)
    straight = points[:, axis] == following[:, axis]
    if cut is not None:
        straight[cut] = False
    count = len(points)
    found, waiting = {index}, [index]
    while waiting:
        here = waiting.pop()
        near = set(np.flatnonzero((points == points[here]).all(axis=1)).tolist())
        if straight[here]:
            near.add((here + 1) % count)
        if straight[here - 1]:
            near.add((here - 1) % count)
        waiting.extend(near - found)
        found |= near
    return np.array(sorted(found))


def _stepped(points: Points, edge: int, at: Place) -> Points:
    """The rest of an edge along x or y, from abreast of the place on, moved to the place."""
    start = points[edge]
    axis = 0 if start[0] == points[(edge + 1) % len(points), 0] else 1  # that both ends share
    foot = np.array(at)
    foot[axis] = start[axis]
    halved = np.insert(points, edge + 1, foot, axis=0)
    halved[_linked(halved, edge + 1, axis, cut=edge), axis] = at[axis]
    return np.insert(halved, edge + 1, foot, axis=0)


def _cross(first: Points, second: Points) -> NDArray[np.float64]:
    return np.asarray(first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0])


def _whole(place: Place) -> Place:
    return math.floor(place[0] + 0.5), math.floor(place[1] + 0.5)


def _on_page(to: Place, page: Page) -> Place:
    width, height = page_size(page)
    return float(min(max(to[0], 0), width)), float(min(max(to[1], 0), height))
