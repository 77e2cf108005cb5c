"""Somebody looks through the regions of a page: sorts, filters, jumps, hides, locks, steps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.formats.truth import page_xml
from spotlab.gui.annotate.label_finder import LabelFinder
from spotlab.gui.annotate.panels.label_model import sign_places
from spotlab.gui.annotate.panels.labels import LabelsPanel
from spotlab.gui.annotate.panels.regions import RegionsPanel
from spotlab.gui.pages.region_visibility import RegionVisibility
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Region
from tests.gui import gestures
from tests.gui.windows import add, close, open_window, press, settle, write_pages

LEFT, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
PLACES = (("sofa", 20, 20), ("bed", 100, 30), ("sofa", 180, 40), ("sink", 20, 140))


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("regions")
    window = open_window(folder, write_pages(folder / "pages", 2), size=(1400, 900))
    yield window
    close(window)


@pytest.fixture
def window(opened: MainWindow) -> MainWindow:
    """Four regions, nothing hidden, selected or filtered."""
    workbench = opened.workbench
    assert workbench.document is not None
    workbench.state(RegionVisibility).reset()
    workbench.selection.set([region.id for region in workbench.document])
    workbench.editing.remove_selected()
    opened.enter("annotate")
    for label, left, top in PLACES:
        workbench.collection.set_labels(workbench.labels.with_label(label))
        add(opened, label, left, top)
    workbench.selection.clear()
    opened.docks.bring("region_list")
    panel(opened).box.clear()
    panel(opened).refresh()
    opened.canvas.fit()
    opened.canvas.setFocus()
    return opened


def panel(window: MainWindow) -> RegionsPanel:
    return window.panel(RegionsPanel)


def visibility(window: MainWindow) -> RegionVisibility:
    return window.workbench.state(RegionVisibility)


def regions(window: MainWindow) -> list[Region]:
    assert window.workbench.document is not None
    return list(window.workbench.document)


def labels(window: MainWindow) -> list[str]:
    panel(window).refresh()
    return [row.region.label for row in panel(window).model.shown]


def cell(window: MainWindow, row: int, column: int) -> QPoint:
    table = panel(window).table
    return table.visualRect(panel(window).model.index(row, column)).center()


def click_cell(
    window: MainWindow, row: int, column: int = 3,
    held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:  # fmt: skip
    QTest.mouseClick(panel(window).table.viewport(), LEFT, held, cell(window, row, column))


def place(window: MainWindow, x: float, y: float) -> tuple[float, float]:
    return gestures.on_screen(window.canvas, [(x, y)])[0]


def test_a_click_on_a_head_sorts_and_again_the_other_way(window: MainWindow) -> None:
    header = panel(window).table.horizontalHeader()
    at = QPoint(header.sectionViewportPosition(3) + 20, header.height() // 2)
    QTest.mouseClick(header.viewport(), LEFT, pos=at)
    assert labels(window) == ["bed", "sink", "sofa", "sofa"]
    QTest.mouseClick(header.viewport(), LEFT, pos=at)
    assert labels(window) == ["sofa", "sofa", "sink", "bed"]
    number = QPoint(header.sectionViewportPosition(2) + 10, header.height() // 2)
    QTest.mouseClick(header.viewport(), LEFT, pos=number)
    assert labels(window) == ["sofa", "bed", "sofa", "sink"]


def test_rows_and_the_page_select_each_other(window: MainWindow) -> None:
    first, _, third, fourth = regions(window)
    click_cell(window, 0)
    assert window.workbench.selection.ids == (first.id,)
    click_cell(window, 2, held=CONTROL)
    assert set(window.workbench.selection.ids) == {first.id, third.id}
    assert "2 selected, 6,000 px²" in panel(window).foot.text()
    window.workbench.set_tool("select")
    gestures.click(window.canvas, place(window, 40, 160))
    assert window.workbench.selection.ids == (fourth.id,)
    assert [region.id for region in panel(window).chosen.regions()] == [fourth.id]


def test_words_filter_and_an_empty_list_says_why(window: MainWindow) -> None:
    QTest.keyClicks(panel(window).box, "sofa")
    assert labels(window) == ["sofa", "sofa"]
    assert panel(window).foot.text().startswith("2 of 4 regions")
    QTest.keyClicks(panel(window).box, "x")
    assert labels(window) == []
    assert panel(window).nothing.isVisible() and "No region" in panel(window).nothing.text()


def test_enter_zooms_and_a_click_brings_into_sight(window: MainWindow) -> None:
    click_cell(window, 3)
    before = window.canvas.view.scale
    press(panel(window).table, Qt.Key.Key_Return)
    view = window.canvas.view
    assert view.scale > 1.5 * before
    middle = view.to_view(50, 165)
    assert abs(middle[0] - view.size[0] / 2) < 3
    window.canvas.fit()
    assert window.actions_by_id.trigger("view.zoom_selection")
    assert window.canvas.view.scale == view.scale > 1.5 * before


def test_a_hidden_region_is_neither_seen_nor_hit_but_saved(window: MainWindow) -> None:
    first, second, *_ = regions(window)
    gone = window.canvas.grab().toImage()
    click_cell(window, 0, 0)
    window.canvas.settle()
    assert window.canvas.grab().toImage() != gone
    window.workbench.set_tool("select")
    gestures.click(window.canvas, place(window, 40, 40))
    assert not window.workbench.selected
    window.canvas.setFocus()
    press(window.canvas, Qt.Key.Key_A, CONTROL)
    assert first.id not in window.workbench.selection and second.id in window.workbench.selection
    assert window.status.hidden.text() == "1 hidden"
    assert window.workbench.autosave.finish()
    entry = window.workbench.entry
    assert entry is not None and len(page_xml.read(entry.truth_path).regions) == 4
    button = window.canvas.layers["hidden"].button  # type: ignore[attr-defined]
    assert button.isVisible() and button.text().startswith("1 region hidden")
    window.enter("inspect")  # figures and other workspaces have every region
    assert not button.isVisible() and window.canvas.index.regions_at(40, 40)
    window.enter("annotate")
    QTest.mouseClick(button, LEFT)
    assert window.canvas.index.regions_at(40, 40) and not window.status.hidden.isVisible()


def test_a_locked_region_is_painted_but_not_hit(window: MainWindow) -> None:
    first = regions(window)[0]
    window.workbench.selection.set([first.id])
    assert window.actions_by_id.trigger("region.lock")
    assert not window.workbench.selected  # keys mean nothing that is locked
    window.workbench.set_tool("select")
    gestures.click(window.canvas, place(window, 40, 40))
    assert not window.workbench.selected
    assert first.id in window.canvas.region_layer.index
    window.workbench.selection.set([first.id])
    assert not window.workbench.selected and "locked" in window.status.hint.whole()
    assert window.actions_by_id.trigger("region.unlock_all")
    gestures.click(window.canvas, place(window, 40, 40))
    assert window.workbench.selection.ids == (first.id,)


def test_the_eye_and_the_lock_of_a_label(window: MainWindow) -> None:
    window.docks.bring("labels")
    settle()
    widget = window.panel(LabelsPanel)
    row = widget.model.row_of("sofa")
    assert row is not None
    eye, lock = sign_places(widget.list.visualRect(widget.model.index(row, 0)))
    before = window.workbench.label
    QTest.mouseClick(widget.list.viewport(), LEFT, pos=eye.center())
    assert visibility(window).hidden_count() == 2 and window.workbench.label == before
    QTest.mouseClick(widget.list.viewport(), LEFT, pos=lock.center())
    assert visibility(window).locked_count() == 2
    QTest.mouseClick(widget.list.viewport(), LEFT, pos=eye.center())
    assert (visibility(window).hidden_count(), visibility(window).locked_count()) == (0, 2)


def test_one_label_alone_and_what_is_drawn_stays_in_sight(window: MainWindow) -> None:
    window.workbench.selection.set([regions(window)[1].id])
    assert window.actions_by_id.trigger("region.show_only")
    assert [visibility(window).is_hidden(region) for region in regions(window)] == [
        True, False, True, True,
    ]  # fmt: skip
    drawn = add(window, "sink", 180, 150)
    assert not visibility(window).is_hidden(drawn) and drawn.id in window.canvas.index
    window.workbench.editing.undo()
    window.workbench.editing.redo()
    assert window.canvas.index.regions_at(200, 170)
    assert window.actions_by_id.trigger("region.show_all")
    assert visibility(window).hidden_count() == 0


def test_keys_go_through_the_regions_and_letters_stay_with_the_page(window: MainWindow) -> None:
    first, second, third, fourth = regions(window)
    visibility(window).hide([second])
    visibility(window).lock([third])
    seen = []
    for _ in range(3):
        press(window.canvas, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
        seen += window.workbench.selection.ids
    assert seen == [first.id, fourth.id, first.id]
    assert "1 of 2 regions" in window.status.hint.whole()
    press(window.canvas, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert window.workbench.selection.ids == (fourth.id,)
    assert window.canvas.hasFocus()
    QTest.keyClick(window.canvas, "b")
    finder = window.part(LabelFinder)
    assert finder.isVisible() and finder.box.text() == "b"
    finder.leave()


def test_what_is_hidden_on_a_page_is_hidden_when_one_comes_back(
    window: MainWindow,
) -> None:
    first = regions(window)[0]
    visibility(window).hide([first])
    window.workbench.open_page(1)
    settle()
    assert visibility(window).hidden_count() == 0
    window.workbench.open_page(0)
    settle()
    assert visibility(window).hidden_count() == 1
