"""Somebody sorts and filters the errors, looks at them as pictures, and reads what each costs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from spotlab.gui.inspect.panels.error_model import NAMES
from spotlab.gui.inspect.panels.errors import ErrorsPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.inspect.tool import Bounds, ErrorNavigation
from spotlab.measures.confusion import ErrorFilter
from spotlab.measures.matching import ErrorKind
from tests.gui.inspect.inspecting import (
    BED,
    SOFA,
    calm,
    leave,
    line,
    open_workbench,
    show,
    write_run,
)
from tests.gui.windows import press, settle


class Listed:
    """The panel on a run that takes the bed for a sofa, and where the page was shown."""

    def __init__(self, folder: Path) -> None:
        self.shown: list[Bounds] = []
        self.workbench = open_workbench(folder)
        self.inspection = self.workbench.state(Inspection)
        run = write_run(
            folder / "mistaken.csv",
            line("sofa", "page_1", 1, 0.9, BED),
            line("sofa", "page_1", 2, 0.8, SOFA),
            line("sofa", "page_2", 3, 0.7, (5, 5, 25, 25)),
            line("bed", "page_2", 1, 0.6, (41, 41, 71, 91)),  # IoU .5 at most with the sofa there
        )
        self.inspection.runs.open([run])
        settle()
        go_to = ErrorNavigation(self.workbench, lambda *bounds: self.shown.append(bounds)).go_to
        self.panel = ErrorsPanel(self.inspection, go_to)
        show(self.panel, 1000, 420)

    def column(self, name: str) -> list[str]:
        model, column = self.panel.model, NAMES.index(name)
        return [model.index(row, column).data() for row in range(model.rowCount())]

    def click_head(self, name: str) -> None:
        header = self.panel.table.horizontalHeader()
        column = NAMES.index(name)
        self.panel.table.scrollTo(self.panel.model.index(0, column))
        point = header.rect().topLeft()
        point.setX(header.sectionViewportPosition(column) + 12)
        point.setY(header.height() // 2)
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=point)
        QApplication.processEvents()


@pytest.fixture
def listed(tmp_path: Path, qapp: QApplication) -> Iterator[Listed]:
    listed = Listed(tmp_path)
    yield listed
    leave(listed.workbench, listed.panel)


def test_what_was_taken_for_what(listed: Listed) -> None:
    assert listed.column("kind") == ["wrong label", "missed", "missed", "false", "false"]
    assert listed.column("query") == ["sofa", "bed", "sofa", "bed", "sofa"]
    # the bed is missed, since the sofa's spot lies on it; the last but one lies on half a sofa
    assert listed.column("taken_for") == ["bed", "sofa", "bed", "sofa", "–"]


def test_a_click_on_a_head_sorts_and_steps_follow(listed: Listed) -> None:
    listed.click_head("score")
    assert listed.column("score") == [".6000", ".7000", ".9000", "–", "–"]
    listed.click_head("score")
    assert listed.column("score") == [".9000", ".7000", ".6000", "–", "–"]
    listed.panel.step(1)
    listed.panel.step(1)
    settle()
    assert listed.shown[-1] == (5, 5, 25, 25)
    listed.click_head("query")
    assert listed.column("query") == ["bed", "bed", "sofa", "sofa", "sofa"]


def test_filters_are_chips_and_counts_follow(listed: Listed) -> None:
    popup = listed.panel.filters.ask("page")
    assert [popup.list.item(row).text() for row in range(popup.list.count())] == [
        "page_1   2", "page_2   3",
    ]  # fmt: skip
    popup.list.item(1).setCheckState(Qt.CheckState.Checked)
    popup.close()
    assert set(listed.column("page")) == {"page_2"}
    chip = listed.panel.filters.chips["page"]
    assert chip.text() == "Page: page_2"
    assert listed.panel.head.chips[ErrorKind.MISSED].text() == "missed 1"
    assert listed.panel.head.chips[ErrorKind.WRONG_LABEL].text() == "wrong label 0"
    numbers = listed.panel.filters.ask("score")
    numbers.low.setText("0.65")
    press(numbers.low, Qt.Key.Key_Return)
    assert listed.column("score") == [".7000"]
    assert listed.panel.filters.chips["score"].text() == "Score ≥ 0.65"
    listed.panel.step(1)
    settle()
    assert listed.shown[-1] == (5, 5, 25, 25)
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    QTest.mouseClick(listed.panel.filters.chips["score"], Qt.MouseButton.LeftButton)
    assert len(listed.column("page")) == 5
    assert listed.panel.filters.filters == ()


def test_a_filter_that_nothing_passes_says_so(listed: Listed) -> None:
    listed.panel.filters.set_filter(ErrorFilter("iou", low=0.99, high=0.995))
    assert listed.panel.nothing.isVisible()
    assert "filters" in listed.panel.nothing.text()


def test_pictures_show_the_same_list_and_a_click_goes_there(listed: Listed) -> None:
    QTest.mouseClick(listed.panel.as_pictures, Qt.MouseButton.LeftButton)
    calm()
    gallery = listed.panel.gallery
    assert gallery.isVisible() and gallery.count == 5
    assert list(gallery.visible_cases()) == [0, 1, 2, 3, 4]
    key = gallery._case(0).key
    picture = gallery.pictures.get(key)
    assert picture is not None
    colours = {picture.toImage().pixelColor(x, y).name() for x in range(picture.width())
               for y in range(picture.height())}  # fmt: skip
    assert "#d55e00" in colours  # the spot's outline
    place = gallery.place_of(3).center()
    QTest.mouseClick(gallery.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle()
    assert listed.workbench.entry is not None and listed.workbench.entry.name == "page_2"
    assert gallery.current == 3
    press(gallery, Qt.Key.Key_Right)
    settle()
    assert listed.shown[-1] == (5, 5, 25, 25)


def test_what_mending_would_gain_is_said(listed: Listed) -> None:
    # sofa: right at rank 2 of 3 with 2 regions: AP 51 × .5 / 101; bed: nothing right
    text = listed.panel.tide.text()
    assert listed.panel.tide.isVisible()
    assert "AP .126, mean" in text
    listed.inspection.choose_query("sofa")
    calm()
    assert "AP .252, sofa" in listed.panel.tide.text()
    assert "Cls" in listed.panel.tide.toolTip()
