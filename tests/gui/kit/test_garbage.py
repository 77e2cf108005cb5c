"""Objects of the window that hang together in cycles are deleted on its thread alone."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
import weakref
from tempfile import TemporaryDirectory

import pytest
from PySide6.QtCore import QObject

from spotlab.gui.kit import background
from spotlab.gui.kit import background as garbage
from spotlab.gui.kit.panel import LivePanel
from spotlab.progress import Progress


class Holder(QObject):
    """Holds itself, as a widget does that a connected lambda holds."""

    def __init__(self) -> None:
        super().__init__()
        self.myself = self


def allocate(progress: Progress) -> None:
    for done in range(200):
        progress(done, 200, "allocating")
        kept = [[] for _ in range(5000)]
        assert kept


def test_a_thread_that_allocates_deletes_nothing(qapp: object) -> None:
    deleted_by: list[int] = []
    garbage.collect_on_this_thread()
    for _ in range(50):
        weakref.finalize(Holder(), lambda: deleted_by.append(threading.get_ident()))
    for _ in range(4):
        background.run(allocate)
    assert background.wait_for_all()
    assert background.wait_until(lambda: len(deleted_by) == 50)
    assert set(deleted_by) == {threading.get_ident()}


def test_everything_is_collected_now_and_then(qapp: object) -> None:
    collector = garbage.collect_on_this_thread()
    gc.collect()
    assert collector.due() is None
    kept: list[list[object]] = [[] for _ in range(gc.get_threshold()[0] + 100)]
    assert collector.due() == 0
    for _ in range(gc.get_threshold()[1] + 1):
        gc.collect(0)
    kept += [[] for _ in range(gc.get_threshold()[0] + 100)]
    assert collector.due() == 1
    assert not gc.isenabled()


def all_threads_rest() -> None:
    """Wait for jobs, and for what their threads do when a job's result is there already."""
    assert background.wait_for_all()
    count = background._pool.size
    gate = threading.Barrier(count + 1)
    for _ in range(count):
        background._pool.submit(gate.wait, 30)
    gate.wait(30)


def test_memory_is_given_back_when_the_work_after_a_large_load_has_ended(
    qapp: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[int] = []
    monkeypatch.setattr(garbage, "release_memory", lambda: given.append(threading.get_ident()))
    garbage.settle_after_load(garbage.LARGE - 1)
    background.run(allocate)
    all_threads_rest()
    assert not given
    garbage.settle_after_load(garbage.LARGE)
    assert given == [threading.get_ident()]
    for turn in range(1, garbage.TURNS + 1):
        background.run(allocate)
        assert background.wait_for_all()
        assert background.wait_until(lambda turn=turn: len(given) == 1 + turn)
    assert threading.get_ident() not in given[1:]  # the window does not wait for it
    background.run(allocate)
    all_threads_rest()
    assert not garbage._turns
    count = len(given)
    panel = LivePanel()
    monkeypatch.setattr(LivePanel, "draw", lambda _: None)
    panel.show()  # such as the list of errors
    background.run(allocate)
    assert background.wait_for_all()
    assert background.wait_until(lambda: len(given) == count + 1)
    panel.close()
    before, there = len(given), weakref.ref(cycle := Holder())
    del cycle
    garbage.look_at_all_again()
    assert background.wait_until(lambda: len(given) == before + 1)
    assert there() is None  # what hangs together in cycles is gone before
    background.run(allocate)  # what holds the rest may be a job
    assert background.wait_until(lambda: len(given) == before + 2)
    while garbage._turns:
        background.run(allocate)
        assert background.wait_for_all()


def test_what_runs_before_there_is_an_application_starts_no_timer() -> None:
    code = """
import gc
from pathlib import Path
from spotlab.gui.kit import background, files
from spotlab.gui.kit.settings import Settings
early = Settings(Path("settings.json"))
assert gc.isenabled() and not files._timers
from spotlab.gui.window import app
application = app.application()
late = Settings(Path("others.json"))
assert not gc.isenabled()
[timer] = files._timers
assert timer.isActive()
assert background.cancel_all(30)
"""
    with TemporaryDirectory() as folder:
        ended = subprocess.run(
            [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
        )
    assert (ended.returncode, ended.stderr) == (0, "")
