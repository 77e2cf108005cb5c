"""What is kept of a painted page and moved is what would be painted anew."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.canvas.page_layer import PageLayer
from spotlab.gui.canvas.view import ViewTransform
from spotlab.model import Region
from tests.gui import gestures


def box(x: float, y: float) -> Region:
    return Region(((x, y), (x + 35, y), (x + 35, y + 30), (x, y + 30)), "sofa")


@pytest.fixture(scope="module")
def canvas(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[Canvas]:
    rng = np.random.default_rng(1)
    page = rng.integers(0, 255, (900, 1100), dtype=np.uint8)
    folder = tmp_path_factory.mktemp("pages")
    opened = gestures.open_page(folder, page, [], (600, 420))
    document = opened.workbench.document
    assert document is not None
    boxes = [box(50 * (at % 20), 40 * (at // 20)) for at in range(400)]
    opened.workbench.editing.do("Add", document.adding(*boxes))
    opened.minimap.hide()
    yield opened
    gestures.close(opened)


def picture(canvas: Canvas) -> np.ndarray:
    assert canvas.settle()
    image = canvas.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    return rows[:, : 3 * image.width()].copy()


def painted_anew(canvas: Canvas) -> np.ndarray:
    canvas.backdrop.stop()
    return picture(canvas)


def alike(one: np.ndarray, other: np.ndarray) -> bool:
    """Smooth scaling rounds a pixel otherwise where only a part of the window is painted."""
    apart = np.abs(one.astype(int) - other)
    return bool(apart.max() <= 8 and (apart > 0).mean() < 1e-4)


@pytest.mark.parametrize("zoom", [0.4, 1.0, 2.5])
def test_a_page_that_is_moved_looks_as_if_painted_anew(canvas: Canvas, zoom: float) -> None:
    canvas.view.zoom_to(zoom)
    canvas.view.centre_on(500, 400)
    canvas.view_moved()
    seen = picture(canvas)
    gestures.press(canvas, (300, 200), gestures.MIDDLE)
    for place in ((310, 190), (350, 260), (200, 230), (203, 231)):
        gestures.move(canvas, place, gestures.MIDDLE)
        canvas.repaint()
    gestures.release(canvas, place, gestures.MIDDLE)
    moved = picture(canvas)
    assert (moved != seen).any()
    assert alike(moved, painted_anew(canvas))


def test_an_edit_is_seen_at_once_and_nothing_else_changes(canvas: Canvas) -> None:
    document = canvas.workbench.document
    assert document is not None
    canvas.fit()
    before = picture(canvas)
    canvas.workbench.editing.do("Delete", document.removing(list(document.ids)[:40]))
    after = picture(canvas)
    assert (after != before).any()
    assert alike(after, painted_anew(canvas))
    canvas.workbench.editing.do("Delete", document.removing(document.ids))
    assert (picture(canvas) != after).any()
    canvas.workbench.editing.undo()
    assert alike(picture(canvas), after)
    canvas.workbench.editing.undo()
    assert alike(picture(canvas), before)


def test_many_selected_regions_are_outlined(canvas: Canvas) -> None:
    document = canvas.workbench.document
    assert document is not None
    canvas.fit()
    before = picture(canvas)
    canvas.workbench.selection.set(document.ids)
    chosen = picture(canvas)
    assert (chosen != before).mean() > 0.02
    canvas.workbench.selection.set(list(document.ids)[:-1])
    assert (picture(canvas) != chosen).any()
    canvas.workbench.selection.clear()
    assert alike(picture(canvas), before)


@pytest.mark.parametrize(("zoom", "angle"), [(0.4, 0), (1.0, 90), (2.5, 30)])
def test_one_of_a_few_regions_is_painted_without_the_rest(
    canvas: Canvas, monkeypatch: pytest.MonkeyPatch, zoom: float, angle: float
) -> None:
    editing, document = canvas.workbench.editing, canvas.workbench.document
    assert document is not None
    editing.do("Leave one", document.removing(list(document.ids)[1:]))
    canvas.view.rotate_to(angle)
    canvas.view.zoom_to(zoom)
    canvas.view.centre_on(80, 60)
    canvas.view_moved()
    canvas.backdrop.stop()
    empty = picture(canvas)
    areas: list[int] = []
    paint = PageLayer.paint

    def look(layer: PageLayer, painter: QPainter, view: ViewTransform) -> None:
        parts = painter.clipRegion()
        areas.append(sum(part.width() * part.height() for part in parts))
        paint(layer, painter, view)

    monkeypatch.setattr(PageLayer, "paint", look)
    pictures = [empty]
    for x, y in ((60, 50), (110, 20), (90, 70)):
        editing.do("Add", document.adding(box(x, y)))
        pictures.append(picture(canvas))
        assert (pictures[-1] != pictures[-2]).any()
    editing.do("Add", document.adding(box(20, 60)))
    assert (picture(canvas) != pictures[-1]).any(), "one more than is painted directly"
    editing.undo()
    assert alike(painted_anew(canvas), pictures.pop())
    for before in reversed(pictures):
        editing.undo()
        assert alike(picture(canvas), before)
        assert alike(picture(canvas), painted_anew(canvas))
    whole = canvas.width() * canvas.height()
    assert min(areas) < whole / 5 or angle == 30
    canvas.rotate_to(0)
    editing.undo()
