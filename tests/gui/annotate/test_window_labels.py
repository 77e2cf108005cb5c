"""Somebody labels: digits, the list, colours, renaming everywhere, forgetting what is unused."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from spotlab.formats.collection.label_file import read_labels
from spotlab.formats.truth import page_xml
from spotlab.gui.annotate.panels.labels import LabelsPanel
from spotlab.gui.kit import background
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.window.main_window import MainWindow
from tests.gui import labelled_pages
from tests.gui.windows import add, begin_anew, press, settle, write_pages


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    window = begin_anew(lasting, write_pages(tmp_path / "pages", 3))
    for name in ("sofa", "bed", "sink"):
        window.workbench.editing.apply_label(name)
    return window


def panel(window: MainWindow) -> LabelsPanel:
    widget = window.panels["labels"]
    assert isinstance(widget, LabelsPanel)
    return widget


def labels_on_page(window: MainWindow) -> list[str]:
    assert window.workbench.document is not None
    return [region.label for region in window.workbench.document]


def test_a_digit_labels_the_selection_and_what_is_drawn_next(window: MainWindow) -> None:
    add(window, "sofa")
    press(window.canvas, Qt.Key.Key_2)
    assert labels_on_page(window) == ["bed"]
    assert window.workbench.label == "bed"
    press(window.canvas, Qt.Key.Key_9)  # nobody has it
    assert labels_on_page(window) == ["bed"]
    assert "9" in window.status.hint.whole()


def test_a_digit_typed_into_a_field_is_text(window: MainWindow) -> None:
    add(window, "sofa")
    window.actions_by_id.trigger("page.filter")
    QTest.keyClicks(window.panel(PagesPanel).box, "21")
    assert window.panel(PagesPanel).box.text() == "21"
    assert labels_on_page(window) == ["sofa"]


def test_a_click_labels_and_a_new_name_makes_a_label(window: MainWindow) -> None:
    add(window, "sofa")
    labels = panel(window)
    settle()
    place = labels.list.visualRect(labels.model.index(2, 0)).center()
    QTest.mouseClick(labels.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert labels_on_page(window) == ["sink"]
    QTest.mouseClick(labels.box, Qt.MouseButton.LeftButton)
    QTest.keyClicks(labels.box, "night table")
    press(labels.box, Qt.Key.Key_Return)
    assert labels_on_page(window) == ["night table"]
    assert window.workbench.labels["night table"].digit == "4"


def test_a_digit_pressed_on_a_row_swaps_and_is_remembered(
    window: MainWindow, tmp_path: Path
) -> None:
    labels = panel(window)
    labels.list.setCurrentIndex(labels.model.index(2, 0))
    labels.list.setFocus()
    press(labels.list, Qt.Key.Key_1)
    digits = {label.name: label.digit for label in window.workbench.labels}
    assert digits == {"sofa": "3", "bed": "2", "sink": "1"}
    labels.set_colour("sink", "#123456")
    window.workbench.collection.write_labels()
    kept = read_labels(tmp_path / "pages")
    assert (kept["sink"].digit, kept["sink"].colour) == ("1", "#123456")


def test_renaming_reaches_open_and_closed_pages(window: MainWindow, tmp_path: Path) -> None:
    add(window, "sofa")
    window.workbench.open_page(1)
    settle()
    add(window, "sofa")
    add(window, "bed", 150)
    assert window.workbench.close()  # page 2 is closed from here on
    window.open_paths([tmp_path / "pages"])
    window.workbench.open_page(0)
    settle()
    labelled_pages.rename(window, "sofa", "couch")
    assert labels_on_page(window) == ["couch"]
    other = page_xml.read(tmp_path / "pages" / "page_2.xml")
    assert [region.label for region in other.regions] == ["couch", "bed"]
    assert window.workbench.collection.counts() == {"couch": 2, "bed": 1}
    labelled_pages.undo(window)
    labelled_pages.over(window)
    assert labels_on_page(window) == ["sofa"]
    other = page_xml.read(tmp_path / "pages" / "page_2.xml")
    assert [region.label for region in other.regions] == ["sofa", "bed"]


def test_unused_labels_go_used_ones_stay(window: MainWindow) -> None:
    add(window, "bed")
    settle()
    menu = panel(window).more.menu()
    assert menu is not None
    menu.actions()[0].trigger()
    labelled_pages.wait(lambda: len(window.workbench.labels) == 1)
    assert [label.name for label in window.workbench.labels] == ["bed"]


def test_counts_follow_the_page(window: MainWindow) -> None:
    add(window, "bed")
    add(window, "bed", 150)
    assert background.wait_until(lambda: panel(window).model.counts("bed") == (2, 2))
    window.workbench.open_page(1)
    assert background.wait_until(lambda: panel(window).model.counts("bed") == (0, 2))
