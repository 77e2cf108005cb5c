"""Somebody gives the page more room: folds sides away, and finds them again where they were."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.panels.runs import RunsPanel
from spotlab.gui.window.docking.sides import BOTTOM, LEFT, RIGHT
from spotlab.gui.window.main_window import MainWindow
from tests.gui import windows
from tests.gui.inspect.inspecting import calm, write_collection, write_runs

pytestmark = pytest.mark.usefixtures("themed")

BUTTON = Qt.MouseButton.LeftButton
NARROW, USUAL, WIDE = (1024, 700), (1440, 900), (1920, 1080)


@pytest.fixture
def window(tmp_path: Path, qapp: QApplication) -> Iterator[MainWindow]:
    window = start(tmp_path)
    yield window
    windows.close(window)


def start(folder: Path) -> MainWindow:
    if not (folder / "pages").exists():
        write_runs(write_collection(folder / "pages") / "runs")
    window = windows.open_window(folder, folder / "pages", size=USUAL)
    settle()
    return window


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()
    calm()


def resize(window: MainWindow, size: tuple[int, int]) -> None:
    window.resize(*size)
    settle()


def share(window: MainWindow) -> float:
    """Of the window, that the canvas has."""
    page, whole = window.canvas.size(), window.size()
    return page.width() * page.height() / (whole.width() * whole.height())


def press_arrow(window: MainWindow, area: Qt.DockWidgetArea) -> None:
    QTest.mouseClick(window.docks.strips[area].arrow, BUTTON)
    settle()


@pytest.mark.parametrize(
    ("workspace", "size", "least"),
    [("annotate", NARROW, 0.6), ("inspect", NARROW, 0.4), ("inspect", USUAL, 0.5)],
)
def test_the_page_has_the_larger_part(
    window: MainWindow, workspace: str, size: tuple[int, int], least: float
) -> None:
    resize(window, size)
    window.enter(workspace)
    settle()
    assert share(window) >= least


@pytest.mark.parametrize("area", [LEFT, RIGHT])
def test_an_arrow_folds_a_side_and_a_name_brings_it_back(
    window: MainWindow, area: Qt.DockWidgetArea
) -> None:
    strip = window.docks.strips[area]
    before, shown = share(window), {n for n, d in window.docks.by_name.items() if d.isVisible()}
    assert not strip.tabs
    press_arrow(window, area)
    assert share(window) > before
    assert strip.tabs and not any(window.docks.by_name[name].isVisible() for name in strip.tabs)
    last = list(strip.tabs)[-1]
    QTest.mouseClick(strip.tabs[last], BUTTON)
    settle()
    assert {n for n, d in window.docks.by_name.items() if d.isVisible()} >= shown - {last}
    assert window.docks.is_in_front(last) and window.docks.by_name[last].isVisible()
    assert not strip.tabs and share(window) == pytest.approx(before, abs=0.01)


@pytest.mark.slow
def test_each_width_of_window_keeps_its_own_layout(tmp_path: Path, qapp: QApplication) -> None:
    window = start(tmp_path)

    def folded() -> list[bool]:
        return [bool(window.docks.strips[area].tabs) for area in (LEFT, RIGHT, BOTTOM)]

    window.enter("inspect")
    settle()
    usual = window.docks.by_name["curves"].geometry()
    assert folded() == [False, False, True]
    press_arrow(window, RIGHT)
    assert folded() == [False, True, True]
    resize(window, NARROW)
    assert folded() == [True, False, True]
    press_arrow(window, LEFT)
    assert folded() == [False, False, True]
    resize(window, USUAL)
    assert folded() == [False, True, True]
    press_arrow(window, RIGHT)
    assert window.docks.by_name["curves"].geometry() == usual
    press_arrow(window, RIGHT)
    windows.close(window)
    again = start(tmp_path)
    again.enter("inspect")
    settle()
    assert list(again.docks.strips[RIGHT].tabs) == ["curves", "spot"]
    QTest.mouseClick(again.docks.strips[RIGHT].tabs["spot"], BUTTON)
    settle()
    assert again.docks.by_name["curves"].isVisible() and again.docks.by_name["spot"].isVisible()
    windows.close(again)


def place(widget: QWidget, window: MainWindow) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


@pytest.mark.parametrize(
    "size", [USUAL, *(pytest.param(size, marks=pytest.mark.slow) for size in (NARROW, WIDE))]
)
def test_the_cut_and_the_table_stay_where_they_are_whatever_is_clicked(
    window: MainWindow, size: tuple[int, int]
) -> None:
    resize(window, size)
    window.enter("inspect")
    settle()
    curves, runs = window.panel(CurvesPanel), window.panel(RunsPanel)
    kept = {"slider": curves.cut.slider, "table": curves.readout}
    before = {name: place(widget, window).topLeft() for name, widget in kept.items()}
    random = np.random.default_rng(7)
    for _ in range(70):
        target: QWidget = (window.canvas, curves.plots[0].viewport(), runs.queries.list.viewport())[
            random.integers(3)
        ]
        if target.isVisible():
            x, y = (int(random.integers(side)) for side in (target.width(), target.height()))
            QTest.mouseClick(target, BUTTON, pos=QPoint(x, y))
        QApplication.processEvents()
        assert {name: place(widget, window).topLeft() for name, widget in kept.items()} == before
    settle()
    assert {name: place(widget, window).topLeft() for name, widget in kept.items()} == before
