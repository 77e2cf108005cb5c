"""The strip above the page: changed by others, recovered, not saved, unreadable, and mishaps."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox, QPushButton

from spotlab.formats.truth import page_xml
from spotlab.gui.kit import background
from spotlab.gui.pages.offers import Offer, Question
from spotlab.gui.window import app
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.windows import press


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return windows.write_pages(tmp_path / "plans")


@pytest.fixture
def window(tmp_path: Path, folder: Path, lasting: MainWindow) -> MainWindow:
    return windows.begin_anew(lasting, folder)


def click(window: MainWindow, title: str) -> None:
    buttons = window.banner.findChildren(QPushButton)
    [button] = [each for each in buttons if each.text() == title and each.isVisible()]
    button.click()
    windows.settle()


def titles(window: MainWindow) -> list[str]:
    buttons = window.banner.findChildren(QPushButton)
    return [each.text() for each in buttons if each.isVisible()]


def change_by_another(folder: Path, window: MainWindow) -> Path:
    """Draw, save, draw again, and let another program write the file in between."""
    windows.add(window, "sofa")
    window.workbench.save()
    windows.settle()
    path = folder / "page_1.xml"
    truth = page_xml.read(path)
    windows.add(window, "sink", left=150)
    page_xml.write(type(truth)(truth.page), path)
    assert background.wait_until(lambda: window.banner.kind == "changed")
    assert window.banner.isVisible()
    assert "page_1.xml" in window.banner.text.text()
    return path


def labels(path: Path) -> list[str]:
    return [region.label for region in page_xml.read(path).regions]


def test_a_changed_file_can_be_kept(window: MainWindow, folder: Path) -> None:
    path = change_by_another(folder, window)
    assert labels(path) == []
    click(window, "Keep mine")
    assert labels(path) == ["sofa", "sink"]
    assert not window.banner.isVisible()


def test_a_changed_file_can_be_read_again(window: MainWindow, folder: Path) -> None:
    path = change_by_another(folder, window)
    click(window, "Reload")
    assert len(window.workbench.document or ()) == 0
    assert labels(path) == []
    assert not window.banner.isVisible()


def test_a_changed_file_is_settled_on_its_own_page(window: MainWindow, folder: Path) -> None:
    change_by_another(folder, window)
    press(window.canvas, Qt.Key.Key_PageDown)
    windows.settle()
    windows.add(window, "lamp")
    assert titles(window) == ["Go to the page"]
    assert "page_1.xml" in window.banner.text.text()
    click(window, "Go to the page")
    assert window.workbench.index == 0
    assert background.wait_until(lambda: window.banner.kind == "changed")
    assert titles(window) == ["Reload", "Keep mine", "Save a copy…"]
    click(window, "Reload")
    assert not window.banner.isVisible()
    press(window.canvas, Qt.Key.Key_PageDown)
    windows.settle()
    assert [region.label for region in window.workbench.document or ()] == ["lamp"]
    assert labels(folder / "page_2.xml") == ["lamp"]


def test_a_changed_file_is_told_of_again_on_its_page(window: MainWindow, folder: Path) -> None:
    change_by_another(folder, window)
    press(window.canvas, Qt.Key.Key_PageDown)
    windows.settle()
    window.banner.close_button.click()
    press(window.canvas, Qt.Key.Key_PageUp)
    assert background.wait_until(lambda: window.banner.kind == "changed")
    click(window, "Keep mine")
    assert labels(folder / "page_1.xml") == ["sofa", "sink"]


def test_what_a_killed_program_left_is_told(
    tmp_path: Path, folder: Path, window: MainWindow
) -> None:
    windows.add(window, "sofa")
    journal = folder / "page_1.xml.journal"
    left = journal.read_bytes()
    windows.close_without_saving(window)
    (folder / "page_1.xml").unlink(missing_ok=True)
    journal.write_bytes(left)
    again = windows.open_window(tmp_path / "again", folder)
    assert again.banner.isVisible()
    assert again.banner.kind == "recovered"
    assert [region.label for region in again.workbench.document or ()] == ["sofa"]
    again.banner.close_button.click()
    assert not again.banner.isVisible()
    windows.close(again)


def test_what_cannot_be_saved_is_told_and_asked_about(
    window: MainWindow, folder: Path, tmp_path: Path
) -> None:
    (folder / "page_1.xml").mkdir()  # in the way, for root as well
    windows.add(window, "sofa")
    window.workbench.save()
    windows.settle()
    assert window.banner.kind == "unsaved"
    assert window.status.saved.text() == "not saved"

    def answer() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        [button] = [each for each in box.buttons() if each.text() == "Stay"]
        button.click()

    QTimer.singleShot(200, answer)
    assert not window.close()
    assert window.isVisible()
    (folder / "page_1.xml").rmdir()
    click(window, "Try again")
    assert labels(folder / "page_1.xml") == ["sofa"]
    assert not window.banner.isVisible()
    assert background.wait_until(lambda: window.status.saved.text() == "all saved")


def test_a_copy_is_saved_of_the_page_that_cannot_be_saved(
    window: MainWindow, folder: Path, tmp_path: Path
) -> None:
    (folder / "page_1.xml").mkdir()  # in the way, for root as well
    windows.add(window, "sofa")
    press(window.canvas, Qt.Key.Key_PageDown)
    windows.settle()
    windows.add(window, "lamp")
    windows.settle()
    assert "page_1.xml" in window.banner.text.text()
    assert titles(window) == ["Try again", "Go to the page"]
    click(window, "Go to the page")
    assert titles(window) == ["Try again", "Save a copy…"]
    [copy] = [
        each for each in window.banner.findChildren(QPushButton) if each.text() == "Save a copy…"
    ]
    copy.click()
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.selectFile(str(tmp_path / "copy.xml"))
    dialog.accept()
    assert labels(tmp_path / "copy.xml") == ["sofa"]
    (folder / "page_1.xml").rmdir()
    click(window, "Try again")
    assert labels(folder / "page_1.xml") == ["sofa"]
    assert labels(folder / "page_2.xml") == ["lamp"]


def test_a_damaged_image_is_told(window: MainWindow, folder: Path) -> None:
    (folder / "page_2.png").write_bytes((folder / "page_2.png").read_bytes()[:60])
    window.workbench.open_page(1)
    windows.settle()
    assert window.banner.kind == "unreadable"
    assert "page_2.png" in window.banner.text.text()
    window.workbench.open_page(0)
    windows.settle()
    assert window.workbench.document is not None
    assert not window.banner.isVisible()  # reading page 1 again would not help page 2


def test_a_mishap_is_shown_and_the_window_lives_on(
    window: MainWindow, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise RuntimeError("the moon is full")

    windows.add(window, "sofa")
    with app.catching(window):
        try:
            fail()
        except RuntimeError:
            sys.excepthook(*sys.exc_info())
    windows.settle()
    assert window.banner.kind == "error"
    assert "the moon is full" in window.banner.text.text()
    assert labels(folder / "page_1.xml") == ["sofa"]
    click(window, "Copy details")
    details = QApplication.clipboard().text()
    assert "Traceback" in details and "PySide6" in details
    assert details.strip() in capsys.readouterr().err
    windows.add(window, "sink", left=150)
    assert len(window.workbench.document or ()) == 2


def test_a_signal_saves_and_closes(window: MainWindow, folder: Path) -> None:
    windows.add(window, "sofa")
    with app.ending(window.close):
        os.kill(os.getpid(), signal.SIGTERM)
        assert background.wait_until(lambda: not window.isVisible())
    assert labels(folder / "page_1.xml") == ["sofa"]


def offer(window: MainWindow, name: str, page: Path | None = None) -> list[str]:
    """Ask something that takes note of the answers."""
    answers: list[str] = []
    question = Question(
        f"Carry out {name}?", "Some regions change.", ("page_1: <b>r1</b>",), "Apply"
    )
    go, leave = (lambda: answers.append("go")), (lambda: answers.append("leave"))
    window.workbench.offers.ask(Offer(question, go, leave, page))
    windows.settle()
    return answers


def test_offers_wait_for_an_answer_one_after_the_other(window: MainWindow) -> None:
    first, second = offer(window, "<h1>one</h1>"), offer(window, "two")
    assert window.banner.text.text() == "Carry out <h1>one</h1>?"
    assert window.banner.text.textFormat() == Qt.TextFormat.PlainText
    assert titles(window) == ["Apply", "Leave", "Show…"]
    click(window, "Apply")
    assert (first, second) == (["go"], [])
    assert window.banner.text.text() == "Carry out two?"
    click(window, "Leave")
    assert (first, second) == (["go"], ["leave"])
    assert not window.banner.isVisible()


def test_an_offer_comes_back_after_another_message(window: MainWindow) -> None:
    answers = offer(window, "one")
    window.banner.show_remark("Something else", "…")
    assert window.banner.text.text() == "Something else"
    window.banner.close_button.click()
    assert window.banner.text.text() == "Carry out one?"
    window.banner.close_button.click()
    assert answers == ["leave"]
    assert not window.banner.isVisible()


def test_an_offer_about_a_page_is_shown_with_that_page(window: MainWindow, folder: Path) -> None:
    answers = offer(window, "one", folder / "page_2.xml")
    assert not window.banner.isVisible()
    window.workbench.open_page(1)
    windows.settle()
    assert window.banner.isVisible()
    window.workbench.open_page(0)
    windows.settle()
    assert not window.banner.isVisible()
    window.workbench.open_page(1)
    windows.settle()
    click(window, "Apply")
    assert answers == ["go"]


def test_an_offer_shows_what_would_change_as_plain_text(window: MainWindow) -> None:
    answers = offer(window, "<b>one</b>")
    click(window, "Show…")
    [box] = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    [shown] = [each for each in box.findChildren(QLabel) if "Carry out" in each.text()]
    assert QTextDocumentFragment.fromHtml(shown.text()).toPlainText() == "Carry out <b>one</b>?"
    assert box.detailedText() == "page_1: <b>r1</b>"
    assert answers == []
    next(each for each in box.buttons() if each.text() == "Apply").click()
    windows.settle()
    assert answers == ["go"]
    assert not window.banner.isVisible()


def test_an_offer_goes_with_its_collection(window: MainWindow, tmp_path: Path) -> None:
    answers = offer(window, "one")
    window.open_paths([windows.write_pages(tmp_path / "others")])
    windows.settle()
    assert not window.banner.isVisible()
    assert answers == []
