"""Pages with many regions: lines are there soon, and their insides a little later."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter

from spotlab.gui.canvas import region_layer
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.label_chips import LabelChips
from spotlab.gui.canvas.region_layer import RegionLayer
from spotlab.gui.canvas.region_tiles import TileDrawing, draw
from spotlab.gui.canvas.view import FILL, casing_pen, line_pen, path_of
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


def test_all_tiles_have_their_lines_before_any_has_its_insides(
    canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[Any, bool]] = []

    def noted(drawing: Any, progress: Any) -> Any:
        drawn.append((drawing.matrix, drawing.fills))
        return draw(drawing, progress)

    monkeypatch.setattr(region_layer, "draw", noted)
    gestures.wheel(canvas, (450, 350), 1)
    assert canvas.settle()
    last_scale = drawn[-1][0][0]  # a slow machine may draw some of the way there, too
    drawn = [(tile, whole) for tile, whole in drawn if tile[0] == last_scale]
    of_tile: dict[Any, list[bool]] = defaultdict(list)
    for tile, whole in drawn:
        of_tile[tile].append(whole)
    many = [tile for tile, times in of_tile.items() if times == [False, True]]
    few = [tile for tile, times in of_tile.items() if times == [True]]  # at the page's edge
    assert len(many) > 2
    assert len(many) + len(few) == len(of_tile)
    order = [whole for tile, whole in drawn if tile in many]
    assert (
        order.index(True) >= len(many) - region_layer._AT_ONCE + 1
    )  # the last are being drawn then


def test_what_is_seen_at_last_is_what_is_drawn_at_once_where_there_are_few(
    canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    gestures.wheel(canvas, (450, 350), 1)
    found = pixels(canvas)
    monkeypatch.setattr(region_layer, "_MANY", 1_000_000)  # all at once
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


def tile(regions: list[Region], left: float, width: int, **more: Any) -> NDArray[np.uint8]:
    """A tile of 80 px in height that begins there."""
    colours = {"door": (200, 30, 30), "wall": (0, 0, 0)}
    matrix = (1, 0, 0, 1, -left, 0)
    drawing = TileDrawing(regions, lambda each: colours[each.label], matrix, 1, (width, 80), **more)
    image = draw(drawing)
    return np.array(image.constBits(), np.uint8).reshape(80, width, 4)


def test_lines_without_insides_are_those_with_them(qapp: object) -> None:
    regions = [Region(((10, 10), (60, 20), (30, 70)), "door")]
    lines, whole = (tile(regions, 0, 80, fills=fills) for fills in (False, True))
    inside = whole[..., 3] == FILL
    assert inside.sum() > 300
    assert not lines[inside].any()
    opaque = lines[..., 3] == 255
    assert 100 < opaque.sum() < 350  # 175 px long, 2 px wide with smooth edges
    assert np.array_equal(lines[opaque], whole[opaque])
    assert (whole[opaque] == (30, 30, 200, 255)).all()


def test_a_label_can_be_black(qapp: object) -> None:
    regions = [
        Region(((10, 10), (60, 10), (60, 60)), "wall"),
        Region(((5, 5), (9, 5), (9, 70)), "door"),
    ]
    seen = tile(regions, 0, 80)
    assert {tuple(colour) for colour in seen[seen[..., 3] == 255].tolist()} == {
        (0, 0, 0, 255),
        (30, 30, 200, 255),
    }
    assert tuple(seen[20, 50]) == (0, 0, 0, FILL)


@pytest.mark.parametrize("x", [76.0, 78.9, 80.0, 80.6, 82.0, 84.0])
def test_lines_along_the_edge_of_a_tile_are_whole(qapp: object, x: float) -> None:
    regions = [
        Region(((x, 5), (140, 30), (x, 75)), "door"),
        Region(((60, 40), (x, 9), (70, 50)), "wall"),
    ]
    parts = np.concatenate([tile(regions, left, 80) for left in (0, 80)], axis=1).astype(int)
    # OpenCV cuts off what is beyond a tile, which moves the rest by fractions of a pixel
    assert np.abs(parts - tile(regions, 0, 160)).max() <= 16


@pytest.mark.parametrize("ratio", [1, 2, 3])
def test_lines_are_as_wide_as_those_that_are_painted_directly(qapp: object, ratio: float) -> None:
    region = Region(((20.0, 20.0), (220.0, 90.0), (60.0, 200.0)), "door")
    size = (240, 240)
    image = draw(
        TileDrawing([region], lambda _: (200, 30, 30), (1, 0, 0, 1, 0, 0), ratio, size, fills=False)
    )
    by_painter = QImage(*size, QImage.Format.Format_ARGB32_Premultiplied)
    by_painter.fill(0)
    painter = QPainter(by_painter)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.strokePath(path_of(region), casing_pen(ratio))
    painter.strokePath(path_of(region), line_pen(QColor(200, 30, 30), ratio))
    painter.end()
    tiles, direct = (
        np.array(each.constBits(), np.uint8).reshape(*size, 4).astype(float)
        for each in (image, by_painter)
    )
    red = [each[..., 2].sum() - each[..., 0].sum() for each in (tiles, direct)]  # of the line alone
    assert red[0] == pytest.approx(red[1], rel=0.2)
    covered = [each[..., 3].sum() for each in (tiles, direct)]
    assert covered[0] == pytest.approx(covered[1], rel=0.2)


def test_no_tile_is_begun_while_a_frame_is_painted(
    canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = 0
    painting = False
    begun: list[bool] = []
    paint, run = RegionLayer.paint, background.run

    def painted(self: RegionLayer, *given: Any) -> None:
        nonlocal frames, painting
        frames, painting = frames + 1, True
        paint(self, *given)
        painting = False

    def noted(function: Any, *given: Any, **named: Any) -> Any:
        if function is draw:
            begun.append(painting)
        return run(function, *given, **named)

    monkeypatch.setattr(RegionLayer, "paint", painted)
    monkeypatch.setattr(background, "run", noted)
    gestures.wheel(canvas, (450, 350), 3)
    assert canvas.settle()
    for start, end in (((450, 350), (100, 60)), ((450, 350), (800, 650))):
        gestures.drag(canvas, [start, end], button=Qt.MouseButton.MiddleButton)
        assert canvas.settle()
    assert frames and begun and not any(begun)
