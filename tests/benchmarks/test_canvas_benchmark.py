"""Frames of the canvas while one pans, zooms, hovers, edits and sketches, by real events."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit import background
from tests.benchmarks.sizes import FULL, sized
from tests.benchmarks.test_hit_benchmark import regions
from tests.gui import gestures

SIDE = 10_000
FRAMES = 120


def resident() -> int:
    """Bytes of memory that the process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def drawing(side: int = SIDE) -> np.ndarray:
    """Paper with many thin lines and circles."""
    rng = np.random.default_rng(3)
    page = np.full((side, side), 255, np.uint8)
    for x, y, dx, dy in rng.integers(-400, side, (4000, 4)) % side:
        cv2.line(page, (x, y), (x + dx % 300, y + dy % 300), 0, 2)
        cv2.circle(page, (y, x), int(20 + dx % 60), 0, 2)
    return page


@pytest.fixture(scope="module", params=[5_000, 20_000] if FULL else [20_000])
def canvas(request: Any, tmp_path_factory: Any, qapp: QApplication) -> Iterator[Canvas]:
    os.environ["XDG_CONFIG_HOME"] = str(tmp_path_factory.mktemp("config"))
    folder = tmp_path_factory.mktemp("pages")
    opened = gestures.open_page(folder, drawing(), regions(request.param), (1600, 1000))
    opened.workbench.save()
    background.wait_for_all(120)
    yield opened
    gestures.close(opened)


def paint_asked() -> None:
    """Paint what has asked for it, as the next frame of a screen does."""
    QApplication.sendPostedEvents(None, QEvent.Type.UpdateRequest.value)


def measure(
    benchmark: Any,
    canvas: Canvas,
    event: Callable[[int], object],
    paint: Callable[[], object] | None = None,
) -> None:
    """Time an event and the frame after it; between frames what threads have done comes in."""
    numbers = count()
    canvas.settle()

    def frame() -> None:
        event(next(numbers))
        (paint or canvas.repaint)()

    def others() -> None:
        QApplication.processEvents()
        time.sleep(0.004)  # a hand is not quicker

    benchmark.pedantic(frame, setup=others, rounds=FRAMES, warmup_rounds=2)
    benchmark.extra_info["scale"] = f"{canvas.devicePixelRatioF():g}"
    benchmark.extra_info["zoom"] = f"{canvas.view.scale:.2f}"


@pytest.mark.parametrize("zoom", [0.0, 0.3, 1.0])
def test_pan(benchmark: Any, canvas: Canvas, zoom: float) -> None:
    canvas.fit()
    if zoom:
        canvas.view.zoom_to(zoom, 800, 500)
    gestures.press(canvas, (800, 500), gestures.MIDDLE)

    def pan(number: int) -> None:
        place = (800 + 300 * np.sin(number / 9), 500 + 200 * np.cos(number / 11))
        gestures.move(canvas, place, gestures.MIDDLE)

    measure(benchmark, canvas, pan)
    gestures.release(canvas, (800, 500), gestures.MIDDLE)


def test_zoom(benchmark: Any, canvas: Canvas) -> None:
    canvas.fit()

    def zoom(number: int) -> None:
        gestures.wheel(canvas, (700, 450), 1 if number // 20 % 2 == 0 else -1)

    measure(benchmark, canvas, zoom)


def test_hover(benchmark: Any, canvas: Canvas) -> None:
    canvas.fit()
    measure(
        benchmark,
        canvas,
        lambda number: gestures.move(canvas, (400 + 7 * number % 800, 300 + 3 * number % 400)),
        paint_asked,
    )


def test_move_a_region(benchmark: Any, canvas: Canvas) -> None:
    canvas.workbench.set_tool("select")
    canvas.fit()
    canvas.view.zoom_to(0.5)
    gestures.press(canvas, (800, 500))
    measure(
        benchmark,
        canvas,
        lambda number: gestures.move(canvas, (820 + number, 510 + number % 50), gestures.LEFT),
    )
    canvas.cancel()
    gestures.release(canvas, (800, 500))


def test_draw_a_stroke(benchmark: Any, canvas: Canvas) -> None:
    canvas.workbench.set_tool("sketch")
    canvas.fit()
    canvas.view.zoom_to(0.5)
    gestures.press(canvas, (900, 500))

    def draw(number: int) -> None:
        angle = number / 20
        place = (800 + 200 * np.cos(angle), 500 + 200 * np.sin(angle))
        gestures.move(canvas, place, gestures.LEFT)

    measure(benchmark, canvas, draw)
    canvas.cancel()
    gestures.release(canvas, (800, 500))


def test_settle(benchmark: Any, canvas: Canvas) -> None:
    """From a change of zoom until all is there in full quality."""
    numbers = count()

    def zoom() -> None:
        canvas.fit()
        canvas.view.zoom_to(0.1 + 0.001 * (next(numbers) % 7))
        canvas.settle()

    benchmark.pedantic(zoom, rounds=5)
    benchmark.extra_info["scale"] = f"{canvas.devicePixelRatioF():g}"


def test_lines_are_there(benchmark: Any, canvas: Canvas) -> None:
    """From a change of zoom until the lines of all regions in sight are there."""
    layer, numbers = canvas.region_layer, count()

    def begin() -> None:
        canvas.fit()
        canvas.settle()

    def zoom() -> None:
        canvas.view.zoom_to(0.1 + 0.001 * (1 + next(numbers) % 7))
        canvas.repaint()
        assert background.wait_until(
            lambda: all(at in layer._sheet.images for at in layer._addresses(canvas.view)), 10
        )

    benchmark.pedantic(zoom, setup=begin, rounds=10)
    benchmark.extra_info["scale"] = f"{canvas.devicePixelRatioF():g}"


def test_pages_come_and_go(benchmark: Any, tmp_path: Path, qapp: QApplication) -> None:
    """Opening pages on and on; what the process holds at the end against after the first 20."""
    for number in range(2):
        Image.fromarray(drawing(2000)).save(tmp_path / f"other_{number}.png", compress_level=1)
    canvas = gestures.open_page(tmp_path, drawing(2000), regions(300))
    held: list[int] = []
    numbers = count()

    def cycle() -> None:
        canvas.workbench.open_page(next(numbers) % 3)
        background.wait_for_all()
        canvas.settle()
        gestures.wheel(canvas, (400, 300), 3)
        canvas.settle()
        held.append(resident())

    benchmark.pedantic(cycle, rounds=sized(200, 80))
    growth = np.median(held[-20:]) / np.median(held[10:30]) - 1
    benchmark.extra_info["memory_growth"] = f"{growth:.1%}"
    gestures.close(canvas)
    assert growth <= 0.05
