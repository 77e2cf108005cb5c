"""Votes as spotlab and as crowd-kit want them, for processes that measure one of the two.

Nothing of spotlab is imported before it is measured.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SYSTEMS = 24
NAMES = [f"system {number}" for number in range(SYSTEMS)]


def make_votes(items: int) -> NDArray[np.bool_]:
    """(N, 24) votes that are right 70 to 95 times out of a hundred."""
    random = np.random.default_rng(0)
    right = random.uniform(0.7, 0.95, SYSTEMS).astype(np.float32)
    votes = np.empty((items, SYSTEMS), bool)
    for start in range(0, items, 10_000):  # in parts, so as not to need more memory than the votes
        part = votes[start : start + 10_000]
        truth = random.random(len(part)) < 0.3
        part[:] = (random.random(part.shape, np.float32) < right) == truth[:, None]
    return votes


def crowd_table(votes: NDArray[Any]) -> Any:
    """The form in which crowd-kit wants them."""
    import pandas  # noqa: PLC0415  only where crowd-kit is

    count = len(votes)
    worker, task = np.tile(np.arange(SYSTEMS), count), np.repeat(np.arange(count), SYSTEMS)
    return pandas.DataFrame({"task": task, "worker": worker, "label": votes.ravel().astype("i1")})


def peak(code: str) -> tuple[float, float]:
    """Seconds of the last line of code, and megabytes of its whole process at most."""
    *before, last = code.splitlines()
    whole = "\n".join(
        [
            f"import sys, time; sys.path.insert(0, {str(Path(__file__).parents[2])!r})",
            "from tests.benchmarks.crowd_votes import NAMES, crowd_table, make_votes",
            *before,
            "begun = time.perf_counter()",
            last,
            "taken = time.perf_counter() - begun",
            "status = open('/proc/self/status').read()",
            "print(taken, int(status.split('VmHWM:')[1].split()[0]) / 1024)",
        ]
    )
    done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=True)
    seconds, megabytes = map(float, done.stdout.split())
    return seconds, megabytes


def beside_crowd_kit(benchmark: Any, ours: str, theirs: str) -> None:
    """Measure both in processes of their own, one after the other; the peer's last."""
    seconds, megabytes = benchmark.pedantic(peak, (ours,), rounds=1)
    benchmark.extra_info["s alone"] = round(seconds, 3)
    benchmark.extra_info["MB"] = round(megabytes)
    try:
        peer_seconds, peer_megabytes = peak(theirs)
    except subprocess.CalledProcessError as error:
        if "ModuleNotFoundError" not in error.stderr:
            raise
        benchmark.extra_info["crowd-kit"] = "is not installed: make bench"
        return
    benchmark.extra_info["crowd-kit s"] = round(peer_seconds, 2)
    benchmark.extra_info["crowd-kit MB"] = round(peer_megabytes)
    benchmark.extra_info["times faster"] = round(peer_seconds / seconds, 1)
    benchmark.extra_info["% of its memory"] = round(100 * megabytes / peer_megabytes, 1)
