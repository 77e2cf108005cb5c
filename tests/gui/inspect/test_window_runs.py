"""Somebody opens runs, chooses among them and their queries, and reads what could not be used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.gui.inspect.dialogs.run_dialogs import ProblemsDialog
from spotlab.gui.inspect.panels.runs import RunsPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.rows import ROW_ROLE
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from tests.gui.inspect.inspecting import (
    SOFA,
    calm,
    click,
    leave,
    line,
    open_workbench,
    show,
    write_collection,
    write_run,
)  # fmt: skip
from tests.gui.windows import press, settle


@pytest.fixture
def workbench(tmp_path: Path, qapp: QApplication) -> Workbench:
    return open_workbench(tmp_path)


@pytest.fixture
def panel(workbench: Workbench) -> Iterator[RunsPanel]:
    panel = RunsPanel(workbench.state(Inspection), lambda _: None)
    show(panel, 280, 620)
    yield panel
    leave(workbench, panel)


def test_runs_show_their_mean_and_the_current_one_is_chosen_by_a_click(panel: RunsPanel) -> None:
    inspection = panel.inspection
    assert [panel.model.index(row, 0).data() for row in range(2)] == ["partly", "all"]
    assert inspection.runs.current is not None and inspection.runs.current.name == "partly"
    assert panel.model.value(inspection.runs[1]) == "1.000"
    click(panel.list, 1)
    assert inspection.runs.current.name == "all"


def test_the_box_shows_and_hides_in_plots_and_chooses_nothing(panel: RunsPanel) -> None:
    click(panel.list, 1, x=20)
    assert [run.shown for run in panel.inspection.runs] == [True, False]
    assert panel.inspection.runs.current_index == 0
    click(panel.list, 1, x=20)
    assert panel.inspection.runs[1].shown
    click(panel.list, 1)  # the click after one on the box is one on the row again
    assert panel.inspection.runs.current_index == 1


def test_space_hides_and_delete_closes_the_run_of_the_row(panel: RunsPanel) -> None:
    panel.list.setFocus()
    press(panel.list, Qt.Key.Key_Space)
    assert not panel.inspection.runs[0].shown
    press(panel.list, Qt.Key.Key_Delete)
    assert [run.name for run in panel.inspection.runs] == ["all"]
    press(panel.list, Qt.Key.Key_Delete)
    assert panel.nothing.isVisible() and not panel.queries.isVisible()
    assert "CSV, Parquet" in panel.nothing.text()


def test_queries_have_counts_and_arrow_keys_move(panel: RunsPanel) -> None:
    rows = [panel.queries.model.index(at, 0).data(ROW_ROLE) for at in range(3)]
    assert [(row.name, row.symbols, row.spots) for row in rows] == [
        (None, 3, 3), ("bed", 1, 0), ("sofa", 2, 3),
    ]  # fmt: skip
    precision, recall = 4500 / 6400, 4500 / 6000
    assert rows[2].figure == pytest.approx(2 * precision * recall / (precision + recall))
    assert rows[2].colour == panel.inspection.collection.labels["sofa"].colour
    panel.queries.list.setFocus()
    press(panel.queries.list, Qt.Key.Key_Down)
    assert panel.inspection.query == "bed"
    press(panel.queries.list, Qt.Key.Key_Down)
    assert panel.inspection.query == "sofa"
    press(panel.queries.list, Qt.Key.Key_Home)
    assert panel.inspection.query is None


def test_the_filter_lists_and_chooses_only_when_asked(panel: RunsPanel) -> None:
    panel.inspection.choose_query("bed")
    QTest.keyClicks(panel.queries.box, "sof")
    calm()
    assert panel.queries.model.rowCount() == 1
    assert panel.inspection.query == "bed"  # it is only not listed now
    press(panel.queries.box, Qt.Key.Key_Return)
    assert panel.inspection.query == "sofa"
    panel.queries.box.clear()
    calm()
    assert panel.queries.list.currentIndex().row() == 2


def test_problems_are_all_listed_to_be_copied(panel: RunsPanel, tmp_path: Path) -> None:
    bad = write_run(
        tmp_path / "bad.csv",
        line("sofa", "page_1", 1, 0.9, SOFA),
        line("sofa", "page_1", 2, "high", SOFA),
        line("sofa", "elsewhere", 3, 0.7, SOFA),
        line("unicorn", "page_2", 1, 0.6, SOFA),
    )
    assert not panel.warning.isVisible()
    panel.inspection.runs.open([bad])
    calm()
    assert panel.inspection.runs.current_index == 2
    assert panel.warning.isVisible() and "3 problems" in panel.warning.text()
    QTest.mouseClick(panel.warning, Qt.MouseButton.LeftButton)
    dialog = panel.findChild(ProblemsDialog)
    assert dialog is not None and dialog.isVisible()
    text = dialog.text.toPlainText()
    assert [part for part in ("line 3", "elsewhere", "unicorn") if part not in text] == []
    dialog.copy()
    assert QApplication.clipboard().text() == text
    click(panel.list, 0)
    assert not panel.warning.isVisible()


def test_a_dropped_file_is_opened_as_a_run(panel: RunsPanel, tmp_path: Path) -> None:
    path = write_run(tmp_path / "dropped.csv", line("sofa", "page_1", 1, 0.9, SOFA))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    place = QPointF(QPoint(50, 300))
    enters = QDragEnterEvent(place.toPoint(), Qt.DropAction.CopyAction, data, buttons, keys)
    drops = QDropEvent(place, Qt.DropAction.CopyAction, data, buttons, keys)
    for event in (enters, drops):
        QApplication.sendEvent(panel, event)
    assert enters.isAccepted()
    settle()
    assert panel.inspection.runs.current is not None
    assert panel.inspection.runs.current.name == "dropped"


def test_a_file_that_is_no_run_is_said_and_changes_nothing(
    panel: RunsPanel, tmp_path: Path
) -> None:
    said: list[tuple[str, bool]] = []
    panel.inspection.collection.said.connect(lambda text, serious: said.append((text, serious)))
    path = tmp_path / "no.csv"
    path.write_text("nothing,of,use\n")
    panel.inspection.runs.open([path])
    settle()
    assert said and said[-1][1] and "no.csv" in said[-1][0]
    assert len(panel.inspection.runs) == 2


def test_without_pages_it_says_what_to_do(tmp_path: Path, qapp: QApplication) -> None:
    workbench = Workbench(Settings(tmp_path / "settings.json"))
    panel = RunsPanel(workbench.state(Inspection), lambda _: None)
    show(panel, 280, 400)
    assert "Open pages" in panel.nothing.text() and not panel.open.isEnabled()
    workbench.open_paths([write_collection(tmp_path / "pages")])
    calm()
    assert "Open a run" in panel.nothing.text() and panel.open.isEnabled()
    leave(workbench, panel)


def test_the_list_follows_the_truth_that_is_edited(panel: RunsPanel, workbench: Workbench) -> None:
    before = panel.model.value(panel.inspection.runs[0])
    assert workbench.document is not None
    workbench.editing.do("Remove", workbench.document.removing(["r2"]))  # the bed that was missed
    calm()
    model = panel.queries.model
    bed = model.index(model.row_of("bed"), 0).data(ROW_ROLE)
    assert (bed.name, bed.symbols) == ("bed", 0)
    assert panel.model.value(panel.inspection.runs[0]) != before
