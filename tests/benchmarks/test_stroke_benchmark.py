"""From letting go of the pen to the region on the screen, and what a large page costs in memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit import background
from spotlab.imaging.reading.pixels import read_page
from spotlab.lab.draw.floorplans import make_page
from spotlab.lab.draw.plans.options import FloorPlanOptions
from tests.benchmarks.sizes import full_only
from tests.benchmarks.test_hit_benchmark import regions
from tests.gui import gestures, windows

PLAN = "f23ccf42b9c42bfe7c37a1fb7a1ea100e3d34596.png"
BED = (1697, 2395, 2061, 2678)
STROKES = 60

MEMORY = """
import sys
from pathlib import Path
from PySide6.QtWidgets import QApplication
from spotlab.processes import share_one_heap
share_one_heap()  # as the program does when it starts
app = QApplication([])
from tests.gui import gestures
from tests.gui import windows
folder = Path(sys.argv[1])
window = windows.open_window(folder.parent, folder)
canvas = window.canvas
gestures.background.wait_for_all(120)
canvas.settle(60)
for _ in range(6):
    gestures.wheel(canvas, (500, 300))
    canvas.settle(60)
stroke = gestures.around(4000, 4000, 4400, 4400)
gestures.drag(canvas, gestures.on_screen(canvas, stroke))
window.workbench.ink.set_view("components")
canvas.settle(60)
sizes = dict(line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
print(*(int(sizes[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM")))
"""


@pytest.fixture
def drawn_plan() -> np.ndarray:
    """A floor plan of the size of the paper's."""
    pixels, _ = make_page(1, 5, FloorPlanOptions())
    assert pixels.shape == (2064, 3215)
    return pixels


def release(benchmark: Any, canvas: Canvas, box: tuple[int, int, int, int]) -> None:
    """Time the release alone: ink, hull, journal, the region in the document."""
    places = gestures.on_screen(canvas, gestures.around(*box))

    def draw() -> None:
        canvas.workbench.editing.undo()
        background.wait_for_all()
        gestures.drag(canvas, places, let_go=False)
        background.wait_for_all()

    def let_go() -> None:
        gestures.release(canvas, places[-1])

    benchmark.pedantic(let_go, setup=draw, rounds=STROKES, warmup_rounds=2)
    assert canvas.workbench.document is not None
    assert len(canvas.workbench.document) == 1


@pytest.fixture
def opened(tmp_path: Path, qapp: QApplication) -> Iterator[list[Canvas]]:
    canvases: list[Canvas] = []
    yield canvases
    for canvas in canvases:
        gestures.close(canvas)


def test_release_on_a_real_plan_of_64_million_pixels(
    benchmark: Any, shared_data: Path, tmp_path: Path, opened: list[Canvas]
) -> None:
    pixels = read_page(shared_data / "mlstruct_fp" / PLAN)
    opened.append(gestures.open_page(tmp_path, pixels, size=(1600, 1000)))
    opened[0].view.zoom_to(0.5, 800, 500)
    opened[0].view.centre_on(1900, 2500)
    release(benchmark, opened[0], BED)


def test_release_of_a_stroke_of_250_px(
    benchmark: Any, drawn_plan: np.ndarray, tmp_path: Path, opened: list[Canvas]
) -> None:
    opened.append(gestures.open_page(tmp_path, drawn_plan, size=(1600, 1000)))
    ink = opened[0].workbench.ink.page
    assert ink is not None
    assert ink.components is not None
    bounds = ink.components.bounds
    sizes = bounds[:, 2:] - bounds[:, :2]
    of_size = np.flatnonzero((sizes.max(axis=1) > 110) & (sizes.max(axis=1) < 170))
    release(benchmark, opened[0], tuple(bounds[of_size[0]].tolist()))


@full_only
def test_release_among_20_000_regions_until_it_is_painted(
    benchmark: Any, tmp_path: Path, qapp: QApplication
) -> None:
    """The whole window with its panels, on a page of 100 million pixels."""
    folder = tmp_path / "pages"
    folder.mkdir()
    page = np.full((10_000, 10_000), 255, np.uint8)
    cv2.rectangle(page, (4_900, 4_900), (5_000, 4_990), 0, 3)
    cv2.imwrite(str(folder / "page.png"), page, [cv2.IMWRITE_PNG_COMPRESSION, 1])
    window = windows.open_window(tmp_path / "settings", folder, size=(1600, 1000))
    workbench, canvas = window.workbench, window.canvas
    assert workbench.document is not None
    workbench.editing.do("Draw", workbench.document.adding(*regions(20_000)))
    workbench.save()
    workbench.set_tool("sketch")
    canvas.zoom_to(1)
    canvas.centre_on(5_000, 5_000)
    background.wait_for_all(300)
    canvas.settle(60)
    places = gestures.on_screen(canvas, gestures.around(4_900, 4_900, 5_001, 4_991))

    def draw() -> None:
        if workbench.document is not None and len(workbench.document) > 20_000:
            workbench.editing.undo()
        canvas.settle(60)
        gestures.drag(canvas, places, let_go=False)
        background.wait_for_all()

    def let_go() -> None:
        """Lists are brought up to date when this has been painted."""
        gestures.mouse(canvas, QEvent.Type.MouseButtonRelease, places[-1], gestures.LEFT)
        while len(workbench.document or ()) == 20_000:
            QApplication.sendPostedEvents(None, QEvent.Type.MetaCall.value)
        canvas.repaint()

    benchmark.pedantic(let_go, setup=draw, rounds=STROKES, warmup_rounds=2)
    assert len(workbench.document) == 20_001
    windows.close(window)


@pytest.mark.parametrize("colours", [pytest.param("grey", marks=full_only), "colour"])
def test_memory_of_a_page_of_100_million_pixels(
    benchmark: Any, tmp_path: Path, colours: str
) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    tile, _ = make_page(1, 5, FloorPlanOptions(width=5000, height=5000))
    page = np.tile(tile, (2, 2))
    if colours == "colour":
        page = np.dstack([page, page, np.where(page > 0, page, 90)])
    cv2.imwrite(str(folder / "page.jpg"), page, [cv2.IMWRITE_JPEG_QUALITY, 90])
    del page

    def open_and_work() -> list[int]:
        done = subprocess.run(
            [sys.executable, "-c", MEMORY, str(folder)],
            cwd=Path(__file__).parents[2],
            env={"QT_QPA_PLATFORM": "offscreen", "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        )
        return [int(value) for value in done.stdout.split()]

    now, most = benchmark.pedantic(open_and_work, rounds=1)
    benchmark.extra_info["MB now"] = round(now / 1e6)
    benchmark.extra_info["MB at most"] = round(most / 1e6)
