"""P, R and F at an IoU threshold and AP@[.5:.95]: by hand, by brute force and pooled."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.measures.figures import compute_figures
from spotlab.measures.matching import match_spots
from spotlab.measures.measure import MeasureSettings
from tests.measures.tally_cases import box, tally_of
from tests.measures.test_intervals import random_case

PAGES = {"p": 1600.0, "q": 1600.0, "r": 1600.0}


def test_by_hand():
    # IoU with the regions 80/120, 100/100, 20/180: right, right, false; of three regions two found
    regions = [("a", "p", box(left, 0, left + 10, 10)) for left in (0, 20, 40)]
    spots = [("a", "p", box(left, 0, left + 10, 10)) for left in (2, 20, 48)]
    columns = compute_figures(tally_of(spots, regions, PAGES)).columns
    assert columns["precision_at_iou"].tolist() == pytest.approx([2 / 3])
    assert columns["recall_at_iou"].tolist() == pytest.approx([2 / 3])
    assert columns["f_at_iou"].tolist() == pytest.approx([2 / 3])
    # at .5, .55, .6, .65 the first two spots are right, at .7 … .95 only the second one:
    # precision 1 up to recall 2/3 (67 of 101 recalls); 1/2 up to recall 1/3 (34 of them)
    expected = (4 * 67 + 6 * 34 / 2) / 101 / 10
    assert columns["iou_precision_50_95"].tolist() == pytest.approx([expected])
    strict = compute_figures(tally_of(spots, regions, PAGES), MeasureSettings(iou=0.7)).columns
    assert strict["precision_at_iou"].tolist() == pytest.approx([1 / 3])
    assert strict["iou_precision_50_95"].tolist() == pytest.approx([expected])


def test_beta_weighs_recall():
    regions = [("a", "p", box(left, 0, left + 10, 10)) for left in (0, 20)]
    tally = tally_of(regions[:1], regions, PAGES)  # P = 1, R = 1/2
    f = compute_figures(tally, MeasureSettings(beta=2)).columns["f_at_iou"]
    assert f.tolist() == pytest.approx([5 * 0.5 / (4 + 0.5)])


def test_what_is_undefined():
    # a has truth and no spot, b has a spot and no truth, c has neither
    spots, regions = [("b", "p", box(0, 0, 5, 5))], [("a", "p", box(0, 0, 5, 5))]
    columns = compute_figures(tally_of(spots, regions, PAGES, ["a", "b", "c"])).columns
    nan = np.nan
    for name, expected in {
        "precision_at_iou": [nan, 0, nan], "recall_at_iou": [0, nan, nan],
        "f_at_iou": [0, 0, nan], "iou_precision_50_95": [0, nan, nan],
    }.items():  # fmt: skip
        np.testing.assert_array_equal(columns[name], expected, err_msg=name)


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 5])  # every query has truth
def test_every_cut_by_brute_force_and_pooled(seed):
    spots, regions = random_case(seed)
    settings = MeasureSettings(iou=0.3)
    tally = tally_of(spots, regions, PAGES)
    figures = compute_figures(tally, settings)
    matched = match_spots(tally, 0.3) >= 0
    assert matched.any()
    symbols = tally.symbols.sum(axis=1)
    counts = np.random.default_rng(seed).integers(0, 14, len(tally.queries))
    found = figures.at(counts)
    totals = np.zeros(3)
    for query, kept in enumerate(np.minimum(counts, np.diff(tally.starts)).tolist()):
        # a list that ends there is another run, and is matched anew
        start = int(tally.starts[query])
        names = [tally.queries[query]] * kept
        alone = [
            (name, tally.pages[tally.page[place]], tally.run.outlines[int(tally.spot[place])])
            for name, place in zip(names, range(start, start + kept), strict=True)
        ]
        again = tally_of(alone, regions, PAGES, tally.queries)
        right = int((match_spots(again, 0.3) >= 0).sum())
        assert right == int(matched[start : start + kept].sum())
        expected = right / kept if kept else np.nan
        assert found["precision_at_iou"][query] == pytest.approx(expected, nan_ok=True)
        assert found["recall_at_iou"][query] == pytest.approx(right / symbols[query])
        assert found["f_at_iou"][query] == pytest.approx(2 * right / (kept + symbols[query]))
        totals += right, kept, symbols[query]
    whole = compute_figures(tally, settings).pooled
    right, lengths = matched.sum(), len(tally)
    assert whole["precision_at_iou"] == pytest.approx(right / lengths)
    assert whole["recall_at_iou"] == pytest.approx(right / symbols.sum())
    assert whole["f_at_iou"] == pytest.approx(2 * right / (lengths + symbols.sum()))
    assert whole["iou_precision_50_95"] is None  # lists of different queries have no common order
