"""The Ink panel: it moves, closes by Escape, cleans the ink and keeps its settings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageDraw
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from spotlab.formats.collection.label_file import read_ink
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.imaging.ink import InkMethod, InkSettings
from tests.gui.choosing import pick
from tests.gui.windows import close, open_window, press, settle, write_pages

RED = (200, 30, 30)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ink")
    image = Image.new("RGB", (640, 480), (250, 250, 250))
    draw = ImageDraw.Draw(image)
    draw.rectangle((40, 40, 99, 89), outline=(0, 0, 0), width=4)
    draw.line((200, 100, 400, 100), fill=RED, width=5)
    for number in range(12):
        draw.rectangle((50 + 40 * number, 300, 51 + 40 * number, 302), fill=(0, 0, 0))  # 2 × 3 px
    (folder / "pages").mkdir()
    image.save(folder / "pages" / "page_1.png")
    return folder


@pytest.fixture(scope="module")
def window(folder: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = open_window(folder, folder / "pages")
    yield window
    close(window)


@pytest.fixture(autouse=True)
def fresh(window: MainWindow) -> Iterator[None]:
    window.ink_box.hide()
    press(window.canvas, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert window.ink_box.isVisible()
    yield
    window.ink_box.reset()
    window.ink_box.hide()
    window.workbench.ink.set_view("raw")


def labelled(window: MainWindow) -> None:
    ink = window.workbench.ink
    assert background.wait_until(lambda: ink.page is not None and ink.page.is_labelled)
    settle()


@pytest.mark.parametrize("focused", ["panel", "page"])
def test_escape_closes_it(window: MainWindow, focused: str) -> None:
    target = window.canvas if focused == "page" else window.ink_box.offset
    target.setFocus()
    QTest.keyClick(target, Qt.Key.Key_Escape)
    assert not window.ink_box.isVisible()
    assert window.canvas.hasFocus()


def test_its_title_moves_it_and_the_canvas_keeps_it(window: MainWindow) -> None:
    box, title = window.ink_box, window.ink_box._title
    before = box.pos()
    start = QPoint(20, 5)
    QTest.mousePress(title, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(title, start + QPoint(-60, 30))
    QTest.mouseRelease(title, Qt.MouseButton.LeftButton, pos=start)
    assert (box.pos() - before).x() == -60
    moved = box.pos()
    box.hide()
    box.show()
    assert box.pos() == moved
    QTest.mousePress(title, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(title, start + QPoint(-9000, 0))
    QTest.mouseRelease(title, Qt.MouseButton.LeftButton, pos=start)
    assert window.canvas.rect().contains(box.geometry())


def test_specks_are_counted_and_removed_in_sight(window: MainWindow, folder: Path) -> None:
    box, ink = window.ink_box, window.workbench.ink
    box.cleaning.specks.setValue(6)
    assert background.wait_until(lambda: ink.settings.specks == 6)
    assert ink.view == "binarised"  # one sees what it does
    labelled(window)
    settle()
    assert box.removed.text() == "Removed: 12 specks"
    assert ink.page is not None and ink.page.components is not None
    assert ink.page.components.count == 2
    assert read_ink(folder / "pages") == ink.settings
    QTest.keyClick(box, Qt.Key.Key_Escape)
    assert ink.view == "raw"


def test_a_small_part_is_taken_by_no_stroke(window: MainWindow) -> None:
    ink = window.workbench.ink
    around = [(45, 295), (60, 295), (60, 310), (45, 310)]
    assert ink.page is not None and len(ink.page.select(around).runs)
    window.ink_box.cleaning.smallest.setValue(4)
    assert background.wait_until(lambda: ink.settings.smallest == 4)
    labelled(window)
    assert window.ink_box.removed.text() == "Removed: 12 small parts"
    assert not len(ink.page.select(around).runs)


def test_the_colour_is_picked_from_the_page(window: MainWindow) -> None:
    box, canvas, ink = window.ink_box, window.canvas, window.workbench.ink
    QTest.mouseClick(box.cleaning.pick, Qt.MouseButton.LeftButton)
    place = QPoint(*map(round, canvas.view.to_view(300, 101)))
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=place)
    assert ink.settings.colour == RED
    assert not box.cleaning.pick.isChecked()
    labelled(window)
    assert ink.page is not None and ink.page.components is not None
    assert ink.page.components.count == 1  # neither the black square nor the specks
    QTest.mouseClick(box.cleaning.any_colour, Qt.MouseButton.LeftButton)
    assert ink.settings.colour is None


def test_escape_first_stops_picking(window: MainWindow) -> None:
    QTest.mouseClick(window.ink_box.cleaning.pick, Qt.MouseButton.LeftButton)
    QTest.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert window.ink_box.isVisible() and not window.ink_box.cleaning.pick.isChecked()


def test_every_option_says_what_it_does(window: MainWindow) -> None:
    box = window.ink_box
    for name, widget in (("Rulings", box.cleaning.rulings), ("Specks", box.cleaning.specks)):
        widget.setFocus()
        assert box.hint.text().startswith(f"{name}: ") and len(box.hint.text()) > 30
    assert all(button.toolTip() for button in box.findChildren(QPushButton)
               if button.text() in {"Reset", "Close"})  # fmt: skip


def test_a_collection_has_its_own_ink(window: MainWindow, folder: Path, tmp_path: Path) -> None:
    ink = window.workbench.ink
    pick(window.ink_box.method, InkMethod.EVEN)
    window.ink_box.cleaning.rulings.click()
    expected = InkSettings(InkMethod.EVEN, rulings=True)
    assert ink.settings == expected
    settle()
    assert json.loads((folder / "pages" / "spotlab.json").read_text())["ink"]["method"] == "even"
    other = write_pages(tmp_path / "other")
    window.open_paths([other])  # nothing is removed there unless one says so
    settle()
    assert ink.settings == InkSettings(InkMethod.EVEN)
    assert not (other / "spotlab.json").exists()
    window.open_paths([folder / "pages"])
    settle()
    assert ink.settings == expected
