"""A ring of several parts and holes is taken apart again, however its parts are joined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from spotlab.formats.truth.coco import mask_outline
from spotlab.geometry.polygon import even_odd_geometry
from spotlab.geometry.rings import join_rings, parts, rings
from spotlab.libraries import shapely

masks = arrays(bool, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.booleans())


def geometry(apart: list[list[np.ndarray]]) -> shapely.MultiPolygon:
    return shapely.MultiPolygon([shapely.Polygon(outer, holes) for outer, *holes in apart])


@settings(deadline=None)
@given(masks)
def test_every_mask_comes_back_as_valid_polygons(mask: np.ndarray) -> None:
    """Of parts and holes at random, which touch at corners, and parts within holes."""
    if not mask.any():
        return
    points = np.array(mask_outline(mask), float)
    found = geometry(parts(points))
    assert found.is_valid
    assert found.area == mask.sum()
    assert found.equals(even_odd_geometry(points))
    again = join_rings(rings(points))
    assert even_odd_geometry(again).equals(found)


def square(left: float, top: float, side: float) -> np.ndarray:
    corners = [[0, 0], [side, 0], [side, side], [0, side]]
    return np.array(corners, float) + np.array([left, top])


def test_two_squares_with_a_hole_each() -> None:
    given_rings = [square(0, 0, 9), square(3, 3, 3), square(20, 0, 9), square(22, 2, 2)]
    apart = parts(join_rings(given_rings))
    assert [[abs(geometry([[ring]]).area) for ring in part] for part in apart] == [
        [81, 9], [81, 4],
    ]  # fmt: skip
    assert {tuple(map(tuple, sorted(ring.tolist()))) for part in apart for ring in part} == {
        tuple(map(tuple, sorted(ring.tolist()))) for ring in given_rings
    }


@pytest.mark.parametrize(
    ("points", "areas"),
    [
        # the joining edge ends in the middle of an edge of the outline and of the hole
        (
            [[0, 0], [5, 0], [5, 3], [7, 3], [7, 6], [3, 6], [3, 3], [5, 3], [5, 0],
             [10, 0], [10, 10], [0, 10]],
            [[100, 12]],
        ),
        # it runs along the edge of the other part for a while
        ([[0, 0], [5, 0], [5, 10], [5, 4], [12, 4], [12, 6], [5, 6], [5, 0], [0, 0]], [[14]]),
        ([[0, 0], [2, 2], [2, 0], [0, 2]], [[1], [1]]),  # it crosses itself
        ([[0, 0], [2, 0], [2, 2], [0, 2]] * 2, []),  # twice around encloses nothing
        ([[0, 0], [2, 2], [4, 4]], []),
        ([[0, 0], [4, 0], [4, 4]], [[8]]),
    ],
)  # fmt: skip
def test_rings_of_every_kind(points: list[list[float]], areas: list[list[float]]) -> None:
    apart = parts(np.array(points, float))
    assert [[abs(geometry([[ring]]).area) for ring in part] for part in apart] == areas
