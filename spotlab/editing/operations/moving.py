"""Operations that move, turn, scale and copy regions, or change what is known of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Points
from spotlab.editing.operations.outline import (
    behaves_as,
    named,
    page_size,
    reshaped,
    straight_points_of,
)
from spotlab.errors import SpotlabError
from spotlab.geometry import polygon, primitives
from spotlab.geometry.polygon import Frame, as_points
from spotlab.geometry.primitives import frame_corners, turned_frame
from spotlab.libraries import shapely
from spotlab.model import Ignore, Page, Primitive, Region, new_id

BAND = 3.0  # times as long as wide at least, as a wall is
SLOPE = 0.1  # off a direction, of its length, up to which an edge runs in it


def move(region: Region, dx: float, dy: float, page: Page) -> Region:
    """The region elsewhere, its shape untouched; the step ends at the page's edge.

    Parameters
    ----------
    region : Region
    dx, dy : float
        The step in px, rounded to whole ones.
    page : Page

    Examples
    --------
    >>> from pathlib import Path
    >>> corner = Region(((0, 0), (4, 0), (4, 4)))
    >>> move(corner, -5, 2.2, Page(Path("one.png"), 10, 10)).points
    ((0.0, 2.0), (4.0, 2.0), (4.0, 6.0))
    """
    return move_all([region], dx, dy, page)[0]


def move_all(regions: Sequence[Region], dx: float, dy: float, page: Page) -> list[Region]:
    """The regions elsewhere, keeping their places towards each other; all stay on the page."""
    if not regions:
        return []
    x, y = np.floor(np.array([dx, dy]) + 0.5).tolist()
    limits = polygon.limit_step(bounds_of(regions), x, y, page_size(page))
    dx, dy = (
        math.trunc(limit) if abs(limit) < abs(wanted) else limit  # turned boxes lie between px
        for limit, wanted in zip(limits, (x, y), strict=True)
    )
    return [_moved(region, dx, dy, page) for region in regions]


def duplicate(region: Region, offset: tuple[float, float], page: Page) -> Region:
    """A copy with an id of its own, ``offset`` px away as far as the page lets it."""
    return replace(move(region, *offset, page), id=new_id(), history=())


def rotate(
    region: Region, angle: float, page: Page, about: tuple[float, float] | None = None
) -> Region:
    """The region turned; where it would reach beyond the page, it is moved back onto it.

    Parameters
    ----------
    region : Region
    angle : float
        Degrees, clockwise on the screen. Isothetic polygons and cells stay what they are at quarter
        turns, and else become free polygons.
    page : Page
    about : (x, y), optional
        The place that stays; by default the centre of the area, to the nearest half pixel, so that
        four quarter turns lead back.

    Raises
    ------
    SpotlabError
        It does not fit on the page in this direction.
    """
    centre = about or _centre(region)
    turned = polygon.rotate(region.array, angle, centre)
    left, top, right, bottom = polygon.bounds(turned)
    width, height = page_size(page)
    if right - left > width or bottom - top > height:
        raise SpotlabError(f"After this rotation, {named(region)} would not fit on the page")
    back = polygon.limit_step((left, top, right, bottom), 0, 0, (width, height))
    return reshaped(region, polygon.translate(turned, *back), page)


def scale(
    region: Region, sx: float, sy: float, page: Page, about: tuple[float, float] | None = None
) -> Region:
    """The region drawn out; the factors end where it would leave the page.

    Parameters
    ----------
    region : Region
    sx, sy : float
        Factors along x and y; negative ones mirror. Turned ellipses stay ellipses, and turned boxes
        boxes of the same angle, or of the opposite one where they are mirrored.
    page : Page
    about : (x, y), optional
        The place that stays; by default the centre of the area.

    Raises
    ------
    SpotlabError
        No area would remain.
    """
    x, y = about or _centre(region)
    left, top, right, bottom = region.bounds
    sx = polygon.limit_factor(left, right, sx, x, page.width)
    sy = polygon.limit_factor(top, bottom, sy, y, page.height)
    drawn = polygon.scale(region.array, sx, sy, (x, y))
    frame = turned_frame(region.array) if region.primitive is Primitive.BOX else None
    if frame is not None:
        drawn = np.array(frame_corners(_scaled(frame, sx, sy, (x, y))))
        left, top, right, bottom = polygon.bounds(drawn)
        if right - left > page.width or bottom - top > page.height:
            raise SpotlabError(f"{named(region).capitalize()} would not fit on the page")
    return reshaped(region, drawn, page)


def _scaled(frame: Frame, sx: float, sy: float, about: tuple[float, float]) -> Frame:
    """The frame with its sides as long as they become, but at right angles."""
    x, y = polygon.scale(np.array([[frame.x, frame.y]]), sx, sy, about)[0].tolist()
    along = polygon.rotate(np.eye(2), frame.angle, (0, 0)) * (sx, sy)
    width, height = np.hypot(*along.T).tolist()
    angle = frame.angle if sx * sy > 0 else -frame.angle
    return Frame(x, y, frame.width * width, frame.height * height, angle)


def bounds_of(regions: Sequence[Region]) -> tuple[float, float, float, float]:
    """(left, top, right, bottom) in px around all of them; there has to be one."""
    bounds = np.array([region.bounds for region in regions])
    left, top = bounds[:, :2].min(axis=0).tolist()
    right, bottom = bounds[:, 2:].max(axis=0).tolist()
    return left, top, right, bottom


def move_borders(
    outlines: Sequence[Points],
    regions: Iterable[Region],
    step: tuple[float, float],
    page: Page,
    reach: float,
) -> list[Region]:
    """The regions that go along when outlines or edges move, as rooms and windows with a wall.

    Of free polygons the corners that lie along them go, and regions that lie on them as a whole.
    With a band, which is at least three times as long as wide, they only move across it, with an
    edge only across the edge; edges that begin there and run on in its direction go as a whole.

    Parameters
    ----------
    outlines : sequence of (N, 2) float
        Corners of an outline, or both ends of an edge, before it moved.
    regions : iterable of Region
        Those that may have a border there.
    step : (float, float)
        How far it moved, in px.
    page : Page
    reach : float
        px between a corner and an outline, at most. Corners inside count as on it.

    Raises
    ------
    SpotlabError
        No area would remain of a region.

    Examples
    --------
    >>> from pathlib import Path
    >>> wall = np.array([(8.0, 0.0), (10.0, 0.0), (10.0, 20.0), (8.0, 20.0)])
    >>> room = Region(((0, 0), (8, 0), (8, 20), (0, 20)), primitive=Primitive.POLYGON)
    >>> move_borders([wall], [room], (2, 5), Page(Path("one.png"), 30, 30), 1)[0].points
    ((0.0, 0.0), (10.0, 0.0), (10.0, 20.0), (0.0, 20.0))
    """
    shapes = [(_shape_of(each), across(each, np.array(step, float)), _lengthwise(each))
              for each in outlines]  # fmt: skip
    changed = []
    for region in regions:
        corners = shapely.points(region.array)
        points = region.array.copy()
        for shape, moved, lengthwise in shapes:
            near = shapely.distance(shape, corners) <= reach
            if lengthwise is not None:
                near = _with_edges_along(region.array, near, lengthwise)
            points[near] = region.array[near] + moved
        steps = points - region.array
        if steps.any() and (steps == steps[0]).all():
            dx, dy = steps[0].tolist()
            changed.append(move(region, dx, dy, page))
        elif steps.any() and behaves_as(region) is Primitive.POLYGON:
            changed.append(reshaped(region, points, page))
    return changed


def _shape_of(points: Points) -> Any:
    return shapely.LineString(points) if len(points) == 2 else polygon.even_odd_geometry(points)


def across(points: Points, step: Points) -> Points:
    """The part of a step across a band or an edge; of another outline all of it.

    Parameters
    ----------
    points : (N, 2) float
        Corners of the outline, or both ends of the edge.
    step : (2,) float
        In px.

    Examples
    --------
    >>> across(np.array([(0.0, 0.0), (9.0, 0.0)]), np.array([3.0, 4.0])).tolist()
    [0.0, 4.0]
    """
    lengthwise = _lengthwise(points)
    if lengthwise is None:
        return step
    return np.asarray(step - lengthwise * (step @ lengthwise) / (lengthwise @ lengthwise))


def _lengthwise(points: Points) -> Points | None:
    """The longer side of a band, or the edge; None for another outline."""
    if len(points) == 2:
        return np.asarray(points[1] - points[0])
    corners = np.array(primitives.smallest_turned_box(points))
    short, long = sorted(np.diff(corners[:3], axis=0), key=lambda side: float(np.hypot(*side)))
    return long if np.hypot(*long) >= BAND * np.hypot(*short) else None


def _with_edges_along(
    points: Points, moves: NDArray[np.bool_], lengthwise: Points
) -> NDArray[np.bool_]:
    """Corners that move, and those at the other ends of edges in this direction, in turn."""
    edges = np.roll(points, -1, axis=0) - points
    off = np.abs(edges @ np.array([-lengthwise[1], lengthwise[0]])) / np.hypot(*lengthwise)
    along = off <= SLOPE * np.hypot(*edges.T)
    for _ in points:
        whole = along & (moves | np.roll(moves, -1))
        moves = moves | whole | np.roll(whole, 1)
    return moves


def _moved(region: Region, dx: float, dy: float, page: Page) -> Region:
    points = polygon.translate(region.array, dx, dy)
    return reshaped(region, points, page, region.primitive, points[straight_points_of(region)])


def _centre(region: Region) -> tuple[float, float]:
    x, y = polygon.centroid(region.array)
    return round(2 * x) / 2, round(2 * y) / 2


def relabel(regions: Iterable[Region], label: str) -> list[Region]:
    """The regions with this label; an empty one takes theirs away.

    Examples
    --------
    >>> [region.label for region in relabel([Region(((0, 0), (4, 0), (4, 4)))], " bed ")]
    ['bed']
    """
    return [replace(region, label=label) for region in regions]


def flag_uncertain(regions: Iterable[Region], uncertain: bool = True) -> list[Region]:
    """The regions with the flag set or taken off."""
    return [replace(region, uncertain=uncertain) for region in regions]


def toggle_uncertain(regions: Iterable[Region]) -> list[Region]:
    """All flagged, or none if all are."""
    regions = list(regions)
    return flag_uncertain(regions, not all(region.uncertain for region in regions))


def set_ignore(regions: Iterable[Region], ignore: Ignore) -> list[Region]:
    """The regions left out of evaluation, as symbols or as areas, or counted again.

    Examples
    --------
    >>> region = Region(((0, 0), (4, 0), (4, 4)))
    >>> [region.ignored for region in set_ignore([region], Ignore.AREA)]
    [True]
    """
    return [replace(region, ignore=ignore) for region in regions]


def toggle_ignore(regions: Iterable[Region], ignore: Ignore) -> list[Region]:
    """All left out in this way, or counted if all are."""
    regions = list(regions)
    all_are = all(region.ignore is ignore for region in regions)
    return set_ignore(regions, Ignore.NO if all_are else ignore)


def set_comment(regions: Iterable[Region], comment: str) -> list[Region]:
    """The regions with this remark, without space around it."""
    return [replace(region, comment=comment.strip()) for region in regions]


def make_free(region: Region) -> Region:
    """The same outline as a free polygon, which need not stay convex."""
    return replace(region, primitive=Primitive.POLYGON)


def make_hull(region: Region, page: Page) -> Region:
    """Its convex hull."""
    return reshaped(region, region.array, page, Primitive.HULL)


def make_turned_box(region: Region, page: Page) -> Region:
    """The smallest box around it in any direction; a box stays as it is.

    Examples
    --------
    >>> from pathlib import Path
    >>> rhombus = Region(((4, 0), (9, 5), (5, 9), (0, 4)))
    >>> make_turned_box(rhombus, Page(Path("one.png"), 10, 10)).primitive.value
    'box'
    """
    corners = primitives.smallest_turned_box(region.array)
    return reshaped(region, as_points(corners), page, Primitive.BOX)


def as_primitive(region: Region, primitive: Primitive, page: Page) -> Region:
    """The region as another primitive.

    A box becomes its bounds, an ellipse has the same centre, area's spread and direction, an
    isothetic polygon replaces slanted edges by two straight ones.

    Raises
    ------
    SpotlabError
        Traces and cells are made from ink and marks, not from an outline; or nothing would be left.
    """
    if primitive is region.primitive and primitive is not Primitive.BOX:  # which may be turned
        return region
    match primitive:
        case Primitive.HULL:
            return make_hull(region, page)
        case Primitive.POLYGON:
            return make_free(region)
        case Primitive.BOX:
            return reshaped(region, primitives.box(*region.bounds), page, Primitive.BOX)
        case Primitive.ELLIPSE:
            frame = primitives.ellipse_from_points(region.array)
            if frame is None:
                raise SpotlabError(f"{named(region).capitalize()} has no area to fit an ellipse to")
            return reshaped(region, primitives.ellipse(frame), page, Primitive.ELLIPSE)
        case Primitive.ISOTHETIC:
            outline = primitives.isothetic_polygon(region.array)
            return reshaped(region, outline, page, Primitive.ISOTHETIC)
    raise SpotlabError(
        f"An outline cannot be converted to {primitive}; draw the region again from the ink"
    )
