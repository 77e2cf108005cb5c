"""Average precision at an IoU threshold: by hand, by brute force, and against pycocotools.

pycocotools orders equal scores by image and then by their place in the list of results, both with
a stable sort; spots are given here page by page for that reason, so that both orders agree.
"""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from spotlab.measures.figures import compute_figures
from spotlab.measures.matching import (
    ROUNDS,
    average_precision_at_iou,
    average_precision_of,
    iou_pairs,
    match_pairs,
    match_spots,
)
from tests.measures.tally_cases import Placed, box, tally_of

THRESHOLDS = np.linspace(0.5, 0.95, 10)

PAGE = {"p": 10_000.0}
SQUARE = box(0, 0, 10, 10)


def placed_at(left: float, query: str = "a", page: str = "p") -> Placed:
    """A square of 10 × 10."""
    return query, page, box(left, 0, left + 10, 10)


def random_boxes(random, count, pages, queries, about=None):
    """(query, page, box) page by page; near boxes of ``about`` most of the time."""
    found = []
    for _ in range(count):
        if about and random.random() < 0.8:
            query, page, old = about[random.integers(len(about))]
            left, top, right, bottom = *old[0], *old[2]
            left, right = (left + random.integers(-8, 9) / 4, right + random.integers(-8, 9) / 4)
            top += random.integers(-8, 9) / 4
        else:
            query, page = random.choice(queries), random.choice(pages)
            left, top = random.integers(0, 60, 2)
            right, bottom = left + random.integers(3, 20), top + random.integers(3, 20)
        if right - left > 0.5 and bottom - top > 0.5:
            ring = box(float(left), float(top), float(right), float(bottom))
            found.append((str(query), str(page), ring))
    return sorted(found, key=lambda each: each[1])


def by_pycocotools(spots, regions, scores, pages, queries):
    """(10, Q) average precisions at IoU .5, .55, … .95; -1 where a query has no truth."""

    def entry(number, placed):
        query, page, ring = placed
        (left, top), (right, bottom) = ring[0], ring[2]
        return {
            "id": number + 1, "image_id": pages.index(page), "category_id": queries.index(query),
            "bbox": [left, top, right - left, bottom - top],
            "area": (right - left) * (bottom - top), "iscrowd": 0,
        }  # fmt: skip

    truth, results = COCO(), COCO()
    named = {
        "images": [{"id": number} for number in range(len(pages))],
        "categories": [{"id": number} for number in range(len(queries))],
    }
    truth.dataset = named | {"annotations": [entry(*each) for each in enumerate(regions)]}
    found = [entry(*each) for each in enumerate(spots)]
    results.dataset = named | {
        "annotations": [each | {"score": score} for each, score in zip(found, scores, strict=True)]
    }
    with contextlib.redirect_stdout(io.StringIO()):
        truth.createIndex()
        results.createIndex()
        evaluation = COCOeval(truth, results, "bbox")
        evaluation.params.maxDets = [100_000]
        evaluation.params.areaRng, evaluation.params.areaRngLbl = [[0, 1e10]], ["all"]
        evaluation.evaluate()
        evaluation.accumulate()
    return evaluation.eval["precision"][:, :, :, 0, 0].mean(axis=1)


@pytest.mark.parametrize("seed", range(12))
def test_the_same_as_pycocotools(seed):
    random = np.random.default_rng(seed)
    pages, queries = ["p", "q", "r"][: 1 + seed % 3], ["a", "b", "c"][: 1 + seed % 2]
    regions = random_boxes(random, 25, pages, queries)
    spots = random_boxes(random, 70, pages, queries, regions)
    scores = random.integers(0, 12, len(spots)) / 8  # many are equal
    tally = tally_of(spots, regions, dict.fromkeys(pages, 1e4), queries, scores)
    theirs = by_pycocotools(spots, regions, scores, pages, queries)
    assert 0.02 < theirs[0].max() < 0.98  # the case is neither empty nor trivial
    for threshold, precisions in zip(THRESHOLDS, theirs, strict=True):
        ours = average_precision_at_iou(tally, float(threshold))
        assert ours == pytest.approx(precisions, abs=1e-9), threshold
    ten = compute_figures(tally).columns["iou_precision_50_95"]
    assert ten == pytest.approx(theirs.mean(axis=0), abs=1e-9)


def test_queries_without_truth_or_spots_like_pycocotools():
    spots, regions = [placed_at(0, "a"), placed_at(0, "c")], [placed_at(0, "a"), placed_at(0, "b")]
    theirs = by_pycocotools(spots, regions, [1.0, 0.5], ["p"], ["a", "b", "c"])
    assert theirs[0].tolist() == pytest.approx([1, 0, -1])
    tally = tally_of(spots, regions, PAGE)
    for found in (
        average_precision_at_iou(tally),
        compute_figures(tally).columns["iou_precision_50_95"],
    ):
        assert found[:2].tolist() == [1, 0]
        assert np.isnan(found[2])


def test_nothing_at_all():
    assert np.isnan(average_precision_at_iou(tally_of([], [], PAGE, ["a"]))).tolist() == [True]
    assert len(average_precision_at_iou(tally_of([], [], PAGE))) == 0


def test_iou_by_hand():
    tally = tally_of([placed_at(0), placed_at(5)], [placed_at(5), placed_at(2, "b")], PAGE)
    found = dict(
        zip(zip(tally.pair_spot, tally.pair_region, strict=True), iou_pairs(tally), strict=True)
    )
    expected = {(0, 0): 50 / 150, (0, 1): 80 / 120, (1, 0): 1.0, (1, 1): 70 / 130}
    assert found == pytest.approx(expected)


def test_average_precision_by_hand():
    # right, wrong, right of two: precision 1 up to recall .5, then 2/3
    spots = [placed_at(0), placed_at(50), placed_at(100)]
    tally = tally_of(spots, [placed_at(0), placed_at(100)], PAGE)
    assert average_precision_at_iou(tally) == pytest.approx([(51 + 50 * 2 / 3) / 101])
    assert average_precision_at_iou(tally, interpolation="exact") == pytest.approx([5 / 6])


def test_a_late_peak_lifts_all_before_it():
    # wrong, right, right of three: precision 0, 1/2, 2/3; recall .67 has 2/3 everywhere before
    spots = [placed_at(50), placed_at(0), placed_at(100)]
    tally = tally_of(spots, [placed_at(0), placed_at(100), placed_at(200)], PAGE)
    assert average_precision_at_iou(tally) == pytest.approx([67 * 2 / 3 / 101])
    assert average_precision_at_iou(tally, interpolation="exact") == pytest.approx([4 / 9])


def test_the_threshold_itself_is_enough():
    tally = tally_of([("a", "p", box(0, 0, 10, 5))], [("a", "p", SQUARE)], PAGE)
    assert match_spots(tally, 0.5).tolist() == [0]
    assert match_spots(tally, 0.5 + 1e-9).tolist() == [-1]
    exact = tally_of([("a", "p", SQUARE)], [("a", "p", SQUARE)], PAGE)
    assert match_spots(exact, 1.0).tolist() == [0]


def test_the_earlier_spot_chooses_first_and_the_best_that_is_free():
    regions = [placed_at(0), placed_at(4)]
    # both prefer region 0 (IoU 9/11 each, 7/13 with region 1); the second takes what is left
    assert match_spots(tally_of([placed_at(1), placed_at(1)], regions, PAGE)).tolist() == [0, 1]
    assert match_spots(tally_of([placed_at(1)] * 3, regions, PAGE)).tolist() == [0, 1, -1]
    assert match_spots(tally_of([placed_at(1), placed_at(0)], [placed_at(0)], PAGE)).tolist() == [
        0,
        -1,
    ]


def one_by_one(spot, region, iou, spots):
    """Each spot's choice by the words of the definition."""
    matched = [-1] * spots
    for at in range(spots):
        wanted = [
            (high, other)
            for of, other, high in zip(spot, region, iou, strict=True)
            if of == at and other not in matched
        ]
        matched[at] = max(wanted)[1] if wanted else -1
    return matched


@pytest.mark.parametrize("seed", range(30))
def test_matching_all_at_once_is_matching_one_by_one(seed):
    random = np.random.default_rng(seed)
    spots, regions = random.integers(1, 40), random.integers(1, 25)
    every = np.indices((spots, regions)).reshape(2, -1)
    spot, region = every[:, random.permutation(every.shape[1])[: random.integers(0, 200)]]
    iou = random.integers(90, 96, len(spot)) / 100  # many are equal
    found = match_pairs(spot, region, iou, spots, regions)
    assert found.tolist() == one_by_one(spot.tolist(), region.tolist(), iou.tolist(), spots)


@pytest.mark.parametrize("length", [3, ROUNDS, ROUNDS + 1, 100])
def test_long_chains_of_displaced_spots(length):
    # spot k would rather have region k - 1, which the one before takes, and would take a last one
    spot = np.repeat(np.arange(length), 3)
    region = np.maximum(spot + np.tile([-1, 0, length], length), 0)
    iou = np.tile([0.9, 0.6, 0.5], length)
    chosen = slice(1, None)  # the first spot has no region before it
    found = match_pairs(spot[chosen], region[chosen], iou[chosen], length, 2 * length)
    assert found.tolist() == list(range(length))


def test_of_equally_good_regions_the_later():
    assert match_spots(tally_of([placed_at(2)], [placed_at(0), placed_at(4)], PAGE)).tolist() == [1]


def test_other_labels_and_pages_do_not_match():
    pages = {"p": 1e4, "q": 1e4}
    tally = tally_of(
        [placed_at(0, "a", "q"), placed_at(0, "b", "p")], [placed_at(0, "a", "p")], pages
    )
    assert match_spots(tally).tolist() == [-1, -1]


@settings(deadline=None)
@given(st.lists(st.booleans(), max_size=30), st.integers(1, 40))
def test_interpolations_against_their_definitions(right, symbols):
    symbols = max(symbols, sum(right))
    starts = np.array([0, len(right)])
    ranks = range(1, len(right) + 1)
    curve = [(sum(right[:rank]) / symbols, sum(right[:rank]) / rank) for rank in ranks]

    def best(recall: float) -> float:
        return max((high for reached, high in curve if reached >= recall), default=0.0)

    exact = sum(best(hit / symbols) for hit in range(1, symbols + 1)) / symbols
    sampled = sum(best(recall) for recall in np.linspace(0, 1, 101)) / 101
    for kind, expected in (("exact", exact), ("coco", sampled)):
        found = average_precision_of(
            np.array(right, bool), np.ones(len(right)), starts, np.array([symbols]), kind
        )
        assert found == pytest.approx([expected], abs=1e-12)
