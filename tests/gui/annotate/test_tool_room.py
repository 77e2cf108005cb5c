"""Rooms and walls as a user takes them: clicks, strokes, gaps and proposals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from spotlab.formats.collection.label_file import read_values
from spotlab.gui.annotate.rooms.rooms import Rooms, propose_rooms
from spotlab.gui.annotate.rooms.rooms_bar import RoomsBar
from spotlab.gui.annotate.similar.proposals import Proposals
from spotlab.gui.canvas.canvas import Canvas
from spotlab.gui.kit import background
from spotlab.model import Primitive, Region
from tests.gui import gestures
from tests.gui.gestures import ALT, SHIFT, on_screen
from tests.gui.held_work import held
from tests.imaging.floor_plans import HALL, LEFT, RIGHT, draw_plan

IN_LEFT, IN_RIGHT, IN_HALL = (300, 150), (450, 350), (300, 500)


@pytest.fixture
def canvas(tmp_path: Path, lasting_canvas: Canvas) -> Canvas:
    gestures.begin_page(lasting_canvas, tmp_path, draw_plan(front=True))
    lasting_canvas.workbench.state(Rooms)  # made with the window
    lasting_canvas.workbench.set_tool("room")
    assert background.wait_for_all(30)
    return lasting_canvas


@pytest.fixture
def said(canvas: Canvas) -> list[str]:
    lines: list[str] = []
    canvas.workbench.said.connect(lambda text, _serious: lines.append(text))
    return lines


def regions(canvas: Canvas) -> list[Region]:
    assert canvas.workbench.document is not None
    return list(canvas.workbench.document)


def click(canvas: Canvas, place: tuple[float, float], held=gestures.PLAIN) -> None:
    gestures.click(canvas, on_screen(canvas, [place])[0], held)


def is_box(region: Region, box: tuple[float, ...]) -> bool:
    return max(abs(a - b) for a, b in zip(region.bounds, box, strict=True)) <= 2


def test_a_click_makes_a_free_polygon_with_the_label(canvas: Canvas) -> None:
    canvas.workbench.editing.apply_label("bedroom")
    click(canvas, IN_LEFT)
    (region,) = regions(canvas)
    assert is_box(region, LEFT)
    assert region.primitive is Primitive.POLYGON
    assert region.label == "bedroom"
    assert len(region.points) <= 8
    canvas.workbench.editing.undo()
    assert regions(canvas) == []


def test_the_first_click_acts_when_the_rooms_are_known(tmp_path: Path, qtbot: QtBot) -> None:
    opened = gestures.open_page(tmp_path, draw_plan())
    lines: list[str] = []
    opened.workbench.said.connect(lambda text, _serious: lines.append(text))
    with held():
        opened.workbench.set_tool("room")
        click(opened, IN_LEFT)
        line = "Finding the rooms of this page: the click counts as soon as they are known"
        assert lines == [line]
        assert regions(opened) == []
    assert background.wait_for_all(30)
    (region,) = regions(opened)
    assert is_box(region, LEFT)
    gestures.close(opened)


def test_a_click_in_a_room_that_is_there_selects_it(canvas: Canvas) -> None:
    click(canvas, IN_LEFT)
    click(canvas, IN_RIGHT)
    click(canvas, IN_LEFT)
    left, right = regions(canvas)
    assert canvas.workbench.selection.ids == (left.id,)
    assert is_box(right, RIGHT)


def test_shift_joins_a_neighbour_and_alt_takes_it_away(canvas: Canvas) -> None:
    click(canvas, IN_LEFT)
    click(canvas, IN_RIGHT, SHIFT)
    (joined,) = regions(canvas)
    assert is_box(joined, (LEFT[0], LEFT[1], RIGHT[2], RIGHT[3]))
    click(canvas, IN_LEFT, ALT)
    (right,) = regions(canvas)
    assert is_box(right, RIGHT)


@pytest.mark.parametrize("removed", [False, True])
def test_a_click_counts_for_the_region_that_was_selected_then(
    canvas: Canvas, said: list[str], removed: bool
) -> None:
    """Rooms are found again meanwhile, and the user goes on."""
    click(canvas, IN_LEFT)
    with held():
        canvas.workbench.state(Rooms).set(gap=30.0)
        click(canvas, IN_RIGHT, SHIFT)
        assert said[-1].startswith("Finding the rooms of this page")
        if removed:
            gestures.key(canvas, Qt.Key.Key_Delete)
        else:
            canvas.workbench.selection.clear()
    assert background.wait_for_all(30)
    if removed:
        assert regions(canvas) == []
    else:
        (joined,) = regions(canvas)
        assert is_box(joined, (LEFT[0], LEFT[1], RIGHT[2], RIGHT[3]))


def test_a_space_beyond_a_wall_is_not_joined(canvas: Canvas, said: list[str]) -> None:
    click(canvas, IN_RIGHT)
    before = regions(canvas)
    click(canvas, (20, 20), SHIFT)
    assert "open to the edge" in said[-1]
    click(canvas, (105, 300), SHIFT)
    assert "That is a wall" in said[-1]
    canvas.workbench.state(Rooms).set(gap=160.0)
    assert background.wait_for_all(30)
    click(canvas, IN_HALL, SHIFT)
    assert "A wall lies between" in said[-1]
    assert regions(canvas) == before


def test_a_stroke_takes_each_room_in_one_step(canvas: Canvas) -> None:
    places = [(200, 180), (350, 180), (500, 180), (600, 180)]
    gestures.drag(canvas, on_screen(canvas, places))
    left, right = regions(canvas)
    assert is_box(left, LEFT)
    assert is_box(right, RIGHT)
    assert set(canvas.workbench.selection.ids) == {left.id, right.id}
    canvas.workbench.editing.undo()
    assert regions(canvas) == []


def is_box_ring(outline: np.ndarray, box: tuple[float, ...]) -> bool:
    return bool(np.abs(np.concatenate([outline.min(0), outline.max(0)]) - box).max() <= 2)


def halves(canvas: Canvas, x: float) -> bool:
    """The left room stands divided at x, without a gap or a common area."""
    one, other = sorted(regions(canvas), key=lambda region: region.bounds[0])
    left, top, right, bottom = LEFT
    return is_box(one, (left, top, x, bottom)) and is_box(
        other, (one.bounds[2], top, right, bottom)
    )


@pytest.mark.parametrize("taken", [False, True])
def test_a_stroke_from_wall_to_wall_divides_a_room(canvas: Canvas, taken: bool) -> None:
    canvas.workbench.editing.apply_label("bedroom")
    if taken:
        click(canvas, IN_LEFT)
    before = regions(canvas)
    places = [(250, 108), (252, 200), (247, 300), (249, 392)]  # shaky, and slightly askew
    gestures.drag(canvas, on_screen(canvas, places))
    assert halves(canvas, 249)
    assert {region.label for region in regions(canvas)} == {"bedroom"}
    canvas.workbench.editing.undo()
    assert regions(canvas) == before
    canvas.workbench.editing.redo()
    click(canvas, (300, 150))  # each is a room now
    assert len(canvas.workbench.selection.ids) == 1
    assert len(regions(canvas)) == 2


def test_a_part_is_divided_again_and_a_stroke_that_ends_within_divides_nothing(
    canvas: Canvas,
) -> None:
    click(canvas, IN_LEFT)
    gestures.drag(canvas, on_screen(canvas, [(250, 108), (250, 250), (250, 392)]))
    gestures.drag(canvas, on_screen(canvas, [(250, 250), (180, 251), (108, 249)]))
    assert len(regions(canvas)) == 3
    area = sum(region.area for region in regions(canvas))
    left, top, right, bottom = LEFT
    assert area == pytest.approx((right - left) * (bottom - top), rel=0.01)
    gestures.drag(canvas, on_screen(canvas, [(330, 108), (330, 200), (330, 250)]))
    assert len(regions(canvas)) == 3
    propose_rooms(canvas.workbench)  # of what is not drawn
    assert background.wait_for_all(30)
    proposals = canvas.workbench.state(Proposals)
    assert [is_box_ring(each.outline, HALL) for each in proposals.shown] == [True, False]
    assert is_box_ring(proposals.shown[1].outline, RIGHT)
    proposals.pages.end()
    assert background.wait_for_all(30)


@pytest.mark.parametrize("held", [gestures.PLAIN, ALT])
def test_the_border_of_two_parts_moves_as_one(canvas: Canvas, held: Qt.KeyboardModifier) -> None:
    gestures.drag(canvas, on_screen(canvas, [(250, 108), (250, 250), (250, 392)]))
    before = regions(canvas)
    canvas.workbench.set_tool("select")
    canvas.workbench.selection.set([before[0].id])
    end = (250.0, float(LEFT[1]))
    gestures.drag(canvas, on_screen(canvas, [end, (240, 112), (220, 112)]), held)
    moved = [
        abs(min(x for x, _ in each.points if x > LEFT[0]) - 220) <= 1 for each in regions(canvas)
    ]
    area = sum(region.area for region in regions(canvas))
    whole = sum(region.area for region in before)
    if held == ALT:
        assert sum(moved) == 1 and area != pytest.approx(whole, rel=0.01)
    else:
        assert all(moved) and area == pytest.approx(whole, rel=0.001)
    canvas.workbench.editing.undo()
    assert regions(canvas) == before


def test_a_leak_is_said_and_a_larger_gap_offered(canvas: Canvas, said: list[str]) -> None:
    rooms, bar = canvas.workbench.state(Rooms), RoomsBar(canvas.workbench)
    rooms.set(gap=0.0, wide=False)
    assert background.wait_for_all(30)
    click(canvas, IN_HALL)
    assert regions(canvas) == []
    assert said[-1].startswith("This space is open to the edge of the page: raise Gap")
    assert background.wait_for_all(30)
    assert rooms.larger is None  # no gap is 1.3 times none
    rooms.set(gap=100.0)
    assert background.wait_for_all(30)
    click(canvas, IN_HALL)
    assert background.wait_for_all(30)
    assert rooms.larger is not None
    assert 140 <= rooms.larger[0] <= 180
    bar.larger.click()
    assert background.wait_for_all(30)
    click(canvas, IN_HALL)
    (hall,) = regions(canvas)
    assert is_box(hall, HALL)
    bar.deleteLater()


def test_what_was_taken_follows_the_gap_and_the_margin(canvas: Canvas) -> None:
    click(canvas, IN_LEFT)
    canvas.workbench.state(Rooms).set(margin=4)
    assert background.wait_for_all(30)
    (region,) = regions(canvas)
    assert is_box(region, (LEFT[0] + 4, LEFT[1] + 4, LEFT[2] - 4, LEFT[3] - 4))


def drawn(box: tuple[float, ...], margin: float) -> Region:
    left, top, right, bottom = np.add(box, (margin, margin, -margin, -margin)).tolist()
    return Region(((left, top), (right, top), (right, bottom), (left, bottom)))


@pytest.mark.parametrize("margin", [6, -4])
def test_the_margin_is_that_of_the_first_room_that_is_drawn_and_is_kept_with_the_collection(
    canvas: Canvas, said: list[str], margin: int
) -> None:
    workbench, bar = canvas.workbench, RoomsBar(canvas.workbench)
    click(canvas, IN_HALL)  # taken as it is: it teaches nothing
    workbench.editing.do("Set up", workbench.document.adding(drawn(LEFT, margin)))
    click(canvas, IN_RIGHT)
    assert background.wait_for_all(30)
    right = regions(canvas)[-1]
    assert is_box(right, np.add(RIGHT, (margin, margin, -margin, -margin)))
    assert bar.margin.value() == margin
    assert f"{abs(margin)} px {'away from' if margin > 0 else 'inside'} the walls" in said[-1]
    assert read_values(workbench.collection.folder, "rooms")["margin"] == margin
    another = Rooms(workbench)  # as in a program that opens the collection
    assert another.settings.margin == margin and another.learns
    bar.margin.setValue(2)  # set by hand it stays
    assert background.wait_for_all(30)
    propose_rooms(workbench)
    assert background.wait_for_all(30)
    assert bar.margin.value() == 2
    bar.fit.click()
    assert background.wait_for_all(30)
    assert bar.margin.value() == margin
    bar.deleteLater()


def test_walls_in_their_middle_bound_two_rooms_with_one_border(canvas: Canvas) -> None:
    workbench = canvas.workbench
    workbench.state(Rooms).set(margin=-30)
    assert background.wait_for_all(30)
    click(canvas, IN_LEFT)
    click(canvas, IN_RIGHT)
    left, right = regions(canvas)
    assert left.bounds[2] == pytest.approx(right.bounds[0], abs=1.5)
    assert left.bounds[2] == pytest.approx((LEFT[2] + RIGHT[0]) / 2, abs=1.5)


def test_fit_says_where_no_region_is_a_room(canvas: Canvas, said: list[str]) -> None:
    bar = RoomsBar(canvas.workbench)
    bar.fit.click()
    assert background.wait_for_all(30)
    assert said[-1].startswith("No region on this page is a room")
    bar.deleteLater()


def test_all_rooms_are_proposed_and_answered_by_keys(canvas: Canvas) -> None:
    workbench = canvas.workbench
    click(canvas, IN_LEFT)
    workbench.selection.clear()
    workbench.state(Rooms).set(gap=160.0)
    assert background.wait_for_all(30)
    propose_rooms(workbench)
    proposals = workbench.state(Proposals)
    sought = proposals.pages.sought
    assert sought is not None and (sought.title, len(proposals.shown)) == ("Rooms", 2)
    gestures.key(canvas, Qt.Key.Key_Return, text="\r")
    assert len(regions(canvas)) == 2
    assert regions(canvas)[-1].primitive is Primitive.POLYGON
    gestures.key(canvas, Qt.Key.Key_Delete)
    assert len(regions(canvas)) == 2
    assert proposals.shown == ()
    proposals.pages.end()
    assert background.wait_for_all(30)


def test_the_bar_shows_the_gap_of_the_page(canvas: Canvas) -> None:
    bar = RoomsBar(canvas.workbench)
    rooms = canvas.workbench.state(Rooms)
    bar.wide.click()
    assert background.wait_for_all(30)
    assert rooms.map is not None
    assert bar.width_said.text() == f"{rooms.map.plan.default_gap:.0f} px"
    assert bar.figures.whole().startswith("No enclosed space: raise Gap")
    bar.gap.setValue(bar.gap.maximum())
    assert background.wait_for_all(30)
    QApplication.processEvents()
    assert bar.figures.whole() == "3 enclosed spaces"
    canvas.workbench.set_tool("sketch")
    assert bar.isHidden()
    bar.deleteLater()


def test_two_clicks_take_a_wall(canvas: Canvas, said: list[str]) -> None:
    canvas.workbench.set_tool("wall")
    click(canvas, (105, 240))
    gestures.move(canvas, on_screen(canvas, [(107, 420)])[0])
    click(canvas, (106, 420))
    (wall,) = regions(canvas)
    assert is_box(wall, (100, 240, 112, 420))
    assert wall.primitive is Primitive.POLYGON
    click(canvas, (200, 200))
    click(canvas, (300, 320))
    assert said[-1].startswith("No wall along that line")
    assert len(regions(canvas)) == 1


def test_a_stroke_takes_walls_around_a_corner(canvas: Canvas) -> None:
    canvas.workbench.set_tool("wall")
    places = [(105, 250), (106, 180), (105, 107), (180, 106), (250, 105), (330, 106)]
    gestures.drag(canvas, on_screen(canvas, places))
    (wall,) = regions(canvas)
    assert is_box(wall, (100, 100, 330, 250))
    assert wall.area == pytest.approx(12 * 330 - 12 * 12 + 12 * 50, rel=0.1)
