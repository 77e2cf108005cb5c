"""Rooms and walls of floor plans, against plans whose rooms are known."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from spotlab.errors import Cancelled
from spotlab.formats.truth.floor_plans import cvc_fp_svg
from spotlab.imaging.ink import binarise
from spotlab.imaging.reading.pixels import read_page
from spotlab.imaging.rooms.openings import Narrowings, open_passages
from spotlab.imaging.rooms.plan_features import Closing, door_evidence, extract_plan
from spotlab.imaging.rooms.room_map import (
    Plan,
    RoomMap,
    RoomSettings,
    fitting_margin,
    map_rooms,
    survey_plan,
)
from spotlab.imaging.rooms.walls import WallKind, Walls, wall_along, wall_band
from tests.imaging.floor_plans import DOORS, HALL, LEFT, RIGHT, draw_plan

BED, TEXT = (190, 200), (262, 335)  # places on furniture and on lettering of the left room


@pytest.fixture(scope="module")
def plan() -> Plan:
    return survey_plan(binarise(draw_plan()))


@pytest.fixture(scope="module")
def rooms(plan: Plan) -> RoomMap:
    return map_rooms(plan)


def box(left: int, top: int, right: int, bottom: int) -> shapely.Polygon:
    return shapely.box(left, top, right, bottom)


def iou(one: shapely.Geometry, other: shapely.Geometry) -> float:
    return float(one.intersection(other).area / one.union(other).area)


def room(rooms: RoomMap, x: float, y: float) -> shapely.Polygon:
    return shapely.Polygon(rooms.outline([rooms.label_at(x, y)]))


@pytest.mark.parametrize("place", [(300, 150), BED, TEXT, (113.5, 113.5), (393, 387)])
def test_a_place_inside_gives_the_whole_room(rooms: RoomMap, place: tuple[float, float]) -> None:
    outline = rooms.outline([rooms.label_at(*place)])
    assert iou(shapely.Polygon(outline), box(*LEFT)) > 0.99
    assert len(outline) <= 8  # doors are closed along the walls


def test_each_room_is_there_once_and_nothing_else(rooms: RoomMap) -> None:
    found = [shapely.Polygon(rooms.outline([label])) for label in rooms.rooms]
    assert len(found) == 3
    for wanted in (LEFT, RIGHT, HALL):
        assert max(iou(each, box(*wanted)) for each in found) > 0.97


def test_a_room_is_what_a_flood_fill_gives_once_the_openings_are_walls(rooms: RoomMap) -> None:
    closed = draw_plan()
    for left, top, right, bottom in (*DOORS, (520, 100, 620, 112)):
        closed[top:bottom, left:right] = 0
    free = (closed > 0).astype(np.uint8)
    _, _, _, (left, top, width, height) = cv2.floodFill(free, None, (450, 350), 2)
    filled = box(left, top, left + width, top + height)
    assert iou(room(rooms, 450, 350), filled) > 0.99


def test_outlined_walls_give_the_same_rooms() -> None:
    found = map_rooms(survey_plan(binarise(draw_plan(outlined=True))))
    assert found.plan.features.walls.kind is WallKind.OUTLINED
    for wanted, place in ((LEFT, (300, 150)), (RIGHT, (450, 350)), (HALL, (500, 500))):
        assert iou(room(found, *place), box(*wanted)) > 0.97


def test_walls_and_openings_are_no_room(rooms: RoomMap) -> None:
    assert rooms.label_at(105, 300) == 0
    assert rooms.label_at(400, 255) == 0  # between the faces of a door
    assert rooms.label_at(-5, 5000) == 0


def test_without_closing_a_click_leaks_and_a_gap_helps() -> None:
    plan = survey_plan(binarise(draw_plan(front=True)))
    open_to_the_page = map_rooms(plan, RoomSettings(gap=0, wide=False))
    assert open_to_the_page.is_outside(open_to_the_page.label_at(500, 500))
    closed = map_rooms(plan, RoomSettings(gap=160, wide=False))
    assert not closed.is_outside(closed.label_at(500, 500))
    assert iou(room(closed, 500, 500), box(*HALL)) > 0.97


def test_spaces_side_by_side_join_with_the_door_between_them(rooms: RoomMap) -> None:
    left, right = rooms.label_at(300, 150), rooms.label_at(450, 350)
    assert rooms.are_joined([left, right])
    joined = shapely.Polygon(rooms.outline([left, right]))
    door = box(*DOORS[0])
    assert iou(joined, shapely.union_all([box(*LEFT), box(*RIGHT), door])) > 0.99
    assert joined.intersection(door).area > 0.8 * door.area
    assert set(rooms.spaces_in(np.array(joined.exterior.coords))) == {left, right}


def test_spaces_that_a_wall_separates_do_not_join(rooms: RoomMap) -> None:
    assert not rooms.are_joined([rooms.label_at(450, 350), rooms.label_at(500, 500)])


def test_the_margin_keeps_away_from_walls(plan: Plan, rooms: RoomMap) -> None:
    inner = map_rooms(plan, RoomSettings(margin=5))
    left, top, right, bottom = room(inner, 300, 150).bounds
    assert (left, top, right, bottom) == (LEFT[0] + 5, LEFT[1] + 5, LEFT[2] - 5, LEFT[3] - 5)
    nothing = map_rooms(plan, RoomSettings(margin=300))
    assert len(nothing.outline([nothing.label_at(300, 150)])) == 0


def test_a_page_without_lines_has_no_room() -> None:
    empty = map_rooms(survey_plan(np.zeros((80, 60), np.bool_)))
    assert empty.rooms == ()
    assert empty.is_outside(empty.label_at(30, 30))


def drawn_wall(kind: str, angle: float, thickness: float) -> tuple[NDArray[np.bool_], np.ndarray]:
    """A wall 260 px long around the middle of a page, and its corners."""
    turn = np.radians(angle)
    ahead, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    ends = [130 * ahead, -130 * ahead]
    corners = np.array(
        [
            end + side * thickness / 2 * across
            for end, side in zip((ends[0], ends[0], ends[1], ends[1]), (1, -1, -1, 1), strict=True)
        ]
    )
    corners += 200
    page = np.zeros((400, 400), np.uint8)
    whole = np.rint(corners).astype(np.int32)
    if kind == "filled":
        cv2.fillPoly(page, [whole], 1)
    else:
        cv2.polylines(page, [whole], True, 1, 1)
    if kind == "hatched":
        for offset in range(-120, 121, 12):
            start = 200 + offset * ahead - thickness / 2 * across
            end = start + thickness * (across + ahead * 0.7)
            cv2.line(page, *(tuple(np.rint(each).astype(int).tolist()) for each in (start, end)), 1)
    return page > 0, corners


@given(
    st.sampled_from(["filled", "outlined", "hatched"]),
    st.floats(0, 180), st.floats(14, 40), st.floats(-0.2, 0.2), st.floats(-1.5, 1.5),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_a_band_is_found_from_a_line_that_is_somewhat_off(
    kind: str, angle: float, thickness: float, off: float, askew: float
) -> None:
    ink, corners = drawn_wall(kind, angle, thickness)
    middle = corners.mean(axis=0)
    turn = np.radians(angle + askew)
    ahead = np.array([np.cos(turn), np.sin(turn)])
    across = np.array([-ahead[1], ahead[0]])
    line = [middle + off * thickness * across + side * 125 * ahead for side in (-1, 1)]
    band = wall_band(ink, line, 60)
    assert band is not None
    assert iou(shapely.Polygon(band), shapely.Polygon(corners)) > 0.85


def test_a_line_beside_a_wall_has_no_band() -> None:
    ink, _ = drawn_wall("filled", 0, 20)
    assert wall_band(ink, [(80, 260), (320, 260)], 30) is None
    assert wall_band(ink, [(80, 200), (80, 200)], 30) is None


def test_a_stroke_around_a_corner_joins_both_walls() -> None:
    ink = np.zeros((300, 300), np.bool_)
    ink[20:40, 20:280] = ink[20:280, 260:280] = True
    stroke = [(25, 31), (150, 29), (268, 30), (270, 150), (269, 275)]
    band = wall_along(ink, stroke, 60)
    assert band is not None
    wanted = box(20, 20, 280, 40).union(box(260, 20, 280, 280))
    assert iou(shapely.Polygon(band), wanted) > 0.93
    assert wall_along(ink, [(25, 31), (150, 29), (150, 200)], 60) is None


def test_a_face_that_a_crossing_wall_breaks_does_not_hide_a_short_wall() -> None:
    ink = np.zeros((300, 300), np.uint8)
    cv2.rectangle(ink, (100, 100), (170, 133), 1, 2)  # 70 px long
    cv2.rectangle(ink, (116, 133), (152, 250), 1, 2)
    ink[132:135, 118:151] = 0  # where they meet there is no line
    band = wall_band(ink > 0, [(104, 118), (166, 115)], 40)
    assert band is not None
    assert iou(shapely.Polygon(band), box(99, 99, 172, 135)) > 0.9


def line(start: tuple[int, int], end: tuple[int, int], other_edge: float) -> Closing:
    first, last = np.array(start, float), np.array(end, float)
    return Closing(first, last, float(np.hypot(*(last - first))), 0, -1, 300.0, other_edge)


def test_a_passage_between_doors_belongs_to_the_hall() -> None:
    walls = np.ones((800, 800), np.bool_)
    hall, passage, right, above = (
        (60, 420, 740, 740),
        (60, 350, 140, 420),
        (160, 60, 740, 400),
        (60, 60, 140, 330),
    )
    for left, top, last, bottom in (
        hall,
        passage,
        right,
        above,
        (140, 355, 160, 415),
        (60, 330, 140, 350),
    ):
        walls[top:bottom, left:last] = False
    cut, into_right = line((139, 420), (60, 420), 0.0), line((140, 355), (140, 415), 9.0)
    into_above, in_wall = line((60, 350), (140, 350), 9.0), line((139, 420), (60, 420), 9.0)

    def remaining(*closed: Closing) -> tuple[Closing, ...]:
        return open_passages(Narrowings(walls, 20.0, closed), closed, closed[:1])

    # 80 + 60 + 80 px of an outline of 300 px are open
    assert remaining(cut, into_right, into_above) == (into_right, into_above)
    # a closing that continues walls at both ends stays: 60 px are wall
    assert remaining(in_wall, into_right, into_above) == (in_wall, into_right, into_above)
    # with a wall instead of an opening the piece may be a room
    walls[330:350, 60:140] = True
    assert remaining(cut, into_right) == (cut, into_right)


@pytest.mark.parametrize(("opened", "threshold"), [(30, False), (60, False), (90, True)])
def test_a_door_that_stands_ajar_or_has_a_threshold_is_a_door(opened: int, threshold: bool) -> None:
    drawn = np.zeros((300, 300), np.uint8)
    angle = np.radians(opened)
    tip = (50 + round(100 * np.cos(angle)), 150 + round(100 * np.sin(angle)))
    cv2.line(drawn, (50, 150), tip, 1, 5)
    cv2.ellipse(drawn, (50, 150), (100, 100), 0, 0, opened, 1, 5)
    if threshold:
        cv2.line(drawn, (50, 150), (150, 150), 1, 5)

    def gap(edge: float) -> Closing:
        return Closing(np.array([50.0, 150]), np.array([150.0, 150]), 100.0, 0, 1, 9.0, edge)

    assert door_evidence(drawn, gap(9.0)) > 0.95
    if opened != 60:  # without a wall at the other end it may as well be anything else
        assert door_evidence(drawn, gap(0.0)) < 0.8


def test_the_margin_of_drawn_rooms_is_found_whatever_else_is_drawn(rooms: RoomMap) -> None:
    def drawn(outline: tuple[int, ...], margin: int) -> np.ndarray:
        left, top, right, bottom = outline
        return np.array(
            box(left + margin, top + margin, right - margin, bottom - margin).exterior.coords
        )[:-1]

    table = np.array([(150.0, 150), (230, 150), (230, 260), (150, 260)])
    assert fitting_margin(rooms, [drawn(LEFT, 5), drawn(RIGHT, 5), table]) == 5
    assert fitting_margin(rooms, [drawn(HALL, 0)]) == 0
    assert fitting_margin(rooms, [table]) is None


@pytest.mark.slow
def test_rooms_of_real_plans_by_one_click_each(shared_data: Path) -> None:
    shares, times = [], []
    for path in sorted((shared_data / "cvc_fp").glob("*.svg"))[2:5]:
        (truth,) = cvc_fp_svg.FORMAT.read_file(path)
        found = map_rooms(
            survey_plan(binarise(read_page(truth.page.image))), RoomSettings(margin=3)
        )
        for region in truth.regions:
            if region.label != "Room":
                continue
            wanted = shapely.Polygon(region.array).buffer(0)
            place = shapely.maximum_inscribed_circle(wanted).coords[0]
            start = time.perf_counter()
            outline = found.outline([found.label_at(*place)])
            times.append(time.perf_counter() - start)
            shares.append(iou(shapely.Polygon(outline).buffer(0), wanted))
    assert len(shares) == 25
    assert np.sum(np.array(shares) >= 0.9) >= 23
    assert np.median(times) < 0.05


def test_looking_for_lines_that_divide_rooms_ends_at_the_next_line_if_cancelled(plan: Plan) -> None:
    features, asked = plan.features, []
    space = Narrowings(features.walls.mask, features.walls.thickness, ())

    def note(number: int) -> bool:
        asked.append(number)
        return True

    def cancel(_done: int, _total: int | None, _doing: str) -> None:
        if len(asked) == 3:  # a page of letters has thousands, each of which takes a millisecond
            raise Cancelled

    with pytest.raises(Cancelled):
        space.best(features.closings, note, cancel)
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("named", "spaces"), [((), 3), (("room", "other"), 2), (("room", "other", "alcove"), 3)]
)
def test_a_piece_without_lettering_belongs_to_the_room_beside_it(
    named: tuple[str, ...], spaces: int
) -> None:
    page = np.full((700, 900), 255, np.uint8)
    page[88:412, 88:812] = 0
    room, alcove, other = (100, 100, 400, 400), (400, 100, 500, 230), (512, 100, 800, 400)
    for left, top, right, bottom in (room, alcove, other):
        page[top:bottom, left:right] = 255
    page[600, 20:880] = 0  # a thin line below
    places = {"room": (150, 300), "alcove": (410, 170), "other": (560, 300)}
    for name in named:
        cv2.putText(page, "HALL 4", places[name], cv2.FONT_HERSHEY_PLAIN, 0.8, 0, 1)
    rooms = map_rooms(survey_plan(binarise(page)))
    assert len(rooms.rooms) == spaces
    joined = rooms.label_at(250, 200) == rooms.label_at(450, 160)
    assert joined == (spaces == 2)


def _stated(page: np.ndarray, x: int, y: int) -> None:
    """Draw an area as plans state it: 12 m²."""
    cv2.putText(page, "12 m", (x, y), cv2.FONT_HERSHEY_PLAIN, 1.2, 0, 1)
    right = x + cv2.getTextSize("12 m", cv2.FONT_HERSHEY_PLAIN, 1.2, 1)[0][0]
    cv2.putText(page, "2", (right, y - 6), cv2.FONT_HERSHEY_PLAIN, 0.7, 0, 1)


@pytest.mark.parametrize("areas", [0, 2])
def test_an_open_plan_is_divided_where_two_areas_are_stated(areas: int) -> None:
    page = np.full((700, 900), 255, np.uint8)
    page[70:630, 70:830] = 0
    page[100:600, 100:800] = 255
    page[300:330, 100:400] = 0  # a wall that ends: beyond it the space is open
    page[660, 20:880] = 0  # a thin line below
    for number in range(areas):
        _stated(page, 200, 220 + 250 * number)
    found = map_rooms(survey_plan(binarise(page)))
    assert len(found.rooms) == 2 or not areas
    above, below = found.label_at(700, 290), found.label_at(700, 340)
    assert (above != below) == bool(areas)  # along the wall


def test_a_porch_is_no_room_but_can_be_taken() -> None:
    page = np.full((700, 900), 255, np.uint8)
    page[88:612, 88:812] = 0
    page[100:600, 100:600] = page[112:262, 612:800] = 255
    page[112:262, 800:812] = 255  # open, with no door and no window
    page[650, 20:880] = 0
    found = map_rooms(survey_plan(binarise(page)))
    porch = found.label_at(700, 200)
    assert len(found.rooms) == 1
    assert porch
    assert porch not in found.rooms
    assert not found.is_outside(porch)


@pytest.mark.parametrize("seed", (1, 3))
def test_lines_are_chosen_as_if_all_was_measured_anew(seed: int) -> None:
    random = np.random.default_rng(seed)
    walls = np.zeros((500, 700), np.bool_)
    for at in (40, 180, 320, 460):
        walls[at - 4 : at + 4, 40:660] = True
        walls[40:460, at - 4 : at + 4] = walls[40:460, 656:664] = True
    for x, y in random.integers(50, 450, (10, 2)).tolist():  # openings, some to the outside
        row, column = (round((each - 40) / 140) * 140 + 40 for each in (y, x))
        walls[row - 4 : row + 4, x : x + 50] = walls[y : y + 50, column - 4 : column + 4] = False
    features = extract_plan(walls, Walls(walls, 8.0, WallKind.FILLED))
    kept, closed = Narrowings(walls, 8.0, ()), []
    while (best := kept.best(features.closings, lambda number: True)) is not None:
        anew = Narrowings(walls, 8.0, closed)
        assert anew.best(features.closings, lambda number: True) == best
        closed.append(features.closings[best])
        kept.divide(closed[-1])
        one, other = kept.sides(closed[-1])
        assert one != other
    assert closed
