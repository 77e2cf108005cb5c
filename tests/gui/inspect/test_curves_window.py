"""From a point of a curve to its spot on another page, in the whole window."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from spotlab.formats.runs import write_csv
from spotlab.geometry.polygon import Outlines
from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Run
from tests.gui import gestures
from tests.gui.inspect.inspected import box
from tests.gui.windows import add, begin_anew, settle, write_pages


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    return begin_anew(lasting, write_pages(tmp_path / "pages"))


def test_a_point_leads_to_its_spot_on_another_page(window: MainWindow, tmp_path: Path) -> None:
    for page in (0, 1):
        window.workbench.open_page(page)
        settle()
        add(window, "sofa")
    window.workbench.open_page(0)
    settle()
    rings = [box(40, 40, 60, 50), box(40, 40, 60, 25)]
    run = Run.ordered("mine", ["sofa"] * 2, ["page_1", "page_2"], Outlines.of(rings),
                      score=np.array([0.9, 0.8]))  # fmt: skip
    write_csv(run, tmp_path / "mine.csv")
    window.enter("inspect")
    inspection = window.workbench.state(Inspection)
    inspection.runs.open([tmp_path / "mine.csv"])
    settle()
    inspection.choose_query("sofa")
    settle()
    panel = window.panels["curves"]
    assert isinstance(panel, CurvesPanel)
    plot = panel.plots[0]
    place = plot.place_on_viewport((0.75, 1.0))  # the second spot is half of its sofa
    gestures.click(plot.viewport(), (place.x(), place.y()))
    settle()
    entry = window.workbench.entry
    assert entry is not None and entry.name == "page_2"
    assert inspection.spot == 1
    assert panel.readout.texts()["area_recall"] == ".750"


def test_curves_follow_the_truth_as_it_is_drawn(window: MainWindow, tmp_path: Path) -> None:
    add(window, "sofa")
    rings = [box(40, 40, 60, 50)]
    run = Run.ordered("mine", ["sofa"], ["page_1"], Outlines.of(rings), score=np.array([0.9]))
    write_csv(run, tmp_path / "mine.csv")
    window.enter("inspect")
    inspection = window.workbench.state(Inspection)
    inspection.runs.open([tmp_path / "mine.csv"])
    settle()
    panel = window.panels["curves"]
    assert isinstance(panel, CurvesPanel)
    assert panel.readout.texts()["area_recall"] == "1.000"
    window.enter("annotate")
    add(window, "sofa", left=150)
    settle()
    window.enter("inspect")
    settle()
    assert panel.readout.texts()["area_recall"] == ".500"
    assert panel.plots[0].cut_marks.item.getData()[0] == pytest.approx([0.5])


def test_a_plot_is_drawn_when_it_comes_into_sight(window: MainWindow, tmp_path: Path) -> None:
    """A hundred runs have three hundred curves: those that nobody sees are not computed."""
    window.resize(1024, 700)
    add(window, "sofa")
    run = Run.ordered("mine", ["sofa"], ["page_1"], Outlines.of([box(40, 40, 60, 50)]),
                      score=np.array([0.9]))  # fmt: skip
    write_csv(run, tmp_path / "mine.csv")
    window.enter("inspect")
    inspection = window.workbench.state(Inspection)
    inspection.runs.open([tmp_path / "mine.csv"])
    window.docks.bring("curves")
    settle()
    panel = window.panel(CurvesPanel)
    precision, _, f = panel.plots
    QTest.mouseClick(panel.head.large.buttons()[0], Qt.MouseButton.LeftButton)
    settle()
    assert panel.board.in_sight == (precision,)
    assert precision.curve_items.shown and not f.curve_items.shown
    window.enter("annotate")
    add(window, "sofa", left=150)
    settle()
    window.enter("inspect")
    window.docks.bring("curves")
    QTest.mouseClick(panel.head.large.buttons()[2], Qt.MouseButton.LeftButton)
    settle()
    assert panel.board.in_sight == (f,)
    mean = f.curve_items.shown[0].mean
    assert mean is not None and mean.near(0.5) == (0.5, pytest.approx(2 / 3))
    assert f.cut_marks.item.getData()[0] == pytest.approx([0.5])
    assert f.best_marks.item.getData()[0] == pytest.approx([0.5])
    inspection.runs.close(0)
    settle()
    assert not any(plot.curve_items.shown for plot in panel.plots)
