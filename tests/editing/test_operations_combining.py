"""Merge, split, add, subtract, and change what a region is."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from spotlab.editing.operations import (
    add_area,
    as_primitive,
    drawn,
    make_free,
    make_hull,
    merge,
    relabel,
    set_comment,
    split,
    subtract_area,
    toggle_uncertain,
)
from spotlab.editing.operations.outline import CONVEX
from spotlab.errors import SpotlabError
from spotlab.geometry import polygon
from spotlab.geometry.polygon import as_points, even_odd_geometry
from spotlab.geometry.primitives import ellipse_from_points
from spotlab.model import Primitive, Region
from tests.editing.operations_cases import PAGE, check, disc, places, region_of, regions

BOX = region_of((10, 10), (30, 10), (30, 20), (10, 20), primitive=Primitive.BOX, label="bed")
RIGHT = region_of((20, 10), (50, 10), (50, 20), (20, 20), primitive=Primitive.BOX, label="sofa")
# a comb with three teeth that point down
COMB = region_of(
    (0, 0), (50, 0), (50, 40), (40, 40), (40, 10), (30, 10), (30, 40), (20, 40), (20, 10), (10, 10),
    (10, 40), (0, 40), primitive=Primitive.ISOTHETIC, label="comb",
)  # fmt: skip


@given(st.lists(regions(), min_size=2, max_size=4))
def test_merged_regions_hold_all(many: list[Region]) -> None:
    merged = merge(many, PAGE)
    check(merged)
    union = shapely.union_all([even_odd_geometry(region.array) for region in many])
    area = even_odd_geometry(merged.array)
    assert union.difference(area).area <= 2 + union.length
    if not {region.primitive for region in many} <= CONVEX:
        # crossings between whole places are rounded: less than a pixel along the outlines
        assert area.symmetric_difference(union).area <= 2 + union.length
    assert merged.id == many[0].id


def test_merging_by_hand() -> None:
    flagged = Region(RIGHT.points, "sofa", primitive=Primitive.BOX, uncertain=True, comment="?")
    merged = merge([BOX, flagged], PAGE)
    assert (merged.label, merged.uncertain, merged.comment) == ("bed", True, "?")
    assert (merged.primitive, merged.area) == (Primitive.HULL, 400)
    assert merge([region_of((0, 0), (4, 0), (4, 4)), BOX], PAGE).label == "bed"
    stairs = merge([COMB, BOX], PAGE)
    assert stairs.primitive is Primitive.ISOTHETIC
    assert stairs.area == COMB.area + 10 * 10
    far = region_of((90, 90), (99, 90), (99, 99), primitive=Primitive.POLYGON)
    both = merge([COMB, far], PAGE)
    assert both.primitive is Primitive.POLYGON
    assert both.area == COMB.area + far.area
    assert polygon.winds_once(both.array)
    with pytest.raises(SpotlabError, match="two regions"):
        merge([BOX], PAGE)


@given(regions(), places, places)
def test_pieces_make_up_the_region(region: Region, start: tuple, end: tuple) -> None:
    try:
        pieces = split(region, [start, end], PAGE)
    except SpotlabError as error:
        assert "\n" not in str(error)
        return
    assert len(pieces) >= 2
    assert pieces[0].id == region.id
    assert len({piece.id for piece in pieces}) == len(pieces)
    union = shapely.union_all([even_odd_geometry(piece.array) for piece in pieces])
    for piece in pieces:
        check(piece)
        assert piece.label == region.label
    length = even_odd_geometry(region.array).length + 2 * np.hypot(
        start[0] - end[0], start[1] - end[1]
    )
    assert union.symmetric_difference(even_odd_geometry(region.array)).area <= length
    overlap = sum(piece.area for piece in pieces) - union.area
    assert overlap <= length
    if region.primitive in CONVEX:
        assert len(pieces) == 2
        assert {piece.primitive for piece in pieces} <= {Primitive.HULL, Primitive.BOX}


def test_splitting_by_hand() -> None:
    left, right = split(BOX, [(18, 0), (18, 50)], PAGE)
    assert (left.primitive, left.bounds) == (Primitive.BOX, (18, 10, 30, 20))
    assert (right.primitive, right.bounds) == (Primitive.BOX, (10, 10, 18, 20))
    slanted = split(BOX, [(0, 0), (30, 30)], PAGE)
    assert [piece.primitive for piece in slanted] == [Primitive.HULL] * 2
    teeth = split(COMB, [(0, 20), (60, 20)], PAGE)
    assert [piece.area for piece in teeth] == [800, 200, 200, 200]
    for line in ([(0, 0), (20, 15)], [(0, 0), (5, 90)], [(1, 1)], [(10, 10), (30, 10)], []):
        with pytest.raises(SpotlabError, match="line"):
            split(BOX, line, PAGE)
    halves = split(disc(100, 80, 20), [(0, 80), (200, 80)], PAGE)
    assert [half.primitive for half in halves] == [Primitive.HULL] * 2
    bent = split(make_free(BOX), [(15, 0), (20, 15), (25, 0)], PAGE)
    assert sum(piece.area for piece in bent) == pytest.approx(200, abs=3)


@given(regions(), st.lists(places, min_size=3, max_size=7))
def test_what_is_added_is_in(region: Region, points: list) -> None:
    grown = add_area(region, points, PAGE)
    check(grown)
    both = even_odd_geometry(region.array).union(even_odd_geometry(as_points(points)))
    clipped = both.intersection(shapely.box(0, 0, PAGE.width, PAGE.height))
    # crossings are rounded, so slivers thinner than a pixel may go
    assert clipped.difference(even_odd_geometry(grown.array)).area <= 2 + both.length
    assert (grown.primitive is Primitive.HULL) == (region.primitive in CONVEX)


@given(regions(), st.lists(places, min_size=3, max_size=7))
def test_what_is_subtracted_is_out(region: Region, points: list) -> None:
    try:
        left = subtract_area(region, points, PAGE)
    except SpotlabError as error:
        assert "Nothing would be left" in str(error)
        return
    check(left)
    assert even_odd_geometry(region.array).buffer(1).covers(even_odd_geometry(left.array))
    if region.primitive not in CONVEX:
        both = even_odd_geometry(left.array).intersection(even_odd_geometry(as_points(points))).area
        assert both <= even_odd_geometry(left.array).length + 1


def test_adding_and_subtracting_by_hand() -> None:
    hole = [(12, 12), (18, 12), (18, 18), (12, 18)]
    free = make_free(BOX)
    holed = subtract_area(free, hole, PAGE)
    assert holed.area == 200 - 36
    assert not holed.contains(15, 15)
    assert add_area(holed, hole, PAGE).area == 200
    assert subtract_area(BOX, hole, PAGE).area == 200  # the hull closes it again
    corner = subtract_area(BOX, [(0, 0), (12, 0), (12, 30), (0, 30)], PAGE)
    assert corner.bounds == (12, 10, 30, 20)
    with pytest.raises(SpotlabError, match="Nothing would be left of the region 'bed'"):
        subtract_area(BOX, [(0, 0), (100, 0), (100, 100), (0, 100)], PAGE)
    stairs = as_primitive(BOX, Primitive.ISOTHETIC, PAGE)
    assert subtract_area(stairs, hole, PAGE).primitive is Primitive.ISOTHETIC
    assert subtract_area(stairs, hole, PAGE).area == 200 - 36


@given(regions(), st.sampled_from([each for each in Primitive if each.has_area]))
def test_becoming_something_else(region: Region, primitive: Primitive) -> None:
    try:
        other = as_primitive(region, primitive, PAGE)
    except SpotlabError as error:
        assert primitive in (Primitive.TRACE, Primitive.CELLS) or "Nothing" in str(error)
        return
    assert other.primitive is primitive
    check(other)
    assert (other.id, other.label) == (region.id, region.label)


def test_becoming_by_hand() -> None:
    free = make_free(COMB)
    assert (free.primitive, free.points) == (Primitive.POLYGON, COMB.points)
    assert make_hull(COMB, PAGE).area == 2000
    assert as_primitive(COMB, Primitive.BOX, PAGE).bounds == COMB.bounds
    round_one = as_primitive(BOX, Primitive.ELLIPSE, PAGE)
    frame = ellipse_from_points(round_one.array)
    assert frame is not None
    assert (frame.x, frame.y) == pytest.approx((20, 15), abs=0.6)
    assert frame.width / frame.height == pytest.approx(2, rel=0.1)
    with pytest.raises(SpotlabError, match="draw the region again"):
        as_primitive(BOX, Primitive.TRACE, PAGE)


def test_drawing_leaves_nothing_behind_where_there_is_nothing() -> None:
    for primitive in (each for each in Primitive if each.has_area):
        assert drawn([(0, 0), (50, 50)], primitive, PAGE) is None
        assert drawn([(300, 0), (350, 0), (350, 90)], primitive, PAGE) is None
    dented = drawn([(0, 0), (40, 0), (20, 10), (40, 40), (0, 40)], Primitive.HULL, PAGE, " a  b ")
    assert dented is not None
    assert (len(dented.points), dented.label) == (4, "a b")


def test_labels_flags_and_comments() -> None:
    assert [region.label for region in relabel([BOX, RIGHT], " big  bed ")] == ["big bed"] * 2
    flagged = toggle_uncertain([BOX, RIGHT])
    assert all(region.uncertain for region in flagged)
    assert all(region.uncertain for region in toggle_uncertain([flagged[0], RIGHT]))
    assert not any(region.uncertain for region in toggle_uncertain(flagged))
    assert set_comment([BOX], " which? ")[0].comment == "which?"
    assert relabel([BOX], "")[0].id == BOX.id
