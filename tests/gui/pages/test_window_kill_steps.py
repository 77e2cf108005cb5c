"""A window is killed while a label is renamed on all pages: the next start finishes that."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from spotlab.editing.collection_step import CollectionStep, change_pages, rename_label, survey_pages
from spotlab.editing.unfinished import NAME, Claim, write_unfinished
from spotlab.formats.collection.folder import scan
from spotlab.formats.collection.label_file import read_labels, write_labels
from spotlab.model import LabelSet
from tests.gui import labelled_pages as hand
from tests.gui import windows
from tests.soak.killed_steps import kill_again_and_again

PAGES = 8
LABELS = LabelSet().with_label("sofa").with_label("bed")


def interrupt(folder: Path, reached: int, *, takes_back: bool = False) -> CollectionStep:
    """Leave a collection as a kill in the middle of renaming "sofa" does."""
    write_labels(folder, LABELS)
    carrying = survey_pages(scan([folder]), "sofa").carrying
    step = rename_label(LABELS, "sofa", "couch", folder, carrying)
    after = step.labels_after(LABELS)
    change_pages(step, sorted(step.pages)[: None if takes_back else reached], after)
    if takes_back:
        write_labels(folder, after)
        step = step.inverse()
        change_pages(step, sorted(step.pages)[:reached], LABELS)
    write_unfinished(step)
    return step


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    top = tmp_path / "all"
    hand.write_labelled(top / "a", PAGES // 2, ("sofa", "bed"))
    hand.write_labelled(top / "b", PAGES // 2, ("sofa", "bed"))
    return top


@pytest.mark.slow
def test_kills_at_random_moments_leave_nothing_mixed(tmp_path: Path) -> None:
    _, mixed = kill_again_and_again(tmp_path / "pages", 200, 2, seed=3)
    assert mixed == 0


@pytest.mark.slow
@pytest.mark.parametrize("opened", ["all", "all/b", "all/a/page_0002.png", "."])
@pytest.mark.parametrize("reached", [0, 3, PAGES])
def test_it_is_finished_whatever_is_opened(
    folder: Path, opened: str, reached: int, qapp: QApplication
) -> None:
    interrupt(folder, reached)
    window = windows.open_window(folder.parent, folder.parent / opened)
    hand.over(window)
    windows.settle()
    assert hand.labels_on_disk(folder) == {"couch": PAGES, "bed": PAGES}
    assert hand.labels_here(window) == ["couch", "bed"]
    text = window.banner.text.text()
    assert window.banner.isVisible() and "“Rename sofa to couch” was interrupted" in text
    left = PAGES - reached
    assert (f"{left} pages that remained" in text) == bool(left)
    assert [label.name for label in read_labels(folder)] == ["couch", "bed"]
    assert not (folder / NAME).exists()
    hand.undo(window)  # as if the window had never been killed
    hand.over(window)
    assert hand.labels_on_disk(folder) == {"sofa": PAGES, "bed": PAGES}
    assert read_labels(folder) == LABELS
    windows.close(window)


def test_taking_back_is_finished_too(folder: Path, qapp: QApplication) -> None:
    interrupt(folder, 3, takes_back=True)
    window = windows.open_window(folder.parent, folder)
    hand.over(window)
    assert hand.labels_on_disk(folder) == {"sofa": PAGES, "bed": PAGES}
    assert "Undoing “Rename sofa to couch”" in window.banner.text.text()
    assert read_labels(folder) == LABELS and not (folder / NAME).exists()
    windows.close(window)


def test_another_window_that_is_at_it_is_left_alone(folder: Path, qapp: QApplication) -> None:
    interrupt(folder, 3)
    other = Claim(folder)
    window = windows.open_window(folder.parent, folder)
    windows.settle()
    assert "Another window" in window.banner.text.text()
    assert hand.labels_on_disk(folder)["sofa"] == PAGES - 3
    assert (folder / NAME).exists() and window.workbench.document is not None
    windows.close(window)
    other.release()


def test_a_page_that_cannot_be_finished_is_told_and_the_rest_is_left_to_the_user(
    folder: Path, qapp: QApplication
) -> None:
    interrupt(folder, 3)
    broken = folder / "b" / "page_0004.xml"
    good = broken.read_bytes()
    broken.write_bytes(good[:-20])
    window = windows.open_window(folder.parent, folder)
    hand.wait(lambda: window.banner.kind == "unfinished")
    windows.settle()
    assert "page_0004.xml" in window.banner.text.text()
    assert window.workbench.document is not None
    broken.write_bytes(good)
    hand.press_on_banner(window, "Try again")
    hand.over(window)
    assert hand.labels_on_disk(folder) == {"couch": PAGES, "bed": PAGES}
    windows.close(window)


def test_a_damaged_file_is_told_and_pages_open(folder: Path, qapp: QApplication) -> None:
    interrupt(folder, 3)
    (folder / NAME).write_text("{")
    window = windows.open_window(folder.parent, folder)
    windows.settle()
    assert window.workbench.document is not None
    assert NAME in window.banner.text.text() and (folder / NAME).exists()
    windows.close(window)
