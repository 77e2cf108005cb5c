"""Somebody steps through the errors of a run, and reads what each spot did."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.gui.inspect.panels.errors import ErrorsPanel
from spotlab.gui.inspect.panels.spot import SpotPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.tool import Bounds, ErrorNavigation
from spotlab.measures.matching import ErrorKind
from spotlab.studies.evaluate.cuts import ListCut
from tests.gui.inspect.inspecting import BED, NOTHING, calm, click, leave, open_workbench, show
from tests.gui.windows import press, settle


class Both:
    """The two panels, and where the page was shown."""

    def __init__(self, folder: Path) -> None:
        self.shown: list[Bounds] = []
        self.workbench = open_workbench(folder)
        self.inspection = self.workbench.state(Inspection)
        go_to = ErrorNavigation(self.workbench, lambda *bounds: self.shown.append(bounds)).go_to
        self.errors = ErrorsPanel(self.inspection, go_to)
        self.spot = SpotPanel(self.inspection, go_to)
        show(self.errors, 800, 260)
        show(self.spot, 260, 400)

    def rows(self) -> list[tuple[str, ...]]:
        model = self.errors.model
        return [
            tuple(model.index(row, column).data() for column in range(model.columnCount()))
            for row in range(model.rowCount())
        ]

    def figure(self, name: str) -> str:
        return self.spot.figures[name].text()


@pytest.fixture
def both(tmp_path: Path, qapp: QApplication) -> Iterator[Both]:
    both = Both(tmp_path)
    yield both
    leave(both.workbench, both.errors, both.spot)


def test_errors_are_listed_worst_first(both: Both) -> None:
    # missed: 6400 px²; badly placed: 1500 px² of its 3000 and 1500 of the region's; false: 400
    assert both.rows() == [
        ("missed", "bed", "–", "page_1", "–", "–", "–", "6,400 px²", "–", "–", "–", "6,400 px²"),
        (
            "badly placed", "sofa", "–", "page_2", "3", ".7000", ".333",
            "3,000 px²", "50.0 %", "0.0 %", "50.0 %", "3,000 px²",
        ),
        (
            "false", "sofa", "–", "page_1", "2", ".8000", "–",
            "400 px²", "0.0 %", "0.0 %", "100.0 %", "400 px²",
        ),
    ]  # fmt: skip
    assert both.errors.head.chips[ErrorKind.MISSED].text() == "missed 1"
    assert both.errors.head.chips[ErrorKind.DUPLICATE].text() == "duplicate 0"


def test_steps_go_round_and_open_pages_and_show_the_place(both: Both) -> None:
    both.errors.step(1)
    settle()
    assert (both.inspection.region, both.inspection.spot) == ("r2", None)
    assert both.shown == [BED]
    both.errors.step(1)
    settle()
    assert both.workbench.entry is not None and both.workbench.entry.name == "page_2"
    assert both.shown[-1] == (40, 40, 130, 90)  # the spot and the region that it is about
    both.errors.step(1)
    settle()
    assert both.workbench.entry.name == "page_1" and both.shown[-1] == NOTHING
    both.errors.step(1)
    settle()
    assert both.inspection.region == "r2"
    both.errors.step(-1)
    settle()
    assert both.shown[-1] == NOTHING and len(both.shown) == 5


def test_a_click_goes_there_and_arrow_keys_go_on(both: Both) -> None:
    click(both.errors.table, 2)
    settle()
    assert both.shown == [NOTHING]
    both.errors.table.setFocus()
    press(both.errors.table, Qt.Key.Key_Up)
    settle()
    assert both.workbench.entry is not None and both.workbench.entry.name == "page_2"
    assert both.errors.table.currentIndex().row() == 1


def test_chips_choose_kinds_and_steps_keep_to_them(both: Both) -> None:
    QTest.mouseClick(both.errors.head.chips[ErrorKind.MISSED], Qt.MouseButton.LeftButton)
    assert [row[0] for row in both.rows()] == ["badly placed", "false"]
    assert both.errors.head.chips[ErrorKind.MISSED].text() == "missed 1"
    assert both.errors.head.count.text() == "2 of 3"
    both.errors.step(-1)
    settle()
    assert both.shown == [NOTHING]
    QTest.mouseClick(both.errors.head.all, Qt.MouseButton.LeftButton)
    assert len(both.rows()) == 3


def test_the_worst_of_the_next_kind(both: Both) -> None:
    seen = []
    for _ in range(4):
        both.errors.step_kind(1)
        settle()
        row = both.errors.model.row_of_choice()
        assert row is not None
        seen.append(both.rows()[row][0])
    assert seen == ["missed", "false", "badly placed", "missed"]


def test_query_cut_and_truth_change_the_list(both: Both) -> None:
    both.inspection.choose_query("sofa")
    calm()
    assert [row[0] for row in both.rows()] == ["badly placed", "false"]
    both.inspection.set_cut(ListCut("rank", 2))
    calm()
    assert [(row[0], row[1], row[3]) for row in both.rows()] == [
        ("missed", "sofa", "page_2"),  # what would have found it comes after the cut
        ("false", "sofa", "page_1"),
    ]
    both.inspection.set_cut(ListCut())
    both.inspection.choose_query("bed")
    calm()
    assert [row[0] for row in both.rows()] == ["missed"]
    assert both.workbench.document is not None
    both.workbench.editing.do("Remove", both.workbench.document.removing(["r2"]))
    calm()
    assert both.rows() == [] and both.errors.nothing.isVisible()


def test_steps_work_while_the_list_is_behind_another(both: Both) -> None:
    both.errors.hide()
    both.inspection.choose_query("sofa")
    both.errors.step(1)
    calm()
    assert both.shown == [(40, 40, 130, 90)]
    both.inspection.choose_query("bed")
    both.errors.step(1)
    both.errors.step_kind(1)
    calm()
    assert both.inspection.region == "r2"


def test_a_run_without_errors_says_so(both: Both) -> None:
    both.inspection.runs.choose(1)
    calm()
    assert both.rows() == [] and "No errors" in both.errors.nothing.text()
    both.errors.step(1)
    assert both.shown == []


def test_the_spot_says_what_it_did(both: Both) -> None:
    assert both.spot.nothing.isVisible()
    tally = both.inspection.runs.current.tally if both.inspection.runs.current else None
    assert tally is not None
    last = int(tally.starts[tally.queries.index("sofa")]) + 2
    both.inspection.choose_spot(last)
    settle()
    assert both.spot.kind.text() == "Badly placed"
    wanted = {
        "Query": "sofa", "Page": "page_2", "Rank": "3 of 3", "Score": ".7000",
        "Area": "3,000 px²", "IoU": ".333", "Of the region": "50.0 %", "In the region": "50.0 %",
        "New area": "3,000 px²", "New relevant": "1,500 px²",
        "Precision": ".882 → .703", "Recall": ".500 → .750",
    }  # fmt: skip
    assert {name: both.figure(name) for name in wanted} == wanted
    assert "A(R" in both.spot.figures["Precision"].toolTip()


def test_ranks_beside_are_a_click_away_and_end_with_the_list(both: Both) -> None:
    both.errors.step(-1)
    settle()
    assert both.figure("Rank") == "2 of 3"
    QTest.mouseClick(both.spot.before, Qt.MouseButton.LeftButton)
    settle()
    assert both.figure("Rank") == "1 of 3" and both.spot.kind.text() == "Correct"
    assert both.figure("Precision") == "– → 1.000"
    assert not both.spot.before.isEnabled()
    both.spot.step(-1)
    assert both.figure("Rank") == "1 of 3"
    QTest.mouseClick(both.spot.after, Qt.MouseButton.LeftButton)
    QTest.mouseClick(both.spot.after, Qt.MouseButton.LeftButton)
    settle()
    assert both.figure("Rank") == "3 of 3"
    assert both.workbench.entry is not None and both.workbench.entry.name == "page_2"


def test_a_missed_region_says_how_much_of_it_is_covered(both: Both) -> None:
    both.errors.step(1)
    settle()
    assert both.spot.kind.text() == "Missed"
    assert (both.figure("Query"), both.figure("Area")) == ("bed", "6,400 px²")
    assert both.figure("Covered") == "0.0 %"
    assert not both.spot.figures["Rank"].isVisible()
    both.inspection.choose_region("page_2", "r1")  # its namesake on page 1 is covered whole
    settle()
    assert (both.spot.kind.text(), both.figure("Covered")) == ("Region", "50.0 %")
