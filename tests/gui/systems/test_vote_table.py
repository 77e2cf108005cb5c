"""The table of votes: what stands in it, orders and filters, and what is chosen there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.arrays import Ints
from spotlab.consensus.votes import Votes
from spotlab.formats.votes.format import VoteTable
from spotlab.gui.kit import background
from spotlab.gui.systems.centre import StartPage
from spotlab.gui.systems.state import Systems, load
from spotlab.gui.systems.votes import vote_table
from spotlab.gui.systems.votes.dialog import open_example
from spotlab.gui.systems.votes.vote_model import VoteFilter, arrange_items
from spotlab.gui.systems.votes.vote_table import VoteTablePanel
from spotlab.progress import silent
from tests.gui.systems.systems_window import example, many, settle, use, workbench_on

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[VoteTablePanel]:
    workbench = workbench_on(tmp_path, None)
    panel = VoteTablePanel(workbench)
    panel.resize(900, 500)
    panel.show()
    QTest.qWaitForWindowExposed(panel)
    yield panel
    workbench.state(Systems).cancel()
    settle()
    panel.close()


def cell(panel: VoteTablePanel, row: int, kind: str, system: int = -1) -> str:
    return str(panel.model.index(row, panel.model.column_of(kind, system)).data())


def click_cell(panel: VoteTablePanel, row: int, kind: str, system: int = -1) -> None:
    index = panel.model.index(row, panel.model.column_of(kind, system))
    QTest.mouseClick(panel.view.viewport(), LEFT, pos=panel.view.visualRect(index).center())
    settle()


def click_head(panel: VoteTablePanel, kind: str, system: int = -1) -> None:
    at = panel.model.column_of(kind, system)
    x = panel.head.sectionViewportPosition(at) + panel.head.sectionSize(at) // 2
    QTest.mouseClick(panel.head.viewport(), LEFT, pos=QPoint(x, panel.head.height() // 2))
    settle()


def items(panel: VoteTablePanel) -> list[int]:
    return panel.model.order.tolist()


def test_without_votes_it_says_what_to_do(tmp_path: Path, qapp: QApplication) -> None:
    systems = workbench_on(tmp_path, None).state(Systems)
    panel = VoteTablePanel(systems.workbench)
    start = StartPage(systems, panel, lambda _: open_example(systems))
    start.show()
    assert start.nothing.isVisible() and not panel.view.isVisible()
    QTest.mouseClick(start.example_button, LEFT)
    settle()
    assert panel.view.isVisible() and panel.model.rowCount() == 7
    start.close()


def test_other_votes_are_painted_while_their_rows_are_still_being_sorted(
    panel: VoteTablePanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vote_table, "HERE", 100)
    use(panel.systems, many(300, 4))
    panel.order_by("unlikely")
    settle()
    assert panel.model.rowCount() == 300
    may_sort = Event()

    def wait(*args: Any) -> Ints:
        assert may_sort.wait(30)
        return arrange_items(*args)

    monkeypatch.setattr(vote_table, "arrange_items", wait)
    panel.systems.use(load(many(150, 2), silent))
    assert panel.count.text() == "sorting …" and not panel.grab().isNull()
    may_sort.set()
    settle()
    assert panel.model.rowCount() == 150 and not panel.grab().isNull()


def test_the_papers_table_and_its_probabilities(panel: VoteTablePanel) -> None:
    use(panel.systems, example())
    assert [cell(panel, 2, "vote", system) for system in range(3)] == ["·", "✓", "·"]
    found = [cell(panel, row, "probability") for row in range(7)]
    assert found == [".800", ".800", ".400", ".400", ".400", ".400", ".200"]
    assert panel.model.column_of("truth") == -1 and not panel.judged.isVisible()


def test_probabilities_follow_weights_and_votes_do_not(panel: VoteTablePanel) -> None:
    use(panel.systems, example())
    panel.systems.leave_out_virtual()
    assert [cell(panel, row, "probability") for row in (0, 2, 6)] == ["1.000", ".333", ".000"]
    panel.systems.set_weights(dict.fromkeys(panel.systems.weights, 0.0))
    assert cell(panel, 0, "probability") == "–" and cell(panel, 0, "vote", 0) == "✓"


def test_soft_and_unknown_votes(panel: VoteTablePanel) -> None:
    votes = Votes.of([[0.25, np.nan], [1, 0]], ["a", "b"])
    use(panel.systems, VoteTable(votes, ("one", "two"), pages=("p", "q"), texts=("x", "y")))
    assert [cell(panel, 0, "vote", system) for system in (0, 1)] == [".250", "?"]
    assert [cell(panel, 1, "text"), cell(panel, 1, "page")] == ["y", "q"]
    assert not panel.grab().isNull()


def test_orders(panel: VoteTablePanel) -> None:
    use(panel.systems, example())
    panel.order_by("disputed")
    assert items(panel) == [2, 3, 4, 5, 0, 1, 6]  # .4 is .1 from ½, .8 and .2 are .3 from it
    click_head(panel, "probability")
    assert items(panel) == [0, 1, 2, 3, 4, 5, 6]
    click_head(panel, "probability")
    assert items(panel) == [6, 2, 3, 4, 5, 0, 1]


def test_rows_are_sorted_anew_when_weights_have_come_to_rest(panel: VoteTablePanel) -> None:
    use(panel.systems, example())
    panel.order_by("likely")
    panel.systems.set_weights(panel.systems.weights | {"S1": 0.0, "S2": 0.0})
    assert items(panel)[2] == 2
    assert background.wait_until(lambda: items(panel)[2] == 5)  # S3 alone finds it


def test_search_and_truth(panel: VoteTablePanel) -> None:
    use(panel.systems, example(truth=True))
    QTest.mouseClick(panel.judged, LEFT)
    assert items(panel) == [0, 1, 2, 3, 4, 6]
    panel.field.setFocus()
    QTest.keyClicks(panel.field, "3")
    QTest.keyClick(panel.field, Qt.Key.Key_Return)
    assert items(panel) == [2] and panel.count.text().startswith("1 of 7 items")
    assert [cell(panel, 0, "truth"), panel.wanted.judged] == ["·", True]
    use(panel.systems, example())
    assert panel.wanted == VoteFilter() and len(items(panel)) == 7


def test_a_large_table_is_sorted_in_a_thread(panel: VoteTablePanel) -> None:
    use(panel.systems, many(vote_table.HERE + 5, 3), compare=False)
    panel.order_by("likely")
    assert panel.count.text() == "sorting …"
    settle()
    shown = [panel.model.value(row, panel.model.column_of("probability")) for row in (0, 99, 20000)]
    assert shown == sorted(shown, reverse=True)
    assert sorted(items(panel)) == list(range(vote_table.HERE + 5))


def test_only_what_is_in_sight_is_fetched(panel: VoteTablePanel) -> None:
    use(panel.systems, many(50_000), compare=False)
    panel.view.scrollToBottom()
    panel.grab()
    assert len(panel.model._votes) <= 3


def test_clicks_choose_and_what_is_chosen_is_followed(panel: VoteTablePanel) -> None:
    use(panel.systems, example())
    click_cell(panel, 3, "vote", 1)
    assert (panel.systems.item, panel.systems.system) == (3, 1)
    click_head(panel, "vote", 2)
    assert panel.systems.system == 2
    click_head(panel, "vote", 2)
    assert panel.systems.system is None
    panel.systems.choose_item(6)
    assert panel.view.currentIndex().row() == 6
    QTest.keyClick(panel.view, Qt.Key.Key_Escape)
    assert panel.systems.item is None


def test_arrow_keys_walk(panel: VoteTablePanel) -> None:
    use(panel.systems, example())
    panel.activateWindow()
    click_cell(panel, 0, "vote", 0)
    panel.view.setFocus()
    QTest.keyClick(panel.view, Qt.Key.Key_Down)
    QTest.keyClick(panel.view, Qt.Key.Key_Right)
    assert (panel.systems.item, panel.systems.system) == (1, 1)
    assert panel.systems.names[1] == "S2"
