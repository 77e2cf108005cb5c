"""Work in threads, and what the window's thread hears of it."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from spotlab.errors import Cancelled
from spotlab.gui.kit import background
from spotlab.gui.kit.background import WorkerThreads
from spotlab.progress import Progress


def test_results_failures_and_progress_arrive_on_the_windows_thread(qapp: object) -> None:
    heard: list[tuple[str, Any, str]] = []

    def hear(what: str, value: Any) -> None:
        heard.append((what, value, threading.current_thread().name))

    def work(number: int, progress: Progress) -> int:
        progress(1, 1, "working")
        if number == 0:
            raise ValueError("no")
        return 2 * number

    for number in (4, 0):
        background.run(
            work,
            number,
            done=lambda value: hear("done", value),
            failed=lambda error: hear("failed", str(error)),
            progress=lambda *report: hear("progress", report),
        )
    assert background.wait_for_all()
    assert {entry[2] for entry in heard} == {"MainThread"}
    assert sorted((what, value) for what, value, _ in heard if what != "progress") == [
        ("done", 8),
        ("failed", "no"),
    ]
    assert sum(what == "progress" for what, _, _ in heard) == 2


def test_a_cancelled_job_ends_at_its_next_report_and_is_silent(qapp: object) -> None:
    heard: list[object] = []
    ended: list[type[BaseException] | None] = []
    began = threading.Event()

    def work(progress: Progress) -> None:
        began.set()
        try:
            for step in range(10_000):
                progress(step, None, "working")
                time.sleep(0.001)
        except Cancelled:
            ended.append(Cancelled)
            raise

    job = background.run(work, done=heard.append, failed=heard.append)
    assert began.wait(30)
    job.cancel()
    assert background.wait_for_all()
    assert ended == [Cancelled]
    assert heard == []


def test_what_nobody_wants_to_hear_of_is_raised(qtbot: Any) -> None:
    with qtbot.captureExceptions() as exceptions:
        background.run(lambda progress: 1 / 0)
        background.wait_for_all()
    assert [kind for kind, _, _ in exceptions] == [ZeroDivisionError]


def test_jobs_that_hang_do_not_keep_others_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "STUCK", 0.02)
    threads = WorkerThreads(2, "test")
    gate, done = threading.Event(), threading.Event()
    running: list[int] = []
    most: list[int] = []
    for _ in range(2):
        threads.submit(gate.wait, 60)

    def work() -> None:
        running.append(1)
        most.append(len(running))
        running.pop()

    for _ in range(20):
        threads.submit(work)
    threads.submit(done.set)
    assert done.wait(60)
    assert len(most) == 20 and max(most) <= 2
    gate.set()


def test_no_more_threads_run_than_wanted_while_all_get_on() -> None:
    threads = WorkerThreads(2, "test")
    running: set[str] = set()
    ended = threading.Semaphore(0)

    def work() -> None:
        running.add(threading.current_thread().name)
        time.sleep(0.001)
        ended.release()

    for _ in range(50):
        threads.submit(work)
    for _ in range(50):
        assert ended.acquire(timeout=60)
    assert len(running) <= 2
