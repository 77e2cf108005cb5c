"""The relational method finds hand-made symbols, whole or in part, and nothing else."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import shapely

from spotlab.spotting.symbols.engine.method import features_of_ink, features_of_model
from spotlab.spotting.symbols.engine.page_features import QueryFeatures, QuerySpots, crop_model
from spotlab.spotting.symbols.voting import relational
from spotlab.spotting.symbols.voting.descriptor import descriptors
from spotlab.spotting.symbols.voting.relational import MAX_PRIMITIVES, MIN_SCORE, Relational
from spotlab.spotting.symbols.voting.relations import Tolerances, affordable_radius
from tests.spotting.symbols.relational_scenes import (
    Ring,
    Symbol,
    circle,
    hull,
    laid,
    method,
    query,
    rectangle,
    seen,
)

# a bed, say: nothing in it is symmetrical, so that the pose is known
SYMBOL = [
    rectangle(0, 0, 120, 80),
    rectangle(10, 8, 40, 12),
    rectangle(10, 50, 18, 22),
    rectangle(70, 30, 44, 30),
]
OTHERS = [rectangle(800, 100, 90, 15), circle(850, 300, 30), rectangle(700, 850, 33, 71)]


def shared(one: Ring, other: Ring) -> float:
    """Intersection over union."""
    first, second = shapely.Polygon(one), shapely.Polygon(other)
    return float(first.intersection(second).area / first.union(second).area)


def spotted(page: Symbol, model: Symbol = SYMBOL) -> QuerySpots:
    return method().spot(seen(page), query(model))


def same(one: QuerySpots, other: QuerySpots) -> bool:
    pairs = [
        (one.scores, other.scores),
        (one.outlines.points, other.outlines.points),
        (one.outlines.offsets, other.outlines.offsets),
    ]
    return all(first.tobytes() == second.tobytes() for first, second in pairs)


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize(
    ("scale", "turn"), [(1, 0), (1.3, 40), (0.6, -110), (2.2, 181), (0.45, 90)]
)
def test_finds_a_symbol_however_it_lies(scale: float, turn: float, mirrored: bool) -> None:
    there = laid(SYMBOL, 420, 480, scale, turn, mirrored)
    found = spotted(OTHERS + there)
    assert len(found) == 1
    assert found.scores[0] == pytest.approx(1, abs=0.01)
    # the region goes round the pixels: half a pixel and more on every side
    assert shared(found.outlines[0], hull(there)) > 0.93
    assert shapely.Polygon(found.outlines[0]).buffer(1e-3).covers(shapely.Polygon(hull(there)))


def test_mirrored_drawings_may_be_others() -> None:
    page = seen(laid(SYMBOL, 420, 480, 1.3, 25, mirrored=True))
    strict = Relational(method().descriptor, Tolerances(mirrored=False))
    best = strict.spot(page, query(SYMBOL)).scores[:1]
    assert (best < 0.8).all()  # what of it is symmetrical is found
    assert method().spot(page, query(SYMBOL)).scores[0] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("scale", [0.3, 3.0])
def test_finds_nothing_that_is_far_too_small_or_large(scale: float) -> None:
    assert len(spotted(laid(SYMBOL, 300, 300, scale))) == 0


def test_finds_nothing_where_it_is_not() -> None:
    assert len(spotted(OTHERS)) == 0
    apart = [ring + 200 * number for number, ring in enumerate(SYMBOL)]  # all there, scattered
    assert len(spotted(apart)) == 0


@pytest.mark.parametrize("missing", [(0,), (1,), (2,), (3,), (1, 2), (2, 3)])
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_part_is_enough_for_the_whole_region(missing: tuple[int, ...], mirrored: bool) -> None:
    """(0,) is a symbol that touches a wall: its outer contour is gone."""
    there = laid(SYMBOL, 420, 480, 1.3, 25, mirrored)
    left = [ring for number, ring in enumerate(there) if number not in missing]
    found = spotted(OTHERS + left)
    assert MIN_SCORE < found.scores[0] < 0.9
    assert shared(found.outlines[0], hull(there)) > 0.9


def test_the_more_is_there_the_better() -> None:
    first, second, third = (
        laid(SYMBOL, x, y, 1, 10) for x, y in ((100, 100), (400, 100), (100, 500))
    )
    found = spotted(second[:3] + third[1:] + first)
    assert len(found) == 3
    assert shared(found.outlines[0], hull(first)) > 0.95
    assert (np.diff(found.scores) < 0).all()


def test_two_side_by_side_are_two() -> None:
    beside = laid(SYMBOL, 124, 0)
    found = spotted(SYMBOL + beside)
    assert len(found) == 2
    for there in (SYMBOL, beside):
        assert max(shared(found.outlines[number], hull(there)) for number in range(2)) > 0.95


def test_concentric_contours_have_a_place_but_no_turn() -> None:
    ring = [circle(0, 0, 40), circle(0, 0, 25)]
    found = spotted([*laid(ring, 300, 200, 1.4), circle(600, 600, 40)], ring)
    assert len(found) == 2  # the lone circle is more than half of it
    assert found.scores[0] > 0.99 and found.scores[1] < 0.6
    assert shared(found.outlines[0], circle(300.5, 200.5, 56.5)) > 0.97


def test_a_long_contour_round_another_tells_the_turn() -> None:
    symbol = [rectangle(-60, -20, 120, 40), rectangle(-50, -14, 100, 28), circle(80, 0, 10)]
    there = laid(symbol, 400, 400, 1, 70)
    found = method().spot(seen(there[:2]), query(symbol))
    assert shared(found.outlines[0], hull(there)) > 0.75  # the circle on one side or the other


@pytest.mark.parametrize("ring", [rectangle(0, 0, 60, 20), circle(0, 0, 30)])
def test_one_contour_is_a_query_too(ring: Ring) -> None:
    page = [*laid([ring], 200, 300, 1.5, 33), rectangle(600, 600, 40, 30), *laid([ring], 700, 100)]
    found = spotted(page, [ring])
    assert len(found) == 2
    assert found.scores.tolist() == pytest.approx([1, 1], abs=0.05)
    assert {int(found.outlines[number][:, 1].max() > 250) for number in range(2)} == {0, 1}


def test_half_of_a_query_is_enough_where_it_is_a_single_contour() -> None:
    symbol = [rectangle(0, 0, 120, 50), rectangle(90, 10, 20, 22)]
    there = laid(symbol, 300, 400, 1.2, 200)
    found = spotted([*OTHERS, there[0]], symbol)
    assert len(found) == 1
    assert found.scores[0] == pytest.approx(
        np.sqrt(77.46) / (np.sqrt(77.46) + np.sqrt(20.98)), abs=0.01
    )
    assert shared(found.outlines[0], hull(there)) > 0.93
    assert len(spotted([*OTHERS, there[1]], symbol)) == 0


def test_no_contours_find_nothing() -> None:
    assert len(spotted([])) == 0
    assert len(method().spot(seen(SYMBOL), query([], [(0, 0), (9, 0), (9, 9)]))) == 0


def test_contours_that_are_far_from_each_other_are_a_query_too() -> None:
    symbol = [rectangle(0, 0, 6, 3), rectangle(0, 200, 4, 4), rectangle(170, 90, 3, 9)]
    there = laid(symbol, 500, 400, 1.2, 60)
    found = spotted(OTHERS + there, symbol)
    assert len(found) == 1
    assert shared(found.outlines[0], hull(there)) > 0.93


def test_on_a_page_of_too_many_contours_far_ones_do_not_vote(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    far, near = rectangle(0, 300, 6, 3), rectangle(12, 0, 4, 7)
    symbol = [rectangle(0, 0, 6, 3), near, far]
    monkeypatch.setattr(
        relational, "affordable_radius", lambda page, reach: affordable_radius(page, reach, 0)
    )
    assert spotted(symbol, symbol).scores < 0.9
    monkeypatch.undo()
    assert spotted(symbol, symbol).scores > 0.99


def test_turning_the_page_turns_what_is_found() -> None:
    page = OTHERS + laid(SYMBOL, 420, 480, 1.2, 15) + laid(SYMBOL, 150, 700, 0.8, 200)[1:]
    turned = [np.stack([1000 - ring[:, 1], ring[:, 0]], 1) for ring in page]
    before, after = spotted(page), spotted(turned)
    assert after.scores == pytest.approx(before.scores, abs=1e-4)
    for number in range(len(before)):
        ring = before.outlines[number]
        expected = np.stack([1001 - ring[:, 1], ring[:, 0]], 1)  # pixels are turned, not corners
        assert shared(after.outlines[number], expected) > 0.99


def test_the_same_every_time() -> None:
    page = OTHERS + laid(SYMBOL, 420, 480, 1.2, 15) + laid(SYMBOL, 150, 700, 0.8, 200)[1:]
    first, model = seen(page), query(SYMBOL)
    found = method().spot(first, model)
    assert same(found, method().spot(first, model))  # with what was made before
    assert same(found, spotted(page))


def test_a_query_of_many_contours_is_searched_by_its_largest() -> None:
    small = [rectangle(8 * number, 90, 5, 4) for number in range(20)]
    large = SYMBOL + [
        rectangle(130 + 40 * number, 0, 30, 60 - 3 * number) for number in range(MAX_PRIMITIVES - 4)
    ]
    page = seen(OTHERS + laid(large, 300, 300, 0.8, 20))
    whole = QueryFeatures("symbol", hull(large), query(small + large).features)
    found = method().spot(page, whole)
    assert len(found) == 1
    assert found.scores[0] == pytest.approx(1, abs=0.01)


def test_what_was_drawn_is_found_first_by_every_descriptor() -> None:
    model = np.zeros((160, 200), np.uint8)
    for left, top, right, bottom in ((20, 20, 170, 120), (35, 35, 80, 60), (100, 50, 120, 100)):
        cv2.rectangle(model, (left, top), (right, bottom), 1, 3)
    page = np.zeros((700, 900), np.uint8)
    cv2.rectangle(page, (30, 30), (860, 660), 1, 9)
    cv2.circle(page, (200, 500), 60, 1, 3)
    for text, x in (("DOOR 80", 80), ("ABQ", 600)):
        cv2.putText(page, text, (x, 120), cv2.FONT_HERSHEY_SIMPLEX, 1.5, 1, 3)
    matrix = cv2.getRotationMatrix2D((0, 0), -30, 1.2) + np.array([[0, 0, 480], [0, 0, 250]])
    page |= cv2.warpAffine(model, matrix, (900, 700), flags=cv2.INTER_NEAREST)
    outline = np.array([(19, 19), (172, 19), (172, 122), (19, 122)], float)
    there = outline @ matrix[:, :2].T + matrix[:, 2]
    used = [Relational(each) for each in descriptors().values()]
    query = features_of_model(crop_model("bed", model > 0, outline), used)
    seen_page = features_of_ink(page > 0, used)
    for each in used:
        found = each.spot(seen_page, query)
        assert len(found) and shared(found.outlines[0], there) > 0.85, each.name
