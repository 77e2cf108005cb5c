"""Beside the columns of words: a step of the purge slider, of n, and the matrix, until drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication, QWidget
from pytest_benchmark.fixture import BenchmarkFixture

from spotlab.gui.words.matrix.word_matrix import WordMatrixPanel
from spotlab.gui.words.panels.word_settings import WordSettingsPanel
from spotlab.gui.words.scores.scores import ScoresPanel
from spotlab.gui.words.state.word_search import WordSource
from spotlab.model import RankedList
from spotlab.ranking.fusion import Evidence, FeatureScores
from tests.gui.words.listed_words import items, settled, showing, source

WORDS, LISTS = 10_000, 5
Make = Callable[[type[QWidget]], Any]


@pytest.fixture
def make(qapp: QApplication, tmp_path: Path) -> Iterator[Make]:
    with ExitStack() as stack:
        yield lambda kind: stack.enter_context(showing(tmp_path, kind, 380, 760))


def ranked() -> WordSource:
    """Five lists of ten thousand words, half of which are known to be right or wrong."""
    random = np.random.default_rng(0)
    truth = np.where(random.random(WORDS) < 0.5, (np.arange(WORDS) < 2000).astype(int), -1)
    scores = np.where(np.arange(WORDS) < 2000, 0.8, 0.5)
    given = tuple(
        RankedList.ordered(f"list {each}", scores + random.normal(0, 0.04 + 0.02 * each, WORDS))
        for each in range(LISTS)
    )
    long = source(items=items(WORDS), truth=truth.astype(np.int8), relevant=2000, evidence=None)
    return replace(long, given=given)


def searched(words: int) -> WordSource:
    """What a search may find, of which lists are made."""
    features = np.random.default_rng(1).normal(1, 1, (words, 96)).astype(np.float32)
    scores = FeatureScores(features / np.linalg.norm(features, axis=1)[:, None])
    query = scores.rows(np.array([0]))[0]
    evidence = Evidence(query, scores, scores.rows(np.arange(12)), query > 0.5)
    truth = np.ones(words, np.int8)
    return source(given=False, items=items(words), truth=truth, relevant=words, evidence=evidence)


def painted() -> None:
    for _ in range(3):
        QApplication.processEvents()


def test_a_step_of_the_purge_threshold(benchmark: BenchmarkFixture, make: Make) -> None:
    """Line, veil, dots, figures of five lists, and painting."""
    panel = make(ScoresPanel)
    panel.words.add_sources([ranked()])
    settled()
    places = count()

    def step() -> None:
        panel.words.set_threshold(0.55 + 0.0037 * (next(places) % 90))
        painted()

    benchmark.pedantic(step, rounds=100, warmup_rounds=3)
    benchmark.extra_info["lists x words"] = f"{LISTS} x {WORDS:,}"


def test_draw_five_lists_again(benchmark: BenchmarkFixture, make: Make) -> None:
    """What a judgement or a step of n asks of the plot."""
    panel = make(ScoresPanel)
    panel.words.add_sources([ranked()])
    settled()

    def draw() -> None:
        panel.words.ranking.changed.emit()
        painted()

    benchmark.pedantic(draw, rounds=20, warmup_rounds=2)


def test_point_at_the_lists(benchmark: BenchmarkFixture, make: Make) -> None:
    """Find the word under the pointer."""
    panel = make(ScoresPanel)
    panel.words.add_sources([ranked()])
    settled()
    benchmark(lambda: panel.plot.hit(QPointF(200, 120)))


def test_a_step_of_n(benchmark: BenchmarkFixture, make: Make) -> None:
    """The paper's five lists of a thousand words found are made again, in their thread."""
    panel = make(WordSettingsPanel)
    panel.words.ranking.show_fusions(["ws", "qe", "cr", "ml", "ml_cr"])
    panel.words.add_sources([searched(1000)])
    settled()
    steps = count()

    def step() -> None:
        panel.rows["top"].slider.setValue(next(steps) % 50)
        settled()

    benchmark.pedantic(step, rounds=40, warmup_rounds=3)


def test_show_a_matrix(benchmark: BenchmarkFixture, make: Make) -> None:
    """Four hundred words, ordered and drawn."""
    panel = make(WordMatrixPanel)
    panel.words.add_sources([searched(1000)])
    settled()

    def show() -> None:
        panel._shown = None
        panel.refresh()
        painted()

    benchmark.pedantic(show, rounds=20, warmup_rounds=2)
