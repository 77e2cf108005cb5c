"""Somebody reads tables of figures: sorts, chooses, copies, exports, compares runs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.formats.truth import page_xml
from spotlab.gui.inspect.panels.figures_table import FiguresPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit import background
from spotlab.gui.kit.files import write_file
from spotlab.gui.kit.rows import NOTE_ROLE, FiguresModel, Rows
from spotlab.gui.kit.settings import FIGURE_COLUMNS, Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.measures.intervals import mean_interval
from spotlab.measures.measure import MeasureSettings, known_figures
from spotlab.model import Page, Region, Truth
from spotlab.report.figure_text import written_interval
from spotlab.report.tables import CSV, JSON, LATEX
from tests.gui.held_work import held
from tests.gui.inspect.inspecting import (
    calm,
    click,
    corners,
    leave,
    line,
    open_workbench,
    show,
    write_run,
)
from tests.gui.windows import write_pages

NAMES = [figure.name for figure in known_figures()]
F, RECALL, PRECISION = NAMES.index("f"), NAMES.index("area_recall"), NAMES.index("area_precision")
COUNT, AP = NAMES.index("symbols"), NAMES.index("iou_precision")


@pytest.fixture
def workbench(tmp_path: Path, qapp: QApplication) -> Workbench:
    return open_workbench(tmp_path)


@pytest.fixture
def panel(workbench: Workbench) -> Iterator[FiguresPanel]:
    panel = FiguresPanel(workbench.state(Inspection), workbench.settings)
    show(panel, 1000, 320)
    calm()
    yield panel
    leave(workbench, panel)


LABELS = ("bed", "chair", "door", "lamp", "sofa", "table")


@pytest.fixture
def of_many(tmp_path: Path, qapp: QApplication) -> Workbench:
    """Six labels, of which the run "partly" finds 5, 6, … 10 parts of 20, and "all" everything."""
    write_pages(tmp_path / "pages", 1)
    boxes = {label: (10, 30 * at, 30, 30 * at + 20) for at, label in enumerate(LABELS)}
    regions = tuple(Region(corners(box), label, label) for label, box in boxes.items())
    page = tmp_path / "pages" / "page_1"
    page_xml.write(Truth(Page(page.with_suffix(".png"), 320, 240), regions),
                   page.with_suffix(".xml"))  # fmt: skip
    runs = []
    for name, width in (("partly", 5), ("all", 20)):
        rows = [line(label, "page_1", 1, 0.9, (10, top, 10 + min(width + at, 20), top + 20))
                for at, (label, (_, top, _, _)) in enumerate(boxes.items())]  # fmt: skip
        runs.append(write_run(tmp_path / f"{name}.csv", *rows))
    workbench = Workbench(Settings(tmp_path / "settings.json"))
    workbench.open_paths([tmp_path / "pages"])
    calm()
    workbench.state(Inspection).runs.open(runs)
    calm()
    return workbench


@pytest.fixture
def many(of_many: Workbench) -> Iterator[FiguresPanel]:
    panel = FiguresPanel(of_many.state(Inspection), of_many.settings)
    show(panel, 1000, 320)
    calm()
    yield panel
    leave(of_many, panel)


def texts(model: FiguresModel, column: int) -> list[str]:
    return [model.index(row, column).data() for row in range(model.rowCount())]


def names(model: FiguresModel) -> list[str]:
    side = Qt.Orientation.Vertical
    return [model.headerData(row, side) for row in range(model.rowCount())]


def press_head(panel: FiguresPanel, column: int) -> None:
    header = panel.shown.head.horizontalHeader()
    place = QPoint(header.sectionViewportPosition(column) + 20, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_queries_have_every_figure_and_their_mean_stands_above(panel: FiguresPanel) -> None:
    queries, summary = panel.queries.model, panel.queries.summary
    assert (queries.columnCount(), names(queries)) == (len(known_figures()), ["bed", "sofa"])
    assert texts(queries, RECALL) == [".000", ".750"]
    assert texts(queries, PRECISION) == ["–", ".703"]
    assert texts(queries, COUNT) == ["1", "2"]
    assert names(summary) == ["Mean of 2 queries", "All areas together"]
    assert texts(summary, RECALL) == [".375", ".363"]  # 4500 of 12400 px²
    assert "no spot" in queries.index(0, PRECISION).data(Qt.ItemDataRole.ToolTipRole)
    head = queries.headerData(F, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert known_figures()[F].definition in head


def test_intervals_come_when_they_are_ready_and_go_when_figures_change(
    many: FiguresPanel, of_many: Workbench
) -> None:
    note = many.queries.summary.index(0, RECALL)
    expected = mean_interval(np.arange(5, 11) / 20)
    assert expected is not None
    assert note.data(NOTE_ROLE) == written_interval(expected)
    assert many.state.text() == "95 % intervals over 6 queries"
    assert of_many.document is not None
    with held("Uncertainty"):
        of_many.editing.do("Remove", of_many.document.removing(["bed"]))
        assert background.wait_until(lambda: many.state.text() == "computing intervals …")
        assert texts(many.queries.summary, RECALL)[0] == ".400"
        assert many.queries.summary.index(0, RECALL).data(NOTE_ROLE) == ""
    calm()
    assert many.state.text() == "95 % intervals over 5 queries"


def test_too_few_queries_have_no_interval(panel: FiguresPanel) -> None:
    assert panel.queries.summary.index(0, RECALL).data(NOTE_ROLE) == ""


def test_a_click_on_a_head_sorts_and_undefined_is_last_either_way(panel: FiguresPanel) -> None:
    press_head(panel, PRECISION)
    assert names(panel.queries.model) == ["sofa", "bed"]
    press_head(panel, PRECISION)
    assert names(panel.queries.model) == ["sofa", "bed"]
    press_head(panel, RECALL)
    assert names(panel.queries.model) == ["sofa", "bed"]  # the best first
    press_head(panel, RECALL)
    assert names(panel.queries.model) == ["bed", "sofa"]
    assert names(panel.queries.summary)[0] == "Mean of 2 queries"
    QTest.mouseClick(panel.queries.by_name, Qt.MouseButton.LeftButton)
    assert names(panel.queries.model) == ["bed", "sofa"]


def test_a_click_chooses_the_query_or_all(panel: FiguresPanel) -> None:
    click(panel.queries.body, 1)
    assert panel.inspection.query == "sofa"
    assert panel.queries.model.marked == "sofa"
    click(panel.queries.head, 0)
    assert panel.inspection.query is None


def test_runs_stand_beside_each_other_with_differences(many: FiguresPanel) -> None:
    panel = many
    QTest.mouseClick(panel.by_run, Qt.MouseButton.LeftButton)
    calm()
    runs = panel.runs.model
    assert names(runs) == ["all", "partly"]
    assert texts(runs, RECALL) == ["1.000", ".375"]
    assert runs.index(0, RECALL).data(NOTE_ROLE) == ""  # all are alike
    QTest.mouseClick(panel.compared, Qt.MouseButton.LeftButton)
    calm()
    assert runs.index(0, RECALL).data(NOTE_ROLE).startswith("+.625 [")
    assert (
        runs.index(0, AP).data(NOTE_ROLE) == "+.833 [−.268, 1.262] p .062"
    )  # 1 of 6 has an IoU of .5 at last
    assert runs.index(1, RECALL).data(NOTE_ROLE) == ""  # nothing differs from itself
    click(panel.runs.body, 0)
    assert panel.inspection.runs.current is not None and panel.inspection.runs.current.name == "all"


def test_ctrl_c_copies_unrounded_rows_that_other_programs_read(panel: FiguresPanel) -> None:
    panel.queries.body.setFocus()
    QTest.keyClick(panel.queries.body, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    data = QApplication.clipboard().mimeData()
    rows = list(csv.reader(io.StringIO(bytes(data.data("text/csv").data()).decode())))
    assert rows[0] == ["name", *NAMES]
    assert [row[0] for row in rows[1:]] == [
        "Mean of 2 queries",
        "All areas together",
        "bed",
        "sofa",
    ]
    assert float(rows[4][1 + PRECISION]) == 4500 / 6400
    assert rows[3][1 + PRECISION] == ""
    assert data.text().splitlines()[0].split("\t") == rows[0]


def test_exports_hold_null_or_a_dash_where_undefined(panel: FiguresPanel, tmp_path: Path) -> None:
    found = json.loads(panel.export.text(JSON))
    assert found[2]["name"] == "bed" and found[2]["area_precision"] is None
    assert found[3]["area_recall"] == 0.75
    assert r"\toprule" in panel.export.text(LATEX)
    said: list[str] = []

    def say(text: str, serious: bool) -> None:
        said.append(text)

    write_file(tmp_path / "a.csv", panel.export.text(CSV).encode(), say)
    assert (tmp_path / "a.csv").read_text().startswith("name,area_precision")
    write_file(tmp_path / "none" / "a.csv", b"x", say)
    assert "was not saved" in said[-1]


def test_settings_change_all_figures(panel: FiguresPanel) -> None:
    panel.inspection.runs.set_settings(MeasureSettings(recognised=0.5))
    calm()
    rate = NAMES.index("recognition_rate")
    assert texts(panel.queries.model, rate) == ["0.0", "100.0"]  # half of the second sofa will do


def test_ten_thousand_rows_sort_and_only_those_in_sight_are_written(qapp: QApplication) -> None:
    random = np.random.default_rng(0)
    values = random.random((10_000, len(known_figures())))
    values[::3, F] = np.nan
    keys = tuple(f"query {row}" for row in range(10_000))
    model = FiguresModel()
    model.set_rows(Rows(keys, keys, values))
    model.sort_by(F, falling=True)
    order = [int(str(model.key(row)).split()[1]) for row in range(10_000)]
    shown = values[order, F]
    defined = shown[~np.isnan(shown)]
    assert np.isnan(shown[len(defined) :]).all() and (np.diff(defined) <= 0).all()


def test_without_a_run_it_says_what_to_do(panel: FiguresPanel) -> None:
    for _ in range(2):
        panel.inspection.runs.close(0)
    calm()
    assert panel.nothing.isVisible() and "Open a run" in panel.nothing.text()


def test_pages_have_a_row_each_and_a_click_opens_one(
    panel: FiguresPanel, workbench: Workbench
) -> None:
    QTest.mouseClick(panel.by_page, Qt.MouseButton.LeftButton)
    calm()
    assert names(panel.pages.model) == ["page_1", "page_2"]
    assert texts(panel.pages.model, RECALL) == [".319", ".500"]  # 3000 of 9400 px², 1500 of 3000
    assert texts(panel.pages.model, COUNT) == ["2", "1"]
    assert names(panel.pages.summary) == ["All areas together"]
    click(panel.pages.body, 1, RECALL)
    calm()
    assert workbench.entry is not None and workbench.entry.name == "page_2"
    _, *rows = csv.reader(io.StringIO(panel.export.text(CSV)))
    assert [row[0] for row in rows][-2:] == ["page_1", "page_2"]


def test_one_figure_is_tested_which_a_menu_chooses(many: FiguresPanel) -> None:
    QTest.mouseClick(many.by_run, Qt.MouseButton.LeftButton)
    QTest.mouseClick(many.compared, Qt.MouseButton.LeftButton)
    calm()
    assert many.state.text().startswith("p: AP at IoU .5, over 6 queries. ")
    assert " p " not in many.runs.model.index(0, RECALL).data(NOTE_ROLE)
    menus = {action.text(): action.menu() for action in many.more.menu().actions()}
    offered = {action.text(): action for action in menus["Tested Figure"].actions()}
    offered["Recall"].trigger()
    calm()
    assert many.state.text().startswith("p: Recall, over 6 queries. ")
    assert many.runs.model.index(0, RECALL).data(NOTE_ROLE).endswith("] p .031")  # 2 of 64 ways
    tip = many.runs.model.index(0, RECALL).data(Qt.ItemDataRole.ToolTipRole)
    assert "corrected by Holm's method for 1 pair of runs; by itself it is p .031" in tip


def test_columns_are_chosen_and_exports_have_them_all(
    panel: FiguresPanel, workbench: Workbench
) -> None:
    head = panel.queries.head
    assert not head.isColumnHidden(F) and head.isColumnHidden(COUNT)
    titles = {action.text(): action for action in panel.columns.menu.actions()}
    titles["Symbols"].trigger()
    titles["F"].trigger()
    for view in (panel.queries, panel.runs):
        assert view.head.isColumnHidden(F) and not view.body.isColumnHidden(COUNT)
    assert "symbols" in workbench.settings.get(FIGURE_COLUMNS)
    text = panel.export.text(CSV)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert rows[0]["name"] == "Mean of 2 queries" and float(rows[0]["f"]) > 0
    assert rows[0]["area_recall_low"] == rows[2]["area_recall_low"] == ""  # of two queries, of one
    latex = panel.export.text(LATEX)
    assert "Symbols" in latex and " & F & " not in latex
    titles["Restore Defaults"].trigger()
    assert not head.isColumnHidden(F) and head.isColumnHidden(COUNT)


def test_latex_of_runs_has_the_best_in_bold(panel: FiguresPanel) -> None:
    QTest.mouseClick(panel.by_run, Qt.MouseButton.LeftButton)
    calm()
    latex = panel.export.text(LATEX)
    assert r"all & 1.000 & \textbf{1.000} & \textbf{1.000}" in latex  # precision is of one query
    assert "Bold: the best of a column" in latex
    assert "p: AP at IoU .5, over 2 queries" in latex and "Stars: differs from partly" in latex


def test_heads_in_sight_name_their_threshold(panel: FiguresPanel) -> None:
    for chip, view in (
        (panel.by_query, panel.queries),
        (panel.by_page, panel.pages),
        (panel.by_run, panel.runs),
    ):
        chip.click()
        calm()
        heads = view.head.model()
        across = Qt.Orientation.Horizontal
        titles = [heads.headerData(place, across) for place in range(heads.columnCount())]
        for title in ("AP at IoU .5", "P@10", "Recognition rate (75 % of the area), in %"):
            assert title in titles
