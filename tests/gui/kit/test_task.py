"""One job at a time: progress, result, failure, cancel and replacement."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from spotlab.errors import BadInput, Cancelled, SpotlabError
from spotlab.gui.kit import background
from spotlab.gui.kit.background import Task, raise_unexpected
from spotlab.progress import Progress
from spotlab.signal import Signal


class Log:
    """A reporter that writes down what it is told, and on which thread."""

    def __init__(self) -> None:
        self.lines: list[tuple[object, ...]] = []
        self.threads: set[str] = set()
        self.progressed = Signal[[int, int | None, str]]()
        self.finished = Signal[[]]()
        self.retried = Signal[[str]]()
        self.said = Signal[[str, bool]]()
        self.progressed.connect(self.note("progressed"))
        self.finished.connect(self.note("finished"))
        self.said.connect(self.note("said"))

    def note(self, what: str) -> Callable[..., None]:
        def write(*values: object) -> None:
            self.lines.append((what, *values))
            self.threads.add(threading.current_thread().name)

        return write

    def follow(self, task: Task) -> None:
        task.busy_changed.connect(lambda: self.note("busy")(task.busy))


class Held:
    """A function that waits until it is released or cancelled."""

    def __init__(self) -> None:
        self.began, self.released, self.cancelled = (threading.Event() for _ in range(3))

    def __call__(self, value: int, progress: Progress) -> int:
        self.began.set()
        try:
            while not self.released.wait(0.001):
                progress(0, None, "waiting")
        except Cancelled:
            self.cancelled.set()
            raise
        return value


@pytest.fixture
def log(qapp: object) -> Log:
    return Log()


def double(number: int, progress: Progress) -> int:
    progress(1, 1, "doubling")
    return 2 * number


def fail(error: Exception, progress: Progress) -> None:
    raise error


def test_progress_and_result_arrive_on_the_windows_thread(log: Log) -> None:
    task = Task(log)
    log.follow(task)
    task.start(double, 4, done=log.note("done"))
    assert task.busy
    assert background.wait_for_all()
    assert not task.busy
    assert log.lines == [
        ("busy", True),
        ("progressed", 1, 1, "doubling"),
        ("finished",),
        ("busy", False),
        ("done", 8),
    ]
    assert log.threads == {"MainThread"}


def test_a_failure_is_said(log: Log) -> None:
    task = Task(log)
    log.follow(task)
    task.start(fail, SpotlabError("The file is empty"), done=log.note("done"))
    assert background.wait_for_all()
    assert log.lines == [
        ("busy", True),
        ("finished",),
        ("busy", False),
        ("said", "The file is empty", True),
    ]


def test_a_failure_is_said_elsewhere(log: Log) -> None:
    task = Task(log, say=log.note("shown"))
    task.start(fail, BadInput("runs.csv", "it is empty"))
    assert background.wait_for_all()
    assert log.lines == [("finished",), ("shown", str(BadInput("runs.csv", "it is empty")), True)]


def test_silent_work_says_only_why_it_failed(log: Log) -> None:
    task = Task(say=log.note("shown"), urgent=True)
    task.start(double, 1, done=log.note("done"))
    assert background.wait_for_all()
    task.start(fail, SpotlabError("no"))
    assert background.wait_for_all()
    assert log.lines == [("done", 2), ("shown", "no", True)]


def test_a_fault_of_the_program_is_raised(log: Log, qtbot: Any) -> None:
    task = Task(log)
    with qtbot.captureExceptions() as exceptions:
        task.start(fail, ZeroDivisionError())
        assert background.wait_for_all()
    assert [kind for kind, _, _ in exceptions] == [ZeroDivisionError]
    assert log.lines == [("finished",)]
    assert not task.busy


def test_where_nobody_is_told_every_failure_is_raised(qtbot: Any) -> None:
    task = Task()
    with qtbot.captureExceptions() as exceptions:
        task.start(fail, SpotlabError("no"))
        assert background.wait_for_all()
    assert [kind for kind, _, _ in exceptions] == [SpotlabError]


def test_a_caller_can_take_every_failure(log: Log) -> None:
    task = Task(log)
    for error in (SpotlabError("no"), KeyError("no")):
        task.start(fail, error, failed=log.note("failed"))
        assert background.wait_for_all()
        assert log.lines == [("finished",), ("failed", error)]
        log.lines.clear()


def test_cancelled_work_ends_at_its_next_report_and_is_silent(log: Log) -> None:
    task, held = Task(log), Held()
    log.follow(task)
    task.start(held, 1, done=log.note("done"), failed=log.note("failed"))
    assert held.began.wait(30)
    task.cancel()
    assert not task.busy
    assert held.cancelled.wait(30)
    assert background.wait_for_all()
    task.cancel()  # there is nothing left to cancel
    assert log.lines == [("busy", True), ("finished",), ("busy", False)]


def test_the_next_work_replaces_the_one_under_way(log: Log) -> None:
    task, first, second = Task(log), Held(), Held()
    log.follow(task)
    task.start(first, 1, done=log.note("done"))
    assert first.began.wait(30)
    task.start(second, 2, done=log.note("done"))
    assert first.cancelled.wait(30)
    assert task.busy
    second.released.set()
    assert background.wait_for_all()
    shown = [line for line in log.lines if line[0] != "progressed"]
    assert shown == [("busy", True), ("busy", True), ("finished",), ("busy", False), ("done", 2)]


def test_a_result_can_start_the_next_work(log: Log) -> None:
    task = Task()
    task.start(double, 2, done=lambda four: task.start(double, four, done=log.note("done")))
    assert background.wait_for_all()
    assert log.lines == [("done", 8)]
    assert not task.busy


def test_a_task_that_nobody_keeps_still_ends(log: Log) -> None:
    Task(log).start(double, 3, done=log.note("done"))
    assert background.wait_for_all()
    assert log.lines == [("progressed", 1, 1, "doubling"), ("finished",), ("done", 6)]


def test_only_faults_of_the_program_are_raised() -> None:
    raise_unexpected(SpotlabError("no"))
    with pytest.raises(KeyError):
        raise_unexpected(KeyError("no"))
