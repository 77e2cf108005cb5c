"""The Poisson-binomial distribution beside fast-poibin in the same run, single and in batches.

fast-poibin is compiled by an earlier call, and takes one row after the other. Both give all
probabilities of all rows, in turns; they are compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spotlab.uncertain_truth.answers import pmf
from tests.benchmarks.sizes import FULL

ROUNDS = 15
LENGTHS = (10, 50, 100, 200, 300, 400, 500, 600, 800, 1000)[:: 1 if FULL else 3]


def beside(benchmark: Any, ours: Callable[[], Any], theirs: Callable[[], Any]) -> Any:
    """Time both in turns, so that what else the machine does meets both."""
    seconds = []

    def peer() -> None:
        start = time.perf_counter()
        theirs()
        seconds.append(time.perf_counter() - start)

    theirs()
    found = benchmark.pedantic(ours, setup=peer, rounds=ROUNDS, warmup_rounds=1)
    median = float(np.median(seconds[1:]))
    benchmark.extra_info["fast-poibin ms"] = round(median * 1e3, 3)
    ratio = np.median(benchmark.stats.stats.data) / median
    benchmark.extra_info["of fast-poibin's time"] = round(ratio, 2)
    return found


@pytest.mark.parametrize("n", [1_000, 10_000, 100_000])
def test_one_row_beside_fast_poibin(benchmark: Any, n: int) -> None:
    peer = pytest.importorskip("fast_poibin", reason="fast-poibin is not installed")
    probability = np.random.default_rng(0).random(n)
    ours = beside(benchmark, lambda: pmf(probability), lambda: peer.PoiBin(probability).pmf)
    np.testing.assert_allclose(ours, peer.PoiBin(probability).pmf, atol=1e-13)


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("rows", [100, 1000])
def test_batches_beside_fast_poibin(benchmark: Any, rows: int, n: int) -> None:
    peer = pytest.importorskip("fast_poibin", reason="fast-poibin is not installed")
    probability = np.random.default_rng(0).random((rows, n))
    ours = beside(
        benchmark,
        lambda: pmf(probability),
        lambda: [peer.PoiBin(row).pmf for row in probability],
    )
    np.testing.assert_allclose(ours[-1], peer.PoiBin(probability[-1]).pmf, atol=1e-13)
