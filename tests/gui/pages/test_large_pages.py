"""Large pages: each is decoded once, and shown at once when it is opened again."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from spotlab.errors import BadInput
from spotlab.gui.kit import background
from spotlab.gui.kit.settings import Settings
from spotlab.gui.pages import loading
from spotlab.gui.pages.panel import page_model
from spotlab.gui.pages.panel.pages import PagesPanel
from spotlab.gui.pages.workbench import Workbench
from spotlab.gui.window.main_window import MainWindow
from tests.gui.windows import close, open_window, settle

SIZE = (4200, 3000)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two large pages with a black box each, on the left and on the right."""
    folder = tmp_path / "plans"
    folder.mkdir()
    for number, left in ((1, 200), (2, 2400)):
        image = Image.new("L", SIZE, 255)
        ImageDraw.Draw(image).rectangle((left, 500, left + 1500, 2500), fill=0)
        image.save(folder / f"plan_{number}.png", compress_level=1)
    return folder


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The pages that were decoded in full, one after the other."""
    names: list[str] = []
    for module, name in ((loading, "read_page"), (page_model, "read_thumbnail")):
        really = getattr(module, name)

        def note(path: Path, *args: Any, really: Any = really) -> np.ndarray:
            names.append(path.stem)
            return really(path, *args)

        monkeypatch.setattr(module, name, note)
    return names


def open_again(tmp_path: Path, folder: Path) -> Workbench:
    """What the next start does."""
    workbench = Workbench(Settings(tmp_path / "settings.json"))
    assert workbench.open_paths([folder])
    return workbench


def leave(workbench: Workbench) -> None:
    assert background.wait_for_all()
    assert workbench.close()


def has_picture(window: MainWindow, page: int) -> bool:
    window.panel(PagesPanel).list.viewport().repaint()
    return window.panel(PagesPanel).model.thumbnail(page) is not None


def test_a_page_is_shown_before_it_is_decoded_when_it_is_opened_again(
    qapp: object, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave(open_again(tmp_path, folder))
    seen = threading.Event()
    really = loading.read_page

    def after_the_preview(*args: Any) -> np.ndarray:
        assert seen.wait(20)
        return really(*args)

    monkeypatch.setattr(loading, "read_page", after_the_preview)
    workbench = open_again(tmp_path, folder)
    assert background.wait_until(lambda: workbench.pixels is not None)
    preview = workbench.pixels
    assert preview is not None and preview.preview
    small = preview.pyramid.pixels
    across, down = small.shape[1] / SIZE[0], small.shape[0] / SIZE[1]
    assert small[int(1500 * down), int(900 * across)] < 10  # in the box
    assert small[int(1500 * down), int(2400 * across)] > 245
    seen.set()
    assert background.wait_for_all()
    assert workbench.pixels is not None and not workbench.pixels.preview
    assert workbench.pixels.pyramid.pixels.shape == SIZE[::-1]
    leave(workbench)


def test_the_upper_part_of_a_page_is_shown_while_the_rest_is_decoded(
    qapp: object, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = threading.Event()
    really = loading.read_page

    def half_of_it_first(path: Path, frame: int, progress: Any, growing: Any) -> np.ndarray:
        page = really(path, frame, progress)
        there = np.zeros_like(page)
        there[:1600] = page[:1600]  # at once: it is looked at while it grows
        with growing.showing(there):
            assert seen.wait(20)
        return page

    monkeypatch.setattr(loading, "read_page", half_of_it_first)
    workbench = open_again(tmp_path, folder)
    assert background.wait_until(lambda: workbench.pixels is not None)
    assert workbench.pixels is not None and workbench.pixels.preview
    small = workbench.pixels.pyramid.pixels
    column, rows = int(900 * small.shape[1] / SIZE[0]), small.shape[0]
    assert small[rows // 3, column] == 0 and small[rows * 2 // 3, column] == 255
    seen.set()
    assert background.wait_for_all()
    assert not workbench.pixels.preview
    assert workbench.pixels.pyramid.pixels[2000, 900] == 0
    leave(workbench)


def test_of_a_page_that_is_damaged_below_nothing_stays(
    qapp: object, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = threading.Event()

    def damaged(path: Path, frame: int, progress: Any, growing: Any) -> np.ndarray:
        there = np.zeros(SIZE[::-1], np.uint8)
        there[:1600] = 90
        with growing.showing(there):
            assert seen.wait(20)
        raise BadInput(path, "the image is cut off")

    monkeypatch.setattr(loading, "read_page", damaged)
    window = open_window(tmp_path)
    window.open_paths([folder])
    assert background.wait_until(lambda: window.canvas.page_layer.shown)
    seen.set()
    settle()
    assert "cut off" in window.workbench.problem and window.workbench.pixels is None
    assert not window.canvas.page_layer.shown
    close(window)


def test_the_list_does_not_decode_what_the_canvas_has_decoded(
    qapp: object, tmp_path: Path, folder: Path, decoded: list[str]
) -> None:
    window = open_window(tmp_path, folder)
    for page in (0, 1):
        assert background.wait_until(lambda page=page: has_picture(window, page))
    settle()
    assert sorted(decoded) == ["plan_1", "plan_2"]
    close(window)
    decoded.clear()
    window = open_window(tmp_path, folder)
    for page in (0, 1):
        assert background.wait_until(lambda page=page: has_picture(window, page))
    settle()
    assert decoded == ["plan_1"], "the list needs none, the canvas the open page"
    close(window)


def test_the_list_waits_until_the_page_is_there(
    qapp: object, tmp_path: Path, folder: Path, decoded: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()
    really = loading.read_page

    def slowly(*args: Any) -> np.ndarray:
        assert go_on.wait(20)
        return really(*args)

    monkeypatch.setattr(loading, "read_page", slowly)
    window = open_window(tmp_path)
    window.open_paths([folder])
    assert not background.wait_until(lambda: bool(decoded), timeout=0.5)
    go_on.set()
    assert background.wait_until(lambda: has_picture(window, 1))
    assert decoded[0] == "plan_1"
    settle()
    close(window)
