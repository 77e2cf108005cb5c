"""Somebody renames, merges and deletes labels over a collection, and changes their mind."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.editing.session import EditingSession
from spotlab.editing.unfinished import NAME
from spotlab.formats.collection.label_file import read_labels
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from tests.gui import labelled_pages as hand
from tests.gui import windows
from tests.gui.held_work import held

many = pytest.mark.parametrize("count", [52])  # more than the collection looks into at a time


@pytest.fixture
def count() -> int:
    """Pages of the collection."""
    return 7


@pytest.fixture
def folder(tmp_path: Path, count: int) -> Path:
    return hand.write_labelled(tmp_path / "pages", count, ("sofa", "bed"))


@pytest.fixture
def window(folder: Path, lasting: MainWindow) -> MainWindow:
    return hand.open_labelled(lasting, folder)


def go_to(window: MainWindow, index: int) -> None:
    window.workbench.open_page(index)
    windows.settle()
    window.canvas.setFocus()


@many
def test_right_after_opening_no_page_is_skipped(
    folder: Path, count: int, qapp: QApplication
) -> None:
    window = windows.open_window(folder.parent)
    window.open_paths([folder])
    assert background.wait_until(lambda: window.workbench.document is not None)
    window.workbench.collection_steps.rename("sofa", "couch")
    text = hand.answer(window, "Rename")
    assert text == f"Rename sofa to couch on {count} pages ({count} regions)?"
    hand.over(window)
    windows.settle()
    assert window.workbench.collection.counts() == {"couch": count, "bed": count}
    windows.close(window)
    assert hand.labels_on_disk(folder) == {"couch": count, "bed": count}


def test_nothing_happens_before_the_answer(window: MainWindow, folder: Path, count: int) -> None:
    window.workbench.collection.write_labels()
    before = {path: path.read_bytes() for path in folder.iterdir()}
    hand.type_name(window, "sofa", "couch")
    hand.answer(window, "Cancel")
    hand.type_name(window, "bed", "sofa")
    box = hand.question(window)
    assert box.text() == f"Merge bed into sofa on {count} pages ({count} regions)?"
    assert "the two will become one label" in box.informativeText()
    QTest.keyClick(box, Qt.Key.Key_Escape)
    windows.settle()
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    assert [label.name for label in window.workbench.labels] == ["sofa", "bed", "stool"]
    assert not window.workbench.collection_steps.busy


@many
def test_one_undo_and_one_redo_for_all_pages(window: MainWindow, folder: Path, count: int) -> None:
    go_to(window, 1)
    before = window.workbench.labels
    hand.rename(window, "sofa", "couch")
    assert hand.labels_on_disk(folder) == {"couch": count, "bed": count, "stool": 1}
    renamed = window.workbench.labels["couch"]
    assert (renamed.colour, renamed.digit) == ("#123456", "7")
    assert window.workbench.collection.counts()["couch"] == count
    go_to(window, count - 1)  # which was not open when it was renamed
    hand.undo(window)
    hand.over(window)
    assert hand.labels_here(window) == ["sofa", "bed"]
    assert hand.labels_on_disk(folder) == {"sofa": count, "bed": count, "stool": 1}
    assert window.workbench.labels == before == read_labels(folder)
    hand.redo(window)
    hand.over(window)
    assert hand.labels_on_disk(folder) == {"couch": count, "bed": count, "stool": 1}
    assert window.workbench.labels["couch"] == renamed
    assert not (folder / NAME).exists()


def test_a_merge_is_undone_to_the_regions_that_were_merged(
    window: MainWindow, folder: Path, count: int
) -> None:
    before = window.workbench.labels
    hand.rename(window, "sofa", "bed", "Merge")
    assert hand.labels_on_disk(folder) == {"bed": 2 * count, "stool": 1}
    assert "sofa" not in window.workbench.labels
    hand.undo(window)
    hand.over(window)
    assert hand.labels_on_disk(folder) == {"sofa": count, "bed": count, "stool": 1}
    assert window.workbench.labels == before


def test_a_deleted_label_leaves_regions_without_one(
    window: MainWindow, folder: Path, count: int
) -> None:
    before = window.workbench.labels
    hand.choose(window, "sofa", "Delete everywhere…")
    text = hand.answer(window, "Delete label")
    assert text == f"Delete the label sofa from {count} pages ({count} regions)?"
    hand.over(window)
    assert hand.labels_on_disk(folder) == {"": count, "bed": count, "stool": 1}
    assert "sofa" not in window.workbench.labels
    hand.undo(window)
    hand.over(window)
    assert hand.labels_on_disk(folder) == {"sofa": count, "bed": count, "stool": 1}
    assert window.workbench.labels == before


def test_a_label_that_nobody_has_goes_without_a_question(window: MainWindow) -> None:
    window.workbench.editing.apply_label("lamp")
    windows.settle()
    labels = hand.panel(window)
    place = hand.row(window, "lamp")
    QTest.mouseClick(labels.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    windows.press(labels.list, Qt.Key.Key_Delete)
    hand.wait(lambda: "lamp" not in window.workbench.labels)
    hand.over(window)
    assert hand.shown_question(window) is None
    window.canvas.setFocus()
    hand.undo(window)
    hand.over(window)
    assert "lamp" in window.workbench.labels


def test_own_steps_of_the_page_are_undone_first(window: MainWindow, folder: Path) -> None:
    hand.rename(window, "sofa", "couch")
    windows.add(window, "bed", 150, 150)
    hand.undo(window)
    assert hand.labels_here(window) == ["couch", "bed", "stool"]
    hand.undo(window)
    hand.over(window)
    assert hand.labels_here(window) == ["sofa", "bed", "stool"]
    hand.undo(window)
    assert hand.labels_here(window) == ["sofa", "bed"]  # from before the step
    for labels in (["sofa", "bed", "stool"], ["couch", "bed", "stool"]):
        hand.redo(window)
        windows.settle()
        hand.over(window)
        assert hand.labels_here(window) == labels
    hand.redo(window)
    assert hand.labels_here(window) == ["couch", "bed", "stool", "bed"]


def test_later_steps_of_other_pages_stay_and_can_still_be_undone(
    window: MainWindow, folder: Path
) -> None:
    go_to(window, 1)
    hand.rename(window, "sofa", "couch")
    windows.add(window, "couch", 150, 150)  # later than the step: no part of it
    document, workbench = window.workbench.document, window.workbench
    assert document is not None
    workbench.selection.set(["r1"])
    workbench.editing.remove_selected()
    go_to(window, 2)
    hand.undo(window)
    hand.over(window)
    assert hand.labels_here(window) == ["sofa", "bed"]
    go_to(window, 1)
    assert hand.labels_here(window) == ["bed", "couch"]
    hand.undo(window)
    assert hand.labels_here(window) == ["sofa", "bed", "couch"]
    hand.undo(window)
    assert hand.labels_here(window) == ["sofa", "bed"]
    hand.undo(window)  # nothing is left: the step is undone already
    windows.settle()
    assert hand.labels_here(window) == ["sofa", "bed"]
    assert "couch" in workbench.labels  # somebody drew one after the step


@many
def test_cancelling_in_the_middle_takes_back_what_was_done(
    window: MainWindow, folder: Path, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = window.workbench.collection_steps
    save, saved = EditingSession.save, []

    def cancel_at_ten(session: EditingSession, **options: bool) -> None:
        save(session, **options)
        saved.append(session.path)
        if len(saved) == 10:
            steps.cancel()

    monkeypatch.setattr(EditingSession, "save", cancel_at_ten)
    before = window.workbench.labels
    hand.rename(window, "sofa", "couch")
    assert 10 <= len(saved) < count
    assert hand.labels_on_disk(folder) == {"sofa": count, "bed": count, "stool": 1}
    assert window.workbench.labels == before
    assert hand.labels_here(window) == ["sofa", "bed", "stool"]
    assert not (folder / NAME).exists()


@many
def test_undo_in_the_middle_cancels_and_a_second_one_waits(
    window: MainWindow, folder: Path, count: int
) -> None:
    steps = window.workbench.collection_steps
    hand.type_name(window, "sofa", "couch")
    with held("_carry_out"):
        hand.answer(window, "Rename")
        hand.wait(lambda: hand.labels_here(window)[0] == "couch")
        window.activateWindow()
        window.canvas.setFocus()
        assert steps.changing
        for _ in range(3):  # a key that is held
            hand.undo(window)
    hand.over(window)
    assert hand.labels_on_disk(folder) == {"sofa": count, "bed": count, "stool": 1}
    hand.redo(window)
    hand.over(window)
    assert hand.labels_on_disk(folder)["couch"] == count
    for _ in range(3):
        hand.undo(window)
    hand.over(window)
    assert hand.labels_on_disk(folder)["sofa"] == count


def test_a_page_that_is_asked_for_meanwhile_opens_afterwards(
    window: MainWindow, folder: Path, count: int
) -> None:
    hand.type_name(window, "sofa", "couch")
    hand.answer(window, "Rename")
    assert window.workbench.collection_steps.changing
    window.workbench.open_page(5)
    assert window.workbench.index == 0
    hand.over(window)
    windows.settle()
    assert window.workbench.index == 5 and hand.labels_here(window) == ["couch", "bed"]
    hand.undo(window)
    hand.over(window)
    assert hand.labels_on_disk(folder)["sofa"] == count


@many
def test_closing_in_the_middle_waits_for_the_end(
    folder: Path, count: int, qapp: QApplication
) -> None:
    window = hand.open_labelled(windows.open_window(folder.parent), folder)
    hand.type_name(window, "sofa", "couch")
    hand.answer(window, "Rename")
    assert window.workbench.collection_steps.changing
    window.close()
    assert hand.labels_on_disk(folder) == {"couch": count, "bed": count, "stool": 1}
    assert not (folder / NAME).exists() and "couch" in read_labels(folder)
    windows.close(window)


def test_unused_labels_are_those_of_no_page(folder: Path, count: int, qapp: QApplication) -> None:
    window = windows.open_window(folder.parent)
    last = folder / f"page_{count:04}.xml"
    last.write_bytes(last.read_bytes().replace(b"bed", b"lamp"))
    window.open_paths([folder])
    assert background.wait_until(lambda: window.workbench.document is not None)
    for name in ("lamp", "stove"):
        window.workbench.editing.apply_label(name)
    menu = hand.panel(window).more.menu()
    assert menu is not None
    menu.actions()[0].trigger()
    hand.wait(lambda: "stove" not in window.workbench.labels)
    hand.over(window)
    assert "lamp" in window.workbench.labels
    hand.undo(window)
    hand.over(window)
    assert "stove" in window.workbench.labels
    windows.close(window)
