"""Other programs and other windows at the same page: noticed by itself, nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMainWindow, QPushButton

from spotlab.editing import session as saving
from spotlab.editing.journal import journal_path
from spotlab.formats.truth import page_xml
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Page, PageState, Region, Truth
from tests.gui import gestures, windows

THEIRS = Region(((5, 5), (50, 5), (50, 50)), "divan")
CONTROL = Qt.KeyboardModifier.ControlModifier

# Another spotlab at the same page: draws a region at each line that it reads, without saving
OTHER = """
import sys
from pathlib import Path
from spotlab.editing.session import EditingSession
from spotlab.model import Page, Region
session = EditingSession.open(Path(sys.argv[1]), Page(Path(sys.argv[2]), 320, 240))
for line in sys.stdin:
    if line.strip() == "save":
        session.save()
    else:
        region = Region(((5, 5), (50, 5), (50, 50)), line.strip())
        session.history.do("Draw", session.document.adding(region))
    print("done", flush=True)
"""


class Other:
    """A program that edits the first page."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", OTHER, str(folder / "page_1.xml"), str(folder / "page_1.png")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def tell(self, line: str) -> None:
        assert self.process.stdin and self.process.stdout
        print(line, file=self.process.stdin, flush=True)
        assert self.process.stdout.readline() == "done\n"

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return windows.write_pages(tmp_path / "plans")


@pytest.fixture
def window(tmp_path: Path, folder: Path, lasting: MainWindow) -> MainWindow:
    return windows.begin_anew(lasting, folder)


@pytest.fixture
def other(folder: Path) -> Iterator[Other]:
    other = Other(folder)
    yield other
    other.kill()


def labels(window: MainWindow) -> list[str]:
    return [region.label for region in window.workbench.document or ()]


def on_disk(folder: Path) -> list[str]:
    return [region.label for region in page_xml.read(folder / "page_1.xml").regions]


def write_theirs(folder: Path, *regions: Region) -> None:
    path = folder / "page_1.xml"
    if path.exists():
        truth = page_xml.read(path)
        page_xml.write(Truth(truth.page, (*truth.regions, *regions), source=truth.source), path)
    else:
        page_xml.write(Truth(Page(folder / "page_1.png", 320, 240), regions), path)


def wait(happened: Callable[[], object]) -> None:
    assert background.wait_until(lambda: bool(happened()), 30)


def away_and_back(window: MainWindow, meanwhile: Callable[[], object]) -> None:
    """Another window is in front for a while, as the window system tells it."""
    other = QMainWindow()
    other.show()
    other.activateWindow()
    wait(lambda: not window.isActiveWindow())
    meanwhile()
    window.activateWindow()
    wait(window.isActiveWindow)
    other.close()


def test_an_unedited_page_shows_what_another_wrote_by_itself(
    window: MainWindow, folder: Path
) -> None:
    write_theirs(folder, THEIRS)
    wait(lambda: labels(window) == ["divan"])
    with (folder / "page_1.xml").open("r+b") as file:  # in place: neither replaced nor renamed
        content = file.read()
        file.seek(0)
        file.write(content.replace(b"divan", b"chair"))
    wait(lambda: labels(window) == ["chair"])
    assert window.banner.isHidden()
    assert window.status.saved.text() == "all saved"
    assert window.workbench.collection.state(0) is PageState.DRAFT
    assert "chair" in window.workbench.labels


def test_own_steps_can_still_be_undone_after_it(window: MainWindow, folder: Path) -> None:
    windows.add(window, "sofa")
    window.workbench.save()
    windows.settle()
    write_theirs(folder, THEIRS)
    wait(lambda: labels(window) == ["sofa", "divan"])
    assert not window.workbench.autosave.pending
    windows.press(window.canvas, Qt.Key.Key_Z, CONTROL)
    assert labels(window) == ["sofa"], "theirs is a step like any other"
    windows.press(window.canvas, Qt.Key.Key_Z, CONTROL)
    assert labels(window) == []
    windows.press(window.canvas, Qt.Key.Key_Y, CONTROL)
    windows.press(window.canvas, Qt.Key.Key_Y, CONTROL)
    assert labels(window) == ["sofa", "divan"]
    window.workbench.save()
    windows.settle()
    assert on_disk(folder) == ["sofa", "divan"]


def test_what_is_not_drawn_here_survives_being_read_again(window: MainWindow, folder: Path) -> None:
    """Foreign elements that another program has added meanwhile stay in the file."""
    windows.add(window, "sofa")
    window.workbench.save()
    windows.settle()
    path = folder / "page_1.xml"
    added = path.read_bytes().replace(b"</Metadata>", b"<!-- theirs --></Metadata>")
    path.write_bytes(added)
    wait(lambda: not window.workbench.session.look().run().changed)
    windows.add(window, "sink", left=150)
    window.workbench.save()
    windows.settle()
    assert on_disk(folder) == ["sofa", "sink"]
    assert b"<!-- theirs -->" in path.read_bytes()


def test_leaving_the_window_saves_and_coming_back_looks(window: MainWindow, folder: Path) -> None:
    windows.add(window, "sofa")

    def meanwhile() -> None:
        wait((folder / "page_1.xml").exists)
        wait(lambda: not window.workbench.autosave.busy)
        window.workbench.disk._watch.follow(())  # only coming back tells of it
        write_theirs(folder, THEIRS)

    away_and_back(window, meanwhile)
    wait(lambda: labels(window) == ["sofa", "divan"])


def test_looking_costs_no_reading_where_the_file_is_the_same(
    window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    windows.add(window, "sofa")
    window.workbench.save()
    windows.settle()
    os.utime(folder / "page_1.xml", (1_000_000_000, 1_000_000_000))
    looks: list[object] = []
    read, stamp = saving.content_of, saving._stamp
    reads: list[Path] = []
    monkeypatch.setattr(saving, "content_of", lambda path: (reads.append(path), read(path))[1])
    monkeypatch.setattr(saving, "_stamp", lambda path: (looks.append(path), stamp(path))[1])
    for count in range(1, 5):
        away_and_back(window, lambda: None)
        wait(lambda count=count: len(looks) >= count)
        wait(lambda: not window.workbench.disk._task.busy)
    assert len(reads) <= 1


def test_unsaved_steps_are_kept_and_it_is_told(window: MainWindow, folder: Path) -> None:
    windows.add(window, "sofa")
    write_theirs(folder, THEIRS)
    wait(lambda: window.banner.kind == "changed")
    assert labels(window) == ["sofa"]
    assert on_disk(folder) == ["divan"]


def test_a_file_that_makes_no_sense_is_not_taken_over(window: MainWindow, folder: Path) -> None:
    write_theirs(folder, THEIRS)
    wait(lambda: labels(window) == ["divan"])
    path = folder / "page_1.xml"
    good = path.read_bytes()
    path.write_bytes(good[:200])
    wait(lambda: window.banner.kind == "changed")
    assert "the previous content is still shown" in window.banner.text.text()
    assert labels(window) == ["divan"]
    path.write_bytes(good.replace(b"divan", b"chair"))
    wait(lambda: labels(window) == ["chair"])
    wait(window.banner.isHidden)
    path.unlink()
    wait(lambda: window.banner.kind == "changed")
    assert "removed by another program" in window.banner.text.text()
    assert labels(window) == ["chair"]
    [keep] = [
        button
        for button in window.banner.findChildren(QPushButton)
        if button.text() == "Keep mine" and button.isVisible()
    ]
    keep.click()
    windows.settle()
    assert on_disk(folder) == ["chair"]
    wait(window.banner.isHidden)


def test_a_page_that_was_left_is_up_to_date_on_coming_back(
    window: MainWindow, folder: Path
) -> None:
    window.workbench.open_page(1)
    windows.settle()
    write_theirs(folder, THEIRS)
    window.workbench.open_page(0)
    wait(lambda: labels(window) == ["divan"])


@pytest.mark.slow
def test_a_page_that_another_window_edits_is_told_at_once(
    window: MainWindow, folder: Path, other: Other
) -> None:
    window.workbench.open_page(1)
    windows.settle()
    other.tell("divan")
    window.workbench.open_page(0)
    wait(lambda: window.banner.kind == "in use")
    assert "page_1.xml is being edited in another window" in window.banner.text.text()
    assert labels(window) == []
    other.tell("save")
    wait(lambda: labels(window) == ["divan"])
    wait(window.banner.isHidden)
    other.tell("chair")  # while it is open here
    wait(lambda: window.banner.kind == "in use")
    window.workbench.editing.label = "sink"
    other.kill()
    away_and_back(window, lambda: None)
    wait(lambda: labels(window) == ["divan", "chair"])
    assert window.banner.kind == "recovered"
    windows.settle()
    windows.add(window, "sink")
    assert window.workbench.close()
    assert on_disk(folder) == ["divan", "chair", "sink"]


def test_a_drag_is_not_disturbed(window: MainWindow, folder: Path) -> None:
    windows.add(window, "sofa")
    window.workbench.save()
    windows.settle()
    window.workbench.set_tool("select")
    canvas = window.canvas
    x, y = canvas.view.to_view(70, 60)
    gestures.press(canvas, (x, y))
    gestures.move(canvas, (x + 15, y + 10), gestures.LEFT)
    truth = page_xml.read(folder / "page_1.xml")
    page_xml.write(Truth(truth.page, (THEIRS,), source=truth.source), folder / "page_1.xml")
    wait(lambda: not window.workbench.disk._task.busy and window.workbench.disk._timer.isActive())
    assert labels(window) == ["sofa"]
    gestures.release(canvas, (x + 15, y + 10))
    wait(lambda: window.banner.kind == "changed" or labels(window) == ["divan"])


def test_an_image_of_another_size_is_remarked_on(
    window: MainWindow, folder: Path, tmp_path: Path
) -> None:
    windows.add(window, "sofa")
    assert window.workbench.close()
    Image.new("L", (160, 120), 255).save(folder / "page_1.png")
    again = windows.open_window(tmp_path / "again", folder)
    assert again.banner.isVisible() and again.banner.kind == "remark"
    text = again.banner.text.text()
    assert "page_1.png is 160 × 120 px, but its truth was drawn on 320 × 240 px" in text
    again.banner.close_button.click()
    assert again.banner.isHidden()
    windows.close(again)


def test_an_edited_page_is_no_longer_checked(window: MainWindow, folder: Path) -> None:
    workbench = window.workbench
    windows.add(window, "sofa")
    workbench.editing.set_checked(True)
    assert workbench.collection.state(0) is PageState.CHECKED
    workbench.editing.set_comment("as built in 1905")
    assert workbench.document.page.checked, "a remark changes nothing that was checked"
    canvas = window.canvas
    canvas.setFocus()
    windows.press(canvas, Qt.Key.Key_Right)  # nudges the selection
    assert workbench.collection.state(0) is PageState.DRAFT
    assert "no longer marked as checked" in window.status.hint.toolTip()
    windows.press(canvas, Qt.Key.Key_Right)
    windows.press(canvas, Qt.Key.Key_Z, CONTROL)
    assert workbench.collection.state(0) is PageState.CHECKED, "the mark is part of the step"
    windows.press(canvas, Qt.Key.Key_Y, CONTROL)
    assert workbench.close()
    assert not page_xml.read(folder / "page_1.xml").page.checked


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill")
def test_what_kills_left_of_saves_is_cleared_on_opening(
    folder: Path, tmp_path: Path, qapp: QApplication
) -> None:
    script = """
import os, signal, sys
from pathlib import Path
from spotlab.editing.session import EditingSession
from spotlab.model import Page, Region

os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
session = EditingSession.open(Path(sys.argv[1]), Page(Path(sys.argv[2]), 320, 240))
session.history.do("Draw", session.document.adding(Region(((5, 5), (50, 5), (50, 50)), "sofa")))
session.save()
"""
    for _ in range(3):
        arguments = [str(folder / "page_2.xml"), str(folder / "page_2.png")]
        done = subprocess.run([sys.executable, "-c", script, *arguments], check=False)
        assert done.returncode == -signal.SIGKILL
    assert len(list(folder.glob(".*.tmp"))) == 3
    window = windows.open_window(tmp_path, folder)
    assert not list(folder.glob(".*.tmp"))
    assert journal_path(folder / "page_2.xml").exists()
    windows.close(window)
