"""Rings that stand for several: parts and holes joined by edges that run there and back."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Ints, Points
from spotlab.geometry.polygon import Size, bounds, crosses_itself, even_odd_geometry, signed_area
from spotlab.libraries import shapely

OPENED = 50  # holes of a simple outline; each takes as long as the whole outline
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


def parts(points: Points) -> list[list[Points]]:
    """Take a ring apart by the even-odd rule: the opposite of `join_rings`.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px; its parts and holes may be joined by edges that run there and back.

    Returns
    -------
    list of list of (n, 2) float
        Of each part its outer ring, then its holes; all of them simple, and a valid polygon. The
        ring itself where it is simple; none where it encloses no area.

    Examples
    --------
    >>> triangle, square = [[0, 0], [2, 0], [0, 2]], [[5, 0], [6, 0], [6, 1], [5, 1]]
    >>> joined = join_rings([np.array(triangle, float), np.array(square, float)])
    >>> [[ring.tolist() for ring in part] for part in parts(joined)] == [[triangle], [square]]
    True
    """
    nested = joined_parts(points)
    if nested is None:
        geometry = even_odd_geometry(points)
        nested = [
            [shapely.get_coordinates(line)[:-1] for line in (part.exterior, *part.interiors)]
            for part in shapely.get_parts(geometry)
            if part.geom_type == "Polygon" and part.area > 0
        ]
    return nested


def joined_parts(points: Points) -> list[list[Points]] | None:
    """Take a ring apart as `parts` does, if it only joins or touches; None if it crosses itself.

    None also where joining edges run along others only partly.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px.
    """
    if not crosses_itself(points):
        return [[points]] if signed_area(points) else []
    loops = _loops(points)
    return None if loops is None else _nested(loops)


def simple_outline(points: Points) -> Points:
    """Draw one simple ring of whole px around a ring's parts: a polygon that every program knows.

    Parts are joined, and holes opened, by corridors one or two px wide. Where one would cut
    something off, its hole is filled, and so are all beyond the fiftieth.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in whole px.

    Returns
    -------
    (M, 2) float
        The ring itself where it has one part and no hole that is not open.

    Examples
    --------
    >>> two = join_rings([np.array(square, float) for square in
    ...                   ([[0, 0], [9, 0], [9, 9], [0, 9]], [[20, 0], [29, 0], [29, 9], [20, 9]])])
    >>> ring = simple_outline(two)
    >>> crosses_itself(ring), 162 < abs(signed_area(ring)) < 200
    (False, True)
    """
    apart = parts(points)
    single = [ring for part in apart for ring in part]
    if not single:
        return points
    area = shapely.MultiPolygon([shapely.Polygon(part[0], part[1:]) for part in apart])
    if len(single) > 1:
        first = np.cumsum([0, *map(len, single)])
        corners = np.concatenate(single)
        hosts, guests = _joined_corners(corners, first)
        ends = np.stack([corners[hosts], corners[guests]], axis=1)
        lines = shapely.linestrings(ends)
        corridors = shapely.buffer(lines, 1, cap_style="square", join_style="mitre")
        inside = shapely.contains_xy(area, *ends.mean(axis=1).T)
        area = shapely.set_precision(shapely.union_all([area, *corridors[~inside]]), 1)
        for corridor in corridors[inside][:OPENED]:
            cut = shapely.set_precision(area.difference(corridor), 1)
            if cut.geom_type == "Polygon":  # else it falls apart
                area = cut
    if area.geom_type != "Polygon":
        area = shapely.convex_hull(shapely.multipoints(points))
    ring: Points = np.maximum(shapely.get_coordinates(area.exterior)[:-1], 0)
    return ring if len(ring) >= 3 else points


def rings(points: Points) -> list[Points]:
    """Find the single rings of a ring that joins parts and holes; see `parts`.

    Parameters
    ----------
    points : (N, 2) float
        An open ring in px.

    Returns
    -------
    list of (n, 2) float
        Of each part its outer ring, then its holes.

    Examples
    --------
    >>> ring = ring_from_geometry(shapely.box(0, 0, 9, 9).difference(shapely.box(3, 3, 6, 6)))
    >>> [abs(signed_area(each)) for each in rings(ring)]
    [81.0, 9.0]
    """
    return [ring for part in parts(points) for ring in part]


def _loops(points: Points) -> list[Points] | None:
    """Remove edges that run there and back, and cut what is left where it comes back to a corner.

    None where that leaves open ends, as edges that run twice the same way do.
    """
    corners, places = np.unique(points, axis=0, return_inverse=True)
    walk = places.ravel().tolist()
    edges = [(a, b) for a, b in zip(walk, [*walk[1:], walk[0]], strict=True) if a != b]
    there = Counter(edges)
    following: dict[int, list[int]] = {}
    for start, stop in edges:
        if there[start, stop] and there[stop, start]:
            there[start, stop] -= 1
            there[stop, start] -= 1
    for (start, stop), count in there.items():
        if count:
            following.setdefault(start, []).extend([stop] * count)
    loops: list[list[int]] = []
    while following:
        path = [next(iter(following))]
        seen = {path[0]: 0}
        while path:
            at = path[-1]
            stops = following.get(at)
            if not stops:
                if len(path) > 1:
                    return None
                break
            stop = stops.pop(0)
            if not stops:
                del following[at]
            if stop not in seen:
                seen[stop] = len(path)
                path.append(stop)
                continue
            loops.append(path[seen[stop] :])
            for corner in path[seen[stop] + 1 :]:
                del seen[corner]
            del path[seen[stop] + 1 :]
    return [corners[loop] for loop in loops if len(loop) >= 3]


def _nested(loops: Sequence[Points]) -> list[list[Points]] | None:
    """Each outer ring with its holes; None where the rings are no valid polygons together."""
    polygons = np.array([shapely.Polygon(loop) for loop in loops], object)
    if not shapely.is_valid(polygons).all():
        return None
    inner = shapely.point_on_surface(polygons)
    tree = shapely.STRtree(polygons)
    area = shapely.area(polygons)
    inside, around = tree.query(inner, "within")
    larger = area[around] > area[inside]
    inside, around = inside[larger], around[larger]
    depth = np.bincount(inside, minlength=len(loops))
    nested = {outer: [loops[outer]] for outer in np.flatnonzero(depth % 2 == 0).tolist()}
    for hole in np.flatnonzero(depth % 2).tolist():
        owners = around[inside == hole]
        nested[owners[np.argmin(area[owners])]].append(loops[hole])
    found = list(nested.values())
    whole = shapely.MultiPolygon([shapely.Polygon(part[0], part[1:]) for part in found])
    return found if whole.is_valid else None


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
    starts, stops = divmod(pairs, count)
    reached = _reached(starts.tolist(), stops.tolist(), shortest.tolist(), count)
    chosen = sorted(reached)
    one, other = one[shortest[chosen]], other[shortest[chosen]]
    outwards = owner[other] == [reached[edge] for edge in chosen]
    return np.where(outwards, one, other), np.where(outwards, other, one)


def _reached(
    starts: Sequence[int], stops: Sequence[int], weights: Sequence[int], count: int
) -> dict[int, int]:
    """The edges of the smallest tree, each with the end that it reaches from 0 on (Prim 1957)."""
    at: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
    for edge, (start, stop, weight) in enumerate(zip(starts, stops, weights, strict=True)):
        at[start].append((weight, edge, stop))
        at[stop].append((weight, edge, start))
    waiting, known, reached = list(at[0]), {0}, {}
    heapify(waiting)
    while waiting:
        _, edge, ring = heappop(waiting)
        if ring not in known:
            known.add(ring)
            reached[edge] = ring
            for following in at[ring]:
                heappush(waiting, following)
    return reached


def _neighbours(points: Points) -> tuple[Ints, Ints]:
    """Both ends of all edges of the points' Delaunay triangulation, each way."""
    if np.linalg.matrix_rank(points - points[0]) < 2:  # all on a line
        return np.empty(0, np.int64), np.empty(0, np.int64)
    places, first, place = np.unique(points, axis=0, return_index=True, return_inverse=True)
    mesh = shapely.delaunay_triangles(shapely.MultiPoint(places), only_edges=True)
    corners = shapely.get_coordinates(mesh)
    known = places @ (1, 1j)  # in the order of places: by x, then by y
    one, other = first[np.searchsorted(known, corners @ (1, 1j))].reshape(-1, 2).T
    again = np.setdiff1d(np.arange(len(points)), first)  # points where another one is
    same = first[place.ravel()[again]]
    return np.concatenate([one, other, again, same]), np.concatenate([other, one, same, again])


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


class QuadCell(NamedTuple):
    """The square [column·side, (column + 1)·side) × [row·side, (row + 1)·side), in px.

    Attributes
    ----------
    column, row : int
        Position in the grid of cells of this side, from 0.
    side : int
        Side in px.
    """

    column: int
    row: int
    side: int


def cell_at(x: float, y: float, side: int) -> QuadCell:
    """Return the cell that contains a place.

    Parameters
    ----------
    x, y : float
        The place in px; the left and top edges belong to the cell.
    side : int
        Side of the cell in px.

    Returns
    -------
    QuadCell

    Examples
    --------
    >>> cell_at(17, 3, 8)
    QuadCell(column=2, row=0, side=8)
    """
    return QuadCell(math.floor(x / side), math.floor(y / side), side)


def ring_from_cells(cells: Iterable[QuadCell], page_size: Size | None = None) -> Points:
    """Outline marked cells with one ring; edges that run there and back join separate parts.

    Parameters
    ----------
    cells : iterable of QuadCell
        They may have different sides and overlap.
    page_size : (int, int), optional
        Width and height of the page in px; cells are clipped to it.

    Returns
    -------
    (N, 2) float
        x, y in px; all edges run along x or y. Empty where there are no cells.

    Examples
    --------
    >>> ring_from_cells([QuadCell(0, 0, 4), QuadCell(2, 0, 2), QuadCell(2, 1, 2)]).tolist()
    [[6.0, 0.0], [6.0, 4.0], [0.0, 4.0], [0.0, 0.0]]
    """
    squares = np.array(list(cells), dtype=float).reshape(-1, 3)
    corners = squares[:, :2] * squares[:, 2:]
    area = shapely.union_all(shapely.box(*corners.T, *(corners + squares[:, 2:]).T))
    if page_size is not None:
        area = shapely.intersection(area, shapely.box(0, 0, *page_size))
    ring = ring_from_geometry(_without_straight_points(area), isothetic=True)
    return remove_straight_points(ring) if len(ring) else ring


def cells_from_ring(points: Points, side: int, page_size: Size | None = None) -> list[QuadCell]:
    """Return the largest cells that together cover a ring's area.

    Parameters
    ----------
    points : (N, 2) float
        A ring by the even-odd rule, x and y in px.
    side : int
        Side of the smallest cells in px. A smallest cell is marked if more than half of it (of its
        part on the page, if the page is given) is in the area.
    page_size : (int, int), optional
        Width and height of the page in px.

    Returns
    -------
    list of QuadCell
        The largest first, then by row and column; empty for a ring without area. For an outline of
        cells of this side or larger ones, `ring_from_cells` gives the same area again.

    Examples
    --------
    >>> cells = cells_from_ring(np.array([[0, 0], [6, 0], [6, 4], [0, 4]], float), 2)
    >>> [tuple(cell) for cell in cells]
    [(0, 0, 4), (2, 0, 2), (2, 1, 2)]
    """
    area = even_odd_geometry(points)
    if area.is_empty:
        return []
    left, top, right, bottom = bounds(points)
    first_column, first_row = math.floor(left / side), math.floor(top / side)
    columns = np.arange(first_column, math.ceil(right / side))
    rows = np.arange(first_row, math.ceil(bottom / side))
    x, y = (grid.ravel() * side for grid in np.meshgrid(columns, rows))
    squares = shapely.box(x, y, x + side, y + side)
    if page_size is not None:
        squares = shapely.intersection(squares, shapely.box(0, 0, *page_size))
    shapely.prepare(area)
    covered = shapely.area(squares) * shapely.covers(area, squares)
    border = (covered == 0) & shapely.intersects(area, squares)
    covered[border] = shapely.area(shapely.intersection(squares[border], area))
    marked = (covered > shapely.area(squares) / 2).reshape(len(rows), len(columns))
    return _largest(marked, first_column, first_row, side)


def _largest(marked: NDArray[np.bool_], column: int, row: int, side: int) -> list[QuadCell]:
    """Merge four marked cells into their parent, level by level."""
    largest: list[QuadCell] = []
    while marked.any():
        # begin and end where a parent does
        below, beside = row + marked.shape[0], column + marked.shape[1]
        marked = np.pad(marked, ((row % 2, below % 2), (column % 2, beside % 2)))
        row, column = row // 2 * 2, column // 2 * 2
        parents = marked[::2, ::2] & marked[1::2, ::2] & marked[::2, 1::2] & marked[1::2, 1::2]
        alone = marked & ~np.repeat(np.repeat(parents, 2, axis=0), 2, axis=1)
        level = [
            QuadCell(column + int(right), row + int(down), side)
            for down, right in zip(*np.nonzero(alone), strict=True)
        ]
        largest = level + largest
        marked, row, column, side = parents, row // 2, column // 2, side * 2
    return largest


def _without_straight_points(area: Any) -> Any:
    """The same area with corners only."""
    return shapely.simplify(shapely.normalize(area), 0)


def box_ious(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    """Intersection over union of all pairs of boxes; 0 where none of the two has an area.

    Parameters
    ----------
    first, second : (N, 4) and (M, 4) float
        Left, top, right, bottom in px.

    Returns
    -------
    (N, M) float
        In [0, 1].

    Examples
    --------
    >>> box_ious([(0, 0, 2, 2)], [(1, 0, 3, 2), (5, 5, 6, 6)]).tolist()
    [[0.3333333333333333, 0.0]]
    """
    one, other = (np.asarray(boxes, np.float64).reshape(-1, 4) for boxes in (first, second))
    low = np.maximum(one[:, None, :2], other[None, :, :2])
    high = np.minimum(one[:, None, 2:], other[None, :, 2:])
    shared = np.prod(np.clip(high - low, 0, None), axis=2)
    areas = [np.prod(boxes[:, 2:] - boxes[:, :2], axis=1) for boxes in (one, other)]
    both = areas[0][:, None] + areas[1][None, :] - shared
    return np.asarray(np.divide(shared, both, out=np.zeros_like(shared), where=both > 0))
