"""A new collection says what to do next, until the first region has the first label."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from spotlab.gui.annotate.label_finder import LabelFinder
from spotlab.gui.annotate.panels.labels import LabelsPanel
from spotlab.gui.kit import background
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.window.main_window import MainWindow
from tests.gui import gestures
from tests.gui.windows import begin_anew, press, write_pages


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    window = begin_anew(lasting, write_pages(tmp_path / "pages"))
    window.docks.bring("labels")
    return window


def test_a_region_is_drawn_and_its_label_typed(window: MainWindow) -> None:
    panel = window.panel(LabelsPanel)
    assert panel.nothing.isVisible()
    assert not panel.list.isVisible()
    assert "No labels yet" in panel.nothing.text()
    canvas = window.canvas
    gestures.drag(canvas, gestures.on_screen(canvas, gestures.around(30, 30, 110, 100)))
    assert background.wait_until(lambda: len(window.workbench.document or ()) == 1, 10)
    press(canvas, Qt.Key.Key_1)
    assert "a letter finds or adds one" in window.status.hint.text()
    QTest.keyClicks(canvas, "s")
    finder = canvas.findChild(LabelFinder)
    assert finder is not None
    QTest.keyClicks(finder.box, "ofa")
    press(finder.box, Qt.Key.Key_Return)
    assert [region.label for region in window.workbench.document or ()] == ["sofa"]
    assert background.wait_until(panel.list.isVisible, 10)
    assert not panel.nothing.isVisible()


def test_a_name_that_no_label_has_is_said_to_be_new(window: MainWindow) -> None:
    panel = window.panel(LabelsPanel)
    QTest.mouseClick(panel.box, Qt.MouseButton.LeftButton)
    QTest.keyClicks(panel.box, "lamp")
    assert panel.nothing.text().startswith("Enter adds this label")
    press(panel.box, Qt.Key.Key_Return)
    assert background.wait_until(panel.list.isVisible, 10)
    window.workbench.collection.lock_labels(True)
    QTest.keyClicks(panel.box, "lamps")
    assert panel.nothing.isVisible()
    assert "locked" in panel.nothing.text()
    QTest.mouseClick(panel.locked, Qt.MouseButton.LeftButton)
    assert panel.nothing.text().startswith("Enter adds this label")


def test_a_filter_that_leaves_no_page_says_so(window: MainWindow) -> None:
    panel = window.panel(PagesPanel)
    window.docks.bring("pages")
    assert panel.list.isVisible()
    QTest.mouseClick(panel.box, Qt.MouseButton.LeftButton)
    QTest.keyClicks(panel.box, "nowhere")
    assert background.wait_until(panel.nothing.isVisible, 10)
    assert not panel.list.isVisible()
    panel.box.clear()
    assert background.wait_until(panel.list.isVisible, 10)
    assert not panel.nothing.isVisible()
