"""What spots newly cover of regions, and of the union of all regions, in machine code."""

from __future__ import annotations

from spotlab.arrays import Floats, Ints
from spotlab.geometry.coverage_pieces import cut_edges, start_parts
from spotlab.geometry.coverage_tables import AREA, COUNTED, LEFT, ORIGIN, share_area
from spotlab.geometry.machine_code import COVERAGE


@COVERAGE.compiled_work
def count_regions(
    edges: Floats, polygons: Floats, regions: int, pieces: Floats, turns: Floats, sums: Floats
) -> int:
    """Count each region's edges for itself and, if regions overlap, for the union of all.

    Parameters
    ----------
    edges, polygons, pieces, turns, sums
        See `spotlab.geometry.coverage_pieces.cut_edges`.
    regions : int
        How many polygons are regions; they are the first ones.

    Returns
    -------
    int
        Which of the sums is for the union; 0 if no regions overlap.
    """
    union = 0
    for place in range(regions):
        for other in range(place):
            if share_area(polygons, place, polygons, other):
                union = regions + 1
    for place in range(regions):
        if union:
            start_parts(edges, polygons, place, union, pieces)
            for other in range(regions):
                if other != place and share_area(polygons, place, polygons, other):
                    cut_edges(edges, polygons, place, other, COUNTED, 0.0, pieces, turns, sums)
        start_parts(edges, polygons, place, 1 + place, pieces)
    return union


@COVERAGE.compiled_work
def clear_sums(
    polygons: Floats,
    place: int,
    union: int,
    own: Ints,
    pairs: int,
    sums: Floats,
) -> None:
    """Count from 0 for a spot: its area, that in the union, and that in each region.

    Parameters
    ----------
    polygons, sums
        See `spotlab.geometry.coverage_pieces.cut_edges`.
    place : int
        The spot.
    union : int
        Which of the sums is for the union of regions; 0 for none.
    own : (P,) int
        Regions whose bounds overlap those of the spot.
    pairs : int
        How many they are.
    """
    left = polygons[place, LEFT]
    for number in (0, union):
        sums[number, AREA], sums[number, ORIGIN] = 0.0, left
    for at in range(pairs):
        region = own[at]
        sums[1 + region, AREA] = 0.0
        sums[1 + region, ORIGIN] = max(left, polygons[region, LEFT])


@COVERAGE.compiled_work
def relevant_area(
    union: int, own: Ints, pairs: int, sums: Floats, pair_new: Floats, first: int
) -> float:
    """Set what a spot newly covers of each region; return what it covers of their union.

    Parameters
    ----------
    union, own, pairs, sums
        See `clear_sums`.
    pair_new : (K,) float
        Takes the areas, in px².
    first : int
        Where those of the spot begin.

    Returns
    -------
    float
        In px².
    """
    area, most, total = max(sums[0, AREA], 0.0), 0.0, 0.0
    for at in range(pairs):
        shared = min(max(sums[1 + own[at], AREA], 0.0), area)
        pair_new[first + at] = shared
        most, total = max(most, shared), total + shared
    if union and pairs > 1:
        total = max(sums[union, AREA], most)
    return float(min(total, area))
