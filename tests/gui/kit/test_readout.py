"""The figures at the cut can be read at any width of their panel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QLabel

from spotlab.gui.kit.plots.readout import HEADS, FiguresArea, Readout

FIGURES = {
    "area_precision": 1.0, "area_recall": 0.123456, "f": 0.2, "fall_out": 0.3630,
    "recognition_rate": 100.0, "false_positives": 12345.67,
}  # fmt: skip
WIDTHS = range(170, 700, 5)


@pytest.fixture(params=[1, 4])
def area(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[FiguresArea]:
    readout = Readout()
    area = FiguresArea(readout)
    area.show()
    runs = [(f"run {number}", "#123456", FIGURES) for number in range(request.param)]
    readout.show_runs(runs, True)
    yield area
    area.close()


def lines(area: FiguresArea) -> list[QLabel]:
    labels = area.widget().findChildren(QLabel)
    return [label for label in labels if label.isVisible() and label.text()]


def test_no_digit_is_cut_off(area: FiguresArea) -> None:
    for width in WIDTHS:
        check(area, width)


def check(area: FiguresArea, width: int) -> None:
    area.resize(width, 500)
    QApplication.processEvents()
    assert area.horizontalScrollBar().maximum() == 0
    readout = area.widget()
    assert readout.width() <= area.viewport().width()
    places = []
    for label in lines(area):
        assert label.width() >= label.sizeHint().width(), label.text()
        place = QRect(label.mapTo(readout, QPoint(0, 0)), label.size())
        assert readout.rect().contains(place), label.text()
        assert not any(place.intersects(other) for other in places)
        places.append(place)
    figures = [label.text() for label in lines(area)]
    assert ".363" in figures and all(head in figures for head in HEADS.values())


def test_bands_go_and_come_with_the_width(area: FiguresArea) -> None:
    heights = []
    for width in (600, 285, 180, 285, 600):
        area.resize(width, 500)
        QApplication.processEvents()
        heights.append(area.widget().minimumSizeHint().height())
    assert heights[0] < heights[1] < heights[2]
    assert heights == heights[::-1]


def test_runs_that_come_and_go_have_their_lines_in_all_bands(area: FiguresArea) -> None:
    area.resize(285, 500)
    readout = area.widget()
    assert isinstance(readout, Readout)
    for count in (2, 5, 3, 1, 2):
        readout.show_runs([(f"run {at}", "#123456", FIGURES) for at in range(count)], True)
        QApplication.processEvents()
        texts = [label.text() for label in lines(area)]
        assert texts.count(".363") == texts.count("100.0 %") == count
        dots = [text for text in texts if "●" in text]
        assert len(dots) == (2 * count if count > 1 else 0)
