from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.consensus import precision as gram_module
from spotlab.consensus.precision import (
    Weights,
    consensus_of,
    figures_with_truth,
    gram_of,
    item_probability,
    uniform_weights,
    vote_share_weights,
)
from spotlab.consensus.votes import Votes
from tests.consensus.consensus_cases import (
    BINARY,
    SOFT,
    TABLE,
    UNKNOWN,
    Floats,
    by_definition,
    listed,
    names,
    tables,
    votes_of,
    weighted,
)

any_tables = st.sampled_from([BINARY, UNKNOWN, SOFT]).flatmap(tables)
close = {"rtol": 1e-12, "atol": 1e-14}


def test_tables_1_to_3_of_the_paper() -> None:
    votes = Votes.of(TABLE, ["S1", "S2", "S3"])
    chance = item_probability(votes, uniform_weights(3))
    np.testing.assert_allclose(chance, [0.8, 0.8, 0.4, 0.4, 0.4, 0.4, 0.2], **close)
    found = consensus_of(gram_of(votes), uniform_weights(3))
    assert found.expected_relevant == pytest.approx(3.4, abs=1e-14)
    np.testing.assert_allclose(found.precision, [0.6, 2 / 3, 2 / 3], **close)
    np.testing.assert_allclose(found.recall, [2.4 / 3.4, 2 / 3.4, 2 / 3.4], **close)
    assert found.top.precision == pytest.approx(3.4 / 7, abs=1e-15)
    assert found.top.recall == 1
    assert (found.bottom.precision, found.bottom.recall, found.bottom.f) == (None, 0, 0)
    assert found.rank.tolist() == [1, 2, 2]


def test_sums_of_table_3() -> None:
    matrix = gram_of(votes_of(TABLE)).blocks[0].matrix
    assert matrix[-1].tolist() == [4, 3, 3, 7]  # the row "Sum"
    shared = matrix @ np.append(uniform_weights(3).systems, uniform_weights(3).top)
    np.testing.assert_allclose(shared, [2.4, 2, 2, 3.4], **close)  # the row ΣP·S


@settings(deadline=None, max_examples=120)
@given(st.data(), any_tables, st.booleans(), st.booleans(), st.sampled_from([0.5, 1.0, 2.0]))
def test_any_votes_have_the_figures_of_the_definition(
    data: st.DataObject, table: Floats, sparse: bool, by_rows: bool, beta: float
) -> None:
    weights = data.draw(weighted(table.shape[1]))
    votes = (listed if sparse else votes_of)(table)
    with pytest.MonkeyPatch.context() as patch:
        if by_rows:
            patch.setattr(gram_module, "_few", lambda *_: False)
        gram = gram_of(votes)
    if by_rows and not votes.complete and len(votes):
        assert gram.rows is not None
        assert not gram.blocks
    found = consensus_of(gram, weights, beta)
    chance, figures = by_definition(table, weights, beta)
    np.testing.assert_allclose(item_probability(votes, weights), chance, **close)
    precision, recall, f, possible = figures
    np.testing.assert_allclose(found.precision, precision[:-1], **close)
    np.testing.assert_allclose(found.recall, recall[:-1], **close)
    np.testing.assert_allclose(found.f, f[:-1], **close)
    for value, expected in zip(found.top, figures[:3, -1], strict=True):
        assert value == (None if np.isnan(expected) else pytest.approx(expected, rel=1e-12))
    assert found.undefined_items == np.isnan(chance).sum()
    if len(table) and np.isnan(chance).all():
        assert found.expected_relevant is None
    else:
        assert found.expected_relevant == pytest.approx(possible[-1], rel=1e-12)


@settings(deadline=None, max_examples=40)
@given(any_tables, st.integers(0, 2**32 - 1), st.booleans())
def test_an_oracle_with_all_the_weight_is_truth(
    table: Floats, seed: int, partly_known: bool
) -> None:
    truth = np.random.default_rng(seed).choice(UNKNOWN if partly_known else BINARY, len(table))
    systems = table.shape[1]
    gram = gram_of(votes_of(np.column_stack([table, truth])))
    of_truth = figures_with_truth(votes_of(table), truth)
    as_system = consensus_of(gram, Weights(np.append(np.zeros(systems), 1.0)))
    as_oracle = consensus_of(gram, Weights(np.zeros(systems), oracle=1.0))
    for found in (as_system, as_oracle):
        for name, exact in zip(("precision", "recall", "f"), of_truth, strict=True):
            assert np.array_equal(getattr(found, name)[:-1], exact, equal_nan=True)  # exactly
        assert found.undefined_items == np.isnan(truth).sum()


def test_ordinary_precision_and_recall_by_hand() -> None:
    table = np.array([[1, np.nan], [1, 1], [0, 0], [0, np.nan]])
    precision, recall, f = figures_with_truth(votes_of(table), [1, 0, 1, np.nan])
    assert precision.tolist() == [0.5, 0.0]
    assert recall.tolist() == [0.5, 0.0]  # b has seen one relevant item, a two
    assert f.tolist() == [0.5, 0.0]
    with pytest.raises(ValueError, match="for 4 items"):
        figures_with_truth(votes_of(table), [1, 0])


def test_unknown_votes_leave_their_weight_to_the_others() -> None:
    votes = votes_of(np.array([[1, np.nan, 0.0]]))
    assert item_probability(votes, Weights(np.array([2.0, 5.0, 1.0]))).tolist() == [2 / 3]
    assert item_probability(votes, uniform_weights(3)).tolist() == [2 / 4]


def test_crowds_have_the_same_figures_from_rows_as_from_matrices() -> None:
    random = np.random.default_rng(3)
    table = np.where(random.random((4000, 60)) < 0.1, random.random((4000, 60)) < 0.6, np.nan)
    votes, weights = votes_of(table), Weights(random.random(60), 0.3, 0.1)
    gram = gram_of(votes)
    assert gram.rows is not None  # some 4000 patterns of 61² numbers
    found = consensus_of(gram, weights)
    figures = by_definition(table, weights)[1]
    np.testing.assert_allclose(found.f, figures[2, :-1], rtol=1e-12)
    parts = gram_of(votes.take(np.arange(1000))) + gram_of(votes.take(np.arange(1000, 4000)))
    np.testing.assert_allclose(consensus_of(parts, weights).f, found.f, rtol=1e-12)
    group = np.array([5, 3, 20])
    alone = consensus_of(gram.only(group), uniform_weights(3))
    np.testing.assert_allclose(
        alone.f, by_definition(table[:, group], uniform_weights(3))[1][2, :-1]
    )


def test_only_proportions_of_weights_matter() -> None:
    gram = gram_of(votes_of(TABLE))
    once = consensus_of(gram, Weights(np.array([1.0, 2, 3]), 1, 1))
    again = consensus_of(gram, Weights(np.array([10.0, 20, 30]), 10, 10))
    np.testing.assert_allclose(once.f, again.f, **close)
    assert once.weights.total == pytest.approx(1)


def test_vote_share_is_the_share_of_systems() -> None:
    chance = item_probability(votes_of(TABLE), vote_share_weights(3), [0, 2, 6])
    np.testing.assert_allclose(chance, [1, 1 / 3, 0], **close)


def test_a_system_that_votes_for_nothing_has_no_precision_and_no_recall() -> None:
    found = consensus_of(gram_of(votes_of(np.array([[0.0, 1], [0, 1]]))), uniform_weights(2))
    assert np.isnan(found.precision[0])
    assert found.recall[0] == found.f[0] == 0
    assert found.rank.tolist() == [2, 1]


def test_nothing_is_defined_where_nothing_is_relevant() -> None:
    found = consensus_of(gram_of(votes_of(np.zeros((3, 2)))), vote_share_weights(2))
    assert np.isnan([found.precision, found.recall, found.f]).all()
    assert found.expected_relevant == 0
    assert (found.top.precision, found.top.recall, found.top.f) == (0, None, 0)
    assert found.bottom == (None, None, None)
    assert found.rank.tolist() == [1, 1]


@pytest.mark.parametrize("shape", [(0, 3), (4, 0), (0, 0)])
def test_no_items_or_no_systems(shape: tuple[int, int]) -> None:
    votes = votes_of(np.zeros(shape))
    found = consensus_of(gram_of(votes), uniform_weights(shape[1]))
    assert len(found.precision) == len(found.rank) == shape[1]
    assert np.isnan(found.recall).all()
    assert found.expected_relevant == pytest.approx(shape[0] / 2)  # ⊤ says yes, ⊥ says no
    assert found.top.recall == (1 if shape[0] else None)
    assert item_probability(votes, uniform_weights(shape[1])).shape == (shape[0],)
    assert figures_with_truth(votes, np.ones(shape[0]))[0].shape == (shape[1],)


def test_everything_is_undefined_without_any_weight() -> None:
    found = consensus_of(gram_of(votes_of(TABLE)), Weights(np.zeros(3)))
    assert np.isnan([found.precision, found.recall, found.f]).all()
    assert found.expected_relevant is None
    assert found.top == found.bottom == (None, None, None)
    assert found.undefined_items == 7
    assert found.weights.total == 0


def test_items_without_any_known_vote_are_left_out_unless_top_and_bottom_count() -> None:
    votes = votes_of(np.full((4, 2), np.nan))
    without = consensus_of(gram_of(votes), vote_share_weights(2))
    assert without.expected_relevant is None
    assert np.isnan(without.recall).all()
    counted = consensus_of(gram_of(votes), uniform_weights(2))
    assert counted.expected_relevant == pytest.approx(2)
    assert np.isnan(counted.recall).all()  # the systems have seen none of them


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf])
def test_weights_are_numbers_from_0(bad: float) -> None:
    for weights in (
        {"systems": [bad]},
        {"systems": [1], "top": bad},
        {"systems": [1], "oracle": bad},
    ):
        with pytest.raises(ValueError, match="negative or not a number"):
            Weights(**weights)  # type: ignore[arg-type]


def test_weights_have_to_fit_the_systems() -> None:
    gram = gram_of(Votes.of(TABLE, names(3)))
    for weights in (uniform_weights(4), uniform_weights(1), Weights(np.ones(3), oracle=1.0)):
        with pytest.raises(ValueError, match="for the votes of 3 systems"):
            consensus_of(gram, weights)
    assert consensus_of(gram, uniform_weights(2)).precision.shape == (
        3,
    )  # an oracle without weight
