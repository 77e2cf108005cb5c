"""Somebody reads what was taken for what, opens a cell, goes to a case, and exports the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.gui.inspect.panels.confusion import ConfusionPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.tool import Bounds, ErrorNavigation
from spotlab.report.tables import CSV, JSON, LATEX
from spotlab.studies.evaluate.cuts import ListCut
from tests.gui.inspect.inspecting import (
    BED,
    NOTHING,
    SOFA,
    calm,
    leave,
    line,
    open_workbench,
    show,
    write_run,
)
from tests.gui.windows import settle


class Shown:
    """The panel on a run that takes the bed for a sofa, and where the page was shown."""

    def __init__(self, folder: Path) -> None:
        self.shown: list[Bounds] = []
        self.workbench = open_workbench(folder)
        self.inspection = self.workbench.state(Inspection)
        run = write_run(
            folder / "mistaken.csv",
            line("sofa", "page_1", 1, 0.9, BED),
            line("sofa", "page_1", 2, 0.8, SOFA),
            line("sofa", "page_2", 3, 0.7, NOTHING),
        )
        self.inspection.runs.open([run])
        settle()
        go_to = ErrorNavigation(self.workbench, lambda *bounds: self.shown.append(bounds)).go_to
        self.panel = ConfusionPanel(self.inspection, go_to)
        show(self.panel, 900, 420)

    def cells(self) -> dict[str, list[str]]:
        model = self.panel.model
        names = [model.headerData(row, Qt.Orientation.Vertical) for row in range(model.rowCount())]
        across = range(model.columnCount())
        return {name: [model.index(row, column).data() for column in across]
                for row, name in enumerate(names)}  # fmt: skip

    def click(self, row: int, column: int) -> None:
        place = self.panel.table.visualRect(self.panel.model.index(row, column)).center()
        viewport = self.panel.table.viewport()
        QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place)
        calm()


@pytest.fixture
def confused(tmp_path: Path, qapp: QApplication) -> Iterator[Shown]:
    shown = Shown(tmp_path)
    yield shown
    leave(shown.workbench, shown.panel)


def test_spots_and_area(confused: Shown) -> None:
    model = confused.panel.model
    heads = [model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount())]
    assert heads == ["sofa", "bed", "(no truth)"]
    spots = {"sofa": ["1", "1", "1"], "bed": ["", "", ""], "(missed)": ["1", "1", ""]}
    assert confused.cells() == spots
    QTest.mouseClick(confused.panel.by_area, Qt.MouseButton.LeftButton)
    assert confused.cells() == {
        "bed": ["", "", ""], "sofa": ["3,000", "6,400", "400"], "(missed)": ["3,000", "6,400", ""],
    }  # fmt: skip
    QTest.mouseClick(confused.panel.shares, Qt.MouseButton.LeftButton)
    assert confused.cells()["sofa"] == ["31 %", "65 %", "4 %"]


def test_the_table_follows_the_cut_and_the_truth_and_the_run(confused: Shown) -> None:
    confused.inspection.set_cut(ListCut("rank", 1))
    calm()
    assert confused.cells()["sofa"] == ["", "1", ""]
    confused.inspection.set_cut(ListCut())
    calm()
    document = confused.workbench.document
    assert document is not None
    confused.workbench.editing.do("Remove", document.removing(["r2"]))
    calm()
    assert confused.cells() == {"sofa": ["1", "2"], "(missed)": ["1", ""]}
    confused.inspection.runs.choose(0)
    calm()
    assert confused.cells()["sofa"] == ["2", "1"]


def test_a_click_on_a_cell_shows_its_cases_and_a_click_on_one_goes_there(confused: Shown) -> None:
    confused.click(0, 1)
    gallery = confused.panel.gallery
    assert gallery.isVisible() and gallery.count == 1
    assert confused.panel.state.text() == "sofa → bed: 1 case"
    assert gallery.pictures.get(gallery._case(0).key) is not None
    place = gallery.place_of(0).center()
    QTest.mouseClick(gallery.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle()
    assert confused.shown == [BED]
    assert confused.inspection.spot is not None
    confused.click(2, 0)  # the missed sofa, on the other page
    assert confused.panel.state.text() == "(missed) → sofa: 1 case"
    QTest.mouseClick(gallery.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle()
    assert confused.workbench.entry is not None and confused.workbench.entry.name == "page_2"
    assert confused.shown[-1] == SOFA


def test_the_table_is_exported(confused: Shown) -> None:
    assert confused.panel.text(CSV).splitlines()[1:3] == ["bed,0.0,0.0,0.0",
                                                                "sofa,1.0,1.0,1.0"]  # fmt: skip
    rows = json.loads(confused.panel.text(JSON))
    assert rows[1] == {"query": "sofa", "bed": 1, "sofa": 1, "(no truth)": 1}
    assert r"\begin{tabular}" in confused.panel.text(LATEX)


def test_without_a_run_it_says_what_to_do(confused: Shown) -> None:
    while confused.inspection.runs:
        confused.inspection.runs.close(0)
    calm()
    assert confused.panel.nothing.isVisible() and "Open a run" in confused.panel.nothing.text()
