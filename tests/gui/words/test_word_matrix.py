"""Somebody looks at how alike the words are, and picks the next query from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from spotlab.gui.kit.plots.export import PlotDialog
from spotlab.gui.words.matrix.matrix_plot import ScoreMatrix
from spotlab.gui.words.matrix.word_matrix import FEW, MOST, NO_SCORES, NOTHING, WordMatrixPanel
from spotlab.ranking.fusion import Evidence, FeatureScores
from tests.gui import gestures, windows
from tests.gui.words.listed_words import items, settled, showing, source

Place = tuple[float, float]


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[WordMatrixPanel]:
    with showing(tmp_path, WordMatrixPanel, 420, 520) as panel:
        yield panel


@pytest.fixture
def shown(panel: WordMatrixPanel) -> WordMatrixPanel:
    """Of four instances: 0, 1 and 3 are alike (.9), 7 is less (.6)."""
    panel.words.add_sources([source()])
    settled()
    return panel


def cell(panel: WordMatrixPanel, row: int, column: int) -> Place:
    place = panel.plot.place_on_viewport((column + 1.0, row + 1.0))
    return place.x(), place.y()


@pytest.fixture
def searched(shown: WordMatrixPanel, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    found: list[int] = []
    monkeypatch.setattr(shown.words, "search_item", found.append)
    return found


def test_without_a_search_it_says_what_to_do(panel: WordMatrixPanel) -> None:
    assert panel.matrix is None and panel.nothing.text() == NOTHING
    panel.words.add_sources([source(evidence=None)])
    settled()
    assert panel.nothing.text() == NO_SCORES and not panel.all_listed.isVisible()


def test_without_known_instances_all_that_is_listed_is_offered(panel: WordMatrixPanel) -> None:
    panel.words.add_sources([source(truth=np.full(8, -1, np.int8), relevant=0)])
    settled()
    assert panel.nothing.text() == FEW
    QTest.mouseClick(panel.all_listed, Qt.MouseButton.LeftButton)
    assert panel.matrix is not None and len(panel.matrix) == 8
    QTest.mouseClick(panel.chips["instances"], Qt.MouseButton.LeftButton)
    assert panel.matrix is None


def test_the_words_are_ordered_by_mean(shown: WordMatrixPanel) -> None:
    matrix = shown.matrix
    assert matrix is not None
    assert matrix.items.tolist()[3] == 7 and set(matrix.items.tolist()) == {0, 1, 3, 7}
    assert matrix.means == pytest.approx([0.8, 0.8, 0.8, 0.6])  # (.9 + .9 + .6) / 3
    assert np.isnan(np.diag(matrix.scores)).all()
    assert (matrix.representative.tolist(), matrix.difficult.tolist()) == ([0, 1], [3, 2])
    assert shown.plot.levels() == (0.6, 0.9)
    assert shown.count.text() == "4 words"


def test_the_order_is_that_of_brute_force() -> None:
    random = np.random.default_rng(5)
    scores = random.random((30, 30))
    scores = (scores + scores.T) / 2
    matrix = ScoreMatrix.of(np.arange(100, 130), scores)
    means = [np.mean([scores[r, c] for r in range(30) if r != c]) for c in range(30)]
    order = sorted(range(30), key=lambda column: -means[column])
    assert (matrix.items - 100).tolist() == order
    for row, column in ((0, 1), (7, 20), (29, 3)):
        assert matrix.scores[row, column] == scores[order[row], order[column]]
    assert matrix.difficult.tolist() == [29, 28, 27]


def test_one_and_two_words() -> None:
    one = ScoreMatrix.of(np.array([4]), np.ones((1, 1)))
    assert np.isnan(one.means).all() and not len(one.representative) and not len(one.difficult)
    two = ScoreMatrix.of(np.array([4, 5]), np.array([[1, 0.5], [0.5, 1]]))
    assert (two.representative.tolist(), two.difficult.tolist()) == ([0], [1])


def test_hovering_tells_both_words_and_the_score(shown: WordMatrixPanel) -> None:
    gestures.move(shown.plot.viewport(), cell(shown, 0, 3))
    tip = QToolTip.text()
    assert "orders · 271 at 10, 90" in tip  # item 7, the column
    assert "orders · 270 at 10, 0" in tip  # item 0, the row
    assert "score .600" in tip and "mean of the column .600" in tip
    gestures.move(shown.plot.viewport(), cell(shown, 2, 2))
    assert "with itself" in QToolTip.text()
    assert shown.plot._over.isVisible()


def test_a_click_chooses_and_a_double_click_searches(
    shown: WordMatrixPanel, searched: list[int]
) -> None:
    assert not shown.go.isEnabled()
    gestures.click(shown.plot.viewport(), cell(shown, 0, 3))
    assert shown.words.item == 7 and searched == []
    assert shown.plot._chosen.isVisible() and shown.plot._chosen.rect().left() == 3.5
    gestures.double_click(shown.plot.viewport(), cell(shown, 3, 0))
    assert searched == [0]
    QTest.mouseClick(shown.go, Qt.MouseButton.LeftButton)
    assert searched == [0, 0]


def test_the_marks_over_the_matrix_are_its_columns(shown: WordMatrixPanel) -> None:
    x, y = shown.plot._worst.getData()
    place = shown.plot.place_on_viewport((float(x[0]), float(y[0])))
    gestures.click(shown.plot.viewport(), (place.x(), place.y()))
    assert shown.words.item == 7


def test_keys_go_through_the_columns(shown: WordMatrixPanel, searched: list[int]) -> None:
    matrix, plot = shown.matrix, shown.plot
    assert matrix is not None
    plot.setFocus()
    gestures.key(plot, Qt.Key.Key_Right)
    assert shown.words.item == matrix.items[0]
    gestures.key(plot, Qt.Key.Key_End)
    assert shown.words.item == 7
    gestures.key(plot, Qt.Key.Key_Left)
    assert shown.words.item == matrix.items[2]
    gestures.key(plot, Qt.Key.Key_Return)
    assert searched == [matrix.items[2]]


def test_representative_and_difficult_queries_are_buttons(shown: WordMatrixPanel) -> None:
    first, second, third = shown.suggested.choices.buttons["difficult"]
    assert (first.text(), second.text()) == (".600", ".800") and not third.isVisible()
    assert "271 at 10, 90" in first.toolTip() and "Hast" in first.toolTip()
    QTest.mouseClick(first, Qt.MouseButton.LeftButton)
    assert shown.words.item == 7


def test_what_is_judged_joins_the_matrix(shown: WordMatrixPanel) -> None:
    shown.words.ranking.feedback = False
    shown.words.judgements.judge(5, True)
    settled()
    assert shown.count.text() == "5 words"
    shown.words.judgements.judge(7, False)
    settled()
    assert shown.matrix is not None and 7 not in shown.matrix.items


def test_lists_that_change_do_not_ask_for_scores_again(
    shown: WordMatrixPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    between = shown.words.queries.between
    monkeypatch.setattr(
        shown.words.queries, "between", lambda items: (asked.append(len(items)), between(items))[1]
    )
    shown.words.ranking.changed.emit()
    settled()
    assert max(asked) == 0


def test_more_words_than_fit_are_capped_and_it_says_so(panel: WordMatrixPanel) -> None:
    count = 2 * MOST
    features = np.random.default_rng(1).normal(size=(count, 8)).astype(np.float32)
    scores = FeatureScores(features / np.linalg.norm(features, axis=1)[:, None])
    evidence = Evidence(np.ones(count), scores, np.zeros((0, count)), np.ones(count, bool))
    truth = np.ones(count, np.int8)
    many = source(items=items(count), truth=truth, relevant=count, evidence=evidence)
    panel.words.add_sources([replace(many, given=())])
    settled()
    assert panel.count.text() == "the best 400 of 800 words"
    assert panel.matrix is not None and len(panel.matrix) == MOST
    gestures.wheel(panel.plot.viewport(), cell(panel, 50, 50), 4)
    left, right = panel.plot.box.viewRange()[0]
    assert right - left < 350
    panel.plot.reset_view()


def test_it_is_saved_as_a_picture(shown: WordMatrixPanel, tmp_path: Path) -> None:
    shown.save_picture()
    [dialog] = shown.findChildren(PlotDialog)
    dialog.save(tmp_path / "matrix.svg")
    windows.settle()
    svg = (tmp_path / "matrix.svg").read_text("utf-8")
    assert "representative query" in svg and "Score" in svg and "<image" in svg


def test_it_fits(shown: WordMatrixPanel) -> None:
    shown.resize(300, 420)
    settled()
    assert shown.width() == 300
    gestures.click(shown.plot.viewport(), cell(shown, 0, 3))
    assert shown.words.item == 7
