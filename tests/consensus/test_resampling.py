"""Items drawn in blocks: the same figures and spread as item by item, also for rare votes."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

from spotlab.consensus import comparison
from spotlab.consensus.comparison import bootstrap
from spotlab.consensus.precision import figures_with_truth, item_probability, vote_share_weights
from spotlab.consensus.votes import Votes


def many(items: int, unknown: float = 0.0) -> Votes:
    """Votes whose rows nearly all differ; the last system votes for a handful of items."""
    rng = np.random.default_rng(0)
    right = rng.random((items, 1)) < 0.4
    rows = (rng.random((items, 20)) < np.where(right, 0.7, 0.3)).astype(float)
    rows[:, -1] = 0
    rows[rng.choice(items, 6, replace=False), -1] = 1
    rows[rng.random(rows.shape) < unknown] = np.nan
    return Votes.of(rows, [f"s{number}" for number in range(20)])


@pytest.mark.parametrize("unknown", [0.0, 0.2])
def test_blocks_spread_as_items_do(unknown: float) -> None:
    votes, weights = many(4000, unknown), vote_share_weights(20)
    one_by_one = bootstrap(votes, weights, 1500, 1)
    with mock.patch.object(comparison, "BLOCKS", 1500):
        blocks = bootstrap(votes, weights, 1500, 1)
    expected = figures_with_truth(votes, item_probability(votes, weights))
    for name, figure in zip(("precision", "recall", "f"), expected, strict=True):
        ends, others = getattr(one_by_one, name), getattr(blocks, name)
        assert ((others[:, 0] <= figure) & (figure <= others[:, 1])).all()
        width, other = np.diff(ends)[:, 0], np.diff(others)[:, 0]
        assert other == pytest.approx(width, rel=0.2)
        assert other.mean() == pytest.approx(width.mean(), rel=0.05)


def test_every_draw_of_blocks_has_as_many_items_and_the_seed_decides() -> None:
    votes, weights = many(3000), vote_share_weights(20)
    with mock.patch.object(comparison, "BLOCKS", 1000):
        once, again, other = (
            np.concatenate([part[1] for _, part in comparison.draw_items(votes, weights, 40, seed)])
            for seed in (3, 3, 4)
        )
    np.testing.assert_array_equal(once, again)
    assert (once != other).any()
    assert once.shape == (40, 20)
    assert once.mean(axis=0)[:19] == pytest.approx(votes.counts_for[:19], rel=0.02)
