"""What the canvas really paints, looked at pixel by pixel."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPointF
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from spotlab.gui.canvas import overlay
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.region_tiles import TileCache
from spotlab.gui.canvas.view import line_pen
from spotlab.imaging.reading.pyramid import Pyramid, halve
from spotlab.model import Primitive, Region
from tests.gui import gestures

SQUARE = Region(((200, 200), (300, 200), (300, 300), (200, 300)), "sofa", primitive=Primitive.BOX)


@pytest.fixture
def shown(tmp_path: Path, qtbot: QtBot) -> Iterator[list[Canvas]]:
    """Canvases that are closed at the end."""
    canvases: list[Canvas] = []
    yield canvases
    for canvas in canvases:
        gestures.close(canvas)


def picture(canvas: Canvas) -> np.ndarray:
    """(height, width, 3) of what is on the screen."""
    assert canvas.settle()
    return pixels(canvas.grab().toImage())


def pixels(image: QImage) -> np.ndarray:
    """(height, width, 3) of a picture."""
    image = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)


def at(canvas: Canvas, x: float, y: float) -> tuple[int, int]:
    """(row, column) of the picture where a place of the page is."""
    ratio = canvas.devicePixelRatioF()
    column, row = canvas.view.to_view(x, y)
    return int(row * ratio), int(column * ratio)


@pytest.mark.parametrize("size", [(900, 700), (1600, 1000), (611, 487)])
@pytest.mark.parametrize("side", [3000, 5001])
def test_thin_lines_are_visible_when_the_page_is_fitted(
    tmp_path: Path, shown: list[Canvas], size: tuple[int, int], side: int
) -> None:
    page = np.full((side, side), 255, np.uint8)
    xs = np.arange(50, side - 50, 37)
    page[:, xs] = 0
    canvas = gestures.open_page(tmp_path, page, size=size)
    shown.append(canvas)
    canvas.minimap.hide()
    pixels = picture(canvas)[:, :, 0]
    places = [at(canvas, x + 0.5, side / 2) for x in xs]
    darkest = np.array([pixels[row, column - 1 : column + 3].min() for row, column in places])
    assert (darkest <= 245).mean() >= 0.99


def test_pixels_are_crisp_when_zoomed_in(tmp_path: Path, shown: list[Canvas]) -> None:
    page = np.full((400, 400), 255, np.uint8)
    page[200, 200] = 0
    canvas = gestures.open_page(tmp_path, page)
    shown.append(canvas)
    canvas.minimap.hide()
    canvas.view.zoom_to(32)
    canvas.view.centre_on(200.5, 200.5)
    pixels = picture(canvas)[:, :, 0]
    assert set(np.unique(pixels)) == {0, 255}
    assert (pixels == 0).sum() == (32 * canvas.devicePixelRatioF()) ** 2


def test_the_background_is_not_paper(tmp_path: Path, shown: list[Canvas]) -> None:
    canvas = gestures.open_page(tmp_path, np.full((300, 300), 255, np.uint8))
    shown.append(canvas)
    pixels = picture(canvas)
    assert (pixels[at(canvas, 150, 150)] == 255).all()
    assert (pixels[5, 5] < 240).any()


@pytest.mark.parametrize("others", [0, 60])
def test_a_region_is_seen_where_it_is(tmp_path: Path, shown: list[Canvas], others: int) -> None:
    """Both ways of painting: a few regions, and so many that they are drawn in threads."""
    far = [Region(((400 + n, 400), (450 + n, 400), (450 + n, 450)), "sofa") for n in range(others)]
    page = np.full((600, 600), 255, np.uint8)
    canvas = gestures.open_page(tmp_path, page, [SQUARE, *far])
    shown.append(canvas)
    canvas.workbench.editing.apply_label("sofa")
    pixels = picture(canvas)
    row, column = at(canvas, 200, 230)
    colour = canvas.colour(SQUARE)
    near = pixels[row, column - 2 : column + 3]
    wanted = (colour.red(), colour.green(), colour.blue())
    assert np.abs(near - wanted).sum(axis=1).min() < 60
    inside = pixels[at(canvas, 250, 250)]
    outside = pixels[at(canvas, 150, 250)]
    assert (inside != outside).any() and (outside == 255).all()


def test_a_removed_region_disappears(tmp_path: Path, shown: list[Canvas]) -> None:
    many = [Region(((n, 400), (n + 9, 400), (n, 420)), "bed") for n in range(0, 300, 10)]
    canvas = gestures.open_page(tmp_path, np.full((600, 600), 255, np.uint8), [SQUARE, *many])
    shown.append(canvas)
    canvas.fit()
    where = at(canvas, 250, 250)
    assert (picture(canvas)[where] != 255).any()
    canvas.workbench.selection.set([SQUARE.id])
    canvas.workbench.editing.remove_selected()
    assert (picture(canvas)[where] == 255).all()
    canvas.workbench.editing.undo()
    assert (picture(canvas)[where] != 255).any()


@pytest.mark.parametrize("angle", [90, 180, 30])
def test_the_page_can_be_turned(tmp_path: Path, shown: list[Canvas], angle: float) -> None:
    page = np.full((500, 700), 255, np.uint8)
    page[40:90, 50:120] = 0
    canvas = gestures.open_page(tmp_path, page)
    shown.append(canvas)
    canvas.minimap.hide()
    canvas.rotate_by(angle)
    pixels = picture(canvas)
    assert (pixels[at(canvas, 85, 65)] < 20).all()


def test_brightness_and_contrast_change_what_is_seen_only(
    tmp_path: Path, shown: list[Canvas]
) -> None:
    canvas = gestures.open_page(tmp_path, np.full((300, 300), 200, np.uint8))
    shown.append(canvas)
    canvas.set_light(-0.2, 1.0)
    assert picture(canvas)[at(canvas, 150, 150)][0] == 149
    canvas.set_light(0.0, 2.0)
    assert picture(canvas)[at(canvas, 150, 150)][0] == 255
    assert canvas.workbench.pixels is not None
    assert (canvas.workbench.pixels.pyramid.pixels == 200).all()


def test_ink_views(tmp_path: Path, shown: list[Canvas]) -> None:
    page = np.full((300, 300), 230, np.uint8)
    page[140:160, 140:160] = 90
    canvas = gestures.open_page(tmp_path, page)
    shown.append(canvas)
    place = at(canvas, 150, 150)
    assert picture(canvas)[place].tolist() == [90, 90, 90]
    canvas.workbench.ink.set_view("binarised")
    assert picture(canvas)[place].tolist() == [0, 0, 0]
    canvas.workbench.ink.set_view("components")
    assert len(set(picture(canvas)[place].tolist())) > 1


class Painted(QObject):
    """How many px of a widget are painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.area = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.area += sum(part.width() * part.height() for part in event.region())
        return False


def on_screen(canvas: Canvas) -> np.ndarray:
    """What has been painted so far; nothing is painted for it."""
    QApplication.processEvents()
    kept = canvas.backingStore().paintDevice()
    assert isinstance(kept, QImage)
    return pixels(kept.copy())


@pytest.mark.parametrize("captions", [True, False])
def test_hovering_paints_only_what_changes_and_leaves_nothing_behind(
    tmp_path: Path, shown: list[Canvas], captions: bool
) -> None:
    rng = np.random.default_rng(5)
    corners, sizes = rng.uniform(0, 1100, (90, 2)), rng.uniform(50, 260, (90, 2))
    regions = []
    for number, ((x, y), (width, height)) in enumerate(zip(corners, sizes, strict=True)):
        points = ((x, y), (x + width, y), (x + width, y + height), (x, y + height / 2))
        label = ("sofa", "arm chair", "", "a much longer label of a region")[number % 4]
        regions.append(Region(points, label, uncertain=number % 5 == 0))
    canvas = gestures.open_page(tmp_path, np.full((1400, 1400), 255, np.uint8), regions)
    shown.append(canvas)
    canvas.set_captions(captions)
    canvas.settle()
    QApplication.processEvents()
    painted, frames = Painted(canvas), 0
    for place in rng.uniform(0, 1, (60, 2)) * (canvas.width(), canvas.height()):
        before = canvas.overlay.hovered
        gestures.move(canvas, tuple(place.tolist()))
        frames += canvas.overlay.hovered != before
        now = on_screen(canvas)
        area = painted.area
        assert np.array_equal(now, pixels(canvas.grab().toImage()))
        painted.area = area
    assert frames > 20
    assert painted.area < 0.5 * frames * canvas.width() * canvas.height()


def test_labels_after_an_edit_are_those_of_the_regions_as_they_are_now(
    tmp_path: Path, shown: list[Canvas]
) -> None:
    rng = np.random.default_rng(6)
    regions = []
    for number, (x, y) in enumerate(rng.uniform(0, 800, (40, 2)).tolist()):
        points = ((x, y), (x + 120, y), (x + 120, y + 90), (x, y + 90))
        regions.append(Region(points, ("sofa", "arm chair", "bed")[number % 3]))
    canvas = gestures.open_page(tmp_path, np.full((1000, 1000), 255, np.uint8), regions)
    shown.append(canvas)
    canvas.settle()
    editing, before = canvas.workbench.editing, pixels(canvas.grab().toImage())
    for number in range(12):
        document = canvas.workbench.document
        assert document is not None
        region = list(document)[int(rng.integers(len(document)))]
        match number % 4:
            case 0:
                editing.set_values("Label", [region.id], "label", "lamp" if number else "sofa bed")
            case 1:
                editing.do("Delete", document.removing([region.id]))
            case 2:
                points = tuple((x + 60, y + 25) for x, y in region.points)
                editing.replace_regions("Move", [replace(region, points=points)])
            case _:
                editing.undo()
        canvas.settle()
        now = pixels(canvas.grab().toImage())
        canvas.overlay.forget()
        assert np.array_equal(now, pixels(canvas.grab().toImage()))
        assert (now != before).any()


def test_an_edit_while_the_view_moves_leaves_no_label_behind(
    tmp_path: Path, shown: list[Canvas], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overlay, "_MANY", 1)  # labels wait for the view to rest
    points = ((100, 100), (300, 100), (300, 300), (100, 300))
    moved = tuple((x + 300, y + 300) for x, y in points)
    regions = [Region(points, "sofa"), Region(moved, "bed")]
    canvas = gestures.open_page(tmp_path, np.full((1000, 1000), 255, np.uint8), regions)
    shown.append(canvas)
    canvas.settle()
    canvas.view.pan(20, 10)
    canvas.view_moved()
    canvas.repaint()
    assert canvas.overlay.busy, "the view moves"
    document = canvas.workbench.document
    assert document is not None
    canvas.workbench.editing.do("Delete", document.removing([regions[0].id]))
    canvas.repaint()
    assert canvas.overlay.busy
    now = pixels(canvas.grab().toImage())
    canvas.settle()
    assert np.array_equal(now, pixels(canvas.grab().toImage()))


@pytest.mark.slow
@pytest.mark.skipif("QT_SCALE_FACTOR" in os.environ, reason="it is such a screen already")
def test_all_this_holds_on_a_screen_with_small_pixels() -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", __file__]
    tools = [str(path) for path in Path(__file__).parents[1].glob("annotate/test_tool_*.py")]
    ran = subprocess.run(
        [*command, *tools],
        env={**os.environ, "QT_SCALE_FACTOR": "2"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-3000:]


@pytest.mark.parametrize("ratio", [1, 2])
def test_lines_are_as_wide_on_dense_screens(qapp: QApplication, ratio: int) -> None:
    image = QImage(40 * ratio, 40 * ratio, QImage.Format.Format_Grayscale8)
    image.setDevicePixelRatio(ratio)
    image.fill(255)
    painter = QPainter(image)
    painter.setPen(line_pen(QColor(0, 0, 0), ratio, width=4))
    painter.drawLine(QPointF(0, 20), QPointF(40, 20))
    painter.end()
    dark = [image.pixelColor(20 * ratio, y).value() < 128 for y in range(40 * ratio)]
    assert sum(dark) == 4 * ratio


def test_a_preview_stays_until_the_page_itself_can_be_painted(
    tmp_path: Path, shown: list[Canvas], monkeypatch: pytest.MonkeyPatch
) -> None:
    squares = np.kron(np.indices((750, 750)).sum(axis=0) % 2, np.ones((4, 4)))
    page = (255 * squares).astype(np.uint8)  # of 3000 x 3000 px; a sketch of 1/8 is all grey
    canvas = gestures.open_page(tmp_path, page, size=(900, 700))
    shown.append(canvas)
    canvas.minimap.hide()
    canvas.zoom_to(1)
    canvas.page_layer.use(None, (1, 1))
    canvas.page_layer.use(Pyramid(halve(page)), (3000, 3000))
    centre = (slice(300, 400), slice(400, 500))
    contrasts = [picture(canvas)[centre].std()]
    with monkeypatch.context() as patch:
        patch.setattr(TileCache, "start", lambda _: None)  # threads have other work
        canvas.page_layer.use(Pyramid(page), (3000, 3000))
        image = canvas.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
        contrasts.append(rows[centre].std())
    canvas.zoom_by(1.01)
    contrasts.append(picture(canvas)[centre].std())
    assert min(contrasts) > 20
