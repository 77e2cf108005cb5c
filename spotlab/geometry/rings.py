"""Rings that stand for several: parts and holes joined by edges that run there and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Ints, Points
from spotlab.geometry.polygon import signed_area
from spotlab.libraries import csgraph, shapely, sparse, spatial

CORNERS = 20_000  # about as many are compared to join rings; a triangulation of these takes 0.2 s


def tidy(points: Points) -> Points:
    """Remove points that repeat the one before, and spikes.

    A spike is a corner where the ring turns back on itself; removing it changes no area. Points in
    the middle of a straight edge stay.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px.

    Returns
    -------
    (M, 2) float
        Fewer than three points for a ring without area that runs there and back.

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


def remove_straight_points(points: Points) -> Points:
    """Remove the points in the middle of straight edges.

    Parameters
    ----------
    points : (N, 2) float
        A ring in px that is `tidy`.

    Returns
    -------
    (M, 2) float
        A point that the ring visits twice stays, as where a hole is joined to it.

    Examples
    --------
    >>> remove_straight_points(np.array([[0, 0], [2, 0], [4, 0], [4, 4]], float)).tolist()
    [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0]]
    """
    straight = straight_points(points)
    _, places, visits = np.unique(points, axis=0, return_inverse=True, return_counts=True)
    kept: Points = points[~straight | (visits[places.ravel()] > 1)]
    return kept


def straight_points(points: Points) -> NDArray[np.bool_]:
    """Tell which points of a ring lie in the middle of a straight edge.

    Parameters
    ----------
    points : (N, 2) float
        A ring in px that is `tidy`.

    Returns
    -------
    (N,) bool

    Examples
    --------
    >>> straight_points(np.array([[0, 0], [2, 0], [4, 0], [4, 4]], float)).tolist()
    [False, True, False, False]
    """
    before = points - np.roll(points, 1, axis=0)
    after = np.roll(before, -1, axis=0)
    return np.asarray(before[:, 0] * after[:, 1] == before[:, 1] * after[:, 0])


def insert_points_on_edges(ring: Points, points: Points) -> Points:
    """Make the points that lie exactly on a ring's edges corners of the ring.

    Parameters
    ----------
    ring : (N, 2) float
        An open ring in px.
    points : (M, 2) float
        Places in px; those that are not on an edge are ignored.

    Returns
    -------
    (K, 2) float
        The ring with the new corners, `tidy`.

    Examples
    --------
    >>> triangle = np.array([[0, 0], [4, 0], [4, 4]], float)
    >>> insert_points_on_edges(triangle, np.array([[3, 0], [1, 0], [1, 3], [4, 4]])).tolist()
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


def ring_from_geometry(geometry: Any, *, isothetic: bool = False) -> Points:
    """Convert a polygon with holes, or several polygons, to one ring by the even-odd rule.

    Parameters
    ----------
    geometry : shapely geometry
        Lines and points in it are ignored.
    isothetic : bool
        Let the edges that join parts and holes run along x and y, too.

    Returns
    -------
    (N, 2) float
        x, y in px; see `join_rings`. Outer rings run clockwise on the screen and holes the other
        way. Empty where there is no area.

    Examples
    --------
    >>> square_with_hole = shapely.box(0, 0, 9, 9).difference(shapely.box(3, 3, 6, 6))
    >>> ring = ring_from_geometry(square_with_hole)
    >>> len(ring), signed_area(ring)
    (10, 72.0)
    """
    return tidy(join_rings(_oriented_rings(geometry), isothetic=isothetic))


def join_rings(rings: Sequence[Points], *, isothetic: bool = False) -> Points:
    """Join rings by edges that run there and back, as short as possible.

    The result encloses, by the even-odd rule, the places that an odd number of the rings encloses.

    Parameters
    ----------
    rings : sequence of (n, 2) float
        Open rings with at least one point each, x and y in px. The result begins with the first.
    isothetic : bool
        Let the joining edges run along x and y, too.

    Returns
    -------
    (M, 2) float
        The ring itself where there is only one; empty where there is none.

    Notes
    -----
    The joined corners form a minimum spanning tree of the rings, found among the edges of the
    Delaunay triangulation of all corners. Of more than 20,000 corners a part stands for all, so
    that joining edges may be a little longer.

    Examples
    --------
    >>> triangle, square = [[0, 0], [2, 0], [0, 2]], [[5, 0], [6, 0], [6, 1], [5, 1]]
    >>> join_rings([np.array(triangle, float), np.array(square, float)]).tolist()
    ... # doctest: +NORMALIZE_WHITESPACE
    [[0.0, 0.0], [2.0, 0.0], [5.0, 0.0], [6.0, 0.0], [6.0, 1.0], [5.0, 1.0], [5.0, 0.0],
     [2.0, 0.0], [0.0, 2.0]]
    """
    if len(rings) < 2:
        return rings[0] if rings else np.empty((0, 2))
    points = np.concatenate(rings)
    first = np.cumsum([0, *map(len, rings)])
    hosts, guests = _joined_corners(points, first)
    bends = np.column_stack([points[guests, 0], points[hosts, 1]])
    hanging: dict[int, list[tuple[int, list[int]]]] = {}  # what is joined to each corner
    for number, (host, guest) in enumerate(zip(hosts.tolist(), guests.tolist(), strict=True)):
        bend = [len(points) + number] if isothetic else []
        hanging.setdefault(host, []).append((guest, bend))

    walk: list[int] = []
    ahead = list(range(first[1] - 1, -1, -1))
    while ahead:
        corner = ahead.pop()
        if corner < 0:  # on the way back
            walk.append(~corner)
            continue
        walk.append(corner)
        for guest, bend in hanging.get(corner, ()):
            ring = int(np.searchsorted(first, guest, "right")) - 1
            around = [*range(guest, first[ring + 1]), *range(first[ring], guest)]
            ahead += [~corner, *(~place for place in bend), ~guest, *around[::-1], *bend]
    return np.concatenate([points, bends])[walk]


def _joined_corners(points: Points, first: Ints) -> tuple[Ints, Ints]:
    """The corners by which rings are joined: one of a ring nearer to the first, and the other's."""
    count = len(first) - 1
    owner = np.repeat(np.arange(count), np.diff(first))
    within = np.arange(len(points)) - first[owner]
    tried = np.flatnonzero(within % -(-len(points) // CORNERS) == 0)  # each ring's first at least
    one, other = (tried[ends] for ends in _neighbours(points[tried]))
    forward = owner[one] < owner[other]
    one, other = one[forward], other[forward]
    order = np.lexsort((other, one, np.hypot(*(points[one] - points[other]).T)))
    # last come edges to the first ring, for points on a line, which have no triangles
    one = np.concatenate([one[order], np.zeros(count - 1, np.int64)])
    other = np.concatenate([other[order], first[1:-1]])
    pairs, shortest = np.unique(owner[one] * count + owner[other], return_index=True)
    # edges weigh their place in the order: no two alike, so that only one tree is the smallest
    ends = divmod(pairs.astype(np.int32), count)  # scipy 1.13 knows trees of 32-bit indices only
    graph = sparse.csr_array((shortest + 1.0, ends), shape=(count, count))
    tree = csgraph.minimum_spanning_tree(graph)
    chosen = tree.data.astype(np.int64) - 1
    one, other = one[chosen], other[chosen]
    _, before = csgraph.breadth_first_order(tree, 0, directed=False)
    outwards = before[owner[other]] == owner[one]
    return np.where(outwards, one, other), np.where(outwards, other, one)


def _neighbours(points: Points) -> tuple[Ints, Ints]:
    """Both ends of all edges of the points' Delaunay triangulation, each way."""
    try:
        mesh = spatial.Delaunay(points - points[0])
    except spatial.QhullError:  # all on a line
        return np.empty(0, np.int64), np.empty(0, np.int64)
    starts, ends = mesh.vertex_neighbor_vertices
    point, _, same = mesh.coplanar.T  # points where another one is
    one = np.repeat(np.arange(len(points)), np.diff(starts))
    return np.concatenate([one, point, same]), np.concatenate([ends, same, point])


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
