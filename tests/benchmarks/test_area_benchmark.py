"""Areas of overlapping outlines in CPU time, beside GEOS and what we have promised, in one run.

All are 12-gons on 42 pages. GEOS is asked through shapely, in four ways that are easily written.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from spotlab.geometry import coverage, coverage_compiled
from spotlab.geometry.compiled.machine_code import COVERAGE
from spotlab.geometry.coverage import Engine, NewCoverage
from spotlab.geometry.polygon import Outlines
from tests.benchmarks.sizes import FULL
from tests.benchmarks.test_tally_benchmark import CORNERS, PAGES, QUERIES, polygons, run_of

pytestmark = pytest.mark.benchmark(timer=time.process_time)
EVERY = 1 if FULL else 20  # of the ranks with a union of all pages each, how many are computed
NOTHING = Outlines.of([]), np.zeros(0, np.int64)


class Spots(NamedTuple):
    """Spots by rank, regions, and their groups."""

    spots: Outlines
    group: NDArray[np.int64]
    regions: Outlines
    region_group: NDArray[np.int64]


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    COVERAGE.compile_ahead()
    coverage_compiled.warm_up()


def one_list(count: int) -> Spots:
    """One ranked list for each page."""
    run, made = run_of(count)
    ranked = np.argsort(-run.score)
    regions = Outlines.of([region.array for truth in made.values() for region in truth.regions])
    of_region = np.repeat(np.arange(PAGES), [len(truth.regions) for truth in made.values()])
    return Spots(run.outlines.take(ranked), run.page[ranked].astype(np.int64), regions, of_region)


def one_list_a_query(count: int) -> Spots:
    """One ranked list for each query on each page."""
    run, made = run_of(count)
    ranked = np.argsort(-run.score)
    number = {name: at for at, name in enumerate(run.queries)}
    regions = [region for truth in made.values() for region in truth.regions]
    pages = np.repeat(np.arange(PAGES), [len(truth.regions) for truth in made.values()])
    query = np.array([number.get(region.label, QUERIES) for region in regions])
    return Spots(
        run.outlines.take(ranked),
        run.page[ranked].astype(np.int64) * (QUERIES + 1) + run.query[ranked],
        Outlines.of([region.array for region in regions]),
        pages * (QUERIES + 1) + query,
    )


def cpu(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def measure(benchmark: Any, given: Spots, bound: float, rounds: int = 5) -> NewCoverage:
    """What is newly covered, and how much of the time that we have promised it takes."""
    found: NewCoverage = benchmark.pedantic(
        coverage.new_coverage, (*given, Engine.COMPILED), rounds=rounds, warmup_rounds=rounds > 1
    )
    benchmark.extra_info["of the bound"] = round(benchmark.stats["median"] / bound, 2)
    return found


@pytest.mark.parametrize(("count", "bound"), [(10_000, 0.06), (100_000, 1.0)])
def test_all_lengths_of_one_list_a_page(benchmark: Any, count: int, bound: float) -> None:
    given = one_list(count)
    found = measure(benchmark, given, bound)
    if count == 10_000 or FULL:
        geos: list[NewCoverage] = []
        taken = cpu(lambda: geos.append(coverage.new_coverage(*given, Engine.REFERENCE)))
        benchmark.extra_info["× GEOS, all neighbours at once"] = round(
            taken / benchmark.stats["median"], 1
        )
        assert found.new_area == pytest.approx(geos[0].new_area, abs=1e-12 * 4e6)


@pytest.mark.parametrize(("lists", "bound"), [(one_list, 6.0), (one_list_a_query, 8.0)])
def test_all_lengths_of_1_000_000(
    benchmark: Any, lists: Callable[[int], Spots], bound: float
) -> None:
    measure(benchmark, lists(1_000_000), bound, rounds=1)


def test_areas_shared_with_regions(benchmark: Any) -> None:
    """The bound is 6 s for a million spots, which make 1.84 million pairs."""
    given = one_list(10_000)
    on_page = given.group == 3
    spots = given.spots.take(np.flatnonzero(on_page))
    regions = given.regions.take(np.flatnonzero(given.region_group == 3))
    pairs = coverage.overlapping_bounds(spots, regions)
    one, other = as_shapely(spots)[pairs[:, 0]], as_shapely(regions)[pairs[:, 1]]
    geos = min(cpu(lambda: shapely.area(shapely.intersection(one, other))) for _ in range(5))
    found = benchmark.pedantic(
        coverage.shared_areas,
        (spots, regions, pairs, Engine.COMPILED),
        rounds=20,
        iterations=20,
        warmup_rounds=1,
    )
    assert found == pytest.approx(shapely.area(shapely.intersection(one, other)), abs=1e-9)
    taken = benchmark.stats["median"]
    benchmark.extra_info["µs a pair"] = round(taken / len(pairs) * 1e6, 2)
    benchmark.extra_info["of the bound"] = round(taken / len(pairs) / (6 / 1.84e6), 2)
    benchmark.extra_info["× GEOS"] = round(geos / taken, 1)


def as_shapely(outlines: Outlines) -> Any:
    return shapely.polygons(outlines.points.reshape(-1, CORNERS, 2))


def union_a_rank(spots: Any, page: NDArray[Any], regions: Any, of_region: NDArray[Any]) -> float:
    """What is easily written: for every length of the list the union on each page."""
    relevant = [shapely.union_all(regions[of_region == number]) for number in range(PAGES)]
    area = 0.0
    for end in range(len(spots), 0, -EVERY):
        unions = [
            shapely.union_all(spots[:end][page[:end] == number]) for number in np.unique(page[:end])
        ]
        for number, union in zip(np.unique(page[:end]), unions, strict=True):
            shapely.area(shapely.intersection(union, relevant[number]))
        area = max(area, float(shapely.area(unions).sum()))
    return area


def union_of_page_that_grew(
    spots: Any, page: NDArray[Any], regions: Any, of_region: NDArray[Any]
) -> float:
    """What is written with some thought: only the page of the new spot is united again."""
    relevant = [shapely.union_all(regions[of_region == number]) for number in range(PAGES)]
    areas = np.zeros(PAGES)
    for end, number in enumerate(page.tolist(), start=1):
        union = shapely.union_all(spots[:end][page[:end] == number])
        areas[number] = shapely.area(union)
        shapely.area(shapely.intersection(union, relevant[number]))
    return float(areas.sum())


def running_union(spots: Any, page: NDArray[Any], regions: Any, of_region: NDArray[Any]) -> float:
    """The same with the union of each page kept, to which the new spot is added."""
    relevant = [shapely.union_all(regions[of_region == number]) for number in range(PAGES)]
    union = [shapely.Polygon()] * PAGES
    for spot, number in zip(spots, page.tolist(), strict=True):
        union[number] = shapely.union(union[number], spot)
        shapely.area(union[number])
        shapely.area(shapely.intersection(union[number], relevant[number]))
    return float(shapely.area(union).sum())


@pytest.mark.parametrize(
    ("naive", "share"),
    [(union_a_rank, EVERY), (union_of_page_that_grew, 1), (running_union, 1)],
    ids=["one_union_a_rank", "union_of_the_page_that_grew", "running_union"],
)
def test_all_lengths_of_1_000_beside(
    benchmark: Any, naive: Callable[..., float], share: int
) -> None:
    """`make bench FULL=1` computes every union; else every 20th rank stands for all."""
    given = one_list(1_000)
    areas: list[float] = []
    work = as_shapely(given.spots), given.group, as_shapely(given.regions), given.region_group
    taken = share * cpu(lambda: areas.append(naive(*work)))
    found = benchmark.pedantic(
        coverage.new_coverage, (*given, Engine.COMPILED), rounds=10, iterations=20, warmup_rounds=1
    )
    assert areas == pytest.approx([found.new_area.sum()], rel=1e-9)
    benchmark.extra_info["GEOS s"] = round(taken, 2)
    benchmark.extra_info["× GEOS"] = round(taken / benchmark.stats["median"])


@pytest.mark.parametrize("corners", [4, 12, 40])
@pytest.mark.parametrize("jitter", [1e-9, 1e-3])
def test_1_000_near_copies(benchmark: Any, jitter: float, corners: int) -> None:
    """All of one outline, whose corners differ by a fraction of a px; the bound is .1 s."""
    outline = polygons(np.array([[200.0, 200.0, 90.0, 70.0]]), 4, corners)
    copies = outline + np.random.default_rng(5).normal(0, jitter, (1_000, corners, 2))
    group = np.zeros(1_000, np.int64)
    found = measure(benchmark, Spots(Outlines.of(list(copies)), group, *NOTHING), 0.1)
    assert found.new_area.sum() == pytest.approx(
        shapely.area(shapely.polygons(outline))[0], rel=0.01
    )
