"""One ring for many, tidy rings, and cells there and back."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from spotlab.geometry import polygon
from spotlab.geometry.polygon import as_points
from spotlab.geometry.primitives import is_isothetic
from spotlab.geometry.rings import (
    QuadCell,
    cell_at,
    cells_from_ring,
    join_rings,
    remove_straight_points,
    ring_from_cells,
    ring_from_geometry,
    tidy,
)

cells = st.builds(
    lambda level, column, row: QuadCell(column % (16 >> level), row % (16 >> level), 4 << level),
    st.integers(0, 3),
    st.integers(0, 15),
    st.integers(0, 15),
)
boxes = st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(1, 6), st.integers(1, 6)).map(
    lambda box: shapely.box(box[0], box[1], box[0] + box[2], box[1] + box[3])
)
rings = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=12).map(
    as_points
)


@given(st.lists(boxes, min_size=1, max_size=8), st.lists(boxes, max_size=6), st.booleans())
def test_one_ring_is_the_same_area(solid: list, holes: list, isothetic: bool) -> None:
    area = shapely.union_all(solid).difference(shapely.union_all(holes))
    ring = ring_from_geometry(area, isothetic=isothetic)
    if area.is_empty:
        assert len(ring) == 0
        return
    again = polygon.even_odd_geometry(ring)
    assert again.symmetric_difference(area).area == pytest.approx(0, abs=1e-9)
    assert polygon.signed_area(ring) == pytest.approx(area.area)  # the non-zero rule agrees
    assert polygon.winds_once(ring)
    assert is_isothetic(ring) or not isothetic


def test_lines_in_a_geometry_have_no_area() -> None:
    mixed = shapely.GeometryCollection(
        [shapely.LineString([(0, 0), (9, 9)]), shapely.box(1, 1, 3, 3)]
    )
    assert polygon.area(ring_from_geometry(mixed)) == 4
    assert ring_from_geometry(shapely.LineString([(0, 0), (1, 1)])).shape == (0, 2)


@given(st.lists(rings, min_size=1, max_size=6))
def test_joined_rings_enclose_what_an_odd_number_of_them_encloses(several: list) -> None:
    ring = join_rings(several)
    assert len(ring) == sum(map(len, several)) + 2 * (len(several) - 1)
    for x, y in np.random.default_rng(0).random((20, 2)) * 9:
        inside = [polygon.contains(points, x, y) for points in several]
        assert polygon.contains(ring, x, y) == bool(sum(inside) % 2)


def test_rings_without_area_are_joined_too() -> None:
    line = [np.array([(at, 0), (at + 1, 0)], float) for at in (0, 4, 9)]
    joined = [[0, 0], [9, 0], [10, 0], [9, 0], [0, 0], [4, 0], [5, 0], [4, 0], [0, 0], [1, 0]]
    assert join_rings(line).tolist() == joined
    assert join_rings([]).shape == (0, 2)


@given(rings)
def test_tidy_changes_no_area_and_leaves_no_spike(points: np.ndarray) -> None:
    ring = tidy(points)
    assert polygon.area(ring) == pytest.approx(polygon.area(points), abs=1e-9)
    for before, here, after in zip(
        np.roll(ring, 1, axis=0), ring, np.roll(ring, -1, axis=0), strict=True
    ):
        first, second = here - before, after - here
        assert first.any()
        turns_back = first[0] * second[1] == first[1] * second[0] and first @ second < 0
        assert not turns_back


def test_tidy_takes_a_line_there_and_back_away() -> None:
    assert len(tidy(as_points([(0, 0), (3, 3), (9, 9), (3, 3)]))) < 3
    assert len(tidy(np.zeros((5, 2)))) == 0


def test_straight_points_go_but_not_where_a_hole_hangs() -> None:
    ring = as_points([(0, 0), (4, 0), (9, 0), (9, 9), (0, 9)])
    assert remove_straight_points(ring).tolist() == [[0, 0], [9, 0], [9, 9], [0, 9]]
    hung = as_points([(0, 0), (4, 0), (4, 9), (9, 9), (9, 0), (4, 0), (5, 0), (5, -3), (0, -3)])
    assert [4.0, 0.0] in remove_straight_points(hung).tolist()


@given(st.lists(cells, min_size=1, max_size=10))
def test_cells_come_back(marked: list[QuadCell]) -> None:
    ring = ring_from_cells(marked)
    found = cells_from_ring(ring, 4)
    squares = [shapely.box(c * s, r * s, (c + 1) * s, (r + 1) * s) for c, r, s in found]
    wanted = shapely.union_all(
        [shapely.box(c * s, r * s, (c + 1) * s, (r + 1) * s) for c, r, s in marked]
    )
    assert is_isothetic(ring)
    assert polygon.even_odd_geometry(ring).symmetric_difference(wanted).area == 0
    assert sum(square.area for square in squares) == wanted.area  # none overlaps another
    assert shapely.union_all(squares).symmetric_difference(wanted).area == 0
    siblings = {(c // 2, r // 2, s) for c, r, s in found}
    assert all(
        not {(2 * c, 2 * r, s), (2 * c + 1, 2 * r, s), (2 * c, 2 * r + 1, s),
             (2 * c + 1, 2 * r + 1, s)} <= set(found)
        for c, r, s in siblings
    )  # fmt: skip


def test_cells_at_the_pages_edge() -> None:
    marked = [QuadCell(1, 0, 8), QuadCell(0, 0, 8)]
    ring = ring_from_cells(marked, (11, 6))
    assert polygon.bounds(ring) == (0, 0, 11, 6)
    assert sorted(cells_from_ring(ring, 8, (11, 6))) == sorted(marked)
    assert cell_at(10.9, 7.9, 8) == QuadCell(1, 0, 8)
    assert cells_from_ring(as_points([(0, 0), (3, 3)]), 4) == []
