"""The cut under the curves keeps what it prints, and its figures are all to be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.kit.plots.curve_plot import CurvePlot
from spotlab.studies.evaluate.cuts import ListCut
from tests.gui.inspect.inspected import box, drawn, first_run, inspected, open_curves, use


@pytest.fixture
def panel(tmp_path: Path, qapp: QApplication) -> Iterator[CurvesPanel]:
    with open_curves(tmp_path) as panel:
        yield panel


def marks(plot: CurvePlot) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in zip(*plot.cut_marks.item.getData(), strict=True)]


@pytest.mark.parametrize("query", [None, "sofa"])
def test_rank_and_score_keep_the_cut(panel: CurvesPanel, query: str | None) -> None:
    use(panel, first_run())
    panel.inspection.choose_query(query)
    for rank in (0, 1, 2):
        panel.inspection.set_cut(ListCut("rank", rank))
        drawn()
        before = panel.cut.kept.text()
        QTest.mouseClick(panel.cut.by_score, Qt.MouseButton.LeftButton)
        assert panel.inspection.cut.by == "score" and panel.cut.kept.text() == before
        QTest.mouseClick(panel.cut.by_rank, Qt.MouseButton.LeftButton)
        assert panel.inspection.cut == ListCut("rank", rank) and panel.cut.kept.text() == before


def test_a_score_that_is_printed_keeps_its_spot(panel: CurvesPanel) -> None:
    scores = (0.6979076, 0.5, 0.3)  # the first one would be rounded up
    spots = [("sofa", score, box(0, 300 * rank, 50, 100)) for rank, score in enumerate(scores)]
    use(panel, inspected("rounded", "#E69F00", spots))
    panel.inspection.choose_query("sofa")
    panel.inspection.set_cut(ListCut("rank", 1))
    drawn()
    QTest.mouseClick(panel.cut.by_score, Qt.MouseButton.LeftButton)
    printed = panel.cut.field.text()
    assert panel.cut.kept.text().startswith("keeps 1 of 3 spots, down to score ")
    assert float(panel.cut.kept.text().split()[-1]) <= 0.6979076
    panel.cut.field.setFocus()
    panel.cut.field.selectAll()
    QTest.keyClicks(panel.cut.field, "0")
    panel.cut.field.selectAll()
    QTest.keyClicks(panel.cut.field, printed)
    QTest.keyClick(panel.cut.field, Qt.Key.Key_Return)
    assert panel.cut.kept.text().startswith("keeps 1 of 3 spots")


def test_a_cut_beyond_the_scores_of_the_query_is_shown_as_it_is(panel: CurvesPanel) -> None:
    use(panel, first_run())
    panel.inspection.choose_query("sofa")
    panel.inspection.set_cut(ListCut("score", 0.95))
    drawn()
    assert panel.cut.kept.text() == "keeps 0 of 3 spots"
    assert panel.cut.field.value() == pytest.approx(0.95)
    panel.inspection.set_cut(ListCut("score", 0.1))
    assert panel.cut.kept.text().startswith("keeps 3 of 3 spots")
    assert panel.cut.field.value() == pytest.approx(0.1)


def test_a_mark_lies_on_its_curve_or_is_called_a_mean_end_point(panel: CurvesPanel) -> None:
    use(panel, first_run())
    panel.inspection.set_cut(ListCut("rank", 2))
    drawn()
    assert panel.cut.mark.isVisible() and "mean" in panel.cut.mark.text()
    assert {plot.cut_marks.item.opts["symbol"] for plot in panel.plots} == {"d"}
    panel.inspection.choose_query("sofa")
    drawn()
    assert not panel.cut.mark.isVisible()
    for plot in panel.plots:
        assert plot.cut_marks.item.opts["symbol"] == "o"
        (mark,) = marks(plot)
        (lines,) = (drawn.lines for drawn in panel._drawn[plot.kind])
        assert lines is not None and mark in list(zip(lines.x, lines.y, strict=True))


@pytest.mark.parametrize("width", [250, 330, 420, 600])
def test_no_digit_of_the_figures_is_cut_off(panel: CurvesPanel, width: int) -> None:
    use(panel, first_run())
    panel.resize(width, 800)
    drawn()
    assert panel.readout.texts()["fall_out"]
    shown = {"area_precision": 1.0, "area_recall": 0.5, "f": 0.667, "fall_out": 0.363,
             "recognition_rate": 100.0, "false_positives": 1234.5}  # fmt: skip
    panel.readout.show_runs([("run", "#000000", shown)] * 2, mean=True)
    drawn()
    for head in panel.readout.findChildren(QLabel):
        if head.isVisible():
            assert head.width() >= head.sizeHint().width(), head.text()
