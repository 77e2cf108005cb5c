"""Several pages get a tag at once; it is undone, filtered by, and finished after a kill."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu

from spotlab.editing.collection_step import CollectionStep, Tagging, change_pages, page_key
from spotlab.editing.unfinished import find_unfinished, read_unfinished, write_unfinished
from spotlab.formats.truth import page_xml
from spotlab.gui.kit.background import wait_until
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import LabelSet, Page
from tests.gui.windows import add, close, open_window, settle, write_pages


@pytest.fixture
def window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = open_window(tmp_path, write_pages(tmp_path / "pages", 4), size=(1280, 800))
    add(window, "sofa")
    window.workbench.save()
    settle()
    yield window
    close(window)


def panel(window: MainWindow) -> PagesPanel:
    widget = window.panels["pages"]
    assert isinstance(widget, PagesPanel)
    return widget


def tags_in(folder: Path) -> list[tuple[str, ...]]:
    files = [folder / f"page_{number}.xml" for number in range(1, 5)]
    return [page_xml.read(file).page.tags if file.exists() else () for file in files]


def finish(window: MainWindow) -> None:
    """Wait until the step is over; only then the next one can begin."""
    window.workbench.save()
    runner = window.workbench.collection_steps.runner
    assert wait_until(lambda: runner.step is None, 30)
    settle()


def select(window: MainWindow, *pages: int) -> None:
    """Click the first, and the others with Ctrl."""
    view = panel(window).list
    for at, page in enumerate(pages):
        held = Qt.KeyboardModifier.ControlModifier if at else Qt.KeyboardModifier.NoModifier
        place = view.visualRect(panel(window).model.index(page, 0)).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, held, place)
    settle()


def give(window: MainWindow, tag: str) -> None:
    assert window.actions_by_id.trigger("page.tag")
    [dialog] = window.findChildren(QInputDialog)
    dialog.setTextValue(tag)
    dialog.accept()
    settle()
    finish(window)


def test_several_pages_are_tagged_and_untagged_at_once(window: MainWindow, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    select(window, 0, 2, 3)
    assert window.workbench.index == 0 and panel(window).selected_pages() == [0, 2, 3]
    give(window, " hand:B ")
    assert wait_until(lambda: tags_in(folder)[2:] == [("hand:B",)] * 2)
    window.workbench.save()
    settle()
    assert tags_in(folder) == [("hand:B",), (), ("hand:B",), ("hand:B",)]
    assert "hand:B" in panel(window).model.remark(2)
    menu = QMenu()
    panel(window).tags.fill(menu, [0, 1])
    first = menu.actions()[0]
    assert first.text() == "hand:B  (1 of 2)" and not first.isChecked()
    first.trigger()
    settle()
    assert wait_until(lambda: tags_in(folder)[1] == ("hand:B",))
    finish(window)
    window.workbench.editing.undo()
    assert wait_until(lambda: not (folder / "page_2.xml").exists())  # it was begun by the step
    finish(window)
    window.workbench.editing.undo()
    assert wait_until(lambda: tags_in(folder)[1:] == [()] * 3)
    document = window.workbench.document
    assert document is not None and document.page.tags == () and len(document) == 1
    finish(window)
    window.workbench.editing.redo()
    assert wait_until(lambda: tags_in(folder)[3] == ("hand:B",))
    finish(window)
    menu = QMenu()
    panel(window).tags.fill(menu, [2, 3])
    assert menu.actions()[0].isChecked()
    menu.actions()[0].trigger()
    assert wait_until(lambda: tags_in(folder)[2:] == [()] * 2)


def test_the_list_is_filtered_by_tags(window: MainWindow) -> None:
    select(window, 1, 2)
    give(window, "needs a look")
    select(window, 2)
    give(window, "hand:C")
    box = panel(window).box
    for text, shown in (
        ('tag:"needs a look"', [1, 2]), ("tag:hand", [2]), ("tag:HAND:c", [2]),
        ("tag:hand:B", []), ("tag:hand tag:missing", []), ("", [0, 1, 2, 3]),
    ):  # fmt: skip
        box.setText(text)
        panel(window).apply_filter()
        assert wait_until(lambda shown=shown: panel(window).model.pages() == shown), text
    panel(window)._offer_labels()
    texts = [action.text() for action in panel(window).label_menu.actions()]
    assert texts[-2:] == ["hand:C", "needs a look"]
    panel(window).label_menu.actions()[-2].trigger()
    assert wait_until(lambda: panel(window).model.pages() == [2])


def test_own_steps_stay_when_a_tag_is_taken_back_under_them(window: MainWindow) -> None:
    select(window, 0, 1)
    give(window, "x")
    window.workbench.editing.set_checked(True)
    select(window, 1)
    window.workbench.editing.undo()
    settle()
    finish(window)
    select(window, 0)
    document = window.workbench.document
    assert document is not None and document.page.checked and document.page.tags == ()
    window.workbench.editing.undo()
    assert not document.page.checked


def test_a_killed_step_is_finished(tmp_path: Path) -> None:
    folder = write_pages(tmp_path / "pages", 2)
    paths = [page_key(folder / f"page_{number}.xml") for number in (1, 2)]
    new = {path: Page(path.with_suffix(".png"), 320, 240) for path in paths}
    pages = {path: (Tagging(added=("a:b",), removed=("old",)),) for path in paths}
    step = CollectionStep("Tag a:b", folder, pages, new=new, root=folder)
    write_unfinished(step)
    change_pages(step, paths[:1], LabelSet())
    [found] = find_unfinished([folder])
    again = read_unfinished(found)
    assert again == step
    change_pages(again, paths, LabelSet())
    assert [page_xml.read(path).page.tags for path in paths] == [("a:b",)] * 2
    change_pages(again.inverse(), paths[:1], LabelSet())
    assert not paths[0].exists()


def test_the_menu_of_the_list_is_about_the_row_under_the_pointer(window: MainWindow) -> None:
    view = panel(window).list
    select(window, 0, 1)
    model = view.selectionModel()
    assert len(model.selectedRows()) == 2
    index = panel(window).model.index(3, 0)
    if not model.isSelected(index):  # what the menu does before it opens
        model.select(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    assert panel(window).selected_pages() == [3] and view.indexAt(QPoint(5, 5)).row() == 0
