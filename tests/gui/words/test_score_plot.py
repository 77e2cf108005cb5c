"""Somebody purges ranked lists: drags the line, slides, types, takes what is suggested."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from spotlab.gui.kit.plots.saving import picture
from spotlab.gui.kit.theme import LIGHT
from spotlab.gui.words.scores.scores import HIDDEN, NOTHING, ScoresPanel
from spotlab.model import RankedList
from tests.gui import gestures
from tests.gui.words.listed_words import items, settled, showing, source

Place = tuple[float, float]


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[ScoresPanel]:
    with showing(tmp_path, ScoresPanel) as panel:
        yield panel


@pytest.fixture
def listed(panel: ScoresPanel) -> ScoresPanel:
    """With the lists "first" and "second", cut at .7."""
    panel.words.add_sources([source()])
    settled()
    return panel


def on_screen(panel: ScoresPanel, rank: float, score: float) -> Place:
    place = panel.plot.place_on_viewport((rank, score))
    return place.x(), place.y()


def texts(panel: ScoresPanel, row: int) -> dict[str, str]:
    return {**panel.counts.texts(row), **panel.shares.texts(row)}


def points(marks: object) -> set[Place]:
    x, y = marks.getData()  # type: ignore[attr-defined]
    return {(float(a), round(float(b), 6)) for a, b in zip(x, y, strict=True)}


def test_without_lists_it_says_what_to_do(panel: ScoresPanel) -> None:
    assert panel.stack.currentWidget() is panel.nothing
    assert panel.nothing.text() == NOTHING
    panel.words.add_sources([source(given=False)])
    settled()
    assert panel.nothing.text() == HIDDEN


def test_what_is_left_of_each_list(listed: ScoresPanel) -> None:
    assert listed.words.threshold == 0.7
    assert texts(listed, 0) == {
        "kept": "4", "true": "3", "false": "1", "unknown": "0", "ties": "0",
        "precision": ".750", "recall": ".750", "f": ".750", "removed": ".667", "lost": ".000",
    }  # fmt: skip
    assert texts(listed, 1) == {
        "kept": "4", "true": "4", "false": "0", "unknown": "0", "ties": "0",
        "precision": "1.000", "recall": "1.000", "f": "1.000", "removed": "1.000", "lost": ".000",
    }  # fmt: skip
    assert points(listed.plot.cut_marks.item) == {(4, 0.7)}
    assert "AP&nbsp;.688" in listed.head.legend.text()  # (1 + 1 + 3/4) / 4


def test_ties_unknown_and_undefined_are_shown(listed: ScoresPanel) -> None:
    listed.words.set_threshold(0.6)
    assert texts(listed, 0) == {
        "kept": "6", "true": "3", "false": "2", "unknown": "1", "ties": "1",
        "precision": ".600", "recall": ".750", "f": ".667", "removed": ".333", "lost": ".000",
    }  # fmt: skip
    listed.words.set_threshold(0.97)
    assert texts(listed, 0) == {
        "kept": "0", "true": "0", "false": "0", "unknown": "0", "ties": "–",
        "precision": "–", "recall": ".000", "f": "–", "removed": "1.000", "lost": "1.000",
    }  # fmt: skip
    assert points(listed.plot.cut_marks.item) == set()
    for readout in (listed.counts, listed.shares):
        for label in readout._rows[0].figures.values():
            assert len(label.toolTip()) > 40


def test_the_line_is_dragged(listed: ScoresPanel) -> None:
    plot = listed.plot
    target = on_screen(listed, 6, 0.45)
    steps = [on_screen(listed, 6, 0.7), on_screen(listed, 6, 0.6), target]
    gestures.drag(plot.viewport(), steps)
    pixel = plot.box.viewPixelSize()[1]
    assert listed.words.threshold == pytest.approx(0.45, abs=1.5 * pixel)
    assert plot.threshold_line.threshold == listed.words.threshold
    assert listed.bar.field.value() == pytest.approx(plot.threshold_line.threshold, abs=1e-3)
    assert texts(listed, 0)["kept"] == "6"
    gestures.move(plot.viewport(), on_screen(listed, 6, 0.9))  # let go
    assert listed.words.threshold == pytest.approx(0.45, abs=1.5 * pixel)
    assert not plot.zoomed


def test_the_line_stays_in_sight(listed: ScoresPanel) -> None:
    start = on_screen(listed, 6, 0.7)
    gestures.drag(listed.plot.viewport(), [start, (start[0], -400.0)])
    assert listed.words.threshold == pytest.approx(listed.plot.box.viewRange()[1][1])


def test_the_pointer_says_that_the_line_can_be_taken(listed: ScoresPanel) -> None:
    viewport = listed.plot.viewport()
    gestures.move(viewport, on_screen(listed, 6, 0.7))
    assert viewport.cursor().shape() is Qt.CursorShape.SizeVerCursor
    gestures.move(viewport, on_screen(listed, 6, 0.9))
    assert viewport.cursor().shape() is Qt.CursorShape.CrossCursor


def test_a_drag_elsewhere_moves_the_plot_not_the_line(listed: ScoresPanel) -> None:
    gestures.wheel(listed.plot.viewport(), on_screen(listed, 5, 0.9), 3)
    gestures.drag(listed.plot.viewport(), [on_screen(listed, 5.5, 0.85), on_screen(listed, 5, 0.8)])
    assert listed.words.threshold == 0.7
    assert listed.plot.zoomed


def test_the_slider_and_the_number(listed: ScoresPanel) -> None:
    slider, words = listed.bar.slider, listed.words
    slider.setFocus()
    gestures.key(slider, Qt.Key.Key_Home)
    assert words.threshold == 0.95
    gestures.key(slider, Qt.Key.Key_End)
    assert words.threshold == 0.1
    assert texts(listed, 0)["kept"] == "7"
    listed.bar.field.setFocus()
    listed.bar.field.selectAll()
    QTest.keyClicks(listed.bar.field, "0.85")
    QTest.keyClick(listed.bar.field, Qt.Key.Key_Return)
    assert words.threshold == 0.85
    assert listed.plot.threshold_line.threshold == 0.85
    assert texts(listed, 0)["kept"] == "3"
    kept = [words.ranking.lists[0].kept(words.threshold)]
    for _ in range(30):  # one step keeps a little more
        gestures.key(slider, Qt.Key.Key_Right)
        kept.append(words.ranking.lists[0].kept(words.threshold))
    assert kept == sorted(kept)


def test_a_suggested_threshold_is_taken(listed: ScoresPanel) -> None:
    tau, best_f, drop = listed.bar.buttons()
    assert "“second”" in listed.bar.of.toolTip()
    assert [each.text() for each in (tau, best_f, drop)] == [
        "τ .700", "best F .500", "drop .500",
    ]  # fmt: skip
    assert "F is 1.000 with 4 items kept" in best_f.toolTip()
    QTest.mouseClick(best_f, Qt.MouseButton.LeftButton)
    assert listed.words.threshold == 0.5
    listed.bar.menu.actions()[0].trigger()
    assert listed.bar.of.text() == "first▾"
    assert "F is 0.750 with 4 items kept" in listed.bar.buttons()[1].toolTip()


def test_a_mark_at_the_edge_says_why_and_is_clicked(listed: ScoresPanel) -> None:
    edge = listed.plot.box.viewRange()[0][1]
    place = on_screen(listed, edge, 0.5)
    gestures.click(listed.plot.viewport(), (place[0] - 4, place[1]))
    assert "second: " in QToolTip.text()
    assert listed.words.threshold == 0.5


def test_what_cannot_be_suggested_says_why(panel: ScoresPanel) -> None:
    unknown = np.full(8, -1, np.int8)
    panel.words.add_sources([source(truth=unknown, relevant=0)])
    settled()
    best_f = panel.bar.buttons()[1]
    assert best_f.text() == "best F –" and not best_f.isEnabled()
    assert "judged" in best_f.toolTip()
    assert texts(panel, 0)["recall"] == "–" and texts(panel, 0)["unknown"] == "4"


def test_hovering_reads_out_rank_score_and_word(listed: ScoresPanel) -> None:
    gestures.move(listed.plot.viewport(), on_screen(listed, 3, 0.85))
    tip = QToolTip.text()
    assert "others · 270 at 10, 30" in tip and "✗" in tip
    assert "first · rank 3 · score 0.85" in tip
    gestures.move(listed.plot.viewport(), on_screen(listed, 6, 0.95))
    assert points(listed.plot._over) == set()


def test_a_click_chooses_the_word_on_all_lists(listed: ScoresPanel) -> None:
    gestures.click(listed.plot.viewport(), on_screen(listed, 4, 0.8))
    assert listed.words.item == 3
    assert points(listed.plot.signs.chosen) == {(4, 0.8), (2, 0.8)}
    gestures.click(listed.plot.viewport(), on_screen(listed, 4, 0.7))  # under the line
    assert listed.words.item == 1
    assert listed.words.threshold == 0.7


def test_a_judgement_is_marked_and_counted(listed: ScoresPanel) -> None:
    listed.words.ranking.feedback = False
    assert points(listed.plot.signs.right) >= {(1, 0.95), (2, 0.9), (4, 0.8)}
    listed.words.judgements.judge(2, True)
    listed.words.judgements.judge(5, False)
    settled()
    assert (3, 0.85) in points(listed.plot.signs.right)
    assert points(listed.plot.signs.wrong) >= {(5, 0.6), (6, 0.6)}
    assert texts(listed, 0)["precision"] == "1.000"
    assert texts(listed, 0)["recall"] == ".800"  # four of five


def test_a_list_on_a_scale_of_its_own_is_purged_too(panel: ScoresPanel) -> None:
    panel.words.add_sources([source(given=False)])
    panel.words.ranking.show_fusions(["cr", "diffusion"])
    settled()
    panel.words.set_threshold(0.5)
    consensus, diffusion = panel.words.ranking.lists
    assert diffusion.calibrated and not consensus.calibrated
    assert diffusion.ranked.score.max() <= consensus.ranked.score.max()
    assert texts(panel, 1)["kept"] == texts(panel, 0)["kept"] == "4"
    assert texts(panel, 1)["precision"] == "1.000"


def test_many_marks_do_not_lie_on_each_other(panel: ScoresPanel) -> None:
    random = np.random.default_rng(3)
    scores = np.sort(random.random(5000))[::-1]
    given = (RankedList.ordered("long", scores),)
    truth = (random.random(5000) < 0.5).astype(np.int8)
    many = source(items=items(5000), truth=truth, evidence=None, relevant=int(truth.sum()))
    panel.words.add_sources([replace(many, given=given)])
    settled()
    few = points(panel.plot.signs.right)
    assert 15 < len(few) < 80
    panel.plot.box.setXRange(100, 118, padding=0)
    settled()
    assert {x for x, _ in points(panel.plot.signs.right) if 101 < x < 117} == {
        rank for rank in range(102, 117) if truth[rank - 1]
    }  # zoomed in, every one has room


def test_the_table_and_the_plot_are_saved(listed: ScoresPanel) -> None:
    listed.words.set_threshold(0.97)
    head, first, _ = listed.table()
    assert head[:3] == ["list", "threshold", "kept"]
    assert first[:3] == ["first", 0.97, 0] and first[head.index("precision")] is None
    svg = picture(listed.plot, "svg", LIGHT)
    assert b"first" in svg and b"Score" in svg


def test_nothing_is_done_while_it_is_hidden(listed: ScoresPanel) -> None:
    listed.hide()
    listed.words.set_threshold(0.2)
    assert listed.plot.threshold_line.threshold == 0.7
    listed.show()
    settled()
    assert listed.plot.threshold_line.threshold == 0.2


@pytest.mark.parametrize("width", [300, 760])
def test_it_fits(listed: ScoresPanel, width: int) -> None:
    listed.resize(width, 600)
    settled()
    assert listed.width() == width
    first, second = listed.counts.geometry(), listed.shares.geometry()
    assert (second.top() >= first.bottom()) == (width == 300)
    assert listed.plot.hit(QPointF(*on_screen(listed, 3, 0.85))) is not None


def test_many_lists_scroll_under_the_plot(panel: ScoresPanel) -> None:
    few = source()
    panel.words.add_sources([few])
    settled()
    assert panel.figures.verticalScrollBar().maximum() == 0
    assert panel.head.legend.isVisible()
    least, plot = panel.minimumSizeHint().height(), panel.plot.height()
    panel.words.add_sources([replace(few, given=few.given * 7)])
    settled()
    assert panel.minimumSizeHint().height() <= max(least, 300)
    assert not panel.head.legend.isVisible() and "AP" in panel.head.title.toolTip()
    assert panel.height() == 620 and panel.plot.height() > plot / 3
    bar = panel.figures.verticalScrollBar()
    assert bar.maximum() > 0
    label = panel.counts._rows[0].figures["kept"]
    assert label.height() >= label.fontMetrics().height()
