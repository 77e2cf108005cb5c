"""Sliders of weights: whose they are, what they move, and the weights that have a name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.consensus.precision import figures_with_truth
from spotlab.formats.votes.format import VoteTable
from spotlab.gui.systems.partial_truth.partial_truth_state import PartialTruth
from spotlab.gui.systems.ranking.ranking import NO_VOTERS, RankingPanel, WeightsPanel
from spotlab.gui.systems.state import Systems
from tests.gui.systems.systems_window import example, many, settle, use, workbench_on

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[WeightsPanel]:
    workbench = workbench_on(tmp_path, example(truth=True))
    panel = WeightsPanel(workbench)
    panel.resize(330, 400)
    panel.show()
    panel.activateWindow()
    QTest.qWaitForWindowExposed(panel)
    yield panel
    workbench.state(Systems).cancel()
    settle()
    panel.close()


def shares(panel: WeightsPanel) -> dict[str, str]:
    return {name: label.text() for name, label in panel.shares.items()}


def slide(panel: WeightsPanel, name: str, share: float) -> None:
    """Drag the handle of a slider to a share of its length."""
    slider = panel.rows[name].slider
    middle, width = slider.height() // 2, slider.width()
    start = round(8 + panel.rows[name].value * (width - 16))
    QTest.mousePress(slider, LEFT, pos=QPoint(start, middle))
    for place in np.linspace(start, 8 + share * (width - 16), 6):
        QTest.mouseMove(slider, QPoint(round(place), middle))
    QTest.mouseRelease(slider, LEFT, pos=QPoint(round(8 + share * (width - 16)), middle))


def test_everybody_has_a_slider(panel: WeightsPanel) -> None:
    assert list(panel.rows) == ["top", "bottom", "truth", "S1", "S2", "S3"]
    assert shares(panel) == dict.fromkeys(panel.rows, "20.0%") | {"truth": "0.0%"}
    assert "Lamiroy" in panel.rows["top"].label.toolTip()
    assert panel.state.text() == "About 3.4 items are relevant by these weights (ΣP(δ))."


def test_a_drag_moves_figures_and_shares(panel: WeightsPanel) -> None:
    seen: list[float] = []
    panel.systems.weights_changed.connect(lambda: seen.append(panel.systems.weights["S1"]))
    slide(panel, "S1", 0.0)
    assert len(seen) > 2 and seen == sorted(seen, reverse=True) and seen[-1] <= 0.05
    QTest.keyClick(panel.rows["S1"].slider, Qt.Key.Key_Home)
    assert shares(panel)["S1"] == "0.0%" and shares(panel)["S2"] == "25.0%"
    figures = panel.systems.weighted
    assert figures is not None  # P of δ1, δ4, δ5 without S1: 3/4, 1/4, 1/4
    assert figures.precision[0] == pytest.approx((0.75 + 0.75 + 0.25 + 0.25) / 4)


def test_a_drag_while_the_systems_are_still_compared_leaves_every_chart_painted(
    panel: WeightsPanel,
) -> None:
    ranking = RankingPanel(panel.systems.workbench)
    ranking.show()
    use(panel.systems, many(400, 5), compare=False)
    assert panel.systems.comparison is None
    slide(panel, "system 3", 0.2)
    assert panel.systems.system == 3  # whose slider is used is chosen
    assert ranking.chart.slopes.names == ()  # the other ranking is not known yet
    assert not ranking.chart.grab().isNull()
    panel.systems.choose_system(None)
    use(panel.systems, many(400, 5))
    slide(panel, "system 2", 0.4)
    assert len(ranking.chart.slopes.names) == 5 and not ranking.chart.grab().isNull()
    ranking.close()


def test_a_number_is_typed(panel: WeightsPanel) -> None:
    field = panel.rows["truth"].field
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "1.00")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert panel.systems.weights["truth"] == 1.0 and shares(panel)["truth"] == "16.7%"


def test_truth_alone_is_ordinary_precision_and_recall(panel: WeightsPanel) -> None:
    QTest.mouseClick(panel.alone, LEFT)
    table, weighted = panel.systems.table, panel.systems.weighted
    assert table is not None and table.truth is not None and weighted is not None
    precision, recall, f = figures_with_truth(table.votes, table.truth)
    assert np.array_equal(weighted.precision, precision)
    assert np.array_equal(weighted.recall, recall) and np.allclose(weighted.f, f, rtol=1e-15)


def test_named_weights(panel: WeightsPanel) -> None:
    QTest.mouseClick(panel.without, LEFT)
    assert shares(panel) == {
        "top": "0.0%", "bottom": "0.0%", "truth": "0.0%", "S1": "33.3%", "S2": "33.3%",
        "S3": "33.3%",
    }  # fmt: skip
    QTest.mouseClick(panel.paper, LEFT)
    assert shares(panel)["top"] == "20.0%"
    for button in (panel.paper, panel.without, panel.alone):
        assert len(button.toolTip()) > 60


def test_nobody_counts(panel: WeightsPanel) -> None:
    panel.systems.set_weights(dict.fromkeys(panel.systems.weights, 0.0))
    assert set(shares(panel).values()) == {"–"}
    assert panel.state.text() == "Nobody counts: everything is undefined."


def test_a_systems_row_chooses_it(panel: WeightsPanel) -> None:
    QTest.mouseClick(panel.rows["S2"].label, LEFT)
    assert panel.systems.system == 1
    panel.rows["S3"].slider.setFocus()
    assert panel.systems.system == 2
    panel.rows["top"].slider.setFocus()
    assert panel.systems.system == 2
    panel.systems.choose_system(0)
    bold = [name for name, row in panel.rows.items() if row.label.font().bold()]
    assert bold == ["S1"]


def test_other_votes_and_none(panel: WeightsPanel) -> None:
    use(panel.systems, many(50, 60), compare=False)
    assert len(panel.rows) == 63 and panel.area.verticalScrollBar().maximum() > 0
    panel.systems.choose_system(59)
    last = panel.rows["system 59"].label
    assert panel.area.viewport().rect().contains(last.mapTo(panel.area.viewport(), QPoint(0, 0)))
    use(panel.systems, example())
    assert not panel.alone.isVisible() and "truth" not in panel.rows
    panel.systems.close()
    assert panel.state.text() == NO_VOTERS and not panel.rows and not panel.paper.isEnabled()


def test_a_system_that_is_called_top(panel: WeightsPanel) -> None:
    table = example()
    votes = type(table.votes)(("top", "b", "c"), table.votes.storage)
    use(panel.systems, VoteTable(votes, table.items), compare=False)
    assert list(panel.rows) == ["⊤", "bottom", "top", "b", "c"]


def test_answers_become_an_oracle_with_a_slider(panel: WeightsPanel) -> None:
    systems = panel.systems
    partial = systems.workbench.state(PartialTruth)
    assert panel.answers.isHidden()
    partial.set_wanted(True)
    settle()
    partial.mark(True)
    settle()
    asked = int(partial.answers.items[0])
    assert panel.answers.isVisible()
    QTest.mouseClick(panel.answers, Qt.MouseButton.LeftButton)
    settle()
    assert systems.oracle == "answers" and systems.weights["answers"] == 1
    assert panel.rows["answers"].label.text() == "Your answers"
    assert systems.loaded is not None
    column = systems.loaded.votes.dense()[:, -1]
    assert column[asked] == 1 and np.isnan(np.delete(column, asked)).all()
    before = systems.weighted
    slide(panel, "answers", 0.0)
    assert before is not None and systems.weighted is not None
    assert not np.allclose(before.f, systems.weighted.f)
