"""Export, import and copies of the truth, through the dialogs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from spotlab.formats.truth import page_xml
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return windows.write_pages(tmp_path / "plans")


@pytest.fixture
def window(tmp_path: Path, folder: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = windows.open_window(tmp_path, folder)
    windows.add(window, "sofa")
    window.workbench.save()
    windows.settle()
    yield window
    windows.close(window)


def choose(window: MainWindow, id: str, path: Path, *more: Path, kind: str = "") -> None:
    """Open a dialog by its action, choose a path, or several in a folder, and accept."""
    assert window.actions_by_id.trigger(id)
    [dialog] = [each for each in window.findChildren(QFileDialog) if each.isVisible()]
    if kind:
        [filter] = [each for each in dialog.nameFilters() if kind in each]
        dialog.selectNameFilter(filter)
    dialog.setDirectory(str(path.parent))
    if more:
        names = " ".join(f'"{each.name}"' for each in (path, *more))
        edit = dialog.findChild(QLineEdit)
        assert edit is not None
        edit.setText(names)  # as a click and one with Ctrl in the list write it
    else:
        dialog.selectFile(str(path))
    dialog.accept()
    windows.settle()


def test_the_collection_is_exported(window: MainWindow, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    choose(window, "file.export", target, kind="COCO")
    content = json.loads(target.read_text())
    assert [each["name"] for each in content["categories"]] == ["sofa"]
    assert len(content["annotations"]) == 1


def test_what_is_not_saved_yet_is_exported_too(window: MainWindow, tmp_path: Path) -> None:
    windows.add(window, "sink", left=150)
    target = tmp_path / "out.json"
    choose(window, "file.export", target, kind="COCO")
    assert len(json.loads(target.read_text())["annotations"]) == 2


def test_an_export_that_fails_says_why(window: MainWindow, tmp_path: Path) -> None:
    said: list[tuple[str, bool]] = []
    window.workbench.said.connect(lambda text, serious: said.append((text, serious)))
    (tmp_path / "file").write_text("in the way")
    choose(window, "file.export", tmp_path / "file" / "out.json", kind="COCO")
    assert said and said[-1][1]


def test_truth_of_another_format_comes_in(window: MainWindow, tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    choose(window, "file.export", target, kind="COCO")
    other = windows.write_pages(tmp_path / "other")
    copied = other / "truth.json"
    copied.write_text(target.read_text())
    choose(window, "file.import", copied)
    assert window.workbench.collection.folder == other
    assert [region.label for region in window.workbench.document or ()] == ["sofa"]


def test_several_files_come_in_together(window: MainWindow, tmp_path: Path) -> None:
    other = windows.write_pages(tmp_path / "other")
    drawings = []
    for number in (1, 2):
        drawing = other / f"page_{number}_gt_3.svg"  # as CVC-FP is published
        drawing.write_text(
            '<svg xmlns="http://www.w3.org/2000/svg"><width>320</width><height>240</height>'
            '<polygon class="Door" points="10,10 60,10 60,60 10,60"/></svg>'
        )
        drawings.append(drawing)
    choose(window, "file.import", *drawings)
    assert window.workbench.collection.folder == other
    assert [region.label for region in window.workbench.document or ()] == ["Door"]
    assert len(page_xml.read(other / "page_2.xml").regions) == 1


def test_a_copy_of_the_truth(window: MainWindow, tmp_path: Path) -> None:
    choose(window, "file.save_copy", tmp_path / "copy.xml")
    assert [region.label for region in page_xml.read(tmp_path / "copy.xml").regions] == ["sofa"]


def test_a_folder_is_chosen(window: MainWindow, tmp_path: Path) -> None:
    other = windows.write_pages(tmp_path / "other", 3)
    choose(window, "file.open_folder", other)
    assert len(window.workbench.entries) == 3
