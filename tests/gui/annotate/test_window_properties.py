"""Somebody looks at what is selected and changes it in the panel; steps can be gone back to."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from spotlab.editing.document import MANY
from spotlab.gui.annotate.panels.history import HistoryPanel
from spotlab.gui.annotate.panels.properties import PropertiesPanel
from spotlab.gui.kit.background import wait_until
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Ignore, Primitive, Region
from tests.gui.choosing import pick
from tests.gui.windows import SQUARE, add, begin_anew, press, write_pages


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    return begin_anew(lasting, write_pages(tmp_path / "pages", 1))


def panel(window: MainWindow) -> PropertiesPanel:
    widget = window.panels["properties"]
    assert isinstance(widget, PropertiesPanel)
    return widget


def test_one_region_is_described(window: MainWindow) -> None:
    add(window, "sofa")
    shown = {name: figure.text() for name, figure in panel(window).figures.items()}
    assert shown == {
        "Area": "3,000 px²",
        "Points": "4",
        "Place": "40, 40 px",
        "Size": "60 × 50 px",
    }
    assert panel(window).label.text() == "sofa"
    assert panel(window).primitive.value is Primitive.BOX


def test_many_regions_show_what_they_share_and_are_relabeled_at_once(window: MainWindow) -> None:
    first, second = add(window, "sofa"), add(window, "bed", 150)
    window.workbench.selection.set([first.id, second.id])
    properties = panel(window)
    assert properties.title.text() == "2 regions"
    assert properties.label.text() == "" and properties.label.placeholderText() == "several"
    properties.label.setFocus()
    QTest.keyClicks(properties.label, "desk")
    press(properties.label, Qt.Key.Key_Return)
    assert {region.label for region in window.workbench.selected} == {"desk"}
    window.workbench.editing.undo()
    assert {region.label for region in window.workbench.selected} == {"sofa", "bed"}


def test_a_step_on_hundreds_of_regions_is_shown_soon(window: MainWindow) -> None:
    document = window.workbench.document
    assert document is not None
    regions = [Region(SQUARE, "sofa", f"r{number}") for number in range(MANY)]
    window.workbench.editing.do("Draw", document.adding(*regions))
    window.actions_by_id.trigger("edit.select_all")
    properties = panel(window)
    assert properties.title.text() == f"{MANY} regions" and properties.label.text() == "sofa"
    window.workbench.editing.apply_label("desk")
    assert wait_until(lambda: properties.label.text() == "desk")
    window.workbench.editing.undo()
    assert wait_until(lambda: properties.label.text() == "sofa")


def test_flag_remark_text_and_outline_are_steps(window: MainWindow) -> None:
    add(window, "sofa")
    properties = panel(window)
    properties.uncertain.click()
    properties.text.setFocus()
    QTest.keyClicks(properties.text, "A 4")
    press(properties.text, Qt.Key.Key_Return)
    window.actions_by_id.trigger("region.comment")
    QTest.keyClicks(properties.comment, "half of it is hidden")
    window.canvas.setFocus()
    pick(properties.primitive, Primitive.ELLIPSE)
    region = window.workbench.selected[0]
    assert region.uncertain and region.text == "A 4"
    assert region.comment == "half of it is hidden"
    assert region.primitive is Primitive.ELLIPSE
    history = window.workbench.history
    assert history is not None
    assert history.done_names[1:] == ["Flag uncertain", "Transcribe", "Comment", "Make ellipse"]


def test_regions_are_ignored_and_counted_again(window: MainWindow) -> None:
    first, second = add(window, "sofa"), add(window, "", 150)
    window.workbench.selection.set([first.id, second.id])
    window.actions_by_id.trigger("region.ignore_area")
    assert [region.ignore for region in window.workbench.selected] == [Ignore.AREA] * 2
    properties = panel(window)
    assert properties.ignore.value is Ignore.AREA
    pick(properties.ignore, Ignore.SYMBOL)
    assert [region.ignore for region in window.workbench.selected] == [Ignore.SYMBOL] * 2
    window.actions_by_id.trigger("region.ignore_symbol")
    assert not any(region.ignored for region in window.workbench.selected)
    window.workbench.editing.undo()
    assert all(region.ignored for region in window.workbench.selected)
    history = window.workbench.history
    assert history is not None
    assert history.done_names[-2:] == ["Ignore as area", "Ignore as symbol"]


def test_a_remark_belongs_to_what_was_selected_when_it_was_written(window: MainWindow) -> None:
    first, second = add(window, "sofa"), add(window, "bed", 150)
    window.workbench.selection.set([first.id])
    window.actions_by_id.trigger("region.comment")
    QTest.keyClicks(panel(window).comment, "old")
    window.workbench.selection.set([second.id])
    document = window.workbench.document
    assert document is not None
    assert (document[first.id].comment, document[second.id].comment) == ("old", "")


def test_an_outline_that_cannot_be_says_why_and_stays(window: MainWindow) -> None:
    add(window, "sofa")
    properties = panel(window)
    pick(properties.primitive, Primitive.TRACE)
    assert window.workbench.selected[0].primitive is Primitive.BOX
    assert properties.primitive.value is Primitive.BOX
    assert "trace" in window.banner.text.text()


def test_a_click_in_the_steps_goes_back_and_on(window: MainWindow) -> None:
    for place in (20, 100, 180):
        add(window, "sofa", place)
    steps = window.panels["history"]
    document = window.workbench.document
    assert isinstance(steps, HistoryPanel) and document is not None
    texts = [steps.list.item(row).text() for row in range(steps.list.count())]
    assert texts == ["State when opened", "Draw sofa", "Draw sofa", "Draw sofa"]
    steps.list.itemClicked.emit(steps.list.item(1))
    assert len(document) == 1 and steps.list.currentRow() == 1
    steps.list.itemClicked.emit(steps.list.item(3))
    assert len(document) == 3
    steps.list.itemClicked.emit(steps.list.item(0))
    assert len(document) == 0


def test_attributes_are_written_changed_and_deleted_in_their_table(window: MainWindow) -> None:
    region = add(window, "sofa")
    table = panel(window).attributes
    table.setCurrentCell(0, 0)
    table.item(0, 0).setText("group_id")
    assert not window.workbench.selected[0].attributes  # it has no value yet
    table.item(0, 1).setText("7")
    assert window.workbench.selected[0].attributes == (("group_id", "7"),)
    assert table.rowCount() == 2
    table.item(1, 0).setText("state")
    table.item(1, 1).setText("worn")
    table.item(0, 1).setText("8")
    assert window.workbench.selected[0].attributes == (("group_id", "8"), ("state", "worn"))
    other = add(window, "bed", 150)
    assert table.item(0, 0).text() == "" and table.isEnabled()
    window.workbench.selection.set([region.id, other.id])
    assert not table.isEnabled()
    window.workbench.selection.set([region.id])
    table.setFocus()
    table.setCurrentCell(0, 0)
    press(table, Qt.Key.Key_Delete)
    assert window.workbench.selected[0].attributes == (("state", "worn"),)
    window.workbench.editing.undo()
    assert len(window.workbench.selected[0].attributes) == 2
    history = window.workbench.history
    assert history is not None
    assert history.done_names.count("Change attributes") == 3
