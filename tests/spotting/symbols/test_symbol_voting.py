"""Votes are those that brute force casts; work is bounded as it says; places are told apart."""

from __future__ import annotations

import itertools
import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from spotlab.spotting.symbols.engine.method import features_of_ink, features_of_model
from spotlab.spotting.symbols.engine.page_features import crop_model
from spotlab.spotting.symbols.voting import pose_hypotheses as clustering
from spotlab.spotting.symbols.voting.pose_hypotheses import (
    PoseHypotheses,
    best_without_overlaps,
    choose_pairs,
    cluster_votes,
    find_poses,
    pair_votes,
)
from spotlab.spotting.symbols.voting.relational import MIN_SCORE, Relational
from spotlab.spotting.symbols.voting.relations import (
    BESIDE,
    CENTRAL,
    MIRRORED,
    NEAR,
    RADIUS,
    RATIO,
    ROUND,
    STRAIGHT,
    PairTable,
    PoseVotes,
    PrimitiveLayout,
    Relations,
    Tolerances,
)
from tests.spotting.symbols.relational_scenes import circle, laid, layout, query, rectangle, seen

TOLERANCES = Tolerances()
Vote = tuple[int, ...]


# -- by hand


def test_how_two_squares_lie() -> None:
    both = layout([rectangle(0, 0, 10, 10), rectangle(30, 0, 20, 20)])
    assert both.centres.tolist() == pytest.approx([5 + 5j, 40 + 10j])
    assert both.sizes.tolist() == pytest.approx([10, 20])
    assert np.isnan(both.axes).all()
    pair = Relations.of(both, np.array([0]), np.array([1]))
    assert pair.ratio[0] == pytest.approx(math.log(2))
    assert pair.apart[0] == pytest.approx(math.asinh(math.hypot(35, 5) / (BESIDE * 30)))


@pytest.mark.parametrize("turn", [-80, -30, 0, 45, 89])
def test_a_long_contour_has_a_direction(turn: float) -> None:
    lies = layout(laid([rectangle(0, 0, 30, 10)], 100, 100, 2, turn))
    assert lies.axes[0] == pytest.approx(math.radians(turn), abs=1e-4)


@pytest.mark.parametrize("kind", [STRAIGHT, MIRRORED])
def test_a_pair_votes_for_its_pose(kind: int) -> None:
    symbol = [rectangle(0, 0, 30, 10), rectangle(40, 30, 10, 25)]
    model, there = layout(symbol), layout(laid(symbol, 300, 200, 1.5, 50, kind == MIRRORED))
    middle = 20 + 10j
    votes = pair_votes(model, there, PairTable.of(there), np.eye(2, dtype=bool), middle, TOLERANCES)
    assert votes.kind.tolist() == [kind]
    factor = 1.5 * np.exp(1j * np.radians(50))
    assert votes.factor[0] == pytest.approx(factor, abs=1e-4)
    moved = middle.conjugate() if kind == MIRRORED else middle
    assert votes.place[0] == pytest.approx(300 + 200j + factor * moved, abs=1e-3)
    assert votes.query.tolist() == votes.page.tolist() == [[0, 1]]


# -- brute force


def brute_force(
    model: PrimitiveLayout, page: PrimitiveLayout, alike: NDArray[np.bool_], middle: complex
) -> dict[Vote, tuple[complex, complex]]:
    """All votes by the definitions, pair by pair; each with its place and factor."""
    found = {}
    for (a, b), (i, j) in itertools.product(
        itertools.combinations(range(len(model)), 2), itertools.permutations(range(len(page)), 2)
    ):
        if not (alike[a, i] and alike[b, j]):
            continue
        wanted, there = model.centres[b] - model.centres[a], page.centres[j] - page.centres[i]
        sizes = model.sizes[a], model.sizes[b], page.sizes[i], page.sizes[j]
        apart = abs(wanted) / (sizes[0] + sizes[1]), abs(there) / (sizes[2] + sizes[3])
        warped = [math.asinh(each / BESIDE) for each in apart]
        ratios = math.log(sizes[1] / sizes[0]), math.log(sizes[3] / sizes[2])
        if abs(warped[0] - warped[1]) > TOLERANCES.apart:
            continue
        if abs(ratios[0] - ratios[1]) > TOLERANCES.ratio:
            continue
        if warped[0] + TOLERANCES.apart > math.asinh(RADIUS / BESIDE):
            continue
        if abs(ratios[0]) + TOLERANCES.ratio > RATIO:
            continue
        concentric = apart[0] < NEAR
        by_size = math.sqrt(sizes[2] / sizes[0] * sizes[3] / sizes[1])
        trust = abs(wanted) ** 2 / (abs(wanted) ** 2 + sizes[0] ** 2 + sizes[1] ** 2)
        by_distance = abs(there) / max(abs(wanted), 1e-9)
        scale = by_size if concentric else by_distance**trust * by_size ** (1 - trust)
        if not TOLERANCES.min_scale <= scale <= TOLERANCES.max_scale:
            continue
        for kind, turn, again in _turns(model, page, (a, b, i, j), concentric, middle):
            factor = scale * complex(math.cos(turn), math.sin(turn))
            offset = middle - (model.centres[a] + model.centres[b]) / 2
            offset = 0 if kind == ROUND else offset.conjugate() if kind == MIRRORED else offset
            place = (page.centres[i] + page.centres[j]) / 2 + factor * offset
            found[(a, b, i, j, kind, again)] = place, factor
    return found


def _turns(
    model: PrimitiveLayout,
    page: PrimitiveLayout,
    pair: tuple[int, int, int, int],
    concentric: bool,
    middle: complex,
) -> list[tuple[int, float, int]]:
    a, b, i, j = pair
    axes = model.axes[a], model.axes[b], page.axes[i], page.axes[j]
    found = []
    for kind, sign in ((STRAIGHT, 1), (MIRRORED, -1)):
        if concentric:
            first = not math.isnan(axes[0])
            turn = (axes[2] if first else axes[3]) - sign * (axes[0] if first else axes[1])
            if not math.isnan(turn):
                found += [(kind, turn, 0), (kind, turn + math.pi, 1)]
            continue
        wanted, there = model.centres[b] - model.centres[a], page.centres[j] - page.centres[i]
        turn = float(np.angle(there) - sign * np.angle(wanted))
        off = [abs(math.sin(axes[2 + k] - sign * axes[k] - turn)) for k in (0, 1)]
        if not any(each > math.sin(TOLERANCES.axis) for each in off):
            found.append((kind, turn, 0))
    offset = abs((model.centres[a] + model.centres[b]) / 2 - middle)
    central = offset <= CENTRAL * max(model.sizes[a], model.sizes[b])
    if concentric and math.isnan(axes[0]) and math.isnan(axes[1]) and central:
        found.append((ROUND, 0.0, 0))
    return found


def contours() -> st.SearchStrategy[NDArray[np.float64]]:
    place, side = st.integers(0, 60), st.integers(3, 30)
    return st.builds(rectangle, place, place, side, side) | st.builds(circle, place, place, side)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(contours(), min_size=2, max_size=4),
    st.lists(contours(), min_size=0, max_size=4),
    st.floats(0.5, 2),
    st.floats(-180, 180),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_votes_are_those_of_brute_force(
    symbol: list[NDArray[np.float64]],
    others: list[NDArray[np.float64]],
    scale: float,
    turn: float,
    mirrored: bool,
    random: object,
) -> None:
    model, page = layout(symbol), layout(laid(symbol, 100, 80, scale, turn, mirrored) + others)
    choose = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]
    alike = choose.random((len(model), len(page))) < 0.8
    middle = complex(np.mean(model.centres))
    votes = pair_votes(model, page, PairTable.of(page), alike, middle, TOLERANCES)
    expected = brute_force(model, page, alike, middle)
    cast = sorted(
        (*vote[:2], *vote[2:4], vote[4])
        for vote in np.column_stack([votes.query, votes.page, votes.kind]).tolist()
    )
    assert cast == sorted(key[:5] for key in expected)
    for number in range(len(votes)):
        key = (*votes.query[number].tolist(), *votes.page[number].tolist(), int(votes.kind[number]))
        candidates = [expected[(*key, again)] for again in (0, 1) if (*key, again) in expected]
        assert min(
            abs(votes.place[number] - place) + abs(votes.factor[number] - factor)
            for place, factor in candidates
        ) < 1e-6  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(contours(), min_size=2, max_size=12), st.floats(0.5, 9))
def test_the_cabinet_holds_every_pair_within_reach(
    rings: list[NDArray[np.float64]], reach: float
) -> None:
    page = layout(rings)
    cabinet = PairTable.of(page, reach)
    everything = Relations.of(page, *np.nonzero(~np.eye(len(page), dtype=bool)))
    warped = math.asinh(reach / BESIDE)
    inside = (everything.apart <= warped) & (np.abs(everything.ratio) <= RATIO)
    wanted = set(zip(everything.first[inside], everything.second[inside], strict=True))
    assert set(zip(cabinet.relations.first, cabinet.relations.second, strict=True)) == wanted
    assert len(cabinet.relations) == len(wanted)
    # and every pair finds itself and those like it
    which, begin, end = cabinet.ranges(cabinet.relations, 0.15, 0.2)
    for number in range(len(cabinet.relations)):
        near = np.abs(cabinet.relations.apart - cabinet.relations.apart[number]) <= 0.15
        near &= np.abs(cabinet.relations.ratio - cabinet.relations.ratio[number]) <= 0.2
        runs = [
            range(*run) for run in zip(begin[which == number], end[which == number], strict=True)
        ]
        assert set(np.flatnonzero(near)) <= {place for run in runs for place in run}


# -- bounds


def test_pairs_are_chosen_within_the_work_but_none_is_left_out() -> None:
    random = np.random.default_rng(4)
    first, second = np.triu_indices(9, 1)
    pairs = Relations(first, second, np.zeros(len(first)), np.zeros(len(first)))
    work = random.integers(0, 50, len(first))
    expected = work * random.random(len(first))
    for most in (0, 200, 500, 10_000):
        chosen = choose_pairs(pairs, expected, work, most)
        able = {int(each) for pair in np.flatnonzero(work) for each in (first[pair], second[pair])}
        assert {*first[chosen].tolist(), *second[chosen].tolist()} == able
        assert (work[chosen] > 0).all()
    assert work[choose_pairs(pairs, expected, work, 500)].sum() <= 500
    assert len(choose_pairs(pairs, expected, work, 10_000)) == np.count_nonzero(work)
    first_of = [int(pair) for pair in choose_pairs(pairs, expected, work, 0)]
    touching = [(work > 0) & ((first == each) | (second == each)) for each in range(9)]
    telling = [int(np.argmin(np.where(each, expected, np.inf))) for each in touching]
    assert set(telling) <= set(first_of)


def test_a_page_of_one_repeated_contour_is_searched_with_bounded_work() -> None:
    side, count = 30, 14
    ink = np.zeros((count * 40 + 40,) * 2, np.uint8)
    for x, y in itertools.product(range(count), repeat=2):
        corner = 20 + 40 * x, 20 + 40 * y
        cv2.rectangle(ink, corner, (corner[0] + side, corner[1] + side), 1, 3)
    from spotlab.spotting.symbols.descriptors.outline import RATIOS  # noqa: PLC0415

    bounded = Relational(RATIOS, Tolerances(max_comparisons=500))
    page = features_of_ink(ink > 0, [bounded], mend=False)
    box = [(95, 95), (175, 95), (175, 215), (95, 215)]
    found = bounded.spot(
        page, features_of_model(crop_model("six", ink > 0, box), [bounded], mend=False)
    )
    assert len(found) > 5
    assert found.scores[0] == pytest.approx(1, abs=0.05)


# -- clusters and places


def votes_at(*poses: tuple[complex, complex, int]) -> PoseVotes:
    place, factor, kind = zip(*poses, strict=True)
    ends = np.zeros((len(poses), 2), np.int64)
    return PoseVotes(np.array(place), np.array(factor), np.array(kind), ends, ends)


def test_votes_that_agree_are_one_peak() -> None:
    reach = 100.0
    near = 0.4 * clustering.WIDTH * reach
    votes = votes_at(
        (0, 1, 0), (near, 1, 0), (0, 1 + near * 1j / reach, 0),  # the same
        (0, 1, 1), (0, -1, 0), (0, 2, 0), (400, 1, 0),  # mirrored, turned, larger, elsewhere
    )  # fmt: skip
    peak, vote = cluster_votes(votes, reach)
    groups = sorted(sorted(vote[peak == each].tolist()) for each in np.unique(peak))
    assert groups == [[0, 1, 2], [3], [4], [5], [6]]
    peak, vote = cluster_votes(votes, reach, min_votes=2)
    assert sorted(vote.tolist()) == [0, 1, 2]


def test_no_votes_are_no_places() -> None:
    ends = np.zeros((0, 2), np.int64)
    nothing = PoseVotes(np.zeros(0, complex), np.zeros(0, complex), np.zeros(0, int), ends, ends)
    both = layout([rectangle(0, 0, 9, 9)])
    places = find_poses(nothing, (both, both), np.ones((1, 1)), 0, 10)
    assert len(places) == 0
    assert best_without_overlaps(places).tolist() == []


def test_of_places_with_the_same_primitives_the_best_stays() -> None:
    owner = np.array([0, 0, 1, 1, 2, 2])
    page = np.array([0, 1, 1, 2, 3, 4])
    three = np.zeros(3, np.complex128)
    scores = np.array([0.5, 0.9, 0.5])
    places = PoseHypotheses(three, three, np.zeros(3, np.int64), scores, owner, page % 2, page)
    assert best_without_overlaps(places).tolist() == [1, 2]
    assert best_without_overlaps(places, share=0.6).tolist() == [1, 0, 2]


def test_a_place_scores_what_it_has_of_the_query() -> None:
    symbol = [rectangle(0, 0, 90, 90), rectangle(200, 0, 10, 40), rectangle(0, 150, 40, 10)]
    model = query(symbol)
    page = seen(laid(symbol[:2], 500, 500))
    lies, there = PrimitiveLayout.of(model.features.primitives), PrimitiveLayout.of(page.primitives)
    alike = np.eye(3, 2)
    votes = pair_votes(lies, there, PairTable.of(there), alike > 0, 100 + 80j, TOLERANCES)
    places = find_poses(votes, (lies, there), alike, 100 + 80j, 150.0, MIN_SCORE)
    roots = np.sqrt([90, 20, 20])
    # the mirrored pose explains the two nearly as well, but for the direction of the long one
    assert places.kind.tolist() == [STRAIGHT, MIRRORED]
    assert places.scores[0] == pytest.approx(roots[:2].sum() / roots.sum(), abs=1e-6)
    assert places.scores[1] < places.scores[0]
    assert places.query.tolist() == places.page.tolist() == [0, 1, 0, 1]
    assert best_without_overlaps(places).tolist() == [0]
