"""Weighted displacement as the paper has it, who moved where, and which items make good queries."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.model.ranked_list import RankedList
from spotlab.ranking.displacement import quality, rank_gains, weighted_displacement
from spotlab.ranking.fusion import column_means, difficult_queries, representative_queries


def test_two_orders_of_the_same_items() -> None:
    # eq. 17: a went from 1 to 3, b from 2 to 1, c from 3 to 4, d from 4 to 2
    found = weighted_displacement([10, 11, 12, 13], [1, 0.5, 0.5, 0], [11, 13, 10, 12])
    assert found.total == 1 * 2 + 0.5 * 1 + 0.5 * 1 + 0 * 2
    assert found.rank_gain.tolist() == [-2, 1, -1, 2]
    assert found.missing_part == 0
    assert not found.missing.any()


def test_partial_answers_of_optimists_and_pessimists() -> None:
    ideal, relevance = [1, 2, 3, 4, 5], [1, 0.8, 0.6, 0.4, 0.2]
    answer = [3, 90, 1, 91, 92]  # lacks 2, 4 and 5
    optimist = weighted_displacement(ideal, relevance, answer)
    assert optimist.common_part == pytest.approx(1 * 2 + 0.6 * 2)
    # eq. 22: they are at 6, 7 and 8
    assert optimist.missing_part == pytest.approx(0.8 * (6 - 2) + 0.4 * (7 - 4) + 0.2 * (8 - 5))
    assert optimist.missing.tolist() == [False, True, False, True, True]
    pessimist = weighted_displacement(ideal, relevance, answer, "pessimist", size=1000)
    # eq. 23: 1000 each
    assert pessimist.missing_part == pytest.approx((0.8 + 0.4 + 0.2) * 1000)
    assert pessimist.common_part == optimist.common_part
    assert pessimist.total == pessimist.common_part + pessimist.missing_part


def test_an_answer_that_is_asked_for_more_until_it_has_all() -> None:
    longer = weighted_displacement([1, 2], [1, 1], [9, 8, 2, 7, 1])
    assert longer.total == (5 - 1) + (3 - 2)
    lacking = weighted_displacement([1, 2], [1, 1], [9, 8, 2, 7])
    assert lacking.missing_part == 5 - 1


def test_an_empty_answer_is_not_perfect() -> None:
    assert weighted_displacement([1, 2, 3], [1, 1, 1], []).total == 9
    assert weighted_displacement([], [], [1, 2]).total == 0


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="how many items there are"):
        weighted_displacement([1, 2], [1, 1], [1], "pessimist")
    with pytest.raises(ValueError, match="how many items there are"):
        weighted_displacement([1, 2], [1, 1], [3, 4], "pessimist", size=3)
    with pytest.raises(ValueError, match="twice"):
        weighted_displacement([1, 2], [1, 1], [3, 3])
    with pytest.raises(ValueError, match="twice"):
        weighted_displacement([1, 1], [1, 1], [3])
    with pytest.raises(ValueError, match="1 relevances for 2"):
        weighted_displacement([1, 2], [1], [1, 2])
    with pytest.raises(ValueError, match="between 0 and 1"):
        weighted_displacement([1], [math.nan], [1])
    with pytest.raises(ValueError, match="neither optimist"):
        weighted_displacement([1], [1], [1], "realist")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="neither rational"):
        quality(1, "linear")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be 0 or more"):
        quality(-1)


@st.composite
def cases(draw: Any) -> tuple[list[int], list[float], list[int]]:
    ideal = draw(st.permutations(range(draw(st.integers(1, 8)))))
    answer = draw(st.lists(st.integers(0, 12), unique=True, max_size=12))
    falling = draw(st.lists(st.floats(0, 1), min_size=len(ideal), max_size=len(ideal)))
    return list(ideal), sorted(falling, reverse=True), answer


@settings(max_examples=200, deadline=None)
@given(cases())
def test_the_sum_over_items_one_by_one(case: tuple[list[int], list[float], list[int]]) -> None:
    ideal, relevance, answer = case
    for hypothesis in ("optimist", "pessimist"):
        total, behind = 0.0, max(len(answer), len(ideal))
        for rank, (item, weight) in enumerate(zip(ideal, relevance, strict=True), 1):
            if item in answer:
                total += weight * abs(rank - (answer.index(item) + 1))
            elif hypothesis == "optimist":
                behind += 1
                total += weight * abs(rank - behind)
            else:
                total += weight * 50
        found = weighted_displacement(ideal, relevance, answer, hypothesis, 50)  # type: ignore[arg-type]
        assert found.total == pytest.approx(total)
        assert 0 <= quality(found.total) <= 1


def test_quality_is_one_for_the_ideal_and_falls() -> None:
    assert quality(0) == quality(0, "exponential", 3) == 1
    assert quality(1, "rational", 3) == 1 / 8
    assert quality(2, "exponential", 0.5) == pytest.approx(math.exp(-1))
    assert quality(math.inf) == 0


def test_who_moved_where() -> None:
    before = RankedList.ordered("WS", np.array([0.9, 0.8, 0.7, np.nan, 0.1]))
    after = RankedList.ordered("CR", np.array([0.5, 0.8, 0.9, 0.6, np.nan]))
    assert after.item.tolist() == [2, 1, 3, 0]
    np.testing.assert_array_equal(rank_gains(before, after), [2, 0, np.nan, -3])
    nothing = RankedList.ordered("", np.zeros(0))
    assert len(rank_gains(before, nothing)) == 0
    assert np.isnan(rank_gains(nothing, after)).all()


def test_representative_and_difficult_queries_by_hand() -> None:
    matrix = np.array(
        [[1, 0.9, 0.3, 0.1], [0.9, 1, 0.4, 0.1], [0.3, 0.4, 1, 0.5], [0.1, 0.1, 0.5, 1]]
    )
    assert column_means(matrix) == pytest.approx([1.3 / 3, 1.4 / 3, 1.2 / 3, 0.7 / 3])
    assert representative_queries(matrix, 2).tolist() == [1, 0]
    assert difficult_queries(matrix, 2).tolist() == [3, 2]
    assert representative_queries(matrix, 9).tolist() == [1, 0, 2, 3]


def test_an_item_without_scores_is_neither() -> None:
    matrix = np.full((3, 3), np.nan)
    matrix[0, 1] = matrix[1, 0] = 0.5
    assert representative_queries(matrix).tolist() == difficult_queries(matrix).tolist() == [0, 1]
    assert representative_queries(np.ones((1, 1))).tolist() == []
    assert representative_queries(np.ones((0, 0))).tolist() == []
    with pytest.raises(ValueError, match="square"):
        representative_queries(np.ones((2, 3)))
