"""The window without a mouse, and for those who hear it: Tab, F6 and names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QScrollBar, QWidget

from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.systems.state import Systems
from spotlab.gui.window.command_palette import CONTROLS, accessible_name
from spotlab.gui.window.main_window import MainWindow
from spotlab.resources import VOTES, sample_collection
from tests.gui import windows
from tests.gui.inspect.inspecting import write_collection, write_runs

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("keyboard")
    window = windows.open_window(folder, write_collection(folder / "pages"))
    window.workbench.state(Inspection).runs.open(write_runs(folder / "runs"))
    window.workbench.state(Systems).open([sample_collection(VOTES) / "contest.csv"])
    windows.settle()
    yield window
    windows.close(window)


def controls(window: MainWindow) -> list[QWidget]:
    """What one can use or go to; not the parts that Qt makes of a control."""
    parts = (QScrollBar,)
    return [
        widget
        for widget in window.findChildren(QWidget)
        if isinstance(widget, CONTROLS)
        and not isinstance(widget, parts)
        and not isinstance(widget.parentWidget(), QAbstractSpinBox | QComboBox)
        and not widget.objectName().startswith("qt_")
    ]


def nameless(window: MainWindow) -> list[str]:
    every = (each for each in controls(window) if not accessible_name(each).strip())
    return [f"{type(each).__name__} in {each.parentWidget()}" for each in every]


@pytest.mark.slow
@pytest.mark.parametrize("workspace", ["annotate", "inspect", "words", "systems"])
def test_every_control_has_a_name(opened: MainWindow, workspace: str) -> None:
    opened.enter(workspace)
    for name in [name for name in opened.docks.by_name if opened.docks.offered(name)]:
        opened.docks.bring(name)
        windows.settle()
    assert background.wait_until(lambda: not nameless(opened), 10), nameless(opened)
    assert len(controls(opened)) > 40


def test_tab_leaves_the_canvas(opened: MainWindow) -> None:
    opened.enter("annotate")
    opened.activateWindow()
    opened.canvas.setFocus()
    windows.add(opened)
    windows.press(opened.canvas, Qt.Key.Key_Tab)
    focus = QApplication.focusWidget()
    assert focus is not None and focus is not opened.canvas


def test_f6_walks_the_panels_and_comes_back(opened: MainWindow) -> None:
    opened.enter("annotate")
    opened.activateWindow()
    windows.settle()
    opened.canvas.setFocus()
    seen: list[QWidget] = []
    for _ in range(12):
        focus = QApplication.focusWidget()
        assert focus is not None
        windows.press(focus, Qt.Key.Key_F6)
        after = QApplication.focusWidget()
        assert after is not None
        if opened.centralWidget().isAncestorOf(after):
            break
        seen.append(after)
    docks = [dock for dock in opened.docks.by_name.values() if any(map(dock.isAncestorOf, seen))]
    assert len(docks) >= 2
    assert opened.rail.isAncestorOf(seen[-1])  # tools take the focus, too
    before = QApplication.focusWidget()
    assert before is not None
    windows.press(before, Qt.Key.Key_F6, SHIFT)
    assert QApplication.focusWidget() is seen[-1]


def test_regions_are_stepped_through_by_other_keys(opened: MainWindow) -> None:
    opened.enter("annotate")
    opened.activateWindow()
    opened.canvas.setFocus()
    windows.add(opened, left=150)
    opened.workbench.selection.clear()
    windows.press(opened.canvas, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert len(opened.workbench.selection) == 1
