"""The plots beside the page: a step of the slider, an edit of the truth, many spots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture

from spotlab.gui.inspect.curves.curves import CurvesPanel
from spotlab.gui.inspect.state.inspection import Inspection
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.measures.figures import compute_figures
from spotlab.report.colours import run_colour
from spotlab.studies.evaluate.inspected_run import InspectedRun
from spotlab.studies.tally.tallying import tally
from tests.gui.inspect.inspected import make_curves
from tests.gui.inspect.large_runs import make_run, make_truths

SPOTS = 10_000
Make = Callable[..., CurvesPanel]


@pytest.fixture
def make(qapp: QApplication, tmp_path: Path) -> Iterator[Make]:
    panels = []

    def make(*sizes: int) -> CurvesPanel:
        workbench = Workbench(Settings(tmp_path / "settings.json"))
        panel = make_curves(workbench)
        panels.append(panel)
        panel.resize(380, 820)
        panel.show()
        QTest.qWaitForWindowExposed(panel)
        runs = tuple(opened(size, number) for number, size in enumerate(sizes))
        workbench.state(Inspection).runs.use(runs)
        workbench.state(Inspection).runs.choose(0)
        painted(panel)
        return panel

    yield make
    for panel in panels:
        panel.close()
        panel.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@cache
def opened(spots: int, number: int) -> InspectedRun:
    truths = make_truths()
    run = make_run(truths, spots, seed=number + 2, name=f"run {number}")
    of_run = tally(run, truths, {page: page for page in truths})
    return InspectedRun(
        run.name,
        run_colour(number),
        run,
        whole=of_run,
        tally=of_run,
        figures=compute_figures(of_run),
    )


def painted(panel: CurvesPanel) -> None:
    """Everything that was asked for is drawn and on the screen."""
    for _ in range(3):
        QApplication.processEvents()


@pytest.mark.parametrize("sizes", [(SPOTS,), (SPOTS, SPOTS, SPOTS), (100_000,)], ids=str)
def test_a_step_of_the_slider(
    benchmark: BenchmarkFixture, make: Make, sizes: tuple[int, ...]
) -> None:
    """Marks, readout and painting."""
    panel = make(*sizes)
    places = count()
    last = panel.cut.slider.maximum()

    def step() -> None:
        panel.cut.slider.setValue(1 + 7 * next(places) % (last - 1))
        painted(panel)

    benchmark.pedantic(step, rounds=100, warmup_rounds=3)


@pytest.mark.parametrize("sizes", [(SPOTS,), (100_000,)], ids=str)
def test_draw_all_curves_again(
    benchmark: BenchmarkFixture, make: Make, sizes: tuple[int, ...]
) -> None:
    """What an edit of the truth asks of the plots, after the figures are there."""
    panel = make(*sizes)

    def draw() -> None:
        panel.inspection.runs.figures_changed.emit()
        painted(panel)

    benchmark.pedantic(draw, rounds=10, warmup_rounds=1)


@pytest.mark.parametrize("sizes", [(SPOTS,), (100_000,)], ids=str)
def test_point_at_a_curve(benchmark: BenchmarkFixture, make: Make, sizes: tuple[int, ...]) -> None:
    """Find what the pointer is at, among all spots."""
    plot = make(*sizes).plots[0]
    benchmark(lambda: plot.hit(QPointF(200, 80)))


def test_zoom(benchmark: BenchmarkFixture, make: Make) -> None:
    """A notch of the wheel moves all three plots."""
    panel = make(SPOTS)
    widths = count()

    def zoom() -> None:
        panel.plots[0].box.setXRange(0.1, 0.5 + 0.01 * (next(widths) % 30), padding=0)
        painted(panel)

    benchmark.pedantic(zoom, rounds=30)
