"""Systems' accuracies learnt from their agreement: by hand, by brute force, on simulated truth."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from spotlab.consensus.accuracy import dawid_skene, find_patterns
from spotlab.consensus.votes import Votes


def votes_of(array: object) -> Votes:
    array = np.asarray(array, float)
    return Votes.of(array, [f"s{index}" for index in range(array.shape[1])])


def simulated(
    items: int, systems: int, seed: int, known: float = 1.0
) -> tuple[Votes, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = (rng.random(items) < 0.3).astype(float)
    sensitivity, specificity = rng.uniform(0.6, 0.95, (2, systems))
    yes = np.where(truth[:, None] == 1, sensitivity, 1 - specificity)
    votes = (rng.random((items, systems)) < yes).astype(float)
    votes[rng.random(votes.shape) >= known] = np.nan
    return votes_of(votes), truth, sensitivity, specificity


def posterior(votes: np.ndarray, sensitivity, specificity, prevalence: float) -> float:
    """That an item is relevant, multiplied out vote by vote."""
    yes, no = prevalence, 1 - prevalence
    for vote, right, refused in zip(votes, sensitivity, specificity, strict=True):
        if not np.isnan(vote):
            yes *= right if vote else 1 - right
            no *= 1 - refused if vote else refused
    return yes / (yes + no)


def test_two_items_by_hand_after_one_round() -> None:
    """All say yes to the first item and no to the second; counted by hand from Beta(2, 1)."""
    found = dawid_skene(votes_of([[1, 1], [0, 0]]), max_iterations=1)
    right = (0.99 + 2) / (1 + 3)  # the first guess is .99 and .01
    odds = (right / (1 - right)) ** 2
    assert found.probability == pytest.approx([odds / (1 + odds), 1 / (1 + odds)])
    assert found.prevalence == pytest.approx(0.5)
    assert not found.converged


def test_two_items_and_a_vote_that_is_unknown() -> None:
    found = dawid_skene(votes_of([[1, np.nan], [0, 0]]), max_iterations=1)
    first, second = (0.99 + 2) / (1 + 3), (0.99 + 2) / (0.99 + 3)  # the other never saw item 1
    odds = first / (1 - first)
    assert found.probability[0] == pytest.approx(odds / (1 + odds))
    against = (1 - first) / first * (1 - 2 / (0.01 + 3)) / second
    assert found.probability[1] == pytest.approx(against / (1 + against))


@pytest.mark.parametrize("known", [1.0, 0.6])
def test_it_stands_still_where_both_halves_agree(known: float) -> None:
    """The probabilities follow from the accuracies by Bayes, the accuracies from them by counts."""
    votes, *_ = simulated(60, 5, 3, known)
    found = dawid_skene(votes, tolerance=1e-12, max_iterations=3000)
    assert found.converged
    rows, p = votes.dense(), found.probability
    seen = ~np.isnan(rows)
    yes = np.nan_to_num(rows)
    right = (yes * p[:, None]).sum(0)
    refused = (seen * (1 - yes) * (1 - p[:, None])).sum(0)
    relevant, other = (seen * p[:, None]).sum(0), (seen * (1 - p[:, None])).sum(0)
    assert found.specificity == pytest.approx((refused + 2) / (other + 3))
    assert found.sensitivity == pytest.approx((right + 2) / (relevant + 3))
    prevalence = (p.sum() + 1) / (len(p) + 2)
    for row, probability in zip(rows, p, strict=True):
        by_hand = posterior(row, found.sensitivity, found.specificity, prevalence)
        assert probability == pytest.approx(by_hand, abs=1e-9)


def test_what_was_simulated_is_found_again() -> None:
    votes, truth, sensitivity, specificity = simulated(4000, 9, 0)
    found = dawid_skene(votes)
    assert np.abs(found.sensitivity - sensitivity).max() < 0.05
    assert np.abs(found.specificity - specificity).max() < 0.05
    assert ((found.probability > 0.5) == truth).mean() > 0.97
    assert found.prevalence == pytest.approx(truth.mean(), abs=0.02)


def test_patterns_and_single_rows_say_the_same() -> None:
    """Soft votes are not brought together; made of yes and no they have to agree."""
    votes, *_ = simulated(300, 4, 2, known=0.8)
    assert len(find_patterns(votes).count) <= 3**4
    wide = np.column_stack([votes.dense(), np.full((300, 40), np.nan)])  # too many systems
    single = votes_of(wide)
    assert len(find_patterns(single).count) == 300
    thin = dawid_skene(single)
    assert thin.probability == pytest.approx(dawid_skene(votes).probability, abs=1e-9)
    assert np.isnan(thin.sensitivity[4:]).all() and not np.isnan(thin.sensitivity[:4]).any()


def test_patterns_hold_every_item() -> None:
    rows = np.array(list(itertools.product([0.0, 1.0, np.nan], repeat=3)))
    votes = votes_of(np.concatenate([rows, rows[::-1]]))
    found = find_patterns(votes, np.array([0, 30]))
    assert len(found.count) == 27 + 2 and found.count.sum() == 54
    back = np.where(found.known[found.of_item] == 1, found.yes[found.of_item], np.nan)
    assert np.array_equal(back, votes.dense(), equal_nan=True)


def test_one_system_is_believed_in_part() -> None:
    found = dawid_skene(votes_of([[1], [1], [0]]))
    assert 0.5 < found.probability[0] <= 1 and found.probability[2] < 0.5
    assert 0.5 < found.sensitivity[0] < 1


@pytest.mark.parametrize("vote", [0, 1])
def test_unanimous_votes_are_believed(vote: int) -> None:
    found = dawid_skene(votes_of(np.full((20, 3), vote)))
    assert found.probability == pytest.approx(np.full(20, vote), abs=0.05)
    assert np.isfinite(found.sensitivity).all() and np.isfinite(found.specificity).all()


def test_nothing_is_known() -> None:
    found = dawid_skene(votes_of(np.full((5, 2), np.nan)))
    assert found.probability == pytest.approx(np.full(5, 0.5))
    assert np.isnan(found.sensitivity).all() and np.isnan(found.specificity).all()


def test_no_items() -> None:
    found = dawid_skene(Votes.of(np.empty((0, 2)), ["a", "b"]))
    assert len(found.probability) == 0 and np.isnan(found.prevalence)
