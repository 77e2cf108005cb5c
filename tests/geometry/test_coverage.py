"""Both engines give the areas that GEOS gives polygon by polygon, also where outlines are odd."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import shapely
from numpy.typing import ArrayLike, NDArray

from spotlab.geometry import coverage
from spotlab.geometry.coverage import Engine
from spotlab.geometry.polygon import Outlines, even_odd_geometry

Rings = list[NDArray[np.float64]]
ENGINES = [Engine.REFERENCE, Engine.COMPILED]
both = pytest.mark.parametrize("engine", ENGINES)


def box(x: float, y: float, width: float, height: float) -> NDArray[np.float64]:
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], float)


def stars(count: int, size: float, seed: int) -> Rings:
    random = np.random.default_rng(seed)
    found = []
    for centre in random.uniform(0, size, (count, 2)):
        angle = np.sort(random.uniform(0, 2 * np.pi, 9))
        radius = random.uniform(10, 50, (9, 1))
        found.append(centre + np.c_[np.cos(angle), np.sin(angle)] * radius)
    return found


def scribbles(count: int, seed: int) -> Rings:
    """Few corners on a small grid: crossings, repeated points, shared edges, nothing at all."""
    random = np.random.default_rng(seed)
    return [
        random.integers(0, 9, 2) + random.integers(0, 9, (random.integers(0, 8), 2)).astype(float)
        for _ in range(count)
    ]


def boxes(count: int, seed: int) -> Rings:
    random = np.random.default_rng(seed)
    return [
        box(*row)
        for row in np.c_[random.integers(0, 9, (count, 2)), random.integers(1, 6, (count, 2))]
    ]


def by_hand(spots: Rings, regions: Rings) -> tuple[list[float], list[float]]:
    """One union a rank, whatever it costs."""
    truth = shapely.union_all([even_odd_geometry(ring) for ring in regions])
    covered, new, relevant = shapely.Polygon(), [0.0], [0.0]
    for ring in spots:
        covered = shapely.union_all([covered, even_odd_geometry(ring)])
        new.append(covered.area)
        relevant.append(shapely.intersection(covered, truth).area)
    return np.diff(new).tolist(), np.diff(relevant).tolist()


def close(found: ArrayLike, wanted: ArrayLike, total: float) -> None:
    assert np.abs(np.subtract(found, wanted)).max(initial=0) <= 1e-12 * total


CASES = {
    "stars": (stars(60, 300, 1), stars(8, 300, 2)),
    "sparse": (stars(40, 3000, 3), stars(40, 3000, 4)),
    "boxes with shared edges": (boxes(80, 5), boxes(9, 6)),
    "scribbles": (scribbles(60, 7), scribbles(9, 8)),
    "far away": (
        [ring + 1e9 for ring in stars(30, 200, 9)],
        [ring + 1e9 for ring in stars(5, 200, 10)],
    ),
    "copies": (stars(5, 100, 11) * 20, stars(2, 100, 12) * 3),
    "nested": ([box(-n, -n, 2 * n, 2 * n) for n in (3, 5, 1, 9, 7, 9)], [box(0, 0, 4, 20)]),
    "turned back": ([box(0, 0, 5, 5)[::-1], box(3, 0, 5, 5)], [box(2, 0, 2, 5)[::-1]]),
}


@pytest.mark.slow
@both
@pytest.mark.parametrize("case", CASES)
def test_new_coverage_is_what_unions_grow_by(case: str, engine: Engine) -> None:
    spots, regions = CASES[case]
    new, relevant = by_hand(
        [ring - spots[0][0] for ring in spots if len(spots[0])],
        [ring - spots[0][0] for ring in regions],
    )
    found = coverage.new_coverage(
        Outlines.of(spots), [4] * len(spots), Outlines.of(regions), [4] * len(regions), engine
    )
    close(found.new_area, new, sum(new))
    close(found.new_relevant, relevant, sum(new))


@both
def test_pairs_count_each_region_by_itself_and_groups_do_not_meet(engine: Engine) -> None:
    spots = Outlines.of([box(0, 0, 4, 4), box(0, 0, 6, 4), box(2, 0, 4, 4)])
    regions = Outlines.of([box(3, 0, 4, 4), box(3, 0, 2, 4), box(0, 0, 9, 9)])
    found = coverage.new_coverage(spots, [0, 0, 7], regions, [0, 0, 7], engine)
    assert found.new_area.tolist() == [16, 8, 16]
    assert found.new_relevant.tolist() == [4, 8, 16]
    pairs = np.c_[found.pair_spot, found.pair_region, found.pair_new].tolist()
    assert pairs == [[0, 0, 4], [0, 1, 4], [1, 0, 8], [1, 1, 4], [2, 2, 16]]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_engines_agree_on_pairs_and_areas(case: str) -> None:
    spots, regions = (Outlines.of(rings) for rings in CASES[case])
    groups = np.arange(len(spots)) % 3, np.arange(len(regions)) % 3
    pairs = coverage.overlapping_bounds(spots, regions)
    found = []
    for engine in ENGINES:
        new = coverage.new_coverage(spots, groups[0], regions, groups[1], engine)
        areas = coverage.areas(spots, engine), coverage.union_areas(spots, groups[0], 4, engine)
        shared = coverage.shared_areas(spots, regions, pairs, engine)
        found.append([*areas, shared, new.new_area, new.new_relevant, new.pair_new])
    for one, other in zip(*found, strict=True):
        close(one, other, float(found[0][0].sum()))


@both
def test_areas_are_those_of_even_odd(engine: Engine) -> None:
    pentagram = [(np.cos(a), np.sin(a)) for a in np.arange(5) * 0.8 * np.pi]
    holed = [*box(0, 0, 9, 9), (0, 0), *box(2, 2, 3, 3), (2, 2)]  # an edge there and back
    twice = [*box(0, 0, 3, 3), *box(0, 0, 3, 3)]
    rings: Sequence[ArrayLike] = [
        [(0, 0), (2, 2), (2, 0), (0, 2)], holed, twice, [], [(1, 1)], [(0, 0), (5, 5)],
        [(0, 0), (1, 1), (2, 2)], pentagram, [(0, 0), (4, 0), (4, 0), (4, 4), (0, 0)],
    ]  # fmt: skip
    outlines = Outlines.of(rings)
    wanted = [2, 72, 0, 0, 0, 0, 0, even_odd_geometry(outlines[7]).area, 8]
    assert coverage.areas(outlines, engine) == pytest.approx(wanted, rel=1e-14, abs=1e-14)


@both
def test_nothing_at_all_is_nothing(engine: Engine) -> None:
    nothing = Outlines.of([])
    found = coverage.new_coverage(nothing, [], nothing, [], engine)
    assert len(found.new_area) == len(found.pair_new) == len(coverage.areas(nothing, engine)) == 0
    assert coverage.union_areas(nothing, [], 2, engine).tolist() == [0, 0]
    assert coverage.shared_areas(nothing, nothing, [], engine).tolist() == []
    alone = coverage.new_coverage(Outlines.of([[], box(0, 0, 1, 1)]), [0, 0], nothing, [], engine)
    assert alone.new_area.tolist() == [0, 1]


@both
def test_touching_shares_nothing(engine: Engine) -> None:
    one, other = Outlines.of([box(0, 0, 2, 2)]), Outlines.of([box(2, 0, 2, 2), box(1, 1, 5, 5)])
    assert coverage.overlapping_bounds(one, other).tolist() == [[0, 1]]
    assert coverage.shared_areas(one, other, [(0, 0), (0, 1)], engine).tolist() == [0, 1]


def test_a_thousand_copies_and_one_huge_outline_end_soon() -> None:
    star = stars(1, 10, 1)[0]
    spots = Outlines.of([box(-1e9, -1e9, 1e9, 2e9), *[star] * 1000, *stars(100, 200, 2)])
    regions = Outlines.of([star] * 100)
    groups = [0] * len(spots), [0] * 100
    found = coverage.new_coverage(spots, groups[0], regions, groups[1], Engine.COMPILED)
    assert np.count_nonzero(found.new_area[1:1001]) == 1
    of_regions = np.bincount(found.pair_region, found.pair_new, 100)
    assert of_regions == pytest.approx(coverage.areas(regions), rel=1e-9)  # of 4e18 px² in all


def test_engine_is_the_reference_for_little_work_while_nothing_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []
    code = type(coverage.COVERAGE)
    monkeypatch.setattr(code, "is_stored", lambda _: False)
    monkeypatch.setattr(code, "compile_ahead", lambda _, _progress: not asked.append("compiled"))
    assert coverage.choose_engine(10_000) is Engine.REFERENCE
    assert not asked
    assert coverage.choose_engine(1_000_000) is Engine.COMPILED
    monkeypatch.setattr(code, "compile_ahead", lambda _, _progress: False)
    assert coverage.choose_engine(1_000_000) is Engine.REFERENCE
    monkeypatch.setattr(code, "is_stored", lambda _: True)
    assert coverage.choose_engine(1) is Engine.COMPILED
