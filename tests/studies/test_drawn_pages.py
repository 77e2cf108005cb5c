"""Pages are left out side by side for all runs, and give the intervals that one process gives."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from spotlab.compute import executors
from spotlab.geometry.polygon import Outlines
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.intervals import ComparedRun, intervals_over_pages
from spotlab.model import Page, Region, Run, Truth
from spotlab.progress import silent
from spotlab.studies.evaluate import evaluate as module
from spotlab.studies.evaluate.evaluate import rankings_without_pages
from spotlab.studies.tally.tallying import tally_runs
from tests.lab.parts.test_evaluate_parts import square


class Elsewhere:
    """A pool whose workers get copies, as processes do."""

    room = 4

    def __init__(self, threads: Executor, common: tuple[Any, ...]) -> None:
        self.threads, self.common = threads, pickle.dumps(common)

    def do(self, function: Any, work: object) -> Future[Any]:
        return self.threads.submit(function, work, *pickle.loads(self.common))

    def stop(self) -> None:
        """Nobody is stopped."""


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What was sent to all workers."""
    sent: list[tuple[Any, ...]] = []

    @contextmanager
    def executor(_jobs: int, _cluster: str | None, common: tuple[Any, ...]) -> Iterator[Elsewhere]:
        sent.append(common)
        with ThreadPoolExecutor(2) as threads:
            yield Elsewhere(threads, common)

    monkeypatch.setattr(executors, "executor", executor)
    return sent


@pytest.fixture(scope="module")
def figures() -> list[RunFigures]:
    """Of three runs on four pages; the last run has no spots."""
    chance = np.random.default_rng(3)
    names = [f"p{number}" for number in range(6)]
    truths = {
        name: Truth(
            Page(f"{name}.png", 200, 200),  # type: ignore[arg-type]
            tuple(Region(square(30 * at, 20 * at, 25), "abc"[at % 3], f"r{at}") for at in range(5)),
        )
        for name in names
    }
    runs = []
    for count in (40, 25, 0):
        rings = [square(x, y, 25) for x, y in chance.integers(0, 150, (count, 2)).tolist()]
        runs.append(
            Run.ordered(
                f"run {count}", chance.choice(list("abcd"), count).tolist(),
                chance.choice(names, count).tolist(), Outlines.of(rings),
                score=chance.random(count),
            )
        )  # fmt: skip
    same = dict(zip(names, names, strict=True))
    return [compute_figures(each) for each in tally_runs(runs, truths, [same] * 3)]


def test_intervals_are_those_of_one_process(
    figures: list[RunFigures], elsewhere: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GROUP", 8)  # spots: several groups of queries a run
    rankings = rankings_without_pages(figures, 2, None, silent)
    assert len(elsewhere) == 1  # one set of workers for all runs
    for each, ranking in zip(figures, rankings, strict=True):
        assert ranking is not None
        there = ComparedRun(each, ranking).intervals("pages")
        assert there == intervals_over_pages(each)
    assert any(intervals_over_pages(figures[0]).values())


def test_one_process_leaves_the_work(
    figures: list[RunFigures], elsewhere: list[tuple[Any, ...]]
) -> None:
    assert rankings_without_pages(figures, 1, None, silent) == [None] * 3
    assert not elsewhere


def test_threads_tally_several_runs_as_one_does(figures: list[RunFigures]) -> None:
    truths = {"p0": Truth(Page("p0.png", 9, 9))}  # type: ignore[arg-type]
    runs = [each.tally.run for each in figures]
    there = tally_runs(runs, truths, [{"p0": "p0"}] * 3, jobs=2)
    here = tally_runs(runs, truths, [{"p0": "p0"}] * 3)
    for one, other in zip(here, there, strict=True):
        assert np.array_equal(one.gained_area, other.gained_area)
        assert one.run.name == other.run.name
