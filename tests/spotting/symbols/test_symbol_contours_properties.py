"""Primitives move with the ink, turn with it, and are the same each time."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.geometry.polygon import Outlines
from spotlab.imaging.ink import Ink
from spotlab.imaging.stroke_outline import pen_width
from spotlab.lab.draw.floorplans import make_page
from spotlab.lab.draw.plans.options import CLEAN
from spotlab.spotting.symbols.drawing.contours import (
    draw_bridges,
    find_primitives,
    long_runs,
    part_from_walls,
    stroke_ends,
)

WORN = replace(CLEAN, width=900, height=700, gaps=3.0, touching=0.5)


@pytest.fixture(scope="module")
def plan() -> Ink:
    return make_page(0, 12, WORN)[0] < 128


def pixels_of(contours: Outlines) -> Counter[frozenset[tuple[float, ...]]]:
    """The px of each contour, wherever it begins and however it runs."""
    rings = (contours[number] for number in range(len(contours)))
    return Counter(frozenset(map(tuple, ring.tolist())) for ring in rings)


def test_the_same_ink_gives_the_same_bytes(plan: Ink) -> None:
    pen = pen_width(plan)
    first, second = find_primitives(plan, pen), find_primitives(plan.copy(), pen)
    assert first.contours.points.tobytes() == second.contours.points.tobytes()
    assert first.level.tobytes() == second.level.tobytes()


def test_shifted_ink_has_the_same_primitives_shifted(plan: Ink) -> None:
    wide = np.pad(plan, 60)
    moved = np.roll(wide, (17, 31), (0, 1))
    first, second = find_primitives(wide, 3.0), find_primitives(moved, 3.0)
    assert (first.contours.points + np.array([31, 17]) == second.contours.points).all()
    assert (first.level == second.level).all()


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_turned_ink_has_the_same_drawn_primitives_turned(plan: Ink, quarters: int) -> None:
    height, width = plan.shape
    turned = np.ascontiguousarray(np.rot90(plan, quarters))
    assert pen_width(turned) == pen_width(plan)
    first = find_primitives(plan, 3.0, mend=False)
    second = find_primitives(turned, 3.0, mend=False)
    x, y = second.contours.points.T
    back = {
        1: (width - 1 - y, x),
        2: (width - 1 - x, height - 1 - y),
        3: (y, height - 1 - x),
    }[quarters]
    again = Outlines(np.column_stack(back), second.contours.offsets)
    assert len(first) == len(second)
    assert pixels_of(first.contours) == pixels_of(again)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_turned_ink_has_nearly_all_mended_primitives_turned(plan: Ink, quarters: int) -> None:
    first = find_primitives(plan, 3.0)
    second = find_primitives(np.ascontiguousarray(np.rot90(plan, quarters)), 3.0)
    one, other = (np.sort(each.sizes) for each in (first, second))
    near = np.abs(one[:, None] - other).min(axis=1) <= 0.02 * one + 1
    assert near.mean() > 0.98
    assert abs(len(first) - len(second)) <= 0.03 * len(first)


def test_an_end_is_where_the_stroke_ends_and_points_on() -> None:
    ink = np.zeros((60, 90), bool)
    ink[30:34, 20:70] = True
    found, _ = cv2.findContours(ink.view(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    [ring] = [np.asarray(ring[:, 0], np.int32) for ring in found]
    for begin in range(len(ring)):  # wherever on the contour it begins
        ends = stroke_ends(ink, [np.roll(ring, begin, axis=0)], 4.0)
        order = np.argsort(ends.tips[:, 0])
        assert ends.tips[order, 0].tolist() == [20, 69]
        assert np.abs(ends.tips[order, 1] - 31.5).max() <= 0.5
        assert ends.directions[order, 0] == pytest.approx([-1, 1], abs=0.1)


def test_a_bridge_is_a_pen_wide() -> None:
    ink = np.zeros((40, 60), bool)
    for pen in (1, 2, 3, 5, 6):
        across = draw_bridges(ink, np.array([[[10.0, 20.0], [45.0, 20.0]]]), pen)
        assert across[:, 30].sum() in {pen, pen + 1}
        assert across[20, 10:46].all()
        assert across.sum(axis=0)[:8].max() == 0


@given(
    st.lists(st.lists(st.booleans(), min_size=9, max_size=9), min_size=1, max_size=6),
    st.integers(0, 5),
)
@settings(max_examples=40, deadline=None)
def test_long_runs_are_those_of_a_plain_search(rows: list[list[bool]], longer: int) -> None:
    ink = np.array(rows, np.uint8)
    expected = []
    for number, row in enumerate(rows):
        text = "".join("x" if each else " " for each in row)
        expected += [
            (number, found.start(), found.end())
            for found in re.finditer("x+", text)
            if found.end() - found.start() > longer
        ]
    runs = long_runs(ink, longer)
    assert list(zip(runs.rows, runs.starts, runs.stops, strict=True)) == expected


@given(st.integers(0, 2**32 - 1), st.floats(0, 1))
@settings(max_examples=25, deadline=None)
def test_any_ink_has_primitives_on_its_page(seed: int, share: float) -> None:
    ink = np.random.default_rng(seed).random((37, 41)) < share
    found = find_primitives(ink, pen_width(ink), frames=True)
    assert set(found.level.tolist()) <= {0, 1, 2, 3, 4, 5}
    if len(found):
        assert found.contours.bounds.min() >= 0
        assert (found.contours.points <= [40, 36]).all()


@given(st.integers(0, 2**32 - 1), st.sampled_from([1.0, 3.0, 9.0, 60.0]))
@settings(max_examples=40, deadline=None)
def test_ink_is_kept_that_is_near_a_hole(seed: int, pen: float) -> None:
    rng = np.random.default_rng(seed)
    ink = cv2.blur(rng.random((40, 55)), (3, 3)) < rng.uniform(0.3, 0.7)
    found, tree = cv2.findContours(ink.view(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    holes = [ring[:, 0] for ring, (_, _, _, of) in zip(found, tree[0], strict=True) if of >= 0]
    inside = cv2.drawContours(np.zeros(ink.shape, np.uint8), holes, -1, 1, cv2.FILLED)
    side = 2 * max(round(pen) - 1, 1) + 1
    near = cv2.dilate(inside, np.ones((side, side), np.uint8)).view(np.bool_)
    [shapes] = part_from_walls(ink, holes, pen, [1_000.0])
    assert np.array_equal(shapes, (near & ink) | inside.view(np.bool_))


def test_a_page_that_is_nearly_all_ink_takes_no_longer() -> None:
    ink = np.ones((2_000, 1_500), bool)
    ink[1_000:1_020, 700:730] = False
    found = find_primitives(ink, pen_width(ink))  # a dilation as wide as the page takes minutes
    assert len(found) == 0
