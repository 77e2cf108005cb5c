"""Someone gives a query further examples, and finds them again when the pages are next opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.formats.lists.kept_lines import read_queries
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.panels.query_list import WordQueryList
from spotlab.gui.words.panels.word_queries import WordQueriesPanel
from spotlab.gui.words.state.words import Words
from spotlab.studies.words.word_truth import read_words
from tests.gui import gestures, windows
from tests.gui.words.searching import calm, open_letters

pytestmark = pytest.mark.in_sequence

WORD = "Company"


@pytest.fixture(scope="module")
def window(
    tmp_path_factory: pytest.TempPathFactory, qapp: QApplication, cache: Path
) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("examples")
    with pytest.MonkeyPatch.context() as patch:
        window = open_letters(folder, patch, cache)
        yield window
        windows.close(window)


def state(window: MainWindow) -> Words:
    return window.workbench.state(Words)


def queries(window: MainWindow) -> WordQueryList:
    return window.panel(WordQueriesPanel).list


def titles(window: MainWindow) -> list[str]:
    return [row.title for row in queries(window).rows.shown]


def folder(window: MainWindow) -> Path:
    path = window.workbench.collection.folder
    assert path is not None
    return path


def draw_around(
    window: MainWindow, instance: int, held: Qt.KeyboardModifier = gestures.PLAIN
) -> None:
    """Draw a box around an instance of the word."""
    known = read_words([folder(window)])
    at = int(np.flatnonzero([text == WORD for text in known.texts])[instance])
    names = [entry.name for entry in window.workbench.entries]
    window.workbench.open_page(names.index(known.page_name(at)))
    windows.settle()
    left, top, right, bottom = known.boxes[at].tolist()
    window.canvas.show_place(left, top, right, bottom)
    view = window.canvas.view
    start, end = view.to_view(left - 3, top - 3), view.to_view(right + 3, bottom + 3)
    gestures.drag(window.canvas, [start, ((start[0] + end[0]) / 2, end[1]), end], held)
    calm(state(window))


def test_shift_and_judged_words_give_a_query_more_examples(window: MainWindow) -> None:
    words = state(window)
    draw_around(window, 0)
    assert titles(window) == [WORD]
    draw_around(window, 1, gestures.SHIFT)
    assert titles(window) == [f"{WORD} · 2 examples"] == [words.queries.title]
    source = words.queries.current
    assert source is not None
    found = words.ranking.lists[0].ranked.item.tolist()
    words.judgements.judge(next(item for item in found if item not in source.examples), True)
    calm(words)
    window.actions_by_id.trigger("words.search_judged")
    calm(words)
    assert titles(window) == [f"{WORD} · 3 examples"] == [words.queries.title]
    assert len(words.query_list.listed) == 1


def test_the_examples_are_there_when_the_pages_are_opened_again(
    window: MainWindow, tmp_path: Path
) -> None:
    words, pages = state(window), folder(window)
    asked = words.queries.current
    assert asked is not None and asked.asked is not None
    window.open_paths([windows.write_pages(tmp_path / "others")])
    windows.settle()
    assert titles(window) == []
    window.open_paths([pages])
    windows.settle()
    assert titles(window) == [f"{WORD} · 3 examples"]
    view = queries(window)
    at = view.visualRect(view.rows.index(0, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    calm(words)
    again = words.queries.current
    assert again is not None and again.asked is not None
    assert again.asked.places == asked.asked.places and len(again.asked.places) == 3
    np.testing.assert_array_equal(again.evidence.query, asked.evidence.query)


def test_a_query_can_do_without_its_further_examples(window: MainWindow) -> None:
    words = state(window)
    before = words.queries.current
    menu = queries(window).menu(0)
    only = next(each for each in menu.actions() if "First Box" in each.text())
    only.trigger()
    menu.close()
    calm(words)
    assert titles(window) == [WORD] == [words.queries.title]
    (listed,) = read_queries(words.query_list.path or "").queries
    assert listed.examples == ()
    source = words.queries.current
    assert source is not None and source.asked is not None and before is not None
    assert source.asked.places == before.asked.places[:1]
    assert background.wait_until(lambda: not words.ranking.busy, 10)
    menu = queries(window).menu(0)
    assert not any("First Box" in each.text() for each in menu.actions())
    menu.close()
