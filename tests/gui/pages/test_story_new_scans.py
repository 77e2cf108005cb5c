"""A folder that grows while it is open, is opened again, and has pages of the same name."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from spotlab.formats.collection import folder as folder_file
from spotlab.formats.collection.folder import PageEntry
from spotlab.gui.kit.background import wait_until
from spotlab.gui.pages import loading
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.window.main_window import MainWindow
from spotlab.progress import Progress
from tests.gui import windows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return windows.write_pages(tmp_path / "scans", 3)


@pytest.fixture
def window(tmp_path: Path, folder: Path, lasting: MainWindow) -> MainWindow:
    return windows.begin_anew(lasting, folder)


def listed(window: MainWindow) -> list[str]:
    model = window.panel(PagesPanel).model
    return [
        model.index(row, 0).data(Qt.ItemDataRole.DisplayRole) for row in range(model.rowCount())
    ]


def copy(image: Path, to: Path) -> None:
    """As a scanner's program leaves it: whole, and not written a moment ago."""
    beside = to.parent.parent / "copied"
    shutil.copy(image, beside)
    os.utime(beside, (time.time() - 60,) * 2)
    beside.rename(to)


def test_a_new_scan_is_listed_by_itself(window: MainWindow, folder: Path) -> None:
    window.workbench.open_page(2)
    windows.settle()
    region = windows.add(window)
    copy(folder / "page_1.png", folder / "page_2b.png")
    assert wait_until(lambda: len(window.workbench.entries) == 4, 20)
    assert listed(window) == ["page_1", "page_2", "page_2b", "page_3"]
    assert window.workbench.index == 3 and window.workbench.entry is not None
    assert window.workbench.entry.name == "page_3"  # the open page is the same one
    assert window.workbench.document is not None and region in list(window.workbench.document)
    assert wait_until(lambda: window.workbench.collection.state(2) is not None, 20)


def test_one_in_a_new_folder_too(window: MainWindow, folder: Path) -> None:
    (folder / "later").mkdir()
    copy(folder / "page_1.png", folder / "later" / "page_1.png")
    assert wait_until(lambda: len(window.workbench.entries) == 4, 20)
    assert listed(window) == ["page_1", "page_2", "page_3", "later/page_1"]


def test_one_that_is_still_written_waits(
    window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "SETTLED", 3.0)
    late = folder / "page_4.png"
    late.write_bytes((folder / "page_1.png").read_bytes()[:100])
    begun = time.time()
    assert wait_until(lambda: len(window.workbench.entries) == 4, 30)
    assert time.time() - begun > 2.0


def test_a_folder_that_went_away_is_looked_into_when_it_is_back(
    window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []

    def scan(folders: Sequence[Path], progress: Progress) -> list[PageEntry]:
        looked.append(len(folders))
        return folder_file.scan(folders, progress)

    monkeypatch.setattr(loading, "scan", scan)
    away = folder.with_name("away")
    shutil.copytree(folder, away)
    shutil.rmtree(folder)
    assert wait_until(lambda: 0 in looked, 20)
    windows.settle()
    assert listed(window) == ["page_1", "page_2", "page_3"]
    away.rename(folder)
    copy(folder / "page_1.png", folder / "page_4.png")
    other = QWidget()
    other.show()
    other.activateWindow()
    assert wait_until(other.isActiveWindow)
    other.close()
    window.activateWindow()
    assert wait_until(lambda: len(listed(window)) == 4, 20)
    copy(folder / "page_1.png", folder / "page_5.png")
    assert wait_until(lambda: len(listed(window)) == 5, 20)


def test_the_folder_opens_where_it_was_left(
    window: MainWindow, tmp_path: Path, folder: Path
) -> None:
    window.workbench.open_page(1)
    windows.settle()
    other = windows.write_pages(tmp_path / "other", 1)
    window.open_paths([other])
    windows.settle()
    assert window.workbench.index == 0
    window.open_paths([folder])
    windows.settle()
    assert window.workbench.index == 1
    (folder / "page_2.png").unlink()
    window.open_paths([folder])
    assert window.workbench.index == 0


def test_pages_of_the_same_name_are_told_apart(window: MainWindow, folder: Path) -> None:
    Image.open(folder / "page_1.png").save(folder.parent / "as.jpg")
    copy(folder.parent / "as.jpg", folder / "page_1.jpg")
    assert wait_until(lambda: len(window.workbench.entries) == 4, 20)
    assert sorted(listed(window))[:2] == ["page_1", "page_1.jpg"]  # the old page keeps its name
    row = listed(window).index("page_1.jpg")
    window.workbench.open_page(row)
    windows.settle()
    assert window.windowTitle().startswith("page_1.jpg")
    windows.add(window)
    window.workbench.save()
    windows.settle()
    assert (folder / "page_1.jpg.xml").exists() and not (folder / "page_1.xml").exists()
