"""Words of a list one after the other in lines (W), without the background of their pages (B)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit import background
from spotlab.gui.kit.settings import WORDS_FLOW, WORDS_ONLY_INK
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.columns import WordColumns
from spotlab.gui.words.columns.layout import Geometry
from spotlab.gui.words.state.words import Words
from spotlab.spotting.words.word_index import WordQuery
from tests.gui import gestures, windows
from tests.gui.words.searching import begin_anew, calm, open_letters

Key = Qt.Key


@pytest.fixture(scope="module")
def opened(
    tmp_path_factory: pytest.TempPathFactory, qapp: QApplication, cache: Path
) -> Iterator[MainWindow]:
    with pytest.MonkeyPatch.context() as patch:
        window = open_letters(tmp_path_factory.mktemp("flow"), patch, cache)
        yield window
        windows.close(window)


@pytest.fixture
def columns(opened: MainWindow) -> Iterator[WordColumns]:
    """Many words are found and shown in lines."""
    words = begin_anew(opened)
    words.searching.search(WordQuery(text="the"))
    calm(words)
    found = opened.above["words"]
    assert isinstance(found, WordColumns)
    found.setFocus()
    gestures.click(found.viewport(), (40.0, 40.0))
    gestures.key(found, Key.Key_W)
    yield found
    if found.cells.flows:
        gestures.key(found, Key.Key_W)


def centre(columns: WordColumns, column: int, row: int) -> tuple[float, float]:
    at = columns.cells.geometry.frame(column, row).center()
    return at.x(), at.y()


def test_words_stand_beside_each_other(columns: WordColumns) -> None:
    geometry = columns.cells.geometry
    first, second = geometry.cell(0, 0), geometry.cell(0, 1)
    assert geometry.across > 1
    assert first.top() == second.top() and first.right() < second.left()
    assert geometry.cell(0, geometry.across).left() == first.left()
    assert geometry.column_width > geometry.width / 3
    assert columns.grab().width() > 0


def test_keys_and_clicks_go_along_the_lines(columns: WordColumns) -> None:
    across = columns.cells.geometry.across
    gestures.click(columns.viewport(), centre(columns, 0, 1))
    assert columns.selection.row == 1
    gestures.key(columns, Key.Key_Down)
    assert columns.selection.row == 1 + across
    gestures.key(columns, Key.Key_Left)
    assert columns.selection.row == across
    gestures.key(columns, Key.Key_Up)
    assert (columns.selection.column, columns.selection.row) == (0, 0)
    item = columns.words.item
    gestures.key(columns, Key.Key_Right, gestures.CONTROL)  # the same word in the next list
    assert (columns.selection.column, columns.words.item) == (1, item)
    gestures.key(columns, Key.Key_R)
    assert columns.words.judgements.judged[item] == 0


def test_the_cut_goes_through_a_line(columns: WordColumns) -> None:
    words = columns.words
    score = words.ranking.lists[0].ranked.score
    words.set_threshold(float((score[0] + score[1]) / 2))  # only the first word is kept
    windows.settle()
    geometry, image = columns.cells.geometry, columns.viewport().grab().toImage()
    x = geometry.cell(0, 0).right()
    below = geometry.cell(0, 1)
    colours = {
        image.pixelColor(int(x + step), int(y)).name()
        for step in range(1, int(below.left() - x))
        for y in range(int(below.top()), int(below.bottom()))
    }
    assert len(colours) > 1


def test_how_lists_are_shown_is_kept(opened: MainWindow, columns: WordColumns) -> None:
    settings = opened.workbench.settings
    assert background.wait_until(lambda: settings.get(WORDS_FLOW), 5)
    gestures.key(columns, Key.Key_B)
    assert background.wait_until(lambda: settings.get(WORDS_ONLY_INK), 5)
    gestures.key(columns, Key.Key_B)
    assert background.wait_until(lambda: not settings.get(WORDS_ONLY_INK), 5)


def test_the_background_is_removed(opened: MainWindow, columns: WordColumns) -> None:
    words = opened.workbench.state(Words)
    item = int(words.ranking.lists[0].ranked.item[0])
    before = words.crop(item)
    gestures.key(columns, Key.Key_B)
    after = words.crop(item)
    gestures.key(columns, Key.Key_B)
    again = words.crop(item)
    assert before is not None and after is not None and again is not None
    assert (before == 255).mean() < 0.5 < (after == 255).mean() < 1
    assert np.array_equal(before, again)


@pytest.mark.parametrize("flows", [False, True])
@pytest.mark.parametrize("width", [80, 300, 700, 1500])
def test_every_cell_is_found_where_it_is_painted(flows: bool, width: int) -> None:
    geometry = Geometry((7, 0, 40), (0, 0, 0), width, 900, 40, 30, 20, flows)
    for column, length in enumerate(geometry.lengths):
        for row in range(length):
            at = geometry.cell(column, row).center()
            assert geometry.cell_at(QPointF(at)) == (column, row)
        for row in geometry.rows(column):
            assert geometry.cell(column, row).bottom() >= -20
    last = geometry.cell(2, 39)
    assert geometry.span[1] + geometry.height >= last.bottom() + geometry.y
