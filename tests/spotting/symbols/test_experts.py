"""One page taught: closed shapes, rooms, walls and aligned strokes are proposed as one list."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import array_shapes, arrays
from hypothesis.strategies import integers
from numpy.typing import NDArray

from spotlab.geometry.polygon import Outlines, convex_hull
from spotlab.geometry.rings import box_ious
from spotlab.spotting.symbols.engine.method import features_of_ink, features_of_model
from spotlab.spotting.symbols.engine.page_features import PageFeatures, crop_model
from spotlab.spotting.symbols.methods import spotting_method_of
from spotlab.spotting.symbols.proposals.aligned import find_hypotheses
from spotlab.spotting.symbols.proposals.candidate_classifier import default_min_score, propose
from spotlab.spotting.symbols.proposals.candidates import (
    BOX,
    ROOM,
    WALL,
    find_candidates,
    fit_openings,
    plan_outlines,
)
from spotlab.spotting.symbols.proposals.candidates import bounding_ring as box
from spotlab.spotting.symbols.proposals.large_boxes import LINES, find_large_boxes
from spotlab.spotting.symbols.proposals.lesson import LabelledExamples, make_lesson
from spotlab.spotting.symbols.proposals.region_learner import RegionLearner, learn_regions
from tests.spotting.symbols.proposed_scenes import Points, box_of, overlap

WALL_PX, DOOR = 20, 60
Regions = list[tuple[str, Points]]


@cache
def plan(number: int) -> tuple[PageFeatures, Regions]:
    """Three rooms in a row and three below, each with a door in its upper wall: leaf and arc."""
    ink, regions = np.zeros((900, 1200), np.uint8), []
    left, top = 80 + 10 * number, 60 + 8 * number
    widths = [300 + 20 * number, 320, 280 - 10 * number]
    edges = [left, *(left + np.cumsum(widths)).tolist()]
    rows = [top, top + 330, top + 700]
    for y in rows:
        cv2.rectangle(ink, (left, y), (edges[-1] + WALL_PX - 1, y + WALL_PX - 1), 1, -1)
    across = box_of(left, rows[-1], edges[-1] + WALL_PX - left, WALL_PX)
    regions.append(("wall", across))
    for x in edges:
        cv2.rectangle(ink, (x, rows[0]), (x + WALL_PX - 1, rows[-1] + WALL_PX - 1), 1, -1)
        upright = box_of(x, rows[0], WALL_PX, rows[-1] + WALL_PX - rows[0])
        regions.append(("wall", upright))
    for y, below in pairwise(rows):
        ends = [edges[0], *(x + 120 + side for x in edges[:-1] for side in (0, DOOR))]
        ends.append(edges[-1] + WALL_PX)
        for start, end in zip(ends[::2], ends[1::2], strict=True):
            regions.append(("wall", box_of(start, y, end - start, WALL_PX)))
        for x, right in pairwise(edges):
            hinge = x + 120
            ink[y : y + WALL_PX, hinge : hinge + DOOR] = 0
            cv2.line(ink, (hinge, y + WALL_PX), (hinge, y + WALL_PX + DOOR), 1, 2)
            cv2.ellipse(ink, (hinge, y + WALL_PX), (DOOR, DOOR), 0, 0, 90, 1, 2)
            regions.append(("door", box_of(hinge - 1, y + WALL_PX, DOOR + 2, DOOR + 2)))
            inside = box_of(x + WALL_PX, y + WALL_PX, right - x - WALL_PX, below - y - WALL_PX)
            regions.append(("room", inside))
            for across in range(x + 60, x + 230, 10):  # tiles: most lines of a plan are thin
                cv2.line(ink, (across, y + 150), (across, y + 250), 1, 2)
    return features_of_ink(ink > 0, [spotting_method_of("e")]), regions


def cornered(outline: Points) -> Points:
    """The box as a polygon of five corners."""
    return np.vstack([outline, (outline[3] + outline[0]) / 2 - (0.5, 0)])


OUTLINES = {"boxes": box, "hulls": lambda ring: convex_hull(cornered(ring)), "polygons": cornered}


@cache
def taught(kind: str) -> RegionLearner:
    page, regions = plan(0)
    rings = Outlines.of([OUTLINES[kind](ring) for _, ring in regions])
    names = [label for label, _ in regions]
    learner = learn_regions([make_lesson(page, "plan 0", rings, names, keeps_page=True)])
    assert learner is not None
    return learner


@pytest.mark.parametrize("kind", list(OUTLINES))
def test_one_page_of_any_outlines_teaches_doors_rooms_and_walls(kind: str) -> None:
    learner, (page, regions) = taught(kind), plan(1)
    assert learner.trusted == {"door", "room", "wall"}
    found = propose(page, LabelledExamples(), Outlines.of([]), name="plan 1", learner=learner)
    least = default_min_score(found, LabelledExamples(), learner)
    shown = [each for each in found if each.score >= least]
    for label, least_found in (("door", 5), ("room", 5), ("wall", 8)):
        own = [outline for name, outline in regions if name == label]
        asked = [box(each.outline) for each in shown if each.label == label]
        right = sum(any(overlap(each, ring) > 0.6 for each in asked) for ring in own)
        assert right >= least_found, (label, right, len(asked))
        assert len(asked) <= len(own) + 3


def test_doors_that_are_open_to_the_room_come_from_aligned_strokes() -> None:
    page, regions = plan(1)
    closed, all_found = find_candidates(page), find_hypotheses(page, taught("hulls").aligned)
    door = next(outline for label, outline in regions if label == "door")
    assert (
        max(overlap(box(ring), door) for ring in map(closed.hulls.__getitem__, range(len(closed))))
        < 0.6
    )
    assert max(overlap(box(all_found.outlines[at]), door) for at in range(len(all_found))) > 0.8


def sectors(turn: int) -> tuple[PageFeatures, list[Points]]:
    """Doors in walls at this angle: leaf and arc, and the upright boxes around them."""
    ink, boxes = np.zeros((700, 1000), np.uint8), []
    along, across = (np.array([np.cos(a), np.sin(a)]) for a in np.deg2rad([turn, turn + 90]))
    for x, y in ((250, 150), (650, 150), (250, 450), (650, 450)):
        hinge = np.array([x, y], float)
        for end in (hinge - 90 * along, hinge + DOOR * along + 90 * along):
            start = hinge if end @ along < hinge @ along else hinge + DOOR * along
            for side in (0, WALL_PX):
                off = -side * across
                cv2.line(ink, (start + off).astype(int), (end + off).astype(int), 1, 3)
        cv2.line(ink, hinge.astype(int), (hinge + DOOR * across).astype(int), 1, 2)
        arc = [hinge + DOOR * (np.cos(a) * along + np.sin(a) * across)
               for a in np.linspace(0, np.pi / 2, 20)]  # fmt: skip
        cv2.polylines(ink, [np.array(arc).astype(int)], False, 1, 2)
        boxes.append(box(np.vstack([hinge, *arc]) - 1))
    return features_of_ink(ink > 0, [spotting_method_of("e")]), boxes


def test_boxes_teach_the_ink_inside_them_so_that_turned_symbols_have_boxes_that_fit() -> None:
    slanted, drawn = sectors(45)
    lesson = make_lesson(slanted, "a", Outlines.of(drawn), ["door"] * 4, keeps_page=True)
    learner = learn_regions([lesson])
    assert learner is not None and learner.boxed == {"door"}
    page, doors = sectors(0)
    found = propose(page, LabelledExamples(), Outlines.of([]), name="b", learner=learner)[:4]
    for door in doors:
        assert max(overlap(each.outline, door) for each in found) > 0.64


def test_a_wall_ends_at_the_face_of_the_wall_that_it_runs_into() -> None:
    ink = np.zeros((400, 600), np.uint8)
    ink[50:60, 50:551] = ink[340:350, 50:551] = ink[50:350, 50:60] = ink[50:350, 541:551] = 1
    ink[50:350, 300:310] = 1  # from the upper wall to the lower one, which go on
    ink[20, 10:590] = ink[380, 10:590] = 1
    walls = plan_outlines(ink > 0)[1]
    [inner] = [box for box in walls.bounds.tolist() if box[0] > 290 and box[2] < 320]
    assert inner == pytest.approx([300, 60, 310, 340], abs=2)


def lanes(turn: float) -> tuple[NDArray[np.bool_], list[tuple[float, float, float, float]]]:
    """A pool of three lanes whose lines have gaps and open corners, turned; arrows cross them."""
    ink, rows = np.zeros((700, 1000), np.uint8), (100, 240, 420, 600)
    for y in rows:
        for start, end in ((90, 380), (400, 640), (655, 900)):
            cv2.line(ink, (start, y), (end, y), 1, 2)
    cv2.line(ink, (80, 110), (80, 585), 1, 2)
    for x in (200, 520, 800):
        cv2.arrowedLine(ink, (x, 170), (x + 10, 510), 1, 2)
        cv2.rectangle(ink, (x - 40, 130), (x + 40, 170), 1, 2)
    turned = cv2.warpAffine(ink, cv2.getRotationMatrix2D((500, 350), turn, 1), (1000, 700))
    pairs = [(rows[0], rows[-1]), *pairwise(rows)]
    return turned > 0, [(90, top, 900, bottom) for top, bottom in pairs]


@pytest.mark.parametrize("turn", [0, 2, -3])
@pytest.mark.parametrize("upright", [False, True])
def test_pools_and_lanes_are_candidates_though_open_bent_and_crossed(
    turn: float, upright: bool
) -> None:
    ink, regions = lanes(turn)
    if upright:
        ink, regions = ink.T.copy(), [(top, left, low, right) for left, top, right, low in regions]
    candidates = find_candidates(features_of_ink(ink, []))
    boxes = candidates.boxes[candidates.source == BOX]
    assert box_ious(np.array(regions, float), boxes).max(1).min() > 0.75
    assert len(boxes) <= 15


@given(
    arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=40)), integers(1, 60)
)
def test_boxes_between_long_lines_are_few_and_lie_inside_the_page(
    ink: NDArray[np.bool_], times: int
) -> None:
    page = np.kron(ink, np.ones((times, times // 2 + 1), np.bool_))
    bounds = find_large_boxes(page).bounds
    assert len(bounds) <= LINES * (LINES - 1)
    assert (bounds[:, :2] >= 0).all()
    assert (bounds[:, 2:] <= page.shape[::-1]).all()
    assert (bounds[:, :2] < bounds[:, 2:]).all()


def test_lines_of_words_bound_few_boxes() -> None:
    page = np.zeros((900, 700), np.uint8)
    for y in range(60, 880, 40):
        cv2.putText(page, "some words on a line of text", (40, y), cv2.FONT_HERSHEY_COMPLEX, 1, 1)
    assert len(find_large_boxes(page > 0)) < 20


def test_windows_of_any_length_fit_the_openings_of_walls() -> None:
    ink = np.zeros((400, 600), np.uint8)
    ink[50:60, 50:551] = ink[340:350, 50:551] = ink[50:350, 50:60] = ink[50:350, 541:551] = 1
    ink[20, 10:590] = 1
    windows = [(100, 50, 140, 60), (250, 50, 370, 60)]
    for left, top, right, bottom in windows:
        ink[top:bottom, left:right] = 0
        ink[(top + bottom) // 2, left:right] = 1
    half, aside = (250, 50, 310, 60), (250, 150, 370, 160)
    fits = fit_openings(np.array([*windows, half, aside], float), plan_outlines(ink > 0)[2])
    assert min(fits[:2]) > 0.9
    assert fits[2] < 0.6
    assert fits[3] == 0


def shown_after(drawn: list[tuple[str, Points]]) -> list[tuple[str, Points]]:
    """What is proposed on a page where nothing but these is known, as boxes."""
    page, _ = plan(2)
    examples = LabelledExamples()
    for label, ring in drawn:
        query = features_of_model(crop_model(label, page.ink, ring), [])
        examples = examples.with_accepted(label, query, "plan 2", ring)
    taken = Outlines.of([ring for _, ring in drawn])
    found = propose(page, examples, taken, name="plan 2")
    least = default_min_score(found, examples, None)
    return [(each.label, box(each.outline)) for each in found if each.score >= least]


@pytest.mark.parametrize("label", ["door", "room", "wall"])
def test_one_region_of_the_first_page_is_enough_to_propose_the_others(label: str) -> None:
    own = [(name, ring) for name, ring in plan(2)[1] if name == label]
    shown = shown_after(own[-1:])
    others = [ring for _, ring in own[:-1]]
    found = sum(any(overlap(each, ring) > 0.6 for _, each in shown) for ring in others)
    assert found >= 0.6 * len(others), (found, len(others))
    assert len(shown) <= len(others) + 4


def test_a_label_with_one_region_is_proposed_beside_those_that_were_learned() -> None:
    page, regions = plan(1)
    gate = next(ring for name, ring in regions if name == "door")
    query = features_of_model(crop_model("gate", page.ink, gate), [])
    examples = LabelledExamples().with_accepted("gate", query, "plan 1", gate)
    taken = Outlines.of([gate])
    found = propose(page, examples, taken, name="plan 1", learner=taught("boxes"))
    assert {each.label for each in found} == {"gate", "door", "room", "wall"}
    assert all(each.why for each in found)


def test_a_plain_line_is_not_proposed_wherever_there_is_a_line() -> None:
    ink = np.zeros((780, 780), bool)
    for at in range(30, 751, 60):  # 312 pieces between crossings
        ink[at : at + 2, 30:752] = ink[30:752, at : at + 2] = True
    page = features_of_ink(ink, [spotting_method_of("e")])
    ring = box_of(332, 329, 56, 4)
    query = features_of_model(crop_model("edge", ink, ring), [])
    examples = LabelledExamples().with_accepted("edge", query, "mesh", ring)
    found = propose(page, examples, Outlines.of([ring]), name="mesh")
    shown = [each for each in found if each.score >= default_min_score(found, examples, None)]
    assert len(shown) < 20


def test_labels_that_are_drawn_together_are_told_apart_on_the_first_page() -> None:
    regions = plan(2)[1]
    drawn = [next(each for each in regions if each[0] == label) for label in ("door", "room")]
    shown = shown_after(drawn)
    for label in ("door", "room"):
        own = [ring for name, ring in regions if name == label]
        asked = [ring for name, ring in shown if name == label]
        assert sum(any(overlap(each, ring) > 0.6 for ring in own) for each in asked) >= 4
        assert len(asked) <= 7


def test_rooms_and_walls_are_candidates_of_plans_only() -> None:
    page, regions = plan(0)
    source = find_candidates(page).source.tolist()
    assert source.count(ROOM) == sum(label == "room" for label, _ in regions)
    assert source.count(WALL) >= 4
    lines = np.zeros((300, 300), bool)
    lines[40:260, 40] = lines[40:260, 259] = lines[40, 40:260] = lines[259, 40:260] = True
    assert not set(find_candidates(features_of_ink(lines, [])).source.tolist()) & {ROOM, WALL}
