"""The menu bar: general menus and those of the current workspace; keys and Ctrl+K know all."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows

GENERAL = ["File", "Edit", "View", "Page"]
OWN = {
    "annotate": ["Annotate", "Region", "Tools"],
    "inspect": ["Run"],
    "words": ["Words"],
    "systems": ["Systems"],
}
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(lasting: MainWindow, tmp_path: Path) -> MainWindow:
    return windows.begin_anew(lasting, windows.write_pages(tmp_path / "pages"))


def titles(window: MainWindow) -> list[str]:
    """The menus that somebody sees."""
    return [
        entry.text().replace("&", "")
        for entry in window.menuBar().actions()
        if entry.isVisible() and not window.menuBar().actionGeometry(entry).isEmpty()
    ]


def menu(window: MainWindow, title: str) -> QMenu:
    found = [each for each in window.menuBar().findChildren(QMenu) if each.title() == title]
    return found[0]


def test_the_bar_has_the_menus_of_the_current_workspace(window: MainWindow) -> None:
    for key, name in enumerate(("annotate", "inspect", "words", "systems", "annotate"), 1):
        windows.press(window, Qt.Key(Qt.Key.Key_0 + (key - 1) % 4 + 1), CTRL)
        assert window.workbench.workspace == name
        assert titles(window) == [*GENERAL, *OWN[name], "Help"]


def test_a_workspace_is_entered_from_a_menu(window: MainWindow) -> None:
    view = menu(window, "&View")
    view.aboutToShow.emit()
    (spaces,) = (each.menu() for each in view.actions() if each.text() == "Workspace")
    assert isinstance(spaces, QMenu)
    offered = {each.text(): each for each in spaces.actions()}
    assert list(offered) == ["Annotate", "Inspect", "Words", "Systems"]
    offered["Words"].trigger()
    assert window.workbench.workspace == "words"
    assert offered["Words"].isChecked() and not offered["Annotate"].isChecked()


def test_tools_lists_only_those_that_can_be_chosen(window: MainWindow) -> None:
    tools = menu(window, "&Tools")
    tools.aboutToShow.emit()
    shown = [each for each in tools.actions() if each.isVisible()]
    assert "Sketch" in {each.text() for each in shown}
    assert all(each.isEnabled() for each in shown)


def test_keys_of_a_hidden_menu_still_say_why(window: MainWindow) -> None:
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    windows.press(window, Qt.Key.Key_2, CTRL)
    windows.press(window, Qt.Key.Key_J, CTRL)  # Region → Merge, whose menu is not there now
    assert said[-1] == "Merge: Regions are drawn and changed in Annotate"


def test_the_palette_does_what_the_hidden_menu_of_another_workspace_has(
    window: MainWindow,
) -> None:
    assert "Systems" not in titles(window)
    done: list[str] = []
    window.actions_by_id.ran.connect(lambda action: done.append(action.objectName()))
    windows.press(window, Qt.Key.Key_K, CTRL)
    QTest.keyClicks(window.palette_of_commands.box, "open the paper's example")
    windows.press(window.palette_of_commands.box, Qt.Key.Key_Return)
    windows.settle()
    assert done[-1] == "systems.example", done
