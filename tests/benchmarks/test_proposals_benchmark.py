"""How soon the first proposals are there, and what 500 of them cost a frame."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.spotting.symbols.proposals.candidate_classifier import Proposal
from tests.benchmarks.sizes import sized
from tests.gui import gestures
from tests.gui.annotate.alike import calm, open_plans

MANY = 500


@pytest.fixture
def window(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MainWindow]:
    window, _ = open_plans(tmp_path, monkeypatch, ("plan_001",), real=True, size=(1600, 1000))
    yield window
    window.workbench.state(Proposals).pages.end()
    window.close()
    background.wait_for_all(30)


def chair(window: MainWindow) -> str:
    return next(each.id for each in window.workbench.document or () if each.label == "chair")


@pytest.mark.parametrize("known", [False, True], ids=["first time", "page seen before"])
def test_from_the_key_to_the_first_proposals(
    benchmark: Any, window: MainWindow, tmp_path: Path, known: bool
) -> None:
    workbench = window.workbench
    proposals = workbench.state(Proposals)
    folders = count()

    def setup() -> None:
        proposals.pages.forget()
        if not known:
            proposals.pages.cache = tmp_path / f"cache {next(folders)}"
        workbench.selection.set([chair(window)])

    def find() -> None:
        proposals.find()
        assert background.wait_until(lambda: bool(proposals.shown), 30)

    if known:
        setup()
        find()
    benchmark.pedantic(find, setup=setup, rounds=sized(5, 3))
    benchmark.extra_info["proposals"] = len(proposals.shown)


def test_from_an_answer_to_the_next_ranking(benchmark: Any, window: MainWindow) -> None:
    workbench = window.workbench
    proposals = workbench.state(Proposals)
    workbench.selection.set([chair(window)])
    proposals.find()
    calm(window)

    def take_back() -> None:
        proposals.undo()
        assert background.wait_until(lambda: not proposals.pages.looking, 30)

    def answer() -> None:
        proposals.reject()
        assert background.wait_until(lambda: not proposals.pages.looking, 30)

    benchmark.pedantic(answer, setup=take_back, rounds=10)


@pytest.mark.parametrize("zoom", [0.0, 1.0, 3.0])
def test_a_frame_with_many_proposals(benchmark: Any, window: MainWindow, zoom: float) -> None:
    canvas, proposals = window.canvas, window.workbench.state(Proposals)
    entry = window.workbench.entry
    window.workbench.selection.set([chair(window)])
    proposals.find()
    calm(window)
    assert entry is not None
    proposals.list.put(entry, many(canvas.view.page_size), worth=0.0)
    assert len(proposals.shown) == MANY
    canvas.fit()
    if zoom:
        canvas.view.zoom_to(zoom, 600, 450)
    canvas.settle()
    gestures.press(canvas, (600, 450), gestures.MIDDLE)
    numbers = count()

    def frame() -> None:
        number = next(numbers)
        place = (600 + 60 * np.sin(number / 9), 450 + 40 * np.cos(number / 11))
        gestures.move(canvas, place, gestures.MIDDLE)
        canvas.repaint()

    def others() -> None:
        QApplication.processEvents()
        time.sleep(0.004)

    benchmark.pedantic(frame, setup=others, rounds=100, warmup_rounds=3)
    gestures.release(canvas, (600, 450), gestures.MIDDLE)


def many(size: tuple[int, int]) -> list[Proposal]:
    """Hulls of 16 corners all over a page."""
    rng = np.random.default_rng(6)
    turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    ring = np.stack([np.cos(turns), np.sin(turns)], 1)
    middles = rng.random((MANY, 2)) * size
    labels = ("chair", "sofa", "bed", "table", "sink")
    return [
        Proposal("plan_001", labels[number % 5], ring * rng.uniform(12, 40) + middle, score)
        for number, (middle, score) in enumerate(
            zip(middles, np.linspace(0.99, 0.6, MANY).tolist(), strict=True)
        )
    ]
