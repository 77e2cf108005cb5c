"""Selecting and editing as a user does it, with mouse and keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication

from spotlab.editing.operations import bounds_of
from spotlab.gui.annotate.tools.drawing import SelectionFrame
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.workspace import tool_kinds
from spotlab.model import Primitive, Region
from tests.gui import gestures
from tests.gui.gestures import ALT, CONTROL, SHIFT, on_screen

ROOM = Region(((100, 100), (500, 100), (500, 400), (100, 400)), "room", "room",
              primitive=Primitive.POLYGON)  # fmt: skip
BED = Region(((200, 200), (300, 200), (300, 300), (200, 300)), "bed", "bed",
             primitive=Primitive.HULL)  # fmt: skip
LAMP = Region(((600, 200), (660, 200), (660, 260), (600, 260)), "lamp", "lamp",
              primitive=Primitive.BOX)  # fmt: skip


@pytest.fixture
def canvas(tmp_path: Path, lasting_canvas: Canvas) -> Canvas:
    page = np.full((700, 900), 255, np.uint8)
    gestures.begin_page(lasting_canvas, tmp_path, page, [ROOM, BED, LAMP])
    lasting_canvas.workbench.set_tool("select")
    lasting_canvas.workbench.selection.clear()
    return lasting_canvas


def at(canvas: Canvas, x: float, y: float) -> tuple[float, float]:
    return canvas.view.to_view(x, y)


def region(canvas: Canvas, name: str) -> Region:
    assert canvas.workbench.document is not None
    return canvas.workbench.document[name]


def selected(canvas: Canvas) -> tuple[str, ...]:
    return canvas.workbench.selection.ids


def undo_name(canvas: Canvas) -> str | None:
    assert canvas.workbench.history is not None
    return canvas.workbench.history.undo_name


def test_the_smallest_comes_first_and_further_clicks_cycle(canvas: Canvas) -> None:
    seen = []
    for _ in range(3):
        gestures.click(canvas, at(canvas, 250, 250))
        seen.append(selected(canvas))
    assert seen == [("bed",), ("room",), ("bed",)]
    gestures.click(canvas, at(canvas, 800, 600))
    assert selected(canvas) == ()


def test_shift_click_adds_and_takes_out(canvas: Canvas) -> None:
    gestures.click(canvas, at(canvas, 250, 250))
    gestures.click(canvas, at(canvas, 630, 230), SHIFT)
    assert selected(canvas) == ("bed", "lamp")
    gestures.click(canvas, at(canvas, 250, 250), SHIFT)
    assert selected(canvas) == ("lamp",)


def test_rubber_band_all_and_none(canvas: Canvas) -> None:
    gestures.drag(canvas, on_screen(canvas, [(550, 150), (600, 200), (700, 300)]))
    assert selected(canvas) == ("lamp",)
    gestures.key(canvas, Qt.Key.Key_A, CONTROL)
    assert set(selected(canvas)) == {"room", "bed", "lamp"}
    gestures.key(canvas, Qt.Key.Key_Escape)
    assert selected(canvas) == ()


def test_a_drag_moves_and_is_one_step(canvas: Canvas) -> None:
    gestures.drag(canvas, on_screen(canvas, [(250, 250), (260, 255), (270, 265), (280, 270)]))
    assert region(canvas, "bed").bounds == (230, 220, 330, 320)
    assert undo_name(canvas) == "Move" and selected(canvas) == ("bed",)
    canvas.workbench.editing.undo()
    assert region(canvas, "bed") == BED


def test_the_document_is_untouched_until_the_release(canvas: Canvas) -> None:
    gestures.drag(canvas, on_screen(canvas, [(250, 250), (280, 270)]), let_go=False)
    assert region(canvas, "bed") == BED
    assert canvas.overlay.instead[0].bounds == (230, 220, 330, 320)
    assert canvas.region_layer.hidden == {"bed"}
    gestures.key(canvas, Qt.Key.Key_Escape)
    gestures.release(canvas, at(canvas, 280, 270))
    assert region(canvas, "bed") == BED and not canvas.overlay.instead
    assert not canvas.region_layer.hidden


def test_alt_drag_duplicates(canvas: Canvas) -> None:
    gestures.drag(canvas, on_screen(canvas, [(250, 250), (270, 260), (350, 350)]), ALT)
    assert canvas.workbench.document is not None and len(canvas.workbench.document) == 4
    (copy,) = canvas.workbench.selected
    assert copy.bounds == (300, 300, 400, 400) and copy.id != "bed" and copy.label == "bed"
    assert region(canvas, "bed") == BED


def test_a_control_point_is_moved_added_and_deleted(canvas: Canvas) -> None:
    gestures.click(canvas, at(canvas, 150, 150))
    assert selected(canvas) == ("room",)
    gestures.drag(canvas, on_screen(canvas, [(500, 400), (510, 410), (550, 450)]))
    assert (550.0, 450.0) in region(canvas, "room").points
    gestures.double_click(canvas, at(canvas, 300, 100))
    assert len(region(canvas, "room").points) == 5
    gestures.click(canvas, at(canvas, 300, 100))
    gestures.move(canvas, at(canvas, 250, 160))  # keys mean what is selected, not what is here
    gestures.key(canvas, Qt.Key.Key_Delete)
    assert len(region(canvas, "room").points) == 4
    gestures.move(canvas, at(canvas, 100, 100))
    gestures.key(canvas, Qt.Key.Key_Delete)
    assert canvas.workbench.document is not None and "room" not in canvas.workbench.document


def test_the_frame_turns_and_scales(canvas: Canvas) -> None:
    gestures.click(canvas, at(canvas, 250, 250))
    frame = SelectionFrame.around([BED])
    assert frame is not None
    turner = frame.turner_in_view(canvas.view)
    x, y = at(canvas, 250, 250)
    reach = y - turner[1]
    aside = 0.68 * reach, 0.72 * reach
    gestures.drag(canvas, [turner, (x + 9, turner[1]), (x + aside[0], y - aside[1])], SHIFT)
    assert undo_name(canvas) == "Rotate"
    assert region(canvas, "bed").bounds == (179, 179, 321, 321)  # a square turned by 45°
    canvas.workbench.editing.undo()
    corner = frame.corners_in_view(canvas.view)[2]
    scale = canvas.view.scale
    there = (corner[0] + 50 * scale, corner[1] + 20 * scale)
    gestures.drag(canvas, [corner, (corner[0] + 9, corner[1] + 9), there])
    assert region(canvas, "bed").bounds == pytest.approx((200, 200, 350, 320), abs=1)
    canvas.workbench.editing.undo()
    gestures.drag(canvas, [corner, (corner[0] + 9, corner[1] + 9), there], SHIFT)
    assert region(canvas, "bed").bounds == pytest.approx((200, 200, 350, 350), abs=1)
    canvas.workbench.editing.undo()
    gestures.drag(canvas, [corner, (corner[0] + 9, corner[1] + 9), there], ALT)
    assert region(canvas, "bed").bounds == pytest.approx((150, 180, 350, 320), abs=1)


def test_several_are_scaled_together(canvas: Canvas) -> None:
    canvas.workbench.selection.set(["bed", "lamp"])
    frame = SelectionFrame.around([BED, LAMP])
    assert frame is not None
    corner = frame.corners_in_view(canvas.view)[2]
    half = 0.5 * canvas.view.scale
    there = (corner[0] - half * (660 - 200), corner[1] - half * 100)
    gestures.drag(canvas, [corner, (corner[0] - 9, corner[1]), there])
    together = bounds_of([region(canvas, "bed"), region(canvas, "lamp")])
    assert together == pytest.approx((200, 200, 430, 250), abs=1)


def test_arrows_nudge_in_one_step(canvas: Canvas) -> None:
    gestures.click(canvas, at(canvas, 250, 250))
    for _ in range(3):
        gestures.key(canvas, Qt.Key.Key_Right)
    gestures.key(canvas, Qt.Key.Key_Down, SHIFT)
    assert region(canvas, "bed").bounds == (203, 210, 303, 310)
    canvas.workbench.editing.undo()
    assert region(canvas, "bed") == BED


def test_arrows_follow_a_turned_view(canvas: Canvas) -> None:
    canvas.rotate_by(90)
    canvas.workbench.selection.set(["bed"])
    x, _ = canvas.view.to_view(250, 250)
    gestures.key(canvas, Qt.Key.Key_Right, SHIFT)
    left, top, right, bottom = region(canvas, "bed").bounds
    assert canvas.view.to_view((left + right) / 2, (top + bottom) / 2)[0] > x + 1


def test_what_is_under_the_pointer_is_said(canvas: Canvas) -> None:
    lines: list[str] = []
    canvas.pointer_moved.connect(lines.append)
    gestures.move(canvas, at(canvas, 250.5, 240.5))
    assert "x 250  y 240" in lines[-1] and "bed (+1)" in lines[-1] and "10,000 px²" in lines[-1]
    gestures.move(canvas, at(canvas, 800.5, 600.5))
    assert "bed" not in lines[-1]


def over_its_point(canvas: Canvas) -> tuple[float, float]:
    """Give the selected room one more point, which the pointer is over."""
    gestures.click(canvas, at(canvas, 150, 150))
    place = at(canvas, 300, 95)
    gestures.double_click(canvas, place)
    assert len(region(canvas, "room").points) == 5
    gestures.move(canvas, at(canvas, 400, 60))
    gestures.move(canvas, place)
    return place


def test_a_click_selects_a_point_visibly_and_escape_lets_go_of_it(canvas: Canvas) -> None:
    place = over_its_point(canvas)
    gestures.move(canvas, at(canvas, 400, 60))
    plain = canvas.grab().toImage()
    gestures.click(canvas, place)
    gestures.move(canvas, at(canvas, 400, 60))
    assert canvas.grab().toImage() != plain
    gestures.key(canvas, Qt.Key.Key_Escape)
    assert canvas.grab().toImage() == plain and selected(canvas) == ("room",)
    gestures.key(canvas, Qt.Key.Key_Delete)
    assert canvas.workbench.document is not None and "room" not in canvas.workbench.document


def test_two_regions_are_deleted_wherever_the_pointer_is(canvas: Canvas) -> None:
    gestures.click(canvas, at(canvas, 250, 250))
    gestures.click(canvas, at(canvas, 630, 230), SHIFT)
    for place in ((300, 300), (600, 200), (250, 200)):
        gestures.move(canvas, at(canvas, *place))
        gestures.key(canvas, Qt.Key.Key_Delete)
        assert canvas.workbench.document is not None
        assert [each.id for each in canvas.workbench.document] == ["room"]
        canvas.workbench.editing.undo()
        canvas.workbench.selection.set(["bed", "lamp"])


@pytest.mark.parametrize("held", [CONTROL, SHIFT, ALT])
def test_a_key_held_never_deletes_a_point(canvas: Canvas, held) -> None:
    place = over_its_point(canvas)
    gestures.click(canvas, place, held)
    gestures.drag(canvas, [place, (place[0] + 9, place[1] + 9), (place[0] + 20, place[1])], held)
    assert len(region(canvas, "room").points) == 5


def test_delete_after_undo_means_the_region_whose_point_has_gone(canvas: Canvas) -> None:
    gestures.click(canvas, over_its_point(canvas))
    canvas.workbench.editing.undo()
    gestures.key(canvas, Qt.Key.Key_Delete)
    assert canvas.workbench.document is not None and "room" not in canvas.workbench.document
    canvas.workbench.editing.undo()
    assert region(canvas, "room") == ROOM


def test_delete_with_the_pointer_elsewhere_means_the_region(canvas: Canvas) -> None:
    over_its_point(canvas)
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    gestures.key(canvas, Qt.Key.Key_Delete)
    assert canvas.workbench.document is not None and "room" not in canvas.workbench.document


@pytest.mark.parametrize("tool", [kind.name for kind in tool_kinds("annotate")])
def test_delete_after_undo_in_every_tool(canvas: Canvas, tool: str) -> None:
    place = over_its_point(canvas)
    canvas.workbench.set_tool(tool)
    gestures.move(canvas, (place[0] + 30, place[1] + 30))
    gestures.move(canvas, place)
    canvas.workbench.editing.undo()
    gestures.key(canvas, Qt.Key.Key_Delete)
    gestures.key(canvas, Qt.Key.Key_Backspace)
    assert canvas.workbench.document is not None
    assert all(len(each.points) == 4 for each in canvas.workbench.document)


def test_what_is_said_and_the_cursor_follow_an_undo(canvas: Canvas) -> None:
    lines: list[str] = []
    canvas.pointer_moved.connect(lines.append)
    gestures.click(canvas, at(canvas, 250, 250))
    gestures.drag(canvas, on_screen(canvas, [(250, 250), (500, 500), (650, 550)]))
    assert "bed" in lines[-1] and canvas.overlay.hovered == "bed"
    assert canvas.cursor().shape() is Qt.CursorShape.SizeAllCursor
    canvas.workbench.editing.undo()
    assert "bed" not in lines[-1] and canvas.overlay.hovered is None
    assert canvas.cursor().shape() is Qt.CursorShape.ArrowCursor


def test_a_region_that_goes_during_a_drag_is_let_go_of(canvas: Canvas) -> None:
    gestures.click(canvas, at(canvas, 250, 250))
    gestures.drag(canvas, on_screen(canvas, [(250, 250), (280, 270)]), let_go=False)
    canvas.workbench.editing.remove_selected()  # as by a shortcut of the window
    assert canvas.pointing.gesture is None and not canvas.overlay.instead
    gestures.release(canvas, at(canvas, 280, 270))
    assert canvas.workbench.document is not None and "bed" not in canvas.workbench.document


def test_a_label_that_is_set_during_a_drag_stays(canvas: Canvas) -> None:
    gestures.click(canvas, at(canvas, 250, 250))
    gestures.drag(canvas, on_screen(canvas, [(250, 250), (280, 270)]), let_go=False)
    canvas.workbench.editing.apply_label("couch")
    gestures.release(canvas, at(canvas, 280, 270))
    assert region(canvas, "bed").label == "couch"


def test_cells_are_added_to_what_was_selected_when_the_drag_began(canvas: Canvas) -> None:
    canvas.workbench.set_tool("cells")
    canvas.workbench.selection.set(["bed"])
    places = on_screen(canvas, [(700, 500), (720, 500), (780, 500)])
    gestures.drag(canvas, places, SHIFT, let_go=False)
    gestures.key(canvas, Qt.Key.Key_A, CONTROL)
    gestures.release(canvas, places[-1])
    assert canvas.workbench.document is not None and len(canvas.workbench.document) == 3
    assert region(canvas, "bed").bounds[2] > 700
