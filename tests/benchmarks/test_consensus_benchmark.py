"""24 systems on 1,000,000 items: from arrays to all figures, and again for other weights.

crowd-kit's majority vote is measured in the same run where it can be imported. It is not among what
development needs: it brings transformers and what that wants along.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from spotlab.consensus.comparison import bootstrap
from spotlab.consensus.gram import Gram, gram_of
from spotlab.consensus.precision import Consensus, consensus_of, item_probability
from spotlab.consensus.votes import Votes
from spotlab.consensus.weights import uniform_weights

ITEMS, SYSTEMS = 1_000_000, 24
NAMES = [f"system {number}" for number in range(SYSTEMS)]


def made(items: int = ITEMS) -> NDArray[np.bool_]:
    """(N, 24) votes that are right 70 to 95 times out of a hundred."""
    random = np.random.default_rng(0)
    right = random.uniform(0.7, 0.95, SYSTEMS).astype(np.float32)
    votes = np.empty((items, SYSTEMS), bool)
    for start in range(0, items, 10_000):  # in parts, so as not to need more memory than the votes
        part = votes[start : start + 10_000]
        truth = random.random(len(part)) < 0.3
        part[:] = (random.random(part.shape, np.float32) < right) == truth[:, None]
    return votes


def all_figures(votes: NDArray[Any]) -> Consensus:
    return consensus_of(gram_of(Votes.of(votes, NAMES)), uniform_weights(SYSTEMS))


def crowd_table(votes: NDArray[Any]) -> Any:
    """The form in which crowd-kit wants them."""
    import pandas  # noqa: PLC0415  only where crowd-kit is

    count = len(votes)
    worker, task = np.tile(np.arange(SYSTEMS), count), np.repeat(np.arange(count), SYSTEMS)
    return pandas.DataFrame({"task": task, "worker": worker, "label": votes.ravel().astype("i1")})


def peak(code: str) -> tuple[float, float]:
    """Seconds of the last line of code, and megabytes of its whole process at most."""
    *before, last = code.splitlines()
    here = Path(__file__)
    whole = "\n".join(
        [
            f"import sys, time; sys.path.insert(0, {str(here.parents[2])!r})",
            f"import tests.benchmarks.{here.stem} as bench",
            *before,
            "begun = time.perf_counter()",
            last,
            "taken = time.perf_counter() - begun",
            "status = open('/proc/self/status').read()",
            "print(taken, int(status.split('VmHWM:')[1].split()[0]) / 1024)",
        ]
    )
    done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=True)
    seconds, megabytes = done.stdout.split()
    return float(seconds), float(megabytes)


@pytest.fixture(scope="module")
def votes() -> NDArray[np.bool_]:
    return made()


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
    seconds, megabytes = benchmark.pedantic(
        peak, ("votes = bench.made()\nbench.all_figures(votes)",), rounds=1
    )
    benchmark.extra_info["s alone"] = round(seconds, 3)
    benchmark.extra_info["MB"] = round(megabytes)
    try:
        peer_seconds, peer_megabytes = peak(
            "from crowdkit.aggregation import MajorityVote\n"
            "table = bench.crowd_table(bench.made())\n"
            "MajorityVote().fit_predict(table)"
        )
    except subprocess.CalledProcessError as error:
        if "ModuleNotFoundError" not in error.stderr:
            raise
        benchmark.extra_info["crowd-kit"] = "is not installed"
        return
    benchmark.extra_info["crowd-kit s"] = round(peer_seconds, 2)
    benchmark.extra_info["crowd-kit MB"] = round(peer_megabytes)
    benchmark.extra_info["times faster"] = round(peer_seconds / seconds, 1)
    benchmark.extra_info["% of its memory"] = round(100 * megabytes / peer_megabytes, 1)


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


def test_draw_items_of_a_million(benchmark: Any, votes: NDArray[np.bool_]) -> None:
    packed = Votes.of(votes, NAMES)
    benchmark.pedantic(bootstrap, (packed, uniform_weights(SYSTEMS), 100), rounds=1)
    benchmark.extra_info["draws"] = 100


def test_draw_pages_of_a_million(benchmark: Any, votes: NDArray[np.bool_]) -> None:
    packed, page = Votes.of(votes, NAMES), np.arange(ITEMS) // 1000
    benchmark.pedantic(
        bootstrap, (packed, uniform_weights(SYSTEMS), 1000), {"page": page}, rounds=1
    )
    benchmark.extra_info["draws"] = 1000
