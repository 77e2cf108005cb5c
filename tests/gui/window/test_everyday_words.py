"""Ctrl+K with the words that people use: what they mean is found, or stands there with a reason."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from spotlab.gui.kit.rows import HINT, QUIET
from spotlab.gui.window.command_palette import CommandPalette
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.workspace import Condition, workspaces
from spotlab.resources import help_groups, help_pages
from tests.gui import windows

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
MEANT = {
    "undo": "Undo",
    "redo": "Redo",
    "delete": "Delete",
    "remove": "Delete",
    "erase": "Delete",
    "help": "Help on This Workspace",
    "manual": "Help on This Workspace",
    "report": "Save Report",
    "print": "Save Report",
    "purge": "Panels: Scores",
    "threshold": "Panels: Scores",
    "cut": "Cut",
    "tutorial": "Tutorial",
    "troubleshooting": "Troubleshooting",
    "zoom": "Zoom In",
    "find": "Search a Word",
    "search": "Panels: Search",
    "import": "Import Truth",
    "export": "Export",
    "open": "Open Pages",
    "save": "Save Now",
    "close": "Close Run",
    "quit": "Quit",
    "exit": "Quit",
    "rename": "Panels: Labels",
    "colour": "Panels: Labels",
    "color": "Panels: Labels",
    "label": "Label",
    "tag": "Label",
    "dark": "Theme: Dark",
    "theme": "Theme: Dark",
    "mode": "Theme: Dark",
    "shortcuts": "Keys",
    "settings": "Preferences",
    "preferences": "Preferences",
    "options": "Preferences",
    "hotkeys": "Keys",
    "copy": "Copy",
    "clone": "Duplicate",
    "join": "Merge",
    "history": "Panels: Steps",
    "brightness": "Ink, Contrast and Share",
    "detect": "Propose Everything",
    "train": "Adapt to This Hand",
    "check": "Validate Collection",
    "example": "Open the Sample Collection",
    "recent": "Open Recent",
    "statistics": "Panels: Figures",
    "mistakes": "Panels: Errors",
    "mirror": "Turn: Flip Horizontally",
    "note": "Comment",
    "name": "Author",
    "coco": "Export",
    "version": "About spotlab",
    "layout": "Reset Panels",
    "bug": "Troubleshooting",
}
HELP_OF_PANELS = [
    ("inspect", "curves", "curves"),
    ("inspect", "compare", "compare-runs"),
    ("words", "word_settings", "word-lists"),
    ("systems", "weights", "systems"),
]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("words")
    window = windows.open_window(folder, windows.write_pages(folder / "plans"))
    yield window
    windows.close(window)


@pytest.fixture
def palette(opened: MainWindow) -> Iterator[CommandPalette]:
    opened.enter("annotate")
    yield opened.palette_of_commands
    opened.palette_of_commands.leave()


def listed(palette: CommandPalette) -> list[str]:
    return [palette.list.item(row).text() for row in range(palette.list.count())]


@pytest.mark.parametrize("word", MEANT)
def test_an_everyday_word_finds_what_it_means(palette: CommandPalette, word: str) -> None:
    palette.open(word)
    assert MEANT[word] in listed(palette)
    assert palette.list.currentRow() == 0
    for row in range(palette.list.count()):
        item = palette.list.item(row)
        if item.data(QUIET):
            assert len(item.data(HINT)) > 8, item.text()  # the reason


def test_what_cannot_be_done_is_listed_with_the_reason(
    opened: MainWindow, palette: CommandPalette
) -> None:
    said: list[str] = []
    opened.workbench.said.connect(lambda text, _: said.append(text))
    palette.open("merge")
    item = palette.list.item(listed(palette).index("Merge"))
    assert item.data(QUIET)
    assert item.data(HINT) == "No region is selected"
    palette.list.setCurrentItem(item)
    windows.press(palette.box, Qt.Key.Key_Return)
    assert said == ["Merge: No region is selected"]
    windows.add(opened)
    windows.add(opened, left=150)
    windows.press(opened.canvas, Qt.Key.Key_A, CONTROL)
    palette.open("merge")
    item = palette.list.item(listed(palette).index("Merge"))
    assert not item.data(QUIET)
    palette.list.setCurrentItem(item)
    windows.press(palette.box, Qt.Key.Key_Return)
    assert len(opened.workbench.document or ()) == 1
    opened.workbench.editing.undo()
    opened.workbench.selection.clear()


@pytest.mark.parametrize("text", ["untouhced", "reprot", "undoo", "settting", "zomo in"])
def test_enter_does_nothing_that_is_only_similar(
    opened: MainWindow, palette: CommandPalette, text: str
) -> None:
    ran: list[str] = []
    palette.open("")
    QTest.keyClicks(palette.box, text)
    palette._commands = [
        type(command)(command.text, command.hint, command.icon, lambda: ran.append("ran"))
        for command in palette._commands
    ]
    assert palette.list.currentRow() == -1
    windows.press(palette.box, Qt.Key.Key_Return)
    assert not ran
    assert palette.isVisible()
    windows.press(palette.box, Qt.Key.Key_Down)
    if listed(palette)[0] != "No action, label, page or help page has this name":
        assert palette.list.currentRow() == 0


def test_help_pages_are_found_and_opened(opened: MainWindow, palette: CommandPalette) -> None:
    for name, title in help_pages().items():
        palette.open(title)
        assert f"Help: {title}" in listed(palette), name
    palette.open("purge threshold")
    title = "Help: Choose a purge threshold"
    palette.list.setCurrentRow(listed(palette).index(title))
    windows.press(palette.box, Qt.Key.Key_Return)
    assert opened._help is not None and opened._help.isVisible()
    assert "purge threshold" in opened._help.browser.toPlainText()[:60]
    opened._help.close()


def test_nothing_of_that_name(palette: CommandPalette) -> None:
    palette.open("qqqqqqqq")
    assert listed(palette) == ["No action, label, page or help page has this name"]
    assert palette.list.currentRow() == -1
    windows.press(palette.box, Qt.Key.Key_Return)
    assert palette.isVisible()


def test_every_own_action_says_why_it_cannot_be_done(opened: MainWindow) -> None:
    def sentences(condition: Condition) -> Iterator[str]:
        if condition.unmet:
            yield condition.unmet
        for first in condition.first:
            yield from sentences(first)

    for id, action in opened.actions_by_id.by_id.items():
        assert isinstance(action.enabled, Condition), id
        for sentence in sentences(action.enabled):
            assert sentence[0].isupper() and not sentence.endswith("."), id


def test_a_key_of_something_that_cannot_be_done_says_why(opened: MainWindow) -> None:
    opened.enter("annotate")
    opened.workbench.selection.clear()
    said: list[str] = []
    opened.workbench.said.connect(lambda text, _: said.append(text))
    opened.activateWindow()
    opened.canvas.setFocus()
    windows.press(opened.canvas, Qt.Key.Key_J, CONTROL)
    windows.press(opened.canvas, Qt.Key.Key_Delete)
    windows.press(opened.canvas, Qt.Key.Key_W, CONTROL)
    assert said == [
        "Merge: No region is selected",
        "Delete: No region is selected",
        "Close Run: Go to Inspect first",
    ]
    tip = opened.actions_by_id["region.merge"].toolTip()
    assert tip.endswith("\nNo region is selected")


@pytest.mark.parametrize("name", ["annotate", "inspect", "words", "systems"])
def test_f1_opens_the_page_of_the_workspace(opened: MainWindow, name: str) -> None:
    opened.enter(name)
    opened.activateWindow()
    windows.settle()
    windows.press(opened, Qt.Key.Key_F1)
    assert opened._help is not None and opened._help.isVisible()
    assert opened._help.list.currentItem().text() == help_pages()[name]
    opened._help.close()


@pytest.mark.parametrize(("workspace", "panel", "page"), HELP_OF_PANELS)
def test_f1_opens_the_page_of_the_panel_that_has_the_keyboard(
    opened: MainWindow, workspace: str, panel: str, page: str
) -> None:
    opened.enter(workspace)
    opened.docks.bring(panel)
    opened.activateWindow()
    windows.settle()
    dock = opened.docks.by_name[panel]
    inside = [
        each
        for each in dock.widget().findChildren(QWidget)
        if each.isVisible() and each.isEnabled() and each.focusPolicy() & Qt.FocusPolicy.TabFocus
    ]
    inside[0].setFocus()
    windows.press(inside[0], Qt.Key.Key_F1)
    assert opened._help is not None
    assert opened._help.list.currentItem().text() == help_pages()[page]
    opened._help.close()


def test_panels_have_pages_that_are_there() -> None:
    named = [each.help for space in workspaces() for each in space.panels if each.help]
    assert len(named) >= 10 and {*named} <= help_pages().keys()


def test_the_help_goes_back_and_forward(opened: MainWindow) -> None:
    opened.show_help("index")
    viewer = opened._help
    assert viewer is not None
    for name in ("tutorial", "words"):
        opened.show_help(name)
    windows.settle()
    windows.press(viewer, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert viewer.browser.toPlainText().startswith("Tutorial")
    viewer.back.click()
    assert viewer.list.currentItem().text() == "Overview"
    viewer.forward.click()
    assert viewer.browser.toPlainText().startswith("Tutorial")
    opened.show_help("keys")
    assert not viewer.forward.isEnabled()
    viewer.close()


def test_the_help_is_searched_and_grouped(opened: MainWindow) -> None:
    opened.show_help("index")
    viewer = opened._help
    assert viewer is not None
    rows = [viewer.list.item(row) for row in range(viewer.list.count())]
    assert [each.text() for each in rows if each.data(QUIET)] == [
        group.upper() for group in help_groups() if group
    ]
    QTest.keyClicks(viewer.search, "Dawid")
    shown = [each.text() for each in rows if not each.isHidden()]
    assert help_pages()["systems"] in shown and help_pages()["install"] not in shown
    windows.press(viewer.search, Qt.Key.Key_Return)
    marked = [each.cursor.selectedText() for each in viewer.browser.extraSelections()]
    assert marked and {text.casefold() for text in marked} == {"dawid"}
    viewer.search.clear()
    assert not any(each.isHidden() for each in rows)
    viewer.close()


def test_the_help_menu_has_what_newcomers_look_for(opened: MainWindow) -> None:
    titles = {
        id: action.plain_title
        for id, action in opened.actions_by_id.by_id.items()
        if id.startswith("help.")
    }
    assert {"Five Minutes", "Tutorial", "Troubleshooting"} <= set(titles.values())
    opened.actions_by_id.trigger("help.tour")
    assert opened._help is not None
    assert opened._help.browser.toPlainText().startswith("Five minutes")
    opened._help.close()
