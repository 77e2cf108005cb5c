"""Somebody gives an outline more control points: pulls an edge, or double-clicks it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

from spotlab.editing.validate import validate
from spotlab.formats.truth import page_xml
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit import background
from spotlab.model import Primitive, Region
from tests.gui import gestures
from tests.gui.gestures import on_screen

CORNERS = ((200.0, 200.0), (400.0, 200.0), (400.0, 350.0), (200.0, 350.0))


@pytest.fixture
def canvas(tmp_path: Path, lasting_canvas: Canvas) -> Canvas:
    gestures.begin_page(lasting_canvas, tmp_path, np.full((700, 900), 255, np.uint8))
    return lasting_canvas


def give(canvas: Canvas, primitive: Primitive, name: str = "it", points=CORNERS) -> Region:
    """A selected region."""
    region = Region(points, "sofa", name, primitive=primitive)
    assert canvas.workbench.document is not None
    canvas.workbench.editing.do("Set up", canvas.workbench.document.adding(region))
    canvas.workbench.selection.set([name])
    return region


def now(canvas: Canvas, name: str = "it") -> Region:
    assert canvas.workbench.document is not None
    return canvas.workbench.document[name]


def drag(canvas: Canvas, *places: tuple[float, float], held=gestures.PLAIN) -> None:
    gestures.drag(canvas, on_screen(canvas, places), held)


def steps(canvas: Canvas) -> str | None:
    assert canvas.workbench.history is not None
    return canvas.workbench.history.undo_name


@pytest.mark.parametrize("primitive", [Primitive.HULL, Primitive.POLYGON])
def test_an_edge_is_pulled_out(canvas: Canvas, primitive) -> None:
    before = give(canvas, primitive)
    canvas.workbench.set_tool("select")
    drag(canvas, (300, 201), (300, 180), (310, 150))
    after = now(canvas)
    assert after.primitive is primitive and len(after.points) == 5
    assert min(after.points, key=lambda point: point[1]) == pytest.approx((310, 150), abs=1)
    assert canvas.workbench.document is not None and len(canvas.workbench.document) == 1
    assert steps(canvas) == "Add point"
    canvas.workbench.editing.undo()
    assert now(canvas) == before and canvas.pointing.gesture is None


@pytest.mark.parametrize("primitive", [Primitive.HULL, Primitive.POLYGON, Primitive.BOX])
@pytest.mark.parametrize("off", [-4, 0, 4])
def test_a_double_click_on_an_edge_adds_a_point(canvas: Canvas, primitive, off: int) -> None:
    before = give(canvas, primitive)
    canvas.workbench.set_tool("select")
    gestures.double_click(canvas, on_screen(canvas, [(260, 200 + off)])[0])
    after = now(canvas)
    assert len(after.points) == 5 and after.area == before.area
    drag(canvas, (260, 200), (260, 190), (270, 160))
    assert min(now(canvas).points, key=lambda point: point[1]) == pytest.approx((270, 160), abs=1)
    canvas.workbench.editing.undo()
    canvas.workbench.editing.undo()
    assert now(canvas) == before


@pytest.mark.parametrize("begin", range(4))
def test_a_selected_corner_of_a_box_is_deleted(canvas: Canvas, begin: int) -> None:
    give(canvas, Primitive.BOX, points=(*CORNERS[begin:], *CORNERS[:begin]))  # as files may begin
    canvas.workbench.set_tool("select")
    gestures.click(canvas, on_screen(canvas, [CORNERS[1]])[0])
    gestures.key(canvas, Qt.Key.Key_Delete)
    assert steps(canvas) == "Delete point"
    assert set(now(canvas).points) == set(CORNERS) - {CORNERS[1]}


def test_the_middle_of_a_boxs_side_is_no_corner_to_delete(canvas: Canvas) -> None:
    before = give(canvas, Primitive.BOX)
    canvas.workbench.set_tool("select")
    told: list[str] = []
    canvas.workbench.refused.connect(told.append)
    for middle in ((300, 200), (400, 275), (300, 350), (200, 275)):
        (place,) = on_screen(canvas, [middle])
        gestures.click(canvas, place)
        gestures.key(canvas, Qt.Key.Key_Delete)
    assert now(canvas) == before and steps(canvas) == "Set up"
    assert len(told) == 4 and all("no corner" in each for each in told)


def test_an_edge_inside_another_region_is_double_clicked(canvas: Canvas) -> None:
    room = ((100.0, 100.0), (700.0, 100.0), (700.0, 600.0), (100.0, 600.0))
    give(canvas, Primitive.POLYGON, "room", room)
    give(canvas, Primitive.HULL)
    canvas.workbench.set_tool("select")
    for off in (-3, 3):
        gestures.double_click(canvas, on_screen(canvas, [(300 + 20 * off, 200 + off)])[0])
    assert len(now(canvas).points) == 6 and len(now(canvas, "room").points) == 4


def test_a_hull_does_not_give_way_inwards_and_says_so(canvas: Canvas) -> None:
    before = give(canvas, Primitive.HULL)
    canvas.workbench.set_tool("select")
    told: list[str] = []
    canvas.workbench.refused.connect(told.append)
    drag(canvas, (300, 200), (300, 220), (300, 250))
    assert now(canvas) == before and "convex" in told[0] and not canvas.overlay.instead
    give(canvas, Primitive.POLYGON, "free", tuple((x, y + 200) for x, y in CORNERS))
    drag(canvas, (300, 400), (300, 420), (300, 450))
    assert len(now(canvas, "free").points) == 5 and now(canvas, "free").area < before.area


def test_an_edge_along_x_gets_a_step(canvas: Canvas) -> None:
    give(canvas, Primitive.ISOTHETIC)
    canvas.workbench.set_tool("select")
    drag(canvas, (300, 200), (300, 180), (300, 150))
    assert now(canvas).primitive is Primitive.ISOTHETIC and len(now(canvas).points) == 6


def test_near_its_edge_but_inside_a_region_is_moved(canvas: Canvas) -> None:
    give(canvas, Primitive.HULL)
    canvas.workbench.set_tool("select")
    inside = 200 + 6 / canvas.view.scale
    drag(canvas, (300, inside), (310, inside + 10), (320, inside + 20))
    assert steps(canvas) == "Move" and now(canvas).bounds == pytest.approx((220, 220, 420, 370))


@pytest.mark.parametrize("side", [6, 10, 16, 30])
def test_the_middle_of_a_small_region_moves_it(canvas: Canvas, side: int) -> None:
    """However small, a third of its side in the middle belongs to no edge."""
    width = 3 * side
    points = ((200, 200), (200 + width, 200), (200 + width, 200 + side), (200, 200 + side))
    give(canvas, Primitive.HULL, points=tuple((float(x), float(y)) for x, y in points))
    canvas.workbench.set_tool("select")
    for share in (0.34, 0.5, 0.66):
        place = (200 + width / 2, 200 + share * side)
        drag(canvas, place, (place[0] + 20, place[1]), (place[0] + 40, place[1]))
        assert steps(canvas) == "Move"
        canvas.workbench.editing.undo()


def test_boxes_are_moved_by_their_edges(canvas: Canvas) -> None:
    give(canvas, Primitive.BOX)
    canvas.workbench.set_tool("select")
    drag(canvas, (250, 201), (260, 211), (270, 221))
    assert now(canvas).primitive is Primitive.BOX and steps(canvas) == "Move"


def test_a_click_on_an_edge_begins_a_polygon_with_that_tool(canvas: Canvas) -> None:
    give(canvas, Primitive.HULL)
    canvas.workbench.set_tool("free_polygon")
    for place in on_screen(canvas, [(300, 200), (320, 120), (360, 140)]):
        gestures.click(canvas, place)
    gestures.key(canvas, Qt.Key.Key_Return)
    assert canvas.workbench.document is not None and len(canvas.workbench.document) == 2
    assert len(now(canvas).points) == 4


def test_escape_gives_a_pull_up(canvas: Canvas) -> None:
    before = give(canvas, Primitive.HULL)
    canvas.workbench.set_tool("select")
    places = on_screen(canvas, [(300, 200), (300, 180), (310, 150)])
    gestures.drag(canvas, places, let_go=False)
    assert len(canvas.overlay.instead[0].points) == 5
    gestures.key(canvas, Qt.Key.Key_Escape)
    gestures.release(canvas, places[-1])
    assert now(canvas) == before and not canvas.overlay.instead


def test_the_cursor_and_a_ring_show_where_an_edge_is_taken_hold_of(canvas: Canvas) -> None:
    give(canvas, Primitive.HULL)
    canvas.workbench.set_tool("select")
    (place,) = on_screen(canvas, [(300, 200)])
    gestures.move(canvas, on_screen(canvas, [(600, 500)])[0])
    before = canvas.grab().toImage()
    gestures.move(canvas, place)
    assert canvas.cursor().shape() is Qt.CursorShape.DragCopyCursor
    ratio = canvas.devicePixelRatioF()
    spot = round(place[0] * ratio), round(place[1] * ratio)
    assert canvas.grab().toImage().pixelColor(*spot) != before.pixelColor(*spot)
    gestures.move(canvas, on_screen(canvas, [(300, 260)])[0])
    assert canvas.cursor().shape() is Qt.CursorShape.SizeAllCursor


def test_a_point_on_an_edge_is_kept_in_the_file(canvas: Canvas) -> None:
    give(canvas, Primitive.HULL)
    canvas.workbench.set_tool("select")
    gestures.double_click(canvas, on_screen(canvas, [(300, 200)])[0])
    after = now(canvas)
    canvas.workbench.save()
    assert background.wait_for_all()
    entry = canvas.workbench.entry
    assert entry is not None
    (read,) = page_xml.read(entry.truth_path).regions
    assert (read.points, read.primitive) == (after.points, after.primitive)
    assert not validate(page_xml.read(entry.truth_path), (900, 700))
