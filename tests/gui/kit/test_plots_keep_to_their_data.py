"""Somebody turns the wheel and drags anywhere over a matrix: something of it stays in sight."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit.plots.readout import PointedPlot
from spotlab.gui.systems.agreement.agreement import AgreementPanel
from spotlab.gui.words.matrix.word_matrix import WordMatrixPanel
from tests.gui import gestures
from tests.gui.systems import voted
from tests.gui.words import listed_words

CORNERS = [(0.05, 0.05), (0.95, 0.05), (0.05, 0.95), (0.95, 0.95), (0.5, 0.5)]


def on_screen(plot: PointedPlot, across: float, down: float) -> tuple[float, float]:
    return across * plot.viewport().width(), down * plot.viewport().height()


def try_out(plot: PointedPlot, side: int) -> None:
    """Zoom and pan at every corner; some cell of (side, side) is always in sight."""
    first = plot.box.viewRange()
    for corner in CORNERS:
        place = on_screen(plot, *corner)
        for notches in (3, 3, 3, -2, 3, 3, 3, 3):
            gestures.wheel(plot.viewport(), place, notches)
            assert sees_cells(plot, side), (corner, notches, plot.box.viewRange())
        for end in CORNERS:
            gestures.drag(plot.viewport(), [place, on_screen(plot, *end)])
            assert sees_cells(plot, side), (corner, end, plot.box.viewRange())
        for _ in range(12):
            gestures.wheel(plot.viewport(), place, -3)
        for now, before in zip(plot.box.viewRange(), first, strict=True):
            assert now == pytest.approx(before, abs=0.05 * side), "all of it, and no more"


def sees_cells(plot: PointedPlot, side: int) -> bool:
    (left, right), (low, high) = plot.box.viewRange()
    return left < side + 0.5 and right > 0.5 and low < side + 0.5 and high > 0.5 - side


def test_the_matrix_of_words(tmp_path: Path, qapp: QApplication) -> None:
    with listed_words.showing(tmp_path, WordMatrixPanel, 420, 520) as panel:
        panel.words.add_sources([listed_words.source()])
        listed_words.settled()
        assert panel.matrix is not None
        try_out(panel.plot, len(panel.matrix))


@pytest.mark.parametrize("width", [300, 900])
def test_the_matrix_of_systems(tmp_path: Path, qapp: QApplication, width: int) -> None:
    with voted.showing(tmp_path, AgreementPanel, width) as panel:
        voted.use(panel.workbench, voted.table())
        try_out(panel.plot, len(panel.plot))
