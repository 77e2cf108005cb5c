"""Handles, corners and edges."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.editing.operations import (
    HandleKind,
    add_point,
    as_primitive,
    behaves_as,
    delete_point,
    frame_of,
    handles,
    move,
    move_edge,
    move_handle,
    nearest_edge,
    place_on_edge,
)
from spotlab.editing.operations.outline import without_hidden
from spotlab.errors import SpotlabError
from spotlab.geometry import polygon
from spotlab.model import Primitive, Region
from tests.editing.operations_cases import PAGE, check, disc, places, region_of, regions

BOX = region_of((10, 10), (30, 10), (30, 20), (10, 20), primitive=Primitive.BOX)
HULL = region_of((10, 10), (50, 10), (60, 30), (30, 50), (10, 40))
STAIRS = region_of(
    (20, 20), (40, 20), (40, 30), (30, 30), (30, 40), (20, 40), primitive=Primitive.ISOTHETIC
)
KEYHOLE = region_of(
    (0, 0), (90, 0), (90, 90), (0, 90), (0, 0), (30, 30), (30, 60), (60, 60), (60, 30), (30, 30),
    primitive=Primitive.POLYGON,
)  # fmt: skip


@given(regions(), st.integers(0, 99), places)
def test_whatever_is_dragged_is_valid(region: Region, index: int, to: tuple[float, float]) -> None:
    index %= len(handles(region))
    try:
        dragged = move_handle(region, index, to, PAGE)
    except SpotlabError as error:
        assert "Nothing would be left" in str(error)
        return
    check(dragged)
    assert dragged.id == region.id
    expected = behaves_as(region)
    assert dragged.primitive is expected


@given(regions((Primitive.HULL,)), st.integers(0, 99), places)
def test_a_hull_is_a_rubber_band(region: Region, index: int, to: tuple[float, float]) -> None:
    index %= len(region.points)
    to = (round(min(max(to[0], 0), 200)), round(min(max(to[1], 0), 160)))
    stays = without_hidden(region, index)  # what has no handle of its own goes along
    stays[index] = False
    expected = polygon.convex_hull(np.vstack([region.array[stays], [to]]))
    if len(expected):
        assert move_handle(region, index, to, PAGE).array.tolist() == expected.tolist()


def test_a_corner_pulled_inside_drops_off_and_comes_back() -> None:
    inside = move_handle(HULL, 2, (30, 30), PAGE)
    assert (60.0, 30.0) not in inside.points and (30.0, 30.0) not in inside.points
    assert len(inside.points) == 4
    assert move_handle(HULL, 2, (60, 30), PAGE) == HULL  # a gesture starts from where it began


def test_a_corner_pulled_out_swallows_its_neighbours() -> None:
    outside = move_handle(HULL, 2, (200, 30), PAGE)
    assert (200.0, 30.0) in outside.points
    assert polygon.is_convex(outside.array)


def test_a_triangle_does_not_collapse() -> None:
    triangle = region_of((0, 0), (10, 0), (0, 10))
    with pytest.raises(SpotlabError, match="Nothing would be left"):
        move_handle(triangle, 1, (0, 5), PAGE)


@pytest.mark.parametrize(
    ("index", "to", "bounds"),
    [
        (0, (5, 4), (5, 4, 30, 20)),
        (2, (90, 95), (10, 10, 90, 95)),
        (1, (2, 40), (2, 20, 10, 40)),  # past the opposite corner
        (4, (99, 2), (10, 2, 30, 20)),
        (5, (60, 99), (10, 10, 60, 20)),
        (6, (0, 15), (10, 10, 30, 15)),
        (7, (-50, 0), (0, 10, 30, 20)),
    ],
)
def test_a_box_keeps_what_is_opposite(index: int, to: tuple[int, int], bounds: tuple) -> None:
    dragged = move_handle(BOX, index, to, PAGE)
    assert dragged.bounds == bounds
    check(dragged)


def test_handles_of_a_box_and_a_disc() -> None:
    kinds = [handle.kind for handle in handles(BOX)]
    assert kinds == [HandleKind.CORNER] * 4 + [HandleKind.SIDE] * 4
    assert [(handle.x, handle.y) for handle in handles(BOX)[:4]] == list(BOX.points)
    round_ones = handles(disc(100, 80, 20))
    assert [handle.index for handle in round_ones] == list(range(8))
    assert (round_ones[5].x, round_ones[5].y) == pytest.approx((120, 80), abs=1)
    assert len(handles(HULL)) == 5


def test_a_box_without_right_angles_is_edited_as_a_hull() -> None:
    leaning = region_of((20, 0), (40, 22), (20, 40), (0, 20), primitive=Primitive.BOX)
    assert len(handles(leaning)) == 4
    assert move_handle(leaning, 0, (20, 10), PAGE).primitive is Primitive.HULL


@given(st.integers(0, 7), places)
def test_an_ellipse_keeps_what_is_opposite(index: int, to: tuple[float, float]) -> None:
    start = disc(100, 80, 20)
    opposite = handles(start)[index ^ 2 if index < 4 else (index - 2) % 4 + 4]
    try:
        dragged = move_handle(start, index, to, PAGE)
    except SpotlabError:
        return
    check(dragged)
    assert dragged.primitive is Primitive.ELLIPSE
    frame = frame_of(dragged)
    assert frame is not None
    if min(frame.width, frame.height) < 8:
        return  # rounding turns what is as small
    nearest = min(
        abs(handle.x - opposite.x) + abs(handle.y - opposite.y) for handle in handles(dragged)
    )
    assert nearest < 4


def test_an_ellipse_stops_at_the_edge_and_stays_one() -> None:
    dragged = move_handle(disc(100, 80, 20), 5, (500, 80), PAGE)
    frame = frame_of(dragged)
    assert frame is not None
    assert dragged.bounds[2] == 200
    assert (frame.width, frame.height) == pytest.approx((120, 40), abs=1.5)


@pytest.mark.parametrize(
    ("index", "to", "points"),
    [
        # the outer corner: both long edges go along
        (0, (10, 15), [(10, 15), (40, 15), (40, 30), (30, 30), (30, 40), (10, 40)]),
        # the inner corner
        (3, (35, 25), [(20, 20), (40, 20), (40, 25), (35, 25), (35, 40), (20, 40)]),
        # pushed until the step is gone
        (3, (40, 35), [(20, 20), (40, 20), (40, 40), (20, 40)]),
    ],
)
def test_isothetic_corners_draw_their_edges_along(index: int, to: tuple, points: list) -> None:
    dragged = move_handle(STAIRS, index, to, PAGE)
    assert polygon.even_odd_geometry(dragged.array).equals(
        polygon.even_odd_geometry(np.array(points, float))
    )
    check(dragged)


def test_where_a_hole_hangs_both_points_move() -> None:
    moved = move_handle(KEYHOLE, 9, (40, 40), PAGE)
    assert moved.points.count((40.0, 40.0)) == 2
    assert polygon.winds_once(moved.array)
    assert moved.area == polygon.even_odd_geometry(moved.array).area


def test_there_are_no_other_handles() -> None:
    for region in (HULL, BOX, disc(100, 80, 20)):
        with pytest.raises(IndexError):
            move_handle(region, len(handles(region)), (0, 0), PAGE)


@given(regions(), st.integers(0, 99), st.tuples(st.floats(-60, 60), st.floats(-60, 60)))
def test_whatever_edge_is_pushed_the_region_is_valid(
    region: Region, edge: int, step: tuple
) -> None:
    try:
        check(move_edge(region, edge % len(region.points), step, PAGE))
    except SpotlabError as error:
        assert "Nothing would be left" in str(error)


def test_edges_by_hand() -> None:
    assert move_edge(BOX, 1, (15, 99), PAGE).bounds == (10, 10, 45, 20)
    assert move_edge(BOX, 1, (-25, 0), PAGE).bounds == (5, 10, 10, 20)
    assert move_edge(STAIRS, 3, (5, 5), PAGE).area == 300 + 5 * 10
    both = move_edge(region_of(*HULL.points, primitive=Primitive.POLYGON), 0, (3, -4), PAGE)
    assert both.points[:2] == ((13, 6), (53, 6))
    round_one = disc(100, 80, 20)
    assert move_edge(round_one, 0, (5, 5), PAGE) is round_one


@given(regions(), st.integers(0, 99), places)
def test_whatever_is_added_the_region_is_valid(region: Region, edge: int, at: tuple) -> None:
    try:
        grown = add_point(region, edge % len(region.points), at, PAGE)
    except SpotlabError:
        assert behaves_as(region) not in (Primitive.HULL, Primitive.BOX, Primitive.ELLIPSE)
        return
    if grown is not region:
        check(grown)


def test_adding_by_hand() -> None:
    assert add_point(HULL, 0, (30, 20), PAGE) is HULL  # inside
    assert (30.0, 2.0) in add_point(HULL, 0, (30, 2), PAGE).points
    free = region_of(*HULL.points, primitive=Primitive.POLYGON)
    assert add_point(free, 4, (15, 25), PAGE).points == (*HULL.points, (15, 25))
    assert add_point(BOX, 0, (20, 5), PAGE).primitive is Primitive.HULL
    assert add_point(free, 0, (30, 10), PAGE).points[1] == (30, 10)  # right on the edge


def test_an_isothetic_edge_gets_a_step() -> None:
    box = region_of((20, 20), (60, 20), (60, 40), (20, 40), primitive=Primitive.ISOTHETIC)
    stepped = add_point(box, 0, (45, 10), PAGE)
    assert stepped.primitive is Primitive.ISOTHETIC
    assert stepped.area == 800 + 15 * 10
    assert stepped.contains(50, 15) and not stepped.contains(40, 15)


@given(regions(), st.integers(0, 99))
def test_whatever_is_deleted_the_region_is_valid(region: Region, index: int) -> None:
    try:
        shown = handles(region)
        check(delete_point(region, shown[index % len(shown)].index, PAGE))
    except SpotlabError as error:
        assert "\n" not in str(error)


def test_deleting_by_hand() -> None:
    assert len(delete_point(HULL, 2, PAGE).points) == 4
    assert delete_point(BOX, 0, PAGE).primitive is Primitive.HULL
    assert delete_point(STAIRS, 3, PAGE).area in (400, 200)  # the step is gone
    with pytest.raises(SpotlabError, match="three corners"):
        delete_point(region_of((0, 0), (10, 0), (0, 10)), 0, PAGE)
    with pytest.raises(SpotlabError, match="make it free"):
        delete_point(disc(100, 80, 20), 0, PAGE)
    with pytest.raises(SpotlabError, match="no corner"):
        delete_point(BOX, 4, PAGE)  # the middle of its upper side


@pytest.mark.parametrize("begin", range(4))
@pytest.mark.parametrize("turn", [1, -1])
def test_the_corner_of_a_box_that_is_pointed_at_is_deleted(begin: int, turn: int) -> None:
    points = tuple(np.roll(BOX.array[::turn], begin, axis=0).tolist())
    box = replace(BOX, points=tuple(map(tuple, points)))
    for handle in handles(box)[:4]:
        assert (handle.x, handle.y) not in delete_point(box, handle.index, PAGE).points


@given(regions(), places)
def test_the_nearest_edge_is_the_nearest(region: Region, place: tuple[float, float]) -> None:
    edge, distance, foot = nearest_edge(region, *place)
    ring = np.vstack([region.array, region.array[:1]])
    tried = [
        start + share * (end - start)
        for start, end in pairwise(ring)
        for share in np.linspace(0, 1, 60)
    ]
    nearest = np.hypot(*(np.array(tried) - place).T).min()
    assert distance <= nearest + 1e-9
    assert nearest - distance < 3
    start, end = ring[edge], ring[edge + 1]
    assert np.hypot(*(start - foot)) + np.hypot(*(end - foot)) == pytest.approx(
        np.hypot(*(end - start))
    )


@given(regions(), st.integers(0, 99), places, places)
def test_a_point_right_on_an_edge_of_a_hull_stays_and_can_be_pulled_out(
    region: Region, edge: int, near: tuple, to: tuple
) -> None:
    hull = as_primitive(region, Primitive.HULL, PAGE)
    edge %= len(hull.points)
    try:
        place = place_on_edge(hull, edge, *near)
    except SpotlabError:
        along = np.abs(hull.array[edge] - hull.array[(edge + 1) % len(hull.points)])
        parts = math.gcd(*along.astype(int).tolist())
        assert parts == 1 or along.max() / parts > 6, "there are whole px right on the edge"
        return
    grown = add_point(hull, edge, place, PAGE)
    check(grown)
    assert grown.primitive is Primitive.HULL and set(grown.points) == {*hull.points, place}
    assert 0 <= grown.area - hull.area <= np.hypot(*np.ptp(hull.array, axis=0))
    moved = move(grown, 3, -2, PAGE)
    assert len(moved.points) == len(grown.points)
    index = grown.points.index(place)
    pulled = move_handle(grown, index, to, PAGE)
    check(pulled)
    assert polygon.is_convex(pulled.array)


def test_points_on_two_edges_are_pulled_one_after_the_other() -> None:
    square = region_of((10, 10), (50, 10), (50, 50), (10, 50), primitive=Primitive.HULL)
    one = add_point(square, 0, (30, 10), PAGE)
    both = add_point(one, 3, (30, 50), PAGE)
    assert len(both.points) == 6 and both.area == square.area
    pulled = move_handle(both, both.points.index((30, 10)), (30, 4), PAGE)
    assert {(30, 4), (30, 50)} <= set(pulled.points) and len(pulled.points) == 6
    index = pulled.points.index((30, 50))
    assert len(delete_point(pulled, index, PAGE).points) == 5
