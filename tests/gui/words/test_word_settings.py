"""Somebody turns the knobs of the lists, and every turn is followed at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox

from spotlab.gui.kit import background
from spotlab.gui.words.panels.word_settings import WordSettingsPanel
from spotlab.ranking.fusion import Choices, Evidence, fusions
from spotlab.spotting.words.word_index import WordQuery
from tests.gui import gestures
from tests.gui.words.listed_words import settled, showing, source


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[WordSettingsPanel]:
    with showing(tmp_path, WordSettingsPanel, 340, 760) as panel:
        panel.words.add_sources([source(given=False)])
        settled()
        yield panel


def tick(box: QCheckBox) -> None:
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    settled()


def names(panel: WordSettingsPanel) -> list[str]:
    return [each.name for each in panel.words.ranking.lists]


def test_lists_are_ticked(panel: WordSettingsPanel) -> None:
    assert names(panel) == []
    tick(panel.boxes["cr"])
    tick(panel.boxes["ws"])
    assert names(panel) == ["ws", "cr"]  # in their usual order
    assert panel.words.ranking.fusions == ("ws", "cr")
    tick(panel.boxes["ws"])
    assert names(panel) == ["cr"]


def test_the_sliders_move_the_lists(panel: WordSettingsPanel) -> None:
    panel.words.ranking.show_fusions(["cr"])
    settled()
    before = panel.words.ranking.lists[0].ranked.score.copy()
    slider = panel.rows["top"].slider
    slider.setFocus()
    gestures.key(slider, Qt.Key.Key_Home)
    settled()
    assert panel.words.ranking.choices.top == 1
    assert panel.rows["top"].field.value() == 1
    assert not np.array_equal(panel.words.ranking.lists[0].ranked.score, before)
    middle = slider.height() / 2
    gestures.drag(slider, [(6, middle), (slider.width() / 2, middle), (slider.width(), middle)])
    assert panel.words.ranking.choices.top == 60


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("at_least", "0.65", 0.65),
        ("weight", "2.5", 2.5),
        ("iterations", "3", 3),
        ("top", "250", 250),
    ],
)
def test_numbers_are_typed(panel: WordSettingsPanel, name: str, typed: str, value: float) -> None:
    field = panel.rows[name].field
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, typed)
    QTest.keyClick(field, Qt.Key.Key_Return)
    found = getattr(panel.words.ranking.choices, name)
    assert found == value and type(found) is type(getattr(Choices(), name))
    assert field.value() == value


def test_what_others_choose_is_shown_and_not_chosen_again(panel: WordSettingsPanel) -> None:
    heard: list[Choices] = []
    panel.words.ranking.choices_changed.connect(lambda: heard.append(panel.words.ranking.choices))
    chosen = Choices(top=7, at_least=0.55, weight=1.0, iterations=2, fall=0.2)
    panel.words.ranking.set_choices(chosen)
    settled()
    assert [row.value for row in panel.rows.values()] == [7, 0.55, 0.2, 1.0, 2]
    assert panel.rows["top"].slider.value() == 6  # from 1
    assert heard == [chosen]


def test_usual_values(panel: WordSettingsPanel) -> None:
    panel.words.ranking.set_choices(Choices(top=3, at_least=0.1, more={"reciprocal_neighbours": 9}))
    QTest.mouseClick(panel._reset, Qt.MouseButton.LeftButton)
    choices = panel.words.ranking.choices
    assert (choices.top, choices.at_least, choices.more) == (6, 0.8, {})


def test_a_fusions_own_numbers_show_while_it_does(panel: WordSettingsPanel) -> None:
    row = panel.more["k_reciprocal", "reciprocal_neighbours"]
    assert not row.slider.isVisible()
    tick(panel.boxes["k_reciprocal"])
    assert row.slider.isVisible() and row.value == 20
    row.slider.setFocus()
    gestures.key(row.slider, Qt.Key.Key_Left)
    settled()
    assert panel.words.ranking.choices.more == {"reciprocal_neighbours": 19}


def test_what_cannot_be_made_says_why(panel: WordSettingsPanel) -> None:
    assert all(box.isEnabled() for box in panel.boxes.values())
    panel.words.add_sources([source("imported", evidence=None)])
    settled()
    box = panel.boxes["cr"]
    assert not box.isEnabled()
    assert "scores of the items with each other" in box.toolTip()


def test_every_list_and_number_says_what_it_is(panel: WordSettingsPanel) -> None:
    for name, fusion in fusions().items():
        tip = panel.boxes[name].toolTip()
        assert fusion.title in tip and len(tip) > len(fusion.title) + 40
        assert not panel.boxes[name].icon().isNull()
    for row in (*panel.rows.values(), *panel.searched.values()):
        assert len(row.slider.toolTip()) > 40 and row.slider.toolTip() == row.label.toolTip()


def test_feedback_is_switched(panel: WordSettingsPanel) -> None:
    panel.words.ranking.show_fusions(["cr"])
    settled()
    plain = panel.words.ranking.lists[0].ranked.score.copy()
    panel.words.judgements.judge(1, False)
    settled()
    assert not np.array_equal(panel.words.ranking.lists[0].ranked.score, plain)
    tick(panel.feedback)
    assert not panel.words.ranking.feedback
    assert np.array_equal(panel.words.ranking.lists[0].ranked.score, plain)


def test_tau_is_for_the_search_and_searches_again_after_a_pause(
    panel: WordSettingsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = WordQuery("270", (8.0, 1.0, 72.0, 19.0), "orders")
    panel.words.add_sources([source(given=False, example=None, asked=asked)])
    searched: list[WordQuery] = []
    monkeypatch.setattr(panel.words.searching, "search", searched.append)
    monkeypatch.setattr(type(panel.words.searching), "ready", True)
    slider = panel.searched["tau"].slider
    slider.setFocus()
    for _ in range(3):
        gestures.key(slider, Qt.Key.Key_Left)
    assert panel.words.searching.tau == 0.67 and searched == []
    assert background.wait_until(lambda: bool(searched))
    assert searched == [asked]  # once, just what was searched


def test_a_word_searched_again_keeps_what_was_chosen_and_judged(panel: WordSettingsPanel) -> None:
    words = panel.words
    asked = WordQuery("270", (8.0, 1.0, 72.0, 19.0), "orders")
    first = source(given=False, asked=asked)
    words.add_sources([source("other"), first])
    words.choose_source([each.title for each in words.queries.sources].index("orders"))
    words.ranking.show_fusions(["cr", "ws"])
    settled()
    words.judgements.judge_items([4, 1], True)
    words.choose_item(4)
    words.set_threshold(0.55)
    titles = [each.title for each in words.queries.sources]
    order = np.array([5, 4, 1, 0])  # what a stricter search finds
    evidence = first.evidence
    assert evidence is not None
    fewer = replace(
        first,
        items=first.items.take(order),
        truth=first.truth[order],
        evidence=Evidence(evidence.query[order], evidence.between.among(order),  # type: ignore[union-attr]
                          evidence.lists[:, order], evidence.first_hits[order]),
        tau=0.75,
    )  # fmt: skip
    words.add_sources([fewer])
    settled()
    assert [
        each.title for each in words.queries.sources
    ] == titles and words.queries.current is fewer
    assert names(panel) == ["cr", "ws"]
    assert words.judgements.judged.tolist() == [-1, 1, 1, -1] and words.item == 1
    assert words.threshold == 0.55  # chosen by hand
    words.judgements.undo()
    assert words.judgements.judged.tolist() == [-1] * 4
    words.set_threshold(0.75)
    words.add_sources([replace(first, tau=0.65)])
    assert words.threshold == 0.65  # it was τ, and is


@pytest.mark.parametrize("width", [300, 500])
def test_it_fits(panel: WordSettingsPanel, width: int) -> None:
    panel.resize(width, 500)
    settled()
    inside = panel.widget()
    assert panel.width() == width and inside is not None
    assert inside.width() <= panel.viewport().width()
    field = panel.rows["top"].field
    assert field.mapTo(panel, field.rect().topRight()).x() < width
    assert background.wait_for_all()


def test_judgements_that_cannot_be_written_count_until_the_end(panel: WordSettingsPanel) -> None:
    words = panel.words  # there is no folder to write to
    words.add_sources([source("other")])
    words.judgements.judge(2, False)
    words.choose_source(0)
    assert words.judgements.judged.tolist() == [-1] * 8
    words.choose_source(1)
    assert words.judgements.judged.tolist() == [-1, -1, 0, -1, -1, -1, -1, -1]
