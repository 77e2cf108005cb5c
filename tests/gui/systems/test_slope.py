"""The slope chart: where lines and names stand, and what a pointer does on them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QScrollArea

from spotlab.gui.systems.ranking.slope import SlopeChart, Slopes, crossings, spread
from tests.gui.gestures import click, key, mouse, move

LEFT_RANKS = np.array([1.0, 2, 2, 4, np.nan])
RIGHT_RANKS = np.array([4.0, 1, 2, 3, 5])
NAMES = ("alpha", "beta", "gamma", "delta", "epsilon")
COLOURS = ("#E69F00",) * 5


@pytest.fixture
def chart(qapp: QApplication) -> Iterator[SlopeChart]:
    chart = SlopeChart()
    chart.resize(400, 300)
    chart.show_slopes(Slopes(NAMES, COLOURS, LEFT_RANKS, RIGHT_RANKS, ("without", "with")))
    chart.show()
    QApplication.processEvents()
    yield chart
    chart.close()


@given(st.lists(st.floats(0, 100), max_size=12), st.floats(1, 8))
def test_names_never_overlap_and_keep_their_order(wanted: list[float], apart: float) -> None:
    places = spread(np.array(wanted), apart, 0, 100)
    order = np.argsort(np.array(wanted), kind="stable")
    assert (np.diff(places[order]) >= apart - 1e-9).all()
    assert ((places >= -1e-9) & (places <= 100 + 1e-9)).all()  # 12 · 8 < 100


@given(st.lists(st.floats(0, 100), min_size=1, max_size=8))
def test_names_that_have_room_stay(wanted: list[float]) -> None:
    there = np.sort(np.array(wanted))
    if len(there) < 2 or np.diff(there).min() >= 3:
        assert np.allclose(spread(there, 3, 0, 100), there)


@given(st.permutations(range(6)))
def test_crossings_are_pairs_in_another_order(ranks: list[int]) -> None:
    left, right = np.arange(6.0), np.array(ranks, float)
    pairs = [
        sum((left[i] - left[j]) * (right[i] - right[j]) < 0 for j in range(6)) for i in range(6)
    ]
    assert crossings(left, right).tolist() == pairs


def test_names_of_equal_ranks_stand_below_each_other(chart: SlopeChart) -> None:
    left, right = chart.name_places()
    line = chart._line
    assert abs(left[1] - left[2]) >= line - 1e-6 and np.isnan(left[4])
    assert (np.diff(np.sort(right)) >= line - 1e-6).all()
    first, last = chart.ends()
    assert first[1, 1] == first[2, 1] and last[0, 1] > last[3, 1]


def test_a_click_on_a_line_or_name_chooses(chart: SlopeChart) -> None:
    chosen: list[int] = []
    chart.chosen.connect(chosen.append)
    first, last = chart.ends()
    middle = (first[0] + last[0]) / 2
    middle = first[0] + 0.25 * (last[0] - first[0])
    click(chart, (middle[0], middle[1]))
    left, right = chart.name_places()
    click(chart, (8.0, left[3]))
    click(chart, (chart.width() - 12.0, right[4]))
    click(chart, (first[0, 0] + 1, 3.0))
    assert chosen == [0, 3, 4]


def test_hovering_marks_and_says_whose_line_it_is(chart: SlopeChart) -> None:
    before = chart.grab().toImage()
    left, _ = chart.name_places()
    move(chart, (8.0, left[0]))
    assert chart.hovered == 0 and chart.cursor().shape() == Qt.CursorShape.PointingHandCursor
    assert chart.told(0) == "alpha\nwithout: rank 1\nwith: rank 4\nin another order than 3 others"
    assert chart.told(4).splitlines()[1:] == [
        "without: no rank", "with: rank 5", "in the same order as all",
    ]  # fmt: skip
    assert chart.grab().toImage() != before
    mouse(chart, QEvent.Type.Leave, (0, 0))
    QApplication.sendEvent(chart, QEvent(QEvent.Type.Leave))
    assert chart.hovered is None


def test_arrow_keys_walk_the_left_ranking(chart: SlopeChart) -> None:
    chosen: list[int] = []
    chart.chosen.connect(chosen.append)
    chart.chosen.connect(chart.show_chosen)
    for what in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        key(chart, what)
    assert chosen == [0, 1, 0]


def test_many_systems_scroll_rather_than_overlap(qapp: QApplication) -> None:
    ranks = np.arange(1.0, 177)
    names = tuple(f"worker {number}" for number in range(176))
    chart, area = SlopeChart(), QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(chart)
    area.resize(400, 300)
    area.show()
    chart.show_slopes(Slopes(names, ("#E69F00",) * 176, ranks, ranks[::-1], ("", "")))
    QApplication.processEvents()
    left, _ = chart.name_places()
    assert chart.height() > 2000 and (np.diff(left) >= chart._line - 1e-6).all()
    assert not chart.grab().isNull()
    area.close()


def test_nothing_is_drawn_of_a_chosen_system_without_a_ranking(chart: SlopeChart) -> None:
    chart.show_chosen(4)
    chart.show_slopes(Slopes())
    assert not chart.grab().isNull()
    chart.show_slopes(Slopes(NAMES[:2], COLOURS[:2], LEFT_RANKS[:2], RIGHT_RANKS[:2], ("", "")))
    assert not chart.grab().isNull()


def test_a_painter_ends_whatever_happens() -> None:
    gui = Path(__file__).resolve().parents[3] / "spotlab" / "gui"
    begun, ended = [], []
    for file in gui.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "QPainter":
                begun.append(f"{file.relative_to(gui)}:{node.lineno}")
            if isinstance(node, ast.With):
                ended += [f"{file.relative_to(gui)}:{i.context_expr.lineno}" for i in node.items]
    assert len(begun) > 10 and [place for place in begun if place not in ended] == []


def test_nothing_to_draw(qapp: QApplication) -> None:
    chart = SlopeChart()
    chart.resize(300, 200)
    assert not chart.grab().isNull() and chart.system_at(20, 100) is None
    key(chart, Qt.Key.Key_Down)
