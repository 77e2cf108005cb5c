"""What stays of a list that is cut: by hand, and against filtering the list anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.model.ranked_list import RankedList
from spotlab.ranking.purge import Purge, Suggestion


def purge_of(scores: list[float], relevance: list[int], total: int | None = None) -> Purge:
    total = relevance.count(1) if total is None else total
    return Purge.of(RankedList.ordered("list", np.array(scores)), np.array(relevance), total)


def suggestion(purge: Purge, name: str, tau: float = 0.7) -> Suggestion:
    return {found.name: found for found in purge.suggestions(tau)}[name]


def test_a_list_that_is_cut_by_hand() -> None:
    purge = purge_of([0.95, 0.9, 0.8, 0.7, 0.7, 0.4], [1, 1, 0, -1, 1, 0], 5)
    point = purge.at(0.75)
    assert (point.kept, point.true, point.false, point.unknown) == (3, 2, 1, 0)
    assert point.precision == pytest.approx(2 / 3)
    assert point.recall == pytest.approx(2 / 5)
    assert point.f == pytest.approx(2 * 2 / (3 + 5))
    assert (point.lost, point.lost_share) == (1, pytest.approx(1 / 3))
    assert point.removed == 0.5
    assert purge.at(0.7).kept == 5  # the score itself stays
    assert purge.at(0.7).tied == 0
    assert purge.at_rank(4).tied == 2
    assert purge.at_rank(4).unknown == 1
    assert purge.at_rank(3).tied == 0


def test_what_is_undefined_is_none_and_not_zero() -> None:
    nothing = purge_of([0.9, 0.5], [-1, -1]).at(0.1)
    assert nothing.kept == nothing.unknown == 2
    assert nothing.precision is nothing.recall is nothing.f is None
    assert nothing.removed is nothing.lost_share is None
    none_kept = purge_of([0.9, 0.5], [1, 0]).at(1.0)
    assert (none_kept.precision, none_kept.recall, none_kept.f) == (None, 0, None)
    assert none_kept.removed == 1
    only_false = purge_of([0.9, 0.5], [0, 1]).at(0.8)
    assert (only_false.precision, only_false.recall, only_false.f) == (0, 0, 0)
    unknown = Purge.of(RankedList.ordered("", np.array([0.5])), np.array([1]), None)
    assert unknown.at(0.1).recall is None
    empty = purge_of([], [])
    assert empty.at(0.5).kept == 0
    assert [found.threshold for found in empty.suggestions(0.7)] == [0.7, None, None]
    with pytest.raises(ValueError, match="not a number"):
        empty.at(float("nan"))
    with pytest.raises(ValueError, match="2 relevant items in the list, but only 1 in all"):
        purge_of([0.9, 0.5], [1, 1], 1)


@st.composite
def purges(draw: Any) -> tuple[Purge, np.ndarray, np.ndarray]:
    count = draw(st.integers(0, 30))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    scores = random.integers(-3, draw(st.sampled_from([1, 6, 10**6])), count) / 7
    relevance = random.integers(-1, 2, count).astype(np.int8)
    total = int((relevance == 1).sum() + random.integers(0, 3))
    return Purge.of(RankedList.ordered("", scores), relevance, total), scores, relevance


@settings(max_examples=200, deadline=None)
@given(purges(), st.integers(0, 31), st.floats(-1, 2))
def test_a_cut_is_what_filtering_gives(
    case: tuple[Purge, np.ndarray, np.ndarray], at: int, anywhere: float
) -> None:
    purge, scores, relevance = case
    threshold = float(scores[at]) if at < len(scores) else anywhere
    point = purge.at(threshold)
    stays = scores >= threshold
    true, false = (int((stays & (relevance == kind)).sum()) for kind in (1, 0))
    assert (point.kept, point.true, point.false) == (int(stays.sum()), true, false)
    assert point.unknown == int((relevance[stays] == -1).sum())
    assert point.lost == int(((relevance == 1) & ~stays).sum())
    assert point.tied == 0
    assert point.precision == (true / (true + false) if true + false else None)
    assert point.recall == (true / purge.relevant_total if purge.relevant_total else None)
    if point.f is not None:
        assert purge.relevant_total is not None
        assert point.f == pytest.approx(2 * true / (true + false + purge.relevant_total))


@settings(max_examples=200, deadline=None)
@given(purges(), st.integers(0, 31))
def test_a_threshold_after_a_rank_keeps_so_many_unless_scores_are_the_same(
    case: tuple[Purge, np.ndarray, np.ndarray], rank: int
) -> None:
    purge, scores, _ = case
    rank = min(rank, len(scores))
    threshold, point = purge.threshold_after(rank), purge.at_rank(rank)
    if threshold is None:
        same = int((scores == np.sort(scores)[::-1][rank - 1]).sum()) if len(scores) else 0
        assert point.tied == same
        assert len(scores) == 0 or same > 1
    else:
        assert point.tied == 0
        assert purge.at(threshold) == point


@settings(max_examples=200, deadline=None)
@given(purges())
def test_no_threshold_has_a_better_f_than_the_best(
    case: tuple[Purge, np.ndarray, np.ndarray],
) -> None:
    purge, scores, relevance = case
    best = suggestion(purge, "best_f")
    every = [purge.at(float(score)).f for score in scores]
    defined = [f for f in every if f is not None]
    if best.threshold is None:
        assert not (relevance == 1).any()
    else:
        assert purge.at(best.threshold).f == pytest.approx(max(defined))


def test_best_f_says_why_there_is_none() -> None:
    assert suggestion(purge_of([0.9, 0.8], [-1, -1]), "best_f").reason == (
        "no item of the list has been judged"
    )
    assert suggestion(purge_of([0.9, 0.8], [0, -1]), "best_f").reason == (
        "no item of the list is relevant"
    )
    unknown = Purge.of(RankedList.ordered("", np.array([0.5])), np.array([1]), None)
    assert "not known how many" in suggestion(unknown, "best_f").reason


def drop_of(scores: list[float], tau: float = 0.7) -> Suggestion:
    return suggestion(purge_of(scores, [-1] * len(scores)), "largest_drop", tau)


def test_the_drop_is_searched_a_bit_below_tau() -> None:
    #              above τ: not looked at   around τ       the drop     too far below: .7 - .3 / 2
    drop = drop_of([1.0, 0.8, 0.79, 0.72, 0.68, 0.66, 0.58, 0.56, 0.5, 0.2, 0.1])
    assert drop.threshold == 0.6  # of one decimal, not above halfway
    assert drop.reason == "the score falls by 0.080 after rank 6"
    assert drop.title == "largest drop below τ"


def test_a_drop_across_tau_is_cut_at_tau_or_lower() -> None:
    assert drop_of([1.0, 0.71, 0.3, 0.29]).threshold == 0.5
    across = drop_of([1.0, 0.9, 0.6, 0.55])  # halfway would be above τ
    assert across.threshold == 0.7


def test_a_list_without_a_drop_has_none() -> None:
    assert drop_of([0.9, 0.8]).reason == "no score is below τ"
    assert drop_of([0.6, 0.5]).reason == "no score reaches τ"
    assert drop_of([]).threshold is None
    endless = drop_of([np.inf, 1, 0.9, 0.8, 0.1, 0, -np.inf])
    assert endless.threshold == 0.4
    assert endless.reason == "the score falls by 0.700 after rank 4"


@settings(max_examples=200, deadline=None)
@given(purges())
def test_the_drop_never_loses_more_than_tau(case: tuple[Purge, np.ndarray, np.ndarray]) -> None:
    purge, scores, _ = case
    drop = suggestion(purge, "largest_drop", 0.4).threshold
    if drop is None:
        assert not len(scores) or scores.max() < 0.4 or scores.min() >= 0.4
    else:
        assert purge.at(drop).lost <= purge.at(0.4).lost
