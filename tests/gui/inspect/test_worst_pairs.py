"""The whole confusion table in sight, and the labels that are confused most, worst first."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QToolButton

from spotlab.gui.inspect.panels.confusion import ConfusionPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.resources import sample_collection
from tests.gui import gestures
from tests.gui.windows import begin_anew, settle


@pytest.fixture
def panel(tmp_path: Path, lasting: MainWindow) -> ConfusionPanel:
    plans = tmp_path / "plans"
    plans.mkdir()
    for file in sample_collection().glob("plan_0*"):
        (plans / file.name).write_bytes(file.read_bytes())
    window = begin_anew(lasting, plans)
    window.resize(1440, 900)
    window.enter("inspect")
    inspection = window.workbench.state(Inspection)
    inspection.runs.open([sample_collection() / "runs" / "a_ratios.csv"])
    assert background.wait_until(
        lambda: len(inspection.runs) == 1 and not inspection.runs.busy, 120
    )
    window.docks.bring("confusion")
    panel = window.panel(ConfusionPanel)
    settle()
    assert background.wait_until(lambda: panel.pairs.count() > 0, 120)
    settle()
    return panel


def click(chip: QToolButton) -> None:
    gestures.click(chip, (chip.width() / 2, chip.height() / 2))
    settle()


def test_the_worst_pair_is_first_and_leads_to_its_cell(panel: ConfusionPanel) -> None:
    confusion = panel.model.confusion
    assert confusion is not None
    query, label, spots, _ = confusion.pairs[0]
    first = panel.pairs.item(0)
    assert first.text().startswith(f"{spots} (")
    assert first.text().endswith(f")  {query} → {label}")
    place = panel.pairs.visualItemRect(first).center()
    gestures.click(panel.pairs.viewport(), (place.x(), place.y()))
    settle()
    assert panel.state.text() == f"{query} → {label}: {spots} cases"
    index = panel.table.currentIndex()
    assert confusion.rows[panel.model.rows[index.row()]] == query
    assert confusion.columns[panel.model.across[index.column()]] == label
    # what is confused most stands where one looks first
    assert {index.row(), index.column()} == {0, 1}


def test_the_alphabet_is_a_click_away(panel: ConfusionPanel) -> None:
    names = [panel.model.shown[row].name for row in range(len(panel.model.shown) - 1)]
    assert names != sorted(names)
    click(panel.worst)
    names = [panel.model.shown[row].name for row in range(len(panel.model.shown) - 1)]
    assert names == sorted(names)
    click(panel.worst)


def test_the_whole_table_is_in_sight(panel: ConfusionPanel) -> None:
    table = panel.table
    last = panel.model.index(panel.model.rowCount() - 1, panel.model.columnCount() - 1)
    assert not table.viewport().rect().contains(table.visualRect(last))
    click(panel.whole)
    assert table.viewport().rect().contains(table.visualRect(last))
    click(panel.whole)
    assert not table.viewport().rect().contains(table.visualRect(last))
