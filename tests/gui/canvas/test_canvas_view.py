"""Where things are on the screen: zooming, turning and moving the view."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.gui.canvas.view import MAXIMUM_SCALE, ViewTransform

PLACES = st.tuples(st.floats(0, 800), st.floats(0, 600))
MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("zoom"), st.floats(0, 800), st.floats(0, 600), st.floats(0.1, 10)),
        st.tuples(st.just("pan"), st.floats(-3000, 3000), st.floats(-3000, 3000)),
        st.tuples(st.just("turn"), st.floats(-400, 400)),
        st.tuples(st.just("resize"), st.floats(50, 2000), st.floats(50, 2000)),
    ),
    max_size=12,
)


def view(width: int = 3000, height: int = 2000) -> ViewTransform:
    made = ViewTransform()
    made.resize(800, 600)
    made.use_page(width, height)
    return made


def apply(made: ViewTransform, moves: list[tuple[object, ...]]) -> None:
    names = {"zoom": "zoom_at", "pan": "pan", "turn": "rotate_by", "resize": "resize"}
    for name, *values in moves:
        getattr(made, names[str(name)])(*values)


def test_a_page_is_shown_whole_and_in_the_middle() -> None:
    made = view()
    left, top = made.to_view(0, 0)
    right, bottom = made.to_view(3000, 2000)
    assert left >= 0 and top >= 0 and right <= 800 and bottom <= 600
    assert left + right == pytest.approx(800, abs=1) and top + bottom == pytest.approx(600, abs=1)
    assert right - left > 700


@given(MOVES)
def test_the_page_is_never_lost_out_of_sight(moves: list[tuple[object, ...]]) -> None:
    made = view()
    apply(made, moves)
    x, y = made.centre
    tolerance = 2 / made.scale
    assert -tolerance <= x <= 3000 + tolerance and -tolerance <= y <= 2000 + tolerance
    assert made.scale <= MAXIMUM_SCALE


@given(MOVES, PLACES)
def test_places_go_to_the_screen_and_back(
    moves: list[tuple[object, ...]], place: tuple[float, float]
) -> None:
    made = view()
    apply(made, moves)
    assert made.to_view(*made.to_page(*place)) == pytest.approx(place, abs=1e-6)
    shown = made.points_to_view([place])[0]
    assert tuple(shown) == pytest.approx(made.to_view(*place))


@pytest.mark.parametrize("angle", [0, 90, 37])
def test_the_place_under_the_pointer_stays_there(angle: float) -> None:
    made = view()
    made.rotate_to(angle)
    before = made.to_page(300, 250)
    for factor in (1.25, 4, 1.25, 9, 0.25):
        made.zoom_at(300, 250, factor)
        assert made.to_view(*before) == pytest.approx((300, 250), abs=1)


def test_zoom_ends_at_6400_percent() -> None:
    made = view()
    made.zoom_at(400, 300, 1e9)
    assert made.scale == 64
    made.zoom_at(400, 300, 1e-9)
    assert made.scale == pytest.approx(made.fitting_scale() / 4)


def test_a_fitted_page_follows_the_window() -> None:
    made = view()
    made.resize(1600, 1200)
    assert made.scale == pytest.approx(made.fitting_scale())
    made.zoom_at(10, 10, 2)
    scale = made.scale
    made.resize(800, 600)
    assert made.scale == scale


def test_the_offset_lies_on_device_pixels() -> None:
    made = view()
    made.ratio = 2.0
    made.zoom_at(123, 321, 1.7)
    made.pan(0.3, 0.7)
    assert made.x * 2 == round(made.x * 2) and made.y * 2 == round(made.y * 2)


def test_something_far_away_is_brought_into_sight() -> None:
    made = view()
    made.zoom_to(8)
    made.show(2900, 1900, 2990, 1990)
    left, top, right, bottom = made.visible()
    assert left <= 2900 and top <= 1900 and right >= 2990 and bottom >= 1990
