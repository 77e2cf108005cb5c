"""Dialogs for files open where the user's files are, never in the folders of spotlab itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog

from spotlab.gui.kit import files
from spotlab.gui.systems.state import Systems
from spotlab.gui.window.dialogs.export_dialog import ExportDialog
from spotlab.gui.window.main_window import MainWindow
from spotlab.resources import VOTES, is_own_folder, own_sample
from tests.gui import windows

WORKSPACES = ("annotate", "inspect", "words", "systems")


@pytest.fixture
def documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's folder for documents, as the desktop names it."""
    files._saved_in.clear()
    config = Path(os.environ["XDG_CONFIG_HOME"])
    config.mkdir(parents=True, exist_ok=True)
    (config / "user-dirs.dirs").write_text(f'XDG_DOCUMENTS_DIR="{tmp_path}/Papers"\n')
    folder = tmp_path / "Papers"
    folder.mkdir()
    return folder


@pytest.fixture
def sample(qapp: QApplication, tmp_path: Path, documents: Path) -> Iterator[MainWindow]:
    window = windows.open_window(tmp_path / "settings", own_sample())
    yield window
    windows.close(window)


def opened(window: MainWindow) -> list[QDialog]:
    return [each for each in window.findChildren(QDialog) if each.isVisible()]


def start(window: MainWindow, id: str) -> Path:
    """The folder in which the dialog of an action opens."""
    assert window.actions_by_id.trigger(id), window.actions_by_id.obstacle(id)
    windows.settle()
    [dialog] = opened(window)
    if isinstance(dialog, ExportDialog):
        folder = Path(dialog.form.target.text()).parent
    else:
        assert isinstance(dialog, QFileDialog)
        folder = Path(dialog.directory().absolutePath())
    dialog.reject()
    windows.settle()
    return folder


@pytest.mark.slow
def test_of_the_sample_every_dialog_opens_in_the_documents(
    sample: MainWindow, documents: Path
) -> None:
    sample.workbench.state(Systems).open([own_sample(VOTES) / "contest.csv"])
    windows.settle()
    asked = 0
    for name in WORKSPACES:
        sample.enter(name)
        windows.settle()
        sample.workbench.selection.set([next(iter(sample.workbench.document)).id])
        for id, action in sample.actions_by_id.by_id.items():
            title = sample.actions_by_id[id].text()
            if not title.endswith("…") or id == "edit.commands" or action.obstacle(sample):
                continue
            sample.actions_by_id.trigger(id)
            windows.settle()
            for dialog in opened(sample):
                if isinstance(dialog, QFileDialog):
                    asked += 1
                    folder = Path(dialog.directory().absolutePath())
                    # subsets are found in the collection only
                    assert folder == documents or id == "run.save_subset", (id, folder)
                dialog.reject()
            windows.settle()
    assert asked > 20


def test_an_export_of_the_sample_goes_to_the_documents(sample: MainWindow, documents: Path) -> None:
    assert start(sample, "file.export") == documents


def test_what_is_saved_next_goes_where_the_last_thing_went(
    sample: MainWindow, documents: Path, tmp_path: Path
) -> None:
    (tmp_path / "results").mkdir()
    assert sample.actions_by_id.trigger("file.save_copy")
    [dialog] = opened(sample)
    assert isinstance(dialog, QFileDialog)
    dialog.setDirectory(str(tmp_path / "results"))
    dialog.selectFile("copy.xml")
    dialog.accept()
    windows.settle()
    assert (tmp_path / "results" / "copy.xml").is_file()
    assert start(sample, "file.save_view") == tmp_path / "results"
    assert start(sample, "file.export") == tmp_path / "results"
    assert start(sample, "file.open_folder") == documents  # nothing is saved there
    (tmp_path / "results" / "copy.xml").unlink()
    (tmp_path / "results").rmdir()
    assert start(sample, "file.save_view") == documents


def test_of_a_collection_of_ones_own_they_open_in_its_folder(
    qapp: QApplication, tmp_path: Path, documents: Path
) -> None:
    pages = windows.write_pages(tmp_path / "pages")
    window = windows.open_window(tmp_path / "settings", pages)
    try:
        assert start(window, "file.save_copy") == pages
        assert start(window, "file.open_folder") == pages
        assert start(window, "file.export") == tmp_path
    finally:
        windows.close(window)


def test_own_folders_are_known() -> None:
    assert is_own_folder(own_sample() / "runs")
    assert not is_own_folder(Path.home())
