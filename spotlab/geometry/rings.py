"""Rings that stand for several: parts and holes joined by edges that run there and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from spotlab.geometry.polygon import Points, signed_area


def tidy(points: Points) -> Points:
    """The ring without points that repeat the one before and without spikes.

    A spike is a corner where the ring turns back on itself; leaving it out changes no area. Points
    in the middle of a straight edge stay.

    Examples
    --------
    >>> spiky = np.array([[0, 0], [4, 0], [4, 4], [4, 9], [4, 4], [4, 4], [0, 4]], float)
    >>> tidy(spiky).tolist()
    [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]
    """
    while len(points):
        before = points - np.roll(points, 1, axis=0)
        after = np.roll(before, -1, axis=0)
        repeated = (before == 0).all(axis=1)
        if repeated.any():
            points = points[~repeated]
            continue
        cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
        spikes = (cross == 0) & ((before * after).sum(axis=1) < 0)
        if not spikes.any():
            break
        # neighbours may become no spikes: one of a row at a time
        alone = spikes & ~np.roll(spikes, 1)
        if not alone.any():
            alone[0] = True
        points = points[~alone]
    return points


def without_straight_points(points: Points) -> Points:
    """The ring without points in the middle of a straight edge; a tidy ring is expected.

    Where the ring comes by twice, as where a hole is joined to it, the point stays.
    """
    straight = straight_points(points)
    _, places, visits = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    kept: Points = points[~straight | (visits[places.ravel()] > 1)]
    return kept


def straight_points(points: Points) -> NDArray[np.bool_]:
    """(N,) bool: which points of the ring lie in the middle of a straight edge.

    Examples
    --------
    >>> straight_points(np.array([[0, 0], [2, 0], [4, 0], [4, 4]], float)).tolist()
    [False, True, False, False]
    """
    before = points - np.roll(points, 1, axis=0)
    after = np.roll(before, -1, axis=0)
    return np.asarray(before[:, 0] * after[:, 1] == before[:, 1] * after[:, 0])


def with_points_on_edges(ring: Points, points: Points) -> Points:
    """The ring with those of the points that lie right on its edges as points of its own.

    Examples
    --------
    >>> triangle = np.array([[0, 0], [4, 0], [4, 4]], float)
    >>> with_points_on_edges(triangle, np.array([[3, 0], [1, 0], [1, 3], [4, 4]])).tolist()
    [[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [4.0, 0.0], [4.0, 4.0]]
    """
    parts = []
    for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        parts.append(start[None])
        along, off = end - start, points - start
        shares = off @ along / (along @ along)
        on = (along[0] * off[:, 1] == along[1] * off[:, 0]) & (shares > 0) & (shares < 1)
        parts.append(points[on][np.argsort(shares[on])])
    return tidy(np.concatenate(parts))


def one_ring(geometry: Any, *, isothetic: bool = False) -> Points:
    """A polygon with holes, or several polygons, as one ring by the even-odd rule.

    Parts and holes are joined at nearest corners by edges that run there and back.

    Parameters
    ----------
    geometry : shapely geometry
        What is not an area in it is left out.
    isothetic : bool
        Let the joining edges run along x and y, too.

    Returns
    -------
    (N, 2) float
        Empty where there is no area.

    Examples
    --------
    >>> square_with_hole = shapely.box(0, 0, 9, 9).difference(shapely.box(3, 3, 6, 6))
    >>> ring = one_ring(square_with_hole)
    >>> len(ring), signed_area(ring)
    (10, 72.0)
    """
    rings = _oriented_rings(geometry)
    if not rings:
        return np.empty((0, 2))
    ring, rest = rings[0], rings[1:]
    trees = [cKDTree(other) for other in rest]
    nearest = [(np.inf, 0, np.zeros(2))] * len(rest)  # distance, corner there, corner here
    new = ring
    while rest:  # as Prim's tree grows: the ring nearest to what has been joined comes next
        for number, tree in enumerate(trees):
            distances, corners = tree.query(new)
            best = int(np.argmin(distances))
            if distances[best] < nearest[number][0]:
                nearest[number] = (distances[best], int(corners[best]), new[best])
        number = min(range(len(rest)), key=lambda at: nearest[at][0])
        _, corner, here = nearest.pop(number)
        trees.pop(number)
        new = np.roll(rest.pop(number), -corner, axis=0)
        ring = _joined(ring, here, new, isothetic)
    return tidy(ring)


def _joined(ring: Points, here: Points, other: Points, isothetic: bool) -> Points:
    """The ring with the other one, which starts at its nearest corner, hung in at ``here``."""
    at = int(np.flatnonzero((ring == here).all(axis=1))[0])
    bridge = np.array([[other[0, 0], here[1]]]) if isothetic else np.empty((0, 2))
    return np.vstack([ring[: at + 1], bridge, other, other[:1], bridge, ring[at:]])


def _oriented_rings(geometry: Any) -> list[Points]:
    """Outer rings clockwise on the screen and holes the other way, the largest outer ring first."""
    parts = [part for part in shapely.get_parts(geometry) if part.area > 0]
    flat = [
        polygon
        for part in parts
        for polygon in shapely.get_parts(part)
        if polygon.geom_type == "Polygon" and polygon.area > 0
    ]
    rings = []
    for polygon in sorted(flat, key=lambda polygon: -polygon.area):
        for number, line in enumerate((polygon.exterior, *polygon.interiors)):
            points = shapely.get_coordinates(line)[:-1]
            rings.append(points if (signed_area(points) > 0) == (number == 0) else points[::-1])
    return rings
