"""Alignment finds symbols however they lie, broken and at walls, and nothing where nothing is."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from spotlab.spotting.symbols.alignment.stroke_alignment import REFINED
from spotlab.spotting.symbols.drawing.strokes import LINE, extract_strokes, pack
from spotlab.spotting.symbols.engine.method import features_of_ink, features_of_model
from spotlab.spotting.symbols.engine.page_features import QuerySpots, SymbolModel
from spotlab.spotting.symbols.methods import methods
from spotlab.spotting.symbols.methods.alignment import METHOD
from tests.spotting.symbols.alignment_scenes import (
    BASIN,
    BOX,
    HEIGHT,
    PEN,
    STROKES,
    WIDTH,
    broken,
    model,
    moved,
    overlap,
    query,
    spotted,
)
from tests.spotting.symbols.alignment_scenes import page as drawn_page

PAPERS = ("a", "b", "c", "d")  # the four methods of the paper


def laid(x: float, y: float, **how: float) -> list[np.ndarray]:
    return [moved(stroke, x, y, **how) for stroke in STROKES]


def same(one: QuerySpots, other: QuerySpots) -> bool:
    return (
        one.outlines.points.tobytes() == other.outlines.points.tobytes()
        and one.scores.tobytes() == other.scores.tobytes()
    )


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize(
    ("turn", "scale"), [(0, 1), (90, 1), (180, 0.9), (270, 1.15), (33, 1), (-70, 1.4), (0, 0.6)]
)
def test_recovers_the_pose(turn: float, scale: float, mirrored: bool) -> None:
    how = {"turn": turn, "scale": scale, "mirrored": mirrored}
    found = spotted(drawn_page(laid(431.5, 322.3, **how)))
    assert len(found) == 1
    assert overlap(found, moved(BOX, 431.5, 322.3, **how)) > 0.9
    assert found.scores[0] > 0.6


def test_each_place_is_found_once_and_scores_fall() -> None:
    found = spotted(drawn_page(laid(400, 300), laid(700, 500, turn=20), laid(200, 550, scale=1.3)))
    assert len(found) == 3
    assert (found.scores > 0.85).all()
    assert (np.diff(found.scores) <= 0).all()


@pytest.mark.parametrize("turn", [0, 90])
def test_finds_what_is_broken_all_over_where_the_four_fail(turn: float) -> None:
    pieces = [
        piece for stroke in laid(450, 350, turn=turn) for piece in broken(stroke, every=37, gap=14)
    ]
    ink = drawn_page(pieces)
    where = moved(BOX, 450, 350, turn=turn)
    assert overlap(spotted(ink, mend=False), where) > 0.9
    assert all(overlap(spotted(ink, name, mend=False), where) < 0.5 for name in PAPERS)


def test_finds_what_stands_in_a_wall_and_touches_others_where_the_four_fail() -> None:
    ink = drawn_page(laid(450, 350), [np.array([(300, 260), (300, 500)])])
    ink[300:318, 100:800] = True  # a wall over the back of it
    ink[340:344, 500:700] = True  # a line through it
    ink[200:600, 440:444] = True
    where = moved(BOX, 450, 350)
    assert overlap(spotted(ink, mend=False), where) > 0.85
    assert all(overlap(spotted(ink, name, mend=False), where) < 0.5 for name in PAPERS)


def test_finds_all_however_many_there_are() -> None:
    places = [(x, y) for y in range(60, HEIGHT - 50, 80) for x in range(80, WIDTH - 60, 100)]
    small = [stroke for x, y in places for stroke in laid(x, y, scale=0.5)]
    assert len(places) > REFINED
    assert len(spotted(drawn_page(small))) == len(places)


def test_two_that_stand_side_by_side_are_two() -> None:
    found = spotted(drawn_page(laid(300, 300), laid(452, 300)))
    assert len(found) == 2


def test_writing_inside_costs_little_and_other_strokes_cost_much() -> None:
    box = SymbolModel("box", drawn_page([moved(BOX, 450, 350)]), moved(BOX, 450, 350))
    asked = features_of_model(box, [METHOD])
    letters = [np.array([(x, 340), (x + 8, 360)]) for x in range(410, 490, 16)]
    bars = [moved([(x, 0), (x, 90)], 450, 350) for x in range(10, 150, 14)]
    scores = []
    for inside in ([], letters, bars):
        page = features_of_ink(drawn_page([moved(BOX, 450, 350), *inside]), [METHOD])
        found = METHOD.spot(page, asked)
        scores.append(found.scores[0] if len(found) else 0.0)
    assert scores[0] > 0.95
    assert scores[0] > scores[1] > 0.6
    assert scores[2] < scores[1] - 0.2


def test_a_part_is_not_the_whole() -> None:
    found = spotted(drawn_page([moved(BASIN, 450, 350)]))
    assert not len(found) or found.scores[0] < 0.4


def test_nothing_is_found_on_nothing_and_for_nothing() -> None:
    empty = np.zeros((HEIGHT, WIDTH), bool)
    assert not len(spotted(empty))
    assert not len(METHOD.spot(features_of_ink(np.zeros((1, 1), bool), [METHOD]), query()))
    nothing = features_of_model(
        SymbolModel("?", np.zeros((40, 40), bool), np.zeros((0, 2))), [METHOD]
    )
    assert not len(METHOD.spot(features_of_ink(drawn_page(laid(400, 300)), [METHOD]), nothing))


def test_one_dot_is_no_symbol() -> None:
    ink = np.zeros((HEIGHT, WIDTH), bool)
    ink[300:303, 300:303] = True
    assert not len(spotted(ink))


def test_gives_the_same_whatever_was_asked_before() -> None:
    first = drawn_page(laid(400, 300, turn=12))
    second = drawn_page(laid(400, 300), pen=7)  # another reduction
    asked = query()
    METHOD.spot(features_of_ink(second, [METHOD]), asked)
    found = METHOD.spot(features_of_ink(first, [METHOD]), asked)
    assert same(found, METHOD.spot(features_of_ink(first, [METHOD]), query()))


def test_numpy_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    ink = drawn_page(laid(400, 300, turn=90), laid(650, 500, turn=25, mirrored=True))
    quick = spotted(ink)
    monkeypatch.setattr("spotlab.spotting.symbols.alignment.chamfer.is_installed", lambda: False)
    slow = spotted(ink)
    assert len(quick) == len(slow) == 2
    np.testing.assert_allclose(quick.scores, slow.scores, atol=1e-9)
    np.testing.assert_allclose(quick.outlines.points, slow.outlines.points, atol=1e-6)


def test_arrays_that_may_not_be_written_do_not_compile_it_anew() -> None:
    from spotlab.spotting.symbols.alignment import chamfer_kernels  # noqa: PLC0415

    page = features_of_ink(drawn_page(laid(400, 300)), [METHOD])
    for array in page.arrays["e"].values():
        array.setflags(write=False)
    assert len(METHOD.spot(page, query())) == 1
    kernels = (
        chamfer_kernels.match_shapes,
        chamfer_kernels.score_poses,
        chamfer_kernels.refine_poses,
    )
    assert [len(kernel.signatures) for kernel in kernels] == [1, 1, 1]


@pytest.mark.parametrize("angle", range(0, 180, 15))
def test_each_direction_is_met_where_it_is_drawn_and_no_other(angle: int) -> None:
    way = np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))])
    ink = drawn_page([np.array([(450, 350) - 200 * way, (450, 350) + 200 * way])])
    packed = pack(extract_strokes(ink, PEN))
    word = int(packed[round(350 * LINE / PEN), round(450 * LINE / PEN)])
    exact = [channel for channel in range(8) if word >> channel & 1]
    off = [abs((channel * 22.5 - angle + 90) % 180 - 90) for channel in exact]
    assert len(exact) == 2
    assert max(off) <= 25


def test_is_one_of_the_methods_and_its_arrays_are_small() -> None:
    assert methods()["e"] is METHOD
    kept = features_of_ink(drawn_page(laid(400, 300)), [METHOD]).arrays["e"]
    assert sum(array.nbytes for array in kept.values()) < WIDTH * HEIGHT
    assert model().name == "sink"


def window(length: float) -> list[np.ndarray]:
    """A window in a wall: its two ends, and three lines of a length between them."""
    half = length / 2
    lines = [np.array([(-half, y), (half, y)]) for y in (-20.0, 0.0, 20.0)]
    return [*lines, *(np.array([(x, -20.0), (x, 20.0)]) for x in (-half, half))]


def frame(length: float) -> np.ndarray:
    return np.array([(-1.0, -20), (1, -20), (1, 20), (-1, 20)]) * [length / 2, 1]


@pytest.mark.parametrize(("length", "turn"), [(70, 0), (140, 0), (250, 90), (40, 90)])
def test_finds_windows_of_any_length(length: float, turn: float) -> None:
    drawn = drawn_page([moved(stroke, 200, 200) for stroke in window(100)])
    asked = features_of_model(SymbolModel("window", drawn, moved(frame(100), 200, 200)), [METHOD])
    lines = [moved(stroke, 500, 350, turn=turn) for stroke in window(length)]
    found = METHOD.spot(features_of_ink(drawn_page(lines), [METHOD], mend=False), asked)
    one = shapely.Polygon(found.outlines[0])
    other = shapely.Polygon(moved(frame(length), 500, 350, turn=turn))
    assert one.intersection(other).area / one.union(other).area > 0.85
    assert found.scores[0] > 0.5


def test_what_has_no_free_length_is_not_stretched() -> None:
    at_end = drawn_page([moved(np.asarray(stroke) * [2.2, 1], 450, 350) for stroke in STROKES])
    found = spotted(at_end)
    assert not len(found) or found.scores[0] < 0.6
