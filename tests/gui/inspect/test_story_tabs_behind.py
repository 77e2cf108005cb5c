"""A tab behind others computes nothing until it is clicked; N steps through errors all the same."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QTabBar

from spotlab.gui.inspect.panels import confusion
from spotlab.gui.inspect.panels import errors as errors_panel
from spotlab.gui.inspect.panels.confusion import ConfusionPanel
from spotlab.gui.inspect.panels.errors import ErrorsPanel
from spotlab.gui.inspect.panels.figures_table import FiguresPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.studies.evaluate.cuts import ListCut
from tests.gui import timers, windows
from tests.gui.inspect.inspecting import calm, write_collection, write_runs


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    """In Inspect, with Figures before Errors and Confusion."""
    window = windows.begin_anew(lasting, write_collection(tmp_path / "pages"))
    window.workbench.state(Inspection).runs.open(write_runs(tmp_path / "elsewhere"))
    window.enter("inspect")
    window.docks.bring("figures")  # the tables are folded in a window of this size
    windows.settle()
    calm()
    return window


def click_tab(window: MainWindow, title: str, waits: bool = True) -> None:
    for bar in window.findChildren(QTabBar):
        for at in range(bar.count()):
            if bar.tabText(at) == title and bar.isVisible():
                QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(at).center())
                if waits:
                    calm()
                return
    raise AssertionError(f"no tab {title}")


def test_only_the_tab_in_front_is_drawn(window: MainWindow) -> None:
    figures, errors, confusion = (
        window.panel(kind) for kind in (FiguresPanel, ErrorsPanel, ConfusionPanel)
    )
    assert not figures.outdated
    assert errors.outdated and errors.model.rowCount() == 0
    assert confusion.outdated
    click_tab(window, "Errors")
    count = errors.model.rowCount()
    assert count > 1
    assert confusion.outdated
    click_tab(window, "Figures")
    window.workbench.state(Inspection).set_cut(ListCut("rank", 1))
    calm()
    assert errors.outdated and errors.model.rowCount() == count
    click_tab(window, "Errors")
    assert not errors.outdated and errors.model.rowCount() != count


def test_errors_may_still_be_measured_when_their_run_is_closed_and_opened_again(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors, runs = window.panel(ErrorsPanel), window.workbench.state(Inspection).runs
    goes_on, measured = Event(), errors_panel._measured

    def slowly(*arguments: Any) -> Any:
        goes_on.wait(10)
        return measured(*arguments)

    monkeypatch.setattr(errors_panel, "_measured", slowly)
    click_tab(window, "Errors", waits=False)
    assert background.wait_until(lambda: not timers.hurry() and errors.model.rowCount() > 1)
    click_tab(window, "Figures", waits=False)
    while len(runs):
        runs.close(0)
    goes_on.set()
    calm()
    runs.open(write_runs(tmp_path / "elsewhere"))
    calm()
    click_tab(window, "Errors")
    model = errors.model
    assert model.rowCount() > 1
    shares = [model.index(row, 8).data() for row in range(model.rowCount())]
    assert any(share.endswith("%") for share in shares)


def test_n_goes_to_the_first_error_while_another_tab_is_in_front(window: MainWindow) -> None:
    inspection = window.workbench.state(Inspection)
    assert inspection.spot is None
    windows.press(window.canvas, Qt.Key.Key_N)
    calm()
    assert inspection.spot is not None or inspection.region is not None
    assert window.panel(ErrorsPanel).model.rowCount() > 1


@pytest.mark.parametrize("workspace", ["inspect", "annotate"])
def test_the_confusion_table_is_exported_from_anywhere(
    window: MainWindow, tmp_path: Path, workspace: str
) -> None:
    window.enter(workspace)
    window.actions_by_id.trigger("run.export_confusion")
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.selectFile(str(tmp_path / "found.csv"))
    dialog.accept()  # at once: nothing has been counted yet
    head, *rows = (tmp_path / "found.csv").read_text().splitlines()
    assert head.startswith("query,") and len(rows) > 1


def test_nothing_is_written_while_the_table_is_not_there(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confusion, "PATIENCE", 0.0)
    said: list[tuple[str, bool]] = []
    window.workbench.said.connect(lambda *line: said.append(line))
    window.actions_by_id.trigger("run.export_confusion")
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.selectFile(str(tmp_path / "found.csv"))
    dialog.accept()
    assert not (tmp_path / "found.csv").exists()
    assert "found.csv was not written" in said[-1][0] and said[-1][1]
