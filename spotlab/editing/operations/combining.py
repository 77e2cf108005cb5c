"""Make one region of several, several of one, and add or take away areas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from spotlab.arrays import Points
from spotlab.editing.operations.outline import CONVEX, behaves_as, named, page_size, reshaped
from spotlab.errors import SpotlabError
from spotlab.geometry.polygon import as_points, even_odd_geometry, signed_area
from spotlab.geometry.primitives import is_isothetic
from spotlab.geometry.rings import ring_from_geometry
from spotlab.libraries import ops, shapely
from spotlab.model import Attributes, Ignore, Page, Primitive, Region, new_id


def merge(regions: Sequence[Region], page: Page) -> Region:
    """One region of several; it keeps the first one's id, so it replaces that and the others go.

    Hulls, boxes and ellipses give the hull of all. As soon as one is another primitive, the
    outline of the union: isothetic if all are, and one ring, whose parts are joined by edges that
    run there and back, if they do not touch. The label is the first that there is; it is uncertain
    if one is, and ignored if all are; comments and texts are put one after the other; of attributes
    of one name the first counts.

    Raises
    ------
    SpotlabError
        There are fewer than two.
    """
    if len(regions) < 2:
        raise SpotlabError("Select two regions or more to merge")
    kinds = {behaves_as(region) for region in regions}
    first = replace(
        regions[0],
        label=next((region.label for region in regions if region.label), ""),
        uncertain=any(region.uncertain for region in regions),
        ignore=_ignore_of([region.ignore for region in regions]),
        comment=_joined([region.comment for region in regions]),
        text=_joined([region.text for region in regions]),
        attributes=Attributes(pair for region in reversed(regions) for pair in region.attributes),
    )
    if kinds <= CONVEX:
        points = np.vstack([region.array for region in regions])
        return reshaped(first, points, page, Primitive.HULL)
    union = shapely.union_all([even_odd_geometry(region.array) for region in regions])
    isothetic = kinds <= {Primitive.ISOTHETIC, Primitive.BOX} and all(
        is_isothetic(region.array) for region in regions
    )
    return _with_area(first, union, page, isothetic)


def _ignore_of(ignores: Sequence[Ignore]) -> Ignore:
    """Combine the marks of merged regions: one that counts makes the result count."""
    if len(set(ignores)) == 1:
        return ignores[0]
    return Ignore.NO if Ignore.NO in ignores else Ignore.AREA


def split(region: Region, line: ArrayLike, page: Page) -> list[Region]:
    """The pieces into which a line cuts a region, the largest first; it keeps the id.

    A straight line through a convex region gives two; one through the limbs of another outline may
    give more. Pieces of a hull, box or ellipse are hulls (of boxes: boxes where they are), so that
    they may overlap where the line is not straight.

    Parameters
    ----------
    region : Region
    line : (N, 2)
        In px, at least two points; it has to go right through.
    page : Page

    Raises
    ------
    SpotlabError
        The line does not cut the region, or a piece would have no area.
    """
    cut = np.asarray(line, dtype=float).reshape(-1, 2)
    if len(cut) < 2 or (cut == cut[0]).all():
        raise SpotlabError("Draw a line across the region to split it")
    pieces = [
        piece
        for part in shapely.get_parts(even_odd_geometry(region.array))
        for piece in ops.split(part, shapely.LineString(cut)).geoms
    ]
    before = len(shapely.get_parts(even_odd_geometry(region.array)))
    if len(pieces) <= before:
        raise SpotlabError(f"The line must cross {named(region)} from side to side")
    pieces.sort(key=lambda piece: -piece.area)
    kind = behaves_as(region)
    primitive = Primitive.HULL if kind is Primitive.ELLIPSE else kind
    ids = [region.id, *(new_id() for _ in pieces[1:])]
    return [
        reshaped(replace(region, id=id), ring_from_geometry(piece), page, primitive)
        for id, piece in zip(ids, pieces, strict=True)
    ]


_BENT = 0.03  # of a stroke's length: what bends less is meant to be straight
_ASKEW = 6.0  # degrees from the direction of an edge that a straight stroke is turned by
_LEAST = 0.02  # of the area, that either part has


def dividing_line(ring: Points, stroke: ArrayLike, reach: float) -> Points | None:
    """Find the line by which a stroke from border to border divides an outline.

    Parameters
    ----------
    ring : (N, 2) float
        The outline in px.
    stroke : (M, 2) array_like
        As drawn by hand, in px.
    reach : float
        Distance in px from the border within which a stroke begins and ends; where a wall's end
        or corner protrudes this near, it attracts the end.

    Returns
    -------
    (K, 2) float or None
        From outside to outside, straight and parallel to a side where the stroke nearly is. None
        where it does not go from border to border, or would divide it into one part or three.

    Examples
    --------
    >>> ring = np.array([(0, 0), (100, 0), (100, 60), (0, 60)], float)
    >>> np.round(dividing_line(ring, [(40, 2), (41, 30), (40, 58)], 5)).tolist()
    [[40.0, -8.0], [40.0, 68.0]]
    >>> dividing_line(ring, [(41, 20), (40, 58)], 5) is None
    True
    """
    places = as_points(stroke)
    if len(places) < 2:
        return None
    shape = even_odd_geometry(ring)
    ends = shapely.points(places[[0, -1]])
    if (shape.contains(ends) & (shapely.distance(shape.boundary, ends) > reach)).any():
        return None
    length = float(np.hypot(*np.diff(places, axis=0).T).sum())
    line = np.asarray(shapely.LineString(places).simplify(_BENT * length).coords)
    protruding = _reflex_corners(ring)
    for end in (0, -1):
        apart = np.hypot(*(protruding - line[end]).T)
        if len(apart) and apart.min() <= reach:
            line[end] = protruding[apart.argmin()]
    if len(line) == 2:
        line = _parallel(line, ring)
    ways = line[[0, -1]] - line[[1, -2]]
    away = np.hypot(*ways.T)
    if not away.all():
        return None
    line[[0, -1]] += 2 * reach * ways / away[:, None]
    parts = ops.split(shape, shapely.LineString(line)).geoms
    if len(parts) != 2 or min(part.area for part in parts) < _LEAST * shape.area:
        return None
    return line


def _reflex_corners(ring: Points) -> Points:
    before, after = ring - np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0) - ring
    turns = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return ring[turns * signed_area(ring) < 0]


def _parallel(line: Points, ring: Points) -> Points:
    """A line turned to the direction of an edge, about an end at a corner or about its middle."""
    ways = np.roll(ring, -1, axis=0) - ring
    angles = np.degrees(np.arctan2(ways[:, 1], ways[:, 0]))
    way = line[1] - line[0]
    turns = (angles - np.degrees(np.arctan2(way[1], way[0])) + 90) % 180 - 90
    corners = [bool((ring == end).all(axis=1).any()) for end in line]
    near = np.abs(turns) <= _ASKEW
    if all(corners) or not near.any():
        return line
    lengths = np.where(near, np.hypot(*ways.T), 0)
    turned = np.radians(turns[lengths.argmax()])
    about = line[corners.index(True)] if any(corners) else line.mean(axis=0)
    rotation = np.array([[np.cos(turned), np.sin(turned)], [-np.sin(turned), np.cos(turned)]])
    parallel: Points = about + (line - about) @ rotation
    return parallel


def add_area(region: Region, points: ArrayLike, page: Page) -> Region:
    """The region with an area added: hulls, boxes and ellipses become the hull of both.

    Other outlines become that of the union, in one ring.
    """
    if behaves_as(region) in CONVEX:
        both = np.vstack([region.array, as_points(points)])
        return reshaped(region, both, page, Primitive.HULL)
    union = even_odd_geometry(region.array).union(even_odd_geometry(as_points(points)))
    return _with_area(region, union, page, behaves_as(region) is Primitive.ISOTHETIC)


def subtract_area(region: Region, points: ArrayLike, page: Page) -> Region:
    """The region with an area taken away; of hulls, boxes and ellipses the hull of what is left.

    So an area in the middle of a hull takes nothing away; make it free first for a hole.

    Raises
    ------
    SpotlabError
        Nothing would be left.
    """
    left = even_odd_geometry(region.array).difference(even_odd_geometry(as_points(points)))
    if left.is_empty:
        raise SpotlabError(f"Nothing would be left of {named(region)}")
    if behaves_as(region) in CONVEX:
        return reshaped(region, shapely.get_coordinates(left), page, Primitive.HULL)
    return _with_area(region, left, page, behaves_as(region) is Primitive.ISOTHETIC)


def _with_area(region: Region, geometry: Any, page: Page, isothetic: bool) -> Region:
    """The region around what of this geometry is on the page."""
    whole_page = shapely.box(0, 0, *page_size(page))
    on_page = geometry if whole_page.covers(geometry) else geometry.intersection(whole_page)
    ring = ring_from_geometry(on_page, isothetic=isothetic)
    primitive = Primitive.ISOTHETIC if isothetic else Primitive.POLYGON
    return reshaped(region, ring, page, primitive)


def _joined(texts: Sequence[str]) -> str:
    return " ".join(dict.fromkeys(text for text in texts if text))
