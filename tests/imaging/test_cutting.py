"""Ink that hangs on something larger: walls, hatching, lines of a diagram, rulings."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.geometry import polygon
from spotlab.imaging.page_ink import PageInk
from spotlab.imaging.stroke_outline import InkCut, change_ink, held_ink, take_ink

BED = (150, 120, 270, 240)
STROKE = ((136, 106), (284, 106), (284, 254), (136, 254))


def paper() -> np.ndarray:
    return np.full((380, 420), 255, np.uint8)


def bed(page: np.ndarray) -> None:
    left, top, right, bottom = BED
    cv2.rectangle(page, (left, top), (right - 1, bottom - 1), 0, 2)
    cv2.rectangle(page, (left + 20, top + 15), (right - 20, top + 45), 0, 2)


def flow_line(page: np.ndarray) -> None:
    cv2.arrowedLine(page, (20, 180), (150, 180), 0, 2, tipLength=0.08)
    cv2.line(page, (270, 180), (400, 180), 0, 2)
    cv2.line(page, (400, 180), (400, 360), 0, 2)


def wall_through(page: np.ndarray) -> None:
    cv2.line(page, (0, 170), (419, 170), 0, 5)


def wall_along(page: np.ndarray) -> None:
    for y in (118, 112):
        cv2.line(page, (0, y), (419, y), 0, 2)


def solid_wall(page: np.ndarray) -> None:
    page[100:122] = 0


def hatched_wall(page: np.ndarray) -> None:
    for y in (120, 100):
        cv2.line(page, (0, y), (419, y), 0, 1)
    for x in range(-20, 420, 8):
        cv2.line(page, (x, 120), (x + 20, 100), 0, 1)


def tilted_rulings(page: np.ndarray) -> None:
    for at in range(-40, 460, 34):
        cv2.line(page, (0, at), (419, at + 12), 0, 1)
        cv2.line(page, (at, 0), (at - 11, 379), 0, 1)


HANGING = [flow_line, wall_through, wall_along, solid_wall, hatched_wall, tilted_rulings]


def overlap(first: np.ndarray, second: np.ndarray) -> float:
    if not len(first):
        return 0.0
    one, other = polygon.even_odd_geometry(first), polygon.even_odd_geometry(second)
    return float(one.intersection(other).area / one.union(other).area)


@pytest.fixture(scope="module")
def alone() -> np.ndarray:
    page = paper()
    bed(page)
    return PageInk(page).select(STROKE).outline()


@pytest.mark.parametrize("draw", HANGING, ids=lambda draw: draw.__name__)
@pytest.mark.parametrize("labelled", [True, False])
def test_a_symbol_is_cut_off_what_it_hangs_on(
    draw: Callable[[np.ndarray], None], labelled: bool, alone: np.ndarray
) -> None:
    page = paper()
    bed(page)
    draw(page)
    ink = PageInk(page)
    if labelled:
        ink.label()
    assert overlap(ink.select(STROKE).outline(), alone) < 0.5, "the symbol hangs on it"
    found = take_ink(ink, STROKE)
    assert overlap(found.taken.outline(), alone) >= 0.91
    assert found.is_cut and len(found.places)
    left, top, right, bottom = BED
    assert (found.places >= (left - 16, top - 16)).all()
    assert (found.places <= (right + 16, bottom + 16)).all()


@pytest.mark.parametrize("factor", [3, 5])
@pytest.mark.parametrize("draw", HANGING, ids=lambda draw: draw.__name__)
def test_large_pages_are_cut_alike(draw: Callable[[np.ndarray], None], factor: int) -> None:
    page = paper()
    bed(page)
    draw(page)
    large = PageInk(np.kron(page, np.ones((factor, factor), np.uint8)))
    small = take_ink(PageInk(page), STROKE).taken.outline()
    found = take_ink(large, np.multiply(STROKE, factor)).taken.outline() / factor
    assert overlap(found, small) >= 0.88


def test_a_neighbour_that_looks_in_stays_out(alone: np.ndarray) -> None:
    page = paper()
    bed(page)
    cv2.rectangle(page, (276, 200), (400, 330), 0, 2)  # a table whose corner is in the stroke
    cv2.line(page, (0, 248), (419, 248), 0, 2)  # a line that only passes
    found = take_ink(PageInk(page), STROKE)
    assert np.array_equal(found.taken.outline(), alone) and not found.is_cut


def test_a_stroke_that_misses_a_corner_takes_the_whole_symbol(alone: np.ndarray) -> None:
    page = paper()
    bed(page)
    found = take_ink(PageInk(page), [(136, 106), (250, 106), (284, 160), (284, 254), (136, 254)])
    assert np.array_equal(found.taken.outline(), alone) and not found.is_cut


def test_shade_is_cut_at_the_stroke() -> None:
    page = paper()
    page[:300, :350] = 0
    found = take_ink(PageInk(page), STROKE)
    assert overlap(found.taken.outline(), np.array(STROKE, float)) > 0.98


def test_the_cut_can_be_forced_or_forbidden() -> None:
    page = paper()
    bed(page)
    wall_through(page)
    ink = PageInk(page)
    forced = take_ink(ink, STROKE, cut=InkCut.STROKE).taken
    assert np.array_equal(forced.outline(), ink.cut_out(STROKE).outline())
    whole = take_ink(ink, STROKE, cut=InkCut.NONE).taken
    assert np.array_equal(whole.outline(), ink.select(STROKE).outline())


def test_no_ink_and_no_area_take_nothing() -> None:
    ink = PageInk(paper())
    assert not take_ink(ink, STROKE).taken
    page = paper()
    bed(page)
    assert not take_ink(PageInk(page), [(0, 0), (50, 0), (50, 50)]).taken
    assert not take_ink(PageInk(page), [(-90, -90), (-50, -90), (-50, -50)]).taken


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(*[st.integers(0, 7)] * 2, st.integers(4, 28), st.integers(4, 28)), max_size=12
    ),
    st.tuples(*[st.integers(0, 4)] * 2, st.integers(1, 4), st.integers(1, 4)),
)
def test_components_that_end_inside_are_taken_whole(symbols: list, cells: tuple) -> None:
    """Symbols in cells of a grid, and a stroke around some cells: nothing hangs on anything."""
    page = np.full((320, 320), 255, np.uint8)
    for column, row, width, height in symbols:
        x, y = 40 * column + 5, 40 * row + 5
        cv2.rectangle(page, (x, y), (x + width, y + height), 0, 1)
    column, row, across, down = (40 * value for value in cells)
    stroke = [
        (column, row), (column + across, row), (column + across, row + down), (column, row + down),
    ]  # fmt: skip
    ink = PageInk(page)
    found = take_ink(ink, stroke)
    assert not found.is_cut
    assert np.array_equal(found.taken.outline(), ink.select(stroke).outline())


def test_a_region_that_was_cut_off_holds_its_ink() -> None:
    page = paper()
    bed(page)
    wall_through(page)
    cv2.circle(page, (350, 300), 20, 0, 2)
    ink = PageInk(page)
    outline = take_ink(ink, STROKE).taken.outline()
    held = held_ink(ink, outline)
    assert overlap(held.outline(), outline) > 0.98
    circle = ink.select([(320, 270), (380, 270), (380, 330), (320, 330)])
    both = change_ink(held, circle, away=False)
    assert both.runs.bounds[2:] == circle.runs.bounds[2:]
    assert np.array_equal(change_ink(both, circle, away=True).outline(), held.outline())
    assert not change_ink(held, held, away=True)


def test_a_region_a_little_smaller_than_its_ink_holds_all_of_it() -> None:
    page = paper()
    cv2.rectangle(page, (100, 100), (139, 139), 0, -1)
    narrower = [(100, 100), (138, 100), (138, 140), (100, 140)]  # its hull has 95 % of the ink's
    assert held_ink(PageInk(page), narrower).runs.bounds == (100, 100, 140, 140)
    half = [(100, 100), (125, 100), (125, 140), (100, 140)]
    assert held_ink(PageInk(page), half).runs.bounds == (100, 100, 125, 140)
