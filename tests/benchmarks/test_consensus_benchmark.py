"""24 systems on 1,000,000 items: from arrays to all figures, and again for other weights.

crowd-kit's majority vote is measured in the same run; the extra ``bench`` installs it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from spotlab.consensus.precision import (
    Consensus,
    Gram,
    consensus_of,
    gram_of,
    item_probability,
    uniform_weights,
)
from spotlab.consensus.votes import Votes
from tests.benchmarks.crowd_votes import NAMES, SYSTEMS, beside_crowd_kit, make_votes

ITEMS = 1_000_000


def all_figures(votes: NDArray[Any]) -> Consensus:
    return consensus_of(gram_of(Votes.of(votes, NAMES)), uniform_weights(SYSTEMS))


@pytest.fixture(scope="module")
def votes() -> NDArray[np.bool_]:
    return make_votes(ITEMS)


@pytest.fixture(scope="module")
def gram(votes: NDArray[np.bool_]) -> Gram:
    return gram_of(Votes.of(votes, NAMES))


@pytest.mark.parametrize("kind", ["bool", "int8", "float64"])
def test_from_arrays_to_all_figures(benchmark: Any, votes: NDArray[np.bool_], kind: str) -> None:
    found = benchmark.pedantic(all_figures, (votes.astype(kind),), rounds=15, warmup_rounds=2)
    assert found.rank.min() == 1


def test_other_weights(benchmark: Any, gram: Gram) -> None:
    assert benchmark(consensus_of, gram, uniform_weights(SYSTEMS)).rank.min() == 1


def test_probability_of_every_item(benchmark: Any, votes: NDArray[np.bool_]) -> None:
    packed = Votes.of(votes, NAMES)
    found = benchmark.pedantic(item_probability, (packed, uniform_weights(SYSTEMS)), rounds=3)
    assert len(found) == ITEMS


def test_beside_majority_vote_of_crowd_kit(benchmark: Any) -> None:
    beside_crowd_kit(
        benchmark,
        "from tests.benchmarks.test_consensus_benchmark import all_figures\n"
        f"votes = make_votes({ITEMS})\nall_figures(votes)",
        f"from crowdkit.aggregation import MajorityVote\ntable = crowd_table(make_votes({ITEMS}))\n"
        "MajorityVote().fit_predict(table)",
    )


def crowd(items: int, a_piece: int = 5, workers: int = 500) -> Votes:
    """Every item is voted on by five out of 500, nearly always by five others."""
    random = np.random.default_rng(0)
    part = workers // a_piece  # one of every fifth of the workers, so that nobody votes twice
    worker = random.integers(0, part, (items, a_piece)) + part * np.arange(a_piece)
    item = np.repeat(np.arange(items), a_piece)
    names = [str(number) for number in range(workers)]
    return Votes.sparse(item, worker.ravel(), items, names, random.random(len(item)) < 0.5)


@pytest.mark.parametrize("items", [10_000, 1_000_000])
def test_other_weights_of_a_crowd(benchmark: Any, items: int) -> None:
    votes = crowd(items)
    summed = gram_of(votes)
    benchmark(consensus_of, summed, uniform_weights(500))
    benchmark.extra_info["votes"] = items * 5
    benchmark.extra_info["blocks"] = len(summed.blocks)
