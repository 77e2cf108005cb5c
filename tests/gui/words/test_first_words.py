"""Somebody new goes to Words, where no word is known: one line says so, one button leads on."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.layer import NoTextStrip
from spotlab.gui.words.state import word_search
from spotlab.gui.words.state.words import Words
from tests.gui import windows
from tests.gui.words.searching import calm, write_letters

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(autouse=True)
def own_letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    """The user's copy of the letters has two pages; what is found on them is kept."""
    home = tmp_path / "data"
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    monkeypatch.setattr(word_search, "ALL_PROCESSORS", 1)
    write_letters(home / "spotlab" / "manuscript")


def strip_of(window: MainWindow) -> NoTextStrip:
    return window.findChild(NoTextStrip)


def has_lists(window: MainWindow) -> bool:
    words = window.workbench.state(Words)
    calm(words)
    columns = window.centre._above["words"]
    return bool(words.ranking.lists) and columns.isVisible() and "ordered" in words.queries.title


@pytest.mark.slow
def test_a_button_over_pages_without_text_opens_letters_and_searches_a_word(
    tmp_path: Path, qapp: QApplication, cache: Path
) -> None:
    pages = windows.write_pages(tmp_path / "pages")
    window = windows.open_window(tmp_path, pages, size=(960, 540))
    QTest.keyClick(window, Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    assert window.workbench.workspace == "words"
    window.workbench.state(Words).searching.cache = cache
    assert background.wait_until(lambda: strip_of(window).isVisible(), 30)
    strip = strip_of(window)
    text = strip.text
    assert text.width() >= text.fontMetrics().horizontalAdvance(text.text())  # one line
    window.enter("annotate")
    assert not strip.isVisible()
    window.enter("words")
    assert background.wait_until(strip.isVisible, 30)
    QTest.mouseClick(strip.letters, LEFT)
    assert [entry.name for entry in window.workbench.entries] == ["letter_001", "letter_002"]
    assert not strip.isVisible()
    assert has_lists(window)
    windows.close(window)


@pytest.mark.slow
def test_without_pages_the_sample_of_words_are_letters(
    tmp_path: Path, qapp: QApplication, cache: Path
) -> None:
    window = windows.open_window(tmp_path)
    window.enter("words")
    window.workbench.state(Words).searching.cache = cache
    QTest.mouseClick(window.welcome.sample_button, LEFT)
    assert [entry.name for entry in window.workbench.entries] == ["letter_001", "letter_002"]
    assert has_lists(window)
    windows.close(window)


def test_nothing_is_said_of_pages_with_text(tmp_path: Path, qapp: QApplication) -> None:
    window = windows.open_window(tmp_path, tmp_path / "data" / "spotlab" / "manuscript")
    window.enter("words")
    words = window.workbench.state(Words)
    assert background.wait_until(lambda: words.transcription.has_read, 30)
    assert not strip_of(window).isVisible()
    windows.close(window)
