"""Two windows have one folder open: what is done in one is not undone by the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from spotlab.errors import NotSaved
from spotlab.formats.collection.label_file import NAME, read_labels, write_labels
from spotlab.formats.shared import shared_file
from spotlab.gui.kit import background, files
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import LabelSet
from tests.gui import windows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = windows.write_pages(tmp_path / "plans", 1)
    write_labels(folder, LabelSet().with_label("sofa"))
    return folder


@pytest.fixture
def both(folder: Path, tmp_path: Path, qapp: QApplication) -> Iterator[list[MainWindow]]:
    opened = [windows.open_window(tmp_path / name, folder) for name in ("one", "other")]
    yield opened
    for window in opened:
        windows.close(window)


def said_by(window: MainWindow) -> list[str]:
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    return said


def names(window: MainWindow) -> list[str]:
    return [label.name for label in window.workbench.labels]


def test_labels_of_both_are_kept_and_appear_in_the_other(
    both: list[MainWindow], folder: Path
) -> None:
    one, other = both
    one.workbench.collection.add_label("chair", "#123456")
    other.workbench.collection.add_label("table")
    windows.settle()
    labels = read_labels(folder)
    assert {label.name for label in labels} == {"sofa", "chair", "table"}
    assert labels["chair"].colour == "#123456"
    assert background.wait_until(lambda: set(names(one)) == {"sofa", "chair", "table"}, 60)
    assert one.workbench.labels == other.workbench.labels == read_labels(folder)
    panel = one.panels["labels"]
    rows = [panel.model.index(row, 0).data() for row in range(panel.model.rowCount())]
    assert any("table" in str(row) for row in rows)


def test_a_locked_set_stays_locked(both: list[MainWindow], folder: Path) -> None:
    one, other = both
    said = said_by(other)
    one.workbench.collection.lock_labels(True)
    other.workbench.collection.add_label("intruder")
    windows.settle()
    assert read_labels(folder).locked and "intruder" not in read_labels(folder)
    assert background.wait_until(lambda: other.workbench.labels.locked, 60)
    assert any("“intruder” was not added" in text for text in said)
    assert not other.workbench.collection.add_label("intruder")


def test_what_could_not_be_written_is_said_and_written_later(
    folder: Path, tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "RETRY", 200)
    window = windows.open_window(tmp_path, folder)
    said = said_by(window)

    def refuse(path: Path, *_: object) -> None:
        raise NotSaved(f"{path} was not saved: the disk is full; the old file is untouched")

    with monkeypatch.context() as patch:
        patch.setattr(shared_file, "write_atomically", refuse)
        for name in ("chair", "table"):
            window.workbench.collection.add_label(name)
            windows.settle()
        assert [text for text in said if "the disk is full" in text] == [said[0]]
        assert "kept in your state folder" in said[0]
        assert names(window) == ["sofa", "chair", "table"]
    assert background.wait_until(lambda: "table" in read_labels(folder), 60)
    windows.settle()
    assert said[-1] == f"{folder / NAME} is saved now"
    windows.close(window)


def test_a_window_that_is_closed_writes_what_failed_before(
    folder: Path, tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = windows.open_window(tmp_path, folder)

    def refuse(path: Path, *_: object) -> None:
        raise NotSaved(f"{path} was not saved: the disk is full; the old file is untouched")

    with monkeypatch.context() as patch:
        patch.setattr(shared_file, "write_atomically", refuse)
        window.workbench.collection.add_label("chair", "#123456")
        windows.settle()
    assert "chair" not in read_labels(folder)
    windows.close(window)
    assert read_labels(folder)["chair"].colour == "#123456"


def test_a_damaged_file_of_labels_is_said_and_kept(
    folder: Path, tmp_path: Path, qapp: QApplication
) -> None:
    (folder / NAME).write_text('{"labels": [{"name": "sofa"}, {"name": 5}], "ink": {"k": 1e999}}')
    window = windows.open_window(tmp_path)
    said = said_by(window)
    assert window.open_paths([folder])
    windows.settle()
    assert names(window) == ["sofa"]
    assert any("labels[1].name" in text for text in said)
    assert any("ink.k" in text for text in said)
    window.workbench.collection.add_label("bed")
    windows.settle()
    assert "1e999" in (folder / f"{NAME}.damaged").read_text()
    assert [label.name for label in read_labels(folder)] == ["sofa", "bed"]
    windows.close(window)
