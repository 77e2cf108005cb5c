"""Accuracies learnt from a million items, and from a crowd of which each saw few items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spotlab.consensus.accuracy import dawid_skene, find_patterns
from spotlab.consensus.votes import Votes
from tests.benchmarks.crowd_votes import NAMES, beside_crowd_kit, make_votes
from tests.benchmarks.sizes import sized


def million() -> tuple[Votes, np.ndarray]:
    """24 systems on 1,000,000 items, all votes known."""
    rng = np.random.default_rng(0)
    truth = rng.random(1_000_000) < 0.3
    right = rng.random((len(truth), 24)) < rng.uniform(0.7, 0.95, 24)
    votes = np.where(right, truth[:, None], ~truth[:, None])
    return Votes.of(votes, [f"s{index}" for index in range(24)]), truth


def crowd() -> tuple[Votes, np.ndarray]:
    """176 workers on 8,315 items, three votes an item."""
    rng = np.random.default_rng(0)
    truth = rng.random(8315) < 0.12
    item = np.repeat(np.arange(8315), 3)
    system = (rng.integers(0, 176, 8315)[:, None] + [0, 59, 118]).ravel() % 176
    vote = np.where(rng.random(len(item)) < 0.85, truth[item], ~truth[item])
    names = [f"w{index}" for index in range(176)]
    return Votes.sparse(item, system, 8315, names, vote), truth


@pytest.mark.parametrize("make", [million, crowd])
def test_dawid_skene(benchmark, make: Callable[[], tuple[Votes, np.ndarray]]) -> None:
    votes, truth = make()
    found = benchmark.pedantic(dawid_skene, (votes,), rounds=3)
    benchmark.extra_info["patterns"] = len(find_patterns(votes).count)
    benchmark.extra_info["rounds_of_em"] = found.iterations
    benchmark.extra_info["right"] = float(((found.probability > 0.5) == truth).mean())
    assert benchmark.extra_info["right"] > 0.9


def test_beside_dawid_skene_of_crowd_kit(benchmark: Any) -> None:
    """The two-coin model of 24 systems; crowd-kit's takes as many rounds of EM as ours needs."""
    items = sized(1_000_000, 100_000)
    rounds = dawid_skene(Votes.of(make_votes(items), NAMES)).iterations
    beside_crowd_kit(
        benchmark,
        "from spotlab.consensus.accuracy import dawid_skene\n"
        f"from spotlab.consensus.votes import Votes\nvotes = Votes.of(make_votes({items}), NAMES)\n"
        "dawid_skene(votes)",
        f"from crowdkit.aggregation import DawidSkene\ntable = crowd_table(make_votes({items}))\n"
        f"DawidSkene(n_iter={rounds}).fit_predict(table)",
    )
    benchmark.extra_info["items"] = items
    benchmark.extra_info["rounds_of_em"] = rounds
