"""Saving that fails in any way is told once and waits; quitting always works."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPushButton

from spotlab.editing.journal import journal_path
from spotlab.formats.truth import page_xml
from spotlab.gui.kit import background
from spotlab.gui.pages import disk
from spotlab.gui.window import app
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows

pytestmark = pytest.mark.usefixtures("patient")


class Broken:
    """A fault in writing PAGE, as long as it is on."""

    def __init__(self) -> None:
        self.on = True
        self.calls = 0
        self._serialise = page_xml.serialise

    def __call__(self, *args: object, **more: object) -> bytes:
        if self.on:
            self.calls += 1
            raise AttributeError("'str' object has no attribute 'value'")
        return self._serialise(*args, **more)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return windows.write_pages(tmp_path / "plans")


@pytest.fixture
def window(tmp_path: Path, folder: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = windows.open_window(tmp_path, folder)
    yield window
    if window.isVisible():
        windows.close(window)


@pytest.fixture
def broken(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> Iterator[Broken]:
    """From when the page is open."""
    broken = Broken()
    monkeypatch.setattr(page_xml, "serialise", broken)
    yield broken
    broken.on = False


def wait(happened: Callable[[], object]) -> None:
    assert background.wait_until(lambda: bool(happened()), 30)


def answer(*titles: str, folder: Path | None = None) -> list[str]:
    """Click these buttons of the closing question, one each time it is asked; its texts."""
    asked: list[str] = []
    left = list(titles)

    def look() -> None:
        widget = QApplication.activeModalWidget()
        if isinstance(widget, QFileDialog):
            assert folder
            widget.setDirectory(str(folder))
            QTimer.singleShot(0, look)
            widget.done(QFileDialog.DialogCode.Accepted)
            return
        if isinstance(widget, QMessageBox):
            asked.append(widget.text())
            [button] = [each for each in widget.buttons() if each.text() == left[0]]
            assert button.isVisible()
            left.pop(0)
            if left or titles[-1] == "Save copies…":
                QTimer.singleShot(0, look)
            button.click()
            return
        QTimer.singleShot(20, look)

    QTimer.singleShot(0, look)
    return asked


def test_any_failure_is_told_once_and_waits(
    window: MainWindow,
    broken: Broken,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(disk, "PAUSE", 1)
    monkeypatch.setattr(disk, "RETRY", 200_000)  # however long a busy machine takes
    told: list[tuple[str, str]] = []
    window.workbench.trouble.connect(lambda *trouble: told.append(trouble))
    with app.catching(window):
        windows.add(window, "sofa")
        wait(lambda: broken.calls)
        timer = window.workbench.autosave._timer
        for left in range(100, 150, 10):  # strokes do not shorten the waiting
            windows.add(window, "sink", left=left)
            window.workbench.open_page(0)
            windows.settle()
            wait(lambda: timer.remainingTime() > 1000)
    assert broken.calls == 1
    assert [kind for kind, _ in told] == ["unsaved"]
    assert "page_1.xml was not saved: AttributeError" in window.banner.text.text()
    assert window.status.saved.text() == "not saved"
    assert capsys.readouterr().err.count("Traceback") == 1
    assert journal_path(window.workbench.session.path).exists()
    [again] = [b for b in window.banner.findChildren(QPushButton) if b.text() == "Try again"]
    again.click()  # who asks need not wait
    wait(lambda: broken.calls == 2)
    windows.settle()
    assert len(told) == 1
    broken.on = False
    again.click()
    windows.settle()
    assert window.status.saved.text() == "all saved"
    assert window.banner.isHidden()


def test_it_is_tried_again_by_itself_after_longer_and_longer(
    window: MainWindow, broken: Broken, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "PAUSE", 1)
    monkeypatch.setattr(disk, "RETRY", 20)
    monkeypatch.setattr(disk, "LONGEST_RETRY", 100)
    saves = window.workbench.autosave
    windows.add(window, "sofa")
    waits: list[int] = []

    def note() -> bool:
        for failure in saves._failed.values():
            if failure.wait and (not waits or waits[-1] != failure.wait):
                waits.append(failure.wait)
        return broken.calls >= 6

    wait(note)
    assert waits == [20, 40, 80, 100]
    broken.on = False
    wait(lambda: window.status.saved.text() == "all saved")
    assert window.banner.isHidden()


def test_closing_without_saving_keeps_the_journal(
    window: MainWindow, broken: Broken, folder: Path, tmp_path: Path
) -> None:
    windows.add(window, "sofa")
    asked = answer("Close without saving")
    assert window.close()
    assert not window.isVisible()
    assert f"The next start restores all steps from {folder}/page_1.xml.journal." in asked[0]
    assert "AttributeError" in asked[0]
    for session in window.workbench.sessions:
        session.close()  # the program has ended
    broken.on = False
    again = windows.open_window(tmp_path / "again", folder)
    assert again.banner.kind == "recovered"
    assert [region.label for region in again.workbench.document] == ["sofa"]
    windows.close(again)


def test_copies_can_be_saved_before_closing(
    window: MainWindow, folder: Path, tmp_path: Path
) -> None:
    windows.add(window, "sofa")
    (folder / "page_1.xml").mkdir()
    (folder / "page_2.xml").mkdir()
    copies = tmp_path / "copies"
    copies.mkdir()
    asked = answer("Save copies…", "Close without saving", folder=copies)
    assert window.close()
    assert len(asked) == 2
    assert f"Copies are in {copies}/page_1.copy.xml." in asked[1]
    [region] = page_xml.read(copies / "page_1.copy.xml").regions
    assert region.label == "sofa"
    for session in window.workbench.sessions:
        session.discard()
        session.close()


def test_where_no_copy_can_be_written_either_one_can_still_quit(
    window: MainWindow, broken: Broken, tmp_path: Path
) -> None:
    windows.add(window, "sofa")
    asked = answer("Save copies…", "Close without saving", folder=tmp_path)
    assert window.close()
    assert "No copy was written: 'str' object has no attribute" in asked[1]
    for session in window.workbench.sessions:
        session.close()


def test_a_mishap_on_closing_does_not_keep_the_window_open(
    window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[type] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, *_: seen.append(kind))

    def fail() -> None:
        raise IndexError("list index out of range")

    windows.add(window, "sofa")
    monkeypatch.setattr(window.canvas, "cancel", fail)
    monkeypatch.setattr(window.docks, "remember", fail)
    assert window.close()
    assert seen == [IndexError, IndexError]
    assert [region.label for region in page_xml.read(folder / "page_1.xml").regions] == ["sofa"]
    assert Qt.WindowState.WindowNoState == window.windowState()
