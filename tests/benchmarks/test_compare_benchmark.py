"""Two runs of 42 pages and 10,000 spots compared in the window: picking B, stepping with N.

Both go through the real window. Picking ends when the page is painted with all its areas, the
legend has its figures, and the change of F and the symbols are listed; the other pages follow.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture

from spotlab.formats.runs.csv_run import write_csv
from spotlab.geometry.compiled.machine_code import COVERAGE
from spotlab.gui.inspect.panels.compare import ComparePanel
from spotlab.gui.inspect.state.comparison import ComparisonState
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.inspect.large_runs import make_run, make_truths, write_collection

SIZE = (1440, 900)
SPOTS = 10_000


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    """The window with two runs; the second run is the current one."""
    folder = tmp_path_factory.mktemp("collection")
    truths = make_truths()
    write_collection(folder, truths)
    (folder / "large").mkdir()
    files = [folder / "large" / f"{seed}.csv" for seed in (2, 3)]
    for seed, file in zip((2, 3), files, strict=True):
        write_csv(make_run(truths, SPOTS, seed, file.stem), file)
    COVERAGE.compile_ahead()
    window = windows.open_window(tmp_path_factory.mktemp("settings"), folder, size=SIZE)
    window.actions_by_id.trigger("workspace.inspect")
    window.workbench.state(Inspection).runs.open(files)
    assert background.wait_for_all(120)
    window.docks.bring("compare")
    window.canvas.settle()
    yield window
    windows.close(window)


def shown(window: MainWindow) -> None:
    """Paint all that waits to be painted, which the canvas does."""
    window.canvas.update()
    QApplication.processEvents()


def test_pick_b(benchmark: BenchmarkFixture, window: MainWindow) -> None:
    comparison = window.workbench.state(ComparisonState)
    layer, panel = window.canvas.layers["comparison"], window.panel(ComparePanel)

    def is_shown() -> bool:
        shown(window)
        entry = window.workbench.entry
        known = entry is not None and entry.name in comparison.pages
        return known and not layer.busy and panel.model.rowCount() > 0

    def pick() -> None:
        comparison.choose(comparison.others[0])
        assert background.wait_until(is_shown, 30)

    def end() -> None:
        windows.settle()
        comparison.choose(None)
        windows.settle()

    benchmark.pedantic(pick, setup=end, rounds=10, warmup_rounds=1)
    assert background.wait_until(lambda: not comparison.busy, 60)


def test_next_change(benchmark: BenchmarkFixture, window: MainWindow) -> None:
    """N, by the key, on the same page or on another."""
    comparison = window.workbench.state(ComparisonState)
    if not comparison.on:
        comparison.choose(comparison.others[0])
    assert background.wait_until(lambda: not comparison.busy, 60)
    windows.settle()
    window.canvas.setFocus()

    def step() -> None:
        QTest.keyClick(window.canvas, Qt.Key.Key_N)
        shown(window)

    benchmark.pedantic(step, rounds=40, warmup_rounds=2)
    benchmark.extra_info["changes"] = len(comparison.changes or ())
    windows.settle()
