"""Walls of several kinds and thicknesses on one plan: each is found as it is drawn."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from spotlab.formats.truth.floor_plans import cvc_fp_svg
from spotlab.imaging.ink import binarise
from spotlab.imaging.reading.pixels import read_page
from spotlab.imaging.rooms.room_map import RoomMap, fitting_margin, map_rooms, survey_plan

OUTER = (200, 150, 1000, 750)  # the outer faces
THICK, INNER = 30, 8
ROOMS = ((230, 180, 596, 720), (604, 180, 970, 446), (604, 454, 970, 720))
DOORS = ((596, 560, 604, 640), (700, 446, 780, 454))
WINDOWS = ((340, 150, 440, 180), (970, 540, 1000, 640))
KINDS = ("filled", "hatched", "insulated", "double")


def draw(kind: str) -> NDArray[np.uint8]:
    """Three rooms; the inner walls are filled and thin, the outer ones as told."""
    page = np.full((900, 1200), 255, np.uint8)
    left, top, right, bottom = OUTER
    outer = np.zeros_like(page)
    outer[top:bottom, left:right] = 1
    outer[top + THICK : bottom - THICK, left + THICK : right - THICK] = 0
    for x, y, to_x, to_y in WINDOWS:
        outer[y:to_y, x:to_x] = 0
    if kind == "filled":
        page[outer > 0] = 0
    else:
        rings, _ = cv2.findContours(outer, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(page, rings, -1, 0, 2)
    if kind == "hatched":
        hatching = np.zeros_like(page)
        for offset in range(-900, 1200, 18):
            cv2.line(hatching, (offset, 0), (offset + 900, 900), 1, 1)
        page[(hatching > 0) & (outer > 0)] = 0
    if kind in ("insulated", "double"):  # a heavy line within, thin lines without
        shrunk = cv2.erode(outer, np.ones((3, 3), np.uint8))
        page[shrunk > 0] = 255
        edge = cv2.rectangle(
            np.zeros_like(page), (left + 26, top + 26), (right - 27, bottom - 27), 1, 8
        )
        page[(edge > 0) & (outer > 0)] = 0
        if kind == "insulated":
            middle = cv2.rectangle(
                np.zeros_like(page), (left + 15, top + 15), (right - 16, bottom - 16), 1, 1
            )
            page[(middle > 0) & (outer > 0)] = 0
    page[180:720, 596:604] = 0
    page[446:454, 604:970] = 0
    for x, y, to_x, to_y in DOORS:
        page[y:to_y, x:to_x] = 255
    cv2.line(page, (604, 560), (684, 560), 0, 1)
    cv2.ellipse(page, (604, 560), (80, 80), 0, 0, 90, 0, 1)
    for x, y, to_x, to_y in WINDOWS:
        ends = ((x, (y + to_y) // 2), (to_x, (y + to_y) // 2))
        if to_x - x < to_y - y:
            ends = (((x + to_x) // 2, y), ((x + to_x) // 2, to_y))
        cv2.line(page, *ends, 0, 1)
    cv2.rectangle(page, (280, 230), (360, 400), 0, 1)  # a bed
    cv2.line(page, (150, 100), (1050, 100), 0, 1)  # a dimension
    cv2.line(page, (150, 70), (1050, 70), 0, 1)
    cv2.putText(page, "CUISINE 12,5", (660, 320), cv2.FONT_HERSHEY_SIMPLEX, 1, 0, 2)
    return page


def iou(one: shapely.Geometry, other: shapely.Geometry) -> float:
    return float(one.intersection(other).area / one.union(other).area)


@pytest.fixture(scope="module", params=KINDS)
def rooms(request: pytest.FixtureRequest) -> RoomMap:
    return map_rooms(survey_plan(binarise(draw(request.param))))


def test_rooms_are_closed_whatever_the_outer_walls_are(rooms: RoomMap) -> None:
    for box in ROOMS:
        left, top, right, bottom = box
        label = rooms.label_at((left + right) / 2, (top + bottom) / 2)
        assert label and not rooms.is_outside(label)
        found = shapely.Polygon(rooms.outline([label]))
        assert iou(found, shapely.box(*box)) > 0.95
    assert len(rooms.rooms) == 3


def test_each_wall_has_its_own_thickness(rooms: RoomMap) -> None:
    walls = rooms.plan.features.walls
    assert walls.thickness == pytest.approx(THICK, abs=3)
    inner = shapely.box(596, 180, 604, 560)
    outer = shapely.box(200, 150, 230, 750)
    shapes = [(shapely.Polygon(band.ring), band.thickness) for band in walls.bands]
    for wanted, thickness in ((inner, INNER), (outer, THICK)):
        best, found = max(shapes, key=lambda each: iou(each[0], wanted))
        assert iou(best, wanted) > 0.8
        assert found == pytest.approx(thickness, abs=3)


@pytest.mark.slow
def test_rooms_and_walls_of_real_plans_of_several_kinds(shared_data: Path) -> None:
    """One page each with filled, double and hatched outer walls; margins as they are drawn."""
    least = {"cvc_fp/IIa_AP3301": (0.8, 0.8), "cvc_fp_more/IIa_A01001": (0.6, 0.7),
             "cvc_fp_more/4": (0.6, 0.5)}  # fmt: skip
    for name, (of_rooms, of_walls) in least.items():
        folder, stem = name.split("/")
        [path] = (shared_data / folder).glob(f"{stem}_gt_*.svg")
        [truth] = cvc_fp_svg.FORMAT.read_file(path)
        found = map_rooms(survey_plan(binarise(read_page(truth.page.image))))
        shapes = {
            label: [shapely.Polygon(each.array).buffer(0) for each in truth.regions
                    if each.label == label] for label in ("Room", "Wall")
        }  # fmt: skip
        taken = []
        for wanted in shapes["Room"]:
            label = found.label_at(*shapely.maximum_inscribed_circle(wanted).coords[0])
            margins = range(10) if label and not found.is_outside(label) else ()
            outlines = [found.outline([label], margin) for margin in margins]
            shares = [iou(shapely.Polygon(each).buffer(0), wanted) for each in outlines]
            taken.append(max(shares, default=0.0) >= 0.9)
        assert np.mean(taken) >= of_rooms
        bands = [shapely.Polygon(band.ring) for band in found.plan.features.walls.bands]
        there = [max(iou(wall, band) for band in bands) >= 0.5 for wall in shapes["Wall"]]
        assert np.mean(there) >= of_walls


REPORTED = ("Ia_", "Ib_", "Ic_", "IIc_", "IId_")  # offices of whose plans nothing was chosen


@pytest.mark.slow
def test_rooms_and_walls_of_offices_that_nothing_was_chosen_on(shared_data: Path) -> None:
    """One room of the first plan tells the margin for all; IoU .9 by a click, .8 proposed."""
    paths = sorted(
        path
        for folder in ("cvc_fp", "cvc_fp_more")
        for path in (shared_data / folder).glob("*.svg")
        if path.name.startswith(REPORTED)
    )  # fmt: skip
    margin: int | None = None
    clicked = proposed = right = rooms = walls = bands = matched = covered = 0
    for path in paths:
        [truth] = cvc_fp_svg.FORMAT.read_file(path)
        found = map_rooms(survey_plan(binarise(read_page(truth.page.image))))
        drawn = {label: [each.array for each in truth.regions if each.label == label]
                 for label in ("Room", "Wall")}  # fmt: skip
        for ring in drawn["Room"] if margin is None else ():
            margin = fitting_margin(found, [ring])
            if margin is not None:
                break
        shapes = {label: [shapely.Polygon(ring).buffer(0) for ring in rings]
                  for label, rings in drawn.items()}  # fmt: skip
        outlines = {
            label: shapely.Polygon(ring).buffer(0)
            for label in found.rooms if len(ring := found.outline([label], margin))
        }  # fmt: skip
        for wanted in shapes["Room"]:
            label = found.label_at(*shapely.maximum_inscribed_circle(wanted).coords[0])
            clicked += label in outlines and iou(outlines[label], wanted) >= 0.9
        rooms += len(shapes["Room"])
        proposed += len(outlines)
        right += sum(
            max(iou(each, wanted) for wanted in shapes["Room"]) >= 0.8 for each in outlines.values()
        )
        bars = [shapely.Polygon(band.ring) for band in found.plan.features.walls.bands]
        walls += len(shapes["Wall"])
        bands += len(bars)
        matched += sum(max(iou(bar, wall) for wall in shapes["Wall"]) >= 0.5 for bar in bars)
        covered += sum(max(iou(bar, wall) for bar in bars) >= 0.5 for wall in shapes["Wall"])
    assert clicked >= 0.74 * rooms
    assert right >= 0.76 * proposed
    assert matched >= 0.9 * bands
    assert covered >= 0.82 * walls
