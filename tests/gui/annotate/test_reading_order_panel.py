"""The reading order is shown on the page, proposed, dragged, and follows what is selected."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QTreeWidgetItem

from spotlab.formats.truth import page_xml
from spotlab.gui.annotate.order.panel import OrderPanel
from spotlab.gui.kit.background import wait_until
from spotlab.gui.kit.settings import READING_ORDER
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import OrderGroup
from tests.gui.windows import add, close, open_window, press, settle, write_pages

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    """A page with two columns of two regions each, drawn in another order."""
    window = open_window(tmp_path, write_pages(tmp_path / "pages", 1), size=(1280, 800))
    for label, left, top in (("d", 200, 130), ("a", 20, 20), ("c", 200, 24), ("b", 20, 120)):
        add(window, label, left, top)
    window.workbench.selection.clear()
    window.docks.bring("order")
    settle()
    yield window
    close(window)


def panel(window: MainWindow) -> OrderPanel:
    widget = window.panels["order"]
    assert isinstance(widget, OrderPanel)
    return widget


def labels(window: MainWindow, items: tuple[object, ...] | None = None) -> list[object]:
    """The order by labels, a list for each group."""
    document = window.workbench.document
    assert document is not None
    order = document.page.order
    items = items if items is not None else order.items if order is not None else ()
    return [
        labels(window, item.items) if isinstance(item, OrderGroup) else document[item].label  # type: ignore[index]
        for item in items
    ]


def shown(window: MainWindow) -> list[str]:
    tree = panel(window).tree
    return [f"{row.text(0)} {row.text(1)}".strip() for row in rows(tree.invisibleRootItem())]


def rows(parent: QTreeWidgetItem) -> Iterator[QTreeWidgetItem]:
    for place in range(parent.childCount()):
        row = parent.child(place)
        assert row is not None
        yield row
        yield from rows(row)


def row(window: MainWindow, text: str) -> QTreeWidgetItem:
    return next(
        each for each in rows(panel(window).tree.invisibleRootItem()) if each.text(1) == text
    )


def test_an_order_is_proposed_shown_undone_and_saved(window: MainWindow, tmp_path: Path) -> None:
    assert shown(window) == ["– Not in the order (4)", "d", "a", "c", "b"]
    assert not panel(window).nothing.isHidden()
    blank = window.canvas.grab().toImage()
    assert window.actions_by_id.trigger("order.by_position")
    assert labels(window) == ["a", "b", "c", "d"]
    assert wait_until(lambda: shown(window) == ["1 a", "2 b", "3 c", "4 d"])
    assert window.workbench.settings.get(READING_ORDER)
    assert window.canvas.layers["reading_order"].shown
    numbered = window.canvas.grab().toImage()
    assert numbered != blank
    window.actions_by_id.trigger("view.reading_order")
    assert not window.canvas.layers["reading_order"].shown
    window.workbench.editing.undo()
    assert labels(window) == []
    window.workbench.editing.redo()
    window.workbench.save()
    settle()
    order = page_xml.read(tmp_path / "pages" / "page_1.xml").page.order
    assert order is not None and len(order.ids) == 4


def test_rows_are_moved_grouped_and_left_out(window: MainWindow) -> None:
    panel(window).position.click()
    assert wait_until(lambda: len(shown(window)) == 4)
    tree = panel(window).tree
    tree.setCurrentItem(row(window, "c"))
    press(tree, Qt.Key.Key_Up, ALT)
    assert labels(window) == ["a", "c", "b", "d"]
    root = tree.invisibleRootItem()  # what a drag does, and then tells
    moved = row(window, "d")
    root.removeChild(moved)
    root.insertChild(0, moved)
    tree.moved.emit()
    assert labels(window) == ["d", "a", "c", "b"]
    panel(window)._group([row(window, "a"), row(window, "b")])
    assert labels(window) == ["d", ["a", "b"], "c"]
    assert shown(window) == ["1 d", "2 Group", "2.1 a", "2.2 b", "3 c"]
    panel(window)._turn(row(window, "Group"))
    assert shown(window)[1:4] == ["2 Group in any order", "2.• a", "2.• b"]
    row(window, "c").setSelected(True)
    assert [region.label for region in window.workbench.selected] == ["c"]
    assert window.actions_by_id.trigger("order.leave_out")
    assert labels(window) == ["d", ["a", "b"]]
    assert wait_until(lambda: shown(window)[-1] == "c")
    panel(window)._ungroup(row(window, "Group in any order"))
    assert labels(window) == ["d", "a", "b"]
    assert shown(window)[-2:] == ["– Not in the order (1)", "c"]
    history = window.workbench.history
    assert history is not None and history.done_names[-1] == "Change reading order"


def test_regions_are_clicked_in_sequence_and_deleted(window: MainWindow) -> None:
    document = window.workbench.document
    assert document is not None
    by_label = {region.label: region.id for region in document}
    window.workbench.selection.set([by_label[label] for label in "cab"])
    assert window.actions_by_id.trigger("order.as_selected")
    assert labels(window) == ["c", "a", "b"]
    assert wait_until(lambda: len(panel(window).tree.selectedItems()) == 3)
    window.workbench.selection.set([by_label["d"], by_label["a"]])
    panel(window).selected.click()
    assert labels(window) == ["c", "d", "a", "b"]
    window.workbench.selection.set([by_label["d"]])
    window.workbench.editing.remove_selected()
    assert labels(window) == ["c", "a", "b"]
    window.workbench.editing.undo()
    assert labels(window) == ["c", "d", "a", "b"]
