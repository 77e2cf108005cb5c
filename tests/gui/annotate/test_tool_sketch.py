"""Sketching as a user does it: strokes, clicks, second thoughts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from PySide6.QtCore import Qt

import spotlab
from spotlab.editing.region_index import RegionIndex
from spotlab.geometry import polygon
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit import background
from spotlab.imaging import stroke_outline
from spotlab.imaging.stroke_outline import StrokeInk
from spotlab.model import Primitive, Region
from tests.gui import gestures
from tests.gui.gestures import ALT, CONTROL, LEFT, SHIFT, around, on_screen

BED = (300, 200, 420, 360)  # where its ink is
CHAIR = (500, 210, 541, 251)


def plan() -> np.ndarray:
    page = np.full((700, 900), 255, np.uint8)
    cv2.rectangle(page, (300, 200), (419, 359), 0, 2)
    cv2.rectangle(page, (320, 215), (400, 250), 0, 2)
    cv2.circle(page, (520, 230), 20, 0, 2)
    return page


@pytest.fixture
def canvas(tmp_path: Path, lasting_canvas: Canvas) -> Canvas:
    gestures.begin_page(lasting_canvas, tmp_path, plan())
    lasting_canvas.workbench.set_tool("sketch")
    return lasting_canvas


@pytest.fixture
def said(canvas: Canvas) -> list[str]:
    lines: list[str] = []
    canvas.workbench.said.connect(lambda text, _serious: lines.append(text))
    return lines


def regions(canvas: Canvas) -> list:
    assert canvas.workbench.document is not None
    return list(canvas.workbench.document)


def sketch(canvas: Canvas, box: tuple[float, ...], held=gestures.PLAIN, *, let_go: bool = True):
    gestures.drag(canvas, on_screen(canvas, around(*box)), held, let_go=let_go)


def near(found: tuple[float, ...], wanted: tuple[float, ...]) -> bool:
    return max(abs(a - b) for a, b in zip(found, wanted, strict=True)) <= 2


def test_a_stroke_around_ink_gives_its_hull(canvas: Canvas) -> None:
    sketch(canvas, BED)
    (region,) = regions(canvas)
    assert near(region.bounds, BED)
    assert region.primitive is Primitive.HULL
    assert canvas.workbench.selection.ids == (region.id,)


def test_the_label_that_was_chosen_is_given(canvas: Canvas) -> None:
    canvas.workbench.editing.apply_label("bed")
    sketch(canvas, BED)
    assert regions(canvas)[0].label == "bed"


def test_other_outlines(canvas: Canvas) -> None:
    canvas.workbench.ink.set_primitive(Primitive.BOX)
    sketch(canvas, BED)
    assert regions(canvas)[0].primitive is Primitive.BOX and len(regions(canvas)[0].points) == 4


def test_paper_says_so_and_leaves_nothing(canvas: Canvas, said: list[str]) -> None:
    sketch(canvas, (600, 500, 700, 600))
    assert regions(canvas) == [] and "No ink" in said[-1]
    assert canvas.workbench.history is not None and canvas.workbench.history.undo_name is None


def test_a_line_without_area_says_so(canvas: Canvas, said: list[str]) -> None:
    gestures.drag(canvas, on_screen(canvas, [(600, 500), (620, 500), (700, 500)]))
    assert regions(canvas) == [] and said


def test_components_are_tinted_while_drawing(canvas: Canvas) -> None:
    before = canvas.grab().toImage()
    sketch(canvas, BED, let_go=False)
    assert background.wait_for_all()
    gesture = canvas.pointing.gesture
    assert gesture is not None and gesture._tint is not None
    x, y = canvas.view.to_view(320.5, 230)
    after = canvas.grab().toImage()
    ratio = canvas.devicePixelRatioF()
    place = int(x * ratio), int(y * ratio)
    assert before.pixelColor(*place) != after.pixelColor(*place)
    assert after.pixelColor(*place).blue() > 100


def test_ink_that_was_found_while_drawing_is_not_looked_for_again(
    canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[tuple[object, ...]] = []
    take = stroke_outline.take_ink

    def count(*what: object) -> StrokeInk:
        searched.append(what)
        return take(*what)

    monkeypatch.setattr(stroke_outline, "take_ink", count)
    places = on_screen(canvas, around(*BED))
    gestures.drag(canvas, places, let_go=False)
    assert background.wait_for_all()
    known = len(searched)
    gestures.release(canvas, places[-1])
    assert len(searched) == known and near(regions(canvas)[0].bounds, BED)


def test_what_was_drawn_after_the_last_look_counts(canvas: Canvas) -> None:
    places = on_screen(canvas, around(*BED))
    gestures.drag(canvas, places, let_go=False)
    assert background.wait_for_all()
    for place in on_screen(canvas, [(560, 300), (560, 190), (290, 190)]):
        gestures.move(canvas, place, LEFT)
    gestures.release(canvas, place)
    assert near(regions(canvas)[0].bounds[2:], (541, 360)), "the chair, too"


def test_escape_leaves_no_trace(canvas: Canvas) -> None:
    sketch(canvas, BED, let_go=False)
    gestures.key(canvas, Qt.Key.Key_Escape)
    gestures.release(canvas, (10, 10))
    assert regions(canvas) == [] and canvas.pointing.gesture is None


@pytest.mark.parametrize(
    ("what", "held"), [(Qt.Key.Key_Backspace, gestures.PLAIN), (Qt.Key.Key_Z, CONTROL)]
)
def test_a_part_of_the_stroke_is_taken_back(canvas: Canvas, what, held) -> None:
    places = on_screen(canvas, around(*CHAIR))
    astray = [(x + 1, places[-1][1] + 3 * x / 100) for x in range(500, 100, -60)]
    gestures.drag(canvas, places + astray, let_go=False)
    before = len(canvas.pointing.gesture.points)
    gestures.key(canvas, what, held)
    assert len(canvas.pointing.gesture.points) < before
    gestures.release(canvas, places[-1])
    assert near(regions(canvas)[0].bounds, CHAIR)


def test_shift_adds_and_alt_takes_away(canvas: Canvas) -> None:
    sketch(canvas, BED)
    sketch(canvas, CHAIR, SHIFT)
    (region,) = regions(canvas)
    assert near(region.bounds, (300, 200, 541, 360))
    sketch(canvas, CHAIR, ALT)
    (region,) = regions(canvas)
    assert near(region.bounds, BED)
    canvas.workbench.editing.undo()
    canvas.workbench.editing.undo()
    assert near(regions(canvas)[0].bounds, BED)


def test_shift_and_alt_click_single_components(canvas: Canvas) -> None:
    sketch(canvas, BED)
    (place,) = on_screen(canvas, [(540, 230)])
    gestures.click(canvas, place, SHIFT)
    assert near(regions(canvas)[0].bounds, (300, 200, 541, 360))
    gestures.click(canvas, place, ALT)
    assert near(regions(canvas)[0].bounds, BED)


def test_a_click_selects(canvas: Canvas) -> None:
    sketch(canvas, BED)
    canvas.workbench.selection.clear()
    gestures.click(canvas, on_screen(canvas, [(350, 300)])[0])
    assert len(canvas.workbench.selection) == 1
    gestures.click(canvas, on_screen(canvas, [(700, 600)])[0])
    assert len(canvas.workbench.selection) == 0
    assert len(regions(canvas)) == 1


def test_one_can_move_about_in_the_middle_of_a_stroke(canvas: Canvas) -> None:
    places = around(*BED)
    gestures.drag(canvas, on_screen(canvas, places[:20]), let_go=False)
    gestures.wheel(canvas, (400, 300), 2)
    gestures.hold_key(canvas, Qt.Key.Key_Space, True)
    for x in range(10):
        gestures.move(canvas, (400 + 5 * x, 300), LEFT)
    gestures.hold_key(canvas, Qt.Key.Key_Space, False)
    for place in places[20:]:
        gestures.move(canvas, on_screen(canvas, [place])[0], LEFT)
    gestures.release(canvas, on_screen(canvas, [places[-1]])[0])
    assert near(regions(canvas)[0].bounds, BED)


def test_trace_takes_a_component_by_a_click(canvas: Canvas) -> None:
    canvas.workbench.set_tool("trace")
    gestures.click(canvas, on_screen(canvas, [(540, 230)])[0])
    (region,) = regions(canvas)
    assert region.primitive is Primitive.TRACE and near(region.bounds, CHAIR)
    assert region.area < 500  # the ring of ink, not the disc


@pytest.fixture
def walled(tmp_path: Path, lasting_canvas: Canvas) -> Iterator[Canvas]:
    """A wall runs right through the bed."""
    page = plan()
    page[300:306] = 0
    canvas = gestures.open_page(tmp_path, page)
    yield canvas
    gestures.close(canvas)


ROUGH = (280, 180, 440, 380)  # a stroke around the bed


def rectangle(canvas: Canvas, held=gestures.PLAIN, *, let_go: bool = True) -> None:
    left, top, right, bottom = ROUGH
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    gestures.drag(canvas, on_screen(canvas, corners), held, let_go=let_go)


def test_what_hangs_on_a_wall_is_cut_off_it_and_said(walled: Canvas) -> None:
    lines: list[str] = []
    walled.workbench.said.connect(lambda text, _serious: lines.append(text))
    rectangle(walled)
    (region,) = regions(walled)
    assert near(region.bounds, BED), "all of the bed, and nothing of the wall outside"
    assert "Cut off" in lines[-1]
    walled.workbench.editing.undo()
    assert regions(walled) == []


def test_what_is_cut_off_is_tinted_and_cuts_are_marked(walled: Canvas) -> None:
    rectangle(walled, let_go=False)
    assert background.wait_for_all()
    shown = walled.grab().toImage()
    ratio = walled.devicePixelRatioF()

    def colour(x: float, y: float) -> tuple[int, int, int]:
        at_x, at_y = walled.view.to_view(x, y)
        pixel = shown.pixelColor(int(at_x * ratio), int(at_y * ratio))
        return pixel.red(), pixel.green(), pixel.blue()

    red, _, blue = colour(290, 303)  # the wall, inside the stroke
    assert red > 120 and blue < 110
    red, _, blue = colour(360, 303)  # the wall inside the bed goes with it
    assert blue > 120 and red < 110
    gesture = walled.pointing.gesture
    assert gesture is not None
    places = np.array(gesture._tint.cuts)
    assert len(places) == 2 and np.abs(places - [(300, 303), (420, 303)]).max() < 6


def test_c_takes_whole_components_instead(walled: Canvas) -> None:
    rectangle(walled, let_go=False)
    gestures.key(walled, Qt.Key.Key_C)
    gestures.release(walled, on_screen(walled, [ROUGH[:2]])[0])
    (pillow,) = regions(walled)
    assert near(pillow.bounds, (320, 215, 401, 251)), "the bed is a part of the wall"
    walled.workbench.editing.undo()
    rectangle(walled, let_go=False)
    gestures.key(walled, Qt.Key.Key_C)
    gestures.key(walled, Qt.Key.Key_C)
    gestures.release(walled, on_screen(walled, [ROUGH[:2]])[0])
    assert near(regions(walled)[0].bounds, BED), "C again cuts it off again"


def test_control_cuts_at_the_stroke(walled: Canvas) -> None:
    rectangle(walled, CONTROL)
    (region,) = regions(walled)
    left, top, right, bottom = region.bounds
    assert near((top, bottom), (BED[1], BED[3])), "all of the bed"
    assert near((left, right), (ROUGH[0], ROUGH[2])), "and the wall as far as the stroke"


def test_ink_is_added_to_a_region_that_was_cut_off(walled: Canvas) -> None:
    rectangle(walled)
    sketch(walled, CHAIR, SHIFT)
    (region,) = regions(walled)
    assert near(region.bounds, (300, 200, 541, 360))
    sketch(walled, CHAIR, ALT)
    assert regions(walled)[0].bounds[2] < CHAIR[0], "the chair is gone"


def test_nothing_is_looked_for_under_the_pointer_while_a_stroke_is_drawn(
    canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    sketch(canvas, BED)
    asked: list[tuple[float, float]] = []
    told: list[str] = []
    look = RegionIndex.regions_at

    def count(index: RegionIndex, x: float, y: float) -> list[Region]:
        asked.append((x, y))
        return look(index, x, y)

    monkeypatch.setattr(RegionIndex, "regions_at", count)
    canvas.pointer_moved.connect(told.append)
    first, *places = on_screen(canvas, around(*CHAIR))
    gestures.press(canvas, first)
    asked.clear()
    told.clear()
    for place in places:
        gestures.move(canvas, place, LEFT)
    assert asked == [] and len(told) <= len(places) + 1
    assert all(line.startswith("x ") and "·" not in line for line in told)
    gestures.release(canvas, places[-1])
    assert len(regions(canvas)) == 2 and asked


@pytest.mark.parametrize("held", [gestures.PLAIN, CONTROL])
def test_the_interface_outlines_what_the_window_draws(
    canvas: Canvas, tmp_path: Path, held: Qt.KeyboardModifier
) -> None:
    page = plan()
    page[480:500] = 0  # a wall, and a door that hangs on it
    page[480:500, 400:480] = 255
    cv2.line(page, (401, 490), (401, 410), 0, 2)
    cv2.ellipse(page, (401, 490), (80, 80), 0, 270, 360, 0, 2)
    gestures.begin_page(canvas, tmp_path, page)
    canvas.workbench.set_tool("sketch")
    stroke = (392, 398, 492, 505)
    sketch(canvas, stroke, held)
    [door] = regions(canvas)
    cut = "stroke" if held == CONTROL else "proposed"
    hull = spotlab.hull_of_stroke(page, around(*stroke), cut=cut)
    assert near(polygon.bounds(hull), door.bounds)
    assert polygon.area(hull) == pytest.approx(door.area, rel=0.03)
    assert len(spotlab.hull_of_stroke(page, around(*stroke), cut="none")) == 0
