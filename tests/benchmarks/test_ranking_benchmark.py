"""Average precision of 1000 lists of 1000 items, beside pytrec_eval; purging a list."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spotlab.model.ranked_list import RankedList
from spotlab.ranking.displacement import mean_average_precision
from spotlab.ranking.purge import Purge

QUERIES = ITEMS = 1000


@pytest.fixture(scope="module")
def lists() -> tuple[np.ndarray, np.ndarray]:
    """Scores without ties, a tenth of the items relevant to each query."""
    random = np.random.default_rng(0)
    scores = np.stack([random.permutation(ITEMS) for _ in range(QUERIES)]) / 1024
    return scores, random.random((QUERIES, ITEMS)) < 0.1


@pytest.fixture(scope="module")
def theirs(lists: tuple[np.ndarray, np.ndarray]) -> tuple[Any, Any]:
    """The same as pytrec_eval takes it; making it is not part of what is timed."""
    names = [f"i{item:04}" for item in range(ITEMS)]
    run, truth = (
        {f"q{query}": dict(zip(names, row.tolist(), strict=True)) for query, row in enumerate(part)}
        for part in (lists[0], lists[1].astype(int))
    )
    return run, truth


def compare(benchmark: Any, ours: Callable[[], object], peer: Callable[[], object]) -> None:
    """Time ours, and by turns with it theirs: the ratio is of medians in one run."""
    times: list[list[float]] = [[], []]
    ours()
    for _ in range(3):
        for measured, work in zip(times, (ours, peer), strict=True):
            start = time.perf_counter()
            work()
            measured.append(time.perf_counter() - start)
    mine, other = (float(np.median(measured)) for measured in times)
    benchmark.pedantic(ours, rounds=20, warmup_rounds=2)
    benchmark.extra_info["pytrec_eval_ms"] = round(other * 1000)
    benchmark.extra_info["times_faster"] = round(other / mine, 1)


def test_mean_average_precision(
    benchmark: Any, lists: tuple[np.ndarray, np.ndarray], theirs: tuple[Any, Any]
) -> None:
    peer = pytest.importorskip("pytrec_eval")
    run, truth = theirs
    evaluator = peer.RelevanceEvaluator(truth, {"map"})
    compare(benchmark, lambda: mean_average_precision(*lists), lambda: evaluator.evaluate(run))
    found, other = mean_average_precision(*lists), evaluator.evaluate(run)
    assert found.per_query.tolist() == [other[f"q{query}"]["map"] for query in range(QUERIES)]


def test_lists_with_many_ties(benchmark: Any, lists: tuple[np.ndarray, np.ndarray]) -> None:
    scores = np.floor(lists[0] * 100)
    found = benchmark.pedantic(
        lambda: mean_average_precision(scores, lists[1]), rounds=5, warmup_rounds=1
    )
    assert found.tied.min() > 0


@pytest.fixture(scope="module")
def purge() -> Purge:
    random = np.random.default_rng(1)
    relevance = random.integers(-1, 2, 100_000)
    ranked = RankedList.ordered("", random.random(100_000))
    return Purge.of(ranked, relevance, int((relevance == 1).sum()))


def test_move_the_slider_over_100_000_items(benchmark: Any, purge: Purge) -> None:
    benchmark(purge.at, 0.7)


def test_suggest_where_to_cut_100_000_items(benchmark: Any, purge: Purge) -> None:
    found = benchmark.pedantic(purge.suggestions, (0.7,), rounds=5, warmup_rounds=1)
    assert found[1].threshold is not None
