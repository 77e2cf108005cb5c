"""Slanted words get boxes along them: three clicks, or a box turned by its handle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from spotlab.editing.operations import frame_of
from spotlab.formats.truth import page_xml
from spotlab.geometry.polygon import Frame
from spotlab.geometry.primitives import frame_corners
from spotlab.gui.annotate.panels.properties import PropertiesPanel
from spotlab.gui.annotate.tools.drawing import SelectionFrame
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.window.main_window import MainWindow
from spotlab.model import Primitive, Region
from tests.gui import gestures, windows
from tests.gui.gestures import on_screen

WORD = Frame(400, 300, 300, 80, -20)
CORNERS = frame_corners(WORD)


@pytest.fixture
def canvas(tmp_path: Path, qtbot: QtBot) -> Iterator[Canvas]:
    opened = gestures.open_page(tmp_path, np.full((700, 900), 255, np.uint8))
    yield opened
    gestures.close(opened)


def regions(canvas: Canvas) -> list[Region]:
    assert canvas.workbench.document is not None
    return list(canvas.workbench.document)


def frame(region: Region) -> Frame:
    assert region.primitive is Primitive.BOX
    found = frame_of(region)
    assert found is not None
    return found


def draw(canvas: Canvas, corners: list[tuple[float, float]] = CORNERS) -> Region:
    canvas.workbench.set_tool("turned_box")
    for place in on_screen(canvas, corners[:3]):
        gestures.click(canvas, place)
    return regions(canvas)[-1]


def test_three_clicks_draw_it(canvas: Canvas) -> None:
    region = draw(canvas)
    assert frame(region).angle == pytest.approx(-20, abs=0.6)
    assert np.abs(region.array - CORNERS).max() < 2
    assert canvas.workbench.selection.ids == (region.id,)
    second = draw(canvas, frame_corners(Frame(200, 600, 120, 30, 5)))
    assert len(regions(canvas)) == 2 and frame(second).angle == pytest.approx(5, abs=1.5)


def test_a_side_can_be_dragged_and_its_end_taken_back(canvas: Canvas) -> None:
    canvas.workbench.set_tool("turned_box")
    start, end, opposite = on_screen(canvas, CORNERS[:3])
    wrong = on_screen(canvas, [(700, 100)])[0]
    gestures.click(canvas, start)
    gestures.click(canvas, wrong)
    gestures.key(canvas, Qt.Key.Key_Backspace)
    gestures.key(canvas, Qt.Key.Key_Escape)
    assert regions(canvas) == []
    gestures.drag(canvas, [start, end])
    gestures.click(canvas, opposite)
    assert np.abs(regions(canvas)[0].array - CORNERS).max() < 2


def test_two_clicks_are_no_box(canvas: Canvas) -> None:
    canvas.workbench.set_tool("turned_box")
    start, end = on_screen(canvas, CORNERS[:2])
    gestures.click(canvas, start)
    gestures.double_click(canvas, end)
    assert regions(canvas) == []
    gestures.key(canvas, Qt.Key.Key_Return)
    assert regions(canvas) == []


def test_a_drawn_box_is_turned_by_its_handle(canvas: Canvas) -> None:
    canvas.workbench.set_tool("box")
    gestures.drag(canvas, on_screen(canvas, [(300, 250), (500, 350)]))
    canvas.workbench.set_tool("select")
    selection = SelectionFrame.around(canvas.workbench.selected)
    assert selection is not None
    start = selection.turner_in_view(canvas.view)
    middle = np.array(canvas.view.to_view(400, 300))
    arm = float(np.hypot(*(start - middle)))
    end = middle + arm * np.array([np.sin(np.radians(30)), -np.cos(np.radians(30))])
    gestures.drag(canvas, [start, (float(end[0]), float(end[1]))])
    [region] = regions(canvas)
    assert frame(region).angle == pytest.approx(30, abs=1)
    assert frame(region).width == pytest.approx(200, abs=2)
    canvas.workbench.editing.undo()
    assert frame(regions(canvas)[0]).angle == 0
    canvas.workbench.editing.redo()
    assert regions(canvas) == [region]


def test_it_is_moved_resized_and_copied(canvas: Canvas) -> None:
    region = draw(canvas)
    canvas.workbench.set_tool("select")
    gestures.drag(canvas, on_screen(canvas, [(400, 300), (430, 330)]))
    [moved] = regions(canvas)
    assert moved.array - region.array == pytest.approx(np.full((4, 2), 30), abs=2)
    place = frame(moved).point_at(1, 0)
    there = frame(moved).point_at(1.4, 0)
    gestures.drag(canvas, on_screen(canvas, [place, there]))
    [wider] = regions(canvas)
    assert frame(wider).width == pytest.approx(360, abs=4)
    assert frame(wider).height == pytest.approx(frame(moved).height, abs=0.01)
    assert frame(wider).angle == pytest.approx(frame(region).angle, abs=0.01)
    gestures.key(canvas, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    [nudged] = regions(canvas)
    assert nudged.array - wider.array == pytest.approx(np.tile([10, 0], (4, 1)))


def test_it_is_the_same_box_after_saving(canvas: Canvas) -> None:
    region = draw(canvas)
    canvas.workbench.save()
    windows.settle()
    entry = canvas.workbench.entry
    assert entry is not None
    content = entry.truth_path.read_text("utf-8")
    again = page_xml.read(entry.truth_path)
    assert again.regions == (region,)
    shown = content.split('<Coords points="')[1].split('"')[0].replace(",", " ").split()
    assert [float(value) for value in shown] == region.array.round().ravel().tolist()


def test_the_panel_says_how_far_and_the_menu_straightens_it(tmp_path: Path, qtbot: QtBot) -> None:
    pages = windows.write_pages(tmp_path / "pages")
    window: MainWindow = windows.open_window(tmp_path, pages, size=(1280, 800))
    canvas = window.canvas
    corners = frame_corners(Frame(60, 60, 60, 16, 25))
    region = draw(canvas, corners)
    panel = window.panel(PropertiesPanel)
    sides = frame(region)
    assert panel.figures["Size"].text() == (
        f"{sides.width:.0f} × {sides.height:.0f} px, {sides.angle:.1f}°"
    )
    assert window.actions_by_id.trigger("region.make_polygon")
    assert window.actions_by_id.trigger("region.make_turned_box")
    [again] = canvas.workbench.selected
    assert again.array == pytest.approx(region.array)
    assert window.actions_by_id.trigger("region.make_box")
    [upright] = canvas.workbench.selected
    assert frame(upright).angle == 0 and upright.area > region.area
    windows.close(window)
