"""Somebody types a letter on the page and finds a label."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.gui.fuzzy import best
from spotlab.gui.main_window import MainWindow
from tests.windows import add, close, open_window, press, write_pages


@pytest.fixture
def window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = open_window(tmp_path, write_pages(tmp_path / "pages", 1))
    for name in ("sofa", "bed", "coffee table"):
        window.workbench.apply_label(name)
    add(window, "")
    yield window
    close(window)


def label(window: MainWindow) -> str:
    return window.workbench.selected[0].label


def test_letters_open_it_and_enter_sets_the_label(window: MainWindow) -> None:
    press(window.canvas, Qt.Key.Key_C)
    assert window.finder.isVisible()
    assert window.finder.box.text() == "c"
    QTest.keyClicks(window.finder.box, "ofee")  # a typo
    press(window.finder.box, Qt.Key.Key_Return)
    assert label(window) == "coffee table"
    assert not window.finder.isVisible()
    assert window.canvas.hasFocus()


def test_arrows_choose_and_escape_leaves_everything(window: MainWindow) -> None:
    window.finder.open("")
    press(window.finder.box, Qt.Key.Key_Down)
    press(window.finder.box, Qt.Key.Key_Return)
    assert label(window) == "bed"
    press(window.canvas, Qt.Key.Key_S)
    press(window.finder.box, Qt.Key.Key_Escape)
    assert label(window) == "bed"
    assert not window.finder.isVisible()


def test_a_new_name_makes_a_label(window: MainWindow) -> None:
    press(window.canvas, Qt.Key.Key_X)
    QTest.keyClicks(window.finder.box, "ylophone")
    press(window.finder.box, Qt.Key.Key_Return)
    assert label(window) == "xylophone"
    assert "xylophone" in window.workbench.labels


def test_a_name_that_is_there_is_not_offered_as_new(window: MainWindow) -> None:
    window.finder.open("sofa")
    texts = [window.finder.list.item(row).text() for row in range(window.finder.list.count())]
    assert texts == ["sofa"]


@given(st.lists(st.text(max_size=12), unique=True, max_size=20), st.text(max_size=6))
def test_finding_gives_names_once_and_the_exact_one_first(names: list[str], text: str) -> None:
    found = best(text, names, 8)
    assert len(found) == len(set(found)) <= 8
    assert set(found) <= set(names)
    if text.strip() and text == " ".join(text.casefold().split()) and text in names:
        assert found[0].casefold() == text
