"""Workspaces: keys and the rail switch them, each remembers its panels, Inspect edits nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton

from spotlab.gui.annotate.label_finder import LabelFinder
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.inspect.inspecting import write_collection, write_runs

CONTROL = Qt.KeyboardModifier.ControlModifier
INSPECT, ANNOTATE = Qt.Key.Key_2, Qt.Key.Key_1
TABLES = {"figures", "errors", "confusion", "compare"}  # folded in a window of 1440 px
IN_INSPECT = {"pages", "runs", "curves", "spot"}
IN_ANNOTATE = {"pages", "labels", "region_list", "properties"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_collection(tmp_path / "pages")


@pytest.fixture
def window(tmp_path: Path, folder: Path, lasting: MainWindow) -> MainWindow:
    return windows.begin_anew(lasting, folder, size=(1440, 900))


@pytest.fixture
def new_window(tmp_path: Path, folder: Path, qapp: QApplication) -> Iterator[MainWindow]:
    """For a test that leaves more behind than can be put back."""
    window = windows.open_window(tmp_path, folder, size=(1440, 900))
    yield window
    windows.close(window)


@pytest.fixture(scope="module")
def one_window(
    tmp_path_factory: pytest.TempPathFactory, qapp: QApplication
) -> Iterator[MainWindow]:
    """One for all tests in which nothing changes."""
    folder = tmp_path_factory.mktemp("one")
    window = windows.open_window(folder, write_collection(folder / "pages"), size=(1440, 900))
    yield window
    windows.close(window)


@pytest.fixture
def unchanged(one_window: MainWindow) -> MainWindow:
    """The one window in Annotate, on its first page."""
    switch(one_window, ANNOTATE)
    one_window.workbench.open_page(0)
    windows.settle()
    return one_window


def switch(window: MainWindow, key: Qt.Key) -> None:
    windows.press(window.canvas, key, CONTROL)
    windows.settle()


def shown(window: MainWindow) -> set[str]:
    return {name for name, dock in window.docks.by_name.items() if not dock.isHidden()}


def tools(window: MainWindow) -> list[str]:
    buttons = window.rail.findChildren(QToolButton)
    named = {window.actions_by_id[f"tool.{name}"]: name for name in ("sketch", "select", "inspect")}
    return [
        named[button.defaultAction()]
        for button in buttons
        if button.isVisible() and button.defaultAction() in named
    ]


def test_keys_switch_panels_and_tools(window: MainWindow) -> None:
    assert shown(window) == IN_ANNOTATE
    assert set(tools(window)) == {"sketch", "select"}
    switch(window, INSPECT)
    assert window.workbench.workspace == "inspect"
    assert shown(window) == IN_INSPECT
    assert tools(window) == ["inspect"] and window.workbench.tool == "inspect"
    switch(window, ANNOTATE)
    assert shown(window) == IN_ANNOTATE and window.workbench.tool == "sketch"


def test_a_click_on_the_rail(window: MainWindow) -> None:
    action = window.actions_by_id["workspace.inspect"]
    button = next(b for b in window.rail.findChildren(QToolButton) if b.defaultAction() is action)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.workbench.workspace == "inspect" and action.isChecked()


def test_page_and_zoom_stay(window: MainWindow) -> None:
    window.workbench.open_page(1)
    windows.settle()
    window.canvas.zoom_to(8.0)  # nothing of the window is beside the page
    place = window.canvas.view.to_page(300, 300)
    scale = window.canvas.view.scale
    switch(window, INSPECT)
    switch(window, ANNOTATE)
    assert window.workbench.index == 1
    assert window.canvas.view.scale == scale
    assert window.canvas.view.to_page(300, 300) == pytest.approx(place, abs=1)


def test_the_selection_stays(window: MainWindow) -> None:
    window.workbench.selection.set(["r1"])
    switch(window, INSPECT)
    switch(window, ANNOTATE)
    assert [region.id for region in window.workbench.selected] == ["r1"]


def test_closed_and_opened_panels_are_remembered_by_workspace_and_start(
    new_window: MainWindow, tmp_path: Path, folder: Path
) -> None:
    window = new_window
    window.docks.toggle("history")
    window.docks.toggle("curves")
    switch(window, INSPECT)
    window.docks.toggle("errors")  # all tables are folded
    assert shown(window) == IN_INSPECT | TABLES
    window.docks.toggle("errors")
    window.docks.toggle("pages")  # it is behind the runs
    assert shown(window) == IN_INSPECT | TABLES - {"errors"}
    window.docks.toggle("pages")
    windows.settle()
    assert shown(window) == (IN_INSPECT | TABLES) - {"errors", "pages"}
    switch(window, ANNOTATE)
    assert shown(window) == IN_ANNOTATE | {"history", "curves"}
    window.close()
    again = windows.open_window(tmp_path, folder, size=(1440, 900))
    try:
        assert shown(again) == IN_ANNOTATE | {"history", "curves"}
        switch(again, INSPECT)
        assert shown(again) == (IN_INSPECT | TABLES) - {"errors", "pages"}
    finally:
        windows.close(again)


def test_closed_in_inspect_is_remembered_when_it_was_left_from_there(
    new_window: MainWindow, tmp_path: Path, folder: Path
) -> None:
    window = new_window
    switch(window, INSPECT)
    window.docks.toggle("spot")
    window.close()
    again = windows.open_window(tmp_path, folder, size=(1440, 900))
    try:
        switch(again, INSPECT)
        assert shown(again) == IN_INSPECT - {"spot"}
    finally:
        windows.close(again)


def test_inspect_entered_before_there_are_pages(
    tmp_path: Path, folder: Path, qapp: QApplication
) -> None:
    window = windows.open_window(tmp_path, size=(1440, 900))
    try:
        window.actions_by_id.trigger("workspace.inspect")
        assert shown(window) == set()
        window.open_paths([folder])
        windows.settle()
        assert shown(window) == IN_INSPECT
        switch(window, ANNOTATE)
        assert shown(window) == IN_ANNOTATE
    finally:
        windows.close(window)


@pytest.mark.parametrize(
    "key",
    [
        Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_S, Qt.Key.Key_B, Qt.Key.Key_1,
        Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_M,
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "held", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier]
)
def test_editing_keys_change_nothing_in_inspect(
    unchanged: MainWindow, key: Qt.Key, held: Qt.KeyboardModifier
) -> None:
    window, workbench = unchanged, unchanged.workbench
    workbench.selection.set(["r1", "r2"])
    switch(window, INSPECT)
    workbench.selection.set(["r1", "r2"])  # a script may
    before = workbench.document.truth
    windows.press(window.canvas, key, held)
    assert workbench.document.truth.regions == before.regions
    assert not workbench.session.dirty
    assert not window.part(LabelFinder).isVisible()
    assert workbench.workspace == "inspect"


@pytest.mark.parametrize("key", [Qt.Key.Key_X, Qt.Key.Key_V, Qt.Key.Key_D, Qt.Key.Key_A])
def test_control_keys_change_nothing_in_inspect(window: MainWindow, key: Qt.Key) -> None:
    workbench = window.workbench
    workbench.selection.set(["r1"])
    windows.press(window.canvas, Qt.Key.Key_C, CONTROL)
    windows.add(window, "sofa", 5, 150)
    switch(window, INSPECT)
    workbench.selection.set(["r1"])
    before = workbench.document.truth
    windows.press(window.canvas, key, CONTROL)
    assert workbench.document.truth.regions == before.regions


def test_curves_follow_a_drawing_in_annotate(window: MainWindow, tmp_path: Path) -> None:
    window.workbench.state(Inspection).runs.open(write_runs(tmp_path / "runs"))
    windows.settle()
    window.docks.toggle("curves")
    inspection = window.workbench.state(Inspection)
    before = inspection.runs.current.figures.columns["area_recall"].copy()
    windows.add(window, "sofa", 5, 150)
    windows.settle()
    after = inspection.runs.current.figures.columns["area_recall"]
    assert (before != after).any()


def test_panels_of_other_workspaces_are_not_offered(new_window: MainWindow) -> None:
    window = new_window
    assert window.docks.offered("curves") and not window.docks.offered("errors")
    switch(window, INSPECT)
    assert window.docks.offered("errors") and not window.docks.offered("labels")
