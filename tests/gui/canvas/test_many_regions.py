"""Pages with many regions: lines are there soon, and smooth a little later."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from spotlab.gui.canvas import region_layer
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.label_chips import LabelChips
from spotlab.gui.canvas.region_tiles import Drawing, draw
from spotlab.gui.kit import background
from spotlab.model import Region
from tests.gui import gestures

SIDE = 2400


def squares(count: int) -> list[Region]:
    random = np.random.default_rng(5)
    corners = random.integers(0, SIDE - 80, (count, 2)).tolist()
    sides = random.integers(8, 80, count).tolist()
    return [
        Region(((x, y), (x + side, y), (x + side, y + side), (x, y + side)), "door", f"r{at}")
        for at, ((x, y), side) in enumerate(zip(corners, sides, strict=True))
    ]


@pytest.fixture
def canvas(tmp_path: Path, qapp: object) -> Iterator[Canvas]:
    page = np.full((SIDE, SIDE), 255, np.uint8)
    opened = gestures.open_page(tmp_path, page, squares(4000), (900, 700))
    assert opened.settle()
    yield opened
    gestures.close(opened)


def pixels(canvas: Canvas) -> NDArray[np.uint8]:
    assert canvas.settle()
    image = canvas.grab().toImage()
    return np.array(image.constBits(), np.uint8)


def test_every_tile_is_drawn_quickly_before_any_is_drawn_smoothly(
    canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[Any, bool]] = []

    def noted(drawing: Any, progress: Any) -> Any:
        drawn.append((drawing.matrix, drawing.smooth))
        return draw(drawing, progress)

    monkeypatch.setattr(region_layer, "draw", noted)
    gestures.wheel(canvas, (450, 350), 1)
    assert canvas.settle()
    last_scale = drawn[-1][0][0]  # a slow machine may draw some of the way there, too
    drawn = [(tile, smooth) for tile, smooth in drawn if tile[0] == last_scale]
    of_tile: dict[Any, list[bool]] = defaultdict(list)
    for tile, smooth in drawn:
        of_tile[tile].append(smooth)
    many = [tile for tile, times in of_tile.items() if times == [False, True]]
    few = [tile for tile, times in of_tile.items() if times == [True]]  # at the page's edge
    assert len(many) > 2
    assert len(many) + len(few) == len(of_tile)
    order = [smooth for tile, smooth in drawn if tile in many]
    assert order.index(True) >= len(many) - 1  # two are drawn at once


def test_what_is_seen_at_last_is_drawn_smoothly(
    canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    gestures.wheel(canvas, (450, 350), 1)
    found = pixels(canvas)
    monkeypatch.setattr(region_layer, "_MANY", 1_000_000)  # all smooth at once
    canvas.fit()
    assert canvas.settle()
    gestures.wheel(canvas, (450, 350), 1)
    assert np.array_equal(found, pixels(canvas))


def test_labels_look_for_places_when_the_lines_are_there(
    canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking: list[bool] = []
    paint = LabelChips.paint

    def noted(chips: LabelChips, *arguments: Any) -> None:
        lacking.append(canvas.region_layer.lacks(canvas.view))
        paint(chips, *arguments)

    monkeypatch.setattr(LabelChips, "paint", noted)
    gestures.wheel(canvas, (450, 350), 1)
    assert not canvas.settle(0.0)
    assert canvas.region_layer.lacks(canvas.view)
    assert canvas.settle()
    assert lacking and not any(lacking)


def test_lines_that_come_at_short_intervals_are_painted_together(
    canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    layer, told = canvas.region_layer, 0
    layer._soon.setInterval(600_000)
    arrived = layer._arrived

    def noted() -> None:
        nonlocal told
        told += 1
        arrived()

    monkeypatch.setattr(layer, "_arrived", noted)
    before = pixels(canvas)
    gestures.wheel(canvas, (450, 350), 1)
    assert canvas.settle()
    assert len(layer._sheet.images) > told == 1
    gestures.wheel(canvas, (450, 350), -1)
    assert (pixels(canvas) == before).all()


def test_nothing_is_painted_after_the_canvas_has_stopped(canvas: Canvas) -> None:
    layer = canvas.region_layer
    layer._soon.setInterval(600_000)
    gestures.wheel(canvas, (450, 350), 1)
    canvas.repaint()
    assert background.wait_until(layer._soon.isActive, 10)
    layer.stop()
    assert not layer._soon.isActive() and not layer.busy


def test_quick_lines_have_hard_edges(qapp: object) -> None:
    region = Region(((10, 10), (60, 20), (30, 70)), "door", "r0")
    smooth = Drawing([region], lambda _: (200, 30, 30), (1, 0, 0, 1, 0, 0), 1, (80, 80))
    colours = [
        len(np.unique(np.array(draw(each).constBits(), np.uint8).view(np.uint32)))
        for each in (smooth, replace(smooth, smooth=False))
    ]
    assert 3 <= colours[1] < colours[0] / 4  # paper, inside, line and few where lines meet
