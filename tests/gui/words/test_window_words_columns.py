"""The columns of words in their window: Enter, what is remembered, colours, and kept cells."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QFont, QHelpEvent, QImage, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QToolTip

from spotlab.gui.kit import background
from spotlab.gui.kit.cut_pictures import CutPictures
from spotlab.gui.kit.plots.curve_items import readable
from spotlab.gui.kit.settings import PICTURE_HEIGHT
from spotlab.gui.kit.theme import DARK, LIGHT
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.columns import WordColumns, keep_options
from spotlab.gui.words.columns.painting import IRRELEVANT, RELEVANT, CellPainter, WordCell
from spotlab.gui.words.scores.scores import ScoresPanel
from spotlab.gui.words.state.word_search import colour_of
from spotlab.gui.words.state.words import Words
from spotlab.ranking.fusion import fusions
from spotlab.spotting.words.word_index import WordQuery
from tests.gui import gestures, windows
from tests.gui.words import listed_words
from tests.gui.words.searching import begin_anew, calm, open_letters


@pytest.fixture(scope="module")
def opened(
    tmp_path_factory: pytest.TempPathFactory, qapp: QApplication, cache: Path
) -> Iterator[MainWindow]:
    with pytest.MonkeyPatch.context() as patch:
        window = open_letters(tmp_path_factory.mktemp("columns"), patch, cache)
        yield window
        windows.close(window)


@pytest.fixture
def window(opened: MainWindow) -> MainWindow:
    """A word is searched."""
    words = begin_anew(opened)
    words.searching.search(WordQuery(text="the"))
    calm(words)
    return opened


def columns_of(window: MainWindow) -> WordColumns:
    columns = window.above["words"]
    assert isinstance(columns, WordColumns)
    return columns


def test_enter_brings_the_word_into_the_middle_of_its_page(window: MainWindow) -> None:
    words, columns, canvas = window.workbench.state(Words), columns_of(window), window.canvas
    items = words.queries.items
    assert items is not None
    columns.setFocus()
    gestures.click(columns.viewport(), (40.0, 40.0))
    for page in ("letter_001", "letter_002"):
        ranked = words.ranking.lists[0].ranked.item.tolist()
        row = next(row for row, item in enumerate(ranked) if items.page_name(item) == page)
        columns.commands.choose(0, row)
        gestures.key(columns, Qt.Key.Key_Return)
        opened = background.wait_until(
            lambda page=page: (
                window.workbench.entry is not None
                and window.workbench.entry.name == page
                and window.workbench.document is not None
            ),
            5,
        )
        assert opened
        windows.settle()
        left, top, right, bottom = items.boxes[ranked[row]]
        seen = canvas.view.to_view((left + right) / 2, (top + bottom) / 2)
        np.testing.assert_allclose(seen, (canvas.width() / 2, canvas.height() / 2), atol=1.0)
        assert (bottom - top) * canvas.view.scale >= 20
        canvas.view.centre_on(left, top)  # in sight, yet not in the middle
        gestures.key(columns, Qt.Key.Key_Return)
        windows.settle()
        seen = canvas.view.to_view((left + right) / 2, (top + bottom) / 2)
        np.testing.assert_allclose(seen, (canvas.width() / 2, canvas.height() / 2), atol=1.0)
    gestures.key(columns, Qt.Key.Key_R)  # keys still judge
    assert words.judgements.judged[ranked[row]] == 0


def test_words_are_framed_on_their_page_and_faint_where_purged(window: MainWindow) -> None:
    words, canvas = window.workbench.state(Words), window.canvas
    items, entry = words.queries.items, window.workbench.entry
    assert items is not None and entry is not None
    here = words.queries.on_page(entry.name)
    right, wrong = (int(here[words.judgements.relevance[here] == what][0]) for what in (1, 0))
    words.choose_item(None)

    def frame(item: int) -> str:
        left, top, right, bottom = items.boxes[item].tolist()
        canvas.centre_on((left + right) / 2, (top + bottom) / 2)
        x, y = canvas.view.to_view(left, (top + bottom) / 2)
        image = canvas.grab().toImage()
        return image.pixelColor(int(x), int(y)).name()

    canvas.zoom_to(1.5)
    words.set_threshold(-1.0)
    kept = frame(right), frame(wrong)
    words.set_threshold(2.0)
    purged = frame(right), frame(wrong)
    assert kept == ("#009e73", "#d55e00")
    assert "#009e73" not in purged and "#d55e00" not in purged
    canvas.centre_on(-5000, -5000)  # nothing in sight
    canvas.grab()
    words.set_threshold(-1.0)


def test_how_the_columns_are_looked_at_is_remembered(tmp_path: Path, qapp: QApplication) -> None:
    kept = []
    for height, level in ((40, False), (63, True)):

        def make(workbench: object) -> WordColumns:
            columns = WordColumns(workbench.state(Words))  # type: ignore[attr-defined]
            keep_options(columns, workbench.settings)  # type: ignore[attr-defined]
            kept.append(workbench.settings)  # type: ignore[attr-defined]
            return columns

        with listed_words.showing(tmp_path, make, 700, 500) as columns:
            columns.words.ranking.feedback = False
            columns.words.add_sources([listed_words.source()])
            listed_words.settled()
            assert (columns.cells.geometry.picture, columns.cells.level) == (height, level)
            assert columns.painter.all_moves == level
            gestures.wheel(columns.viewport(), (50, 50), 4, gestures.CONTROL)
            if not level:
                gestures.key(columns, Qt.Key.Key_L)
                gestures.key(columns, Qt.Key.Key_M)
            settings = kept[-1]
            now = columns.cells.geometry.picture
            assert background.wait_until(
                lambda now=now, settings=settings: settings.get(PICTURE_HEIGHT) == now, 5
            )


def test_heads_tell_whole_names(window: MainWindow) -> None:
    columns = columns_of(window)
    at = columns.heads.rect().topLeft()
    at.setX(int(columns.cells.geometry.left(2)) + 10)
    at.setY(10)
    help_event = QHelpEvent(QEvent.Type.ToolTip, at, columns.heads.mapToGlobal(at))
    QApplication.sendEvent(columns.heads, help_event)
    assert "Consensus ranking (CR)" in QToolTip.text()
    QToolTip.hideText()


def test_every_fusion_has_a_colour_of_its_own() -> None:
    for theme in (LIGHT, DARK):
        shown = {readable(colour_of(name), theme.window) for name in fusions()}
        assert len(shown) == len(fusions()) == 15
        rgb = [np.array([int(each[i : i + 2], 16) for i in (1, 3, 5)]) for each in shown]
        assert min(np.abs(a - b).sum() for a, b in combinations(rgb, 2)) > 40


def test_a_cell_looks_as_what_is_known_of_it(qapp: QApplication) -> None:
    cell = WordCell(
        picture=None, waiting=False, words="orders", relevance=1, judged=-1, rank=1, score="0.9",
        climbed=None, purged=False, chosen=False, selected=False, current=False, focused=False,
        hovered=False,
    )  # fmt: skip

    def painted(cell: WordCell, ratio: float = 1.0) -> QImage:
        image = QImage(int(140 * ratio), int(80 * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(0)
        cells = CellPainter(QPalette(), QFont(), 120, 60, ratio)
        with QPainter(image) as painter:
            painter.setFont(cells.font)
            cells.paint(painter, cell, 10.3, 9.8)
        return image

    looks = [cell, cell._replace(relevance=0), cell._replace(judged=1), cell._replace(rank=2),
             cell._replace(climbed=3), cell._replace(purged=True), cell._replace(chosen=True),
             cell._replace(current=True), cell._replace(hovered=True)]  # fmt: skip
    images = [painted(each) for each in looks]
    assert all(one != other for one, other in combinations(images, 2))
    assert painted(cell._replace()) == images[0]
    frame = QColor(images[0].pixel(12, 12)), QColor(images[1].pixel(10, 30))
    assert frame == (QPalette().color(QPalette.ColorRole.Base), IRRELEVANT)
    assert QColor(painted(cell, 2.0).pixel(21, 60)) == RELEVANT  # half a px, on a dot


def test_the_plot_is_drawn_once_for_a_judgement_that_re_ranks(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, words = window.panels["scores"], window.workbench.state(Words)
    assert isinstance(panel, ScoresPanel)
    drawn: list[tuple[object, ...]] = []
    monkeypatch.setattr(
        panel.plot,
        "show_lists",
        lambda *_: drawn.append(tuple(each.ranked for each in panel._lists)),
    )
    words.ranking.set_feedback(True)
    calm(words)
    windows.settle()
    drawn.clear()
    words.judgements.judge(int(words.ranking.lists[0].ranked.item[2]), False)
    calm(words)
    windows.settle()
    assert len(drawn) == 1
    assert [id(each) for each in drawn[0]] == [id(each.ranked) for each in words.ranking.lists]
    words.ranking.set_feedback(False)
    calm(words)
    windows.settle()
    drawn.clear()
    words.judgements.judge(int(words.ranking.lists[0].ranked.item[3]), False)
    windows.settle()
    assert len(drawn) == 1


def test_pictures_at_hand_need_no_thread(qapp: QApplication) -> None:
    at_hand = {1: np.full((10, 10), 7, np.uint8)}
    pictures = CutPictures(lambda _: None, at_once=at_hand.get)
    assert pictures.get(1) is None  # before a frame begins
    pictures.fit(20, 10, 1.0)
    at_once = pictures.get(1)
    assert at_once is not None and at_once.width() == 10
    assert pictures.known(1)
    assert pictures.get(2) is None
    assert not pictures.known(2)  # it may still come
