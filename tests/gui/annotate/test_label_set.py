"""A team's label set: order, descriptions, files, and a lock that keeps typed labels out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from spotlab.editing.validate import FindingKind, Severity, validate_files
from spotlab.formats.collection.label_file import read_labels
from spotlab.formats.collection.label_table import read_label_table
from spotlab.gui.annotate.label_finder import LabelFinder, export_labels, import_labels
from spotlab.gui.annotate.panels.labels import LabelsPanel
from spotlab.gui.annotate.panels.properties import PropertiesPanel
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import LabelSet
from tests.gui import labelled_pages
from tests.gui.windows import add, close, open_window, press, settle, write_pages

LEFT, ALT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("labels")
    window = open_window(folder, write_pages(folder / "pages", 2))
    yield window
    close(window)


@pytest.fixture
def window(opened: MainWindow) -> MainWindow:
    """Three labels, one region of one of them."""
    workbench = opened.workbench
    workbench.selection.set([region.id for region in workbench.document or ()])
    workbench.editing.remove_selected()
    labels = LabelSet()
    for name in ("sofa", "bed", "sink"):
        labels = labels.with_label(name)
    workbench.collection.set_labels(labels)
    workbench.editing.apply_label("sofa")
    add(opened, "sofa")
    opened.banner.dismiss()
    opened.docks.bring("labels")
    panel(opened).box.clear()
    opened.canvas.setFocus()
    return opened


def panel(window: MainWindow) -> LabelsPanel:
    return window.panel(LabelsPanel)


def shown(window: MainWindow) -> list[str]:
    model = panel(window).model
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def labels_on_page(window: MainWindow) -> list[str]:
    return [region.label for region in window.workbench.document or ()]


def test_labels_are_moved_by_keys_and_by_dragging(window: MainWindow) -> None:
    labels = panel(window)
    labels.list.setCurrentIndex(labels.model.index(2, 0))
    labels.list.setFocus()
    press(labels.list, Qt.Key.Key_Up, ALT)
    assert shown(window) == ["sofa", "sink", "bed"]
    assert labels.list.currentIndex().row() == 1
    press(labels.list, Qt.Key.Key_Down, ALT)
    press(labels.list, Qt.Key.Key_Down, ALT)  # the last one stays there
    assert shown(window) == ["sofa", "bed", "sink"]
    data = labels.model.mimeData([labels.model.index(2, 0)])
    assert isinstance(data, QMimeData)
    move = Qt.DropAction.MoveAction
    labels.model.dropMimeData(data, move, 0, 0, QModelIndex())
    assert shown(window) == ["sink", "sofa", "bed"]
    labels.model.mimeData([labels.model.index(0, 0)])
    labels.model.dropMimeData(data, move, 2, 0, QModelIndex())
    assert shown(window) == ["sofa", "sink", "bed"]
    labels.model.mimeData([labels.model.index(0, 0)])
    labels.model.dropMimeData(data, move, -1, -1, QModelIndex())  # below the last row
    assert shown(window) == ["sink", "bed", "sofa"]
    window.workbench.collection.write_labels()
    folder = window.workbench.collection.folder
    assert folder is not None
    assert [label.name for label in read_labels(folder)] == ["sink", "bed", "sofa"]


def test_the_finder_shows_the_description(window: MainWindow) -> None:
    panel(window).set_description("bed", "For one or two people. ")
    QTest.keyClick(window.canvas, "b")
    finder = window.part(LabelFinder)
    assert finder.hint.text().startswith("For one or two people.\n")
    finder.leave()
    index = panel(window).model.index(1, 0)
    assert "For one or two people." in index.data(Qt.ItemDataRole.ToolTipRole)


def test_a_locked_set_refuses_a_typed_label_says_so_and_offers_to_unlock(
    window: MainWindow,
) -> None:
    assert window.actions_by_id.trigger("labels.lock")
    assert window.actions_by_id["labels.lock"].isChecked() and panel(window).locked.isVisible()
    QTest.mouseClick(panel(window).box, LEFT)
    QTest.keyClicks(panel(window).box, "lamp")
    press(panel(window).box, Qt.Key.Key_Return)
    assert labels_on_page(window) == ["sofa"] and "lamp" not in window.workbench.labels
    assert "locked" in window.banner.text.text()
    window.banner.dismiss()
    QTest.keyClick(window.canvas, "l")
    finder = window.part(LabelFinder)
    QTest.keyClicks(finder.box, "ampshade")
    assert finder.list.count() == 0 and "locked" in finder.hint.text()
    press(finder.box, Qt.Key.Key_Return)
    assert labels_on_page(window) == ["sofa"]
    properties = window.panel(PropertiesPanel)
    properties.label.setText("lamp")
    properties.label.editingFinished.emit()
    assert labels_on_page(window) == ["sofa"] and properties.label.text() == "sofa"
    settle()
    buttons = window.banner.findChildren(QPushButton)
    unlock = next(button for button in buttons if button.text() == "Unlock and Add")
    QTest.mouseClick(unlock, LEFT)
    assert labels_on_page(window) == ["lamp"]
    assert not window.workbench.labels.locked and not panel(window).locked.isVisible()


def test_a_locked_set_is_neither_renamed_nor_deleted(window: MainWindow) -> None:
    window.workbench.collection.lock_labels(True)
    panel(window).model.renamed.emit("sofa", "couch")
    window.workbench.collection_steps.delete("bed")
    settle()
    assert [label.name for label in window.workbench.labels] == ["sofa", "bed", "sink"]
    assert "locked" in window.status.hint.whole()
    window.workbench.collection.lock_labels(False)


def test_labels_outside_a_locked_set_are_listed_and_reported(window: MainWindow) -> None:
    workbench = window.workbench
    add(window, "lamp", 180, 120)
    assert workbench.autosave.finish()
    workbench.collection.lock_labels(True)
    workbench.collection.write_labels()
    workbench.open_page(1)
    settle()
    workbench.open_page(0)  # which does not add the label
    settle()
    panel(window).model.reread()
    assert shown(window)[-1] == "lamp" and "lamp" not in workbench.labels
    index = panel(window).model.index(3, 0)
    assert "Not in the label set" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert workbench.entry is not None
    (page,) = validate_files([workbench.entry.image])
    (finding,) = [found for found in page.findings if found.kind is FindingKind.NOT_IN_SET]
    assert finding.severity is Severity.ERROR and "'lamp'" in finding.message
    (page,) = validate_files([workbench.entry.image], labels=workbench.labels.with_label("lamp"))
    assert not [found for found in page.findings if found.kind is FindingKind.NOT_IN_SET]
    panel(window).model.renamed.emit("lamp", "lamps")
    settle()
    assert "locked" in window.banner.text.text()
    panel(window).model.renamed.emit("lamp", "bed")  # which makes one label of the set of it
    assert "Merge lamp into bed" in labelled_pages.answer(window, "Merge")
    labelled_pages.over(window)
    assert labels_on_page(window) == ["sofa", "bed"]
    assert [label.name for label in workbench.labels] == ["sofa", "bed", "sink"]
    workbench.collection.lock_labels(False)


def test_a_set_goes_to_a_file_and_comes_back(window: MainWindow, tmp_path: Path) -> None:
    workbench = window.workbench
    panel(window).set_description("bed", "For sleeping")
    before = workbench.labels
    export_labels(workbench, tmp_path / "labels.csv")
    assert read_label_table(tmp_path / "labels.csv") == before
    (tmp_path / "team.csv").write_text("name,digit\nlamp,1\nbed,5\n", "utf-8")
    import_labels(workbench, tmp_path / "team.csv")
    assert shown(window) == ["lamp", "bed", "sofa", "sink"]
    assert workbench.labels["bed"].description == "For sleeping"
    assert workbench.labels["bed"].colour == before["bed"].colour
    assert "2 of the collection are not in the file" in window.status.hint.whole()
    window.canvas.setFocus()
    press(window.canvas, Qt.Key.Key_5)
    assert labels_on_page(window) == ["bed"]
    (tmp_path / "bad.csv").write_text("colour\n", "utf-8")
    import_labels(workbench, tmp_path / "bad.csv")
    assert "name" in window.banner.text.text() and len(workbench.labels) == 4
