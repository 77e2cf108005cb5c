"""Works are done once, wherever; sums do not depend on where; few are handed out at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from threading import Lock
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.compute import add_up, each_done, each_in_threads, executors
from spotlab.compute.executors import cores, use_cores
from spotlab.compute.works import WIDTH, SumTree
from spotlab.errors import Cancelled
from spotlab.progress import silent


class Unpacked:
    """Says when it is made of what was sent."""

    times = 0

    def __init__(self, value: int) -> None:
        self.value = value

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        Unpacked.times += 1


def times_unpacked(work: int, common: Unpacked) -> tuple[int, int]:
    return work * common.value, Unpacked.times


def threads_at_once(_work: int) -> int:
    """How many works are done at once by threads, of many that take a while."""
    doing, most = Lock(), 0
    now: set[int] = set()

    def work(number: int) -> None:
        nonlocal most
        with doing:
            now.add(number)
            most = max(most, len(now))
        time.sleep(0.02)
        with doing:
            now.remove(number)

    list(each_in_threads(work, range(20), silent, "working"))
    return most


def halves(work: int) -> float:
    return 1 / (work + 3)


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> type:
    """One that finishes works last to first, and notes how many it was handed at most."""

    class Pool:
        room, most = 5, 0

        def __init__(self) -> None:
            self.begun: list[tuple[Future[Any], Any]] = []

        def __enter__(self) -> Pool:
            return self

        def __exit__(self, *_: object) -> None:
            assert not self.begun

        def stop(self) -> None:
            self.begun.clear()

        def do(self, function: Any, work: Any) -> Future[Any]:
            future: Future[Any] = Future()
            self.begun.append((future, lambda: function(work)))
            Pool.most = max(Pool.most, len(self.begun))
            return future

    made = Pool()
    monkeypatch.setattr(executors, "executor", lambda *_: made)

    def finish_one(done: int, _total: int | None, _doing: str) -> None:
        if made.begun:
            future, work = made.begun.pop()
            future.set_result(work())

    Pool.finish_one = staticmethod(finish_one)  # type: ignore[attr-defined]
    return Pool


@given(st.lists(st.integers(), min_size=1, max_size=200), st.randoms(use_true_random=False))
def test_the_order_of_results_does_not_matter(values: list[int], chance: Any) -> None:
    formed = []
    for order in (list(range(len(values))), chance.sample(range(len(values)), len(values))):
        tree = SumTree(lambda parts: ["+", *parts])
        for number in order:
            tree.put(number, [values[number]])
        formed.append(tree.total())
        assert tree.held == 0
    assert formed[0] == formed[1]  # also how it is bracketed


def test_a_tree_holds_few() -> None:
    tree, most = SumTree(sum), 0
    for number in range(10_000):
        tree.put(number, 1)
        most = max(most, tree.held)
    assert tree.total() == 10_000
    assert most <= (WIDTH - 1) * 5  # of each level: 8 ** 5 > 10,000


def test_nothing_adds_up_to_nothing() -> None:
    assert add_up(halves, sum, [], 1, None, silent, "adding") is None
    assert add_up(halves, sum, iter([]), 1, None, silent, "adding") is None


def test_works_are_taken_as_they_are_needed(pool: Any) -> None:
    taken = []

    def works() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    done = each_done(halves, works(), 2, None, pool.finish_one, "working")
    next(done)
    assert len(taken) <= 6
    rest = dict(done)
    assert len(rest) == 99 and pool.most == 5 and len(taken) == 100


@pytest.mark.slow
def test_two_processes_add_up_to_the_same_and_get_what_is_common_once() -> None:
    works = range(50)
    here = add_up(halves, sum, works, 1, None, silent, "adding")
    there = add_up(halves, sum, works, 2, None, silent, "adding")
    assert here == there == pytest.approx(sum(map(halves, works)))
    found = dict(each_done(times_unpacked, works, 2, None, silent, "w", common=(Unpacked(3),)))
    assert [found[work][0] for work in works] == [3 * work for work in works]
    assert {times for _, times in found.values()} == {1}


def test_an_error_of_a_work_comes_through(pool: Any) -> None:
    def fail(_: Sequence[int]) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(each_done(fail, [1], 1, None, silent, "working"))


def test_cancelled_threads_begin_nothing_more_and_leave_no_thread() -> None:
    begun: list[int] = []

    def cancel(done: int, _total: int | None, _doing: str) -> None:
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        list(each_in_threads(begun.append, range(100), cancel, "working", threads=2))
    assert 1 <= len(begun) <= 8
    assert not [thread for thread in threading.enumerate() if "spotlab-work" in thread.name]


def test_an_error_in_a_thread_comes_through() -> None:
    with pytest.raises(ZeroDivisionError):
        list(each_in_threads(lambda each: 1 // each, [1, 0, 1], silent, "working", threads=2))


@pytest.mark.slow
def test_works_side_by_side_share_the_cores() -> None:
    processors = cores()
    assert threads_at_once(0) == processors
    for jobs in (2, processors + 1):
        found = dict(each_done(threads_at_once, range(jobs), jobs, None, silent, "working"))
        assert set(found.values()) == {max(1, processors // jobs)}
    assert threads_at_once(0) == processors


@pytest.mark.slow
@pytest.mark.parametrize(("allowed", "works", "each"), [(4, 2, 2), (4, 1, 4), (1, 2, 1)])
def test_processes_and_their_threads_use_no_more_cores_than_allowed(
    allowed: int, works: int, each: int
) -> None:
    context = copy_context()
    context.run(use_cores, allowed)
    done = each_done(threads_at_once, range(works), allowed, None, silent, "working")
    found = context.run(dict, done)
    assert set(found.values()) == {each}


def test_a_work_of_a_cluster_has_one_core() -> None:
    found = copy_context().run(executors._called, threads_at_once, 0, ())
    assert found == 1
