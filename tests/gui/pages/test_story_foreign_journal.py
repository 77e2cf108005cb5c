"""A folder comes with a journal of somebody else: the window asks before it applies its steps."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from spotlab.editing import journal_file
from spotlab.editing.journal import journal_path
from spotlab.editing.journal_lines import signing_key
from spotlab.formats.truth import page_xml
from spotlab.gui.kit import background
from spotlab.gui.pages import disk
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Page
from tests.editing.killed import Writer
from tests.editing.test_journal_elsewhere import on_another_machine
from tests.gui import windows

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
    pytest.mark.usefixtures("patient"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return windows.write_pages(tmp_path / "plans")


@pytest.fixture
def theirs(folder: Path, tmp_path: Path) -> bytes:
    """The journal of a colleague whose program was killed."""

    def as_colleague() -> None:
        os.environ["XDG_STATE_HOME"] = str(tmp_path / "their-state")

    writer = Writer(folder / "page_1.xml", Page(folder / "page_1.png", 320, 240), as_colleague)
    writer.draw("divan", "<b>chair</b>")
    writer.kill()
    return journal_path(folder / "page_1.xml").read_bytes()


@pytest.fixture
def window(tmp_path: Path, folder: Path, theirs: bytes, qapp: QApplication) -> Iterator[MainWindow]:
    window = windows.open_window(tmp_path, folder)
    yield window
    windows.close(window)


def labels(window: MainWindow) -> list[str]:
    return [region.label for region in window.workbench.document or ()]


def click(window: MainWindow, title: str) -> None:
    buttons = window.banner.findChildren(QPushButton)
    next(each for each in buttons if each.text() == title and each.isVisible()).click()
    windows.settle()


def wait(happened: Callable[[], object]) -> None:
    assert background.wait_until(lambda: bool(happened()), 60)


def test_applied_steps_are_drawn_saved_and_undone(window: MainWindow, folder: Path) -> None:
    assert window.banner.kind == "offer"
    text = window.banner.text.text()
    assert "page_1.xml.journal holds 2 unsaved steps from another user or computer" in text
    assert labels(window) == []
    click(window, "Apply")
    assert labels(window) == ["divan", "<b>chair</b>"]
    assert "divan" in window.workbench.labels
    assert window.banner.kind == "recovered"
    assert window.banner.text.text().startswith("Recovered 2 steps on page_1")
    window.workbench.save()
    windows.settle()
    assert not journal_path(folder / "page_1.xml").exists()
    assert len(page_xml.read(folder / "page_1.xml").regions) == 2
    window.canvas.setFocus()
    windows.press(window.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert labels(window) == ["divan"]


def test_left_steps_stay_and_editing_goes_on(
    window: MainWindow, folder: Path, theirs: bytes, tmp_path: Path
) -> None:
    windows.add(window, "sofa")
    assert labels(window) == ["sofa"]
    click(window, "Leave")
    assert window.banner.isHidden()
    windows.add(window, "sink", left=150)
    assert window.workbench.close()
    assert journal_path(folder / "page_1.xml").read_bytes() == theirs
    drawn = [region.label for region in page_xml.read(folder / "page_1.xml").regions]
    assert drawn == ["sofa", "sink"]
    window.open_paths([folder])
    windows.settle()
    assert window.banner.kind == "offer"
    click(window, "Show…")
    [box] = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    assert box.detailedText() == "Draw divan\nDraw <b>chair</b>"
    next(each for each in box.buttons() if each.text() == "Apply").click()
    windows.settle()
    assert labels(window) == ["sofa", "sink"]
    assert "page_1.recovered.xml" in window.banner.text.text()


def test_reading_the_page_again_asks_once(window: MainWindow) -> None:
    window.workbench.reload()
    windows.settle()
    assert window.banner.kind == "offer"
    click(window, "Leave")
    assert window.banner.isHidden()


def test_a_page_edited_on_another_machine_is_told_with_its_name(
    tmp_path: Path, folder: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_file, "lock", lambda _: True)
    monkeypatch.setattr(disk, "LOOK_AGAIN", 100)
    signing_key()  # the user has one, on both machines
    other = windows.open_window(tmp_path, folder)
    writer = Writer(
        folder / "page_1.xml", Page(folder / "page_1.png", 320, 240), on_another_machine
    )
    writer.draw("divan")
    wait(lambda: other.banner.kind == "in use")
    text = other.banner.text.text()
    assert "page_1.xml is being edited in another window on atlas: changes here are refused" in text
    assert "or for 5 minutes if that machine has stopped" in text
    os.kill(writer.process, signal.SIGKILL)
    then = 1_000_000_000
    os.utime(journal_path(folder / "page_1.xml"), (then, then))
    wait(lambda: labels(other) == ["divan"])
    assert other.banner.kind == "recovered"
    windows.close(other)
