"""Somebody's name goes into the history of what they draw; the menu and the command line set it."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QInputDialog, QLineEdit

from spotlab.cli.open import open_paths
from spotlab.formats.truth import page_xml
from spotlab.gui.annotate.panels.properties import PropertiesPanel
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.offers import Author
from spotlab.gui.window.main_window import MainWindow
from tests.gui.windows import add, close, open_window, press, settle, write_pages


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("authors")
    window = open_window(folder, write_pages(folder / "pages", 1))
    yield window
    close(window)


def test_the_menu_sets_the_name_and_the_panel_shows_who_did_what(window: MainWindow) -> None:
    region = add(window, "sofa")
    panel = window.panels["properties"]
    assert isinstance(panel, PropertiesPanel)
    assert panel.people.whole().startswith(f"{getpass.getuser()}, 20")
    window.actions_by_id["annotate.author"].trigger()
    dialog = window.findChild(QInputDialog)
    field = dialog.findChild(QLineEdit)
    field.selectAll()
    QTest.keyClicks(field, "Anna Karenina")
    box = dialog.findChild(QDialogButtonBox)
    QTest.mouseClick(box.button(box.StandardButton.Ok), Qt.MouseButton.LeftButton)
    window.activateWindow()
    window.canvas.setFocus()
    QApplication.processEvents()
    press(window.canvas, Qt.Key.Key_Right)
    assert panel.people.whole().startswith(f"{getpass.getuser()} → Anna Karenina, 20")
    assert panel.people.toolTip().count("\n") == 1
    settle()
    window.workbench.save()
    settle()
    path = window.workbench.entry.truth_path  # type: ignore[union-attr]
    (read,) = page_xml.read(path).regions
    assert [(entry.deed, entry.author) for entry in read.history] == [
        ("drawn", getpass.getuser()),
        ("changed", "Anna Karenina"),
    ]
    assert read.id == region.id


def test_the_name_is_remembered_and_one_of_the_command_line_is_not(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.json")
    author = Author(settings)
    author.set("  Anna   Karenina ")
    assert settings.flush()
    assert Author(Settings(tmp_path / "settings.json")).name == "Anna Karenina"
    author.use("Bert")
    assert author.name == "Bert"
    assert Author(Settings(tmp_path / "settings.json")).name == "Anna Karenina"
    author.set("")
    assert author.name == getpass.getuser()


def test_open_hands_the_author_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = []
    monkeypatch.setattr(
        "spotlab.cli.open.open_window", lambda paths, author: told.append((paths, author))
    )
    result = CliRunner().invoke(open_paths, [str(tmp_path), "--author", "Anna"])
    assert result.exit_code == 0 and told == [((tmp_path,), "Anna")]
