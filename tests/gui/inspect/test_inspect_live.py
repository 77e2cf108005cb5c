"""Figures follow the truth as it is edited, whatever else is under way."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from spotlab.formats.runs import read_run
from spotlab.formats.truth import page_xml
from spotlab.gui.inspect.state import open_runs
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Page, Region, Truth
from spotlab.studies.evaluate.evaluate import evaluate
from spotlab.studies.tally.truth import read_truths
from tests.gui import labelled_pages, windows
from tests.gui.inspect.inspecting import BED, HALF, SOFA, corners, line, write_collection, write_run
from tests.gui.inspect.inspecting import write_runs as write_both

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    """On the two pages, with a third that has no truth file; "partly" and "all" are open."""
    pages = write_collection(tmp_path / "pages")
    (pages / "page_3.png").write_bytes((pages / "page_1.png").read_bytes())
    window = windows.begin_anew(lasting, pages)
    window.workbench.state(Inspection).runs.open(write_both(tmp_path / "elsewhere"))
    windows.settle()
    return window


def check(window: MainWindow, folder: Path) -> None:
    """All figures are those that a fresh evaluation of the saved files gives."""
    windows.settle()
    window.workbench.save()
    windows.settle()
    inspection = window.workbench.state(Inspection)
    reads = [read_run(folder / "elsewhere" / f"{run.name}.csv") for run in inspection.runs]
    fresh = evaluate(read_truths([folder / "pages"]), reads, inspection.runs.settings, draws=10)
    for ours, theirs in zip(inspection.runs, fresh.runs, strict=True):
        assert ours.name == theirs.name
        assert ours.tally is not None and ours.figures is not None
        known = {name: at for at, name in enumerate(ours.tally.queries)}
        for name, values in theirs.figures.columns.items():
            mine = ours.figures.columns[name][[known[query] for query in theirs.tally.queries]]
            np.testing.assert_allclose(mine, values, rtol=1e-9, err_msg=f"{ours.name} {name}")
        assert ours.tally.symbols.sum() == theirs.tally.symbols.sum()
        assert len(ours.tally) == len(theirs.tally)


def open_page(window: MainWindow, index: int) -> None:
    window.workbench.open_page(index)
    windows.settle()


def recall(window: MainWindow, query: str = "sofa") -> float:
    current = window.workbench.state(Inspection).runs.current
    assert current is not None and current.figures is not None and current.tally is not None
    return float(current.figures.columns["area_recall"][current.tally.queries.index(query)])


def test_drawing_moving_deleting_and_back(window: MainWindow, tmp_path: Path) -> None:
    workbench = window.workbench
    assert recall(window) == pytest.approx(4500 / 6000)
    drawn = windows.add(window, "sofa", 5, 150)
    check(window, tmp_path)
    assert recall(window) == pytest.approx(4500 / 9000)
    workbench.selection.set([drawn.id])
    windows.press(window.canvas, Qt.Key.Key_Right)
    check(window, tmp_path)
    windows.press(window.canvas, Qt.Key.Key_Delete)
    check(window, tmp_path)
    assert recall(window) == pytest.approx(4500 / 6000)
    for _ in range(3):
        windows.press(window.canvas, Qt.Key.Key_Z, CONTROL)
    windows.settle()
    assert recall(window) == pytest.approx(4500 / 6000)
    check(window, tmp_path)
    windows.press(window.canvas, Qt.Key.Key_Y, CONTROL)
    check(window, tmp_path)
    assert recall(window) == pytest.approx(4500 / 9000)


def test_a_label_that_nobody_searched(window: MainWindow, tmp_path: Path) -> None:
    windows.add(window, "lamp", 5, 150)
    windows.settle()
    assert "lamp" in window.workbench.state(Inspection).queries
    check(window, tmp_path)
    window.workbench.state(Inspection).choose_query("lamp")
    window.workbench.editing.undo()
    check(window, tmp_path)  # the query may stay: it has no truth now


def test_many_edits_at_once_end_at_the_right_figures(window: MainWindow, tmp_path: Path) -> None:
    for number in range(12):
        windows.add(window, "sofa" if number % 3 else "bed", 10 * number, 8 * number)
        if number % 4 == 3:
            window.workbench.editing.undo()
    check(window, tmp_path)


def test_an_edit_is_followed_though_the_page_is_left_at_once(
    window: MainWindow, tmp_path: Path
) -> None:
    windows.add(window, "sofa", 5, 150)
    windows.add(window, "sofa", 90, 150)
    window.workbench.open_page(1)
    check(window, tmp_path)
    windows.add(window, "bed", 150, 150)
    window.workbench.open_page(0)
    check(window, tmp_path)


def test_a_page_that_had_no_truth_file(window: MainWindow, tmp_path: Path) -> None:
    runs = tmp_path / "elsewhere"
    inspection = window.workbench.state(Inspection)
    write_run(
        runs / "third.csv",
        line("bed", "page_1", 1, 0.9, BED),
        line("bed", "page_3", 2, 0.8, BED),
        line("sofa", "page_1", 1, 0.9, SOFA),
        line("sofa", "page_3", 2, 0.8, SOFA),
        line("sofa", "page_2", 3, 0.7, HALF),
    )
    inspection.runs.open([runs / "third.csv"])
    windows.settle()
    current = inspection.runs.current
    assert current is not None and current.tally is not None
    assert current.unknown_pages == {"page_3": 2}
    last = len(current.tally) - 1
    inspection.choose_spot(last)
    assert "rank 2" in current.describe(last)  # of those that are judged
    open_page(window, 2)
    windows.add(window, "sofa")
    check(window, tmp_path)
    assert inspection.spot == last + 2  # the same spot, though two more are judged now
    current = inspection.runs.current
    assert current is not None and "rank 3" in current.describe(inspection.spot)
    window.workbench.editing.undo()
    check(window, tmp_path)


def test_edits_while_a_run_is_read(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = open_runs.read_inspected_run

    edited = threading.Event()

    def slowly(*args: object) -> object:
        assert edited.wait(30)
        return reading(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(open_runs, "read_inspected_run", slowly)
    inspection = window.workbench.state(Inspection)
    windows.add(window, "sofa", 5, 150)
    write_run(tmp_path / "elsewhere" / "late.csv", line("bed", "page_1", 1, 0.9, BED))
    inspection.runs.open([tmp_path / "elsewhere" / "late.csv"])
    windows.add(window, "bed", 5, 5)
    assert background.wait_until(lambda: inspection.runs.busy)
    windows.add(window, "sofa", 150, 5)
    edited.set()
    check(window, tmp_path)
    assert [run.name for run in inspection.runs] == ["partly", "all", "late"]


def test_a_run_closed_while_it_is_tallied_stays_closed(window: MainWindow, tmp_path: Path) -> None:
    inspection = window.workbench.state(Inspection)
    windows.add(window, "sofa", 5, 150)
    inspection.runs.close(0)
    check(window, tmp_path)
    assert [run.name for run in inspection.runs] == ["all"]
    inspection.runs.tally_again()
    inspection.runs.close(0)
    windows.settle()
    assert not inspection.runs


def test_reading_can_be_cancelled_and_others_opened_after(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inspection = window.workbench.state(Inspection)

    def never(path: Path, truths: object, progress: object, *_: object) -> None:
        while True:
            progress(0, 2, "reading")  # type: ignore[operator]
            time.sleep(0.01)

    with monkeypatch.context() as patched:
        patched.setattr(open_runs, "read_inspected_run", never)
        inspection.runs.open([tmp_path / "elsewhere" / "all.csv"])
        assert background.wait_until(window.status.cancel.isVisible)
        window.status.cancel.click()
        windows.settle()
    assert not inspection.runs.busy and len(inspection.runs) == 2
    windows.add(window, "sofa", 5, 150)
    check(window, tmp_path)
    inspection.runs.open([tmp_path / "elsewhere" / "all.csv"])
    windows.settle()
    assert len(inspection.runs) == 3


def test_a_broken_truth_file_is_named_and_costs_its_page_only(
    tmp_path: Path, qapp: QApplication
) -> None:
    pages = write_collection(tmp_path / "pages")
    (pages / "page_2.xml").write_text("<PcGts>")
    window = windows.open_window(tmp_path, pages)
    inspection = window.workbench.state(Inspection)
    inspection.runs.open(write_both(tmp_path / "elsewhere"))
    windows.settle()
    assert "page_2.xml" in window.banner.text.text()
    assert [run.unknown_pages for run in inspection.runs] == [{"page_2": 1}, {"page_2": 1}]
    assert recall(window) == 1.0
    truth = Truth(Page(pages / "page_2.png", 320, 240), (Region(corners(SOFA), "sofa", "r1"),))
    page_xml.write(truth, pages / "page_2.xml")  # somebody mends it
    open_page(window, 1)
    check(window, tmp_path)
    windows.close(window)


def test_renaming_a_label_on_all_pages(window: MainWindow, tmp_path: Path) -> None:
    open_page(window, 1)
    labelled_pages.rename(window, "sofa", "couch")
    check(window, tmp_path)
    labelled_pages.take_back(window)
    check(window, tmp_path)
