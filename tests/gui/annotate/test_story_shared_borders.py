"""Walls, rooms and windows move together, and corners snap to the regions beside them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit.settings import SNAP
from spotlab.model import Primitive, Region
from tests.gui import gestures
from tests.gui.gestures import ALT, CONTROL, PLAIN, on_screen

FREE = Primitive.POLYGON
LEFT = Region(((100, 100), (300, 100), (300, 400), (100, 400)), "room", "left", primitive=FREE)
RIGHT = Region(((312, 100), (500, 100), (500, 400), (312, 400)), "room", "right", primitive=FREE)
WALL = Region(((301, 99), (311, 99), (311, 401), (301, 401)), "wall", "wall", primitive=FREE)
WINDOW = Region(((302, 200), (310, 200), (310, 240), (302, 240)), "window", "window",
                primitive=Primitive.HULL)  # fmt: skip
BED = Region(((330, 200), (400, 200), (400, 300), (330, 300)), "bed", "bed",
             primitive=Primitive.HULL)  # fmt: skip


@pytest.fixture
def canvas(tmp_path: Path, lasting_canvas: Canvas) -> Canvas:
    page = np.full((700, 900), 255, np.uint8)
    regions = [LEFT, RIGHT, WALL, WINDOW, BED]
    gestures.begin_page(lasting_canvas, tmp_path, page, regions)
    lasting_canvas.workbench.set_tool("select")
    lasting_canvas.workbench.selection.clear()
    lasting_canvas.workbench.settings.set(SNAP, False)
    return lasting_canvas


def bounds(canvas: Canvas, name: str) -> tuple[float, ...]:
    assert canvas.workbench.document is not None
    return canvas.workbench.document[name].bounds


def test_a_wall_takes_its_rooms_and_its_window_along_and_one_undo_brings_all_back(
    canvas: Canvas,
) -> None:
    way = on_screen(canvas, [(306, 300), (320, 310), (346, 320)])
    gestures.drag(canvas, way, held=CONTROL)
    assert bounds(canvas, "wall") == (341, 119, 351, 421)  # as the pointer went
    assert bounds(canvas, "left") == (100, 100, 340, 400)  # across the wall alone
    assert bounds(canvas, "right") == (352, 100, 500, 400)
    assert bounds(canvas, "window") == (342, 200, 350, 240)
    assert bounds(canvas, "bed") == BED.bounds
    canvas.workbench.editing.undo()
    assert [bounds(canvas, each.id) for each in (LEFT, RIGHT, WALL, WINDOW)] == [
        each.bounds for each in (LEFT, RIGHT, WALL, WINDOW)
    ]


def test_walls_at_its_ends_stay_straight(canvas: Canvas) -> None:
    """Of the wall that runs on below only two of four corners touch the one that moves."""
    below = Region(((100, 401), (311, 401), (312, 425), (100, 425)), "wall", "below",
                   primitive=FREE)  # fmt: skip
    document = canvas.workbench.document
    assert document is not None
    canvas.workbench.editing.do("Add", document.adding(below))
    gestures.drag(canvas, on_screen(canvas, [(306, 300), (320, 300), (346, 300)]), held=CONTROL)
    assert document["below"].points == ((100, 401), (351, 401), (352, 425), (100, 425))


def test_without_ctrl_the_wall_moves_alone(canvas: Canvas) -> None:
    gestures.drag(canvas, on_screen(canvas, [(306, 300), (320, 300), (346, 300)]))
    assert bounds(canvas, "wall") == (341, 99, 351, 401)
    assert bounds(canvas, "left") == LEFT.bounds and bounds(canvas, "right") == RIGHT.bounds


def test_an_edge_is_pushed_with_the_border_beside_it(canvas: Canvas) -> None:
    document = canvas.workbench.document
    assert document is not None
    canvas.workbench.editing.do("Delete", document.removing(["wall", "window"]))
    beside = Region(((300, 100), (500, 100), (500, 400), (300, 400)), "room", "right",
                    primitive=FREE)  # fmt: skip
    canvas.workbench.editing.replace_regions("Change", [beside])
    gestures.click(canvas, canvas.view.to_view(150, 250))
    gestures.drag(canvas, on_screen(canvas, [(300, 250), (280, 260), (260, 265)]), held=CONTROL)
    assert bounds(canvas, "left") == (100, 100, 260, 400)
    assert bounds(canvas, "right") == (260, 100, 500, 400)


@pytest.mark.parametrize(
    "snaps, held, corner",
    [(True, PLAIN, (312, 400)), (True, ALT, (310, 402)), (False, PLAIN, (310, 402))],
)
def test_a_corner_that_is_dragged_near_another_one_snaps_to_it(
    canvas: Canvas, snaps: bool, held: Qt.KeyboardModifier, corner: tuple[float, float]
) -> None:
    canvas.workbench.settings.set(SNAP, snaps)
    document = canvas.workbench.document
    assert document is not None
    canvas.workbench.editing.do("Delete", document.removing(["wall", "window"]))
    gestures.click(canvas, canvas.view.to_view(150, 250))
    way = on_screen(canvas, [(300, 400), (306, 401), (310, 402)])
    gestures.press(canvas, way[0])
    for place in way[1:]:
        gestures.move(canvas, place, gestures.LEFT, held)
    gestures.release(canvas, way[-1], held=held)
    assert corner in document["left"].points


def test_clicks_of_a_polygon_snap_to_corners_and_edges(canvas: Canvas) -> None:
    canvas.workbench.settings.set(SNAP, True)
    canvas.workbench.set_tool("polygon")
    for place in [(502, 99), (600, 100), (600, 300), (503, 250)]:
        gestures.click(canvas, canvas.view.to_view(*place))
    gestures.key(canvas, Qt.Key.Key_Return)
    [drawn] = canvas.workbench.selected
    assert set(drawn.points) == {(500, 100), (600, 100), (600, 300), (500, 250)}
