"""Opening collections: the empty window, recent ones, drag and drop, and what is not there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton

from spotlab.formats.truth import page_xml
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.inspect.inspecting import BED, line, write_collection, write_run


@pytest.fixture
def window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = windows.open_window(tmp_path)
    yield window
    windows.close(window)


def drop(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    action, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    middle = window.rect().center()
    enter = QDragEnterEvent(middle, action, data, left, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, enter)
    assert enter.isAccepted()
    event = QDropEvent(QPointF(middle), action, data, left, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(window, event)
    windows.settle()


def test_an_empty_window_says_what_to_do(window: MainWindow) -> None:
    assert window.welcome.isVisible()
    assert not window.canvas.isVisible()
    assert window.welcome.folder_button.isVisible()
    assert not window.actions_by_id["page.next"].isEnabled()


def test_a_dropped_folder_opens(window: MainWindow, tmp_path: Path) -> None:
    drop(window, windows.write_pages(tmp_path / "plans", 3))
    assert window.canvas.isVisible()
    assert not window.welcome.isVisible()
    assert [entry.name for entry in window.workbench.entries] == ["page_1", "page_2", "page_3"]
    assert "page_1" in window.windowTitle()


def test_only_the_dropped_files_open(window: MainWindow, tmp_path: Path) -> None:
    folder = windows.write_pages(tmp_path / "plans", 3)
    drop(window, folder / "page_3.png", folder / "page_1.png")
    assert {entry.name for entry in window.workbench.entries} == {"page_1", "page_3"}


def test_text_cannot_be_dropped(window: MainWindow) -> None:
    data = QMimeData()
    data.setText("no file")
    enter = QDragEnterEvent(
        window.rect().center(), Qt.DropAction.CopyAction, data,
        Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    enter.ignore()
    QApplication.sendEvent(window, enter)
    assert not enter.isAccepted()


def test_what_is_no_page_is_said_and_changes_nothing(window: MainWindow, tmp_path: Path) -> None:
    window.open_paths([windows.write_pages(tmp_path / "plans")])
    windows.settle()
    said: list[tuple[str, bool]] = []
    window.workbench.said.connect(lambda text, serious: said.append((text, serious)))
    (tmp_path / "empty").mkdir()
    assert not window.open_paths([tmp_path / "empty"])
    assert len(said) == 1 and "empty" in said[0][0] and said[0][1]
    assert len(window.workbench.entries) == 2
    assert window.workbench.document is not None


def test_recent_collections_are_offered_the_last_one_first(
    window: MainWindow, tmp_path: Path
) -> None:
    folders = [windows.write_pages(tmp_path / name) for name in ("first", "second")]
    for folder in (*folders, folders[0]):
        window.open_paths([folder])
        windows.settle()
    assert window.recent.paths == folders
    again = windows.open_window(tmp_path)
    buttons = again.welcome.findChildren(QToolButton)
    assert [button.text().split()[0] for button in buttons] == ["first", "second"]
    buttons[1].click()
    windows.settle()
    assert again.workbench.collection.folder == folders[1]
    windows.close(again)


def test_what_is_gone_is_not_offered(window: MainWindow, tmp_path: Path) -> None:
    folder = windows.write_pages(tmp_path / "first")
    window.open_paths([folder])
    windows.settle()
    folder.rename(tmp_path / "renamed")
    window.recent.look()
    assert background.wait_until(lambda: window.recent.paths == [])


def test_the_sample_opens_from_the_menu(window: MainWindow) -> None:
    assert window.actions_by_id.trigger("file.open_sample")
    windows.settle()
    assert len(window.workbench.entries) == 12


def test_the_window_remembers_its_size(window: MainWindow, tmp_path: Path) -> None:
    window.resize(790, 640)  # offscreen, the screen is small
    size = window.size()
    window.close()
    again = windows.open_window(tmp_path, size=None)
    assert again.size() == size
    windows.close(again)


YOLO = "path: .\ntrain: images\nval: images\nnames:\n  0: sofa\n"


def test_truth_of_another_program_in_a_dropped_folder_is_offered(
    window: MainWindow, tmp_path: Path
) -> None:
    folder = tmp_path / "dataset"
    windows.write_pages(folder / "images")
    (folder / "labels").mkdir()
    (folder / "labels" / "page_2.txt").write_text("0 0.5 0.5 0.2 0.25\n")
    (folder / "data.yaml").write_text(YOLO)
    drop(window, folder)
    assert window.banner.isVisible()
    assert "YOLO" in window.banner.text.text()
    [button] = [b for b in window.banner.findChildren(QPushButton) if b.text() == "Import"]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    windows.settle()
    assert "Wrote 1 region of 2 pages" in window.banner.text.text()
    assert [entry.name for entry in window.workbench.entries if entry.has_truth] == [
        "page_1",
        "page_2",
    ]
    truth = page_xml.read(next(folder.rglob("page_2.xml")))
    assert [region.label for region in truth.regions] == ["sofa"]


@pytest.mark.parametrize("together", [True, False])
def test_a_run_opens_beside_its_pages(window: MainWindow, tmp_path: Path, together: bool) -> None:
    pages = write_collection(tmp_path / "pages")
    run = write_run(tmp_path / "all.csv", line("bed", "page_1", 1, 0.9, BED))
    if together:
        assert window.open_paths([pages, run])
        windows.settle()
    else:
        drop(window, run)
        assert "Open the pages first" in window.banner.text.text()
        drop(window, pages)
        drop(window, run)
    assert [entry.name for entry in window.workbench.entries] == ["page_1", "page_2"]
    assert window.workbench.workspace == "inspect"
    assert [each.name for each in window.workbench.state(Inspection).runs] == ["all"]


@pytest.mark.parametrize(("name", "text"), [("notes.txt", "nothing\n"), ("a.json", '{"a": [1]}')])
def test_what_is_neither_a_page_nor_a_run_is_refused(
    window: MainWindow, tmp_path: Path, name: str, text: str
) -> None:
    pages = windows.write_pages(tmp_path / "pages")
    (tmp_path / name).write_text(text)
    assert not window.open_paths([pages, tmp_path / name])
    windows.settle()
    assert f"{name}: the file is not a page" in window.banner.text.text()


def test_a_run_finds_the_pages_of_voc_beside_their_masks(
    window: MainWindow, tmp_path: Path
) -> None:
    write_collection(tmp_path / "devkit" / "JPEGImages")
    windows.write_pages(tmp_path / "devkit" / "SegmentationClass", 2)
    run = write_run(tmp_path / "all.csv", line("bed", "page_1", 1, 0.9, BED))
    assert window.open_paths([tmp_path / "devkit", run])
    windows.settle()
    [opened] = window.workbench.state(Inspection).runs
    assert not opened.unknown_pages


def test_nothing_is_offered_where_pages_have_their_truth(
    window: MainWindow, tmp_path: Path
) -> None:
    folder = windows.write_pages(tmp_path / "plans")
    (folder / "page_1.json").write_text(
        '{"version": "5.0", "shapes": [], "imagePath": "page_1.png"}'
    )
    drop(window, folder)
    assert "labelme" in window.banner.text.text()
    windows.add(window)
    window.workbench.save()
    windows.settle()
    drop(window, folder)
    assert not window.banner.isVisible(), window.banner.text.text()
