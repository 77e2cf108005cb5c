"""The detector's view in the window: one key away, over recall and over the score, with its cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.state.run_cuts import CurveView, Relation
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.resources import sample_collection
from spotlab.studies.evaluate.cuts import ListCut, best_f
from tests.gui import gestures
from tests.gui.windows import begin_anew, settle

RUNS = [sample_collection() / "runs" / f"{name}.csv" for name in ("a_ratios", "e_alignment")]


@pytest.fixture
def window(tmp_path: Path, lasting: MainWindow) -> MainWindow:
    plans = tmp_path / "plans"
    plans.mkdir()
    for file in sample_collection().glob("plan_0*"):
        (plans / file.name).write_bytes(file.read_bytes())
    window = begin_anew(lasting, plans)
    window.resize(1440, 900)
    window.enter("inspect")
    inspection = window.workbench.state(Inspection)
    inspection.choose_view(CurveView.AREAS)
    inspection.runs.open(RUNS)
    assert background.wait_until(
        lambda: len(inspection.runs) == 2 and not inspection.runs.busy, 120
    )
    settle()
    return window


def panel_of(window: MainWindow) -> CurvesPanel:
    panel = window.panels["curves"]
    assert isinstance(panel, CurvesPanel)
    return panel


def test_a_key_leads_to_precision_and_recall_of_spots_and_back(window: MainWindow) -> None:
    panel, inspection = panel_of(window), window.workbench.state(Inspection)
    assert panel.board.large is panel.plots[0]
    assert panel.plots[0].plotItem.getAxis("left").labelText == "Precision of area"
    window.canvas.setFocus()
    QTest.keyClick(window.canvas, Qt.Key.Key_D)
    settle()
    assert inspection.view is CurveView.DETECTOR
    large = panel.board.large
    assert large is panel.of_detector[0] and large.isVisible() and not panel.plots[0].isVisible()
    assert large.plotItem.getAxis("left").labelText == "Precision at IoU .5"
    assert large.plotItem.getAxis("bottom").labelText == "Recall at IoU .5"
    assert [plot.titled for plot in panel.of_detector] == [True] * 4  # they lie over other things
    figures = inspection.runs[0].figures
    assert figures is not None
    texts = panel.readout.texts()
    assert list(texts) == ["precision_at_iou", "recall_at_iou", "f_at_iou"]
    assert float(texts["f_at_iou"]) == pytest.approx(figures.mean["f_at_iou"], abs=5e-4)
    QTest.keyClick(window.canvas, Qt.Key.Key_D)
    settle()
    assert panel.plots[0].isVisible() and "area_recall" in panel.readout.texts()


def test_the_curves_over_the_score_have_bands_and_cut_where_one_clicks(window: MainWindow) -> None:
    panel, inspection = panel_of(window), window.workbench.state(Inspection)
    inspection.choose_view(CurveView.DETECTOR)
    settle()
    chip = panel.head.chips[CurveView.DETECTOR].buttons()[3]
    gestures.click(chip, (chip.width() / 2, chip.height() / 2))
    settle()
    plot = panel.board.large
    assert plot.kind == "score_f" and plot.plotItem.getAxis("bottom").labelText == "Score"
    drawn = plot.curve_items.shown[0]
    assert drawn.mean is not None and drawn.mean.ends is not None and drawn.band
    middle = len(drawn.mean.x) // 2
    at = float(drawn.mean.x[middle]), float(drawn.mean.y[middle])
    place = plot.place_on_viewport(at)
    gestures.click(plot.viewport(), (place.x(), place.y()))
    settle()
    assert inspection.cut.by == "score"
    figures = inspection.runs[0].figures
    assert figures is not None
    there = inspection.at_cut(inspection.runs[0])
    assert there is not None and there.mean["f_at_iou"] == pytest.approx(at[1], abs=0.01)
    x, y = plot.cut_marks.item.getData()
    assert (x[0], y[0]) == (inspection.cut.value, pytest.approx(there.mean["f_at_iou"]))


def test_best_f_is_of_the_view_and_says_what_it_is_worth_elsewhere(window: MainWindow) -> None:
    panel, inspection = panel_of(window), window.workbench.state(Inspection)
    inspection.choose_view(CurveView.DETECTOR)
    inspection.set_cut(ListCut("score"))
    settle()
    gestures.click(panel.cut.best, (8, 8))
    settle()
    figures = inspection.runs[0].figures
    assert figures is not None
    best = best_f(figures.by_numbers, "score")
    assert best is not None and best.held_out is not None
    assert inspection.cut == ListCut("score", best.threshold)
    text = panel.cut.advice.whole()
    assert panel.cut.advice.isVisible() and "on other pages" in text and f"{best.f:.3f}"[1:] in text
    inspection.set_cut(ListCut("score", 0.9))
    settle()
    assert not panel.cut.advice.isVisible()


def test_all_runs_are_cut_at_the_best_f_of_the_view(window: MainWindow) -> None:
    inspection = window.workbench.state(Inspection)
    inspection.set_cut(ListCut("score"))
    inspection.cuts.relate(Relation.BEST_F)
    for view in (CurveView.AREAS, CurveView.DETECTOR):
        inspection.choose_view(view)
        for run in inspection.runs:
            assert run.figures is not None
            best = best_f(view.lists(run.figures), "score")
            assert best is not None
            assert inspection.cuts.of(run).cut == ListCut("score", best.threshold)
