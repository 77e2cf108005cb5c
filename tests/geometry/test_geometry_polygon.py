"""Areas, insides and convexity against rasters, shapely and figures made by hand."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from spotlab.arrays import Points
from spotlab.geometry import polygon
from spotlab.geometry.polygon import as_points

SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4)]
# a 9 × 9 square with a hole of 3 × 3, joined by an edge that runs there and back
KEYHOLE = [(0, 0), (9, 0), (9, 9), (0, 9), (0, 0), (3, 3), (3, 6), (6, 6), (6, 3), (3, 3)]
SAME_WAY = [(0, 0), (9, 0), (9, 9), (0, 9), (0, 0), (3, 3), (6, 3), (6, 6), (3, 6), (3, 3)]
TWO_PARTS = [(0, 0), (2, 0), (2, 2), (0, 2), (0, 0), (5, 5), (8, 5), (8, 8), (5, 8), (5, 5)]
PENTAGRAM = [(50, 0), (79, 90), (2, 35), (98, 35), (21, 90)]
BOW_TIE = [(0, 0), (4, 4), (4, 0), (0, 4)]

rings = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=3, max_size=9).map(
    as_points
)


def raster_area(points: Points, fine: int = 13) -> float:
    """Even-odd by counting places on a fine grid that meets no corner: edges left of each place."""
    places = ((np.arange(12 * fine) + 0.5) / fine)[::3]
    x, y = places[:, None, None], places[None, :, None]
    (x0, y0), (x1, y1) = points.T, np.roll(points, -1, axis=0).T
    passes = (y0 > y) != (y1 > y)
    height = np.where(y1 == y0, 1, y1 - y0)
    left = passes & (x0 + (y - y0) / height * (x1 - x0) < x)
    return float((left.sum(axis=2) % 2).sum() * 9 / fine**2)


@pytest.mark.parametrize(
    ("ring", "area"),
    [
        (SQUARE, 16),
        (SQUARE[::-1], 16),
        (SQUARE * 2, 0),  # twice round: even
        (SQUARE * 3, 16),
        (KEYHOLE, 72),
        (SAME_WAY, 72),
        (TWO_PARTS, 13),
        (BOW_TIE, 8),
        ([(0, 0), (4, 0), (0, 0), (0, 4)], 0),
        ([(0, 0), (9, 9), (4, 4)], 0),
        ([(2, 2), (2, 2), (2, 2)], 0),
        ([(0, 0), (4, 0), (4, 4), (4, 9), (4, 4), (0, 4)], 16),  # a spike
        # two squares, one wound the other way, that share half an edge
        ([(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (-2, 0), (-2, 4), (0, 4), (0, 0)], 24),
    ],
)
def test_area_by_hand(ring: list[tuple[int, int]], area: float) -> None:
    points = as_points(ring)
    assert polygon.area(points) == pytest.approx(area, abs=1e-9)
    assert polygon.even_odd_geometry(points).area == pytest.approx(area, abs=1e-9)
    assert polygon.even_odd_geometry(points).is_valid


def test_a_pentagram_has_no_middle() -> None:
    points = as_points(PENTAGRAM)
    assert not polygon.contains(points, 50, 50)
    assert not polygon.even_odd_geometry(points).contains(shapely.Point(50, 50))
    assert polygon.even_odd_geometry(points).contains(shapely.Point(50, 10))


@given(rings)
def test_even_odd_holds_what_contains_says(points: Points) -> None:
    geometry = polygon.even_odd_geometry(points)
    rng = np.random.default_rng(0)
    for x, y in rng.uniform(-0.5, 12.5, (60, 2)):
        assert geometry.contains(shapely.Point(x, y)) == polygon.contains(points, x, y)


@given(rings)
def test_area_is_that_of_a_raster(points: Points) -> None:
    length = float(np.hypot(*(np.roll(points, -1, axis=0) - points).T).sum())
    assert polygon.area(points) == pytest.approx(raster_area(points), abs=0.3 * length + 0.1)


@given(rings)
def test_the_hull_is_convex_and_holds_all(points: Points) -> None:
    hull = polygon.convex_hull(points)
    if not len(hull):
        assert np.linalg.matrix_rank(points - points[0]) < 2
        return
    assert polygon.is_convex(hull)
    assert polygon.signed_area(hull) > 0
    assert all(shapely.Polygon(hull).covers(shapely.Point(point)) for point in points)
    assert np.array_equal(polygon.convex_hull(hull), hull)


@given(rings)
def test_convex_is_what_its_hull_fills(points: Points) -> None:
    """Convex means: no area missing to the hull, and no edge run twice or backwards."""
    convex = polygon.is_convex(points)
    if not polygon.crosses_itself(points) and polygon.area(points) > 0:
        hull_area = polygon.area(polygon.convex_hull(points))
        distinct = len(np.unique(points, axis=0)) == len(points)
        if distinct:
            assert convex == (polygon.area(points) == hull_area)
    elif convex:
        # only repeated points in a row make a convex ring not simple
        assert len(np.unique(points, axis=0)) < len(points)


@pytest.mark.parametrize("ring", [SQUARE * 2, PENTAGRAM, BOW_TIE, KEYHOLE, SQUARE[:2], BOW_TIE[:2]])
def test_these_are_not_convex(ring: list[tuple[int, int]]) -> None:
    assert not polygon.is_convex(as_points(ring))


@pytest.mark.parametrize(
    "ring",
    [SQUARE, SQUARE[::-1], [(0, 0), (2, 0), (4, 0), (4, 4)], [(0, 0), (0, 0), (4, 0), (4, 4)]],
)
def test_these_are_convex(ring: list[tuple[int, int]]) -> None:
    assert polygon.is_convex(as_points(ring))


@pytest.mark.parametrize(
    ("ring", "once"),
    [
        (SQUARE, True),
        (KEYHOLE, True),
        (TWO_PARTS, True),
        (SAME_WAY, False),  # filled by the non-zero rule the hole would be closed
        (SQUARE * 2, False),
        (BOW_TIE, False),
        (PENTAGRAM, False),
        ([(0, 0), (2, 0), (2, 2), (4, 2), (4, 4), (2, 4), (2, 2), (0, 2)], True),  # touches itself
    ],
)
def test_winding(ring: list[tuple[int, int]], once: bool) -> None:
    assert polygon.winds_once(as_points(ring)) is once


@given(rings)
def test_winding_is_odd_inside(points: Points) -> None:
    for x, y in np.random.default_rng(1).uniform(0, 12, (20, 2)):
        assert polygon.winding_number(points, x, y) % 2 == polygon.contains(points, x, y)


@pytest.mark.parametrize("angle", [0, 17, 45, 90, 133])
def test_the_narrowest_strip_of_a_turned_box(angle: float) -> None:
    turn = np.deg2rad(angle)
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    box = np.array([[0, 0], [70, 0], [70, 5], [0, 5]]) @ matrix
    assert polygon.min_width(box) == pytest.approx(5)
    assert polygon.min_width([(0, 0), (5, 5), (9, 9)]) == 0


def test_the_centroid_leaves_the_hole_out() -> None:
    off_centre = [(0, 0), (9, 0), (9, 9), (0, 9), (0, 0), (1, 1), (1, 4), (4, 4), (4, 1), (1, 1)]
    x, y = polygon.centroid(as_points(off_centre))
    assert x == y == pytest.approx((81 * 4.5 - 9 * 2.5) / 72)
    assert polygon.centroid(as_points([(0, 0), (4, 2)])) == (2, 1)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=6))
def test_the_repeated_last_point_goes_once_and_for_all(points: list) -> None:
    ring = as_points(points)
    assert np.array_equal(as_points(ring), ring)
    assert len(as_points([(1, 1)] * 4)) == 1


def test_points_have_to_be_finite() -> None:
    with pytest.raises(ValueError, match="finite"):
        as_points([(0, 0), (float("nan"), 1)])
    with pytest.raises(ValueError, match="no points"):
        polygon.bounds(as_points([]))
