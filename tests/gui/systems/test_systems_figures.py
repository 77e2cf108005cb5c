"""Figures of systems: with truth and without, by several methods, and what is undefined."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.consensus.votes import Votes
from spotlab.formats.votes.format import VoteTable
from spotlab.gui.kit.rows import NOTE_ROLE
from spotlab.gui.systems.ranking.ranking import RankingPanel
from spotlab.gui.systems.ranking.superiority import NOT_SAID, SuperiorityMatrix
from spotlab.gui.systems.ranking.systems_figures import NOTHING, SystemsFiguresPanel
from spotlab.gui.systems.state import Systems
from spotlab.report.figure_text import written
from tests.gui.choosing import pick
from tests.gui.systems.systems_window import example, many, settle, use, workbench_on

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[SystemsFiguresPanel]:
    workbench = workbench_on(tmp_path, example(truth=True))
    workbench.state(Systems).reset_weights()  # the paper's; another estimate is recommended
    panel = SystemsFiguresPanel(workbench)
    panel.resize(800, 400)
    panel.show()
    QTest.qWaitForWindowExposed(panel)
    yield panel
    workbench.state(Systems).cancel()
    settle()
    panel.close()


def row(panel: SystemsFiguresPanel, system: int) -> dict[str, str]:
    model = panel.table.model
    at = model.row_of(system)
    assert at is not None
    return {f.title: model.index(at, c).data() for c, f in enumerate(model.figures)}


def virtual(panel: SystemsFiguresPanel, at: int) -> list[str]:
    model = panel.table.summary
    return [model.index(at, column).data() for column in range(model.columnCount())]


def switch(panel: SystemsFiguresPanel, title: str) -> None:
    """Press an entry of the menu of columns."""
    (action,) = (each for each in panel.columns.actions() if each.text() == title)
    action.trigger()


def choose_method(panel: SystemsFiguresPanel, title: str) -> None:
    """Walk there by the keyboard, as a mouse would in its list."""
    place = panel.method.findText(title, Qt.MatchFlag.MatchStartsWith)
    assert place >= 0
    panel.method.setFocus()
    QTest.keyClick(panel.method, Qt.Key.Key_Home)
    for _ in range(place):
        QTest.keyClick(panel.method, Qt.Key.Key_Down)
    settle()


def test_table_3_beside_the_truth(panel: SystemsFiguresPanel) -> None:
    assert row(panel, 0) == {
        "Rank": "1", "Precision": ".600", "Recall": ".706", "F": ".649",
        "True rank": "3", "True P": ".500", "True R": "1.000", "True F": ".667",
    }  # fmt: skip
    assert not panel.table.summary.rowCount()
    switch(panel, "Rows of ⊤ and ⊥")
    assert virtual(panel, 0) == ["–", ".486", "1.000", ".654", "–", ".333", "1.000", ".500"]
    assert virtual(panel, 1) == ["–", "–", ".000", ".000", "–", "–", ".000", ".000"]


def test_without_truth_there_is_no_such_column(panel: SystemsFiguresPanel) -> None:
    use(panel.systems, example())
    assert list(row(panel, 0)) == ["Rank", "Precision", "Recall", "F"]
    assert not panel.near.isVisible()
    use(panel.systems, example(truth=True))
    assert "True F" in row(panel, 0) and panel.near.isVisible()


def test_figures_follow_the_weights(panel: SystemsFiguresPanel) -> None:
    panel.systems.trust_truth()
    found = row(panel, 0)
    assert [found[f"True {part}"] for part in "PRF"] == [
        found["Precision"], found["Recall"], found["F"],
    ]  # fmt: skip
    assert panel.tau.text() == "τ <b>1.000</b>"
    assert panel.errors.text() == "errors P .000 · R .000 · F .000"


def test_there_is_always_an_interval_and_it_follows_the_weights(panel: SystemsFiguresPanel) -> None:
    use(panel.systems, many(400, 5))
    panel.systems.reset_weights()
    index = panel.table.model.index(0, 3)
    first = str(index.data(NOTE_ROLE))
    assert first.startswith("[")
    panel.systems.leave_out_virtual()
    assert str(index.data(NOTE_ROLE)).startswith("[") and index.data(NOTE_ROLE) != first
    choose_method(panel, "Lamiroy & Sun")
    assert index.data(NOTE_ROLE) == first


def test_a_system_has_one_line_and_intervals_that_come_late_have_room(
    panel: SystemsFiguresPanel,
) -> None:
    panel.systems.close()
    use(panel.systems, example(), compare=False)
    body = panel.table.body
    high = body.rowHeight(0)
    use(panel.systems, example())
    panel.systems.set_method("paper")
    assert all(body.columnWidth(at) >= body.sizeHintForColumn(at) for at in range(4))
    assert str(panel.table.model.index(0, 3).data(NOTE_ROLE)) and body.rowHeight(0) == high == 24


def test_columns_are_chosen_and_remembered(panel: SystemsFiguresPanel) -> None:
    assert [panel.table.model.key(at) for at in range(3)] == [0, 1, 2]  # by rank
    switch(panel, "Rank")
    switch(panel, "Interval of Precision")
    assert panel.table.body.isColumnHidden(0) and not panel.table.body.isColumnHidden(1)
    assert str(panel.table.model.index(0, 1).data(NOTE_ROLE)).startswith("[")
    again = SystemsFiguresPanel(panel.workbench)
    assert again.table.body.isColumnHidden(0) and "precision_interval" in again.columns.chosen
    switch(again, "Restore Defaults")
    assert not again.table.body.isColumnHidden(0) and "virtual" not in again.columns.chosen


def test_what_is_recommended_is_shown_until_the_user_chooses(panel: SystemsFiguresPanel) -> None:
    use(panel.systems, many(400, 5))
    comparison, strip = panel.systems.comparison, panel.advice
    assert comparison is not None and panel.systems.method == "shared_errors"
    assert panel.method.currentText() == "Shared errors (recommended)"
    assert "Recommended: Shared errors" in strip.text.text()
    assert comparison.recommendation.reason in strip.text.text()
    assert not strip.follow.isVisible()
    assert strip.answer.isVisible() and "±" in strip.text.text()  # the interval is wide
    QTest.mouseClick(strip.paper, LEFT)
    assert panel.method.currentText() == "Weights at left" and not strip.paper.isVisible()
    panel.systems.set_weight("system 1", 0.5)
    assert strip.paper.isVisible()
    QTest.mouseClick(strip.follow, LEFT)
    assert panel.systems.method == "shared_errors" and not strip.follow.isVisible()


def test_where_the_methods_disagree_answers_are_asked_for(panel: SystemsFiguresPanel) -> None:
    wanted: list[bool] = []
    panel.answers_wanted.connect(lambda: wanted.append(True))
    assert panel.advice.answer.isVisible() and panel.advice.answer.text() == "Answer 7 Items"
    QTest.mouseClick(panel.advice.answer, LEFT)
    assert wanted == [True] and "differs by up to" in panel.advice.text.text()


def test_methods_say_what_they_stand_on(panel: SystemsFiguresPanel) -> None:
    choose_method(panel, "Vote share")
    assert panel.systems.method == "share" and row(panel, 0)["Precision"] == ".667"
    switch(panel, "Rows of ⊤ and ⊥")
    assert panel.method.findText("Dawid & Skene") < 0  # not in sight at first
    pick(panel.method, "others")
    panel.method.hidePopup()
    assert panel.systems.method == "share"
    choose_method(panel, "Dawid & Skene")
    assert "independent" in panel.assumption.text() and "prevalence" in panel.assumption.text()
    assert "learnt" in panel.method.toolTip() and virtual(panel, 0)[2] == "1.000"


def test_a_click_on_a_head_sorts_and_on_a_row_chooses(panel: SystemsFiguresPanel) -> None:
    head = panel.table.head.horizontalHeader()
    QTest.mouseClick(
        head.viewport(), LEFT, pos=QPoint(head.sectionViewportPosition(1) + 20, head.height() // 2)
    )
    order = [panel.table.model.key(at) for at in range(3)]
    assert order[-1] == 0  # S1 has the lowest precision
    index = panel.table.model.index(1, 0)
    QTest.mouseClick(
        panel.table.body.viewport(), LEFT, pos=panel.table.body.visualRect(index).center()
    )
    assert panel.systems.system == order[1]
    panel.systems.choose_system(0)
    assert panel.table.model.marked == 0


def test_a_system_without_a_vote_is_undefined_and_last(panel: SystemsFiguresPanel) -> None:
    votes = Votes.of([[1, 0, np.nan], [1, 0, np.nan], [0, 0, np.nan]], ["a", "none", "unknown"])
    use(panel.systems, VoteTable(votes, ("x", "y", "z")))
    panel.systems.reset_weights()
    assert row(panel, 1) == {"Rank": "2", "Precision": "–", "Recall": ".000", "F": ".000"}
    assert row(panel, 2) == {"Rank": "–", "Precision": "–", "Recall": "–", "F": "–"}


def test_copied_figures_are_unrounded(panel: SystemsFiguresPanel) -> None:
    panel.table.copy()
    lines = QApplication.clipboard().text().splitlines()
    assert lines[0].split("\t")[:3] == ["name", "rank", "precision"] and len(lines) == 4
    values = dict(zip(lines[0].split("\t"), lines[1].split("\t"), strict=True))
    assert values["name"] == "S1" and float(values["recall"]) == pytest.approx(2.4 / 3.4)


def test_nothing_is_open(panel: SystemsFiguresPanel) -> None:
    panel.systems.close()
    assert panel.nothing.isVisible() and panel.nothing.text() == NOTHING


def test_which_is_better(panel: SystemsFiguresPanel) -> None:
    better = SuperiorityMatrix(panel.systems)
    use(panel.systems, many(400, 5))
    assert not better.isHidden() and "recommended estimate" in better.caption.text()
    comparison = panel.systems.comparison
    assert comparison is not None and comparison.superiority is not None
    panel.systems.choose_system(4)
    assert better.first.value == 4 and better.second.value == 1
    assert (
        comparison.superiority[4, 1] > 0.9
        and f"probability <b>{written(comparison.superiority[4, 1])}</b>"
        in better.probability.text()
    )
    panel.systems.choose_system(1)
    assert (better.first.value, better.second.value) == (1, 4)
    pick(better.second, 1)
    assert f"<b>{NOT_SAID}</b>" in better.probability.text()


def test_rankings_beside_each_other(panel: SystemsFiguresPanel, qapp: QApplication) -> None:
    ranking = RankingPanel(panel.workbench)
    assert ranking.chart.slopes.titles == ("Weights at left", "With truth")
    assert ranking.chart.slopes.left.tolist() == [1, 2, 2]
    panel.systems.trust_truth()
    assert ranking.chart.slopes.left.tolist() == ranking.chart.slopes.right.tolist()
    assert ranking.tau.text() == "τ <b>1.000</b>"
    use(panel.systems, example())
    ranking.show()
    assert ranking.chart.slopes.titles == ("Vote share", "Lamiroy & Sun")  # as recommended
    pick(ranking.left, "majority")
    assert panel.systems.method == "majority"
    assert "dawid_skene" not in ranking.right.values
    panel.systems.offer_all()
    pick(ranking.right, "dawid_skene")
    panel.systems.set_method("share")
    assert ranking.chart.slopes.titles == ("Vote share", "Dawid & Skene")
    panel.systems.choose_system(2)
    assert ranking.chart.system == 2
