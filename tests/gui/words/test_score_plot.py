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

from spotlab.gui.kit import theme
from spotlab.gui.kit.plots.export import PlotDialog
from spotlab.gui.words.scores.purge_table import HEADS
from spotlab.gui.words.scores.scores import HIDDEN, NOTHING, ScoresPanel
from spotlab.model import RankedList
from tests.gui import gestures, windows
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
    return panel.figures.texts(row)


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
        "kept": "4", "true": "3", "false": "1", "unknown": "0", "average_precision": ".688",
        "precision": ".750", "recall": ".750", "f": ".750", "removed": ".667", "lost": ".000",
    }  # fmt: skip
    assert texts(listed, 1) == {
        "kept": "4", "true": "4", "false": "0", "unknown": "0", "average_precision": "1.000",
        "precision": "1.000", "recall": "1.000", "f": "1.000", "removed": "1.000", "lost": ".000",
    }  # fmt: skip
    assert points(listed.plot.cut_marks.item) == {(4, 0.7)}
    # the AP of the first is (1 + 1 + 3/4) / 4
    assert listed.note.text() == "Of 6 judged words of 7."
    inks = [listed.figures.model.index(row, 6).data(Qt.ItemDataRole.ForegroundRole)
            for row in (0, 1)]  # fmt: skip
    assert inks == [theme.quiet(listed.palette()), None]  # dimmed where not all is judged


def test_ties_unknown_and_undefined_are_shown(listed: ScoresPanel) -> None:
    listed.words.set_threshold(0.6)
    shown = texts(listed, 0)
    assert (shown["kept"], shown["true"], shown["false"], shown["unknown"]) == ("6", "3", "2", "1")
    assert (shown["precision"], shown["recall"], shown["f"]) == (".600", ".750", ".667")
    head, first, _ = listed.table()
    assert first[head.index("ties")] == 1
    listed.words.set_threshold(0.97)
    shown = texts(listed, 0)
    assert (shown["kept"], shown["precision"], shown["recall"], shown["f"]) == (
        "0", "–", ".000", "–",
    )  # fmt: skip
    assert (shown["removed"], shown["lost"]) == ("1.000", "1.000")
    assert points(listed.plot.cut_marks.item) == set()
    model = listed.figures.model
    for column in range(1, model.columnCount()):
        side = Qt.Orientation.Horizontal
        assert len(model.headerData(column, side, Qt.ItemDataRole.ToolTipRole)) > 40


def test_where_only_right_words_are_judged_nothing_reads_one(panel: ScoresPanel) -> None:
    panel.words.add_sources([source(truth=np.full(8, -1, np.int8), relevant=0)])
    settled()
    assert panel.note.text().startswith("No word is judged")
    panel.words.judgements.judge_items([0, 1, 3], True)
    settled()
    for shown in (texts(panel, 0), texts(panel, 1)):
        assert "1.000" not in shown.values()
        assert (shown["precision"], shown["recall"], shown["average_precision"]) == ("–",) * 3
    assert panel.note.text() == "Of 3 judged words of 7. No ✗ is judged: P, R and F are not known."
    assert [mark.name for mark in panel.scale.marks] == ["τ", "tight", "at least", "drop"]
    panel.words.set_threshold(0.85)
    assert texts(panel, 0)["lost"] == ".333"  # of the three
    panel.words.judgements.judge(2, False)
    settled()
    assert texts(panel, 0)["precision"] == ".667"
    assert panel.note.text() == "Of 4 judged words of 7."


def test_the_line_is_dragged(listed: ScoresPanel) -> None:
    plot = listed.plot
    target = on_screen(listed, 6, 0.45)
    steps = [on_screen(listed, 6, 0.7), on_screen(listed, 6, 0.6), target]
    gestures.drag(plot.viewport(), steps)
    pixel = plot.box.viewPixelSize()[1]
    assert listed.words.threshold == pytest.approx(0.45, abs=1.5 * pixel)
    assert plot.line.value() == listed.words.threshold
    assert listed.head.field.value() == pytest.approx(plot.line.value(), abs=1e-3)
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


@pytest.mark.parametrize("place", [(1.0, 0.15), (6.5, 0.9)])
def test_zooming_where_nothing_is_keeps_the_lists_in_sight(
    listed: ScoresPanel, place: Place
) -> None:
    pointer = on_screen(listed, *place)
    for _ in range(12):
        gestures.wheel(listed.plot.viewport(), pointer, 3)
    (left, right), (low, high) = listed.plot.box.viewRange()
    heights = listed.plot.curve_items.heights(left, right)
    assert right - left < 2 and heights is not None
    assert heights[0] <= high and heights[1] >= low


def test_the_keys_purge_word_by_word(listed: ScoresPanel) -> None:
    words = listed.words
    gestures.click(listed.plot.viewport(), on_screen(listed, 6, 0.7))  # focus goes with the click
    assert listed.scale.hasFocus()
    gestures.key(listed.scale, Qt.Key.Key_Home)
    assert words.threshold == 0.95
    gestures.key(listed.scale, Qt.Key.Key_Up)
    assert [each.kept(words.threshold) for each in words.ranking.lists] == [0, 0]
    gestures.key(listed.scale, Qt.Key.Key_End)
    assert words.threshold == 0.1
    assert texts(listed, 0)["kept"] == "7"
    kept = []
    while words.threshold < 0.95:
        kept.append(sum(each.kept(words.threshold) for each in words.ranking.lists))
        gestures.key(listed.scale, Qt.Key.Key_Up)
    assert kept == sorted(set(kept), reverse=True)  # every step purges something
    assert len(kept) == 9  # .1 .2 .3 .6 .7 .75 .8 .85 .9
    gestures.key(listed.scale, Qt.Key.Key_PageDown)
    low, high = listed.plot.box.viewRange()[1]
    assert words.threshold == pytest.approx(0.95 - 0.05 * (high - low))


def test_the_handle_is_dragged_beside_the_plot(listed: ScoresPanel) -> None:
    scale = listed.scale
    steps = [(20.0, scale.height_of(score)) for score in (0.7, 0.6, 0.45)]
    gestures.drag(scale, steps)
    pixel = listed.plot.box.viewPixelSize()[1]
    assert listed.words.threshold == pytest.approx(0.45, abs=1.5 * pixel)
    gestures.wheel(scale, steps[-1], 1)
    assert listed.words.threshold == 0.7  # .6 was the last that was kept
    y = on_screen(listed, 1, 0.7)[1]
    beside = listed.plot.viewport().mapTo(listed, QPointF(0, y)).y()
    assert scale.mapTo(listed, QPointF(0, scale.height_of(0.7))).y() == pytest.approx(beside, abs=1)


def test_a_number_is_typed(listed: ScoresPanel) -> None:
    field = listed.head.field
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "0.85")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert listed.words.threshold == 0.85
    assert listed.plot.line.value() == 0.85
    assert texts(listed, 0)["kept"] == "3"


def named(panel: ScoresPanel) -> dict[str, float]:
    return {mark.name: round(mark.threshold, 3) for mark in panel.scale.marks}


def name_place(panel: ScoresPanel, name: str) -> Place:
    at = [mark.name for mark in panel.scale.marks].index(name)
    return 30.0, panel.scale._name_heights()[at + 1]


def test_thresholds_have_names_and_are_taken_by_them(listed: ScoresPanel) -> None:
    assert named(listed) == {
        "τ": 0.7, "tight": 0.8, "at least": 0.8, "best F": 0.5, "drop": 0.5,
    }  # fmt: skip
    heights = sorted(listed.scale._name_heights())
    assert min(np.diff(heights)) >= listed.scale.fontMetrics().height() * 0.8  # none on another
    listed.words.set_threshold(0.9)
    gestures.click(listed.scale, name_place(listed, "best F"))
    assert listed.words.threshold == 0.5
    assert "second: best F 0.5" in listed.scale.marks[3].tip
    assert "F is 1.000 with 4 items kept" in listed.scale.marks[3].tip
    gestures.click(listed.scale, name_place(listed, "tight"))
    assert listed.words.threshold == 0.8
    listed.words.ranking.set_choices(replace(listed.words.ranking.choices, at_least=0.75))
    assert named(listed)["at least"] == 0.75


def test_a_click_in_the_table_marks_what_that_list_suggests(listed: ScoresPanel) -> None:
    view = listed.figures.view
    place = view.visualRect(listed.figures.model.index(0, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert "F is 0.750 with 4 items kept" in listed.scale.marks[3].tip
    assert named(listed)["drop"] == 0.4  # from .6 to .3
    listed.words.set_threshold(0.3)
    assert view.currentIndex().row() == 0


def test_the_truth_says_which_list_is_marked(panel: ScoresPanel) -> None:
    known = source()
    first = known.given[0].item
    truth = np.zeros(len(known.truth), np.int8)
    truth[first[:3]] = 1
    panel.words.add_sources([replace(known, truth=truth, relevant=3)])
    settled()
    assert "first: " in panel.scale.marks[3].tip


def test_judgements_say_which_list_is_marked(listed: ScoresPanel) -> None:
    listed.words.ranking.feedback = False

    def judge(items: tuple[int, ...], relevant: bool) -> str:
        for item in items:
            listed.words.judgements.judge(item, relevant)
        settled()
        return listed.scale.marks[3].tip

    assert "second: " in judge((0, 1), True)  # the last one, as nothing else is known
    assert "second: " in judge((3, 7, 4), False)  # too few are judged
    assert "first: " in judge((2,), True)  # all that are right come first there


def test_of_long_lists_the_part_around_the_cut_is_shown(panel: ScoresPanel) -> None:
    scores = np.concatenate([np.linspace(0.95, 0.71, 30), np.linspace(0.69, 0.1, 5000)])
    long = source(items=items(5030), truth=np.zeros(5030, np.int8), relevant=0, evidence=None)
    panel.words.add_sources([replace(long, given=(RankedList.ordered("long", scores),))])
    settled()
    (_, right), (low, _) = panel.plot.box.viewRange()
    assert right == pytest.approx(90, abs=1) and low > 0.6
    panel.words.set_threshold(0.3)  # a cut further down comes into sight
    settled()
    (_, right), (low, _) = panel.plot.box.viewRange()
    assert low <= 0.3 and right > panel.words.ranking.lists[0].kept(0.3)
    panel.plot.show_all()
    assert panel.plot.box.viewRange()[0][1] > 5000


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
    scores = np.sort(random.random(2000))[::-1]
    given = (RankedList.ordered("long", scores),)
    truth = (random.random(2000) < 0.5).astype(np.int8)
    many = source(items=items(2000), truth=truth, evidence=None, relevant=int(truth.sum()))
    panel.words.add_sources([replace(many, given=given)])
    settled()
    few = points(panel.plot.signs.right)
    assert 15 < len(few) < 80
    panel.plot.box.setXRange(100, 112, padding=0)
    settled()
    assert {x for x, _ in points(panel.plot.signs.right) if 101 < x < 111} == {
        rank for rank in range(102, 111) if truth[rank - 1]
    }  # zoomed in, every one has room


def test_the_table_and_the_plot_are_saved(listed: ScoresPanel, tmp_path: Path) -> None:
    listed.words.set_threshold(0.97)
    head, first, _ = listed.table()
    assert head[:3] == ["list", "threshold", "kept"]
    assert first[:3] == ["first", 0.97, 0] and first[head.index("precision")] is None
    listed.head.save_picture()
    [dialog] = listed.findChildren(PlotDialog)
    dialog.save(tmp_path / "scores.svg")
    windows.settle()
    svg = (tmp_path / "scores.svg").read_text("utf-8")
    for words in ("first", "second", "Score", "Rank", "threshold", "right", "wrong"):
        assert words in svg


def test_nothing_is_done_while_it_is_hidden(listed: ScoresPanel) -> None:
    listed.hide()
    listed.words.set_threshold(0.2)
    assert listed.plot.line.value() == 0.7
    listed.show()
    settled()
    assert listed.plot.line.value() == 0.2


@pytest.mark.parametrize("width", [300, 760])
def test_it_fits(listed: ScoresPanel, width: int) -> None:
    listed.resize(width, 600)
    settled()
    assert listed.width() == width
    shown = listed.figures.columns()
    assert {"kept", "precision", "recall", "f", "lost"} <= set(shown)
    assert (shown == list(HEADS)) == (width == 760)
    assert listed.plot.hit(QPointF(*on_screen(listed, 3, 0.85))) is not None


def test_all_lists_are_in_sight_under_the_plot(panel: ScoresPanel) -> None:
    few = source()
    panel.words.add_sources([replace(few, given=few.given * 7)])
    settled()
    view = panel.figures.view
    assert view.model().rowCount() == 14
    assert view.verticalScrollBar().maximum() == 0
    assert panel.height() == 620 and panel.plot.height() > 200
