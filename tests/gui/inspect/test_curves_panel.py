"""Somebody reads the curves: drags the cut, points at them, clicks them, saves them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QToolTip

from spotlab.gui.inspect.curves.curves import COMPUTING, HIDDEN, NOTHING, CurvesPanel
from spotlab.gui.kit.plots.curve_plot import CurvePlot
from spotlab.studies.evaluate.cuts import ListCut
from spotlab.studies.evaluate.inspected_run import InspectedRun
from tests.gui import gestures
from tests.gui.inspect.inspected import drawn, first_run, open_curves, second_run, use

Place = tuple[float, float]


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[CurvesPanel]:
    with open_curves(tmp_path) as panel:
        yield panel


def spot(panel: CurvesPanel, query: str, rank: int) -> int:
    current = panel.inspection.runs.current
    assert current is not None and current.tally is not None
    return int(current.tally.starts[current.tally.queries.index(query)]) + rank - 1


def on_screen(plot: CurvePlot, x: float, y: float) -> Place:
    place = plot.place_on_viewport((x, y))
    return place.x(), place.y()


def click(plot: CurvePlot, x: float, y: float) -> None:
    gestures.click(plot.viewport(), on_screen(plot, x, y))
    drawn()


def marks(plot: CurvePlot) -> list[Place]:
    return [(float(x), float(y)) for x, y in zip(*plot.cut_marks.item.getData(), strict=True)]


def test_without_a_run_there_is_a_button_to_open_one(panel: CurvesPanel) -> None:
    assert panel.stack.currentWidget() is panel.nothing
    assert panel.nothing.text.text() == NOTHING
    QTest.mouseClick(panel.nothing.open, Qt.MouseButton.LeftButton)
    dialog = panel.findChild(QFileDialog)
    assert dialog is not None and dialog.windowTitle() == "Open runs"
    dialog.reject()


def test_what_is_computed_or_hidden_is_said(panel: CurvesPanel) -> None:
    run = first_run()
    use(panel, InspectedRun(run.name, run.colour, run.run))
    assert panel.nothing.text.text() == COMPUTING
    assert not panel.nothing.open.isVisible()
    use(panel, run)
    assert panel.stack.currentWidget() is not panel.nothing
    panel.inspection.runs.show(0, False)
    drawn()
    assert panel.nothing.text.text() == HIDDEN


def test_marks_and_figures_follow_the_cut(panel: CurvesPanel) -> None:
    use(panel, first_run())
    panel.inspection.choose_query("sofa")
    panel.inspection.set_cut(ListCut("rank", 2))
    drawn()
    precision, fall_out, f = panel.plots
    assert marks(precision) == [pytest.approx((0.5, 0.5))]
    assert marks(fall_out) == [pytest.approx((0.5, 5000 / 990_000))]
    assert marks(f) == [pytest.approx((0.5, 0.5))]
    assert panel.readout.texts() == {
        "area_precision": ".500",
        "area_recall": ".500",
        "f": ".500",
        "fall_out": ".0051",
        "recognition_rate": "0.0 %",
        "false_positives": "2",
    }
    assert panel.cut.kept.text() == "keeps 2 of 3 spots, down to score 0.6"
    assert "A(R ∩ T) / A(R)" in panel.readout._rows[0].figures["area_precision"].toolTip()
    panel.inspection.set_cut(ListCut("rank", 0))
    assert marks(precision) == [] and marks(f) == [(0, 0)]
    assert panel.readout.texts()["area_precision"] == "–"


def test_figures_are_means_where_no_query_is_chosen(panel: CurvesPanel) -> None:
    use(panel, first_run())
    panel.inspection.set_cut(ListCut("rank", 2))
    assert panel.readout.texts()["area_precision"] == ".750"  # sofa .5, bed 1; not the ghost
    assert panel.readout.texts()["area_recall"] == ".333"  # sofa .5, bed .5, lamp 0
    assert panel.readout.texts()["false_positives"] == "0.67"  # sofa 2; not the ghost
    assert panel.cut.kept.text() == "keeps 4 of 5 spots"


def test_the_slider_is_dragged_and_stepped(panel: CurvesPanel) -> None:
    use(panel, first_run())
    slider = panel.cut.slider
    assert (slider.minimum(), slider.maximum(), slider.value()) == (0, 3, 3)
    slider.setFocus()
    gestures.key(slider, Qt.Key.Key_Left)
    assert panel.inspection.cut == ListCut("rank", 2)
    gestures.key(slider, Qt.Key.Key_Home)
    assert panel.inspection.cut == ListCut("rank", 0)
    middle = slider.height() / 2
    gestures.drag(slider, [(6, middle), (slider.width() / 2, middle), (slider.width(), middle)])
    assert panel.inspection.cut == ListCut("rank", None)
    panel.inspection.set_cut(ListCut("rank", 1))
    assert slider.value() == 1 and panel.cut.field.value() == 1


def test_a_cut_is_typed(panel: CurvesPanel) -> None:
    use(panel, first_run())
    panel.cut.field.setFocus()
    panel.cut.field.selectAll()
    QTest.keyClicks(panel.cut.field, "2")
    QTest.keyClick(panel.cut.field, Qt.Key.Key_Return)
    assert panel.inspection.cut == ListCut("rank", 2)
    assert panel.cut.slider.value() == 2


def test_a_cut_by_score_keeps_as_many(panel: CurvesPanel) -> None:
    use(panel, first_run())
    panel.inspection.set_cut(ListCut("rank", 2))  # four of five
    QTest.mouseClick(panel.cut.by_score, Qt.MouseButton.LeftButton)
    assert panel.inspection.cut == ListCut("score", 0.6)
    assert panel.cut.kept.text() == "keeps 4 of 5 spots"
    assert panel.cut.field.value() == pytest.approx(0.6)
    panel.cut.slider.setFocus()
    gestures.key(panel.cut.slider, Qt.Key.Key_Home)
    assert panel.inspection.cut == ListCut("score", 0.9)
    gestures.key(panel.cut.slider, Qt.Key.Key_End)
    assert panel.inspection.cut == ListCut("score", None)
    QTest.mouseClick(panel.cut.by_rank, Qt.MouseButton.LeftButton)
    assert panel.inspection.cut == ListCut("rank", None)


def test_a_thin_curve_is_clicked_and_its_query_chosen(panel: CurvesPanel) -> None:
    use(panel, first_run())
    precision = panel.plots[0]
    click(precision, 0.8, 0.6)  # sofa, between its last two spots
    assert panel.inspection.query == "sofa"
    assert panel.inspection.spot is None
    assert panel.head.query.isVisible() and panel.head.query.text().startswith("sofa")
    QTest.mouseClick(panel.head.query, Qt.MouseButton.LeftButton)
    assert panel.inspection.query is None


def test_a_point_is_clicked_and_its_spot_chosen(panel: CurvesPanel) -> None:
    use(panel, first_run())
    panel.inspection.choose_query("sofa")
    drawn()
    click(panel.plots[0], 0.51, 0.51)
    assert panel.inspection.spot == spot(panel, "sofa", 2)
    assert panel.inspection.cut == ListCut("rank", 2)
    panel.inspection.set_cut(ListCut("score", None))
    click(panel.plots[2], 0.99, 0.79)
    assert panel.inspection.spot == spot(panel, "sofa", 3)
    assert panel.inspection.cut == ListCut("score", 0.3)
    click(panel.plots[0], 0.2, 0.2)  # nothing is there
    assert panel.inspection.spot == spot(panel, "sofa", 3)


def test_the_point_of_another_run_makes_it_the_current_one(panel: CurvesPanel) -> None:
    use(panel, first_run(), second_run())
    panel.inspection.choose_query("sofa")
    drawn()
    click(panel.plots[0], 0.99, 1 / 3)  # the third spot of the second run
    assert panel.inspection.runs.current_index == 1
    assert panel.inspection.spot == spot(panel, "sofa", 3)
    assert len(marks(panel.plots[0])) == 2


def test_a_spot_chosen_elsewhere_is_marked(panel: CurvesPanel) -> None:
    use(panel, first_run())
    panel.inspection.choose_spot(spot(panel, "sofa", 2), go=False)
    assert [float(each[0]) for each in panel.plots[0]._ring.getData()] == [0.5, 0.5]
    panel.inspection.choose_spot(spot(panel, "ghost", 1), go=False)  # recall is undefined
    assert len(panel.plots[0]._ring.getData()[0]) == 0


def test_pointing_at_a_curve_says_what_it_is(panel: CurvesPanel) -> None:
    use(panel, first_run())
    precision = panel.plots[0]
    gestures.move(precision.viewport(), on_screen(precision, 0.52, 0.5))
    assert "sofa" in QToolTip.text() and "rank 2 · score 0.6" in QToolTip.text()
    assert "P .500" in QToolTip.text() and "R .500" in QToolTip.text()
    for plot in panel.plots:  # all three show the same spot, and its whole curve
        assert len(plot._over.getData()[0]) == 1
        assert plot._line.isVisible()
    gestures.move(precision.viewport(), on_screen(precision, 0.2, 0.2))
    assert len(precision._over.getData()[0]) == 0
    assert not precision._line.isVisible()


def test_the_plots_zoom_together_and_come_back(panel: CurvesPanel) -> None:
    use(panel, first_run())
    first, second, _ = panel.plots
    whole = first.box.viewRange()[0]
    gestures.wheel(first.viewport(), on_screen(first, 0.5, 0.5), 5)
    drawn()
    near = first.box.viewRange()[0]
    assert near[1] - near[0] < 0.9 * (whole[1] - whole[0])
    assert second.box.viewRange()[0] == pytest.approx(near, abs=0.01)
    gestures.double_click(first.viewport(), on_screen(first, *np.mean(first.box.viewRange(), 1)))
    drawn()
    assert first.box.viewRange()[0] == pytest.approx(whole)


def test_the_wheel_stays_where_curves_are(panel: CurvesPanel) -> None:
    use(panel, first_run())
    for plot in panel.plots:
        whole = plot.box.viewRange()
        for place in ((0.02, 0.02), (0.98, 0.02), (0.02, 0.98), (0.98, 0.98)):
            at = place[0] * plot.viewport().width(), place[1] * plot.viewport().height()
            for notches in (3, 3, 3, 3, 3, -30):
                gestures.wheel(plot.viewport(), at, notches)
                drawn()
                shown = plot.box.viewRange()
                heights = plot.curve_items.heights(*shown[0])
                assert heights is not None
                assert heights[0] <= shown[1][1] and heights[1] >= shown[1][0]
                for (low, high), (first, last) in zip(shown, whole, strict=True):
                    assert first - 1e-6 <= low < high <= last + 1e-6


def test_switches_are_remembered(panel: CurvesPanel) -> None:
    use(panel, first_run())
    thin, band, _ = panel.plots[0].curve_items.items[0]
    assert thin.isVisible() and band.isVisible()
    QTest.mouseClick(panel.head.queries, Qt.MouseButton.LeftButton)
    QTest.mouseClick(panel.head.band, Qt.MouseButton.LeftButton)
    drawn()
    assert not thin.isVisible() and not band.isVisible()
    again = CurvesPanel(panel.inspection, panel.head.settings, lambda _: None)
    assert not again.head.choice.queries and not again.head.band.isChecked()
    again.deleteLater()


def test_means_are_taken_as_the_menu_says(panel: CurvesPanel) -> None:
    use(panel, first_run())
    mean = panel.plots[0].curve_items.items[0][2]
    assert mean.getData()[0][-1] == 1
    actions = {action.text(): action for action in panel.head.menu.actions()}
    actions["Mean Precision at Equal Share of Each List"].trigger()
    drawn()
    assert mean.getData()[0][-1] == pytest.approx(0.5)  # sofa 1, bed .5, lamp 0
    actions["Leave Out Recall That Is Not Reached"].trigger()
    assert panel.inspection.runs.settings.missing == "drop"


def test_what_is_undefined_is_said_in_words(panel: CurvesPanel) -> None:
    use(panel, first_run())
    assert "1 query without truth" in panel.head.note.text()
    panel.inspection.choose_query("ghost")
    drawn()
    assert "its recall is undefined" in panel.head.note.text()
    assert panel.readout.texts()["area_recall"] == "–"
    assert all(marks(plot) == [] for plot in panel.plots)


def test_a_right_click_offers_the_menu(panel: CurvesPanel) -> None:
    use(panel, first_run())
    view = panel.plots[1].viewport()
    at = QPoint(90, 40)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at))
    QApplication.sendEvent(view, event)
    assert isinstance(QApplication.activePopupWidget(), QMenu)
    assert QApplication.activePopupWidget() is panel.head.menu
    panel.head.menu.close()


def test_items_are_made_once(panel: CurvesPanel) -> None:
    use(panel, first_run(), second_run())
    items = len(panel.plots[0].scene().items())
    for query in ("sofa", None, "bed", None):
        panel.inspection.choose_query(query)
        drawn()
    use(panel, first_run())
    use(panel, second_run(), first_run())
    assert len(panel.plots[0].scene().items()) == items


def test_a_hidden_panel_does_nothing(panel: CurvesPanel) -> None:
    panel.hide()
    use(panel, first_run())
    assert panel.plots[0].curve_items.items == []
    panel.show()
    drawn()
    assert len(panel.plots[0].curve_items.items) == 1
    assert panel.plots[0].hit(QPointF(*on_screen(panel.plots[0], 0.5, 0.5))) is not None
