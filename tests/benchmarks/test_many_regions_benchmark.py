"""What the window's thread computes for one step on 50,000 regions, with the frame after it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from tests.benchmarks.test_hit_benchmark import regions
from tests.gui import windows

COUNT, SIDE = 50_000, 10_000


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("pages")
    white = np.full((SIDE, SIDE), 255, np.uint8)
    Image.fromarray(white).save(folder / "plan.png", compress_level=1)
    opened = windows.open_window(tmp_path_factory.mktemp("settings"))
    opened.open_paths([folder])
    background.wait_for_all(300)
    workbench = opened.workbench
    assert workbench.document is not None
    workbench.editing.do("Draw", workbench.document.adding(*regions(COUNT)))
    workbench.save()
    background.wait_for_all(300)
    yield opened
    windows.close(opened)


@pytest.mark.parametrize("step", ["select all", "label", "delete", "undo"])
def test_a_step_on_50_000_regions(benchmark: Any, window: MainWindow, step: str) -> None:
    workbench = window.workbench
    assert workbench.document is not None
    if step == "select all":
        workbench.selection.clear()
    if step == "delete":
        workbench.selection.set(workbench.document.ids)
    QApplication.processEvents()
    background.wait_for_all(300)
    taken: list[float] = []

    def take() -> None:
        start = time.thread_time()
        match step:
            case "select all":
                window.actions_by_id.trigger("edit.select_all")
            case "label":
                workbench.editing.apply_label("chair")
            case "delete":
                window.actions_by_id.trigger("edit.delete")
            case _:
                window.actions_by_id.trigger("edit.undo")
        taken.append(time.thread_time() - start)
        window.canvas.repaint()
        taken.append(time.thread_time() - start)

    benchmark.pedantic(take, rounds=1)
    background.wait_for_all(300)
    benchmark.extra_info["CPU ms"] = round(taken[0] * 1000)
    benchmark.extra_info["with the frame"] = round(taken[1] * 1000)
