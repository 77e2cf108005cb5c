"""The last step of every change: an outline in whole px, on the page, of one primitive.

Only turned boxes have corners between px: whole ones would change their angle with every step.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Points
from spotlab.errors import SpotlabError
from spotlab.geometry.polygon import area, as_points
from spotlab.geometry.primitives import (
    ellipse_from_points,
    is_box,
    is_isothetic,
    open_line,
    snap,
    snap_ellipse,
    snap_line,
    snap_turned_box,
    turned_frame,
)
from spotlab.geometry.rings import insert_points_on_edges, remove_straight_points, straight_points
from spotlab.model import Page, Primitive, Region

Outline = tuple[tuple[float, float], ...]

CONVEX = frozenset({Primitive.HULL, Primitive.BOX, Primitive.ELLIPSE})


def page_size(page: Page) -> tuple[int, int]:
    """(width, height) in px."""
    return page.width, page.height


def behaves_as(region: Region) -> Primitive:
    """Return the primitive as which a region is edited: its own, if its outline is such a one.

    A "box" without right angles is edited as a hull, an "isothetic" outline with slanted edges as
    a free polygon. Cells are edited as an isothetic polygon and a trace as a free polygon.
    """
    match region.primitive:
        case Primitive.BOX if not is_box(region.array) and turned_frame(region.array) is None:
            return Primitive.HULL
        case Primitive.ISOTHETIC | Primitive.CELLS:
            return Primitive.ISOTHETIC if is_isothetic(region.array) else Primitive.POLYGON
        case Primitive.TRACE:
            return Primitive.POLYGON
    return region.primitive


def reshaped(
    region: Region,
    points: Points,
    page: Page,
    primitive: Primitive | None = None,
    kept: Points | None = None,
) -> Region:
    """The region with another outline, snapped; the convex primitives get its hull.

    A box that has lost its right angles turns into a hull, an isothetic polygon or cells with
    slanted edges into a free polygon. Of an ellipse the points are to lie on it: it is found from
    them by its moments and drawn again. Of the points ``kept`` those that lie right on an edge of
    a hull stay points of it; all others there drop off.

    Raises
    ------
    SpotlabError
        No area would remain.
    """
    outline = _snapped(points, primitive or behaves_as(region), page)
    if outline is None:
        raise SpotlabError(f"Nothing would be left of {named(region)}")
    ring, kind = outline
    if kept is not None and len(kept) and kind is Primitive.HULL:
        ring = _ring(insert_points_on_edges(np.array(ring), np.floor(kept + 0.5)))
    return replace(region, points=ring, primitive=kind)


def straight_points_of(region: Region) -> NDArray[np.bool_]:
    """(N,) bool: the points that somebody has put right on an edge of a hull; else none."""
    if behaves_as(region) is Primitive.HULL:
        return straight_points(region.array)
    return np.zeros(len(region.points), np.bool_)


def drawn(points: ArrayLike, primitive: Primitive, page: Page, label: str = "") -> Region | None:
    """A new region with this outline, snapped; convex primitives get its hull.

    None where it would have no area: nothing is to be left behind then.

    Examples
    --------
    >>> from pathlib import Path
    >>> page = Page(Path("one.png"), 10, 10)
    >>> dented = drawn([(0, 0), (4, 1), (8.2, 0), (4, 9.5)], Primitive.HULL, page)
    >>> dented.points if dented else None
    ((0.0, 0.0), (8.0, 0.0), (4.0, 10.0))
    >>> drawn([(0, 0), (4, 0)], Primitive.HULL, page) is None
    True
    """
    outline = _snapped(as_points(points), primitive, page)
    return Region(outline[0], label, primitive=outline[1]) if outline else None


def _snapped(points: Points, kind: Primitive, page: Page) -> tuple[Outline, Primitive] | None:
    """The outline on the page, and the primitive that it is then."""
    if not kind.has_area:
        corners = points[:1] if kind is Primitive.POINT else open_line(points)
        line = snap_line(corners, page_size(page))
        open_end = kind is Primitive.LINE and len(corners) < 2
        return None if line is None or open_end else (_ring(line), kind)
    turned = snap_turned_box(points, page_size(page)) if kind is Primitive.BOX else None
    if turned is not None:
        return _ring(turned), kind
    ring = snap(points, page_size(page), convex=kind in CONVEX)
    if kind is Primitive.ELLIPSE and (ring is None or not np.isin(points, ring).all()):
        # not merely moved: the points may lie between pixels, and rounding must not add up
        frame = ellipse_from_points(points)
        ring = snap_ellipse(frame, page_size(page)) if frame else None
    if ring is None:
        return None
    if kind is Primitive.BOX and not is_box(ring):
        kind = Primitive.HULL
    elif kind in (Primitive.ISOTHETIC, Primitive.CELLS):
        if is_isothetic(ring):
            ring = remove_straight_points(ring)
        else:
            kind = Primitive.POLYGON
    return _ring(ring), kind


def _ring(points: Points) -> Outline:
    return tuple((x, y) for x, y in points.tolist())


def named(region: Region) -> str:
    """Name a region in a message.

    Examples
    --------
    >>> named(Region(((0, 0), (1, 0), (1, 1)), label="sofa"))
    "the region 'sofa'"
    """
    return f"the region '{region.label}'" if region.label else "the region"


TOLERANCE = 0.002  # of the area, at most, that the points without a handle add to the outline

_FEWEST = 4


def handle_points(region: Region) -> list[int]:
    """Choose the points of a region that get a handle.

    A hull's least points are left out, one after another, as long as the outline through the others
    has at least 99.8 % of its area. Points that somebody has put on an edge stay.

    Parameters
    ----------
    region : Region
        Of any primitive; all but hulls keep all their points.

    Returns
    -------
    list of int
        Indices of points, ascending.

    References
    ----------
    Visvalingam & Whyatt (1993), "Line generalisation by repeated elimination of points", The
    Cartographic Journal 30(1).

    Examples
    --------
    >>> corner = Region(((0, 0), (98, 0), (99, 1), (100, 3), (100, 100), (0, 100)))
    >>> handle_points(corner)
    [0, 1, 3, 4, 5]
    """
    if not region.primitive.has_area:
        return list(range(len(region.corners)))
    if behaves_as(region) is not Primitive.HULL or len(region.points) <= _FEWEST:
        return list(range(len(region.points)))
    return list(_thinned(region.points))


def without_hidden(region: Region, index: int) -> NDArray[np.bool_]:
    """Tell which points stay when a handle is moved or deleted.

    Parameters
    ----------
    region : Region
        Of any primitive.
    index : int
        Of the point.

    Returns
    -------
    (N,) bool
        False for the points without a handle between this handle and its neighbours: they belong
        to it. True for all where the point itself has no handle.
    """
    count = len(region.points)
    stays = np.ones(count, np.bool_)
    shown = handle_points(region)
    if index not in shown or len(shown) == count:
        return stays
    place = shown.index(index)
    before, after = shown[place - 1], shown[(place + 1) % len(shown)]
    for start, end in ((before, index), (index, after)):
        for step in range(1, (end - start) % count):
            stays[(start + step) % count] = False
    return stays


@lru_cache(maxsize=512)
def _thinned(ring: tuple[tuple[float, float], ...]) -> tuple[int, ...]:
    """Of a hull with this outline: whatever else of a region changes, its handles stay."""
    points = as_points(ring)
    count = len(points)
    before = [(number - 1) % count for number in range(count)]
    after = [(number + 1) % count for number in range(count)]

    def loss(number: int) -> float:
        (ax, ay), (bx, by), (cx, cy) = points[[before[number], number, after[number]]].tolist()
        return float(abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2)

    fixed = straight_points(points)
    waiting = [(loss(number), number) for number in range(count) if not fixed[number]]
    heapify(waiting)
    left, room, shown = count, TOLERANCE * area(points), [True] * count
    while waiting and left > _FEWEST:
        lost, number = heappop(waiting)
        if not shown[number] or lost != loss(number):
            continue  # counted again since then
        if lost > room:
            break
        room -= lost
        left -= 1
        shown[number] = False
        one, other = before[number], after[number]
        after[one], before[other] = other, one
        for neighbour in (one, other):
            if not fixed[neighbour]:
                heappush(waiting, (loss(neighbour), neighbour))
    return tuple(number for number in range(count) if shown[number])
