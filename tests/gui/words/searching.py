"""The sample letters in a window whose Words workspace is entered, for tests."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.state import word_search
from spotlab.gui.words.state.words import Words
from spotlab.resources import LETTERS, sample_collection
from tests.gui import windows

PAGES = ("letter_001", "letter_002")
CACHE = "words"


def write_letters(folder: Path) -> Path:
    """Two pages with their truth."""
    folder.mkdir(parents=True)
    for name in PAGES:
        for suffix in (".jpg", ".xml"):
            shutil.copy(sample_collection(LETTERS) / f"{name}{suffix}", folder)
    return folder


def open_letters(
    tmp_path: Path, patch: pytest.MonkeyPatch, cache: Path, size: tuple[int, int] = (1280, 860)
) -> MainWindow:
    """The window on the letters; words are found in this process, what is found is kept."""
    patch.setattr(word_search, "ALL_PROCESSORS", 1)
    window = windows.open_window(tmp_path, write_letters(tmp_path / "letters"), size=size)
    window.workbench.state(Words).searching.cache = cache
    window.enter("words")
    windows.settle()
    return window


def begin_anew(window: MainWindow) -> Words:
    """Open the letters again, with nothing searched and nothing judged."""
    words = window.workbench.state(Words)
    folder = window.workbench.collection.folder
    assert folder is not None
    words.forget()
    calm(words)
    words.ranking.set_feedback(True)
    judgements = folder / "judgements.csv"
    if judgements.is_dir():
        judgements.rmdir()
    judgements.unlink(missing_ok=True)
    window.open_paths([folder])
    window.workbench.open_page(0)
    windows.settle()
    return words


def calm(words: Words) -> None:
    """Wait until a search and its lists are there, also of what was typed just now."""

    def idle() -> bool:
        return not (words.searching.busy or words.ranking.busy)

    QApplication.processEvents()  # what an editor commits is still on its way
    assert background.wait_until(idle, 60)
    windows.settle()
    assert background.wait_until(idle, 60)
