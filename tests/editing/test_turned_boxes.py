"""A turned box stays a box of its angle, whatever is done with it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.editing.operations import (
    add_point,
    as_primitive,
    delete_point,
    drawn,
    duplicate,
    frame_of,
    handles,
    merge,
    move,
    move_all,
    move_edge,
    move_handle,
    rotate,
    scale,
    split,
)
from spotlab.errors import SpotlabError
from spotlab.geometry.polygon import Frame
from spotlab.geometry.primitives import box_on_side, frame_corners, is_box, turned_frame
from spotlab.model import Primitive, Region
from tests.editing.operations_cases import PAGE, check

SIZE = PAGE.width, PAGE.height
frames = st.builds(
    Frame, st.floats(50, 150), st.floats(50, 110), st.floats(4, 60), st.floats(4, 40),
    st.floats(-179, 180),
)  # fmt: skip
steps = st.floats(-300, 300)


def box_of(frame: Frame) -> Region:
    """The box as it is after it has been drawn."""
    region = drawn(np.array(frame_corners(frame)), Primitive.BOX, PAGE, "text")
    assert region is not None
    return region


def frame(region: Region) -> Frame:
    """The frame of a region that has to be a box."""
    assert region.primitive is Primitive.BOX
    found = frame_of(region)
    assert found is not None
    return found


def turn_between(first: Frame, second: Frame) -> float:
    """How far two boxes are turned against each other, in degrees."""
    return abs((first.angle - second.angle + 45) % 90 - 45)


SLANTED = box_of(Frame(100, 80, 60, 20, 30))


def test_four_corners_with_right_angles_are_a_box() -> None:
    assert frame(SLANTED).angle == pytest.approx(30, abs=0.01)
    assert SLANTED.area == pytest.approx(1200, abs=0.1)
    assert len(handles(SLANTED)) == 8


@given(frames, steps, steps)
def test_moving_keeps_every_corner(start: Frame, dx: float, dy: float) -> None:
    region = box_of(start)
    moved = move(region, dx, dy, PAGE)
    check(moved)
    way = moved.array - region.array
    assert np.abs(way - way.round()).max() < 1e-9 and np.abs(way - way[0]).max() < 1e-9
    assert move(moved, *-way[0], PAGE).points == region.points
    assert frame(duplicate(region, (dx, dy), PAGE)) == frame(moved)


def test_what_is_moved_with_it_keeps_its_place() -> None:
    upright = Region(((90, 20), (110, 20), (110, 30), (90, 30)), primitive=Primitive.BOX)
    slanted, other = move_all([SLANTED, upright], 500, 0, PAGE)
    assert slanted.bounds[2] > PAGE.width - 1
    way = slanted.array[0] - SLANTED.array[0]
    assert other.array[0] - upright.array[0] == pytest.approx(way, abs=1e-9)


@given(frames, st.floats(-720, 720))
def test_turning_keeps_the_sides(start: Frame, angle: float) -> None:
    region = box_of(start)
    before = frame(region)
    turned = rotate(region, angle, PAGE)
    check(turned)
    if is_box(turned.array):
        return  # to whole px
    after = frame(turned)
    assert (after.width, after.height) == pytest.approx((before.width, before.height), abs=0.01)
    assert turn_between(after, Frame(0, 0, 1, 1, before.angle + angle)) < 0.5


def test_many_turns_add_nothing_up() -> None:
    region = SLANTED
    for _ in range(360):
        region = rotate(region, 7, PAGE, (100, 80))
    assert np.abs(region.array - SLANTED.array).max() < 0.1


def test_an_upright_box_is_turned_and_turned_back() -> None:
    upright = Region(((80, 60), (120, 60), (120, 80), (80, 80)), primitive=Primitive.BOX)
    turned = rotate(upright, 15, PAGE)
    assert frame(turned).angle == pytest.approx(15, abs=0.01)
    assert sorted(rotate(turned, -15, PAGE).points) == sorted(upright.points)


@given(frames, st.integers(0, 7), st.tuples(steps, steps))
def test_a_handle_keeps_angle_and_what_is_opposite(
    start: Frame, index: int, to: tuple[float, float]
) -> None:
    region = box_of(start)
    opposite = handles(region)[index ^ 2 if index < 4 else (index - 2) % 4 + 4]
    try:
        dragged = move_handle(region, index, to, PAGE)
    except SpotlabError:
        return
    check(dragged)
    if is_box(dragged.array):
        return
    assert turn_between(frame(dragged), start) < 1
    places = np.array([(handle.x, handle.y) for handle in handles(dragged)])
    assert np.hypot(*(places - (opposite.x, opposite.y)).T).min() < 0.05


def test_an_edge_is_pushed_across_itself() -> None:
    pushed = move_edge(SLANTED, 0, (10, -10), PAGE)
    step = 10 * np.cos(np.radians(30)) + 10 * np.sin(np.radians(30))
    assert frame(pushed).height == pytest.approx(20 + step, abs=0.01)
    assert frame(pushed).width == pytest.approx(60, abs=0.01)


def test_scaling_keeps_the_angle_and_mirroring_turns_it() -> None:
    larger = scale(SLANTED, 1.5, 1.5, PAGE, (100, 80))
    assert frame(larger).width == pytest.approx(90, abs=0.01)
    assert turn_between(frame(larger), frame(SLANTED)) < 0.1
    wider = scale(SLANTED, 1.5, 1, PAGE, (100, 80))
    assert frame(wider).width > 70 and turn_between(frame(wider), frame(SLANTED)) < 0.1
    mirrored = scale(SLANTED, -1, 1, PAGE, (100, 80))
    assert frame(mirrored).angle == pytest.approx(-30, abs=0.1)
    with pytest.raises(SpotlabError, match="would not fit on the page"):
        scale(box_of(Frame(100, 80, 150, 20, 45)), 40, 40, PAGE, (100, 80))


def test_other_changes_give_other_outlines() -> None:
    assert add_point(SLANTED, 0, (120, 20), PAGE).primitive is Primitive.HULL
    shorter = delete_point(SLANTED, 1, PAGE)
    assert (shorter.primitive, len(shorter.points)) == (Primitive.HULL, 3)
    assert merge([SLANTED, box_of(Frame(60, 40, 20, 20, 5))], PAGE).primitive is Primitive.HULL
    halves = split(SLANTED, [(80, 130), (120, 30)], PAGE)
    assert sum(half.area for half in halves) == pytest.approx(SLANTED.area, rel=0.1)
    assert as_primitive(SLANTED, Primitive.POLYGON, PAGE).primitive is Primitive.POLYGON


@given(st.lists(st.tuples(steps, steps), min_size=3, max_size=3))
def test_a_side_and_a_place_make_a_box_on_the_page(clicks: list[tuple[float, float]]) -> None:
    region = drawn(box_on_side(clicks, SIZE), Primitive.BOX, PAGE)
    if region is None:
        return
    check(region)
    if turned_frame(region.array) is not None:
        side = np.clip(clicks[:2], 0, SIZE)
        ends = [np.hypot(*(region.array - end).T).min() for end in side]
        assert max(ends) < 0.01
