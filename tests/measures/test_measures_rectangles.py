"""Every figure of a few rectangles against values computed by hand, and all that is undefined."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.matching import NEVER
from spotlab.measures.measure import MeasureSettings, known_figures
from spotlab.measures.tally import Overlap
from tests.measures.tally_cases import box, tally_of

PAGES = {"p": 1000.0}
# two symbols of 100 px²; the spots: 80 of the first; 20 of it again and 20 beside; nothing; half of
# the second and as much beside
REGIONS = [("a", "p", box(0, 0, 10, 10)), ("a", "p", box(20, 0, 30, 10))]
SPOTS = [
    ("a", "p", box(0, 0, 8, 10)),
    ("a", "p", box(6, 0, 12, 10)),
    ("a", "p", box(50, 0, 54, 10)),
    ("a", "p", box(25, 0, 35, 10)),
]


def _figures(**settings: object) -> RunFigures:
    return compute_figures(tally_of(SPOTS, REGIONS, PAGES), MeasureSettings(**settings))  # type: ignore[arg-type]


def _only(figures: RunFigures, name: str) -> float:
    (value,) = figures.columns[name].tolist()
    return float(value)


def test_areas_after_each_spot_counting_places_once():
    figures = _figures()
    assert figures.retrieved.tolist() == [80, 120, 160, 260]
    assert figures.relevant.tolist() == [80, 100, 100, 150]
    assert figures.precision == pytest.approx([1, 100 / 120, 100 / 160, 150 / 260])
    assert figures.recall == pytest.approx([0.4, 0.5, 0.5, 0.75])
    assert figures.fall_out == pytest.approx([0, 20 / 800, 60 / 800, 110 / 800])
    assert figures.f == pytest.approx([160 / 280, 200 / 320, 200 / 360, 300 / 460])


def test_areas_after_each_spot_as_printed_in_the_paper():
    figures = _figures(overlap=Overlap.SUM)
    assert figures.retrieved.tolist() == [80, 140, 180, 280]
    assert figures.relevant.tolist() == [80, 120, 120, 170]
    assert figures.recall == pytest.approx([0.4, 0.6, 0.6, 0.85])


def test_overlapping_truth_counts_once_or_twice():
    regions = [("a", "p", box(0, 0, 10, 10)), ("a", "p", box(5, 0, 15, 10))]
    tally = tally_of([("a", "p", box(0, 0, 15, 10))], regions, PAGES)
    union, printed = (compute_figures(tally, MeasureSettings(overlap=each)) for each in Overlap)
    assert (union.truth.tolist(), union.relevant.tolist()) == ([150], [150])
    assert (printed.truth.tolist(), printed.relevant.tolist()) == ([200], [200])
    assert printed.precision == pytest.approx([200 / 150])  # nothing is capped


def test_f_weighs_recall_by_beta():
    precision, recall = 150 / 260, 0.75
    for beta in (0.5, 1.0, 2.0):
        expected = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
        assert _only(_figures(beta=beta), "f") == pytest.approx(expected)


def test_average_precision_in_three_normalisers():
    figures = _figures()
    total = 1 + 100 / 120 + 150 / 260  # the third spot overlaps no truth
    assert _only(figures, "average_precision_retrieved") == pytest.approx(total / 4)
    assert _only(figures, "average_precision_relevant") == pytest.approx(total / 2)
    assert _only(figures, "average_precision_hits") == pytest.approx(total / 3)


def test_generality():
    assert _only(_figures(), "generality") == 0.2


def test_symbols_are_recognised_from_a_share_on_and_clear_their_spots():
    figures = _figures(recognised=0.75)
    assert figures.recognition_rank.tolist() == [1, NEVER]
    assert figures.recognised.tolist() == [1, 1, 1, 1]
    assert figures.false_positives.tolist() == [0, 0, 1, 2]
    assert _only(figures, "recognition_rate") == 50
    later = _figures(recognised=0.9)  # 80 and 20 px² together
    assert later.recognition_rank.tolist() == [2, NEVER]
    assert later.false_positives.tolist() == [1, 0, 1, 2]
    both = _figures(recognised=0.5)  # exactly half of the second
    assert both.recognition_rank.tolist() == [1, 4]
    assert both.false_positives.tolist() == [0, 0, 1, 1]


def test_a_share_that_rounding_just_misses_is_reached():
    thirds = [("a", "p", box(i / 3, 0, (i + 1) / 3, 0.1)) for i in range(30)]
    tally = tally_of(thirds, [("a", "p", box(0, 0, 10, 0.1))], PAGES)
    assert compute_figures(tally, MeasureSettings(recognised=1.0)).recognition_rank.tolist() == [30]


def test_precision_at_recall_is_that_of_the_first_rank_that_reaches_it():
    grid = np.array([0, 0.4, 0.45, 0.5, 0.75, 0.8])
    found = _figures().curves.sampled_precision(grid)
    expected = [1, 1, 100 / 120, 100 / 120, 150 / 260, np.nan]
    assert found[0] == pytest.approx(expected, nan_ok=True)
    fall_out = _figures().curves.sampled_fall_out(grid)[0]
    assert fall_out == pytest.approx([0, 0, 0.025, 0.025, 0.1375, np.nan], nan_ok=True)
    f = _figures().curves.sampled_f(grid)[0]
    assert f[[0, 2]] == pytest.approx([0, 2 * (5 / 6) * 0.45 / (5 / 6 + 0.45)])
    assert np.isnan(f[-1])


def test_figures_at_a_cut():
    figures = _figures()
    cut = figures.at(np.array([2]))
    found = {name: values.tolist()[0] for name, values in cut.items()}
    assert found == pytest.approx(
        {
            "area_precision": 100 / 120, "area_recall": 0.5, "f": 200 / 320, "fall_out": 0.025,
            "recognised": 1, "recognition_rate": 50, "false_positives": 0,
            "generality": 0.2, "symbols": 2,
            # each of the two spots has half of a region of 100 px²: IoU 50 / 100 and 50 / 120
            "precision_at_iou": 0.5, "recall_at_iou": 0.5, "f_at_iou": 0.5,
        }
    )  # fmt: skip
    nothing = figures.at(np.array([0]))
    assert np.isnan(nothing["area_precision"][0])
    assert (nothing["area_recall"][0], nothing["f"][0], nothing["fall_out"][0]) == (0, 0, 0)
    assert figures.at(np.array([99]))["area_recall"][0] == 0.75


def test_mean_curves_with_what_is_missing_as_nothing_or_left_out():
    regions = [("a", "p", box(0, 0, 10, 10)), ("b", "p", box(20, 0, 30, 10))]
    spots = [("a", "p", box(0, 0, 10, 10)), ("b", "p", box(20, 0, 30, 5))]
    tally = tally_of(spots, regions, PAGES, queries=["without truth"])
    grid = np.array([0.5, 1.0])
    zero = compute_figures(tally, MeasureSettings(missing="zero")).curves.central("precision", grid)
    drop = compute_figures(tally, MeasureSettings(missing="drop")).curves.central("precision", grid)
    assert (zero.mean.tolist(), zero.deviation.tolist()) == ([1, 0.5], [0, 0.5])
    assert (drop.mean.tolist(), drop.count.tolist()) == ([1, 1], [2, 1])
    fall_out = compute_figures(tally, MeasureSettings(missing="zero")).curves.central(
        "fall_out", grid
    )
    assert fall_out.count.tolist() == [2, 2]
    left_out = compute_figures(tally, MeasureSettings(missing="drop")).curves.central(
        "fall_out", grid
    )
    assert left_out.count.tolist() == [2, 1]


def test_mean_fall_out_never_falls_where_few_queries_remain():
    regions = [(query, "p", box(x, 0, x + 10, 10)) for query, x in (("a", 0), ("b", 20))]
    spots = [
        ("a", "p", box(0, 0, 10, 10)),  # reaches all of its truth at once
        ("b", "p", box(20, 50, 30, 60)),  # false, then half, then false again
        ("b", "p", box(20, 0, 30, 5)),
        ("b", "p", box(40, 50, 60, 60)),
    ]
    figures = compute_figures(tally_of(spots, regions, PAGES))
    grid = np.array([0.0, 0.5, 0.6, 1.0])
    outside = float(figures.tally.page_area.sum()) - 100
    curve = figures.curves.central("fall_out", grid)
    assert curve.mean == pytest.approx(np.array([100, 100, 300, 300]) / outside / 2)
    assert curve.count.tolist() == [2, 2, 2, 2]


def test_recall_and_precision_by_threshold():
    recall, precision = _figures().curves.by_threshold(np.array([0, 0.25, 0.3, 1]))
    assert recall[0] == pytest.approx([0, 0.4, 0.5, 0.75])
    assert precision[0] == pytest.approx([np.nan, 1, 100 / 120, 150 / 260], nan_ok=True)


def test_pooled_is_of_all_areas_together():
    regions = [("a", "p", box(0, 0, 10, 10)), ("b", "p", box(20, 0, 50, 10))]
    tally = tally_of([("a", "p", box(0, 0, 10, 20))], regions, PAGES)
    figures = compute_figures(tally)
    assert figures.pooled["area_recall"] == pytest.approx(100 / 400)
    assert figures.mean["area_recall"] == pytest.approx((1 + 0) / 2)
    assert figures.pooled["fall_out"] == pytest.approx(100 / (2000 - 400))
    assert figures.pooled["average_precision_hits"] is None
    assert (figures.mean["area_precision"], figures.defined["area_precision"]) == (0.5, 1)


def test_undefined_stays_undefined():
    regions = [("missed", "p", box(0, 0, 10, 10))]
    tally = tally_of([("untrue", "p", box(0, 0, 1, 1))], regions, PAGES, queries=["neither"])
    columns = compute_figures(tally).columns
    assert tally.queries == ("missed", "neither", "untrue")
    nan = np.nan
    for name, expected in {
        "area_precision": [nan, nan, 0], "area_recall": [0, nan, nan], "f": [0, nan, 0],
        "average_precision_hits": [nan, nan, nan], "average_precision_relevant": [0, nan, nan],
        "average_precision_retrieved": [nan, nan, 0], "recognition_rate": [0, nan, nan],
        "false_positives": [0, 0, 1], "symbols": [1, 0, 0], "fall_out": [0, 0, 0.001],
    }.items():  # fmt: skip
        np.testing.assert_allclose(columns[name], expected, err_msg=name)


def test_without_area_nothing_is_recognised_and_nothing_precise():
    flat = box(0, 0, 10, 0)
    figures = compute_figures(tally_of([("a", "p", flat)], [("a", "p", flat)], PAGES))
    assert np.isnan([figures.precision, figures.recall, figures.f]).all()
    assert figures.recognition_rank.tolist() == [NEVER]
    assert (_only(figures, "recognition_rate"), _only(figures, "false_positives")) == (0, 1)


@pytest.mark.parametrize("pages", [{}, PAGES])
def test_no_queries_and_no_pages(pages):
    figures = compute_figures(tally_of([], [], pages))
    assert set(figures.columns) == {figure.name for figure in known_figures()}
    assert all(value is None for value in figures.mean.values())
    assert figures.pooled["area_precision"] is None
    assert figures.curves.central("f", np.array([0.0, 1.0])).count.tolist() == [0, 0]
    empty = compute_figures(tally_of([], [], pages, queries=["a"]))
    assert np.isnan(empty.columns["area_recall"]).all()


def test_a_page_that_is_all_truth_has_no_fall_out():
    tally = tally_of([("a", "p", box(0, 0, 5, 5))], [("a", "p", box(0, 0, 10, 10))], {"p": 100.0})
    assert np.isnan(compute_figures(tally).fall_out).all()


@pytest.mark.parametrize("missing", ["zero", "drop"])
def test_a_query_that_finds_nothing_costs_in_mean_curves_unless_left_out(missing):
    regions = [("a", "p", box(0, 0, 10, 10)), ("silent", "p", box(20, 0, 30, 10))]
    tally = tally_of([("a", "p", box(0, 0, 10, 10))], regions, PAGES)
    curve = compute_figures(tally, MeasureSettings(missing=missing)).curves.central(
        "precision", np.array([1.0])
    )
    assert (curve.mean.tolist(), curve.count.tolist()) == {
        "zero": ([0.5], [2]),
        "drop": ([1.0], [1]),
    }[missing]
