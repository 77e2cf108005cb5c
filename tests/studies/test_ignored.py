"""Ignored regions: figures against a brute force over pixels, and against pycocotools."""

from __future__ import annotations

import contextlib
import io
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

from spotlab.geometry.coverage import Engine
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.intervals import page_columns
from spotlab.measures.matching import (
    ERROR_KINDS,
    ErrorKind,
    average_precision_at_iou,
    classify_errors,
)
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.tally import Overlap
from spotlab.model import Ignore
from tests.studies.ignored_cases import (
    QUICK,
    REGIONS,
    SIDE,
    SPOTS,
    Box,
    Placed,
    placed,
    tally_of,
    union,
)


def check_areas(figures: RunFigures, spots: list[Placed], regions: list[Placed]) -> None:
    """Every area figure at every rank, by counting pixels."""
    tallied, summed = figures.tally, figures.settings.overlap is Overlap.SUM
    for number, query in enumerate(tallied.queries):
        counts = ~union([each for each in regions if each.concerns(query)])
        own = [each for each in spots if each.label == query]
        truth = [each for each in regions if each.label == query and each.ignore is Ignore.NO]
        pages = int(counts.sum())
        whole = (
            sum(int((each.pixels & counts).sum()) for each in truth)
            if summed
            else int((union(truth) & counts).sum())
        )
        assert figures.sums.pages[number] == pytest.approx(pages, abs=1e-9)
        assert figures.truth[number] == pytest.approx(whole, abs=1e-9)
        share = figures.columns["generality"][number]
        assert share == pytest.approx(whole / pages if pages else math.nan, nan_ok=True)
        for count in range(1, len(own) + 1):
            at, kept = int(tallied.starts[number]) + count - 1, own[:count]
            if summed:
                retrieved = sum(int((each.pixels & counts).sum()) for each in kept)
                relevant = sum(
                    int((one.pixels & other.pixels & counts).sum())
                    for one in kept
                    for other in truth
                )
            else:
                retrieved = int((union(kept) & counts).sum())
                relevant = int((union(kept) & union(truth) & counts).sum())
            expected = {
                "precision": relevant / retrieved if retrieved else math.nan,
                "recall": relevant / whole if whole else math.nan,
                "fall_out": (retrieved - relevant) / (pages - whole) if pages > whole else math.nan,
                "f": 2 * relevant / (whole + retrieved) if whole + retrieved else math.nan,
            }
            for name, value in expected.items():
                got = getattr(figures, name)[at]
                assert got == pytest.approx(value, abs=1e-9, nan_ok=True), (name, query, count)


def overlap_on(spot: Placed, region: Placed) -> float:
    """IoU, or the share of the spot for an ignored area."""
    shared = int((spot.pixels & region.pixels).sum())
    area, other = int(spot.pixels.sum()), int(region.pixels.sum())
    whole = area if region.ignore is Ignore.AREA else area + other - shared
    return shared / whole if whole else 0.0


def states(spots: list[Placed], regions: list[Placed], threshold: float) -> list[str]:
    """Whether each spot is right, false or ignored, one by one in rank order."""
    taken: set[int] = set()
    found = []
    for spot in spots:
        here = [
            (overlap_on(spot, region), number)
            for number, region in enumerate(regions)
            if region.page == spot.page
        ]
        reached = [(share, number) for share, number in here if share >= threshold]
        own = [
            (share, number)
            for share, number in reached
            if regions[number].ignore is Ignore.NO
            and regions[number].label == spot.label
            and number not in taken
        ]
        if own:
            taken.add(max(own)[1])
            found.append("right")
        elif any(regions[number].concerns(spot.label) for _, number in reached):
            found.append("ignored")
        else:
            found.append("false")
    return found


@QUICK
@given(SPOTS, REGIONS, st.sampled_from(list(Overlap)), st.sampled_from(["compiled", "reference"]))
def test_area_figures_are_those_of_the_pixels(
    spots: list[Placed], regions: list[Placed], overlap: Overlap, engine: str
) -> None:
    tallied = tally_of(spots, regions, Engine(engine))
    check_areas(compute_figures(tallied, MeasureSettings(overlap=overlap)), spots, regions)


@QUICK
@given(SPOTS, REGIONS, st.sampled_from([0.25, 0.5, 0.75]))
def test_symbol_figures_are_those_of_the_pixels(
    spots: list[Placed], regions: list[Placed], threshold: float
) -> None:
    tallied = tally_of(spots, regions)
    figures = compute_figures(tallied, MeasureSettings(iou=threshold))
    errors = classify_errors(tallied, threshold)
    ignored, missed = errors.count(ErrorKind.IGNORED), errors.count(ErrorKind.MISSED)
    for number, query in enumerate(tallied.queries):
        own = [each for each in spots if each.label == query]
        truth = [each for each in regions if each.label == query and each.ignore is Ignore.NO]
        kinds = states(own, regions, threshold)
        here = slice(tallied.starts[number], tallied.starts[number + 1])
        assert figures.sums.symbols[number] == len(truth)
        assert figures.lists.right[here].tolist() == [kind == "right" for kind in kinds]
        assert figures.lists.ignored[here].tolist() == [kind == "ignored" for kind in kinds]
        assert (ignored[number], missed[number] <= len(truth)) == (kinds.count("ignored"), True)
        covered = union(own)
        found = [each for each in truth
                 if each.pixels.any()
                 and (each.pixels & covered).sum() >= 0.75 * each.pixels.sum() - 1e-9]  # fmt: skip
        false = [
            kind != "ignored" and not (spot.pixels & union(found)).any()
            for spot, kind in zip(own, kinds, strict=True)
        ]
        assert figures.sums.recognised[number] == len(found)
        assert figures.sums.false_positives[number] == sum(false)
        judged = len(own) - kinds.count("ignored")
        right = kinds.count("right") / judged if judged else math.nan
        assert figures.columns["precision_at_iou"][number] == pytest.approx(right, nan_ok=True)


@QUICK
@given(SPOTS, st.lists(placed("ab ", (Ignore.NO,)), max_size=8))
def test_without_ignored_regions_nothing_is_ignored(
    spots: list[Placed], regions: list[Placed]
) -> None:
    tallied = tally_of(spots, regions)
    assert tallied.ignored is None
    assert not (classify_errors(tallied).kind == ERROR_KINDS.index(ErrorKind.IGNORED)).any()


@pytest.mark.slow
@QUICK
@given(SPOTS, REGIONS)
def test_a_spot_in_ignored_area_only_changes_no_figure(
    spots: list[Placed], regions: list[Placed]
) -> None:
    everywhere = Placed("", "q", (0, 0, SIDE, SIDE), Ignore.AREA)
    within = [Placed(label, "q", (2, 2, 5, 5)) for label in "ab"]
    before = [Placed("a", "p", (0, 0, 3, 3)), Placed("b", "p", (0, 0, 3, 3)), *spots]
    on_p = [each for each in regions if each.page == "p"]
    without = compute_figures(tally_of(before, [*on_p, everywhere]))
    first, last = (
        compute_figures(tally_of(order, [*on_p, everywhere]))
        for order in ([*within, *before], [*before, *within])
    )
    for name, values in without.columns.items():
        np.testing.assert_allclose(first.columns[name], values, atol=1e-9, err_msg=name)
        np.testing.assert_allclose(last.columns[name], values, atol=1e-9, err_msg=name)
    grid = np.linspace(0, 1, 21)
    for kind in ("precision", "fall_out", "f"):
        some, other = (each.curves.central(kind, grid).mean for each in (without, first))
        np.testing.assert_allclose(some, other, atol=1e-9, err_msg=kind)


def by_pycocotools(
    spots: list[Placed], regions: list[Placed], scores: list[float], queries: str
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """(10, Q) average precisions at IoU .5, .55, … .95; -1 where a query has no truth."""

    def entry(number: int, each: Placed) -> dict[str, Any]:
        left, top, right, bottom = each.box
        return {
            "id": number + 1, "image_id": "pq".index(each.page),
            "category_id": queries.index(each.label), "area": (right - left) * (bottom - top),
            "bbox": [left, top, right - left, bottom - top],
            "iscrowd": int(each.ignore is Ignore.AREA),
        }  # fmt: skip

    truth, results = COCO(), COCO()
    named = {
        "images": [{"id": 0}, {"id": 1}],
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
    return np.asarray(evaluation.eval["precision"][:, :, :, 0, 0].mean(axis=1))


@pytest.mark.parametrize("seed", range(12))
def test_average_precision_with_crowds_is_that_of_pycocotools(seed: int) -> None:
    random = np.random.default_rng(seed)

    def box(side: int) -> Box:
        left, top = (int(at) for at in random.integers(0, SIDE - side, 2))
        width, height = (int(at) for at in random.integers(2, side + 1, 2))
        return left, top, left + width, top + height

    def some(count: int, side: int, ignore: Ignore) -> list[Placed]:
        return [
            Placed(
                str(random.choice(["a", "b"])), str(random.choice(["p", "q"])), box(side), ignore
            )
            for _ in range(count)
        ]

    regions = [*some(12, 4, Ignore.NO), *some(3, 7, Ignore.AREA)]
    spots = [
        Placed(each.label, each.page, box(4) if random.random() < 0.3 else _moved(each.box, random))
        for each in regions
        for _ in range(3)
    ] + some(10, 3, Ignore.NO)
    spots.sort(key=lambda each: each.page)
    tallied = tally_of(spots, regions)
    scores = (-np.arange(len(spots), dtype=float)).tolist()
    theirs = by_pycocotools(spots, regions, scores, "ab")
    crowded = classify_errors(tallied).count(ErrorKind.IGNORED).sum()
    assert crowded > 0 and 0.02 < theirs[0].max() < 0.98  # neither empty nor trivial
    without = [each for each in regions if each.ignore is Ignore.NO]
    assert not np.allclose(average_precision_at_iou(tally_of(spots, without)), theirs[0])
    for threshold, precisions in zip(np.linspace(0.5, 0.95, 10), theirs, strict=True):
        ours = average_precision_at_iou(tallied, float(threshold))
        assert ours == pytest.approx(precisions, abs=1e-9), threshold
        of_measure = compute_figures(tallied, MeasureSettings(iou=float(threshold))).columns
        assert of_measure["iou_precision"] == pytest.approx(precisions, abs=1e-9)
    of_measure = compute_figures(tallied).columns
    assert of_measure["iou_precision_50_95"] == pytest.approx(theirs.mean(axis=0), abs=1e-9)


def _moved(box: Box, random: np.random.Generator) -> Box:
    by = random.integers(-1, 2, 4)
    left, top, right, bottom = (int(side + step) for side, step in zip(box, by, strict=True))
    left, top = min(max(left, 0), SIDE - 2), min(max(top, 0), SIDE - 2)
    return left, top, min(max(right, left + 1), SIDE), min(max(bottom, top + 1), SIDE)


def test_by_hand() -> None:
    # page p: a symbol of 4 × 4, of whose right half nothing counts, and a difficult one of 4 × 4
    regions = [
        Placed("a", "p", (0, 0, 4, 4)),
        Placed("", "p", (2, 0, 6, 4), Ignore.AREA),
        Placed("a", "p", (8, 0, 12, 4), Ignore.SYMBOL),
    ]
    spots = [
        Placed("a", "p", (8, 0, 12, 3)),  # on the difficult one, IoU 12 / 16
        Placed("a", "p", (0, 0, 4, 2)),  # the upper half of the symbol
        Placed("a", "p", (4, 0, 6, 8)),  # its upper half lies in ignored area
        Placed("a", "p", (0, 8, 2, 10)),  # false
    ]
    tallied = tally_of(spots, regions)
    assert tallied.gained_area.tolist() == [0, 4, 8, 4]
    assert tallied.gained_true_area.tolist() == [0, 4, 0, 0]
    assert tallied.truth_area.tolist() == [[8, 0]]
    assert tallied.evaluated_area.tolist() == [2 * 144 - 16 - 16]
    assert tallied.is_counted.tolist() == [False, True, True, True]
    figures, errors = compute_figures(tallied), classify_errors(tallied)
    assert figures.precision.tolist() == pytest.approx([math.nan, 1, 1 / 3, 1 / 4], nan_ok=True)
    assert figures.recall.tolist() == [0, 0.5, 0.5, 0.5]
    assert [ERROR_KINDS[kind] for kind in errors.kind.tolist()] == [
        ErrorKind.IGNORED, ErrorKind.CORRECT, ErrorKind.IGNORED, ErrorKind.FALSE,
    ]  # fmt: skip
    assert [(place.kind, place.spot) for place in errors.worst] == [(ErrorKind.FALSE, 3)]
    columns = figures.columns
    assert columns["symbols"].tolist() == [1]
    assert columns["iou_precision"].tolist() == [1]
    assert columns["average_precision_retrieved"].tolist() == pytest.approx([1 / 3])
    assert figures.pooled["area_recall"] == figures.mean["area_recall"] == 0.5


def test_pages_left_out_leave_ignored_area_out() -> None:
    # both pages are alike but for a page-wide ignored area: either alone has the figures of both
    def regions(page: str) -> list[Placed]:
        return [
            Placed("a", page, (0, 0, 4, 4)),
            Placed("a", page, (6, 0, 12, 12), Ignore.AREA),
        ]

    spots = [
        placed
        for page in "pq"
        for placed in (Placed("a", page, (0, 0, 4, 2)), Placed("a", page, (7, 2, 9, 8)))
    ]
    figures = compute_figures(tally_of(spots, [*regions("p"), *regions("q")]))
    for name, values in page_columns(figures).items():
        if name not in ("symbols", "recognised", "false_positives"):  # counts, of half the pages
            mean = math.nan if figures.mean[name] is None else figures.mean[name]
            assert values[:, 0] == pytest.approx([mean] * 3, nan_ok=True), name
