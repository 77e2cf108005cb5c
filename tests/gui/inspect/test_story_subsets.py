"""Somebody wants the figures of some pages: the filter, the switch, saved subsets, the report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from spotlab.gui.inspect.panels.runs import RunsPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import PageState
from tests.gui.inspect.inspecting import write_collection, write_runs
from tests.gui.windows import begin_anew, settle


@pytest.fixture
def window(lasting: MainWindow, tmp_path: Path) -> MainWindow:
    window = begin_anew(lasting, write_collection(tmp_path / "pages"), size=(1280, 800))
    window.enter("inspect")
    window.workbench.state(Inspection).runs.open(write_runs(tmp_path / "found"))
    settle()
    window.workbench.state(Inspection).runs.choose(0)
    settle()
    return window


def type_filter(window: MainWindow, text: str) -> None:
    box = window.panel(PagesPanel).box
    box.clear()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)
    settle()


def recall(window: MainWindow) -> float | None:
    current = window.workbench.state(Inspection).runs.current
    assert current is not None and current.figures is not None
    return current.figures.pooled["area_recall"]


def test_figures_are_of_the_shown_pages_and_of_all_again(window: MainWindow) -> None:
    switch = window.panel(RunsPanel).pages
    whole = recall(window)
    assert not switch.isVisible()
    type_filter(window, "page_2")
    assert switch.isVisible()
    assert (switch.all.text(), switch.shown.text()) == ("All 2 Pages", "1 Shown")
    assert recall(window) == whole
    QTest.mouseClick(switch.shown, Qt.MouseButton.LeftButton)
    settle()
    assert recall(window) == 0.5  # half of the second sofa
    assert window.workbench.state(Inspection).runs.current.tally.pages == ("page_2",)
    type_filter(window, "page_1")
    assert recall(window) == 3000 / (3000 + 6400)
    QTest.mouseClick(switch.all, Qt.MouseButton.LeftButton)
    settle()
    assert recall(window) == whole


def test_checked_pages_alone(window: MainWindow) -> None:
    window.workbench.shown.set_only(True)
    window.panel(PagesPanel).chips[PageState.CHECKED].click()
    settle()
    assert recall(window) is None  # no page is checked yet
    window.actions_by_id.trigger("page.checked")
    settle()
    QTest.qWait(600)  # the filter follows the page's state
    settle()
    assert recall(window) == 3000 / (3000 + 6400)


def test_a_subset_is_saved_and_shown_again(window: MainWindow, tmp_path: Path) -> None:
    panel = window.panel(PagesPanel)
    type_filter(window, "page_2")
    file = tmp_path / "pages" / "subsets" / "my test.txt"
    panel.subset_menu.aboutToShow.emit()
    panel.subset_menu.actions()[-1].trigger()
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.selectFile(str(file.with_suffix("")))
    dialog.accept()
    assert file.read_text() == "page_2\n"
    type_filter(window, "")
    panel.subset_menu.aboutToShow.emit()
    assert panel.subset_menu.actions()[0].text() == "my test"
    panel.subset_menu.actions()[0].trigger()
    settle()
    assert panel.box.text() == 'subset:"my test"'
    assert window.workbench.shown.names == ("page_2",)


def test_the_report_is_of_the_shown_pages(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from spotlab.gui.inspect.dialogs import reports  # noqa: PLC0415

    monkeypatch.setattr(reports.QDesktopServices, "openUrl", lambda _: True)
    type_filter(window, "page_2")
    window.workbench.shown.set_only(True)
    settle()
    reports.save(window, tmp_path / "report")
    settle()
    written = json.loads((tmp_path / "report" / "evaluation.json").read_text())
    assert written["truth"]["pages"] == ["page_2"]
    assert written["truth"]["outside"] == ["page_1"]


def test_a_spot_of_a_list_that_is_being_replaced_is_let_go(window: MainWindow) -> None:
    inspection = window.workbench.state(Inspection)
    inspection.choose_spot(2)
    window.workbench.shown.set_only(True)
    type_filter(window, "no such page")
    assert inspection.spot is None
    inspection.choose_spot(2)  # a row that is still shown
    assert inspection.spot is None
    type_filter(window, "")
    assert inspection.runs.current is not None and len(inspection.runs.current.tally or ()) == 3
