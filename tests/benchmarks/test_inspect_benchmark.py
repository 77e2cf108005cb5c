"""The Inspect workspace on 42 pages with 38 queries: opening a run, the slider, a truth edit.

Everything goes through the real window, and a round ends when the window has painted what is new.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, cycle
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture

from spotlab.formats.runs.csv_run import write_csv
from spotlab.geometry.compiled.machine_code import COVERAGE
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.studies.evaluate.cuts import ListCut
from tests.gui import windows
from tests.gui.inspect.large_runs import make_run, make_truths, write_collection

SIZE = (1440, 900)


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of 3215 × 2064 px with 344 symbols, and runs of 10,000 and 100,000 spots."""
    folder = tmp_path_factory.mktemp("collection")
    truths = make_truths()
    write_collection(folder, truths)
    (folder / "large").mkdir()
    for spots in (10_000, 100_000):
        write_csv(make_run(truths, spots), folder / "large" / f"{spots}.csv")
    COVERAGE.compile_ahead()
    return folder


@pytest.fixture(scope="module", params=[10_000, 100_000])
def window(
    request: pytest.FixtureRequest, collection: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MainWindow]:
    window = windows.open_window(tmp_path_factory.mktemp("settings"), collection, size=SIZE)
    window.actions_by_id.trigger("workspace.inspect")
    window.workbench.state(Inspection).runs.open([collection / "large" / f"{request.param}.csv"])
    assert background.wait_for_all(120)
    window.canvas.settle()
    yield window
    windows.close(window)


def shown(window: MainWindow) -> None:
    """Paint all that waits to be painted, which the canvas does."""
    window.canvas.update()
    QApplication.processEvents()


@pytest.mark.parametrize("spots", [10_000, 100_000])
def test_open_a_run(
    benchmark: BenchmarkFixture, collection: Path, tmp_path: Path, qapp: QApplication, spots: int
) -> None:
    """From asking for the file to curves, tables and areas on the screen; truth is read, too."""
    window = windows.open_window(tmp_path, collection, size=SIZE)
    window.actions_by_id.trigger("workspace.inspect")
    windows.settle()

    def open_it() -> None:
        inspection = window.workbench.state(Inspection)
        inspection.runs.open([collection / "large" / f"{spots}.csv"])
        assert background.wait_until(lambda: bool(inspection.runs), 120)
        shown(window)

    def forget() -> None:
        windows.settle()
        window.workbench.state(Inspection).forget()
        windows.settle()

    benchmark.pedantic(open_it, setup=forget, rounds=5)
    windows.settle()
    windows.close(window)


def test_slider_step(benchmark: BenchmarkFixture, window: MainWindow) -> None:
    """A step of the slider: markers, readout, areas on the page."""
    window.workbench.state(Inspection).choose_query(None)
    windows.settle()
    steps = cycle([*range(10, 240, 7), *range(240, 10, -7)])

    def step() -> None:
        window.workbench.state(Inspection).set_cut(ListCut("rank", next(steps)))
        shown(window)

    benchmark.pedantic(step, rounds=100, warmup_rounds=5)
    benchmark.extra_info["spots"] = len(window.workbench.state(Inspection).runs[0].run)


def test_truth_edit_until_all_curves_have_moved(
    benchmark: BenchmarkFixture, window: MainWindow
) -> None:
    """A region is moved in Annotate, with the curves beside it."""
    workbench = window.workbench
    window.actions_by_id.trigger("workspace.annotate")
    if not window.docks.is_shown("curves"):
        window.actions_by_id.trigger("view.curves")
    windows.settle()
    assert workbench.document is not None
    region = next(iter(workbench.document))
    moved = count(1)
    inspection = workbench.state(Inspection)

    def edit() -> None:
        before = inspection.runs[0].figures
        shift = 3 * (next(moved) % 2)
        points = tuple((x + shift, y) for x, y in region.points)
        workbench.editing.replace_regions("Move", [replace(region, points=points)])
        assert background.wait_until(lambda: inspection.runs[0].figures is not before, 30)
        shown(window)

    benchmark.pedantic(edit, rounds=30, warmup_rounds=2)
    benchmark.extra_info["spots"] = len(inspection.runs[0].run)
    window.actions_by_id.trigger("workspace.inspect")


def test_choose_a_query(benchmark: BenchmarkFixture, window: MainWindow) -> None:
    """From all queries to one and on: curves, areas, lists."""
    inspection = window.workbench.state(Inspection)
    queries = cycle(inspection.queries)

    def choose() -> None:
        inspection.choose_query(next(queries))
        shown(window)

    benchmark.pedantic(choose, rounds=40, warmup_rounds=2)


def test_next_error(benchmark: BenchmarkFixture, window: MainWindow) -> None:
    """N, by the key, on the same page or on another."""
    inspection = window.workbench.state(Inspection)
    inspection.choose_query(inspection.queries[0])
    windows.settle()
    window.canvas.setFocus()

    def step() -> None:
        QTest.keyClick(window.canvas, Qt.Key.Key_N)
        shown(window)

    benchmark.pedantic(step, rounds=30, warmup_rounds=2)
    windows.settle()
