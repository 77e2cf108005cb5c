"""The rule for the pointer: a drawing tool draws, whatever is selected and wherever it is pressed.

help/annotate.md states the rule. Every tool that is registered is tried with nothing, one and two
regions selected, pressed on ink, on a handle, on an edge and outside of regions.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from spotlab.gui.kit import background
from spotlab.gui.window.main_window import MainWindow
from spotlab.gui.workspace import tool_kinds
from spotlab.model import Primitive, Region
from tests.gui import gestures, windows
from tests.gui.gestures import ALT, CONTROL, LEFT, PLAIN, SHIFT, Place, on_screen

TOOLS = [kind.name for kind in tool_kinds("annotate")]
CLICKED = ("polygon", "free_polygon", "isothetic", "line")
DRAWING = [name for name in TOOLS if name not in ("select", "draw_query", "split")]

SYMBOL = (275, 205, 325, 255)  # ink that no region covers yet
HELD = Region(((200, 200), (260, 200), (260, 260), (200, 260)), "old", "held",
              primitive=Primitive.HULL)  # fmt: skip
WALL = Region(((100, 588), (300, 588), (300, 600), (100, 600)), "old", "wall",
              primitive=Primitive.POLYGON)  # fmt: skip
OTHER = Region(((400, 200), (460, 200), (460, 260), (400, 260)), "old", "other",
               primitive=Primitive.BOX)  # fmt: skip
CUT = Region(((500, 400), (560, 400), (560, 460), (500, 460)), "old", "cut",
             primitive=Primitive.BOX)  # fmt: skip
REGIONS = (HELD, WALL, OTHER, CUT)
PAPER: list[Place] = [(600, 300), (700, 300), (700, 380), (600, 380), (600, 300)]

PLACES = {
    "ink": (276.5, 206.5),
    "handle": (260, 260),
    "edge": (260, 230),
    "outside": (300, 263),
}
WALL_PLACES = {"ink": (320, 594), "handle": (300, 589), "edge": (300, 594), "outside": (310, 594)}
ROOM_PLACES = {**PLACES, "edge": (230, 260)}  # the other one lies in a gap that is closed
PLACES_OF = {"wall": WALL_PLACES, "room": ROOM_PLACES}
SELECTED = {0: (), 1: ("held",), 2: ("other", "held")}
COUNTS = [0, 1, pytest.param(2, marks=pytest.mark.slow)]


def plan() -> np.ndarray:
    """A room with filled walls and three symbols."""
    page = np.full((700, 900), 255, np.uint8)
    cv2.rectangle(page, (100, 100), (800, 599), 0, -1)
    cv2.rectangle(page, (112, 112), (788, 587), 255, -1)
    for left, top, right, bottom in ((205, 205, 254, 254), SYMBOL, (405, 205, 454, 254)):
        cv2.rectangle(page, (left, top), (right - 1, bottom - 1), 0, 3)
    return page


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory, qapp: QApplication) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("rule")
    (folder / "pages").mkdir()
    Image.fromarray(plan()).save(folder / "pages" / "plan.png")
    window = windows.open_window(folder, folder / "pages", size=(1300, 900))
    assert window.workbench.document is not None
    for label in ("old", "first", "second"):
        window.workbench.editing.apply_label(label)
    window.workbench.editing.do("Set up", window.workbench.document.adding(*REGIONS))
    yield window
    windows.close(window)


@pytest.fixture(autouse=True)
def _as_before(window: MainWindow) -> Iterator[None]:
    yield
    bench = window.workbench
    window.canvas.cancel()
    while bench.history is not None and bench.history.undo_name != "Set up":
        bench.editing.undo()
    bench.selection.clear()
    assert all(regions(window)[region.id] == region for region in REGIONS)


def regions(window: MainWindow) -> dict[str, Region]:
    return {region.id: region for region in window.workbench.document or ()}


def new(window: MainWindow) -> list[Region]:
    known = {region.id for region in REGIONS}
    return [region for region in regions(window).values() if region.id not in known]


def begin(window: MainWindow, tool: str, count: int) -> None:
    window.workbench.set_tool(tool)
    ids = ("wall", *SELECTED[count][1:]) if tool == "wall" and count else SELECTED[count]
    window.workbench.selection.set(ids)
    if tool == "room":
        assert background.wait_for_all(60)


def way(tool: str, start: Place) -> list[Place]:
    """Where a hand goes on from a press to draw something with a tool."""
    x, y = start
    if tool in ("sketch", "trace"):
        return [start, (340, 262), (340, 195), (300, 194), (263, 195), start]
    if tool == "wall":
        return [start, (400, 594), (500, 595), (650, 594)]
    if tool == "room":
        aside = 190 if y < 240 else 290  # not through a symbol
        return [start, (x, aside), (380, aside), (500, aside)]
    if tool == "split":
        return [start, (530, 430), (2 * 530 - x, 2 * 430 - y)]
    return [start, (x + 20, y + 30), (x + 90, y + 70)]


def draw(window: MainWindow, tool: str, places: list[Place], held=PLAIN) -> None:
    shown = on_screen(window.canvas, places)
    if tool in CLICKED:
        for place in [*shown, (shown[0][0] + 4, shown[0][1] + 60)]:
            gestures.click(window.canvas, place, held)
        windows.press(window.canvas, Qt.Key.Key_Return)
    elif tool == "turned_box":
        gestures.drag(window.canvas, shown[:2], held)
        gestures.click(window.canvas, shown[2], held)
    else:
        gestures.drag(window.canvas, shown, held)
    assert background.wait_for_all(60)
    QApplication.processEvents()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("tool", DRAWING)
def test_a_drag_draws(window: MainWindow, tool: str, count: int, place: str) -> None:
    begin(window, tool, count)
    draw(window, tool, way(tool, PLACES_OF.get(tool, PLACES)[place]))
    (region,) = new(window)
    assert window.workbench.selection.ids == (region.id,)
    windows.press(window.canvas, Qt.Key.Key_2)
    assert regions(window)[region.id].label == "first" and not window.workbench.selection.ids
    windows.press(window.canvas, Qt.Key.Key_3)  # the wrong key was pressed: another one corrects it
    assert regions(window)[region.id].label == "second"
    draw(window, tool, PAPER[:2] if tool == "wall" else PAPER)
    windows.press(window.canvas, Qt.Key.Key_1)  # whatever that stroke made, the neighbour stays
    assert regions(window)[region.id].label == "second"
    assert all(regions(window)[each.id] == each for each in REGIONS)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("count", SELECTED)
def test_a_line_cuts_what_it_crosses(window: MainWindow, count: int, place: str) -> None:
    begin(window, "split", count)
    draw(window, "split", way("split", PLACES[place]))
    assert len(new(window)) == 1 and regions(window)["cut"].area < CUT.area
    assert all(regions(window)[each.id] == each for each in (HELD, WALL, OTHER))


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("count", SELECTED)
def test_a_query_is_drawn(window: MainWindow, count: int, place: str) -> None:
    begin(window, "draw_query", count)
    draw(window, "draw_query", way("draw_query", PLACES[place]))
    assert new(window) == [] and all(regions(window)[each.id] == each for each in REGIONS)
    windows.press(window.canvas, Qt.Key.Key_Escape)  # the drawing is thrown away, no region
    assert all(regions(window)[each.id] == each for each in REGIONS)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("count", SELECTED)
def test_select_changes_what_is_selected(window: MainWindow, count: int, place: str) -> None:
    begin(window, "select", count)
    draw(window, "select", way("select", PLACES[place]))
    held = regions(window)["held"]
    assert new(window) == []
    name = window.workbench.history.undo_name if window.workbench.history else None
    if count and place == "handle":
        assert name == "Move point" and (350.0, 330.0) in held.points
    elif count and place == "edge":
        assert name == "Add point" and (350.0, 300.0) in held.points
    elif place in ("handle", "edge"):  # nothing is selected: the region there is moved
        assert name in ("Move", "Set up")
    else:
        assert name == "Set up" and held == HELD


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("held", [SHIFT, ALT, CONTROL])
@pytest.mark.parametrize("tool", TOOLS)
def test_a_key_held_never_deletes_a_point(window: MainWindow, tool: str, held, count: int) -> None:
    begin(window, tool, count)
    start = PLACES_OF.get(tool, PLACES)["handle"]
    draw(window, tool, way(tool, start), held)
    name = window.workbench.history.undo_name if window.workbench.history else ""
    assert name != "Delete point" and {each.id for each in REGIONS} <= regions(window).keys()
    changing = tool in ("sketch", "trace", "cells", "room") and held in (SHIFT, ALT)
    if changing and count != 1:  # it is said what to select first, and nothing is drawn
        assert name == "Set up" and "Select one region first" in window.canvas.note.text()


@pytest.mark.parametrize("tool", [*DRAWING, "split"])
def test_the_second_press_of_a_double_click_may_begin_a_drag(window: MainWindow, tool: str) -> None:
    begin(window, tool, 0)
    places = way(tool, PLACES_OF.get(tool, PLACES)["handle"])
    if tool in (*CLICKED, "turned_box"):
        return
    canvas, shown = window.canvas, on_screen(window.canvas, places)
    gestures.mouse(canvas, gestures.QEvent.Type.MouseButtonDblClick, shown[0], LEFT, LEFT)
    for place in shown[1:]:
        gestures.move(canvas, place, LEFT)
    gestures.release(canvas, shown[-1])
    assert background.wait_for_all(60)
    assert len(new(window)) == 1 and window.workbench.tool == tool


@pytest.mark.parametrize("tool", [name for name in TOOLS if name not in ("select", "draw_query")])
def test_a_double_click_opens_a_region_in_select_until_escape(
    window: MainWindow, tool: str
) -> None:
    begin(window, tool, 0)
    canvas = window.canvas
    (inside,) = on_screen(canvas, [(430, 230)])
    gestures.double_click(canvas, inside)
    assert background.wait_for_all(60)
    assert window.workbench.tool == "select" and len(window.workbench.selection) == 1
    windows.press(canvas, Qt.Key.Key_Escape)
    assert window.workbench.tool == tool and not window.workbench.selection.ids
    gestures.double_click(canvas, inside)
    gestures.click(canvas, on_screen(canvas, [(850, 650)])[0])  # outside
    assert window.workbench.tool == tool


def test_delete_after_a_box_deletes_the_box(window: MainWindow) -> None:
    begin(window, "box", 2)
    draw(window, "box", way("box", (600, 300)))
    assert len(new(window)) == 1
    windows.press(window.canvas, Qt.Key.Key_Delete)
    assert new(window) == [] and len(regions(window)) == len(REGIONS)


def test_shift_and_a_stroke_adds_to_what_was_labelled_last(window: MainWindow) -> None:
    begin(window, "cells", 0)
    draw(window, "cells", way("cells", (600, 300)))
    windows.press(window.canvas, Qt.Key.Key_2)
    (before,) = new(window)
    draw(window, "cells", [(690, 370), (690, 420), (690, 450)], SHIFT)
    (after,) = new(window)
    assert after.id == before.id and after.area > before.area
