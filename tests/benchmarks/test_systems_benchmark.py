"""Systems on a million items: one step of a weight with everything following, and scrolling."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture

from spotlab.consensus.votes import Votes
from spotlab.formats.votes.format import VoteTable
from spotlab.gui.kit import background
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.systems.centre import SystemsCentre
from spotlab.gui.systems.ranking.ranking import WeightsPanel
from spotlab.gui.systems.state import Systems, load
from spotlab.gui.window.main_window import MainWindow
from spotlab.progress import silent
from tests.gui import gestures, windows

ITEMS, SYSTEMS = 1_000_000, 24


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    """24 systems, a million items, the truth known; nothing is computed in the background."""
    random = np.random.default_rng(0)
    truth = random.random(ITEMS) < 0.3
    chance = np.where(truth[:, None], np.linspace(0.5, 0.95, SYSTEMS), 0.1)
    votes = Votes.of(
        random.random((ITEMS, SYSTEMS)) < chance, [f"system {n}" for n in range(SYSTEMS)]
    )
    table = VoteTable(votes, tuple(map(str, range(ITEMS))), truth=truth.astype(float))
    window = MainWindow(Workbench(Settings(tmp_path_factory.mktemp("window") / "settings.json")))
    window.resize(1440, 900)
    window.show()
    window.enter("systems")
    window.workbench.state(Systems).use(load(table, silent))
    background.wait_for_all(600)
    QApplication.processEvents()
    yield window
    windows.close(window)


def test_a_step_of_a_weight(benchmark: BenchmarkFixture, window: MainWindow) -> None:
    """From the slider's step until all panels are painted anew."""
    window.docks.bring("weights")
    panel = window.panels["weights"]
    assert isinstance(panel, WeightsPanel)
    slider = panel.rows["system 7"].slider
    steps = cycle([*range(99, 0, -1), *range(1, 100)])

    def step() -> None:
        slider.setValue(next(steps))
        QApplication.processEvents()

    benchmark.pedantic(step, rounds=60, warmup_rounds=3)
    benchmark.extra_info.update(
        items=ITEMS, systems=SYSTEMS, median_ms=benchmark.stats.stats.median * 1000
    )
    assert window.workbench.state(Systems).truth is not None


def test_scrolling_the_votes(benchmark: BenchmarkFixture, window: MainWindow) -> None:
    """A page further, fetched and painted."""
    centre = window.above["systems"]
    assert isinstance(centre, SystemsCentre)
    gestures.click_tab(centre, "Votes")
    panel = centre.votes
    bar = panel.view.verticalScrollBar()
    places = cycle(range(0, ITEMS - 1000, 9973))

    def scroll() -> None:
        bar.setValue(next(places))
        QApplication.processEvents()

    benchmark.pedantic(scroll, rounds=60, warmup_rounds=3)
    benchmark.extra_info.update(items=ITEMS, rows=panel.view.viewport().height() // 22)


def test_most_disputed_first(benchmark: BenchmarkFixture, window: MainWindow) -> None:
    """A million items sorted by P(δ), in a thread."""
    centre = window.above["systems"]
    assert isinstance(centre, SystemsCentre)
    gestures.click_tab(centre, "Votes")
    panel = centre.votes
    orders = cycle(["disputed", "likely"])

    def sort() -> None:
        panel.order_by(next(orders))  # type: ignore[arg-type]
        background.wait_for_all()

    benchmark.pedantic(sort, rounds=4)
    panel.order_by("file")
