"""Precision at a fixed recall and recall at a fixed precision: by hand and by brute force."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.measures.figures import compute_figures
from spotlab.measures.measure import MeasureSettings
from tests.measures.tally_cases import box, tally_of
from tests.measures.test_intervals import random_case

PAGES = {"p": 1600.0, "q": 1600.0, "r": 1600.0}
TRUTH = [("a", "p", box(0, 0, 20, 10))]  # 200 px²
# rank 1: 100 of 100 px²; rank 2: 100 of 200; rank 3: 160 of 260
SPOTS = [
    ("a", "p", box(0, 0, 10, 10)),
    ("a", "p", box(0, 20, 10, 30)),
    ("a", "p", box(10, 0, 16, 10)),
]


def columns(spots, regions, recall=0.5, precision=0.5, queries=()):
    settings = MeasureSettings(at_recall=recall, at_precision=precision)
    return compute_figures(tally_of(spots, regions, PAGES, queries), settings).columns


@pytest.mark.parametrize(
    ("recall", "expected"), [(0.1, 1), (0.5, 1), (0.51, 160 / 260), (0.8, 160 / 260), (0.9, np.nan)]
)
def test_precision_at_recall_by_hand(recall, expected):
    found = columns(SPOTS, TRUTH, recall=recall)["precision_at_recall"]
    assert found.tolist() == pytest.approx([expected], nan_ok=True)


@pytest.mark.parametrize(
    ("precision", "expected"), [(1.0, 0.5), (0.7, 0.5), (160 / 260, 0.8), (0.1, 0.8)]
)
def test_recall_at_precision_by_hand(precision, expected):
    found = columns(SPOTS, TRUTH, precision=precision)["recall_at_precision"]
    assert found.tolist() == pytest.approx([expected])


def test_a_precision_that_is_never_reached_leaves_recall_undefined():
    far = [("a", "p", box(0, 20, 10, 30)), *SPOTS[:1]]  # 0 of 100, then 100 of 200 px²
    assert columns(far, TRUTH, precision=0.5)["recall_at_precision"].tolist() == [0.5]
    assert np.isnan(columns(far, TRUTH, precision=0.6)["recall_at_precision"]).all()


def test_what_is_undefined():
    # b has truth and no spot, c has a spot and no truth
    spots, regions = [*SPOTS, ("c", "p", SPOTS[0][2])], [*TRUTH, ("b", "q", box(0, 0, 5, 5))]
    found = columns(spots, regions, queries=["a", "b", "c"])
    for name in ("precision_at_recall", "recall_at_precision"):
        assert np.isnan(found[name]).tolist() == [False, True, True], name
    figures = compute_figures(tally_of(spots, regions, PAGES))
    assert figures.defined["precision_at_recall"] == 1
    assert figures.mean["precision_at_recall"] == 1
    assert figures.pooled["precision_at_recall"] is figures.pooled["recall_at_precision"] is None


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("level", [0.05, 0.2, 0.5])
def test_every_rank_by_brute_force(seed, level):
    tally = tally_of(*random_case(seed), PAGES)
    figures = compute_figures(tally, MeasureSettings(at_recall=level, at_precision=level))
    for query in range(len(tally.queries)):
        places = range(int(tally.starts[query]), int(tally.starts[query + 1]))
        curve = [(figures.precision[place], figures.recall[place]) for place in places]
        precisions = [p for p, r in curve if r >= level]
        recalls = [r for p, r in curve if p >= level]
        expected = (
            precisions[0] if precisions else np.nan, max(recalls) if recalls else np.nan
        )  # fmt: skip
        found = (
            figures.columns["precision_at_recall"][query],
            figures.columns["recall_at_precision"][query],
        )
        assert found == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("share", [0, 1.01, float("nan")])
def test_levels_are_shares(share):
    with pytest.raises(ValueError, match="shares above 0"):
        MeasureSettings(at_recall=share)
    with pytest.raises(ValueError, match="shares above 0"):
        MeasureSettings(at_precision=share)
