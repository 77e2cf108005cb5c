"""Move, rotate, scale and duplicate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.editing.operations import duplicate, move, move_all, rotate, scale
from spotlab.errors import SpotlabError
from spotlab.geometry import polygon
from spotlab.geometry.polygon import even_odd_geometry
from spotlab.geometry.primitives import ellipse_from_points
from spotlab.model import Primitive, Region
from tests.editing.operations_cases import PAGE, check, disc, region_of, regions

steps = st.floats(-300, 300)
BOX = region_of((10, 10), (30, 10), (30, 20), (10, 20), primitive=Primitive.BOX, label="bed")


@given(regions(), steps, steps)
def test_moving_is_rigid_and_stays_on_the_page(region: Region, dx: float, dy: float) -> None:
    moved = move(region, dx, dy, PAGE)
    check(moved)
    steps = np.unique(moved.array - region.array, axis=0)
    assert len(steps) == 1  # every point alike
    assert moved.primitive is region.primitive and moved.id == region.id
    back = move(moved, *-steps[0], PAGE)
    assert back == region


@given(st.lists(regions(), min_size=1, max_size=4), steps, steps)
def test_many_keep_their_places_towards_each_other(
    many: list[Region], dx: float, dy: float
) -> None:
    moved = move_all(many, dx, dy, PAGE)
    all_steps = [after.array - before.array for before, after in zip(many, moved, strict=True)]
    assert len(np.unique(np.vstack(all_steps), axis=0)) == 1
    for region in moved:
        check(region)


def test_the_step_ends_at_the_edge() -> None:
    assert move(BOX, -15.2, 3.4, PAGE).bounds == (0, 13, 20, 23)
    assert move(BOX, 1000, 1000, PAGE).bounds == (180, 150, 200, 160)
    assert move_all([], 3, 3, PAGE) == []


def test_a_region_that_a_file_brought_from_outside_comes_in() -> None:
    outside = region_of((-20.4, 5.5), (-3.4, 5.5), (-3.4, 12.5))
    moved = move(outside, 0, 0, PAGE)
    check(moved)
    assert moved.bounds[0] == 0


def test_a_duplicate_is_another_region() -> None:
    copy = duplicate(BOX, (5, 5), PAGE)
    assert copy.id != BOX.id
    assert (copy.label, copy.bounds) == ("bed", (15, 15, 35, 25))


@given(regions(), st.floats(-400, 400))
def test_whatever_is_turned_is_valid(region: Region, angle: float) -> None:
    try:
        turned = rotate(region, angle, PAGE)
    except SpotlabError as error:
        assert "\n" not in str(error)
        return
    check(turned)


@given(regions())
def test_four_quarters_lead_back_in_the_middle_of_the_page(region: Region) -> None:
    turned = region
    small = region.bounds[2] - region.bounds[0] < 70 and region.bounds[3] - region.bounds[1] < 70
    if not small:
        return
    start = turned = move(region, 65 - region.bounds[0], 45 - region.bounds[1], PAGE)
    for _ in range(4):
        turned = rotate(turned, 90, PAGE)
    # half a pixel of the centre may be rounded at every quarter
    assert turned.area == pytest.approx(start.area, rel=1e-9)
    assert np.abs(np.array(turned.bounds) - start.bounds).max() <= 2


def test_an_isothetic_outline_turned_is_free() -> None:
    step = region_of((20, 20), (40, 20), (40, 30), (30, 30), (30, 40), (20, 40))
    stairs = Region(step.points, primitive=Primitive.ISOTHETIC)
    assert rotate(stairs, 180, PAGE).primitive is Primitive.ISOTHETIC
    assert rotate(stairs, 20, PAGE).primitive is Primitive.POLYGON
    assert rotate(stairs, 20, PAGE).area == pytest.approx(300, rel=0.1)


def test_turning_at_the_edge_pushes_back_and_says_what_cannot_be() -> None:
    flat = region_of((0, 0), (150, 0), (150, 4), (0, 4), primitive=Primitive.BOX)
    assert rotate(flat, 90, PAGE).bounds == (73, 0, 77, 150)
    wide = region_of((0, 0), (200, 0), (200, 4), (0, 4), primitive=Primitive.BOX)
    with pytest.raises(SpotlabError, match="would not fit on the page"):
        rotate(wide, 90, PAGE)


def test_an_ellipse_stays_one() -> None:
    start = scale(disc(100, 80, 20), 2, 1, PAGE)
    turned = rotate(start, 33, PAGE)
    assert turned.primitive is Primitive.ELLIPSE
    frame = ellipse_from_points(turned.array)
    assert frame is not None
    assert (frame.width, frame.height) == pytest.approx((80, 40), abs=2)
    assert frame.angle == pytest.approx(33, abs=2)
    assert 20 < len(turned.points) <= 48


@given(regions(), st.floats(-3, 3), st.floats(-3, 3))
def test_whatever_is_scaled_is_valid(region: Region, sx: float, sy: float) -> None:
    try:
        scaled = scale(region, sx, sy, PAGE, (100, 80))
    except SpotlabError:
        left, top, right, bottom = region.bounds
        sx = polygon.limit_factor(left, right, sx, 100, PAGE.width)
        sy = polygon.limit_factor(top, bottom, sy, 80, PAGE.height)
        exact = even_odd_geometry(polygon.scale(region.array, sx, sy, (100, 80)))
        # rounding moves every point by at most .71 px: only so narrow a region may go
        assert exact.area <= 0.71 * exact.length + 1
        return
    check(scaled)


def test_scaling_by_hand() -> None:
    assert scale(BOX, 2, 3, PAGE, (10, 10)).bounds == (10, 10, 50, 40)
    assert scale(BOX, -1, 1, PAGE, (30, 10)).bounds == (30, 10, 50, 20)
    assert scale(BOX, 100, 1, PAGE, (10, 10)).bounds == (10, 10, 200, 20)
    with pytest.raises(SpotlabError, match="Nothing would be left of the region 'bed'"):
        scale(BOX, 0.01, 1, PAGE)


@pytest.mark.parametrize(("sx", "sy", "sides"), [(1, 99, (40, 160)), (99, 1, (200, 40))])
def test_an_ellipse_grows_to_the_edge_and_is_not_cut_off(sx: int, sy: int, sides: tuple) -> None:
    frame = ellipse_from_points(scale(disc(100, 80, 20), sx, sy, PAGE).array)
    assert frame is not None
    assert (frame.width, frame.height) == pytest.approx(sides, abs=2)
