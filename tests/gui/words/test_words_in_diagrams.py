"""Someone searches a word in a diagram: it runs up the page beside a lane, and level in a frame."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from spotlab.geometry.polygon import pair_boxes
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.panels.word_queries import WordQueriesPanel
from spotlab.gui.words.state.words import Words
from tests.formats.written_pages import WORDS
from tests.gui import gestures, windows
from tests.gui.words.test_typed_words import MODELS, open_page, type_text
from tests.gui.words.test_word_examples import calm, state
from tests.spotting.words.test_words_in_drawings import ROOM, drawn_diagram, turned

BELOW, SIDE = 1200, 500  # px: where the first task is drawn once more, up the page

pytestmark = pytest.mark.skipif(
    not (MODELS / "words.onnx").is_file(), reason="the network of words is not installed"
)


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("diagram")
    page, _ = drawn_diagram()
    page[BELOW:, :SIDE] = np.rot90(page[:SIDE, : len(page) - BELOW])
    (folder / "letters").mkdir()
    cv2.imwrite(str(folder / "letters" / "diagram.png"), page)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPOTLAB_MODELS", str(MODELS))
        window = open_page(folder, patch)
        yield window
        windows.close(window)


@pytest.mark.slow
def test_both_are_found_and_both_pictures_can_be_read(window: MainWindow) -> None:
    page, boxes = drawn_diagram()
    upwards = turned(boxes[:1], len(page) - BELOW) + np.array([0, BELOW, 0, BELOW])
    words = type_text(window, WORDS[0])
    items = words.queries.items
    assert items is not None
    best = words.ranking.lists[0].ranked.item[:4]
    for wanted in (boxes[:1], upwards):
        iou = pair_boxes(items.boxes[best], wanted + ROOM)
        assert iou.iou.max(initial=0) >= 0.5
        item = int(best[iou.first[iou.iou.argmax()]])
        picture = window.workbench.state(Words).crop(item)
        assert picture is not None
        assert picture.shape[1] > 1.5 * picture.shape[0]


@pytest.mark.slow
def test_the_picture_of_a_query_can_be_read_too(window: MainWindow) -> None:
    page, boxes = drawn_diagram()
    left, top, right, bottom = (
        turned(boxes[:1], len(page) - BELOW) + np.array([0, BELOW, 0, BELOW]) + ROOM
    )[0].tolist()
    window.canvas.show_place(left, top, right, bottom)
    view = window.canvas.view
    start, end = view.to_view(left, top), view.to_view(right, bottom)
    gestures.drag(window.canvas, [start, ((start[0] + end[0]) / 2, end[1]), end])
    calm(state(window))
    shown = window.panel(WordQueriesPanel).list
    [row] = [row for row in shown.rows.shown if row.drawn is not None]
    assert row.drawn is not None
    shown.pictures.get(row.drawn.place)
    windows.settle()
    picture = shown.pictures.get(row.drawn.place)
    assert picture is not None
    assert picture.width() > 1.5 * picture.height()
