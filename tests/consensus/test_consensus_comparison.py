from __future__ import annotations

import numpy as np
import pytest

from spotlab.consensus.comparison import (
    SystemIntervals,
    kendall,
    spearman,
)
from spotlab.consensus.method import estimate_by_weights
from spotlab.consensus.precision import Weights, estimate, gram_of, item_probability
from spotlab.consensus.votes import Votes
from tests.consensus.consensus_cases import BINARY, SOFT, TABLE, UNKNOWN, listed, names, votes_of


def test_kendall_by_hand() -> None:
    # 1-2, 1-3, 1-4 agree; 2-3 is tied in the second; 2-4, 3-4 agree: 5 / √(6·5)
    assert kendall([1, 2, 3, 4], [1, 2, 2, 5]) == pytest.approx(5 / np.sqrt(30))
    assert kendall([3, 2, 1], [1, 2, 3]) == pytest.approx(-1)


def test_spearman_by_hand() -> None:
    assert spearman([10, 20, 30, 40], [1, 3, 2, 4]) == pytest.approx(1 - 6 * 2 / (4 * 15))


@pytest.mark.parametrize("measure", [kendall, spearman])
def test_orders_of_too_little_are_undefined(measure: object) -> None:
    assert callable(measure)
    assert measure([], []) is None
    assert measure([1], [1]) is None
    assert measure([1, 2], [3, 3]) is None
    assert measure([1, np.nan, 3], [np.nan, 2, 3]) is None
    assert measure([1, np.nan, 3], [1, 7, 3]) == pytest.approx(1)


@pytest.mark.parametrize("values", [BINARY, UNKNOWN, SOFT])
@pytest.mark.parametrize("sparse", [False, True])
def test_intervals_by_weights_are_those_by_the_probabilities_of_items(
    values: tuple[float, ...], sparse: bool
) -> None:
    table = np.random.default_rng(5).choice(values, (120, 4))
    votes = (listed if sparse else votes_of)(table)
    weights = Weights(np.array([1.0, 2, 1, 0.5]), 1, 1)
    found = estimate_by_weights(gram_of(votes), weights, shared=0.1)
    expected = estimate(votes, item_probability(votes, weights), "", 0.1)
    assert found.intervals is not None
    np.testing.assert_allclose(found.intervals.precision, expected.precision_interval, atol=1e-6)
    np.testing.assert_allclose(found.intervals.recall, expected.recall_interval, atol=1e-6)
    np.testing.assert_allclose(found.intervals.f, expected.f_interval, atol=1e-6)
    assert np.isnan(estimate_by_weights(gram_of(votes), weights, 2.0).intervals.f).all()


def test_an_oracle_shares_no_errors() -> None:
    votes = Votes.of(np.tile(TABLE, (30, 1)), names(3))
    halves = [
        estimate_by_weights(gram_of(votes), Weights(np.array([1.0, 1, weight])), systems=[0, 1])
        for weight in (0, 1, 1e9)
    ]
    widths = [np.ptp(each.intervals.f, axis=1).mean() for each in halves]
    assert widths[0] > widths[1] > widths[2] > 0


def test_one_of_two_is_better_by_how_far_their_intervals_lie_apart() -> None:
    f = np.array([0.5, 0.7, 0.7, np.nan])
    ends = np.stack([f - 0.098, f + 0.098], axis=1)  # 1.96 standard errors of .05
    found = SystemIntervals(ends, ends, ends).superiority(f)
    assert found[1, 0] == pytest.approx(0.99766, abs=1e-4)  # Φ(.2 / (.05 √2)), by a table
    assert found[1, 2] == 0.5 and (np.diag(found)[:3] == 0.5).all()
    np.testing.assert_allclose((found + found.T)[:3, :3], 1)
    assert np.isnan(found[3]).all()


def test_without_weight_no_interval_is_defined() -> None:
    found = estimate_by_weights(gram_of(votes_of(TABLE)), Weights(np.zeros(3)))
    assert np.isnan(found.intervals.f).all()
