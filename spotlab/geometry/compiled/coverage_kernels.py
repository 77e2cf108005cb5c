"""Areas of polygons, of pairs, and of what each of a ranked list covers first, in machine code."""

from __future__ import annotations

import numpy as np

from spotlab.arrays import Floats, Ints
from spotlab.geometry.compiled.coverage_edges import (
    AREA,
    COUNTED,
    EDGE_COLUMNS,
    LEFT,
    LENGTH,
    ORIGIN,
    PIECES,
    POLYGON_COLUMNS,
    TOP,
    add_edges,
    bound_ring,
    clear_pieces,
    has_pieces,
    make_pieces,
    most_corners,
    move_bounds,
    share_area,
    was_full,
)
from spotlab.geometry.compiled.coverage_outside import (
    EMPTY,
    MOST,
    enter_spot,
    find_near,
    mark_covered,
    shape_grid,
    start_pieces,
    start_pieces_outside,
)
from spotlab.geometry.compiled.coverage_pieces import (
    add_parts_inside,
    count_pieces,
    cut_edges,
    invert_parts,
    start_parts,
)
from spotlab.geometry.compiled.machine_code import COVERAGE


@COVERAGE.compiled
def areas_shared(points: Floats, offsets: Ints, one: Ints, other: Ints) -> Floats:
    """Compute the area that the two rings of each pair share.

    Parameters
    ----------
    points : (M, 2) float
        Corners of all rings, x and y in px.
    offsets : (N + 1,) int
        Where each ring begins in ``points``.
    one, other : (K,) int
        The rings of each pair; -1 for the whole plane in place of the second one.

    Returns
    -------
    (K,) float
        Areas in px².
    """
    areas, longest = np.zeros(len(one)), most_corners(offsets)
    chains = 4 * longest // LENGTH + 1
    polygons, edges = np.empty((2 + chains, POLYGON_COLUMNS)), np.empty((2 * longest, EDGE_COLUMNS))
    pieces, turns, sums = make_pieces(8 * longest), np.empty(2 * longest + 2), np.zeros((1, 2))
    for pair in range(len(one)):
        count = 2 if other[pair] >= 0 else 1
        bound_ring(points, offsets, one[pair], polygons, 0)
        if count == 2:
            bound_ring(points, offsets, other[pair], polygons, 1)
        if not share_area(polygons, 0, polygons, count - 1):
            continue
        x, y = polygons[0, LEFT], polygons[0, TOP]
        move_bounds(polygons, count, x, y)
        row = add_edges(points, offsets, one[pair], x, y, polygons, 0, 2, edges, 0)
        if count == 2:
            add_edges(points, offsets, other[pair], x, y, polygons, 1, 2, edges, row)
        sums[0, ORIGIN] = max(polygons[0, LEFT], polygons[count - 1, LEFT])
        while True:
            clear_pieces(pieces)
            sums[0, AREA] = 0.0
            for place in range(count):
                start_pieces(edges, polygons, place, pieces, turns)
                if count == 2:
                    cut_edges(edges, polygons, place, 1 - place, PIECES, 1.0, pieces, turns, sums)
                else:
                    count_pieces(edges, polygons, place, pieces, sums)
            if not was_full(pieces):
                break
            pieces = make_pieces(2 * len(pieces))
        areas[pair] = max(sums[0, AREA], 0.0)
    return areas


@COVERAGE.compiled_work
def count_regions(
    edges: Floats, polygons: Floats, regions: int, pieces: Floats, turns: Floats, sums: Floats
) -> int:
    """Count each region's edges for itself and, if regions overlap, for the union of all.

    Parameters
    ----------
    edges, polygons, pieces, turns, sums
        See `spotlab.geometry.compiled.coverage_pieces.cut_edges`.
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
    polygons: Floats, place: int, union: int, own: Ints, pairs: int, sums: Floats
) -> None:
    """Count from 0 for a spot: its area, that in the union, and that in each region.

    Parameters
    ----------
    polygons, sums
        See `spotlab.geometry.compiled.coverage_pieces.cut_edges`.
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


@COVERAGE.compiled
def add_coverage(
    points: Floats,
    offsets: Ints,
    spots: Ints,
    spot_first: Ints,
    regions: Ints,
    region_range: Ints,
    pair_first: Ints,
    pair_region: Ints,
    new_area: Floats,
    new_relevant: Floats,
    pair_new: Floats,
) -> None:
    """Set the last three arrays to what each spot newly covers.

    Parameters
    ----------
    points : (M, 2) float
        Corners of all rings, those of spots before those of regions, x and y in px.
    offsets : (N + T + 1,) int
        Where each ring begins in ``points``.
    spots : (N,) int
        Rings of the spots, group by group, in order of rank.
    spot_first : (G + 1,) int
        Where each group's spots begin in ``spots``.
    regions : (T,) int
        Rings of the regions, group by group.
    region_range : (G, 2) int
        Where each group's regions begin and end in ``regions``.
    pair_first : (N + 1,) int
        Where each spot's pairs begin in ``pair_region``.
    pair_region : (K,) int
        Rings of the regions, rising for each spot.
    new_area, new_relevant : (N,) float
        In px²; by the spots' rings, all 0.
    pair_new : (K,) float
        In px², all 0.
    """
    most, corners, longest = 1, 1, most_corners(offsets)
    for group in range(len(spot_first) - 1):
        own, own_corners = 0, 0
        for at in range(spot_first[group], spot_first[group + 1]):
            own, own_corners = own + 1, own_corners + offsets[spots[at] + 1] - offsets[spots[at]]
        for at in range(region_range[group, 0], region_range[group, 1]):
            own += 1
            own_corners += offsets[regions[at] + 1] - offsets[regions[at]]
        most, corners = max(most, own), max(corners, own_corners)
    chains = 2 * corners // LENGTH + 1
    polygons, edges = np.empty((most + chains, POLYGON_COLUMNS)), np.empty((corners, EDGE_COLUMNS))
    pieces, sums = make_pieces(2 * corners + 4 * longest), np.zeros((most + 2, 2))
    turns, hidden = np.empty(2 * longest + 2), np.empty(2 * (corners + most + MOST) + 2)
    entries = np.empty((16 * most + 64, 2), np.int64)
    lists = np.empty((5, max(most, MOST)), np.int64)
    region_place = np.empty(len(offsets) - 1, np.int64)
    for group in range(len(spot_first) - 1):
        count, own = 0, lists[0]
        for at in range(region_range[group, 0], region_range[group, 1]):
            own[count], region_place[regions[at]] = regions[at], count
            count += 1
        members = count
        for at in range(spot_first[group], spot_first[group + 1]):
            own[members] = spots[at]
            members += 1
        while True:
            used = _cover_group(
                points,
                offsets,
                count,
                members,
                polygons,
                edges,
                pieces,
                turns,
                hidden,
                sums,
                lists,
                entries,
                region_place,
                pair_first,
                pair_region,
                new_area,
                new_relevant,
                pair_new,
            )
            if used <= len(entries) and not was_full(pieces):
                break
            if used > len(entries):
                entries = np.empty((4 * used, 2), np.int64)
            else:
                pieces = make_pieces(4 * len(pieces))


@COVERAGE.compiled_part
def _cover_group(
    points: Floats,
    offsets: Ints,
    regions: int,
    members: int,
    polygons: Floats,
    edges: Floats,
    pieces: Floats,
    turns: Floats,
    hidden: Floats,
    sums: Floats,
    lists: Ints,
    entries: Ints,
    region_place: Ints,
    pair_first: Ints,
    pair_region: Ints,
    new_area: Floats,
    new_relevant: Floats,
    pair_new: Floats,
) -> int:
    """Add the spots of one group in turn; the group's regions come before them in the tables.

    Returns how many entries were needed.
    """
    rings, seen, near, marks, own = lists[0], lists[1], lists[2], lists[3], lists[4]
    x, y = _bound_group(points, offsets, rings, members, polygons)
    clear_pieces(pieces)
    row, used = 0, 0
    for place in range(regions):
        row = add_edges(points, offsets, rings[place], x, y, polygons, place, members, edges, row)
        start_pieces(edges, polygons, place, pieces, turns)
    union = count_regions(edges, polygons, regions, pieces, turns, sums)
    shape = np.empty(6)
    cells = np.empty(shape_grid(polygons, regions, members, shape), np.int64)
    for cell in range(len(cells)):
        cells[cell] = EMPTY
    for place in range(regions, members):
        ring, pairs, seen[place] = rings[place], 0, -1
        new_area[ring] = new_relevant[ring] = 0.0
        for pair in range(pair_first[ring], pair_first[ring + 1]):
            pair_new[pair], own[pairs] = 0.0, region_place[pair_region[pair]]
            pairs += 1
        if not share_area(polygons, place, polygons, place):
            continue
        found, covered, met = find_near(polygons, place, shape, cells, entries, seen, near)
        if covered == met:
            continue
        after = add_edges(points, offsets, ring, x, y, polygons, place, members, edges, row)
        clear_sums(polygons, place, union, own, pairs, sums)
        adds = start_pieces_outside(
            edges, polygons, place, near, found, covered, shape, cells, pieces, turns, hidden
        )
        for at in range(found):
            if has_pieces(polygons, near[at]):
                adds |= cut_edges(
                    edges, polygons, near[at], place, PIECES, -1.0, pieces, turns, sums
                )
        if adds:
            _count_new(edges, polygons, place, union, own, pairs, pieces, turns, sums)
            new_area[ring] = max(sums[0, AREA], 0.0)
            new_relevant[ring] = relevant_area(union, own, pairs, sums, pair_new, pair_first[ring])
            used = enter_spot(polygons, place, shape, cells, entries, used)
            row = after
        if used > len(entries) or was_full(pieces):
            break
        mark_covered(points, offsets, ring, x, y, polygons, place, shape, cells, marks)
    return used


@COVERAGE.compiled_work
def _bound_group(
    points: Floats, offsets: Ints, rings: Ints, members: int, polygons: Floats
) -> tuple[float, float]:
    """Fill in the bounds of all, moved to near the origin; return by how much in x and y."""
    x, y, corners = 0.0, 0.0, 0
    for place in range(members):
        ring = rings[place]
        bound_ring(points, offsets, ring, polygons, place)
        if offsets[ring] < offsets[ring + 1]:
            x, y = x + points[offsets[ring], 0], y + points[offsets[ring], 1]
            corners += 1
    x, y = np.floor(x / max(corners, 1)), np.floor(y / max(corners, 1))
    move_bounds(polygons, members, x, y)
    return x, y


@COVERAGE.compiled_work
def _count_new(
    edges: Floats,
    polygons: Floats,
    place: int,
    union: int,
    own: Ints,
    pairs: int,
    pieces: Floats,
    turns: Floats,
    sums: Floats,
) -> None:
    """Count what bounds the newly covered area: of the spot's edges, and of the regions'."""
    if union and pairs:
        start_parts(edges, polygons, place, union, pieces)
        for at in range(pairs):
            cut_edges(edges, polygons, place, own[at], COUNTED, 0.0, pieces, turns, sums)
        invert_parts(edges, polygons, place, union, pieces)
    for at in range(pairs):
        add_parts_inside(edges, polygons, place, own[at], 1 + own[at], pieces, turns)
    count_pieces(edges, polygons, place, pieces, sums)
    area = sums[0, AREA]
    for at in range(pairs):
        if has_pieces(polygons, own[at]):
            cut_edges(edges, polygons, own[at], place, PIECES, 1.0, pieces, turns, sums)
    sums[0, AREA] = area
