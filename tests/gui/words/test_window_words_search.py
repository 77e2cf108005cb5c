"""Someone searches a word: by typing it, by drawing a box around it, by one that was found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.panels.word_queries import WordQueriesPanel
from spotlab.gui.words.state import word_search
from spotlab.gui.words.state.words import Words
from spotlab.studies.words.word_truth import read_words
from tests.gui import gestures, windows
from tests.gui.words.searching import calm, open_letters, write_letters


@pytest.fixture(scope="module")
def opened(
    tmp_path_factory: pytest.TempPathFactory, qapp: QApplication, cache: Path
) -> Iterator[MainWindow]:
    with pytest.MonkeyPatch.context() as patch:
        window = open_letters(tmp_path_factory.mktemp("searched"), patch, cache)
        yield window
        windows.close(window)


@pytest.fixture
def window(opened: MainWindow) -> Iterator[MainWindow]:
    """Nothing is searched yet."""
    yield opened
    words = opened.workbench.state(Words)
    while words.queries.sources:
        opened.actions_by_id.trigger("words.close")
    calm(words)


@pytest.fixture
def unread(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    """No word has ever been found on its pages."""
    window = open_letters(tmp_path, monkeypatch, tmp_path / "new cache")
    yield window
    windows.close(window)


def panel(window: MainWindow) -> WordQueriesPanel:
    widget = window.panels["word_queries"]
    assert isinstance(widget, WordQueriesPanel)
    return widget


def box_of(window: MainWindow, text: str) -> tuple[str, tuple[float, float, float, float]]:
    """The page and the box of the first instance of a word in the truth."""
    folder = window.workbench.collection.folder
    assert folder is not None
    known = read_words([folder])
    at = known.texts.index(text)
    left, top, right, bottom = known.boxes[at].tolist()
    return known.page_name(at), (left, top, right, bottom)


def type_word(window: MainWindow, text: str) -> Words:
    field = panel(window).field
    field.setFocus()
    field.clear()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    words = window.workbench.state(Words)
    calm(words)
    return words


def test_a_typed_word_is_found_and_judged_by_the_truth(window: MainWindow) -> None:
    words = type_word(window, "the")
    assert [source.title for source in words.queries.sources] == ["the"]
    names = [each.name for each in words.ranking.lists]
    assert names == ["ws", "qe", "cr", "ml", "ml_cr"]
    assert words.queries.items is not None
    first = words.ranking.lists[0].ranked.item[:3]
    assert [words.queries.items.text(int(item)) for item in first] == ["the"] * 3
    assert (words.judgements.relevance[first] == 1).all()
    source = words.queries.current
    assert source is not None and source.relevant > 10
    best = words.ranking.lists[0].average_precision
    assert best is not None and 0 < best <= 1


def test_a_word_is_typed_at_once_when_words_are_entered(window: MainWindow) -> None:
    window.canvas.setFocus()
    for key in (Qt.Key.Key_1, Qt.Key.Key_3):
        QTest.keyClick(focused(window), key, Qt.KeyboardModifier.ControlModifier)
        windows.settle()
    QTest.keyClicks(focused(window), "the")
    QTest.keyClick(focused(window), Qt.Key.Key_Return)
    words = window.workbench.state(Words)
    calm(words)
    assert [source.title for source in words.queries.sources] == ["the"]


def focused(window: MainWindow) -> QWidget:
    widget = window.focusWidget()
    assert widget is not None
    return widget


def test_a_word_that_is_written_nowhere_is_said_to_be_so(window: MainWindow) -> None:
    said: list[str] = []
    window.workbench.said.connect(lambda text, _: said.append(text))
    words = type_word(window, "Winchestre")
    assert words.queries.sources == ()
    assert len(said) == 1
    assert "written nowhere" in said[0] and "'winchester'" in said[0]


def test_a_box_drawn_around_a_word_is_searched(window: MainWindow) -> None:
    page, (left, top, right, bottom) = box_of(window, "Company")
    names = [entry.name for entry in window.workbench.entries]
    window.workbench.open_page(names.index(page))
    windows.settle()
    window.canvas.show_place(left, top, right, bottom)
    view = window.canvas.view
    start, end = view.to_view(left - 3, top - 3), view.to_view(right + 3, bottom + 3)
    gestures.drag(window.canvas, [start, ((start[0] + end[0]) / 2, end[1]), end])
    words = window.workbench.state(Words)
    calm(words)
    assert words.queries.title == "Company"
    source = words.queries.current
    assert source is not None
    place, _, sides = source.place.partition(":")
    assert place == page
    np.testing.assert_allclose(
        [float(side) for side in sides.split(",")],
        [left - 3, top - 3, right - left + 6, bottom - top + 6],
        atol=2.5,
    )


def test_a_double_click_searches_what_was_found(window: MainWindow) -> None:
    words = type_word(window, "the")
    assert words.queries.items is not None
    item = int(words.ranking.lists[0].ranked.item[1])
    words.choose_item(item)
    assert_shown(window, item)
    left, top, right, bottom = words.queries.items.boxes[item]
    middle = window.canvas.view.to_view((left + right) / 2, (top + bottom) / 2)
    gestures.click(window.canvas, middle)
    gestures.mouse(
        window.canvas, QEvent.Type.MouseButtonDblClick, middle, gestures.LEFT, gestures.LEFT
    )
    gestures.release(window.canvas, middle)
    calm(words)
    assert [source.title for source in words.queries.sources] == ["the", "the"]
    assert words.queries.index == 1


def assert_shown(window: MainWindow, item: int) -> None:
    """The item's page opens, and the item is in sight."""
    words = window.workbench.state(Words)
    items = words.queries.items
    assert items is not None

    def there() -> bool:
        entry = window.workbench.entry
        if entry is None or entry.name != items.page_name(item):
            return False
        left, top, right, bottom = items.boxes[item]
        x0, y0 = window.canvas.view.to_view(left, top)
        x1, y1 = window.canvas.view.to_view(right, bottom)
        canvas = window.canvas
        return x0 >= 0 and y0 >= 0 and x1 <= canvas.width() and y1 <= canvas.height()

    assert background.wait_until(there)
    background.wait_until(lambda: False, 0.3)  # the view follows after a pause
    windows.settle()
    assert there()


def test_choosing_a_word_on_another_page_opens_it_and_shows_it(window: MainWindow) -> None:
    words = type_word(window, "the")
    assert words.queries.items is not None
    ranked = words.ranking.lists[0].ranked.item
    other = [
        int(item) for item in ranked if words.queries.items.page_name(int(item)) == "letter_002"
    ]
    words.choose_item(other[0])
    assert_shown(window, other[0])


@pytest.mark.slow
def test_a_search_can_be_cancelled_and_goes_on_where_it_was(
    unread: MainWindow,
) -> None:
    window = unread
    searching = window.workbench.state(Words).searching
    field = panel(window).field
    QTest.keyClicks(field, "the")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert searching.busy and not panel(window).cancel.isVisible()  # it may be a quick one
    assert background.wait_until(panel(window).cancel.isVisible) and searching.busy
    QTest.mouseClick(panel(window).cancel, Qt.MouseButton.LeftButton)
    assert not searching.busy and not panel(window).cancel.isVisible()
    windows.settle()
    assert window.workbench.state(Words).queries.sources == ()
    type_word(window, "the")
    assert len(window.workbench.state(Words).queries.sources) == 1


@pytest.mark.slow
@pytest.mark.parametrize("by", ["button", "enter"])
def test_a_word_typed_while_another_is_searched_joins_it(unread: MainWindow, by: str) -> None:
    window = unread
    words = window.workbench.state(Words)
    field = panel(window).field
    QTest.keyClicks(field, "the")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert words.searching.busy
    field.clear()
    QTest.keyClicks(field, "and")
    if by == "enter":
        QTest.keyClick(field, Qt.Key.Key_Return)
    else:
        QTest.mouseClick(panel(window).go, Qt.MouseButton.LeftButton)
    calm(words)
    assert [source.title for source in words.queries.sources] == ["the", "and"]
    rows = panel(window).list.model().rowCount()
    assert rows == 2 and panel(window).list.isVisible()


def test_only_words_of_the_truth_are_searched_if_wanted(window: MainWindow) -> None:
    panel(window).given.click()
    words = type_word(window, "the")
    assert words.queries.items is not None and all(words.queries.items.texts)
    assert words.searching.known is not None and words.searching.known.index.given
    panel(window).given.click()


def test_queries_are_chosen_and_closed(window: MainWindow) -> None:
    words = type_word(window, "the")
    type_word(window, "and")
    list_of_queries = panel(window).list
    assert list_of_queries.model().rowCount() == 2 and words.queries.title == "and"
    place = list_of_queries.visualRect(list_of_queries.model().index(0, 0)).center()
    QTest.mouseClick(list_of_queries.viewport(), Qt.MouseButton.LeftButton, pos=place)
    calm(words)
    assert words.queries.title == "the" and words.ranking.lists
    window.actions_by_id.trigger("words.close")
    calm(words)
    assert [source.title for source in words.queries.sources] == ["and"]
    assert words.queries.title == "and" and words.ranking.lists
    window.actions_by_id.trigger("words.close")
    assert (
        words.queries.sources == ()
        and words.ranking.lists == ()
        and panel(window).nothing.isVisible()
    )


def test_other_pages_forget_the_queries_and_need_no_truth(
    window: MainWindow, tmp_path: Path
) -> None:
    words = type_word(window, "the")
    known = word_search.known_words(window.workbench.entries, lambda *_: None)
    assert known is not None
    at = known.texts.index("Company")
    folder = write_letters(tmp_path / "untold")
    for file in folder.glob("*.xml"):
        file.unlink()
    window.open_paths([folder])
    windows.settle()
    assert words.queries.sources == () and words.searching.known is None
    left, top, right, bottom = known.boxes[at].tolist()
    words.searching.search(word_search.WordQuery(known.page_name(at), (left, top, right, bottom)))
    calm(words)
    assert words.queries.title == f"a word on {known.page_name(at)}"
    assert len(words.ranking.lists) == 5 and (words.judgements.relevance == -1).all()
    assert [each.average_precision for each in words.ranking.lists] == [None] * 5
