"""A few answers: chances that add up, weights without bias, calibration that helps, intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from scipy.stats import binom

from spotlab.consensus.accuracy import find_patterns
from spotlab.consensus.answers import (
    AnswerCalibration,
    Draw,
    KnownAnswers,
    estimate_with_answers,
    guess_relevance,
    inclusion_probabilities,
    next_items,
)
from spotlab.consensus.comparison import kendall
from spotlab.consensus.precision import counted_interval, figures_with_truth
from spotlab.consensus.votes import Votes
from spotlab.lab.draw.contest import simulate_contest


def votes_of(array: object) -> Votes:
    array = np.asarray(array, float)
    return Votes.of(array, [f"s{index}" for index in range(array.shape[1])])


def small(items: int = 60, seed: int = 0) -> tuple[Votes, np.ndarray, np.ndarray]:
    """Votes with some unknown, the truth, and the share of the votes."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(items) < 0.4).astype(float)
    rows = np.where(
        rng.random((items, 4)) < [0.9, 0.8, 0.7, 0.6], truth[:, None], 1 - truth[:, None]
    )
    rows[rng.random(rows.shape) < 0.1] = np.nan
    share = (np.nansum(rows, 1) + 0.5) / ((~np.isnan(rows)).sum(1) + 1)
    return votes_of(rows), truth, share


@given(
    st.lists(st.floats(0, 1000), min_size=1, max_size=30),
    st.integers(0, 40),
)
def test_chances_sum_to_what_is_drawn(importance: list[float], count: int) -> None:
    found = inclusion_probabilities(importance, count)
    assert found.sum() == pytest.approx(min(count, len(importance)))
    assert (found >= 0).all() and (found <= 1 + 1e-12).all()


def test_chances_are_in_proportion_until_they_are_certain() -> None:
    assert inclusion_probabilities([1, 2, 3, 4], 1) == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert inclusion_probabilities([1, 2, 3, 94], 2) == pytest.approx([1 / 6, 2 / 6, 3 / 6, 1])


def test_items_are_drawn_as_often_as_their_chance_says() -> None:
    votes, _, share = small()
    asked = np.array([0, 7])
    times, chance = np.zeros(60), np.zeros(60)
    for seed in range(2000):
        draw = next_items(votes, share, asked, 12, seed)
        assert len(set(draw.items.tolist())) == 12
        times[draw.items] += 1
        chance[draw.items] = draw.inclusion
    assert times[asked].tolist() == [0, 0] and (times > 0).sum() == 58
    assert chance.sum() == pytest.approx(12)
    assert np.abs(times / 2000 - chance).max() < 0.05


def test_disputed_items_are_drawn_more_often_and_no_item_is_left_out() -> None:
    votes = votes_of([[1, 1, 1]] * 50 + [[1, 0, 1]] * 10)
    everything = next_items(votes, [0.99] * 50 + [0.5] * 10, [], 59)
    least = next_items(votes, [0.99] * 50 + [0.5] * 10, [], 5)
    assert (everything.inclusion > 0.9).all()
    sure, disputed = least.items < 50, least.items >= 50
    assert disputed.any()
    assert (least.inclusion[sure] >= 5 * 0.2 / 60).all()
    assert least.inclusion[disputed].min() > 5 * least.inclusion[sure].max(initial=0.01)


def test_nothing_is_left_to_ask() -> None:
    votes, _, share = small()
    assert len(next_items(votes, share, np.arange(60), 5).items) == 0
    rest = next_items(votes, share, np.arange(57), 5)
    assert sorted(rest.items.tolist()) == [57, 58, 59] and rest.inclusion.tolist() == [1.0] * 3


def and_picked(answers: KnownAnswers, items: ArrayLike, relevant: ArrayLike) -> KnownAnswers:
    """These, and the answers to items that a person picked."""
    count = len(np.asarray(items))
    columns = (
        (answers.items, items),
        (answers.relevant, relevant),
        (answers.inclusion, np.full(count, np.nan)),
        (answers.round, np.full(count, answers.round.max(initial=-1))),
    )
    return KnownAnswers(*(np.concatenate(pair) for pair in columns))


@pytest.mark.slow
def test_weighted_sums_are_without_bias() -> None:
    """Over many draws, in two rounds and an item by hand, ΣyS and Σy come out right on average."""
    votes, truth, share = small()
    rows = votes.dense()
    yes, known = np.nan_to_num(rows).T @ truth, (~np.isnan(rows)).T @ truth
    sums = []
    for seed in range(1200):
        first = next_items(votes, share, [], 10, seed)
        answers = KnownAnswers.none().with_draw(first, truth[first.items])
        picked = np.setdiff1d([3, 11], first.items)
        answers = and_picked(answers, picked, truth[picked])
        second = next_items(votes, share, answers.items, 8, seed + 9999).first(5)
        answers = answers.with_draw(second, truth[second.items])
        weighted = answers.weights * answers.relevant
        asked = rows[answers.items]
        sums.append([np.nan_to_num(asked).T @ weighted, (~np.isnan(asked)).T @ weighted])
    mean, error = np.mean(sums, axis=0), np.std(sums, axis=0) / np.sqrt(1200)
    assert (np.abs(mean - [yes, known]) < 4 * error).all()
    assert (error < 0.04 * np.array([yes, known])).all()  # tight enough to notice a bias


def test_weighted_figures_are_those_sums_over_what_is_retrieved() -> None:
    votes, truth, share = small()
    draw = next_items(votes, share, [], 20, 1)
    answers = KnownAnswers.none().with_draw(draw, truth[draw.items])
    found = estimate_with_answers(votes, answers, calibrate=False)
    rows = votes.rows(draw.items)
    relevant = np.nan_to_num(rows).T @ (truth[draw.items] / draw.inclusion)
    assert found.precision == pytest.approx(relevant / votes.counts_for)
    assert np.isnan(found.probability).sum() == 40
    assert "nothing else" in found.assumption


def test_all_answered_is_truth_itself_without_doubt() -> None:
    votes, truth, _ = small()
    answers = and_picked(KnownAnswers.none(), np.arange(60), truth)
    found = estimate_with_answers(votes, answers)
    for figure, interval, expected in zip(
        (found.precision, found.recall, found.f),
        (found.precision_interval, found.recall_interval, found.f_interval),
        figures_with_truth(votes, truth),
        strict=True,
    ):
        assert figure == pytest.approx(expected)
        assert interval == pytest.approx(np.column_stack([expected, expected]))
    assert found.probability.tolist() == truth.tolist()


def test_calibration_minimises_what_it_says() -> None:
    """The penalised likelihood, minimised by scipy over all coefficients."""
    votes, truth, share = small()
    table = find_patterns(votes, np.arange(15))
    guess = np.bincount(table.of_item, share) / table.count
    model = AnswerCalibration.on(table, guess)
    rows, weights = table.of_item[:15], np.linspace(0.5, 1.5, 15)
    coefficients = model.fit(rows, truth[:15], weights, np.zeros((6, 0)))[:, 0]
    votes_15, odds = votes.rows(np.arange(15)), np.log(share / (1 - share))[:15]
    terms = np.nan_to_num(votes_15 - share[:15, None])

    def loss(b: np.ndarray) -> float:
        fit = odds + b[0] + b[1] * odds + terms @ b[2:]
        likelihood = weights @ (np.logaddexp(0, fit) - truth[:15] * fit)
        return likelihood + (0.01 * b[0] ** 2 + 0.1 * b[1] ** 2 + (b[2:] ** 2).sum()) / 2

    assert coefficients == pytest.approx(minimize(loss, np.zeros(6)).x, abs=1e-4)


def test_what_answers_do_not_tell_stays_as_wide_as_the_ridge() -> None:
    votes = votes_of([[1, 1, np.nan], [0, 0, np.nan]] * 5 + [[1, 0, 1]])
    table = find_patterns(votes, np.arange(10))
    model = AnswerCalibration.on(table, np.full(len(table.count), 0.5))
    draws = np.random.default_rng(0).normal(size=(5, 4000))
    found = model.fit(table.of_item[:10], np.array([1.0, 0] * 5), np.ones(10), draws)
    spread = found[:, 1:].std(axis=1)
    assert spread[4] == pytest.approx(1, abs=0.05)  # the third system was never asked about
    assert spread[2] < 0.9
    assert found[:, 1:].mean(axis=1) == pytest.approx(found[:, 0], abs=0.4)


def test_fifty_answers_repair_the_contest_and_their_intervals_hold() -> None:
    game = simulate_contest(seed=0)
    votes, truth = game.votes, game.truth
    share = (votes.dense().sum(1) + 0.5) / (len(votes.systems) + 1)
    expected = figures_with_truth(votes, truth)
    taus, held = [], []
    for seed in range(9):
        draw = next_items(votes, share, [], 50, seed)
        found = estimate_with_answers(votes, KnownAnswers.none().with_draw(draw, truth[draw.items]))
        taus.append(kendall(found.f, expected[2]))
        low, high = found.f_interval.T
        held.append((low <= expected[2]) & (expected[2] <= high))
    assert np.median(taus) >= 0.8
    assert np.mean(held) >= 0.85


def test_no_answers_say_so() -> None:
    votes, _, share = small()
    found = estimate_with_answers(votes, KnownAnswers.none(), share)
    assert found.probability == pytest.approx(share)
    assert "0 answers" in found.assumption and "figures are undefined" in found.assumption
    assert "more systems than answers" in found.assumption


@pytest.mark.parametrize("answered", [1, 9, 10, 19, 20])
def test_figures_and_then_intervals_are_undefined_until_there_are_enough_answers(
    answered: int,
) -> None:
    votes, truth, share = small()
    draw = next_items(votes, share, [], answered, 0)
    found = estimate_with_answers(votes, KnownAnswers.none().with_draw(draw, truth[draw.items]))
    defined, claimed = answered >= 10, answered >= 20
    for column in (found.precision, found.recall, found.f):
        assert np.isnan(column).any() == (not defined) == np.isnan(column).all()
    for ends in (found.precision_interval, found.recall_interval, found.f_interval):
        assert np.isnan(ends).any() == (not claimed) == np.isnan(ends).all()
    assert not np.isnan(found.probability).any()
    assert ("figures are undefined" in found.assumption) == (not defined)
    assert ("worse than without" in found.assumption) == (defined and not claimed)
    assert ("there are no intervals" in found.assumption) == (defined and not claimed)


def test_intervals_hold_where_systems_outnumber_answers() -> None:
    """Forty people who judge a few of many items each, some of them only two or three times yes."""
    rng = np.random.default_rng(5)
    truth = (rng.random(600) < 0.25).astype(float)
    right = rng.random((600, 40)) < rng.uniform(0.6, 0.97, 40)
    rows = np.where(right, truth[:, None], 1 - truth[:, None])
    rows[rng.random(rows.shape) > rng.uniform(0.02, 0.2, 40)] = np.nan
    votes, expected = votes_of(rows), figures_with_truth(votes_of(rows), truth)
    held = []
    for seed in range(12):
        draw = next_items(votes, guess_relevance(votes), [], 30, seed)
        found = estimate_with_answers(votes, KnownAnswers.none().with_draw(draw, truth[draw.items]))
        intervals = (found.precision_interval, found.recall_interval, found.f_interval)
        for interval, true in zip(intervals, expected, strict=True):
            held.append(((interval[:, 0] <= true) & (true <= interval[:, 1])).mean())
    assert np.min(held) >= 0.7 and np.mean(held) >= 0.93


def test_an_interval_of_few_items_reaches_what_they_can_give() -> None:
    """All of the probability of a count of three is within its interval but 5 % at most."""
    for share in (0.1, 0.5, 0.8, 0.95):
        for trials in (1, 3, 10, 60):
            chances = binom.pmf(np.arange(trials + 1), trials, share)
            variance = np.array([share * (1 - share) / trials])
            ((low, high),) = counted_interval(np.array([share]), variance, np.array([trials]))
            values = np.arange(trials + 1) / trials
            assert chances[(values >= low) & (values <= high)].sum() >= 0.94
    wide, narrow = (
        np.diff(counted_interval(np.array([0.7]), np.array([v]), np.array([50.0])))[0, 0]
        for v in (0.02, 0.005)
    )
    assert wide > narrow


def test_without_repetitions_there_are_no_intervals() -> None:
    votes, truth, _ = small()
    answers = and_picked(KnownAnswers.none(), np.arange(25), truth[:25])
    found, repeated = (estimate_with_answers(votes, answers, draws=draws) for draws in (0, 50))
    assert np.isnan(found.f_interval).all() and not np.isnan(repeated.f_interval).any()
    assert found.f == pytest.approx(repeated.f)


def test_answers_by_hand_are_told_apart() -> None:
    votes, truth, _ = small()
    found = estimate_with_answers(votes, and_picked(KnownAnswers.none(), [1, 2], truth[[1, 2]]))
    assert "2 more items were picked by hand" in found.assumption
    assert found.probability[[1, 2]].tolist() == truth[[1, 2]].tolist()


def test_a_system_without_votes_stays_undefined() -> None:
    votes = votes_of([[1, np.nan], [0, np.nan], [1, np.nan]] * 5)
    found = estimate_with_answers(votes, and_picked(KnownAnswers.none(), np.arange(10), [1, 0] * 5))
    assert np.isnan(found.precision[1]) and np.isnan(found.recall_interval[1]).all()
    assert found.precision[0] > 0


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        (([1, 1], [0, 1], [0.5, 0.5], [0, 0]), "answered twice"),
        (([1], [0.5], [0.5], [0]), "neither 0 nor 1"),
        (([1], [1], [0], [0]), "within 0…1"),
        (([1, 2], [1], [1], [0]), "needs an item"),
    ],
)
def test_answers_that_cannot_be(answers: tuple[list[float], ...], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        KnownAnswers(*answers)


def test_part_of_a_draw_has_smaller_chances() -> None:
    draw = Draw(np.array([5, 3, 1, 2]), np.array([1.0, 0.5, 0.5, 0.2]))
    assert draw.first(2).items.tolist() == [5, 3]
    assert draw.first(2).inclusion.tolist() == [0.5, 0.25]
    assert draw.first(9).inclusion.tolist() == draw.inclusion.tolist()
