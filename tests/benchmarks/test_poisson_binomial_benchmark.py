"""The Poisson-binomial distribution beside fast-poibin in the same run, single and in batches.

fast-poibin is compiled by an earlier call, and takes one row after the other. Both give all
probabilities of all rows; they are compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spotlab.uncertain.poisson_binomial import batched, exact_pmf, pmf, tail

ROUNDS = 9


def median_of(function: Callable[[], object]) -> float:
    function()
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return float(np.median(seconds))


@pytest.mark.parametrize("n", [1_000, 10_000, 100_000])
def test_one_row_beside_fast_poibin(benchmark: Any, n: int) -> None:
    peer = pytest.importorskip("fast_poibin", reason="fast-poibin is not installed")
    probability = np.random.default_rng(0).random(n)
    seconds = median_of(lambda: peer.PoiBin(probability).pmf)
    ours = benchmark.pedantic(lambda: pmf(probability), rounds=ROUNDS, warmup_rounds=1)
    np.testing.assert_allclose(ours, peer.PoiBin(probability).pmf, atol=1e-13)
    told(benchmark, seconds)


@pytest.mark.parametrize("n", [10, 50, 100, 200, 300, 400, 500, 600, 800, 1000])
@pytest.mark.parametrize("rows", [100, 1000])
def test_batches_beside_fast_poibin(benchmark: Any, rows: int, n: int) -> None:
    peer = pytest.importorskip("fast_poibin", reason="fast-poibin is not installed")
    probability = np.random.default_rng(0).random((rows, n))
    seconds = median_of(lambda: [peer.PoiBin(row).pmf for row in probability])
    ours = benchmark.pedantic(lambda: batched(probability), rounds=ROUNDS, warmup_rounds=1)
    np.testing.assert_allclose(ours[-1], peer.PoiBin(probability[-1]).pmf, atol=1e-13)
    told(benchmark, seconds)


def test_all_digits_of_ten_thousand_items(benchmark: Any) -> None:
    """fast-poibin's `dp` is its way to them."""
    peer = pytest.importorskip("fast_poibin", reason="fast-poibin is not installed")
    probability = np.random.default_rng(0).random(10_000)
    seconds = median_of(lambda: peer.PoiBin(probability, mode="dp").pmf)
    ours = benchmark.pedantic(lambda: exact_pmf(probability), rounds=ROUNDS, warmup_rounds=1)
    np.testing.assert_allclose(
        ours, peer.PoiBin(probability, mode="dp").pmf, rtol=1e-9, atol=1e-290
    )
    told(benchmark, seconds)


def test_a_tail_of_a_hundred_thousand_items(benchmark: Any) -> None:
    probability = np.random.default_rng(0).random(100_000)
    found = benchmark.pedantic(lambda: tail(probability, 52_000), rounds=3, warmup_rounds=1)
    assert 0 < found < 1e-40


def told(benchmark: Any, seconds: float) -> None:
    benchmark.extra_info["fast-poibin ms"] = round(seconds * 1e3, 3)
    ratio = np.median(benchmark.stats.stats.data) / seconds
    benchmark.extra_info["of fast-poibin's time"] = round(ratio, 2)
