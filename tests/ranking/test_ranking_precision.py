"""Average precision: by hand, by brute force, and as trec_eval has it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.ranking.displacement import average_precision, mean_average_precision

NAN = math.nan


def by_hand(scores: list[float], relevant: list[bool], count: int) -> float:
    """Average precision, counted one rank after the other."""
    listed = [place for place, score in enumerate(scores) if not math.isnan(score)]
    order = sorted(listed, key=lambda place: -scores[place])  # Python's sort is stable
    hits, total = 0, 0.0
    for rank, place in enumerate(order, 1):
        hits += relevant[place]
        total += hits / rank if relevant[place] else 0.0
    return total / count if count else NAN


def test_average_precision_of_the_textbook() -> None:
    ranks = np.array([True, False, True, False, False, True])
    assert average_precision(ranks, 3) == pytest.approx((1 + 2 / 3 + 3 / 6) / 3)
    assert average_precision(ranks, 5) == pytest.approx((1 + 2 / 3 + 3 / 6) / 5)


def test_average_precision_where_little_is_there() -> None:
    assert average_precision(np.zeros(4, dtype=bool), 0) is None
    assert average_precision(np.zeros(4, dtype=bool), 2) == 0
    assert average_precision(np.zeros(0, dtype=bool), 2) == 0
    with pytest.raises(ValueError, match="only 1 in all"):
        average_precision(np.ones(2, dtype=bool), 1)


def test_items_of_the_same_score_stay_in_order_and_are_counted() -> None:
    scores = np.array([[0.5, 0.5, 0.9, 0.1, 0.1], [0.5, 0.4, 0.3, 0.1, 0.1]])
    relevant = np.array([[False, True, True, False, False]] * 2)
    found = mean_average_precision(scores, relevant)
    assert found.per_query == pytest.approx([(1 + 2 / 3) / 2, (1 / 2 + 2 / 3) / 2])
    # the two at the end of both lists are alike: their order does not matter
    assert found.tied.tolist() == [2, 0]


def test_a_query_without_anything_relevant_is_left_out_of_the_mean() -> None:
    scores = np.array([[0.9, 0.1], [0.9, 0.1]])
    found = mean_average_precision(scores, np.array([[0, 1], [0, 0]]))
    assert found.mean == 0.5
    assert found.defined == 1
    assert np.isnan(found.per_query[1])
    nothing = mean_average_precision(scores, np.zeros((2, 2)))
    assert nothing.mean is None
    assert nothing.defined == 0


@pytest.mark.parametrize("shape", [(0, 5), (3, 0)])
def test_no_queries_and_no_items(shape: tuple[int, int]) -> None:
    found = mean_average_precision(np.zeros(shape), np.zeros(shape))
    assert found.mean is None
    assert len(found.per_query) == shape[0]


def test_relevant_items_that_are_not_in_the_list_count() -> None:
    scores = np.array([[0.9, NAN, 0.5]])
    relevant = np.array([[True, True, False]])
    assert mean_average_precision(scores, relevant).per_query.tolist() == [0.5]
    assert mean_average_precision(scores, relevant, [4]).per_query.tolist() == [0.25]


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="fewer relevant"):
        mean_average_precision(np.ones((1, 3)), np.ones((1, 3)), [2])
    with pytest.raises(ValueError, match="relevance is"):
        mean_average_precision(np.ones((1, 3)), np.ones((1, 4)))
    with pytest.raises(ValueError, match="2 counts for 1"):
        mean_average_precision(np.ones((1, 3)), np.ones((1, 3)), [3, 3])


@st.composite
def queries(draw: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lists with many ties and gaps, more queries than are sorted at a time now and then."""
    shape = draw(st.integers(1, 70)), draw(st.integers(1, 25))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    levels = draw(st.sampled_from([2, 5, 1000]))
    scores = random.integers(0, levels, shape) / levels
    scores[random.random(shape) < draw(st.sampled_from([0, 0.3]))] = NAN
    relevant = random.random(shape) < draw(st.sampled_from([0, 0.2, 0.9]))
    return scores, relevant, relevant.sum(axis=1) + random.integers(0, 3, shape[0])


@settings(max_examples=60, deadline=None)
@given(queries())
def test_average_precision_is_what_counting_gives(
    case: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    scores, relevant, counts = case
    means = mean_average_precision(scores, relevant, counts)
    for query in range(len(scores)):
        count = int(counts[query])
        expected = by_hand(scores[query].tolist(), relevant[query].tolist(), count)
        np.testing.assert_array_equal(means.per_query[query], expected)
        length = np.count_nonzero(~np.isnan(scores[query]))
        order = np.argsort(-scores[query], kind="stable")[:length]
        one = average_precision(relevant[query][order], count)
        assert means.per_query[query] == one or (one is None and np.isnan(means.per_query[query]))


def test_the_same_numbers_as_trec_eval_to_the_last_bit() -> None:
    peer = pytest.importorskip("pytrec_eval")
    random = np.random.default_rng(4)
    every, items = 40, 120
    # as 32-bit floats, in which trec_eval compares, no two of a list are the same
    scores = np.stack([random.permutation(items) for _ in range(every)]) / 128
    scores[:10][random.random((10, items)) < 0.3] = NAN
    relevant = random.random((every, items)) < 0.2
    names = [f"i{item:03}" for item in range(items)]
    runs = {
        f"q{query:02}": {
            name: score for name, score in zip(names, row.tolist(), strict=True) if score == score
        }
        for query, row in enumerate(scores)
    }
    truth = {
        f"q{query:02}": dict(zip(names, row.astype(int).tolist(), strict=True))
        for query, row in enumerate(relevant)
    }
    theirs = peer.RelevanceEvaluator(truth, {"map"}).evaluate(runs)
    ours = mean_average_precision(scores, relevant).per_query
    for query in range(every):
        assert ours[query] == theirs[f"q{query:02}"]["map"]


def test_trec_eval_orders_ties_by_name_and_we_by_place() -> None:
    peer = pytest.importorskip("pytrec_eval")
    truth = {"q": {"a": 1, "b": 0}}
    theirs = peer.RelevanceEvaluator(truth, {"map"}).evaluate({"q": {"a": 0.5, "b": 0.5}})
    ours = mean_average_precision(np.array([[0.5, 0.5]]), np.array([[1, 0]]))
    assert theirs["q"]["map"] == 0.5  # the later name first
    assert ours.per_query.tolist() == [1.0]
    assert ours.tied.tolist() == [2]
    # and what differs only beyond 32 bits is a tie for it alone
    near = peer.RelevanceEvaluator(truth, {"map"}).evaluate({"q": {"a": 0.5 + 1e-12, "b": 0.5}})
    assert near["q"]["map"] == 0.5
