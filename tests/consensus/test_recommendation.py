"""One recommended estimate: which, why, and when answers are asked for first."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.arrays import Floats
from spotlab.consensus.agreement import Groups, declared_groups, find_groups
from spotlab.consensus.comparison import (
    SystemFigures,
    SystemIntervals,
    describe_pool,
    recommend,
)
from spotlab.consensus.methods.of_votes import majority_probability
from spotlab.consensus.votes import Votes
from spotlab.formats.votes import VoteTable
from spotlab.lab.draw.contest import THREE_ENGINES, ContestEngine, simulate_contest
from spotlab.studies.systems.comparison import compare_systems


def judged(items: int, systems: int, seed: int = 0) -> tuple[Votes, Floats]:
    """Independent systems that judge given items, and the truth."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(items) < 0.4).astype(float)
    right = rng.random((items, systems)) < rng.uniform(0.6, 0.95, systems)
    return Votes.of(np.where(right, truth[:, None], 1 - truth[:, None]), names(systems)), truth


def names(systems: int) -> list[str]:
    return [f"s{number}" for number in range(systems)]


def alone(votes: Votes) -> Groups:
    return declared_groups(votes.systems, votes.systems)


def figures(*f: float) -> SystemFigures:
    return SystemFigures(*[np.array(f)] * 3)


def test_the_pool_is_counted_as_it_is() -> None:
    rows = [[1, 0, 0], [0, 1, np.nan], [1, 1, 0], [0, 0, 0], [np.nan, np.nan, np.nan]]
    pool = describe_pool(Votes.of(rows, "abc"))
    assert (pool.systems, pool.items, pool.votes_per_item) == (3, 5, 11 / 5)
    assert (pool.unwanted, pool.single) == (2 / 5, 2 / 5)
    assert not pool.pooled
    assert np.isnan(describe_pool(Votes.of(np.empty((0, 2)), "ab")).single)


def test_voters_on_given_items_are_weighed_by_how_often_they_are_right() -> None:
    votes, _ = judged(200, 7)
    found = recommend(votes, alone(votes))
    assert found.method == "shared_errors" and "7.0 votes per item" in found.reason
    assert "paper" in found.alternatives and found.method not in found.alternatives


@pytest.mark.parametrize(("items", "systems"), [(200, 2), (29, 7), (0, 3)])
def test_with_too_little_to_learn_from_it_is_the_share_and_answers(
    items: int, systems: int
) -> None:
    votes, _ = judged(items, systems)
    found = recommend(votes, alone(votes))
    assert (found.method, found.answer_items) == ("share", min(50, items))


def test_engines_that_most_systems_share_have_one_opinion_each() -> None:
    votes = simulate_contest(THREE_ENGINES, seed=1).votes
    found = recommend(votes, find_groups(votes))
    assert found.method == "grouped_latent_class" and "24 of 24 systems" in found.reason


def test_where_some_share_an_engine_each_is_judged_by_others() -> None:
    engines = [ContestEngine("twins", 4, 0.65, 0.9)]
    engines += [ContestEngine(name, 1, 0.75, 0.2) for name in "abcdef"]
    votes = simulate_contest(engines, seed=0).votes
    groups = find_groups(votes)
    assert groups.sizes.max() == 4
    assert recommend(votes, groups).method == "leave_group_out"
    assert recommend(votes, alone(votes)).method == "shared_errors"  # declared to share nothing


def test_two_groups_cannot_be_told_apart_so_answers_come_first() -> None:
    votes = simulate_contest(seed=0).votes
    groups = declared_groups(votes.systems, [name.split()[0] for name in votes.systems])
    found = recommend(votes, groups)
    assert (found.method, found.answer_items) == ("share", 50)
    assert found.headline.startswith("Answer 50 items")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ((0.4, 0.5, 0.6, 0.7), ""),
        ((0.42, 0.53, 0.6, 0.74), ""),
        ((0.42, 0.6, 0.53, 0.74), "τ down to 0.67"),
        ((0.6, 0.7, 0.8, 0.9), "by up to 0.20"),
        ((np.nan,) * 4, ""),
    ],
)
def test_methods_disagree_by_order_or_by_figures(other: tuple[float, ...], said: str) -> None:
    votes, _ = judged(200, 4)
    every = {"dawid_skene": figures(0.4, 0.5, 0.6, 0.7), "majority": figures(*other)}
    found = recommend(votes, alone(votes), {**every, "paper": figures(0.7, 0.6, 0.5, 0.4)})
    assert said in found.disagreement and bool(said) == bool(found.answer_items)
    assert bool(found.disagreement) == bool(found.headline)


def test_answers_are_advised_where_the_interval_is_wide() -> None:
    votes, _ = judged(200, 4)
    for half, asked in ((0.2, 50), (0.05, 0)):
        ends = np.tile([0.5 - half, 0.5 + half], (4, 1))
        known = {"shared_errors": SystemIntervals(ends, ends, ends)}
        found = recommend(votes, alone(votes), intervals=known)
        assert (found.answer_items, "±0.20" in found.headline) == (asked, bool(asked))


def test_enough_answers_decide() -> None:
    votes, _ = judged(200, 4)
    assert recommend(votes, alone(votes), answers=19).method == "shared_errors"
    assert recommend(votes, alone(votes), answers=20).method == "answers"


def test_the_majority_is_more_than_half_of_those_who_voted() -> None:
    rng = np.random.default_rng(3)
    rows = rng.choice([0.0, 1.0, np.nan], (300, 6))
    expected = [
        np.nan if not (row >= 0).any() else np.sign(np.nanmean(row) - 0.5) / 2 + 0.5 for row in rows
    ]
    np.testing.assert_array_equal(majority_probability(Votes.of(rows, names(6))), expected)


def test_the_study_has_the_recommended_estimate_also_where_other_methods_are_asked_for() -> None:
    votes, truth = judged(300, 9)
    table = VoteTable(votes, tuple(map(str, range(300))), truth=truth)
    found = compare_systems(table, methods=["paper"])
    assert [each.name for each in found.methods] == ["paper"] and found.main.name == "paper"
    assert found.recommended.name == found.recommendation.method == "shared_errors"
    assert found.recommended.nearness is not None and found.recommended.nearness.kendall > 0.9
    assert found.main.nearness is not None
    assert found.recommended.nearness.recall_error < found.main.nearness.recall_error
