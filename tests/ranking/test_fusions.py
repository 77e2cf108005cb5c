"""Consensus ranking and fusions of several lists, by hand and by their definitions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from spotlab.model.ranked_list import RankedList
from spotlab.ranking.fusion import (
    Choices,
    Evidence,
    FeatureScores,
    MatrixScores,
    Normalisation,
    choose_re_scoring,
    fusions,
    normalise,
    stack_lists,
)
from tests.ranking.fusion_cases import evidence, features, loose, mask, of_matrix, permuted

NAN = np.nan
KNOWN = fusions()
FOUR = [[1, 0.9, 0.5, 0.1], [0.9, 1, 0.7, 0.3], [0.5, 0.7, 1, 0.2], [0.1, 0.3, 0.2, 1]]
THREE_LISTS = [[0.9, 0.7, NAN, NAN], [0.8, NAN, 0.6, NAN], [0.4, 0.5, 0.9, NAN]]


def fuse(name: str, known: Evidence, choices: Choices | None = None) -> np.ndarray:
    return KNOWN[name].fuse(known, choices or Choices())


def test_all_fusions_are_found():
    assert set(KNOWN) == {
        "ws", "qe", "cr", "ml", "ml_cr", "combsum", "combmnz", "combanz", "borda",
        "reciprocal_rank", "alpha_qe", "database_augmentation", "k_reciprocal", "diffusion",
        "noisy_or",
    }  # fmt: skip


def test_settings_of_different_fusions_do_not_share_a_name():
    named = {setting.name: setting for fusion in KNOWN.values() for setting in fusion.settings}
    assert all(named[one.name] is one for fusion in KNOWN.values() for one in fusion.settings)


def test_ws_holds_only_what_the_query_found():
    known = Evidence(np.array([0.9, 0.8]), None, np.zeros((0, 2)), np.array([False, True]))
    np.testing.assert_array_equal(fuse("ws", known), [NAN, 0.8])
    np.testing.assert_array_equal(fuse("qe", known), [0.9, 0.8])


def test_consensus_by_hand():
    known = of_matrix([0.95, 0.85, 0.6, NAN], FOUR)
    np.testing.assert_allclose(fuse("cr", known), [0.95, 0.95, 0.6, NAN])
    # the best of the two alone
    np.testing.assert_allclose(fuse("cr", known, Choices(top=1)), [1, 0.9, 0.5, NAN])
    np.testing.assert_allclose(fuse("cr", known, Choices(at_least=0.9)), [1, 0.9, 0.5, NAN])
    # weights .95 and .85
    expected = [(0.95 + 0.85 * 0.9) / 1.8, (0.95 * 0.9 + 0.85) / 1.8]
    np.testing.assert_allclose(fuse("cr", known, Choices(weight=1))[:2], expected)


def test_consensus_repeats_on_its_own_list():
    known = of_matrix([0.95, 0.85, 0.6, 0.5], FOUR)
    first = fuse("cr", known, Choices(top=1, at_least=0))  # by item 0
    np.testing.assert_allclose(first, FOUR[0])
    again = fuse("cr", known, Choices(top=2, at_least=0, iterations=2))
    by_first = np.mean([FOUR[0], FOUR[1]], axis=0)
    best = np.argsort(-by_first, kind="stable")[:2]
    np.testing.assert_allclose(again, np.mean([FOUR[item] for item in best], axis=0))


@pytest.mark.parametrize("name", ["cr", "alpha_qe", "diffusion"])
def test_nothing_good_enough_keeps_the_querys_order(name):
    known = of_matrix([0.5, 0.7, NAN, 0.6], FOUR)
    np.testing.assert_array_equal(fuse(name, known), known.query)
    np.testing.assert_array_equal(fuse(name, known, Choices(top=0, at_least=0)), known.query)


def test_judged_items_join_and_leave_the_re_scoring_ones():
    scores = np.array([0.95, 0.85, 0.9, 0.1, NAN])
    best = choose_re_scoring(scores, Choices(top=2))
    assert best.tolist() == [0, 2]
    without = choose_re_scoring(scores, Choices(top=2, irrelevant=mask(5, 0)))
    assert without.tolist() == [2, 1]
    joined = choose_re_scoring(scores, Choices(top=2, relevant=mask(5, 2, 3, 4)))
    assert joined.tolist() == [0, 2, 3, 4]
    assert choose_re_scoring(scores, Choices(irrelevant=mask(5, 0, 1, 2))).tolist() == []


def test_a_relevant_item_weighs_one_however_low_it_scores():
    known = of_matrix([0.9, 0.1, -0.5, 0.2], FOUR)
    marked = Choices(at_least=0.99, weight=2, relevant=mask(4, 2))
    np.testing.assert_allclose(fuse("cr", known, marked), FOUR[2])


def test_consensus_leaves_unknown_scores_out_of_the_mean():
    matrix = np.array(FOUR)
    matrix[0, 2] = matrix[0, 3] = matrix[1, 3] = NAN
    known = of_matrix([0.95, 0.85, 0.6, 0.5], matrix.tolist())
    np.testing.assert_allclose(fuse("cr", known), [0.95, 0.95, 0.7, NAN])


def test_merged_lists_by_hand():
    known = of_matrix([0.9, 0.8, 0.7, 0.6], FOUR, THREE_LISTS)
    mean = [0.7, 0.6, 0.75, NAN]
    np.testing.assert_allclose(fuse("ml", known), mean)
    np.testing.assert_allclose(fuse("combanz", known), mean)
    np.testing.assert_allclose(fuse("combsum", known), [2.1, 1.2, 1.5, NAN])
    np.testing.assert_allclose(fuse("combmnz", known), [6.3, 2.4, 3.0, NAN])
    # by items 2 and 0, the best two of the merged list
    merged = fuse("ml_cr", known, Choices(top=2, at_least=0.65))
    np.testing.assert_allclose(merged, [0.75, 0.8, 0.75, NAN])
    np.testing.assert_allclose(fuse("ml_cr", known), mean)  # none has .8


def test_votes_by_rank_by_hand():
    known = of_matrix([0.9, 0.8, 0.7, 0.6], FOUR, THREE_LISTS)
    # of three candidates the first gets 3 points; what a list of two lacks gets the 1 left
    np.testing.assert_allclose(fuse("borda", known), [3 + 3 + 1, 2 + 1 + 2, 1 + 2 + 3, NAN])
    reciprocal = [1 / 61 + 1 / 61 + 1 / 63, 1 / 62 + 1 / 62, 1 / 62 + 1 / 61, NAN]
    np.testing.assert_allclose(fuse("reciprocal_rank", known), reciprocal)
    at_zero = fuse("reciprocal_rank", known, Choices(more={"rank_constant": 0}))
    np.testing.assert_allclose(at_zero, [1 + 1 + 1 / 3, 1, 1.5, NAN])


def test_items_of_the_same_score_share_their_rank():
    known = of_matrix([0, 0, 0, 0], FOUR, [[0.5, 0.5, 0.9, NAN]])
    np.testing.assert_allclose(fuse("borda", known), [1.5, 1.5, 3, NAN])


@pytest.mark.parametrize("far", [None, 1e300, np.inf])
def test_ranks_of_thousands_of_items_are_exact(far: float | None):
    """Also of those that differ by the last bit of a score, or not at all, beside far ones."""
    random = np.random.default_rng(5)
    scores = random.integers(0, 2_000, 9_000) / 7
    scores[::3] = np.nextafter(scores[::3], np.inf)
    scores[::10] = NAN
    if far is not None:
        scores[1], scores[2] = far, -far
    known = Evidence(scores, None, scores[None], np.ones(9_000, np.bool_))
    listed = ~np.isnan(scores)
    rank = stats.rankdata(-scores[listed])
    np.testing.assert_array_equal(fuse("reciprocal_rank", known)[listed], 1 / (60 + rank))


@pytest.mark.parametrize("name", ["borda", "reciprocal_rank"])
def test_lists_that_come_ranked_are_fused_as_if_they_were_not(name: str):
    """Also where scores are equal, and where a list has but some items, or none."""
    scores = np.random.default_rng(3).integers(0, 40, (4, 5_000)) / 7
    scores[1, ::3], scores[2, 7:], scores[3] = NAN, NAN, NAN
    ranked = tuple(RankedList.ordered(str(at), row) for at, row in enumerate(scores))
    plain = Evidence(scores[0], None, scores, np.ones(5_000, np.bool_))
    np.testing.assert_array_equal(fuse(name, replace(plain, ranked=ranked)), fuse(name, plain))
    listed = [scores[0], scores[1], scores[2, :7]]
    ranks = [stats.rankdata(-row, nan_policy="omit") for row in listed]
    if name == "borda":
        points = [5_001 - rank for rank in ranks]
        first = points[0][0] + (5_001 - (5_000 - 1_667)) / 2 + points[2][0] + 5_001 / 2
    else:
        first = 1 / (60 + ranks[0][0]) + 1 / (60 + ranks[2][0])
    assert fuse(name, plain)[0] == first


@pytest.mark.parametrize("count", [7, 5_000])
def test_items_of_equal_score_keep_their_order(count: int):
    scores = np.random.default_rng(1).integers(0, 9, count) / 7
    scores[::5] = NAN
    expected = sorted(np.flatnonzero(~np.isnan(scores)), key=lambda item: -scores[item])
    assert RankedList.ordered("list", scores).item.tolist() == expected


@pytest.mark.parametrize("item", [[0, 2, 0], [5, 5], [-1, -1], [10**12, 10**12]])
def test_an_item_is_in_a_list_once(item: list[int]):
    with pytest.raises(ValueError, match="twice"):
        RankedList("list", np.array(item), np.linspace(1, 0, len(item)))


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        (Normalisation.MIN_MAX, [0, 1, NAN, 0.25]),
        (Normalisation.SUM, [0, 0.8, NAN, 0.2]),
        (Normalisation.STANDARD, np.array([-5, 7, NAN, -2]) / np.sqrt(26)),
    ],
)
def test_normalisation_by_hand(how, expected):
    found = normalise(np.array([[1.0, 5.0, NAN, 2.0], [NAN] * 4]), how)
    np.testing.assert_allclose(found, [expected, [NAN] * 4])
    same = normalise(np.array([[3.0, NAN, 3.0]]), how)[0]
    each = {Normalisation.MIN_MAX: 1.0, Normalisation.SUM: 0.5, Normalisation.STANDARD: 0.0}[how]
    np.testing.assert_array_equal(same, [each, NAN, each])


def test_lists_are_normalised_where_wanted():
    known = of_matrix([0, 0, 0], np.eye(3).tolist(), [[1.0, 3.0, 2.0], [100.0, NAN, 300.0]])
    chosen = Choices(more={"normalise": 1})
    np.testing.assert_allclose(fuse("combsum", known, chosen), [0, 1, 1.5])
    np.testing.assert_allclose(fuse("combmnz", known, chosen), [0, 1, 3])
    np.testing.assert_allclose(fuse("combanz", known, chosen), [0, 1, 0.75])
    with pytest.raises(ValueError, match="7"):
        fuse("combsum", known, Choices(more={"normalise": 7}))


def test_lists_are_aligned():
    lists = [RankedList("a", [2, 0], [0.9, 0.5]), RankedList("b", [], [])]
    np.testing.assert_array_equal(stack_lists(lists, 3), [[0.5, NAN, 0.9], [NAN] * 3])


@pytest.mark.parametrize("name", sorted(KNOWN))
@pytest.mark.parametrize("seed", [0, 1])
def test_the_order_in_which_items_are_stored_does_not_matter(name, seed):
    known = evidence(40, seed)
    order = np.random.default_rng(seed).permutation(40)
    choices = Choices(top=5, at_least=0.3, relevant=mask(40, 7), irrelevant=mask(40, 3))
    moved = Choices(top=5, at_least=0.3, relevant=choices.relevant[order], irrelevant=choices.irrelevant[order])  # fmt: skip  # noqa: E501
    expected = fuse(name, known, choices)[order]
    np.testing.assert_allclose(fuse(name, permuted(known, order), moved), expected, atol=1e-7)


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_identical_items_get_the_same_score(name):
    rows = np.repeat(features(15), 2, axis=0)
    query = rows @ features(1, 5)[0]
    known = Evidence(query, FeatureScores(rows), np.array([query, query**3]), query > -2)
    scores = fuse(name, known, loose(reciprocal_neighbours=30, augmentation_neighbours=29, diffusion_neighbours=29))  # fmt: skip  # noqa: E501
    np.testing.assert_allclose(scores[::2], scores[1::2], atol=1e-7 if name != "diffusion" else 0.2)


@pytest.mark.parametrize("name", sorted(KNOWN))
@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize("lists", [0, 1])
def test_few_items(name, count, lists):
    known = evidence(count, lists=lists)
    scores = fuse(name, known, loose())
    assert scores.shape == (count,)
    if not lists and KNOWN[name].needs == "lists":
        assert np.isnan(scores).all()  # no list has found anything


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_nothing_known_gives_an_empty_list(name):
    known = evidence(12)
    empty = Evidence(np.full(12, NAN), known.between, np.full((3, 12), NAN), known.first_hits)
    assert np.isnan(fuse(name, empty, loose())).all()


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_items_out_of_the_list_stay_out(name):
    known = evidence(30)
    out = mask(30, 2, 5, 11)
    partly = Evidence(np.where(out, NAN, known.query), known.between, np.where(out, NAN, known.lists), known.first_hits)  # fmt: skip  # noqa: E501
    scores = fuse(name, partly, loose())
    assert np.isnan(scores[out]).all()
    assert np.isfinite(scores).any()


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_evidence_is_left_as_it_was(name):
    known = evidence(30)
    query, lists = known.query.copy(), known.lists.copy()
    choices = Choices(top=5, at_least=0, relevant=mask(30, 1, 2, 3), irrelevant=mask(30, 4))
    scores = fuse(name, known, choices)
    scores[:] = 0
    assert choices.relevant.sum() == 3
    assert choices.irrelevant.sum() == 1
    np.testing.assert_array_equal(known.query, query)
    np.testing.assert_array_equal(known.lists, lists)


SCORES = st.one_of(st.just(NAN), st.floats(-1, 1, width=32))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9), st.integers(1, 4), st.data())
def test_sums_by_their_definition(count, several, data):
    lists = data.draw(arrays(float, (several, count), elements=SCORES))
    known = Evidence(np.zeros(count), None, lists, np.ones(count, bool))
    found = {name: fuse(name, known) for name in ("combsum", "combmnz", "combanz", "ml")}
    for item in range(count):
        scores = [value for value in lists[:, item] if not np.isnan(value)]
        total, number = sum(scores), len(scores)
        expected = [total, total * number, total / number, total / number] if number else [NAN] * 4
        np.testing.assert_allclose([found[name][item] for name in found], expected, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 8), st.integers(0, 5), st.sampled_from([0, 0.5, 2]), st.data())
def test_consensus_by_its_definition(count, top, weight, data):
    query = data.draw(arrays(float, count, elements=SCORES))
    matrix = data.draw(arrays(float, (count, count), elements=st.floats(-1, 1, width=32)))
    judged = data.draw(arrays(int, count, elements=st.sampled_from([0, 0, 0, 1, 2])))
    choices = Choices(top, 0.25, weight, 1, judged == 1, judged == 2)
    found = fuse(
        "cr", Evidence(query, MatrixScores(matrix), np.zeros((0, count)), query > 0), choices
    )
    able = [i for i in range(count) if query[i] >= 0.25 and judged[i] != 2]
    best = sorted(able, key=lambda i: -query[i])[:top]
    weights = {i: 1.0 if judged[i] == 1 else query[i] ** weight for i in best}
    weights |= {i: 1.0 for i in range(count) if judged[i] == 1}
    for item in range(count):
        expected = query[item]
        if weights and not np.isnan(expected):
            total = sum(w * matrix[i, item] for i, w in weights.items())
            expected = total / sum(weights.values())
        np.testing.assert_allclose(found[item], expected, atol=1e-12)
