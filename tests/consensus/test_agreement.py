"""Agreement between systems, and figures with intervals from probabilities of relevance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from spotlab.consensus.agreement import measure_agreement
from spotlab.consensus.precision import estimate, figures_with_truth
from spotlab.consensus.votes import Votes


def votes_of(array: object) -> Votes:
    array = np.asarray(array, float)
    return Votes.of(array, [f"s{index}" for index in range(array.shape[1])])


@pytest.mark.parametrize("values", [[0.0, 1.0], [0.0, 1.0, np.nan], [0.0, 0.3, 0.5, 1.0, np.nan]])
def test_phi_is_the_correlation_over_shared_items(values: list[float]) -> None:
    rows = np.random.default_rng(0).choice(values, (50, 5))
    found = measure_agreement(votes_of(rows))
    rows = rows.astype(np.float32).astype(float)
    for one in range(5):
        for other in range(5):
            shared = ~np.isnan(rows[:, one]) & ~np.isnan(rows[:, other])
            x, y = rows[shared, one], rows[shared, other]
            assert found.both[one, other] == shared.sum()
            assert found.phi[one, other] == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-6)
            either = (x * x).sum() + (y * y).sum() - (x * y).sum()
            assert found.jaccard[one, other] == pytest.approx((x * y).sum() / either, abs=1e-6)


def test_listed_votes_agree_like_any_others() -> None:
    rng = np.random.default_rng(1)
    rows = np.where(rng.random((300, 40)) < 0.08, rng.integers(0, 2, (300, 40)), np.nan)
    item, system = np.nonzero(~np.isnan(rows))
    names = [f"s{index}" for index in range(40)]
    listed = measure_agreement(Votes.sparse(item, system, 300, names, rows[item, system]))
    plain = measure_agreement(Votes.of(rows, names))
    assert np.allclose(listed.phi, plain.phi, equal_nan=True)
    assert np.allclose(listed.jaccard, plain.jaccard, equal_nan=True)


def test_what_cannot_be_told_is_undefined() -> None:
    rows = [[1, 0, np.nan, 1], [1, 0, np.nan, 0], [1, 0, 1, 1], [1, 0, 0, 0], [1, 0, 1, 1]]
    found = measure_agreement(votes_of(rows))
    assert np.isnan(found.phi[0, 1:]).all()  # always yes
    assert np.isnan(found.phi[2, 3])  # three shared items are too few
    assert np.diag(found.phi).tolist() == [1.0] * 4
    assert np.isnan(found.jaccard[1, 1]) and found.jaccard[0, 1] == 0.0


def test_those_who_agree_stand_side_by_side() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.integers(0, 2, (2, 200, 1))
    noise = rng.random((200, 8)) < 0.1
    rows = np.where(np.arange(8) % 2 == 0, first, second) ^ noise
    order = measure_agreement(votes_of(rows)).order
    assert sorted(order.tolist()) == list(range(8))
    assert len(set(order[:4] % 2)) == 1


@pytest.mark.parametrize("systems", [0, 1, 2])
def test_few_systems_have_an_order_too(systems: int) -> None:
    found = measure_agreement(votes_of(np.ones((6, systems))))
    assert found.order.tolist() == list(range(systems))
    assert found.tree.shape == (max(systems - 1, 0), 4)


def test_figures_are_those_of_truth_where_it_is_certain() -> None:
    rng = np.random.default_rng(3)
    rows = rng.choice([0.0, 1.0, np.nan], (200, 4))
    truth = rng.choice([0.0, 1.0, np.nan], 200, p=[0.4, 0.4, 0.2])
    votes = votes_of(rows)
    found = estimate(votes, truth, "")
    for got, expected in zip(
        (found.precision, found.recall, found.f), figures_with_truth(votes, truth), strict=True
    ):
        assert got == pytest.approx(expected)


def test_intervals_hold_the_figure_of_all_items() -> None:
    """Samples of 150 items with probabilities that are right: 95 % of 3 × 4 × 200 intervals."""
    rng = np.random.default_rng(4)
    held = []
    accuracy = np.array([0.65, 0.75, 0.85, 0.95])
    # in the limit, for items relevant with .2, .5 or .9 and votes drawn given relevance
    chance = rng.choice([0.2, 0.5, 0.9], 400_000)
    relevant = rng.random(400_000) < chance
    rows = np.where(rng.random((400_000, 4)) < accuracy, relevant[:, None], ~relevant[:, None])
    yes = chance[:, None] * np.where(rows, accuracy, 1 - accuracy).prod(1, keepdims=True)
    no = (1 - chance[:, None]) * np.where(rows, 1 - accuracy, accuracy).prod(1, keepdims=True)
    p = (yes / (yes + no))[:, 0]
    limit = estimate(votes_of(rows), p, "")
    for draw in np.array_split(rng.permutation(30_000), 200):
        found = estimate(votes_of(rows[draw]), relevant[draw].astype(float), "", shared=0.0)
        for interval, figure in (
            (found.precision_interval, limit.precision),
            (found.recall_interval, limit.recall),
            (found.f_interval, limit.f),
        ):
            held.append((interval[:, 0] <= figure) & (figure <= interval[:, 1]))
    assert 0.94 <= np.mean(held) <= 0.98


@pytest.mark.parametrize("p", [5e-324, 1e-310, 1e-200, 1e-160])
def test_hardly_any_probability_says_nothing(p: float) -> None:
    found = estimate(Votes.of([[1], [0]], ["a"]), [p, p], "")
    assert found.recall.tolist() == [0.5]
    for interval in (found.precision_interval, found.recall_interval, found.f_interval):
        assert not np.isnan(interval).any()
    np.testing.assert_allclose(found.recall_interval, [[0, 1]], atol=1e-12)


@given(
    arrays(float, (12, 3), elements=st.sampled_from([0.0, 0.5, 1.0, np.nan])),
    arrays(float, 12, elements=st.floats(0, 1)),
)
def test_figures_stay_between_their_ends(rows: np.ndarray, p: np.ndarray) -> None:
    found = estimate(votes_of(rows), p, "")
    for figure, interval in (
        (found.precision, found.precision_interval),
        (found.recall, found.recall_interval),
        (found.f, found.f_interval),
    ):
        defined = ~np.isnan(figure)
        ends = interval[defined]
        assert not np.isnan(ends).any()
        assert (ends[:, 0] <= figure[defined] + 1e-9).all()
        assert (figure[defined] <= ends[:, 1] + 1e-9).all()
        assert np.isnan(interval[~defined]).all()
