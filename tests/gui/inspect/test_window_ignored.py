"""Somebody looks at a run with ignored regions and with the models of its queries."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from spotlab.formats.runs import write_csv
from spotlab.formats.runs.reading import read_run
from spotlab.formats.truth import page_xml
from spotlab.gui.inspect.legend import Legend
from spotlab.gui.inspect.panels.runs import RunsPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.window.main_window import MainWindow
from spotlab.measures.matching import ERROR_KINDS, ErrorKind
from spotlab.model import Ignore, QueryModel, Region
from spotlab.studies.evaluate.inspected_run import InspectedRun
from tests.gui import windows
from tests.gui.inspect.inspecting import (
    BED,
    NOTHING,
    SOFA,
    corners,
    line,
    write_collection,
    write_run,
)


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    """Page 1 has an ignored area around the bed; the query "sofa" was taken from page 2."""
    pages = write_collection(tmp_path / "pages")
    truth = page_xml.read(pages / "page_1.xml")
    crowd = Region(corners((170, 110, 300, 210)), "", "crowd", ignore=Ignore.AREA)
    page_xml.write(replace(truth, regions=(*truth.regions, crowd)), pages / "page_1.xml")
    path = write_run(
        tmp_path / "run.csv",
        line("sofa", "page_2", 1, 0.9, SOFA),
        line("sofa", "page_1", 2, 0.8, SOFA),
        line("sofa", "page_1", 3, 0.7, NOTHING),
        line("sofa", "page_1", 4, 0.6, BED),
    )
    run = replace(read_run(path).run, models=(QueryModel("sofa", "page_2", corners(SOFA)),))
    write_csv(run, path)
    window = windows.begin_anew(lasting, pages, size=(1440, 900))
    windows.press(window.canvas, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    window.workbench.state(Inspection).runs.open([path])
    windows.settle()
    window.canvas.settle()
    return window


def current(window: MainWindow) -> InspectedRun:
    run = window.workbench.state(Inspection).runs.current
    assert run is not None
    return run


def said(legend: Legend) -> dict[str, str]:
    return {text.split(" · ")[0]: text for text in legend.texts()}


def test_the_legend_has_the_ignored_area(window: MainWindow) -> None:
    inspection = window.workbench.state(Inspection)
    legend = window.canvas.layers["inspect"].legend
    inspection.choose_query("sofa")
    windows.settle()
    texts = said(legend)
    assert "13,000 px²" in texts["ignored"]  # 130 × 100, with the spot in it
    assert "400 px²" in texts["false"]
    assert "3,000 px²" in texts["found"]
    inspection.open_page("page_2")
    windows.settle()
    assert "3,000 px²" in said(legend)["ignored"]  # the model's own place


def test_spots_and_models_are_ignored(window: MainWindow) -> None:
    run = current(window)
    assert run.errors is not None and run.figures is not None
    assert [ERROR_KINDS[kind] for kind in run.errors.kind.tolist()] == [
        ErrorKind.IGNORED, ErrorKind.CORRECT, ErrorKind.FALSE, ErrorKind.IGNORED,
    ]  # fmt: skip
    panel = window.panels["runs"]
    assert isinstance(panel, RunsPanel)
    [index] = [panel.model.index(row, 0) for row in range(panel.model.rowCount())]
    tip = panel.model.data(index, Qt.ItemDataRole.ToolTipRole)
    assert "1 query model left out" in tip
    assert tip.count("<img ") == 1 and 'alt="sofa on page_2"' in tip
    counted = run.with_models
    assert counted is not None
    assert run.figures.columns["precision_at_iou"].tolist()[1] == 1 / 2
    assert counted.columns["precision_at_iou"].tolist()[1] == 2 / 3


def test_the_spot_panel_says_ignored(window: MainWindow) -> None:
    window.workbench.state(Inspection).choose_spot(3)
    windows.settle()
    shown = window.panels["spot"].grab()
    assert not shown.isNull()
    assert "ignored" in current(window).describe(3)


def test_symbols_are_those_that_no_model_was_taken_from(window: MainWindow, tmp_path: Path) -> None:
    path = write_run(tmp_path / "other.csv", line("bed", "page_1", 1, 0.9, BED))
    model = QueryModel("sofa", "page_1", corners(SOFA))
    write_csv(replace(read_run(path).run, models=(model,)), path)
    window.workbench.state(Inspection).runs.open([path])
    windows.settle()
    legend = window.canvas.layers["inspect"].legend
    [both] = [each for each in legend.findChildren(QToolButton) if each.text() == "Both"]
    QTest.mouseClick(both, Qt.MouseButton.LeftButton)
    windows.settle()
    symbols = legend._page.symbols()
    assert symbols is not None and len(symbols.regions) == 1
    document = window.workbench.document
    assert document is not None and document[symbols.regions[0]].label == "bed"
