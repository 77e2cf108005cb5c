"""A run of a million spots, and a hundred runs, in the real window: opening, slider, truth edit.

Without ``FULL=1`` it is 200,000 spots, and 500 of each run.

A round ends when the window has painted what is new. The thread that paints is not alone: what the
window computes beside it takes part of its time, as it does for people.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count, cycle
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture

from spotlab.formats.runs.csv_run import write_csv
from spotlab.geometry.compiled.machine_code import COVERAGE
from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from tests.benchmarks import million_spots
from tests.benchmarks.sizes import sized
from tests.gui import windows
from tests.gui.inspect import large_runs

SIZE = (1440, 900)
MILLION = sized(1_000_000, 200_000)
RUNS, SPOTS_OF_EACH = 100, sized(2_000, 500)


@pytest.fixture(scope="module")
def million(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("pages")
    truths = million_spots.make_truths()
    million_spots.write_pages(folder, truths)
    run = tmp_path_factory.mktemp("runs") / "million.csv"
    write_csv(million_spots.make_run(truths, MILLION), run)
    yield from opened(tmp_path_factory.mktemp("settings"), folder, [run])


@pytest.fixture(scope="module")
def ten_thousand(
    tmp_path_factory: pytest.TempPathFactory, qapp: QApplication
) -> Iterator[MainWindow]:
    folder, run = tmp_path_factory.mktemp("plans"), tmp_path_factory.mktemp("runs") / "run.csv"
    truths = large_runs.make_truths()
    large_runs.write_collection(folder, truths)
    write_csv(large_runs.make_run(truths, 10_000), run)
    yield from opened(tmp_path_factory.mktemp("settings"), folder, [run])


@pytest.fixture(scope="module")
def hundred(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    folder, runs = tmp_path_factory.mktemp("plans"), tmp_path_factory.mktemp("hundred")
    truths = large_runs.make_truths()
    large_runs.write_collection(folder, truths)
    paths = [runs / f"run {number:03}.csv" for number in range(RUNS)]
    for number, path in enumerate(paths):
        write_csv(large_runs.make_run(truths, SPOTS_OF_EACH, seed=number), path)
    yield from opened(tmp_path_factory.mktemp("settings"), folder, paths)


def opened(settings: Path, folder: Path, runs: list[Path]) -> Iterator[MainWindow]:
    COVERAGE.compile_ahead()
    window = windows.open_window(settings, folder, size=SIZE)
    window.actions_by_id.trigger("workspace.inspect")
    inspection = window.workbench.state(Inspection)
    inspection.runs.open(runs)
    assert background.wait_until(lambda: is_whole(inspection, len(runs)), 600)
    yield window
    assert background.cancel_all(120)
    windows.close(window)


def is_whole(inspection: Inspection, count: int) -> bool:
    """Whether so many runs are open, and read to their end."""
    runs = inspection.runs
    return not runs.busy and len(runs) == count and all(run.so_far is None for run in runs)


def shown(window: MainWindow) -> None:
    """Paint all that waits to be painted."""
    window.canvas.update()
    QApplication.processEvents()


def memory() -> int:
    """Resident memory of this process in MB."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * 4096 // 1_000_000


def of_this_thread(benchmark: BenchmarkFixture, work: Callable[[], None], rounds: int) -> None:
    """Also say how much of the time was this thread's own: on a busy machine it waits."""
    spent = []

    def measured() -> None:
        begun = time.thread_time()
        work()
        spent.append(time.thread_time() - begun)

    benchmark.pedantic(measured, rounds=rounds, warmup_rounds=2)
    spent.sort()
    benchmark.extra_info["thread's median ms"] = round(spent[len(spent) // 2] * 1e3, 1)
    benchmark.extra_info["thread's p95 ms"] = round(spent[int(len(spent) * 0.95)] * 1e3, 1)


def test_open_a_run_of_a_million_spots(benchmark: BenchmarkFixture, million: MainWindow) -> None:
    """From asking for the file to curves, tables and areas on the screen."""
    inspection = million.workbench.state(Inspection)
    source = inspection.runs[0].run.source
    assert source is not None
    inspection.runs.close(0)
    assert background.cancel_all(120)

    def open_it() -> None:
        asked, own = time.perf_counter(), time.process_time()
        inspection.runs.open([source])
        assert background.wait_until(lambda: bool(inspection.runs), 600)
        shown(million)
        benchmark.extra_info["s to first figures"] = round(time.perf_counter() - asked, 2)
        benchmark.extra_info["s of processors to them"] = round(time.process_time() - own, 2)
        assert background.wait_until(lambda: is_whole(inspection, 1), 600)
        shown(million)

    begun = time.process_time()
    benchmark.pedantic(open_it, rounds=1)
    benchmark.extra_info["s of this process's processors"] = round(time.process_time() - begun, 1)
    benchmark.extra_info["spots"] = MILLION
    assert background.wait_for_all(120)
    time.sleep(1)  # while what that needed besides is given back
    benchmark.extra_info["MB"] = memory()


def test_drag_the_rank_slider_at_a_million_spots(
    benchmark: BenchmarkFixture, million: MainWindow
) -> None:
    """All queries; the mouse moves by three pixels."""
    million.workbench.state(Inspection).choose_query(None)
    (panel,) = million.findChildren(CurvesPanel)
    slider = panel.cut.slider
    width, middle = slider.width(), slider.height() / 2
    across = cycle([*range(width - 6, 10, -3), *range(10, width - 6, 3)])

    def send(kind: QEvent.Type, x: float, button: Qt.MouseButton) -> None:
        at = QPointF(x, middle)
        held = Qt.MouseButton.LeftButton
        there = QPointF(slider.mapToGlobal(at.toPoint()))
        event = QMouseEvent(kind, at, there, button, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(slider, event)

    def step() -> None:
        send(QEvent.Type.MouseMove, next(across), Qt.MouseButton.NoButton)
        shown(million)

    send(QEvent.Type.MouseButtonPress, width - 5, Qt.MouseButton.LeftButton)
    of_this_thread(benchmark, step, 200)
    send(QEvent.Type.MouseButtonRelease, width - 5, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("collection", ["million", "ten_thousand", "hundred"])
def test_truth_edit_until_all_curves_have_moved(
    benchmark: BenchmarkFixture, request: pytest.FixtureRequest, collection: str
) -> None:
    """A region is moved in Annotate, with the curves beside it."""
    window: MainWindow = request.getfixturevalue(collection)
    window.actions_by_id.trigger("workspace.annotate")
    if not window.docks.is_shown("curves"):
        window.actions_by_id.trigger("view.curves")
    workbench = window.workbench
    assert workbench.document is not None
    region = next(iter(workbench.document))
    moved, inspection = count(1), workbench.state(Inspection)

    def edit() -> None:
        before = inspection.runs[0].figures
        shift = 3 * (next(moved) % 2)
        points = tuple((x + shift, y) for x, y in region.points)
        workbench.editing.replace_regions("Move", [replace(region, points=points)])
        assert background.wait_until(lambda: inspection.runs[0].figures is not before, 60)
        shown(window)

    of_this_thread(benchmark, edit, 20)
    benchmark.extra_info["runs"] = len(inspection.runs)
    window.actions_by_id.trigger("workspace.inspect")
