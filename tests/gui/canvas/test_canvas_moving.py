"""Moving about with wheel, keys, pinches and the minimap, in every tool."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QApplication

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.workspace import tool_kinds
from spotlab.model import Primitive, Region
from tests.gui import gestures
from tests.gui.gestures import CONTROL, LEFT, MIDDLE, SHIFT

TOOLS = [kind.name for kind in tool_kinds()]


@pytest.fixture
def canvas(tmp_path: Path, lasting_canvas: Canvas) -> Canvas:
    gestures.begin_page(lasting_canvas, tmp_path, np.full((2000, 3000), 255, np.uint8))
    return lasting_canvas


@pytest.mark.parametrize("held", [gestures.PLAIN, CONTROL])
def test_the_wheel_zooms_about_the_pointer(canvas: Canvas, held: Qt.KeyboardModifier) -> None:
    before, scale = canvas.view.to_page(300, 300), canvas.view.scale
    for _ in range(8):
        gestures.wheel(canvas, (300, 300), 1, held)
    assert canvas.view.scale == pytest.approx(scale * 1.25**8)
    assert canvas.view.to_view(*before) == pytest.approx((300, 300), abs=1)


def test_plus_and_minus_zoom_about_the_pointer(canvas: Canvas) -> None:
    gestures.move(canvas, (300, 300))
    before, scale = canvas.view.to_page(300, 300), canvas.view.scale
    gestures.key(canvas, Qt.Key.Key_Plus)
    gestures.key(canvas, Qt.Key.Key_Plus)
    assert canvas.view.scale > scale
    assert canvas.view.to_view(*before) == pytest.approx((300, 300), abs=1)
    gestures.key(canvas, Qt.Key.Key_Minus)
    gestures.key(canvas, Qt.Key.Key_Minus)
    assert canvas.view.scale == pytest.approx(scale)


def test_shift_and_wheel_moves_sideways(canvas: Canvas) -> None:
    canvas.zoom_to(2)
    x, y = canvas.view.centre
    gestures.wheel(canvas, (300, 300), -1, SHIFT)
    assert canvas.view.centre[0] > x and canvas.view.centre[1] == pytest.approx(y, abs=1)


@pytest.mark.parametrize("tool", TOOLS)
def test_space_and_the_middle_button_move_the_page_in_every_tool(canvas: Canvas, tool: str) -> None:
    canvas.workbench.set_tool(tool)
    canvas.zoom_to(2)
    place = canvas.view.to_page(400, 300)
    gestures.drag(canvas, [(400, 300), (420, 310), (450, 330)], button=MIDDLE)
    assert canvas.view.to_view(*place) == pytest.approx((450, 330), abs=1)
    gestures.hold_key(canvas, Qt.Key.Key_Space, True)
    gestures.drag(canvas, [(450, 330), (420, 310), (400, 300)])
    gestures.hold_key(canvas, Qt.Key.Key_Space, False)
    assert canvas.view.to_view(*place) == pytest.approx((400, 300), abs=1)
    assert canvas.pointing.gesture is None
    assert canvas.workbench.document is not None and len(canvas.workbench.document) == 0


def test_nothing_is_highlighted_while_the_page_is_dragged(canvas: Canvas) -> None:
    canvas.zoom_to(1)
    corners = [canvas.view.to_page(*place) for place in ((350, 250), (450, 250), (450, 350))]
    region = canvas.workbench.editing.add_region(corners, Primitive.POLYGON)
    assert region is not None
    canvas.workbench.selection.clear()
    gestures.move(canvas, (430, 270))
    assert canvas.overlay.hovered == region.id
    gestures.press(canvas, (430, 270), MIDDLE)
    gestures.move(canvas, (440, 280), MIDDLE)
    assert canvas.overlay.hovered is None
    gestures.release(canvas, (440, 280), MIDDLE)
    assert canvas.overlay.hovered == region.id


def test_a_polygon_goes_on_after_moving_the_page(canvas: Canvas) -> None:
    canvas.workbench.set_tool("polygon")
    canvas.zoom_to(1)
    corners = [canvas.view.to_page(*place) for place in ((300, 300), (600, 300), (600, 500))]
    gestures.click(canvas, canvas.view.to_view(*corners[0]))
    gestures.drag(canvas, [(400, 300), (300, 200)], button=MIDDLE)
    gestures.click(canvas, canvas.view.to_view(*corners[1]))
    gestures.wheel(canvas, (300, 300), 1)
    gestures.click(canvas, canvas.view.to_view(*corners[2]))
    gestures.key(canvas, Qt.Key.Key_Return)
    assert canvas.workbench.document is not None
    (region,) = canvas.workbench.document
    assert np.abs(np.sort(region.array, axis=0) - np.sort(corners, axis=0)).max() <= 1


def test_the_minimap_moves_the_view(canvas: Canvas) -> None:
    canvas.zoom_to(4)
    assert canvas.minimap.isVisible()
    width, height = canvas.minimap.width(), canvas.minimap.height()
    gestures.drag(canvas.minimap, [(5, 5), (width / 2, height / 2), (width * 0.75, height * 0.75)])
    x, y = canvas.view.centre
    assert x == pytest.approx(2250, abs=20) and y == pytest.approx(1500, abs=20)
    canvas.fit()
    assert not canvas.minimap.isVisible()


def test_the_context_menu_is_asked_for_outside_of_gestures(canvas: Canvas) -> None:
    asked: list[QPoint] = []
    canvas.context_requested.connect(asked.append)

    def ask() -> None:
        event = QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, QPoint(50, 60), canvas.mapToGlobal(QPoint(50, 60))
        )
        QApplication.sendEvent(canvas, event)

    ask()
    assert asked == [canvas.mapToGlobal(QPoint(50, 60))]
    gestures.drag(canvas, [(300, 300), (350, 350)], let_go=False)
    ask()
    assert len(asked) == 1
    gestures.key(canvas, Qt.Key.Key_Escape)


def test_a_right_click_on_the_small_picture_means_no_region(canvas: Canvas) -> None:
    canvas.view.zoom_to(1.5)
    canvas.centre_on(500, 400)
    assert canvas.minimap.isVisible()
    x, y = canvas.view.centre
    asked: list[QPoint] = []
    canvas.context_requested.connect(asked.append)
    spot = canvas.minimap.geometry().center()
    gestures.press(canvas.minimap, (10, 10), Qt.MouseButton.RightButton)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, spot, canvas.mapToGlobal(spot))
    QApplication.sendEvent(canvas, event)
    assert not asked and canvas.view.centre == (x, y)


def test_keys_of_a_gesture_are_no_shortcuts(canvas: Canvas) -> None:
    def kept(what: Qt.Key, held: Qt.KeyboardModifier = gestures.PLAIN) -> bool:
        event = QKeyEvent(QKeyEvent.Type.ShortcutOverride, what, held)
        event.ignore()
        QApplication.sendEvent(canvas, event)
        return event.isAccepted()

    assert not kept(Qt.Key.Key_Z, CONTROL) and not kept(Qt.Key.Key_Delete)
    assert kept(Qt.Key.Key_Space)
    gestures.drag(canvas, [(300, 300), (350, 350)], let_go=False)
    assert kept(Qt.Key.Key_Z, CONTROL) and kept(Qt.Key.Key_Escape)
    gestures.key(canvas, Qt.Key.Key_Escape)


def test_nothing_breaks_without_a_page(canvas: Canvas) -> None:
    assert canvas.workbench.close()
    gestures.drag(canvas, [(300, 300), (350, 350), (400, 300)])
    gestures.wheel(canvas, (300, 300))
    gestures.key(canvas, Qt.Key.Key_Delete)
    gestures.mouse(canvas, gestures.QEvent.Type.MouseButtonDblClick, (10, 10), LEFT, LEFT)
    canvas.repaint()
    assert canvas.view.to_page(*QPointF(3, 4).toTuple()) is not None


def test_many_labels_find_new_places_when_the_view_rests(canvas: Canvas) -> None:
    corners = [(x, y) for x in range(20, 2900, 100) for y in range(20, 1900, 100)]
    regions = [
        Region(((x, y), (x + 80, y), (x + 80, y + 80), (x, y + 80)), "sofa") for x, y in corners
    ]
    document = canvas.workbench.document
    assert document is not None
    canvas.workbench.editing.do("Draw", document.adding(*regions))
    canvas.minimap.wanted = False
    canvas.zoom_to(canvas.devicePixelRatioF())
    canvas.centre_on(700, 700)
    assert canvas.settle()
    place = canvas.view.to_page(400, 300)
    gestures.drag(canvas, [(400, 300), (200, 150)], button=MIDDLE)
    moving = labels_in_sight(canvas)
    assert canvas.settle()
    resting = labels_in_sight(canvas)
    assert 0 < len(moving) < len(resting), "what came into sight has none yet"
    assert moving <= resting, "those that were there stay"
    assert canvas.view.to_view(*place) == pytest.approx((200, 150), abs=1)
    document = canvas.workbench.document
    assert document is not None
    gestures.wheel(canvas, (400, 300), 1)
    canvas.workbench.editing.do("Delete", document.removing(document.ids))
    assert not labels_in_sight(canvas), "not even while the view moves"


def labels_in_sight(canvas: Canvas) -> set[tuple[int, int]]:
    """Upper left corners of squares that have a label over them, in the page's px."""
    image = canvas.grab().toImage()
    ratio = canvas.devicePixelRatioF()
    found = set()
    for x in range(20, 2900, 100):
        for y in range(20, 1900, 100):
            left, top = canvas.view.to_view(x, y)
            place = QPoint(round((left + 8) * ratio), round((top - 11) * ratio))
            if image.valid(place) and image.pixelColor(place).lightness() < 250:
                found.add((x, y))
    return found
