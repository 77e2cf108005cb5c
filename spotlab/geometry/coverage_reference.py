"""Areas of overlapping polygons by shapely: slower than compiled code, ready at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.polygon import Outlines, even_odd_geometry
from spotlab.libraries import shapely

DOUBT = 1e-9  # share of an area by which rounding may excel what is possible
ROUND = 64  # spots of a group that are looked at together


def areas(outlines: Outlines) -> Floats:
    """See `spotlab.geometry.coverage.areas`."""
    return _areas(polygons_of(outlines)[0])


def overlapping_bounds(first: Outlines, second: Outlines) -> Ints:
    """See `spotlab.geometry.coverage.overlapping_bounds`."""
    some, others = first.bounds, second.bounds
    tree = shapely.STRtree(shapely.box(*np.where(np.isnan(others), 0.0, others).T))
    pairs: Ints = tree.query(shapely.box(*np.where(np.isnan(some), 0.0, some).T)).T
    one, other = some[pairs[:, 0]], others[pairs[:, 1]]
    corner = np.maximum(one[:, :2], other[:, :2])  # comparisons with NaN, of no corners, fail
    pairs = pairs[(corner < np.minimum(one[:, 2:], other[:, 2:])).all(axis=1)]
    return np.asarray(pairs[np.lexsort(pairs.T[::-1])], np.int64)


def shared_areas(first: Outlines, second: Outlines, pairs: Ints) -> Floats:
    """See `spotlab.geometry.coverage.shared_areas`."""
    one, other = polygons_of(first, second)
    return _areas(shapely.intersection(one[pairs[:, 0]], other[pairs[:, 1]]))


def new_coverage(
    spots: Outlines, group: Ints, regions: Outlines, region_group: Ints
) -> tuple[Ints, Floats, Floats, Floats]:
    """Compute what each spot newly covers, as `spotlab.geometry.coverage.new_coverage`.

    Parameters
    ----------
    spots, regions : Outlines
        N and T rings in px.
    group, region_group : (N,) and (T,) int
        Groups do not affect each other.

    Returns
    -------
    pairs : (K, 2) int
        Spots and regions of one group whose bounds overlap, sorted.
    new_area, new_relevant : (N,) float
        In px².
    pair_new : (K,) float
        In px².

    Examples
    --------
    The second of two squares that overlap in half of it, on a region that it covers whole:

    >>> spots = Outlines.of([[(0, 0), (2, 0), (2, 2), (0, 2)], [(1, 0), (3, 0), (3, 2), (1, 2)]])
    >>> region = Outlines.of([[(1, 0), (3, 0), (3, 2), (1, 2)]])
    >>> pairs, new, relevant, _ = new_coverage(spots, np.zeros(2, int), region, np.zeros(1, int))
    >>> pairs.tolist(), new.tolist(), relevant.tolist()
    ([[0, 0], [1, 0]], [4.0, 2.0], [2.0, 2.0])
    """
    pairs = overlapping_bounds(spots, regions)
    pairs = pairs[group[pairs[:, 0]] == region_group[pairs[:, 1]]]
    polygons, truth = polygons_of(spots, regions)
    new = _new_parts(polygons, spots.bounds, group)
    pair_new = _areas(shapely.intersection(new[pairs[:, 0]], truth[pairs[:, 1]]))
    relevant = np.zeros(len(spots))
    several = np.bincount(pairs[:, 0], minlength=len(spots)) > 1
    single = ~several[pairs[:, 0]]
    relevant[pairs[single, 0]] = pair_new[single]
    which = pairs[~single]
    if len(which):
        spot, numbers = np.unique(which[:, 0], return_inverse=True)
        united = _united(truth[which[:, 1]], numbers)
        relevant[spot] = _areas(shapely.intersection(new[spot], united))
        for number in _impossible(relevant, pairs, pair_new):
            own = pairs[pairs[:, 0] == number, 1]
            relevant[number] = _shared_one_by_one(new[number], truth[own])
    return pairs, _areas(new), relevant, pair_new


def _impossible(relevant: Floats, pairs: Ints, pair_new: Floats) -> Ints:
    """Spots that share less with all regions than with one, or more than the sum over all.

    Where regions touch in edges that are almost on one line, their union has slivers, on which GEOS
    (3.14) loses whole polygons.
    """
    lowest = np.zeros(len(relevant))
    np.maximum.at(lowest, pairs[:, 0], pair_new)
    highest = np.bincount(pairs[:, 0], pair_new, len(relevant))
    return np.flatnonzero((relevant < lowest * (1 - DOUBT)) | (relevant > highest * (1 + DOUBT)))


def _shared_one_by_one(polygon: Any, regions: NDArray[Any]) -> float:
    """The area that a polygon shares with the union of regions, without that union."""
    left = polygon
    for region in regions:
        left = _polygonal(np.array([shapely.difference(left, region)], dtype=object))[0]
    return float(polygon.area - left.area)


def _new_parts(polygons: NDArray[Any], bounds: Floats, group: Ints) -> NDArray[Any]:
    """(N,) what of each polygon no earlier one of its group covers."""
    new = polygons.copy()
    adds = _areas(polygons) > 0
    if not adds.any():
        return new
    tree, boxes = _tree_of_groups(bounds, group)
    for places in _rounds(group):
        spot, earlier = tree.query(boxes[places])
        spot = places[spot]
        # what adds nothing lies in what comes before it, so it need not be looked at again
        kept = (group[earlier] == group[spot]) & (earlier < spot) & adds[earlier] & adds[spot]
        spot, earlier = spot[kept], earlier[kept]
        if not len(spot):
            continue
        order = np.argsort(spot, kind="stable")
        covered, numbers = np.unique(spot[order], return_inverse=True)
        before = _united(polygons[earlier[order]], numbers)
        new[covered] = _polygonal(shapely.difference(polygons[covered], before))
        adds[covered] = _areas(new[covered]) > 0
    return new


def _tree_of_groups(bounds: Floats, group: Ints) -> tuple[Any, NDArray[Any]]:
    """A tree of boxes in which the groups lie side by side, so that they do not meet."""
    filled = np.where(np.isnan(bounds), 0.0, bounds)
    _, number = np.unique(group, return_inverse=True)
    left, right = filled[:, 0].min(), filled[:, 2].max()
    shift = number * ((right - left) * 1.001 + 1) - left
    margin = np.spacing(np.abs(shift).max() + right - left)  # what the shift may round away
    boxes = shapely.box(
        filled[:, 0] + shift - margin, filled[:, 1], filled[:, 2] + shift + margin, filled[:, 3]
    )
    return shapely.STRtree(boxes), boxes


def _rounds(group: Ints) -> list[Ints]:
    """Places in order of rank, some of each group at a time."""
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    rank = np.arange(len(group)) - np.searchsorted(ordered, ordered)
    turn = rank // ROUND
    by_turn = order[np.argsort(turn, kind="stable")]
    return np.split(by_turn, np.cumsum(np.bincount(turn))[:-1])


def _united(polygons: NDArray[Any], numbers: Ints) -> NDArray[Any]:
    """The union of the polygons of each number; numbers rise from 0 without gaps."""
    together = shapely.geometrycollections(polygons, indices=numbers)
    return np.asarray(shapely.union_all(together[:, None], axis=1))


def polygons_of(*several: Outlines) -> list[NDArray[Any]]:
    """Make shapely geometries by the even-odd rule; empty ones without area.

    Parameters
    ----------
    *several : Outlines
        Rings in px. All are moved alike to near the origin, where what GEOS rounds is smallest.

    Returns
    -------
    list of (N,) object
        An array of geometries for each of the outlines.
    """
    corners = np.concatenate([outlines.points for outlines in several])
    origin = np.floor(corners.min(axis=0)) if len(corners) else np.zeros(2)
    return [_moved(outlines, origin) for outlines in several]


def _moved(outlines: Outlines, origin: Floats) -> NDArray[Any]:
    geometries = np.full(len(outlines), shapely.Polygon(), dtype=object)
    lengths = np.diff(outlines.offsets)
    whole = np.flatnonzero(lengths >= 3)
    rings = outlines.take(whole)
    points = rings.points - origin
    numbers = np.repeat(np.arange(len(whole)), lengths[whole])
    if len(whole):
        polygons = shapely.polygons(shapely.linearrings(points, indices=numbers))
        for number in np.flatnonzero(~shapely.is_valid(polygons)):
            polygons[number] = even_odd_geometry(rings[int(number)] - origin)
        geometries[whole] = _polygonal(polygons)
    return geometries


def _polygonal(geometries: NDArray[Any]) -> NDArray[Any]:
    """Their areas without lines and points, and one kind of nothing: GEOS refuses collections."""
    polygonal = np.where(shapely.is_empty(geometries), shapely.Polygon(), geometries)
    for number in np.flatnonzero(
        shapely.get_type_id(polygonal) == shapely.GeometryType.GEOMETRYCOLLECTION
    ):
        parts = shapely.get_parts(shapely.get_parts(polygonal[number]))
        polygonal[number] = shapely.multipolygons(parts[shapely.area(parts) > 0])
    return polygonal


def _areas(geometries: NDArray[Any]) -> Floats:
    return np.asarray(shapely.area(geometries), np.float64)
