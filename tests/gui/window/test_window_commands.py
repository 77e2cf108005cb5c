"""The table of actions, the command palette, the keys and who has them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QKeySequence, QTextDocument, QTextFormat
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.gui.annotate.label_finder import LabelFinder
from spotlab.gui.kit.settings import THEME
from spotlab.gui.window.actions import FIXED, normal
from spotlab.gui.window.dialogs.help_viewer import HelpViewer
from spotlab.gui.window.dialogs.preferences import KeysDialog
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.window.menu_bar.menus import menus
from spotlab.gui.window.panels import PANELS
from spotlab.gui.workspace import workspaces
from spotlab.resources import help_folder, help_pages
from tests.gui import windows

WITHOUT_PICTURES = {"compare-runs", "public", "report", "runs", "transcribe", "word-networks"}
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    return windows.begin_anew(lasting, windows.write_pages(tmp_path / "plans"))


@pytest.fixture
def new_window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    """For a test that leaves more behind than can be put back."""
    window = windows.open_window(tmp_path, windows.write_pages(tmp_path / "plans"))
    yield window
    windows.close(window)


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    """A window in which help is only read: one for all pages."""
    window = windows.open_window(tmp_path_factory.mktemp("reader"))
    yield window
    windows.close(window)


def test_no_two_actions_have_the_same_keys(qapp: QApplication) -> None:
    panels = [*PANELS, *(panel for space in workspaces() for panel in space.panels)]
    keys = Counter(
        normal(key) for menu in menus(panels) for action in menu.actions for key in action.keys
    )
    assert [key for key, count in keys.items() if count > 1] == []
    assert not keys.keys() & FIXED.keys()
    assert all(QKeySequence(key).count() == 1 for key in keys)


def test_no_letter_is_a_key_where_letters_find_labels(window: MainWindow) -> None:
    for menu in window.actions_by_id.menus:
        for action in menu.actions:
            if any(key[-1:].isalpha() and key in (key[-1], f"Shift+{key[-1]}")
                   for key in action.keys):  # fmt: skip
                assert not action.enabled(window), action.id
    windows.press(window.canvas, Qt.Key.Key_N)
    assert window.part(LabelFinder).isVisible()


def test_every_action_says_what_it_does(window: MainWindow) -> None:
    for id, action in window.actions_by_id.by_id.items():
        assert action.tip, id
        assert action.plain_title, id
        assert action.tip in window.actions_by_id[id].toolTip()


def test_the_palette_finds_an_action_and_does_it(window: MainWindow) -> None:
    windows.press(window.canvas, Qt.Key.Key_K, CONTROL)
    palette = window.palette_of_commands
    assert palette.isVisible()
    QTest.keyClicks(palette.box, "binaris")
    assert palette.list.item(0).text() == "Ink: Binarised"
    windows.press(palette.box, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert window.workbench.ink.view == "binarised"
    assert window.canvas.hasFocus()


def test_the_palette_finds_labels_and_pages(window: MainWindow) -> None:
    window.workbench.editing.apply_label("washbasin")
    palette = window.palette_of_commands
    palette.open("basin")
    windows.press(palette.box, Qt.Key.Key_Return)
    assert window.workbench.label == "washbasin"
    palette.open("page_2")
    windows.press(palette.box, Qt.Key.Key_Return)
    windows.settle()
    assert window.workbench.index == 1


def test_arrows_and_escape_in_the_palette(window: MainWindow) -> None:
    palette = window.palette_of_commands
    palette.open("")
    windows.press(palette.box, Qt.Key.Key_Down)
    assert palette.list.currentRow() == 1
    windows.press(palette.box, Qt.Key.Key_Up)
    windows.press(palette.box, Qt.Key.Key_Up)
    assert palette.list.currentRow() == palette.list.count() - 1
    windows.press(palette.box, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_scripts_do_what_menus_do(window: MainWindow) -> None:
    assert window.actions_by_id.trigger("view.theme_dark")
    assert window.workbench.settings.get(THEME) == "dark"
    assert window.actions_by_id["view.theme_dark"].isChecked()
    assert not window.actions_by_id.trigger("region.merge")


@pytest.fixture
def dialog(window: MainWindow) -> KeysDialog:
    dialog = KeysDialog(window.actions_by_id, window)
    dialog.show()
    dialog.choose("region.merge")
    return dialog


def test_keys_can_be_chosen_and_outlive_the_program(new_window: MainWindow, tmp_path: Path) -> None:
    window = new_window
    dialog = KeysDialog(window.actions_by_id, window)
    dialog.show()
    dialog.choose("region.merge")
    dialog.edit.setFocus()
    windows.press(dialog.edit, Qt.Key.Key_F7, CONTROL)
    dialog.assign.click()
    assert window.keymap.keys("region.merge")[0] == "Ctrl+F7"
    dialog.close()
    window.activateWindow()
    window.canvas.setFocus()
    windows.add(window)
    windows.add(window, left=150)
    windows.press(window.canvas, Qt.Key.Key_A, CONTROL)
    windows.press(window.canvas, Qt.Key.Key_J, CONTROL)  # the old ones mean nothing now
    assert len(window.workbench.document or ()) == 2
    windows.press(window.canvas, Qt.Key.Key_F7, CONTROL)
    assert len(window.workbench.document or ()) == 1
    again = windows.open_window(tmp_path)
    windows.settle()  # the first window saves as it is left
    assert again.keymap.shown("region.merge") == "Ctrl+F7"
    windows.close(again)


def test_a_conflict_names_the_holder_and_can_be_taken(
    window: MainWindow, dialog: KeysDialog
) -> None:
    windows.press(dialog.edit, Qt.Key.Key_D, CONTROL)
    assert "Duplicate" in dialog.conflict.text()
    assert not dialog.assign.isEnabled()
    assert window.keymap.keys("region.duplicate") == ("Ctrl+D",)
    dialog.take.click()
    assert window.keymap.keys("region.merge")[0] == "Ctrl+D"
    assert window.keymap.keys("region.duplicate") == ()
    dialog.reset_all.click()
    assert window.keymap.keys("region.duplicate") == ("Ctrl+D",)
    assert window.keymap.keys("region.merge") == ("Ctrl+J",)


def test_keys_are_found_by_name_and_by_key(window: MainWindow, dialog: KeysDialog) -> None:
    for text, id in (("dupli", "region.duplicate"), ("Ctrl+K", "edit.commands")):
        dialog.search.setText(text)
        rows = range(dialog.tree.topLevelItemCount())
        found = [dialog.tree.topLevelItem(row).data(0, Qt.ItemDataRole.UserRole) for row in rows]
        assert found == [id]


def test_a_key_with_a_fixed_meaning_cannot_be_had(dialog: KeysDialog) -> None:
    windows.press(dialog.edit, Qt.Key.Key_Space)
    assert "fixed" in dialog.conflict.text()
    assert not dialog.assign.isEnabled()


@pytest.mark.parametrize("name", help_pages())
def test_help_pages_are_there_and_link_only_to_each_other(reader: MainWindow, name: str) -> None:
    viewer = HelpViewer(reader.actions_by_id, reader)
    viewer.open(name)
    text = viewer.page(name)
    assert text.startswith("# ") and "{{" not in text and "is not there" not in text
    assert len(viewer.browser.toPlainText()) > 200
    for part in text.split("](")[1:]:
        target = part.split(")")[0]
        if target.endswith((".png", ".gif")):
            assert (help_folder() / target).is_file()
            assert (help_folder() / target.replace("-light", "-dark")).is_file()
        else:
            assert target.removesuffix(".md") in help_pages()
    assert "](pictures/" in text or name in WITHOUT_PICTURES


def test_the_first_page_links_every_page() -> None:
    files = {file.stem for file in help_folder().glob("*.md")}
    assert set(help_pages()) == files


@pytest.mark.parametrize("name", help_pages())
def test_a_menu_that_the_help_names_is_there(reader: MainWindow, name: str) -> None:
    there = {
        " → ".join(each for each in path if each).replace("&", "")
        for menu in reader.actions_by_id.menus
        for action in menu.actions
        for path in (
            (menu.title, action.section, action.plain_title),
            (menu.title, action.section),  # a submenu
        )
    }
    named = re.findall(r"\*(\w+\s→\s[^*]+)\*", HelpViewer(reader.actions_by_id).page(name))
    assert {" ".join(text.split()).rstrip("…") for text in named} <= there


def test_pictures_of_the_help_fit_its_window(window: MainWindow) -> None:
    viewer = HelpViewer(window.actions_by_id, window)
    viewer.open("annotate")
    windows.settle()
    document = viewer.browser.document()
    assert document.size().width() <= viewer.browser.viewport().width()
    picture = viewer.browser.loadResource(
        QTextDocument.ResourceType.ImageResource.value, QUrl("pictures/annotate-light.png")
    )
    assert 300 < picture.deviceIndependentSize().width() <= viewer.browser.viewport().width()


def test_the_help_lists_the_keys_as_they_are(window: MainWindow) -> None:
    viewer = HelpViewer(window.actions_by_id, window)
    assert "`Ctrl+J`" in viewer.page("keys")
    window.keymap.assign("region.merge", "Ctrl+F7")
    assert "`Ctrl+F7`" in viewer.page("keys")
    assert "`Ctrl+J`" not in viewer.page("keys")


def test_paragraphs_of_the_help_are_not_as_large_as_headings(window: MainWindow) -> None:
    viewer = HelpViewer(window.actions_by_id, window)
    large = QTextFormat.Property.FontSizeAdjustment
    for name in ("index", "systems", "keys", "formats"):
        viewer.open(name)
        windows.settle()
        block = viewer.browser.document().begin()
        while block.isValid():
            if block.length() > 1 and not block.blockFormat().headingLevel():
                assert not block.begin().fragment().charFormat().property(large), block.text()
            block = block.next()
