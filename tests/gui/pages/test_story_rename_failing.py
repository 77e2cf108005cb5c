"""Pages that cannot be changed while a label is renamed: told, finished or taken back."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from spotlab.editing.session import EditingSession
from spotlab.editing.unfinished import NAME
from spotlab.gui.window.main_window import MainWindow
from tests.gui import labelled_pages as hand
from tests.gui import windows

PAGES = 40


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return hand.write_labelled(tmp_path / "pages", PAGES, ("sofa", "bed"))


@pytest.fixture
def window(folder: Path, lasting: MainWindow) -> MainWindow:
    return hand.open_labelled(lasting, folder)


def test_pages_that_others_edit_or_nobody_can_read_are_told_before(
    window: MainWindow, folder: Path
) -> None:
    other = EditingSession.open(folder / "page_0007.xml")
    other.history.do("Delete", other.document.removing(["r2"]))
    (folder / "page_0009.xml").write_text("<PcGts>")
    hand.type_name(window, "sofa", "couch")
    box = hand.question(window)
    assert box.text() == f"Rename sofa to couch on {PAGES - 2} pages ({PAGES - 2} regions)?"
    assert (
        "2 pages cannot be read or changed and will stay as now, with sofa" in box.informativeText()
    )
    assert "page_0007.xml" in box.detailedText() and "page_0009.xml" in box.detailedText()
    QTest.mouseClick(hand.button_of(box, "Rename"), Qt.MouseButton.LeftButton)
    hand.over(window)
    other.discard()
    (folder / "page_0009.xml").unlink()
    assert hand.labels_on_disk(folder) == {
        "couch": PAGES - 2, "sofa": 1, "bed": PAGES - 1, "stool": 1
    }  # fmt: skip


def fail_on(page: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Make the file system refuse this page; emptying the list mends it."""
    replace, refused = os.replace, [page]

    def refuse(source: str, target: str) -> None:
        if refused and Path(target).name == refused[0]:
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    return refused


def test_a_failure_in_the_middle_is_told_and_can_be_tried_again(
    window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = fail_on("page_0030.xml", monkeypatch)
    hand.type_name(window, "sofa", "couch")
    hand.answer(window, "Rename")
    hand.wait(lambda: window.banner.kind == "unfinished")
    assert "the disk is full" in window.banner.text.text()
    assert (folder / NAME).exists()
    windows.settle()
    assert hand.labels_on_disk(folder)["sofa"] == 1
    refused.clear()
    hand.press_on_banner(window, "Try again")
    hand.over(window)
    assert hand.labels_on_disk(folder)["couch"] == PAGES
    assert not window.banner.isVisible() and not (folder / NAME).exists()
    hand.undo(window)
    hand.over(window)
    assert hand.labels_on_disk(folder)["sofa"] == PAGES


def test_a_failure_in_the_middle_can_be_taken_back(
    window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fail_on("page_0030.xml", monkeypatch)
    hand.type_name(window, "sofa", "couch")
    hand.answer(window, "Rename")
    hand.wait(lambda: window.banner.kind == "unfinished")
    hand.press_on_banner(window, "Undo")
    hand.over(window)
    assert hand.labels_on_disk(folder) == {"sofa": PAGES, "bed": PAGES, "stool": 1}
    assert not list(folder.glob("*.journal")) and not (folder / NAME).exists()


def test_a_step_that_cannot_be_put_down_changes_nothing(
    window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
    fail_on(NAME, monkeypatch)
    hand.type_name(window, "sofa", "couch")
    hand.answer(window, "Rename")
    hand.wait(lambda: "nothing was changed" in window.banner.text.text())
    hand.over(window)
    assert hand.labels_on_disk(folder) == {"sofa": PAGES, "bed": PAGES, "stool": 1}
    assert "sofa" in window.workbench.labels
