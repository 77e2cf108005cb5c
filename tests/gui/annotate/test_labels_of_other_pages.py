"""Labels of pages that nobody has opened yet: they are listed, and a click uses them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QColorDialog,
    QDialog,
    QDialogButtonBox,
    QInputDialog,
)

from spotlab.gui.annotate.label_finder import LabelFinder
from spotlab.gui.annotate.panels.label_model import LABEL_ROLE
from spotlab.gui.annotate.panels.labels import LabelsPanel
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from tests.gui.labelled_pages import choose, write_labelled
from tests.gui.windows import add, begin_anew, press

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    """A page without truth, and two others with a lamp and a stool."""
    folder = write_labelled(tmp_path / "pages", 3, ["lamp", "stool"])
    (folder / "page_0001.xml").unlink()
    window = begin_anew(lasting, folder)
    window.docks.bring("labels")
    assert background.wait_until(lambda: shown(window) == ["lamp", "stool"], 10)
    return window


def panel(window: MainWindow) -> LabelsPanel:
    return window.panel(LabelsPanel)


def shown(window: MainWindow) -> list[str]:
    model = panel(window).model
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def labels(window: MainWindow) -> list[str]:
    return [label.name for label in window.workbench.labels]


def refused(window: MainWindow) -> bool:
    """Whether a strip says that the set is locked, which it is; then it is closed."""
    said = "locked" in window.banner.text.text()
    window.banner.dismiss()
    window.banner.text.clear()
    return said and labels(window) == []


def press_ok(dialog: QDialog) -> None:
    box = dialog.findChild(QDialogButtonBox)
    assert box is not None
    QTest.mouseClick(box.button(QDialogButtonBox.StandardButton.Ok), LEFT)


def test_they_are_listed_with_their_counts_and_no_file_is_written(window: MainWindow) -> None:
    folder = window.workbench.collection.folder
    assert folder is not None
    before = sorted(folder.iterdir())
    model = panel(window).model
    assert labels(window) == []
    assert model.counts("lamp") == (0, 2)
    tip = model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "Not in the label set yet" in tip
    assert "2 in the collection" in tip
    window.workbench.collection.write_labels()
    assert sorted(folder.iterdir()) == before


def test_a_click_on_one_labels_what_is_selected(window: MainWindow) -> None:
    add(window, "")
    view = panel(window).list
    place = view.visualRect(panel(window).model.index(1, 0)).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=place)
    assert [region.label for region in window.workbench.document or ()] == ["stool"]
    assert labels(window) == ["stool"]
    assert shown(window) == ["stool", "lamp"]  # which stands behind the set


def test_a_digit_on_its_row_is_its_key(window: MainWindow) -> None:
    view = panel(window).list
    view.setCurrentIndex(panel(window).model.index(0, 0))
    view.setFocus()
    QTest.keyClicks(view, "7")
    assert labels(window) == ["lamp"]
    label = panel(window).model.index(0, 0).data(LABEL_ROLE)
    assert (label.name, label.digit) == ("lamp", "7")


def test_a_locked_set_refuses_it(window: MainWindow) -> None:
    window.workbench.collection.lock_labels(True)
    view = panel(window).list
    view.setCurrentIndex(panel(window).model.index(0, 0))
    view.setFocus()
    QTest.keyClicks(view, "7")
    assert refused(window)
    choose(window, "lamp", "Description…")
    describing = panel(window).findChild(QInputDialog)
    assert describing is not None
    describing.setTextValue("It shines.")
    press_ok(describing)
    assert refused(window)
    choose(window, "lamp", "Colour…")
    colouring = panel(window).findChild(QColorDialog)
    assert colouring is not None
    press_ok(colouring)
    assert refused(window)


def test_the_finder_knows_them(window: MainWindow) -> None:
    add(window, "")
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, "l")
    finder = window.part(LabelFinder)
    QTest.keyClicks(finder.box, "am")
    assert "Enter: “lamp”" in finder.hint.text()
    press(finder.box, Qt.Key.Key_Return)
    assert [region.label for region in window.workbench.document or ()] == ["lamp"]


def test_opening_such_a_page_brings_them_in(window: MainWindow) -> None:
    window.workbench.open_page(1)
    assert background.wait_until(lambda: labels(window) == ["lamp", "stool"], 10)
    assert shown(window) == ["lamp", "stool"]
