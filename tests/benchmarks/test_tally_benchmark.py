"""Tallies of 12-gons on 42 pages for 38 queries, of one page again, and at a first start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from spotlab.geometry import coverage_compiled
from spotlab.geometry.compiled.machine_code import COVERAGE
from spotlab.geometry.polygon import Outlines
from spotlab.model import Page, Region, Run, Truth
from spotlab.studies.tally.tallying import tally, tally_page

PAGES, QUERIES, REGIONS, SIDE, CORNERS = 42, 38, 344, 2000, 12
NAMES = {f"page{number:02}": f"page{number:02}" for number in range(PAGES)}


def polygons(boxes: NDArray[np.float64], seed: int, corners: int = CORNERS) -> NDArray[np.float64]:
    """(N, corners, 2) mostly not convex outlines in boxes of left, top, width, height."""
    random = np.random.default_rng(seed)
    angle = (np.arange(corners) + random.uniform(0.1, 0.9, (len(boxes), corners))) / corners
    radius = random.uniform(0.7, 1, angle.shape)
    unit = np.stack([np.cos(angle * 2 * np.pi), np.sin(angle * 2 * np.pi)], -1) * radius[..., None]
    return boxes[:, None, :2] + boxes[:, None, 2:] / 2 * (1 + unit)


def truths() -> tuple[dict[str, Truth], NDArray[np.float64], NDArray[Any], NDArray[Any]]:
    random = np.random.default_rng(0)
    page, query = random.integers(0, PAGES, REGIONS), random.integers(0, QUERIES, REGIONS)
    sizes = random.uniform(40, 160, (REGIONS, 2))
    boxes = np.c_[random.uniform(0, 1, (REGIONS, 2)) * (SIDE - sizes), sizes]
    rings = polygons(boxes, 3)
    made = {
        name: Truth(
            Page(Path(f"{name}.png"), SIDE, SIDE),
            tuple(Region(rings[n], f"query{query[n]:02}") for n in np.flatnonzero(page == number)),
        )
        for number, name in enumerate(NAMES)
    }
    return made, boxes, page, query


def run_of(count: int) -> tuple[Run, dict[str, Truth]]:
    """Three of ten spots lie near a region of their query, the others anywhere."""
    made, boxes, page_of, query_of = truths()
    random = np.random.default_rng(1)
    near = random.integers(0, REGIONS, count * 3 // 10)
    others = count - len(near)
    moved = boxes[near] + np.c_[random.normal(0, 12, (len(near), 2)), np.zeros((len(near), 2))]
    sizes = random.uniform(40, 160, (others, 2))
    spots = np.r_[moved, np.c_[random.uniform(0, 1, (others, 2)) * (SIDE - sizes), sizes]]
    page = np.r_[page_of[near], random.integers(0, PAGES, others)]
    query = np.r_[query_of[near], random.integers(0, QUERIES, others)]
    score = np.r_[random.beta(5, 2, len(near)), random.beta(2, 5, others)]
    offsets = np.arange(count + 1) * CORNERS
    outlines = Outlines(polygons(spots, 2).reshape(-1, 2), offsets)
    pages, queries = np.array(list(NAMES)), np.array([f"query{n:02}" for n in range(QUERIES)])
    run = Run.ordered(
        "system", queries[query].tolist(), pages[page].tolist(), outlines, score=score
    )
    return run, made


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    COVERAGE.compile_ahead()
    coverage_compiled.warm_up()


@pytest.mark.parametrize(("count", "jobs"), [(10_000, 1), (100_000, 1), (1_000_000, 2)])
def test_tally(benchmark: Any, count: int, jobs: int) -> None:
    run, made = run_of(count)
    rounds = 3 if count <= 100_000 else 1
    benchmark.pedantic(
        tally, (run, made, NAMES), {"jobs": jobs}, rounds=rounds, warmup_rounds=rounds > 1
    )
    benchmark.extra_info["spots"] = count
    benchmark.extra_info["jobs"] = jobs


@pytest.mark.parametrize("spots_a_page", [240, 2_400])
def test_one_page_again(benchmark: Any, spots_a_page: int) -> None:
    run, made = run_of(spots_a_page * PAGES)
    spot = np.flatnonzero(run.page == 3)
    benchmark(tally_page, run, spot, made["page03"], "page03")


def test_first_start_with_10_000_spots(benchmark: Any, tmp_path: Path) -> None:
    here = Path(__file__)
    code = (
        f"import sys; sys.path.insert(0, {str(here.parents[2])!r})\n"
        f"import tests.benchmarks.{here.stem} as bench\n"
        "import time; run, made = bench.run_of(10_000); begun = time.perf_counter()\n"
        "bench.tally(run, made, bench.NAMES); print(time.perf_counter() - begun)"
    )
    told: list[float] = []

    def first_start() -> None:
        folder = tmp_path / str(len(told))
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        told.append(float(done.stdout))

    benchmark.pedantic(first_start, rounds=3)
    benchmark.extra_info["s for the tally alone"] = round(float(np.median(told)), 2)
