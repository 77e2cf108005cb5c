"""Disks that are slow, and network drives that have gone: the window waits for none of them."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest

from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from tests.gui import gestures, windows
from tests.gui.file_calls import FileCalls, recorded

pytestmark = pytest.mark.usefixtures("qapp")


class Hanging:
    """Lets calls for some paths hang until somebody lets them go on."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.goes_on = threading.Event()

    def __call__(self, name: str, path: str) -> None:
        if any(part in path for part in self.names):
            assert threading.current_thread() is not threading.main_thread(), (name, path)
            self.goes_on.wait(60)


@pytest.fixture
def let_go() -> Iterator[list[Hanging]]:
    """What is put in here goes on at the end."""
    hanging: list[Hanging] = []
    yield hanging
    for each in hanging:
        each.goes_on.set()
    assert background.wait_for_all()


def draw(window: MainWindow, left: float, top: float) -> None:
    """Draw a box with the mouse."""
    count = len(window.workbench.document or ())
    window.workbench.set_tool("box")
    places = [(left, top), (left + 20, top + 15), (left + 40, top + 30)]
    gestures.drag(window.canvas, gestures.on_screen(window.canvas, places))
    assert len(window.workbench.document or ()) == count + 1


def is_shown(window: MainWindow) -> bool:
    pixels = window.workbench.pixels
    return window.workbench.document is not None and pixels is not None and not pixels.preview


def test_no_file_is_asked_for_on_the_windows_thread(tmp_path: Path) -> None:
    first = windows.write_pages(tmp_path / "first", 3)
    second = windows.write_pages(tmp_path / "second")
    home = Path(os.environ["XDG_STATE_HOME"]).parent
    done: list[tuple[str, list[str]]] = []
    with recorded(FileCalls(tmp_path, home)) as calls:

        def note(phase: str) -> None:
            assert calls.calls, phase  # the recording works
            done.append((phase, [str(call) for call in calls.on_window]))
            calls.calls.clear()

        window = windows.open_window(tmp_path)
        window.session.reopen()
        note("start")
        window.open_paths([first])
        assert background.wait_until(lambda: is_shown(window))
        windows.settle()
        note("open")
        draw(window, 40, 40)
        draw(window, 120, 40)
        note("draw")
        window.workbench.editing.apply_label("chair")
        windows.settle()
        note("label")
        assert window.actions_by_id.trigger("file.save")
        assert background.wait_until(lambda: not window.workbench.autosave.pending)
        note("save")
        assert window.actions_by_id.trigger("page.next")
        assert background.wait_until(lambda: is_shown(window))
        draw(window, 60, 60)
        assert window.actions_by_id.trigger("page.next")  # with something unsaved
        assert background.wait_until(lambda: is_shown(window))
        windows.settle()
        note("next page")
        draw(window, 60, 60)
        window.workbench.disk.look()
        window.open_paths([second])
        assert background.wait_until(lambda: is_shown(window))
        note("open another")
        draw(window, 60, 60)
        window.close()
        note("close")
    assert {phase: waited for phase, waited in done if waited} == {}
    assert all((folder / "page_1.xml").exists() for folder in (first, second))


def test_opening_a_folder_that_hangs_can_be_cancelled(
    tmp_path: Path, let_go: list[Hanging]
) -> None:
    window = windows.open_window(tmp_path, windows.write_pages(tmp_path / "first"))
    dead = windows.write_pages(tmp_path / "dead")
    let_go.append(Hanging(str(dead)))
    drawn: list[int] = []
    said: list[str] = []

    def meanwhile() -> None:
        if background.wait_until(window.status.cancel.isVisible):
            said.append(window.status.doing.text())
            draw(window, 40, 40)  # other work goes on
            drawn.append(len(window.workbench.document or ()))
            QTest.mouseClick(window.status.cancel, Qt.MouseButton.LeftButton)
        window.workbench.opening.cancel()  # whatever has failed

    with recorded(FileCalls(tmp_path, answer=let_go[0])):
        QTimer.singleShot(0, meanwhile)
        assert not window.open_paths([dead])
        assert drawn == [1] and said == ["Opening dead"]
        assert window.workbench.collection.folder == tmp_path / "first"
    let_go[0].goes_on.set()
    windows.close(window)


def test_another_folder_opens_while_one_hangs(tmp_path: Path, let_go: list[Hanging]) -> None:
    window = windows.open_window(tmp_path)
    second, dead = windows.write_pages(tmp_path / "second"), windows.write_pages(tmp_path / "dead")
    let_go.append(Hanging(str(dead)))
    with recorded(FileCalls(tmp_path, answer=let_go[0])):
        QTimer.singleShot(0, lambda: window.open_paths([second]))
        assert not window.open_paths([dead])
        assert background.wait_until(lambda: is_shown(window))
        assert window.workbench.collection.folder == second
    let_go[0].goes_on.set()
    windows.close(window)


def test_saves_that_hang_keep_no_other_save_waiting(
    tmp_path: Path, let_go: list[Hanging], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "STUCK", 0.05)
    folder = windows.write_pages(tmp_path / "pages", 4)
    window = windows.open_window(tmp_path, folder)
    let_go.append(Hanging(*(f".page_{number}.xml." for number in (1, 2, 3))))  # being replaced
    with recorded(FileCalls(tmp_path, answer=let_go[0])):
        for _ in range(3):
            draw(window, 40, 40)
            assert window.actions_by_id.trigger("page.next")
            assert background.wait_until(lambda: is_shown(window))
        draw(window, 40, 40)
        window.workbench.save()
        assert background.wait_until((folder / "page_4.xml").exists)
        assert not (folder / "page_1.xml").exists()
        let_go[0].goes_on.set()
        assert background.wait_until(lambda: not window.workbench.autosave.pending)
    windows.close(window)


def test_a_start_whose_folder_has_gone_shows_the_welcome_page(tmp_path: Path) -> None:
    folder = windows.write_pages(tmp_path / "pages")
    window = windows.open_window(tmp_path, folder)
    assert window.close()
    windows.close(window)
    assert (tmp_path / "session.spotlab").exists()
    refused = OSError(116, "Stale file handle")

    def answer(name: str, path: str) -> None:
        if path == str(folder):
            raise refused

    said: list[str] = []
    with recorded(FileCalls(tmp_path, answer=answer)):
        window = windows.open_window(tmp_path)
        window.workbench.said.connect(lambda text, _: said.append(text))
        window.session.reopen()
        windows.settle()
    assert window.welcome.isVisible() and not window.workbench.entries
    assert len(said) == 1 and str(folder) in said[0]
    windows.close(window)
