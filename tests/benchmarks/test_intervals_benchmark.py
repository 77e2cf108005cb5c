"""How long intervals of a large run take: 200,000 spots of 38 queries on 42 pages."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from spotlab.geometry.polygon import Outlines
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.intervals import intervals_over_pages, intervals_over_queries
from spotlab.measures.matching import classify_errors
from spotlab.measures.tally import PageTally, Tally
from spotlab.model.run import Run
from tests.benchmarks.sizes import sized

PAGES, QUERIES, SPOTS, REGIONS = 42, 38, 200_000, 48


@pytest.fixture(scope="module")
def figures() -> RunFigures:
    """Squares that a tenth of the time lie a quarter on some region; areas only, no geometry."""
    random = np.random.default_rng(0)
    queries = [f"q{number:02}" for number in range(QUERIES)]
    pages = [f"p{number:02}" for number in range(PAGES)]
    nothing = Outlines(np.zeros((SPOTS, 2)), np.arange(SPOTS + 1))
    run = Run.ordered(
        "run",
        random.choice(queries, SPOTS).tolist(),
        random.choice(pages, SPOTS).tolist(),
        nothing,
        score=random.random(SPOTS),
    )
    parts = []
    for number, page in enumerate(pages):
        spot = np.flatnonzero(run.page == number)
        labels = random.choice(queries, REGIONS).tolist()
        pair = np.sort(random.choice(spot, len(spot) // 2, replace=False))
        shared = random.uniform(10, 100, len(pair))
        full = np.full(len(spot), 100.0)
        parts.append(
            PageTally(
                page, spot, full, full / 2, full / 8,
                tuple(map(str, range(REGIONS))), tuple(labels), np.full(REGIONS, 100.0),
                dict.fromkeys(labels, 100.0),
                pair, random.integers(0, REGIONS, len(pair)), shared, shared / 2,
            )
        )  # fmt: skip
    return compute_figures(Tally.of(run, dict.fromkeys(pages, 1e6), parts))


def test_intervals_over_queries(benchmark: Any, figures: RunFigures) -> None:
    found = benchmark.pedantic(lambda: intervals_over_queries(figures), rounds=3, warmup_rounds=1)
    assert found["f"] is not None


def test_intervals_over_pages(benchmark: Any, figures: RunFigures) -> None:
    found = benchmark.pedantic(lambda: intervals_over_pages(figures), rounds=sized(2, 1))
    assert found["iou_precision"] is not None


def test_sort_errors_into_kinds(benchmark: Any, figures: RunFigures) -> None:
    found = benchmark.pedantic(lambda: classify_errors(figures.tally), rounds=5, warmup_rounds=1)
    assert len(found.kind) == SPOTS


def test_order_the_worst_errors(benchmark: Any, figures: RunFigures) -> None:
    found = benchmark.pedantic(lambda: classify_errors(figures.tally).worst, rounds=3)
    assert len(found) > SPOTS / 2
