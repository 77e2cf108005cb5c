"""Somebody who labels the same corner of scan after scan keeps zoom and place from page to page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows


@pytest.fixture
def window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = windows.open_window(tmp_path, windows.write_pages(tmp_path / "scans", 3))
    yield window
    windows.close(window)


def next_page(window: MainWindow) -> None:
    windows.press(window.canvas, Qt.Key.Key_PageDown)
    windows.settle()


def zoom_into_a_corner(window: MainWindow) -> tuple[float, tuple[float, float]]:
    windows.press(window.canvas, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    windows.press(window.canvas, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    windows.press(window.canvas, Qt.Key.Key_Left)
    view = window.canvas.view
    assert not view.fitted
    return view.scale, view.centre


def test_the_next_page_is_shown_whole_unless_one_keeps_the_zoom(window: MainWindow) -> None:
    zoom_into_a_corner(window)
    next_page(window)
    assert window.canvas.view.fitted


def test_the_same_part_of_the_next_page_is_shown_as_large(window: MainWindow) -> None:
    window.actions_by_id["view.keep_zoom"].trigger()
    scale, centre = zoom_into_a_corner(window)
    for _ in range(2):
        next_page(window)
        assert window.canvas.view.scale == scale
        assert window.canvas.view.centre == pytest.approx(centre, abs=1)


def test_a_whole_page_is_followed_by_a_whole_page(window: MainWindow) -> None:
    window.actions_by_id["view.keep_zoom"].trigger()
    next_page(window)
    assert window.canvas.view.fitted
