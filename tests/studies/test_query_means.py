"""Means of ranked lists over queries: by hand, with undefined figures, and with lists missing."""

from __future__ import annotations

import json

import numpy as np
import pytest

from spotlab.studies.words.query_means import QueryFigures, WordFigures, as_json, compare_queries


def query(name: str, **precisions: float | None) -> QueryFigures:
    lists = (WordFigures.of(each, each.upper(), value, None) for each, value in precisions.items())
    return QueryFigures(name, 4, tuple(lists))


def test_means_and_paired_differences_by_hand() -> None:
    queries = [query(f"q{at}", ws=0.1 * at, cr=0.1 * at + 0.2) for at in range(6)]
    queries.append(query("unknown", ws=None, cr=None))
    found = compare_queries(queries)
    ws, cr = found.lists
    assert (ws.queries, ws.defined["average_precision"]) == (7, 6)
    assert ws.mean["average_precision"] == pytest.approx(0.25)
    assert ws.mean["precision"] is None and ws.interval["precision"] is None
    interval = ws.interval["average_precision"]
    assert interval is not None and 0.05 < interval.low < 0.25 < interval.high < 0.45
    difference = cr.difference["average_precision"]
    # six pairs of the same sign: 2 of 64 ways to toss them; the only test, so Holm changes nothing
    assert difference is not None and difference.value == pytest.approx(0.2)
    assert difference.p == pytest.approx(2 / 64) == difference.p_holm
    assert found.design.tests == 1 and found.reference == "ws" and not ws.difference
    assert [each.query for each in found.hardest("cr")] == [f"q{at}" for at in range(6)]


def test_a_list_that_only_some_queries_have_is_compared_over_all_of_them() -> None:
    found = compare_queries([query("a", x=0.5, y=0.7), query("b", x=0.3), query("c", x=0.1, y=0.3)])
    y = found.lists[1]
    assert (y.queries, y.unanswered, y.defined["average_precision"]) == (2, 1, 3)
    assert y.mean["average_precision"] == pytest.approx((0.7 + 0.3) / 3)
    difference = y.difference["average_precision"]
    assert difference is not None and difference.value == pytest.approx((0.2 - 0.3 + 0.2) / 3)
    turned = compare_queries(found.queries, "y").lists[0].difference["average_precision"]
    assert turned is not None and turned.value == pytest.approx(-0.1 / 3)


def test_one_query_has_neither_interval_nor_test_and_json_has_no_nan() -> None:
    found = compare_queries([query("a", x=0.5, y=None)])
    assert found.lists[0].interval["average_precision"] is None and found.design.tests == 0
    text = json.dumps(as_json(found), allow_nan=False)
    assert json.loads(text)["lists"][1]["figures"]["average_precision"]["mean"] is None
    assert compare_queries([]).lists == ()


def test_intervals_hold_the_true_mean_as_often_as_they_say() -> None:
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(60):
        queries = [query(str(at), x=float(value)) for at, value in enumerate(rng.beta(2, 2, 40))]
        interval = compare_queries(queries, draws=300).lists[0].interval["average_precision"]
        assert interval is not None
        held += interval.low <= 0.5 <= interval.high
    assert held >= 51  # 95 % of 60 are 57; fewer than 51 has a probability of .002
