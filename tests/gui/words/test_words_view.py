"""The columns of ranked words: what they paint, and what mouse and keys do in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage, QKeyEvent
from PySide6.QtWidgets import QApplication, QToolTip

from spotlab.gui.kit import background
from spotlab.gui.kit.cut_pictures import CutPictures
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.columns import WordColumns
from spotlab.gui.words.columns.layout import Geometry
from spotlab.gui.words.state.words import Words
from spotlab.model import Items, RankedList
from tests.gui import gestures
from tests.gui.words import listed_words

GREEN, RED, GREY = "#009e73", "#d55e00", "#8b95a0"
K = Qt.Key
Q = 8  # items


@pytest.fixture
def view(tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator:
    """Two lists: items 0 1 2 3 4 5 6 and 0 3 7 1 4 2 6; black pictures."""

    def make(workbench: Workbench) -> WordColumns:
        monkeypatch.setattr(
            workbench.state(Words), "crop", lambda item: np.zeros((20, 60), np.uint8)
        )
        return WordColumns(workbench.state(Words))

    with listed_words.showing(tmp_path, make, 700, 700) as shown:
        shown.words.ranking.feedback = False
        shown.words.add_sources([listed_words.source()])
        shown.setFocus()
        listed_words.settled()
        assert [each.tolist() for each in shown.cells.placing.items] == [
            [0, 1, 2, 3, 4, 5, 6],
            [0, 3, 7, 1, 4, 2, 6],
        ]
        yield shown


def picture(view: WordColumns) -> QImage:
    for _ in range(3):
        view.viewport().grab()
        assert background.wait_for_all()
    return view.viewport().grab().toImage()


def colour(image: QImage, x: float, y: float) -> str:
    ratio = image.devicePixelRatio()
    return QColor(image.pixel(int(x * ratio), int(y * ratio))).name()


def left_edge(view: WordColumns, column: int, row: int) -> tuple[float, float]:
    frame = view.cells.geometry.frame(column, row)
    return frame.left() + 1, frame.center().y()


def centre(view: WordColumns, column: int, row: int) -> tuple[float, float]:
    place = view.cells.geometry.frame(column, row).center()
    return place.x(), place.y()


def corner(view: WordColumns, column: int, row: int) -> tuple[float, float]:
    place = view.cells.geometry.corner(column, row).center()
    return place.x(), place.y()


def press(view: WordColumns, key: Qt.Key, held: Qt.KeyboardModifier = gestures.PLAIN) -> None:
    gestures.key(view, key, held)
    QApplication.processEvents()


def test_frames_say_what_words_are(view):
    view.words.set_threshold(0.0)
    image = picture(view)
    for row, expected in enumerate([GREEN, GREEN, RED, GREEN, RED, GREY, RED]):
        assert colour(image, *left_edge(view, 0, row)) == expected
    assert colour(image, *centre(view, 0, 3)) == "#000000"  # its picture


def test_what_is_purged_is_faint(view):
    view.words.set_threshold(0.7)
    image = picture(view)
    kept = [each.kept(0.7) for each in view.words.ranking.lists]
    assert kept == [4, 4]
    for column in (0, 1):
        assert colour(image, *left_edge(view, column, 0)) == GREEN
        assert colour(image, *left_edge(view, column, 4)) not in (RED, GREEN, GREY)
    text = QColor("#1d2329").name()
    gap = view.cells.geometry.cell(0, 4).top() - 7.5
    line = {colour(image, x, y) for x in range(11, 40) for y in (gap - 1, gap, gap + 1)}
    assert text in line  # dashed, above the first purged word


def test_own_judgements_have_a_filled_corner(view):
    view.words.set_threshold(0.0)

    def filled() -> str:
        place = view.cells.geometry.corner(0, 3)
        return colour(picture(view), place.left() + 3, place.bottom() - 3)

    assert filled() == "#ffffff"
    view.words.judgements.judge(3, True)
    assert filled() == GREEN
    view.words.judgements.judge(3, False)
    assert filled() == RED


def test_click_chooses_and_keys_move(view):
    gestures.click(view.viewport(), centre(view, 1, 2))
    assert view.words.item == 7
    press(view, K.Key_Down)
    assert view.words.item == 1
    press(view, K.Key_Left)
    assert (view.selection.column, view.selection.row, view.words.item) == (0, 3, 3)
    press(view, K.Key_Right, gestures.CONTROL)  # the same word
    assert (view.selection.column, view.selection.row, view.words.item) == (1, 1, 3)
    press(view, K.Key_End)
    assert view.selection.row == 6
    press(view, K.Key_Home)
    assert view.selection.row == 0
    press(view, K.Key_PageDown)
    assert view.selection.row == 6


def test_judging_goes_to_the_next_unjudged(view):
    gestures.click(view.viewport(), centre(view, 0, 0))
    view.words.judgements.judge(1, True)
    press(view, K.Key_R)
    assert view.words.judgements.judged[0] == 0
    assert view.words.item == 2  # 1 is judged already
    press(view, K.Key_G)
    assert view.words.judgements.relevance[2] == 1
    assert view.words.item == 3
    press(view, K.Key_Up)
    press(view, K.Key_U)
    assert view.words.judgements.judged[2] == -1
    assert view.words.item == 2
    press(view, K.Key_End)
    press(view, K.Key_G)
    assert view.words.item == 2  # from the top


def test_letters_come_before_shortcuts(view):
    view.commands.choose(0, 0)
    for key, wanted in ((K.Key_G, True), (K.Key_Delete, True), (K.Key_X, False)):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, gestures.PLAIN)
        event.ignore()
        QApplication.sendEvent(view, event)
        assert event.isAccepted() == wanted


def test_corner_and_double_click_judge(view):
    gestures.click(view.viewport(), corner(view, 0, 2))
    assert view.words.judgements.judged[2] == 1
    gestures.click(view.viewport(), corner(view, 0, 2))
    assert view.words.judgements.judged[2] == 0
    gestures.click(view.viewport(), corner(view, 0, 5))  # not known
    assert view.words.judgements.judged[5] == 1
    gestures.double_click(view.viewport(), centre(view, 0, 3))
    assert view.words.judgements.judged[3] == 0


def test_many_are_judged_in_one_step(view):
    gestures.click(view.viewport(), centre(view, 0, 1))
    gestures.click(view.viewport(), centre(view, 0, 3), held=gestures.SHIFT)
    assert view.selection.items == {1, 2, 3}
    press(view, K.Key_R)
    assert view.words.judgements.judged[[1, 2, 3]].tolist() == [0, 0, 0]
    view.words.judgements.undo()
    assert view.words.judgements.judged[[1, 2, 3]].tolist() == [-1, -1, -1]
    gestures.click(view.viewport(), centre(view, 0, 0))
    gestures.click(view.viewport(), centre(view, 0, 6), held=gestures.CONTROL)
    press(view, K.Key_Down, gestures.SHIFT)
    assert view.selection.items == {6}
    press(view, K.Key_A, gestures.CONTROL)
    assert view.selection.items == set(range(7))


def test_enter_asks_for_the_page(view):
    asked: list[int] = []
    view.page_wanted.connect(asked.append)
    gestures.click(view.viewport(), centre(view, 1, 1))
    press(view, K.Key_Return)
    assert asked == [3]


def test_a_word_chosen_elsewhere_is_shown(view):
    view.resize(700, 200)
    QApplication.processEvents()
    view.words.choose_item(6)
    assert view.selection.row == 6
    assert 6 in view.cells.geometry.rows(view.selection.column)
    assert "first, rank 7 of 7: letters, not relevant, score .300" in view.accessibleName()
    assert "page 270, purged" in view.accessibleName()
    view.words.choose_item(7)  # the first list does not have it
    assert (view.selection.column, view.selection.row) == (1, 2)
    view.words.choose_item(None)
    assert view.selection.item is None


def test_chosen_word_stands_level(view):
    gestures.click(view.viewport(), centre(view, 0, 3))
    press(view, K.Key_L)
    geometry = view.cells.geometry
    assert geometry.cell(0, 3).top() == geometry.cell(1, 1).top()
    assert geometry.span[0] == 0
    press(view, K.Key_L)
    assert view.cells.geometry.shifts == (0, 0)


def test_edge_leads_to_a_word_out_of_sight(view):
    view.resize(700, 220)
    QApplication.processEvents()
    view.commands.choose(1, 1)  # item 3, in row 3 of the first list
    below = view.viewport().height() - 10
    gestures.click(view.viewport(), (view.cells.geometry.cell(0, 0).center().x(), below))
    assert (view.selection.column, view.selection.row) == (0, 3)
    assert 3 in view.cells.geometry.rows(0)


def test_arrows_join_a_word_with_itself(view):
    view.words.set_threshold(0.0)
    gestures.move(view.viewport(), centre(view, 0, 0))  # level in both
    geometry = view.cells.geometry
    x = geometry.left(0) + geometry.cell_width + 20
    y = geometry.frame(0, 0).center().y()
    assert GREEN in {colour(picture(view), x, y + each) for each in (-1, 0, 1)}
    gestures.move(view.viewport(), (2.0, 2.0))
    assert GREEN not in {colour(picture(view), x, y + each) for each in (-1, 0, 1)}
    press(view, K.Key_M)
    assert view.painter.all_moves
    assert "#f4f5f6" not in {colour(picture(view), x, y + each) for each in (0,)}


def test_wheel_scrolls_and_changes_the_size(view):
    view.resize(700, 220)
    QApplication.processEvents()
    gestures.wheel(view.viewport(), (50, 50), -1)
    assert view.verticalScrollBar().value() > 0
    assert view.cells.geometry.y == view.verticalScrollBar().value()
    before = view.cells.geometry.picture
    gestures.wheel(view.viewport(), (50, 50), 2, gestures.CONTROL)
    assert view.cells.geometry.picture > before
    gestures.wheel(view.viewport(), (50, 50), -60, gestures.CONTROL)
    assert view.cells.geometry.picture == 20


def test_tips_tell_ranks_and_definitions(view):
    def tip(widget: object, place: tuple[float, float]) -> str:
        at = QPoint(int(place[0]), int(place[1]))
        QApplication.sendEvent(
            widget, QHelpEvent(QEvent.Type.ToolTip, at, widget.mapToGlobal(at))
        )  # fmt: skip
        return QToolTip.text()

    said = tip(view.viewport(), centre(view, 0, 5))
    assert "text not known" in said
    assert "page 271" in said
    assert "6</td>" in said  # rank in the first
    assert "–</td>" in said  # not in the second
    assert "Average precision" in tip(view.heads, (60, 10))
    view.words.judgements.judge_items(range(Q), False)
    assert "not defined" in view.heads.tip(0)


def test_menu_judges(view):
    view.commands.choose(0, 1)
    view.selection.set(view.cells.placing, 0, 2, extend=True)
    menu = view.menu()
    titles = [action.text() for action in menu.actions()]
    assert titles[0] == "Judge 2 words relevant\tG"
    menu.actions()[1].trigger()
    assert view.words.judgements.judged[[1, 2]].tolist() == [0, 0]
    menu.deleteLater()


def test_judging_keeps_the_word_current_when_lists_change(view):
    view.commands.choose(0, 5)
    view.words.ranking._made = tuple(
        (name, RankedList(ranked.name, ranked.item[::-1].copy(), ranked.score), *rest)
        for name, ranked, *rest in view.words.ranking._made
    )
    view.words.judgements.changed.emit()
    view.words.ranking.changed.emit()
    assert view.selection.row == 1
    assert view.selection.item == 5


def test_nothing_to_show_says_what_to_do(view):
    view.words.forget()
    assert view.grab().toImage().pixelColor(5, 5).isValid()
    assert view.selection.item is None
    press(view, K.Key_Down)  # nothing happens


def test_items_without_place_show_their_name(view):
    items = Items.named(["FT-1", "FT-2"])
    ranked = RankedList.ordered("run", np.array([0.9, 0.8]))
    truth = np.array([1, -1], np.int8)
    view.words.crop = lambda item: None
    view.painter.pictures._crop = view.words.crop
    named = listed_words.source("x", items=items, truth=truth, evidence=None, relevant=1)
    view.words.add_sources([replace(named, given=(ranked,), example=None)])
    listed_words.settled()
    picture(view)
    assert view.painter.pictures.known(0)
    assert view.painter.pictures.get(0) is None


def test_geometry_finds_what_it_places():
    geometry = Geometry((10_000, 3, 0), (0, 5, 0), 900, 700, y=5000.0)
    rows = geometry.rows(0)
    for row in rows:
        assert geometry.cell_at(geometry.cell(0, row).center()) == (0, row)
        assert geometry.cell(0, row).intersects(QRectF(0, 0, 900, 700))
    for row in (rows.start - 1, rows.stop):
        assert not geometry.cell(0, row).intersects(QRectF(0, 0, 900, 700))
    assert not len(geometry.rows(1))
    assert geometry.row_near(2, 10) is None


def test_pictures_are_kept_within_a_bound(qapp):
    pictures = CutPictures(lambda item: np.full((10, 10), 7, np.uint8), limit=4000)
    pictures.fit(20, 10, 1.0)  # 400 bytes each
    pictures.want(range(30))
    assert not pictures.known(0)  # never at once
    assert background.wait_for_all()
    assert pictures.get(29) is not None
    assert pictures.get(0) is None
    assert pictures.get(29).width() == 10
