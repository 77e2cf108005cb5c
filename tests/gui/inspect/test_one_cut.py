"""Whatever is in sight follows the same cut, or says that it does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.panels.figures_table import WHOLE, FiguresPanel
from spotlab.gui.inspect.panels.runs import RunsPanel
from spotlab.gui.inspect.panels.spot import SpotPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.tool import ErrorNavigation
from spotlab.gui.kit.plots.curve_plot import CurvePlot
from spotlab.gui.pages.workbench import Workbench
from spotlab.measures.measure import known_figures
from spotlab.studies.evaluate.cuts import FiguresAtCut, ListCut
from tests.gui import gestures
from tests.gui.inspect.inspected import (
    box,
    drawn,
    first_run,
    inspected,
    open_curves,
    second_run,
    use,
)  # fmt: skip
from tests.gui.inspect.inspecting import calm, leave, open_workbench, show


@pytest.fixture
def workbench(tmp_path: Path, qapp: QApplication) -> Iterator[Workbench]:
    workbench = open_workbench(tmp_path)
    yield workbench
    leave(workbench)


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[CurvesPanel]:
    with open_curves(tmp_path) as panel:
        yield panel


def shown(panel: RunsPanel) -> tuple[list[tuple[str | None, int, str]], list[tuple[str, str]]]:
    """The lists of queries and of runs."""
    queries = [(row.name, row.kept, f"{row.figure:.3f}") for row in panel.queries.model.shown]
    return queries, [(panel.model.spots(run), panel.model.value(run)) for run in panel.model.shown]


def test_lists_give_figures_and_spots_at_the_cut(workbench: Workbench) -> None:
    inspection = workbench.state(Inspection)
    inspection.runs.choose(0)  # "partly": a right spot, a false one, half of the other sofa
    panel = RunsPanel(inspection, lambda _: None)
    show(panel, 300, 700)
    queries, runs = shown(panel)
    f = 2 * 4500 / (6400 + 6000)  # of precision 4500/6400 and recall 4500/6000
    assert queries == [(None, 3, f"{f / 2:.3f}"), ("bed", 0, "0.000"), ("sofa", 3, f"{f:.3f}")]
    assert runs[0] == ("3 spots", f"{f / 2:.3f}"[1:])
    inspection.set_cut(ListCut("rank", 1))
    QTest.qWait(80)
    calm()
    queries, runs = shown(panel)
    f = 2 * 3000 / (3000 + 6000)
    assert queries == [(None, 1, f"{f / 2:.3f}"), ("bed", 0, "0.000"), ("sofa", 1, f"{f:.3f}")]
    assert runs[0] == ("1 of 3 spots", f"{f / 2:.3f}"[1:])
    assert runs[1][0] == "2 of 3 spots"
    ranked = next(figure for figure in known_figures() if figure.name == "iou_precision")
    panel.model.figure = ranked
    assert panel.model.title(inspection.runs[0]) == "mean AP at IoU .5, whole lists"
    inspection.set_cut(ListCut())
    assert panel.model.title(inspection.runs[0]) == "mean AP at IoU .5"
    leave(workbench, panel)


def test_the_table_says_that_it_is_of_whole_lists(workbench: Workbench) -> None:
    inspection = workbench.state(Inspection)
    panel = FiguresPanel(inspection, workbench.settings)
    show(panel, 900, 400)
    assert WHOLE not in panel.state.whole()
    inspection.set_cut(ListCut("rank", 1))
    calm()
    assert panel.state.whole().startswith(WHOLE)
    inspection.set_cut(ListCut())
    calm()
    assert WHOLE not in panel.state.whole()
    leave(workbench, panel)


def test_a_spot_after_the_cut_says_so_and_its_region_is_missed(workbench: Workbench) -> None:
    inspection = workbench.state(Inspection)
    inspection.runs.choose(1)  # "all": each sofa, and the bed
    panel = SpotPanel(inspection, lambda _: None)
    current = inspection.runs.current
    assert current is not None and current.tally is not None and current.errors is not None
    second = next(at for at in range(3) if current.tally.rank[at] == 2)
    inspection.choose_spot(second)
    assert panel.figures["Rank"].text() == "2 of 2"
    inspection.set_cut(ListCut("rank", 1))
    assert panel.figures["Rank"].text() == "2 of 2, after the cut"
    inspection.choose_region("page_2", "r1")
    assert panel.kind.text() == "Missed" and panel.figures["Covered"].text() == "0.0 %"
    inspection.set_cut(ListCut())
    assert panel.kind.text() == "Region"
    for counts in ([1, 1], [0, 1], [0, 2], [1, 0]):
        at_cut = current.errors.at(counts)
        missed = [current.errors.is_missed(region, counts) for region in range(3)]
        assert missed == at_cut.missed.tolist()
    leave(workbench, panel)


def test_figures_of_all_spots_are_those_of_whole_lists() -> None:
    figures = first_run().figures
    assert figures is not None
    whole = FiguresAtCut(figures, np.diff(figures.tally.starts))
    assert whole.whole and whole.columns
    assert all(values is figures.columns[name] for name, values in whole.columns.items())
    nothing = FiguresAtCut(figures, 0 * whole.counts)
    assert not nothing.whole and nothing.kept == 0 and nothing.mean["area_recall"] == 0
    assert nothing.mean["area_precision"] is None


def point(plot: CurvePlot, x: float, y: float) -> QPointF:
    return QPointF(plot.place_on_viewport((x, y)))


def hover(plot: CurvePlot, place: QPointF) -> str:
    QToolTip.hideText()
    gestures.move(plot.viewport(), (place.x(), place.y()))
    drawn()
    return QToolTip.text()


def test_a_mean_curve_names_its_run_values_and_queries(panel: CurvesPanel) -> None:
    use(panel, first_run("mine"), second_run("theirs"))
    panel.head.queries.setChecked(False)
    drawn()
    plot = panel.plots[0]
    mean = plot.curve_items.shown[1].mean
    assert mean is not None
    at = 80  # recall .4: only the sofa gets there, of sofa, bed and lamp
    text = hover(plot, point(plot, float(mean.x[at]), float(mean.y[at])))
    assert "theirs" in text and "mean of 3 queries, 1 of them at this recall" in text
    assert "recall .400" in text and "precision .333" in text
    marked = [each._over.getData()[0][0] for each in panel.plots]
    assert marked == pytest.approx([0.4] * 3)
    gestures.move(plot.viewport(), (2, 2))
    drawn()
    assert all(len(each._over.getData()[0]) == 0 for each in panel.plots)


def test_a_click_on_a_mean_curve_chooses_the_nearest_query_of_its_run(
    panel: CurvesPanel,
) -> None:
    third = inspected("third", "#009E73", [("bed", 0.9, box(300, 0, 100, 50)),
                                           ("bed", 0.8, box(300, 200, 100, 50))])  # fmt: skip
    use(panel, first_run("mine"), third)
    panel.head.queries.setChecked(False)
    drawn()
    plot = panel.plots[0]
    mean = plot.curve_items.shown[1].mean
    assert mean is not None and panel.inspection.query is None
    place = point(plot, float(mean.x[150]), float(mean.y[150]))
    gestures.click(plot.viewport(), (place.x(), place.y()))
    drawn()
    assert panel.inspection.runs.current is panel.inspection.runs[1]
    assert panel.inspection.query == "bed"


def test_a_thin_curve_away_from_the_mean_still_answers_as_itself(panel: CurvesPanel) -> None:
    use(panel, first_run("mine"))
    plot = panel.plots[0]
    text = hover(plot, point(plot, 0.45, 1.0))
    assert "rank" in text and "mean of" not in text


def test_the_spot_panel_opens_its_case_on_the_page(workbench: Workbench) -> None:
    inspection = workbench.state(Inspection)
    inspection.runs.choose(0)
    shown: list[tuple[float, ...]] = []
    navigation = ErrorNavigation(workbench, lambda *bounds: shown.append(bounds))
    panel = SpotPanel(inspection, navigation.go_to)
    show(panel, 300, 400)
    current = inspection.runs.current
    assert current is not None and current.tally is not None
    half = next(at for at in range(3) if current.tally.rank[at] == 3)
    inspection.choose_spot(half)
    workbench.open_page(0)
    calm()
    QTest.mouseClick(panel.case, Qt.MouseButton.LeftButton)
    calm()
    assert workbench.entry is not None and workbench.entry.name == "page_2"
    assert shown[-1] == (40, 40, 130, 90)  # the spot, and the sofa that it lies beside
    inspection.choose_region("page_1", "r2")
    workbench.open_page(1)
    calm()
    QTest.mouseClick(panel.case, Qt.MouseButton.LeftButton)
    calm()
    assert workbench.entry.name == "page_1" and shown[-1] == (180, 120, 260, 200)
    leave(workbench, panel)
