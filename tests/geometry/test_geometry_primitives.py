"""Frames, ellipses, isothetic outlines, snapping and transforms."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from spotlab.geometry import polygon
from spotlab.geometry.polygon import Frame, as_points
from spotlab.geometry.primitives import (
    ellipse,
    ellipse_from_points,
    is_box,
    is_isothetic,
    isothetic_polygon,
    snap,
    snap_ellipse,
)

PAGE = (100, 80)
places = st.tuples(st.floats(-30, 130), st.floats(-30, 110))
sides = st.floats(8, 300)


@given(sides, sides, st.floats(-180, 180))
def test_an_ellipse_is_found_again(width: float, height: float, angle: float) -> None:
    assume(abs(width - height) > 1)
    found = ellipse_from_points(ellipse(Frame(500, 400, width, height, angle)))
    assert found is not None
    assert (found.x, found.y) == pytest.approx((500, 400))
    turned = round((found.angle - angle) / 90)
    expected = (width, height) if turned % 2 == 0 else (height, width)
    assert (found.width, found.height) == pytest.approx(expected)
    assert found.angle - angle == pytest.approx(90 * turned, abs=1e-4)
    assert -45 <= found.angle <= 45


@given(st.floats(20, 300), st.floats(20, 300), st.floats(-180, 180))
def test_rounding_changes_an_ellipse_by_a_pixel_or_two(w: float, h: float, angle: float) -> None:
    ring = snap_ellipse(Frame(500, 400, w, h, angle), (1000, 800))
    assert ring is not None
    assert len(ring) <= 48
    assert polygon.is_convex(ring)
    found = ellipse_from_points(ring)
    assert found is not None
    assert (found.x, found.y) == pytest.approx((500, 400), abs=1)
    assert sorted((found.width, found.height)) == pytest.approx(sorted((w, h)), abs=2.5)


def test_a_hundred_turns_do_not_change_an_ellipse() -> None:
    frame: Frame | None = Frame(500, 400, 120, 50, 0)
    for _ in range(100):
        assert frame is not None
        ring = snap_ellipse(replace(frame, angle=frame.angle + 3.6), (1000, 800))
        assert ring is not None
        frame = ellipse_from_points(ring)
    assert frame is not None
    assert (frame.x, frame.y) == pytest.approx((500, 400), abs=3)
    assert (frame.width, frame.height) == pytest.approx((120, 50), abs=2)


def test_too_small_an_ellipse_is_none() -> None:
    assert snap_ellipse(Frame(50, 40, 9, 0.2), (100, 80)) is None


def test_the_moments_of_a_square_and_of_nothing() -> None:
    square = ellipse_from_points(as_points([(10, 10), (30, 10), (30, 30), (10, 30)]))
    assert square is not None
    assert square.angle == 0  # no direction is better than another
    # σ² = 20²/12 of a square, (2 + cos 7.5°)/12 · a² of the 48-gon
    side = 2 * math.sqrt(12 * (400 / 12) / (2 + math.cos(math.tau / 48)))
    assert (square.x, square.y, square.width, square.height) == pytest.approx((20, 20, side, side))
    assert ellipse_from_points(as_points([(0, 0), (9, 9), (4, 4)])) is None


@given(st.floats(-180, 180), st.integers(0, 7), places)
def test_dragging_a_frame_keeps_what_is_opposite(angle: float, handle: int, to: tuple) -> None:
    across, down = [(-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (1, 0), (0, 1), (-1, 0)][handle]
    frame = Frame(50, 40, 30, 20, angle)
    dragged = frame.drag(across, down, to)
    fixed = frame.point_at(-across, -down)
    options = [dragged.point_at(a, d) for a in (-1, 0, 1) for d in (-1, 0, 1)]
    assert min(math.dist(fixed, option) for option in options) < 1e-6
    if across and down:
        assert min(math.dist(to, option) for option in options) < 1e-6
    elif across:
        assert dragged.height == 20
    else:
        assert dragged.width == 30


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=2, max_size=9))
def test_isothetic_outlines_are_isothetic_and_pass_every_click(clicks: list) -> None:
    ring = isothetic_polygon(clicks)
    assert is_isothetic(ring) if len(ring) else True
    if len(ring) >= 3 and not polygon.crosses_itself(ring):
        outline = shapely.LinearRing(ring)
        distinct = [click for click in clicks if outline.distance(shapely.Point(click)) > 0]
        # only the tips of spikes, which enclose nothing, are left out
        assert len(distinct) < len(clicks)


@pytest.mark.parametrize(
    ("clicks", "tolerance", "ring"),
    [
        ([(0, 0), (9, 5)], 0, [(0, 0), (9, 0), (9, 5), (0, 5)]),
        ([(0, 0), (5, 9)], 0, [(0, 0), (0, 9), (5, 9), (5, 0)]),
        ([(0, 0), (9, 0), (9, 9), (0, 9)], 0, [(0, 0), (9, 0), (9, 9), (0, 9)]),
        ([(0, 0), (9, 1), (8, 9), (1, 9)], 1, [(0, 0), (9, 0), (9, 9), (0, 9)]),
        ([(0, 0), (9, 5), (3, 8)], 0, [(0, 0), (9, 0), (9, 5), (3, 5), (3, 8), (0, 8)]),
    ],
)
def test_isothetic_by_hand(clicks: list, tolerance: float, ring: list) -> None:
    assert isothetic_polygon(clicks, tolerance).tolist() == [
        list(map(float, point)) for point in ring
    ]


def test_isothetic_of_nothing() -> None:
    assert len(isothetic_polygon([])) == 0
    assert len(isothetic_polygon([(1, 1), (1, 1)])) < 3
    assert len(isothetic_polygon([(1, 1), (5, 1)])) < 3


@given(st.lists(places, min_size=1, max_size=12), st.booleans())
def test_snapped_outlines_are_whole_inside_and_tidy(points: list, convex: bool) -> None:
    ring = snap(points, PAGE, convex=convex)
    if ring is None:
        return
    assert (ring == ring.round()).all()
    left, top, right, bottom = polygon.bounds(ring)
    assert left >= 0 and top >= 0 and right <= PAGE[0] and bottom <= PAGE[1]
    assert polygon.area(ring) > 0
    assert polygon.is_convex(ring) or not convex
    again = snap(ring, PAGE, convex=convex)
    assert again is not None and np.array_equal(again, ring)


def test_convex_outlines_are_cut_off_at_the_edge() -> None:
    ring = snap([(90, 0), (110, 0), (90, 40)], PAGE, convex=True)
    assert ring is not None
    assert ring.tolist() == [[90, 0], [100, 0], [100, 20], [90, 40]]
    assert snap([(110, 0), (130, 0), (120, 40)], PAGE, convex=True) is None


def test_halves_are_rounded_alike_everywhere() -> None:
    ring = snap([(0.5, 0.5), (3.5, 0.5), (3.5, 2.5)], PAGE)
    assert ring is not None and ring.tolist() == [[1, 1], [4, 1], [4, 3]]


def test_boxes_are_known() -> None:
    assert is_box(as_points([(4, 4), (0, 4), (0, 0), (4, 0)]))
    assert not is_box(as_points([(2, 0), (4, 2), (2, 4), (0, 2)]))
    assert not is_box(as_points([(0, 0), (4, 0), (0, 0), (4, 0)]))


@given(st.lists(places, min_size=3, max_size=6), st.floats(-720, 720))
def test_turning_keeps_distances_and_turns_back(points: list, angle: float) -> None:
    start = as_points(points)
    turned = polygon.rotate(start, angle, (3, 4))
    assert np.allclose(polygon.rotate(turned, -angle, (3, 4)), start)
    assert np.allclose(np.hypot(*(turned - (3, 4)).T), np.hypot(*(start - (3, 4)).T))


def test_four_quarters_are_exact() -> None:
    start = as_points([(1, 2), (50, 3), (7, 71)])
    assert np.array_equal(polygon.rotate(start, 360, (20.5, 3)), start)
    assert polygon.rotate(as_points([(1, 0)]), -90, (0, 0)).tolist() == [[0, -1]]


@given(st.floats(0, 50), st.floats(0.1, 50), st.floats(-9, 9), st.floats(0, 100))
def test_factors_end_at_the_edge(low: float, span: float, factor: float, about: float) -> None:
    high = low + span
    limited = polygon.limit_factor(low, high, factor, about, 100)
    reached = [about + limited * (low - about), about + limited * (high - about)]
    assert min(reached) >= -1e-6 and max(reached) <= 100 + 1e-6
    assert abs(limited) <= abs(factor)
    assert (
        limited == factor
        or math.isclose(min(reached), 0, abs_tol=1e-6)
        or math.isclose(max(reached), 100)
    )


@given(st.floats(-50, 150), st.floats(1, 60), st.floats(-200, 200))
def test_steps_end_at_the_edge(left: float, span: float, dx: float) -> None:
    step, _ = polygon.limit_step((left, 0, left + span, 5), dx, 0, PAGE)
    assert left + step >= -1e-6 and left + span + step <= 100 + 1e-6
