"""Runs are opened, also at once, and closed in Inspect; nothing is kept of those closed."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from spotlab.formats.runs import csv_run, parquet_run
from spotlab.formats.runs.format import ColumnChoice, ReadRun
from spotlab.formats.runs.parquet_run import write_parquet
from spotlab.formats.runs.reading import read_run
from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.panels.runs import RunsPanel
from spotlab.gui.inspect.state import open_runs
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.measures.measure import MeasureSettings
from spotlab.model import Primitive
from spotlab.progress import Progress
from spotlab.studies.evaluate import inspected_run as module
from spotlab.studies.evaluate.cuts import ListCut
from spotlab.studies.evaluate.inspected_run import InspectedRun, read_inspected_run
from spotlab.studies.tally.truth import TruthSet
from tests.gui import windows
from tests.gui.inspect.inspecting import BED, calm, line, write_collection, write_run
from tests.gui.inspect.inspecting import write_runs as write_both


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    """On the two pages; "partly" and "all" are open."""
    window = windows.begin_anew(lasting, write_collection(tmp_path / "pages"))
    window.workbench.state(Inspection).runs.open(write_both(tmp_path / "elsewhere"))
    windows.settle()
    return window


def test_two_openings_and_a_change_of_measures_wait_for_each_other(
    window: MainWindow, tmp_path: Path
) -> None:
    inspection, runs = window.workbench.state(Inspection), tmp_path / "elsewhere"
    inspection.runs.close(0)
    inspection.runs.close(0)
    assert inspection.runs.current is None and inspection.queries == ()
    inspection.runs.open([runs / "partly.csv"])
    inspection.runs.open([runs / "all.csv"])
    inspection.runs.set_settings(MeasureSettings(beta=2.0))
    inspection.runs.set_settings(MeasureSettings(beta=2.0), Primitive.BOX)
    windows.settle()
    assert [run.name for run in inspection.runs] == ["partly", "all"]
    assert not inspection.runs.busy
    assert all(run.figures and run.figures.settings.beta == 2 for run in inspection.runs)
    colours = {run.colour for run in inspection.runs}
    assert len(colours) == 2


def test_closing_another_run_keeps_the_current_one_and_its_spot(
    window: MainWindow, tmp_path: Path
) -> None:
    inspection = window.workbench.state(Inspection)
    again = write_run(tmp_path / "elsewhere" / "third.csv", line("bed", "page_1", 1, 0.9, BED))
    inspection.runs.open([again])
    windows.settle()
    inspection.runs.choose(1)
    inspection.choose_spot(2)
    inspection.runs.close(0)
    current = inspection.runs.current
    assert current and current.name == "all" and inspection.spot == 2
    inspection.runs.close(1)
    assert inspection.runs.current.name == "all" and inspection.spot == 2
    inspection.runs.close(0)
    assert inspection.runs.current is None and inspection.spot is None


def test_a_query_that_the_other_run_lacks_is_let_go(window: MainWindow, tmp_path: Path) -> None:
    window.enter("inspect")
    inspection = window.workbench.state(Inspection)
    lamp = write_run(tmp_path / "elsewhere" / "lamp.csv", line("lamp", "page_1", 1, 0.9, BED))
    inspection.runs.open([lamp])
    windows.settle()
    inspection.choose_query("lamp")
    calm()
    inspection.runs.choose(0)
    assert inspection.query is None
    calm()


def test_another_collection_while_a_run_is_read(window: MainWindow, tmp_path: Path) -> None:
    inspection = window.workbench.state(Inspection)
    windows.write_pages(tmp_path / "other")
    inspection.runs.open([tmp_path / "elsewhere" / "partly.csv"])
    assert inspection.runs.busy
    window.open_paths([tmp_path / "other"])
    windows.settle()
    assert not inspection.runs and not inspection.runs.busy
    windows.add(window)
    windows.settle()
    assert not inspection.runs


def test_opening_the_same_folder_again_opens_its_runs_again(
    tmp_path: Path, qapp: QApplication
) -> None:
    pages = write_collection(tmp_path / "pages")
    write_both(pages / "runs")
    window = windows.open_window(tmp_path, pages)
    inspection = window.workbench.state(Inspection)
    window.enter("inspect")
    windows.settle()
    assert len(inspection.runs) == 2
    window.open_paths([pages])  # in Inspect
    windows.settle()
    assert len(inspection.runs) == 2
    while inspection.runs:
        inspection.runs.close(0)
    window.enter("annotate")
    window.enter("inspect")
    windows.settle()
    assert not inspection.runs  # who closed them does not want them
    windows.close(window)


def test_a_file_that_is_no_run_says_so_and_the_others_are_opened(
    window: MainWindow, tmp_path: Path
) -> None:
    inspection, runs = window.workbench.state(Inspection), tmp_path / "elsewhere"
    (runs / "bad.csv").write_text("this,is\nno,run\n")
    inspection.runs.open([runs / "bad.csv", runs / "all.csv", runs / "none.csv"])
    windows.settle()
    assert [run.name for run in inspection.runs] == ["partly", "all", "all"]
    assert "none.csv" in window.banner.text.text()
    inspection.runs.open([runs / "bad.csv"])
    windows.settle()
    assert "bad.csv" in window.banner.text.text() and len(inspection.runs) == 3
    assert not inspection.runs.busy


def test_closed_runs_are_forgotten(window: MainWindow, tmp_path: Path) -> None:
    inspection = window.workbench.state(Inspection)
    window.enter("inspect")
    calm()
    window.canvas.settle()
    inspection.choose_spot(0)
    inspection.set_cut(ListCut("rank", 2))
    calm()
    held = [weakref.ref(each) for run in inspection.runs for each in (run.run, run.tally)]
    while inspection.runs:
        inspection.runs.close(0)
    calm()
    gc.collect()
    assert [each() for each in held] == [None] * len(held)


@pytest.fixture
def large(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Every file is large, and read to its end only once this is set."""
    runs, go_on = window.workbench.state(Inspection).runs, threading.Event()
    while runs:
        runs.close(0)
    monkeypatch.setattr(module, "LARGE", 1)
    monkeypatch.setattr(csv_run, "MOST", 1.0)

    def read_later(
        path: Path, truths: TruthSet, progress: Progress, columns: ColumnChoice | None = None
    ) -> InspectedRun:
        while not go_on.wait(0.001):
            progress(0, None, "reading")
        return read_inspected_run(path, truths, progress, columns)

    monkeypatch.setattr(open_runs, "read_inspected_run", read_later)
    window.enter("inspect")
    yield go_on
    go_on.set()


def test_the_open_page_of_a_large_run_is_shown_before_the_others_are_read(
    window: MainWindow, large: threading.Event, tmp_path: Path
) -> None:
    runs = window.workbench.state(Inspection).runs
    runs.open([tmp_path / "elsewhere" / "partly.csv"])
    assert background.wait_until(lambda: bool(runs))
    (run,), (curves,) = runs, window.findChildren(CurvesPanel)
    (panel,) = window.findChildren(RunsPanel)
    assert runs.busy and run.figures is not None
    assert run.run.line.tolist() == [2, 3] and not run.has_problems
    assert run.figures.precision.tolist() == [1.0, 3000 / 3400]  # of page_1 alone
    assert panel.model.spots(run) == "1 of 2 pages so far"

    def can_save() -> bool:
        return window.actions_by_id["run.save_means"].isEnabled()

    assert background.wait_until(lambda: bool(curves.head.note.text()) and not can_save())
    assert curves.head.note.text() == "Figures of 1 of 2 pages so far; the others are being read."
    large.set()
    windows.settle()
    calm()
    assert can_save()
    (whole,) = runs
    assert whole.so_far is None and whole.run.line.tolist() == [2, 3, 4]
    assert panel.model.spots(whole) == "3 spots"
    assert not curves.head.note.isVisible()
    assert (whole.colour, whole.dash) == (run.colour, run.dash)


def test_the_open_page_of_a_large_parquet_file_is_shown_and_the_file_is_read_once(
    window: MainWindow, large: threading.Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "elsewhere" / "partly.parquet"
    write_parquet(read_run(path.with_suffix(".csv")).run, path)
    tally, read, times = open_runs.tally_inspected_run, parquet_run.read_rows, []

    def tally_later(*given: Any) -> InspectedRun:
        assert large.wait(30)
        return tally(*given)

    def read_rows(*given: Any) -> ReadRun:
        times.append(given)
        return read(*given)

    monkeypatch.setattr(open_runs, "tally_inspected_run", tally_later)
    monkeypatch.setattr(parquet_run, "read_rows", read_rows)
    runs = window.workbench.state(Inspection).runs
    runs.open([path])
    assert background.wait_until(lambda: bool(runs))
    (run,) = runs
    assert runs.busy and run.so_far == (1, 2) and run.figures is not None
    assert run.run.line.tolist() == [1, 2]
    assert run.figures.precision.tolist() == [1.0, 3000 / 3400]  # of page_1 alone
    large.set()
    windows.settle()
    (whole,) = runs
    assert whole.so_far is None and whole.run.line.tolist() == [1, 2, 3]
    assert whole.file_state and len(times) == 1


@pytest.mark.parametrize("way", ["button", "close"])
def test_giving_up_a_large_run_leaves_nothing_of_it(
    window: MainWindow, large: threading.Event, tmp_path: Path, way: str
) -> None:
    runs = window.workbench.state(Inspection).runs
    runs.open([tmp_path / "elsewhere" / "partly.csv"])
    assert background.wait_until(lambda: bool(runs))
    if way == "button":
        window.status.cancel.click()
    else:
        window.actions_by_id.trigger("run.close")
    large.set()
    windows.settle()
    assert not runs and not runs.busy
    runs.open([tmp_path / "elsewhere" / "all.csv"])
    windows.settle()
    assert [run.so_far for run in runs] == [None]


def test_a_large_file_that_cannot_be_read_leaves_nothing(
    window: MainWindow, large: threading.Event, tmp_path: Path
) -> None:
    runs = window.workbench.state(Inspection).runs
    path = tmp_path / "elsewhere" / "partly.csv"
    runs.open([path])
    assert background.wait_until(lambda: bool(runs))
    path.unlink()
    large.set()
    windows.settle()
    assert not runs and "partly.csv" in window.banner.text.text()
