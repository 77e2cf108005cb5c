"""Several runs are cut at the same place, each at its own, or where they reach what one has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.state.run_cuts import Relation
from spotlab.gui.kit.plots.curve_plot import CurvePlot
from spotlab.gui.kit.settings import CUT_FIGURES
from spotlab.studies.evaluate.cuts import ListCut
from tests.gui.choosing import pick
from tests.gui.inspect.inspected import drawn, first_run, open_curves, use
from tests.gui.inspect.inspected import second_run as second

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[CurvesPanel]:
    with open_curves(tmp_path) as panel:
        use(panel, first_run(), second())
        yield panel


def kept(panel: CurvesPanel) -> list[int]:
    """How many spots of the sofa each run keeps."""
    found = []
    for run in panel.inspection.runs:
        assert run.tally is not None
        counts = panel.inspection.counts_of(run)
        found.append(int(counts[run.tally.queries.index("sofa")]))
    return found


def relate(panel: CurvesPanel, relation: Relation) -> None:
    pick(panel.cut.relation, relation)
    drawn()
    assert panel.inspection.cuts.relation is relation


def table(panel: CurvesPanel) -> list[dict[str, str]]:
    return [panel.readout.texts(row) for row in range(len(panel.inspection.runs))]


def stars(plot: CurvePlot) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in zip(*plot.best_marks.item.getData(), strict=True)]


def test_the_same_rank_or_score_as_ever(panel: CurvesPanel) -> None:
    panel.inspection.set_cut(ListCut("rank", 2))
    drawn()
    assert kept(panel) == [2, 2] and "cut" not in panel.readout.texts()
    assert panel.cut.relation.currentText() == "at the same rank"
    QTest.mouseClick(panel.cut.by_score, LEFT)
    drawn()
    assert panel.cut.relation.currentText() == "at the same score"
    panel.inspection.set_cut(ListCut("score", 0.45))
    assert kept(panel) == [2, 1]


def test_one_run_needs_no_relation(panel: CurvesPanel) -> None:
    assert panel.cut.related.isVisible()
    panel.inspection.runs.close(1)
    drawn()
    assert not panel.cut.related.isVisible()


def test_each_run_keeps_its_own_score(panel: CurvesPanel) -> None:
    relate(panel, Relation.OWN)
    inspection = panel.inspection
    inspection.set_cut(ListCut("score", 0.6))
    drawn()
    assert kept(panel) == [2, 3]
    assert [row["cut"] for row in table(panel)] == ["≥ 0.6", "all"]
    inspection.runs.choose(1)
    drawn()
    assert inspection.cut == ListCut() and panel.cut.slider.value() == panel.cut.slider.maximum()
    inspection.set_cut(ListCut("score", 0.4))
    drawn()
    assert kept(panel) == [2, 2] and [row["cut"] for row in table(panel)] == ["≥ 0.6", "≥ 0.4"]
    inspection.runs.choose(0)
    drawn()
    assert inspection.cut == ListCut("score", 0.6) and kept(panel) == [2, 2]
    inspection.runs.use((first_run(), second()))  # both are read again
    assert kept(panel) == [2, 2]
    assert np.array_equal(inspection.counts, inspection.counts_of(inspection.runs[0]))


def test_equal_recall_of_the_chosen_query(panel: CurvesPanel) -> None:
    inspection = panel.inspection
    inspection.choose_query("sofa")
    relate(panel, Relation.RECALL)
    inspection.set_cut(ListCut("rank", 2))  # recall .5, which the other has from its first spot on
    drawn()
    assert kept(panel) == [2, 1]
    assert [row["cut"] for row in table(panel)] == ["rank 2", "rank 1"]
    assert [row["area_recall"] for row in table(panel)] == [".500", "1.000"]
    inspection.runs.choose(1)
    drawn()
    assert kept(panel) == [2, 1]  # choosing the other run moves nothing
    inspection.set_cut(ListCut("rank", 3))  # recall 1, which the first run has at its last spot
    assert kept(panel) == [3, 3]
    inspection.set_cut(ListCut("rank", 1))
    assert kept(panel) == [3, 1]
    inspection.set_cut(ListCut("rank", 0))
    assert kept(panel) == [0, 0]


def test_a_recall_that_is_never_reached_has_no_cut(panel: CurvesPanel) -> None:
    relate(panel, Relation.RECALL)  # the means of .5, .5 and 0 against those of 1, 0 and 0
    assert kept(panel) == [3, 0]
    first, other = table(panel)
    assert first["cut"] == "all" and set(other.values()) == {"–"}
    assert panel.cut.uncut.text() == "No cut, because recall .500 is never reached: second"
    assert panel.cut.uncut.isVisible()
    panel.inspection.choose_query("sofa")  # there both reach 1
    drawn()
    assert kept(panel) == [3, 1] and not panel.cut.uncut.isVisible()
    assert [row["area_recall"] for row in table(panel)] == ["1.000", "1.000"]


def test_equal_precision(panel: CurvesPanel) -> None:
    panel.inspection.choose_query("sofa")
    relate(panel, Relation.PRECISION)
    panel.inspection.set_cut(ListCut("rank", 2))  # .5; the other has 1, .5, .33
    assert kept(panel) == [2, 2]
    panel.inspection.set_cut(ListCut("rank", 1))
    assert kept(panel) == [1, 1]
    panel.inspection.set_cut(ListCut("rank", 0))  # where precision is undefined
    drawn()
    assert kept(panel) == [0, 0]
    assert "precision is undefined where the cut was set: second" in panel.cut.uncut.text()


def test_each_at_its_best_f_until_the_slider_moves(panel: CurvesPanel) -> None:
    panel.inspection.choose_query("sofa")
    relate(panel, Relation.BEST_F)  # F of first: 2/3, 1/2, 4/5; of second: 1, 2/3, 1/2
    assert kept(panel) == [3, 1] and panel.inspection.cut.by == "rank"
    assert [row["f"] for row in table(panel)] == [".800", "1.000"]
    QTest.mouseClick(panel.cut.by_score, LEFT)
    drawn()
    assert panel.inspection.cuts.relation is Relation.BEST_F
    assert [row["cut"] for row in table(panel)] == ["≥ 0.3", "≥ 0.5"]
    panel.cut.slider.setFocus()
    QTest.keyClick(panel.cut.slider, Qt.Key.Key_Home)
    drawn()
    assert panel.inspection.cuts.relation is Relation.OWN
    assert panel.cut.relation.value is Relation.OWN
    assert kept(panel) == [1, 1]  # only the run in sight moved


@pytest.mark.parametrize(
    ("query", "cut", "f"), [("sofa", ("rank", 3), 0.8), ("bed", ("rank", 1), 2 / 3)]
)
def test_best_f_is_marked_and_chosen(panel: CurvesPanel, query: str, cut: tuple, f: float) -> None:
    panel.inspection.runs.close(1)
    panel.inspection.choose_query(query)
    drawn()
    precision, fall_out, curve = panel.plots
    ((recall, height),) = stars(curve)
    assert height == pytest.approx(f) and not stars(fall_out)
    assert stars(precision)[0][0] == recall
    QTest.mouseClick(panel.cut.best, LEFT)
    assert panel.inspection.cut == ListCut(*cut)
    assert panel.readout.texts()["f"] == f"{f:.3f}".lstrip("0")


def test_best_f_of_all_is_the_best_mean(panel: CurvesPanel) -> None:
    QTest.mouseClick(panel.cut.by_score, LEFT)
    QTest.mouseClick(panel.cut.best, LEFT)
    drawn()
    # sofa 2/3, 2/3, 1/2, 4/5 and bed 0, 2/3, … at .9, .8, .6, .3: best at .3
    assert panel.inspection.cut == ListCut("score", 0.3)
    assert stars(panel.plots[2])[0] == pytest.approx((0.5, (0.8 + 2 / 3) / 3))


def test_what_is_left_open_stays_where_it_is(panel: CurvesPanel) -> None:
    panel.inspection.choose_query("sofa")
    relate(panel, Relation.RECALL)
    panel.inspection.set_cut(ListCut("rank", 1))
    panel.inspection.runs.choose(1)
    assert kept(panel) == [1, 1]
    panel.inspection.runs.close(0)  # the run on which the cut was set
    drawn()
    assert panel.inspection.cut == ListCut("rank", 1) and kept(panel) == [1]


def test_other_pages_begin_with_everything(panel: CurvesPanel) -> None:
    relate(panel, Relation.OWN)
    panel.inspection.set_cut(ListCut("rank", 1))
    panel.inspection.forget()
    use(panel, first_run(), second())
    assert kept(panel) == [3, 3] and panel.inspection.cuts.relation is Relation.SAME


def test_columns_of_the_table_are_chosen_and_remembered(panel: CurvesPanel) -> None:
    calm = list(panel.readout.texts())
    assert calm == [
        "area_precision", "area_recall", "f", "fall_out", "recognition_rate", "false_positives",
    ]  # fmt: skip
    titles = {action.text(): action for action in panel.readout.menu.actions()}
    titles["P at IoU"].trigger()
    titles["Fall-out"].trigger()
    drawn()
    now = [*calm[:3], *calm[4:], "precision_at_iou"]
    assert list(panel.readout.texts()) == now
    assert panel.readout.texts()["precision_at_iou"] == ".667"  # sofa 1 of 3, bed 1 of 1
    assert panel.head.settings.get(CUT_FIGURES) == now
    titles["Restore Defaults"].trigger()
    assert list(panel.readout.texts()) == calm
    for name in calm:  # the last one stays
        next(a for a in titles.values() if a is panel.readout._actions[name]).trigger()
    assert list(panel.readout.texts()) == calm[-1:]
