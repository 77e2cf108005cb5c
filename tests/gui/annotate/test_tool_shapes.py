"""Polygons, boxes, ellipses, cells and cuts, drawn as a user draws them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt

from spotlab.geometry.polygon import is_convex
from spotlab.geometry.primitives import is_isothetic
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.workspace import tool_kinds
from spotlab.model import Primitive, Region
from tests.gui import gestures
from tests.gui.gestures import ALT, SHIFT, on_screen

DENTED = [(100, 100), (400, 100), (250, 200), (400, 300), (100, 300)]


@pytest.fixture
def canvas(tmp_path: Path, lasting_canvas: Canvas) -> Canvas:
    gestures.begin_page(lasting_canvas, tmp_path, np.full((700, 900), 255, np.uint8))
    return lasting_canvas


def regions(canvas: Canvas) -> list[Region]:
    assert canvas.workbench.document is not None
    return list(canvas.workbench.document)


def clicks(canvas: Canvas, tool: str, places: list[tuple[float, float]]) -> None:
    canvas.workbench.set_tool(tool)
    for place in on_screen(canvas, places):
        gestures.click(canvas, place)


def test_every_tool_has_a_name_a_hint_and_a_key_of_its_own() -> None:
    kinds = tool_kinds("annotate")
    assert kinds[0].name == "sketch" and len(kinds) == 15
    assert len({kind.shortcut for kind in kinds}) == len({kind.order for kind in kinds}) == 15
    assert all(kind.hint and kind.title and kind.icon for kind in kinds)


def test_a_free_polygon_by_enter(canvas: Canvas) -> None:
    clicks(canvas, "free_polygon", DENTED)
    assert regions(canvas) == []
    gestures.key(canvas, Qt.Key.Key_Return)
    (region,) = regions(canvas)
    assert region.primitive is Primitive.POLYGON and len(region.points) == 5
    assert np.abs(region.array - DENTED).max() <= 1


def test_a_convex_polygon_by_a_double_click(canvas: Canvas) -> None:
    clicks(canvas, "polygon", DENTED[:-1])
    gestures.double_click(canvas, on_screen(canvas, DENTED[-1:])[0])
    (region,) = regions(canvas)
    assert region.primitive is Primitive.HULL and is_convex(region.array)
    assert len(region.points) == 4


def test_the_first_corner_closes_and_backspace_takes_back(canvas: Canvas) -> None:
    clicks(canvas, "free_polygon", [*DENTED[:3], (600, 600)])
    gestures.key(canvas, Qt.Key.Key_Backspace)
    gestures.click(canvas, on_screen(canvas, DENTED[:1])[0])
    (region,) = regions(canvas)
    assert len(region.points) == 3 and canvas.pointing.gesture is None


def test_escape_gives_a_polygon_up(canvas: Canvas) -> None:
    clicks(canvas, "free_polygon", DENTED)
    gestures.key(canvas, Qt.Key.Key_Escape)
    assert regions(canvas) == [] and canvas.pointing.gesture is None


def test_another_tool_gives_a_polygon_up(canvas: Canvas) -> None:
    clicks(canvas, "free_polygon", DENTED)
    canvas.workbench.set_tool("box")
    assert regions(canvas) == [] and canvas.pointing.gesture is None


def test_an_isothetic_polygon(canvas: Canvas) -> None:
    clicks(canvas, "isothetic", [(100, 100), (400, 102), (300, 300)])
    gestures.key(canvas, Qt.Key.Key_Enter)
    (region,) = regions(canvas)
    assert region.primitive is Primitive.ISOTHETIC and is_isothetic(region.array)


def test_boxes(canvas: Canvas) -> None:
    canvas.workbench.set_tool("box")
    gestures.drag(canvas, on_screen(canvas, [(300, 250), (200, 200), (100, 150)]))
    gestures.drag(canvas, on_screen(canvas, [(500, 400), (520, 420), (600, 430)]), SHIFT)
    gestures.drag(canvas, on_screen(canvas, [(500, 400), (520, 420), (550, 430)]), ALT)
    assert [region.primitive for region in regions(canvas)] == [Primitive.BOX] * 3
    wanted = [(100, 150, 300, 250), (500, 400, 600, 500), (450, 370, 550, 430)]
    for region, bounds in zip(regions(canvas), wanted, strict=True):
        assert region.bounds == pytest.approx(bounds, abs=1)


def test_an_ellipse(canvas: Canvas) -> None:
    canvas.workbench.set_tool("ellipse")
    gestures.drag(canvas, on_screen(canvas, [(200, 200), (250, 250), (400, 300)]))
    (region,) = regions(canvas)
    assert region.primitive is Primitive.ELLIPSE
    assert region.area == pytest.approx(np.pi * 100 * 50, rel=0.02)


def test_a_drag_off_the_page_stays_on_it(canvas: Canvas) -> None:
    canvas.workbench.set_tool("box")
    gestures.drag(canvas, on_screen(canvas, [(800, 600), (850, 650), (5000, 5000)]))
    assert regions(canvas)[0].bounds == pytest.approx((800, 600, 900, 700), abs=1)


def test_cells_are_painted_added_and_taken_away(canvas: Canvas) -> None:
    canvas.workbench.set_tool("cells")
    gestures.drag(canvas, on_screen(canvas, [(100, 100), (120, 100), (300, 100)]))
    (painted,) = regions(canvas)
    assert painted.primitive is Primitive.CELLS and is_isothetic(painted.array)
    assert (painted.array % 16 == 0).all()
    gestures.drag(canvas, on_screen(canvas, [(100, 110), (100, 150), (100, 300)]), SHIFT)
    assert regions(canvas)[0].area > painted.area
    gestures.drag(canvas, on_screen(canvas, [(100, 115), (100, 150), (100, 300)]), ALT)
    assert regions(canvas)[0].area == painted.area


def test_a_line_splits_the_selected_region(canvas: Canvas) -> None:
    canvas.workbench.set_tool("box")
    gestures.drag(canvas, on_screen(canvas, [(200, 200), (250, 250), (400, 300)]))
    canvas.workbench.set_tool("split")
    gestures.drag(canvas, on_screen(canvas, [(300, 150), (300, 200), (300, 350)]))
    assert sorted(region.area for region in regions(canvas)) == pytest.approx([1e4, 1e4], rel=0.02)
    assert len(canvas.workbench.selection) == 2
    canvas.workbench.editing.undo()
    assert len(regions(canvas)) == 1


def test_a_line_beside_it_says_so(canvas: Canvas) -> None:
    lines: list[str] = []
    canvas.workbench.said.connect(lambda text, _: lines.append(text))
    canvas.workbench.set_tool("box")
    gestures.drag(canvas, on_screen(canvas, [(200, 200), (250, 250), (400, 300)]))
    canvas.workbench.set_tool("split")
    gestures.drag(canvas, on_screen(canvas, [(500, 150), (500, 200), (500, 350)]))
    assert len(regions(canvas)) == 1 and "cross" in lines[-1]
