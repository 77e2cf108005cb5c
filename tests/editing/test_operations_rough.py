"""What files bring (fractions, crossings, places outside, wrong primitives) can be edited, too."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.editing import operations
from spotlab.editing.validate import validate
from spotlab.errors import SpotlabError
from spotlab.geometry.polygon import as_points
from spotlab.model import Primitive, Region, Truth
from tests.editing.operations_cases import PAGE, check, places

anywhere = st.one_of(
    places,
    st.tuples(st.integers(-5, 205), st.integers(-5, 165)),
    st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)),
    st.sampled_from([(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0), (5.0, 5.0)]),
)
rough = st.builds(
    lambda points, primitive: Region(tuple(points), primitive=primitive),
    st.lists(anywhere, min_size=3, max_size=9).filter(lambda points: len(as_points(points)) >= 3),
    st.sampled_from([each for each in Primitive if each.has_area]),
)

CHANGES: list[Callable[[Region, tuple[float, float]], list[Region]]] = [
    lambda region, at: [operations.move(region, *at, PAGE)],
    lambda region, at: [operations.rotate(region, at[0], PAGE)],
    lambda region, at: [operations.scale(region, at[0] / 50, at[1] / 50, PAGE)],
    lambda region, at: [operations.move_handle(region, 0, at, PAGE)],
    lambda region, at: [operations.move_edge(region, 1, at, PAGE)],
    lambda region, _: [operations.delete_point(region, 2, PAGE)],
    lambda region, at: operations.split(region, [at, (100, 80), (-at[0], -at[1])], PAGE),
    lambda region, at: [operations.add_area(region, [at, (100, 80), (90, 10)], PAGE)],
    lambda region, at: [operations.subtract_area(region, [at, (100, 80), (90, 10)], PAGE)],
    lambda region, _: [operations.make_hull(region, PAGE)],
    lambda region, at: [
        operations.merge([region, Region((at, (at[0] + 9, at[1]), (3, 170.5)))], PAGE)
    ],
    *(
        lambda region, _, primitive=primitive: [
            operations.as_primitive(operations.make_free(region), primitive, PAGE)
        ]
        for primitive in (Primitive.BOX, Primitive.ELLIPSE, Primitive.ISOTHETIC)
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(CHANGES)))
@given(region=rough, at=places)
def test_a_change_makes_it_valid_or_says_why_not(
    number: int, region: Region, at: tuple[float, float]
) -> None:
    try:
        changed = CHANGES[number](region, at)
    except SpotlabError as error:
        assert str(error) and "\n" not in str(error)
        return
    for one in changed:
        if one is not region:  # an ellipse has no edge to push
            check(one)


@given(rough, places)
def test_an_added_point_is_valid_or_changes_nothing(region: Region, at: tuple) -> None:
    try:
        changed = operations.add_point(region, 1, at, PAGE)
    except SpotlabError:
        return
    if changed is not region:
        check(changed)


@given(st.lists(rough, max_size=5))
def test_anything_can_be_looked_through(many: list[Region]) -> None:
    for found in validate(Truth(PAGE, tuple(many)), (200, 160)):
        assert "\n" not in found.message


def test_handles_and_edges_of_anything() -> None:
    flat = Region(((5, 5), (9, 9), (7, 7)), primitive=Primitive.ELLIPSE)
    assert len(operations.handles(flat)) == 3  # no ellipse: its points
    assert operations.nearest_edge(flat, 5, 5)[1] == 0


def test_corners_nearer_than_rounding_make_a_hull_on_the_page() -> None:
    ring = [(0, 161), (0, 0), (10, 0), (1.5e-229, 0), (1, 1), (0, 3.2e-96), (0, 1)]
    [changed] = [operations.make_hull(Region(tuple(ring), primitive=Primitive.HULL), PAGE)]
    check(changed)
    assert 790 < changed.area < 810  # the triangle, cut at the lower edge and rounded
