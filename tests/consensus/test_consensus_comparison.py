from __future__ import annotations

import numpy as np
import pytest

from spotlab.consensus.comparison import (
    Bootstrap,
    SystemIntervals,
    bootstrap,
    kendall,
    spearman,
)
from spotlab.consensus.precision import Weights, consensus_of, gram_of, uniform_weights
from spotlab.consensus.votes import Votes
from spotlab.errors import Cancelled
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


def by_counting_again(votes: Votes, weights: Weights, draws: int, page: np.ndarray) -> Bootstrap:
    """The same from votes that are drawn and counted anew every time."""
    random = np.random.default_rng(99)
    pages = np.unique(page)
    found = np.empty((draws, 3, len(votes.systems)))
    for draw in range(draws):
        chosen = random.choice(pages, len(pages))
        items = np.concatenate([np.flatnonzero(page == one) for one in chosen])
        figures = consensus_of(gram_of(votes.take(items)), weights)
        found[draw] = figures.precision, figures.recall, figures.f
    ends = np.nanquantile(found, [0.025, 0.975], axis=0)  # (2, 3, S)
    return Bootstrap(votes.systems, *ends.transpose(1, 2, 0), "", draws, 0.95)


@pytest.mark.slow
@pytest.mark.parametrize("by_page", [False, True])
@pytest.mark.parametrize("values", [BINARY, UNKNOWN, SOFT])
@pytest.mark.parametrize("sparse", [False, True])
def test_draws_are_those_of_counting_again(
    values: tuple[float, ...], by_page: bool, sparse: bool
) -> None:
    random = np.random.default_rng(5)
    table = random.choice(values, (120, 4))
    table[:, 0] = np.where(random.random(120) < 0.6, table[:, 1], table[:, 0])
    votes = (listed if sparse else votes_of)(table)
    weights = Weights(np.array([1.0, 2, 1, 0.5]), 1, 1)
    page = np.arange(120) // (5 if by_page else 1)
    found = bootstrap(votes, weights, 2000, 1, page if by_page else None)
    expected = by_counting_again(votes, weights, 500, page)
    for name in ("precision", "recall", "f"):
        assert np.abs(getattr(found, name) - getattr(expected, name)).max() < 0.03, name


def test_intervals_hold_the_figures_and_the_same_seed_gives_the_same() -> None:
    votes = Votes.of(np.tile(TABLE, (30, 1)), names(3))
    found = consensus_of(gram_of(votes), uniform_weights(3))
    once, again = (bootstrap(votes, uniform_weights(3), 300, 7) for _ in range(2))
    for name in ("precision", "recall", "f"):
        ends = getattr(once, name)
        assert (ends[:, 0] < getattr(found, name)).all()
        assert (getattr(found, name) < ends[:, 1]).all()
        assert np.array_equal(ends, getattr(again, name))
    other = bootstrap(votes, uniform_weights(3), 300, 8)
    assert not np.array_equal(once.f, other.f)


def test_one_of_two_is_better_by_how_far_their_intervals_lie_apart() -> None:
    f = np.array([0.5, 0.7, 0.7, np.nan])
    ends = np.stack([f - 0.098, f + 0.098], axis=1)  # 1.96 standard errors of .05
    found = SystemIntervals(ends, ends, ends).superiority(f)
    assert found[1, 0] == pytest.approx(0.99766, abs=1e-4)  # Φ(.2 / (.05 √2)), by a table
    assert found[1, 2] == 0.5 and (np.diag(found)[:3] == 0.5).all()
    np.testing.assert_allclose((found + found.T)[:3, :3], 1)
    assert np.isnan(found[3]).all()


def test_the_caption_says_what_it_rests_on() -> None:
    votes = votes_of(TABLE)
    over_items = bootstrap(votes, uniform_weights(3), 1000).assumption
    assert "1,000 draws of items" in over_items
    assert "independent" in over_items
    assert "pages" in bootstrap(votes, uniform_weights(3), 9, page=np.arange(7)).assumption


def test_pages_may_have_names() -> None:
    votes = Votes.of(np.tile(TABLE, (4, 1)), names(3))
    by_name = bootstrap(votes, uniform_weights(3), 50, page=np.repeat(["a", "b", "c", "d"], 7))
    by_number = bootstrap(votes, uniform_weights(3), 50, page=np.repeat([0, 1, 2, 3], 7))
    assert np.array_equal(by_name.f, by_number.f)
    assert np.ptp(by_name.f, axis=1).max() < 1e-12  # all pages are the same
    with pytest.raises(ValueError, match="28 items"):
        bootstrap(votes, uniform_weights(3), page=[1, 2])


@pytest.mark.parametrize("page", [None, []])
def test_without_items_nothing_is_defined(page: list[int] | None) -> None:
    found = bootstrap(votes_of(np.zeros((0, 2))), uniform_weights(2), 10, page=page)
    assert np.isnan(found.f).all()


def test_without_weight_nothing_is_defined() -> None:
    found = bootstrap(votes_of(TABLE), Weights(np.zeros(3)), 10)
    assert np.isnan(found.f).all()


def test_drawing_can_be_stopped() -> None:
    def stop(*_: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        bootstrap(votes_of(TABLE), uniform_weights(3), progress=stop)
