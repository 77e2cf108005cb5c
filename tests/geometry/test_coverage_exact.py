"""Machine code gives the areas that rational numbers give, whatever the outlines are like."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from spotlab.geometry import coverage
from spotlab.geometry.coverage import Engine
from spotlab.geometry.polygon import Outlines
from tests.geometry.exact_areas import exact_new_coverage

Ring = NDArray[np.float64]
Rings = list[Ring]
EXACT = 1e-14  # of the area that bounds all of them, in px²
BASE = np.array([(0, 0), (5, 1), (6, 6), (2, 4), (1, 6)], float)


def _rings(numbers: st.SearchStrategy[float]) -> st.SearchStrategy[Rings]:
    ring = st.lists(st.tuples(numbers, numbers), max_size=5)
    return st.lists(ring.map(lambda points: np.array(points, float).reshape(-1, 2)), max_size=5)


def _near_copies() -> st.SearchStrategy[Rings]:
    """Copies of an outline that differ by 1e-15 to 1 px, with shared and almost shared edges."""

    def copies(seed: int, count: int, digits: int) -> Rings:
        random = np.random.default_rng(seed)
        moved = BASE + random.integers(0, 2, (count, 1, 2))
        return list(moved + random.normal(0, 10.0**-digits, moved.shape))

    return st.builds(copies, st.integers(0, 99), st.integers(0, 6), st.integers(0, 15))


def _long_rings() -> st.SearchStrategy[Rings]:
    """Large and small outlines of 17 to 50 corners: jagged, on whole px, or crossing themselves."""

    def rings(seed: int, count: int, corners: int, is_whole: bool, spread: float) -> Rings:
        random = np.random.default_rng(seed)
        angle = 2 * np.pi / corners * (np.arange(corners) + random.normal(0, spread, corners))
        unit = np.stack([np.cos(angle), np.sin(angle)], -1)
        sizes = random.choice([1, 3, 9], (count, 1, 1)) * random.uniform(1, 2, (count, corners, 1))
        made = random.integers(0, 9, (count, 1, 2)) + sizes * unit
        return list(made.round() if is_whole else made)

    spread = st.sampled_from([0.2, 3.0])
    return st.builds(
        rings, st.integers(0, 99), st.integers(1, 3), st.integers(17, 50), st.booleans(), spread
    )


GRID = st.integers(0, 5).map(float)  # shared edges, holes that touch, repeated corners
THIRDS = st.integers(0, 5).map(lambda number: 1e6 + number / 3)
FLAT = st.sampled_from([0.0, 1e-9, 1.0, 1 + 1e-9, 2.0])  # edges that almost lie on one line
OUTLINES = st.one_of(
    _rings(GRID), _rings(THIRDS), _rings(FLAT), _rings(st.floats(0, 9)), _near_copies()
)


def _scale(*rings: Ring) -> float:
    points = np.concatenate([np.zeros((0, 2)), *rings])
    return float(np.ptp(points, axis=0).prod()) if len(points) else 0.0


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(OUTLINES, OUTLINES)
def test_new_coverage_and_areas_are_exact(spots: Rings, regions: Rings) -> None:
    _assert_exact(spots, regions[:3])


@settings(max_examples=10, deadline=None)
@given(_long_rings(), _long_rings())
def test_outlines_of_many_corners_are_exact(spots: Rings, regions: Rings) -> None:
    _assert_exact(spots, regions[:1])


def test_outlines_of_many_corners_within_another() -> None:
    """Circles of 40 corners inside, beside and to the left and right of one of 400 corners."""

    def circle(x: float, y: float, radius: float, corners: int) -> Ring:
        angle = 2 * np.pi / corners * np.arange(corners)
        return np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], -1)

    within = [circle(x, y, 3, 40) for x, y in ((0, 0), (60, 10), (-60, -30), (5, 70), (10, -70))]
    beyond = [circle(x, y, 3, 40) for x, y in ((90, 90), (-90, 90), (-110, 0), (110, 0), (0, 110))]
    rings = [circle(0, 0, 100, 400), *within, *beyond]
    nothing = Outlines.of([])
    area = coverage.areas(Outlines.of(rings), Engine.COMPILED)
    whole = 0.5 * 400 * 100**2 * np.sin(2 * np.pi / 400)
    assert area[[0, 1]] == pytest.approx([whole, 0.5 * 40 * 9 * np.sin(2 * np.pi / 40)], rel=1e-12)
    group = [0] * len(rings)
    later = coverage.new_coverage(Outlines.of(rings), group, nothing, [], Engine.COMPILED)
    expected = [area[0], *[0.0] * len(within), *area[1 + len(within) :]]
    assert later.new_area == pytest.approx(expected, rel=0, abs=1e-9)
    sooner = coverage.new_coverage(Outlines.of(rings[::-1]), group, nothing, [], Engine.COMPILED)
    assert sooner.new_area[-1] == pytest.approx(area[0] - area[1 : 1 + len(within)].sum(), abs=1e-9)


def _assert_exact(spots: Rings, regions: Rings) -> None:
    new, relevant, pairs = exact_new_coverage(spots, regions)
    found = coverage.new_coverage(
        Outlines.of(spots),
        [0] * len(spots),
        Outlines.of(regions),
        [0] * len(regions),
        Engine.COMPILED,
    )
    most = EXACT * _scale(*spots, *regions)
    assert np.abs(found.new_area - new).max(initial=0) <= most
    assert np.abs(found.new_relevant - relevant).max(initial=0) <= most
    numbers = zip(found.pair_spot.tolist(), found.pair_region.tolist(), strict=True)
    told = dict(zip(numbers, found.pair_new.tolist(), strict=True))
    assert set(pairs) <= set(told)
    assert all(abs(area - pairs.get(pair, 0.0)) <= most for pair, area in told.items())
    alone = [exact_new_coverage([ring], [])[0][0] for ring in spots]
    assert (
        np.abs(coverage.areas(Outlines.of(spots), Engine.COMPILED) - alone).max(initial=0) <= most
    )


@settings(max_examples=30, deadline=None)
@given(OUTLINES, OUTLINES)
def test_shared_areas_are_exact(one: Rings, other: Rings) -> None:
    first, second = Outlines.of(one), Outlines.of(other[:3])
    pairs = coverage.overlapping_bounds(first, second, Engine.COMPILED)
    assert pairs.tolist() == coverage.overlapping_bounds(first, second, Engine.REFERENCE).tolist()
    shared = coverage.shared_areas(first, second, pairs, Engine.COMPILED)
    for (a, b), area in zip(pairs.tolist(), shared.tolist(), strict=True):
        exact = exact_new_coverage([one[a]], [other[b]])[1][0]
        assert area == pytest.approx(exact, rel=0, abs=EXACT * _scale(one[a], other[b]))


@settings(max_examples=40, deadline=None)
@given(_rings(GRID), _rings(GRID))
def test_shapely_gives_the_same(spots: Rings, regions: Rings) -> None:
    new, relevant, _ = exact_new_coverage(spots, regions[:3])
    found = coverage.new_coverage(
        Outlines.of(spots),
        [0] * len(spots),
        Outlines.of(regions[:3]),
        [0] * len(regions[:3]),
        Engine.REFERENCE,
    )
    assert np.abs(found.new_area - new).max(initial=0) <= 1e-12
    assert np.abs(found.new_relevant - relevant).max(initial=0) <= 1e-12


@pytest.mark.parametrize("jitter", [1e-13, 1e-9, 1e-6, 1e-3])
def test_hundreds_of_near_copies_end_soon(jitter: float) -> None:
    random = np.random.default_rng(0)
    corners = np.array([(36, 6), (39, 10), (35, -17), (46, -3)], float) + 200
    rings = corners + random.normal(0, jitter, (400, 4, 2))
    spots, nothing = Outlines.of(list(rings)), Outlines.of([])
    begun = time.process_time()
    found = coverage.new_coverage(spots, [0] * 400, nothing, [], Engine.COMPILED)
    assert time.process_time() - begun < 3  # .1 s where the machine is idle
    few = Outlines.of(list(rings[:12]))
    first = coverage.new_coverage(few, [0] * 12, nothing, [], Engine.COMPILED)
    exact = exact_new_coverage(list(rings[:12]), [])[0]
    assert first.new_area == pytest.approx(exact, rel=0, abs=1e-12 * exact[0])
    assert found.new_area[:12] == pytest.approx(exact, rel=0, abs=1e-12 * exact[0])
    assert found.new_area.sum() == pytest.approx(exact[0], rel=8 * jitter + 1e-11)


def test_lines_through_one_point_end_soon() -> None:
    """All of 200 needles cross in one point, and each is seen at both of its ends."""
    angles = np.linspace(0, np.pi, 200, endpoint=False)
    ends = 100 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    aside = 0.1 * np.stack([-np.sin(angles), np.cos(angles)], axis=1)
    needles = np.stack([-ends, ends - aside, ends + aside], axis=1)
    begun = time.process_time()
    spots, nothing = Outlines.of(list(needles)), Outlines.of([])
    found = coverage.new_coverage(spots, [0] * 200, nothing, [], Engine.COMPILED)
    assert time.process_time() - begun < 3
    few = exact_new_coverage(list(needles[:8]), [])[0]
    assert found.new_area[:8] == pytest.approx(few, rel=1e-11)
    assert found.new_area.min() > 0
