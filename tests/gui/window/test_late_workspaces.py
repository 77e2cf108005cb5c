"""Workspaces are made when they are entered or needed; what is offered does not depend on that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu

from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows

OTHERS = ("inspect", "words", "systems")


@pytest.fixture(scope="module")
def window(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("late")
    window = windows.open_window(folder, windows.write_pages(folder / "pages"))
    yield window
    windows.close(window)


def offered(window: MainWindow) -> dict[str, tuple[bool, bool, str, str]]:
    """What every action is at the moment: possible, visible, its text and its keys."""
    actions = window.actions_by_id
    actions.update()
    return {
        id: (
            actions[id].isEnabled(),
            actions[id].isVisible(),
            actions[id].text(),
            QKeySequence.listToString(actions[id].shortcuts()),
        )
        for id in actions.by_id
    }


def palette(window: MainWindow) -> list[str]:
    """What the command palette has."""
    window.find_command()
    listed = [command.text for command in window.palette_of_commands._commands]
    window.palette_of_commands.leave()
    return listed


def test_the_same_is_offered_before_and_after(window: MainWindow) -> None:
    """Runs first: nothing but Annotate has been wanted of the window."""
    assert [name for name in window.workspaces if window.late.is_made(name)] == ["annotate"]
    before, listed = offered(window), palette(window)
    assert before["run.open"][0] and not before["run.close"][0] and not before["words.open"][0]
    for name in OTHERS:
        window.late.make(name)
    assert offered(window) == before
    assert palette(window) == listed


def test_a_window_on_nothing_makes_no_workspace(qapp: QApplication, tmp_path: Path) -> None:
    window = windows.open_window(tmp_path)
    try:
        assert not any(map(window.late.is_made, window.workspaces))
        before = offered(window)
        menu = next(menu for menu in window.menuBar().findChildren(QMenu) if menu.title() == "&Run")
        menu.aboutToShow.emit()
        assert window.late.is_made("inspect")
        assert window.actions_by_id["run.read_changed"].isChecked()
        for name in window.workspaces:
            window.late.make(name)
        assert offered(window) == before
        windows.press(window, Qt.Key.Key_M, Qt.KeyboardModifier(0x0C000000))  # Ctrl+Alt
        assert [each for each in window.findChildren(QDialog) if each.isVisible()]
    finally:
        windows.close(window)


def test_layers_lie_over_each_other_in_one_order(window: MainWindow, tmp_path: Path) -> None:
    """Whichever workspace is entered first."""
    other = windows.open_window(tmp_path, windows.write_pages(tmp_path / "pages", 1))
    try:
        for name in reversed(OTHERS):
            other.enter(name)
        for name in OTHERS:
            window.late.make(name)
        assert list(other.canvas.layers) == list(window.canvas.layers)
        assert list(other.docks.by_name) == [
            name for name in (panel.name for panel in other.panels.every)
            if name in other.docks.by_name
        ]  # fmt: skip
    finally:
        windows.close(other)


def test_a_key_enters_a_workspace_that_is_made_then(window: MainWindow) -> None:
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    for key, name in (
        (Qt.Key.Key_3, "words"),
        (Qt.Key.Key_2, "inspect"),
        (Qt.Key.Key_1, "annotate"),
    ):
        windows.press(window.canvas, key, Qt.KeyboardModifier.ControlModifier)
        assert window.workbench.workspace == name
        assert window.late.is_made(name)
