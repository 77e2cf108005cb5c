"""Frames of the columns of ranked words: five lists of 10,000, scrolled by real wheel events."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.words.columns import WordColumns
from spotlab.gui.words.state.words import Words
from spotlab.model import Items, RankedList
from tests.gui import gestures
from tests.gui.words import listed_words

COUNT, LISTS, FRAMES = 10_000, 5, 150
TARGET = 16.0  # ms


@pytest.fixture(scope="module")
def columns(tmp_path_factory: Any, qapp: QApplication) -> Iterator[WordColumns]:
    rng = np.random.default_rng(4)
    page = rng.integers(120, 255, (3000, 2000), dtype=np.uint8)
    left, top = rng.integers(0, 1700, COUNT), rng.integers(0, 2900, COUNT)
    width = rng.integers(60, 280, COUNT)
    boxes = np.column_stack([left, top, left + width, top + 70]).astype(float)
    items = Items(("page",), np.zeros(COUNT, int), boxes)

    def make(workbench: Workbench) -> WordColumns:
        def crop(item: int) -> np.ndarray:
            x0, y0, x1, y1 = boxes[item].astype(int)
            return page[y0:y1, x0:x1]

        workbench.state(Words).crop = crop  # type: ignore[method-assign]
        return WordColumns(workbench.state(Words))

    lists = tuple(RankedList.ordered(f"list {at}", rng.random(COUNT)) for at in range(LISTS))
    truth = rng.integers(-1, 2, COUNT).astype(np.int8)
    source = listed_words.source(
        items=items, truth=truth, relevant=int((truth == 1).sum()), evidence=None,
        example=None,
    )  # fmt: skip
    folder: Path = tmp_path_factory.mktemp("words")
    with listed_words.showing(folder, make, 1280, 900) as view:
        view.words.ranking.feedback = False
        view.words.add_sources([replace(source, given=lists)])
        listed_words.settled()
        yield view


@pytest.mark.parametrize("what", ["scroll", "scroll with all arrows", "far"])
def test_scroll(benchmark: Any, columns: WordColumns, what: str) -> None:
    """An event and the frame after it; pictures come in while it scrolls."""
    columns.set_all_moves("arrows" in what)
    bar = columns.verticalScrollBar()
    bar.setValue(0)
    columns.commands.choose(1, 3)
    spent = []

    def frame() -> None:
        before = time.perf_counter()
        if what == "far":
            bar.setValue((bar.value() + 26_417) % bar.maximum())
        else:
            gestures.wheel(columns.viewport(), (500, 400), -1)
        QApplication.processEvents()
        spent.append(1000 * (time.perf_counter() - before))

    benchmark.pedantic(frame, rounds=FRAMES, iterations=1, warmup_rounds=5)
    benchmark.extra_info["median ms"] = float(np.median(spent))
    benchmark.extra_info["p95 ms"] = float(np.percentile(spent, 95))
    benchmark.extra_info["target / p95"] = TARGET / float(np.percentile(spent, 95))
    benchmark.extra_info["dots a px"] = columns.devicePixelRatioF()
