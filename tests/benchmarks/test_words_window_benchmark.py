"""The whole window with five lists of ten thousand words: a drag of the purge, and a judgement."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QApplication
from pytest_benchmark.fixture import BenchmarkFixture

from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.words.columns import WordColumns
from spotlab.gui.words.scores.scores import ScoresPanel
from spotlab.gui.words.state.word_search import USUAL, WordSource
from spotlab.gui.words.state.words import Words
from spotlab.model import Items, RankedList
from spotlab.ranking.fusion import Evidence, FeatureScores
from tests.gui import gestures, windows
from tests.gui.words import listed_words

WORDS, LISTS, PAGES = 10_000, 5, 15
DRAG, JUDGEMENT = 16.0, 100.0  # ms, the targets
CELL = (120, 36)  # px from one word of a page to the next


def collection(folder: Path) -> Items:
    """Pages full of words, in rows and columns."""
    random = np.random.default_rng(2)
    on_page = WORDS // PAGES + 1
    per_row = 17
    number = np.arange(WORDS)
    place = number % on_page
    left, top = 20.0 + CELL[0] * (place % per_row), 20.0 + CELL[1] * (place // per_row)
    boxes = np.column_stack([left, top, left + 100, top + 28])
    height, width = int(top.max()) + 60, int(left.max()) + 130
    names = tuple(f"page_{each:02}" for each in range(PAGES))
    for name in names:
        page = random.integers(190, 255, (height, width), dtype=np.uint8)
        for x, y, *_ in boxes[:on_page].astype(int):
            cv2.putText(page, "Company", (x, y + 22), cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, 0.8, 20, 2)
        cv2.imwrite(str(folder / f"{name}.png"), page)
    return Items(names, number // on_page, boxes)


def given_lists() -> tuple[RankedList, ...]:
    """Lists as a search makes them: what is right scores high."""
    random = np.random.default_rng(0)
    scores = np.where(np.arange(WORDS) < 2000, 0.8, 0.5)
    return tuple(
        RankedList.ordered(f"list {each}", scores + random.normal(0, 0.04 + 0.02 * each, WORDS))
        for each in range(LISTS)
    )


def evidence() -> Evidence:
    """What the paper's five lists are made of."""
    features = np.random.default_rng(1).normal(1, 1, (WORDS, 96)).astype(np.float32)
    scores = FeatureScores(features / np.linalg.norm(features, axis=1)[:, None])
    query = scores.rows(np.array([0]))[0]
    return Evidence(query, scores, scores.rows(np.arange(12)), query > 0.5)


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("pages")
    window_items = collection(folder)
    window = windows.open_window(tmp_path_factory.mktemp("home"), folder, size=(1600, 1000))
    window.enter("words")
    windows.settle()
    window.items_of_benchmark = window_items  # type: ignore[attr-defined]
    yield window
    windows.close(window)


def source_of(window: MainWindow, title: str) -> WordSource:
    truth = np.where(np.arange(WORDS) % 2, (np.arange(WORDS) < 2000).astype(int), -1)
    items: Items = window.items_of_benchmark  # type: ignore[attr-defined]
    return listed_words.source(
        title, items=items, truth=truth.astype(np.int8), relevant=1000, evidence=None
    )  # fmt: skip


def painted() -> None:
    for _ in range(3):
        QApplication.processEvents()


def columns_of(window: MainWindow) -> WordColumns:
    columns = window.above["words"]
    assert isinstance(columns, WordColumns)
    return columns


def test_drag_the_purge_threshold(benchmark: BenchmarkFixture, window: MainWindow) -> None:
    """A move of the pointer, until plot, scale, table, columns and page have followed."""
    words = window.workbench.state(Words)
    words.ranking.show_fusions([])
    words.add_sources([replace(source_of(window, "given"), given=given_lists())])
    windows.settle()
    panel = window.panels["scores"]
    assert isinstance(panel, ScoresPanel)
    columns, viewport = columns_of(window), panel.plot.viewport()
    columns.commands.choose(0, 1500)
    windows.settle()
    start = panel.plot.place_on_viewport((400.0, words.threshold))
    lowest = panel.plot.place_on_viewport((400.0, 0.55)).y()
    highest = panel.plot.place_on_viewport((400.0, 0.9)).y()
    ways = cycle([*np.arange(highest, lowest, 1.0), *np.arange(lowest, highest, -1.0)])
    gestures.press(viewport, (start.x(), start.y()))
    spent, busy = [], []

    def step() -> None:
        before, work = time.perf_counter(), time.thread_time()
        gestures.move(viewport, (start.x(), next(ways)), gestures.LEFT)
        painted()
        spent.append(1000 * (time.perf_counter() - before))
        busy.append(1000 * (time.thread_time() - work))
        assert cuts_are_visible(columns)

    benchmark.pedantic(step, rounds=300, warmup_rounds=5)
    gestures.release(viewport, (start.x(), start.y()))
    said(benchmark, spent, DRAG)
    benchmark.extra_info["p95 ms of work"] = float(np.percentile(busy, 95))  # of this thread


def cuts_are_visible(columns: WordColumns) -> bool:
    """Whether the last kept and the first purged word of every list are in sight."""
    geometry, threshold = columns.cells.geometry, columns.words.threshold
    seen = QRectF(columns.viewport().rect())
    for column, shown in enumerate(columns.words.ranking.lists):
        kept, count = shown.kept(threshold), len(shown.ranked)
        for row in (max(kept - 1, 0), min(kept, count - 1)):
            frame = geometry.frame(column, row)
            if not (seen.top() <= frame.top() and frame.bottom() <= seen.bottom()):
                return False
    return True


@pytest.mark.parametrize("re_ranked", [True, False])
def test_a_judgement(benchmark: BenchmarkFixture, window: MainWindow, re_ranked: bool) -> None:
    """The key, the lists made of what is known now, and everything painted."""
    words, columns = window.workbench.state(Words), columns_of(window)
    words.ranking.set_feedback(re_ranked)
    words.ranking.show_fusions(USUAL)
    searched = replace(source_of(window, f"made {re_ranked}"), evidence=evidence())
    words.add_sources([searched])
    assert background.wait_until(lambda: not words.ranking.busy, 60)
    windows.settle()
    columns.commands.choose(2, 3)
    windows.settle()
    spent = []

    def judge() -> None:
        before = time.perf_counter()
        gestures.key(columns, Qt.Key.Key_R if len(spent) % 3 else Qt.Key.Key_G)
        while words.ranking.busy:
            QApplication.processEvents()
        painted()
        spent.append(1000 * (time.perf_counter() - before))

    benchmark.pedantic(judge, rounds=30, warmup_rounds=2, setup=windows.settle)
    said(benchmark, spent, JUDGEMENT)


def said(benchmark: BenchmarkFixture, spent: list[float], target: float) -> None:
    """Tell how far from the target it is."""
    benchmark.extra_info["median ms"] = float(np.median(spent))
    benchmark.extra_info["p95 ms"] = float(np.percentile(spent, 95))
    benchmark.extra_info["target / p95"] = target / float(np.percentile(spent, 95))
    benchmark.extra_info["lists x words"] = f"{LISTS} x {WORDS:,}"
