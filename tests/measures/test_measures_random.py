"""Figures of random polygons against unions made anew at every rank, and what always holds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon, union_all

from spotlab.measures.figures import compute_figures
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.tally import Overlap, Tally
from tests.measures.tally_cases import Placed, tally_of

PAGES = {"p": 400.0, "q": 400.0}
QUICK = settings(max_examples=40, deadline=None)


@st.composite
def placed(draw: st.DrawFn, least: int = 0, most: int = 8) -> list[Placed]:
    """Triangles, rectangles and hexagons on two pages of 20 × 20 px, of two queries."""
    found = []
    for _ in range(draw(st.integers(least, most))):
        x, y = draw(st.integers(3, 17)), draw(st.integers(3, 17))
        radius = draw(st.sampled_from([1, 2, 3]))
        ring = Point(x, y).buffer(radius, quad_segs=draw(st.sampled_from([1, 2]))).exterior.coords
        found.append((draw(st.sampled_from("ab")), draw(st.sampled_from("pq")), list(ring)[:-1]))
    return found


def _united_area(placed: list[Placed]) -> float:
    pages = [[Polygon(ring) for _, on, ring in placed if on == page] for page in PAGES]
    return float(sum(union_all(shapes).area for shapes in pages))


def _shared_area(spots: list[Placed], regions: list[Placed]) -> float:
    total = 0.0
    for page in PAGES:
        retrieved, truth = (
            union_all([Polygon(ring) for _, on, ring in each if on == page])
            for each in (spots, regions)
        )
        total += retrieved.intersection(truth).area
    return total


def _of(query: str, placed: list[Placed]) -> list[Placed]:
    return [each for each in placed if each[0] == query]


@QUICK
@given(placed(1), placed(1))
def test_union_figures_at_every_rank(spots, regions):
    tally = tally_of(spots, regions, PAGES)
    figures = compute_figures(tally)
    for number, query in enumerate(tally.queries):
        own, truth = _of(query, spots), _of(query, regions)
        whole = _united_area(truth)
        for count in range(1, len(own) + 1):
            at = tally.starts[number] + count - 1
            shared, retrieved = _shared_area(own[:count], truth), _united_area(own[:count])
            assert figures.precision[at] == pytest.approx(shared / retrieved, abs=1e-9)
            assert figures.fall_out[at] == pytest.approx(
                (retrieved - shared) / (800 - whole), abs=1e-9
            )
            if whole:
                assert figures.recall[at] == pytest.approx(shared / whole, abs=1e-9)


@QUICK
@given(placed(1), placed(1))
def test_sum_figures_at_every_rank(spots, regions):
    tally = tally_of(spots, regions, PAGES)
    figures = compute_figures(tally, MeasureSettings(overlap=Overlap.SUM))
    for number, query in enumerate(tally.queries):
        own, truth = _of(query, spots), _of(query, regions)
        for count in range(1, len(own) + 1):
            at = tally.starts[number] + count - 1
            pairs = [(one, other) for one in own[:count] for other in truth if one[1] == other[1]]
            shared = sum(
                Polygon(one[2]).intersection(Polygon(other[2])).area for one, other in pairs
            )
            assert figures.relevant[at] == pytest.approx(shared, abs=1e-9)
            areas = [Polygon(ring).area for _, _, ring in own[:count]]
            assert figures.retrieved[at] == pytest.approx(sum(areas), abs=1e-9)


@QUICK
@given(placed(1), placed(1), st.sampled_from([0.3, 0.6, 0.75, 1.0]))
def test_symbols_at_every_rank(spots, regions, share):
    tally = tally_of(spots, regions, PAGES)
    figures = compute_figures(tally, MeasureSettings(recognised=share))
    for number, query in enumerate(tally.queries):
        own, truth = _of(query, spots), _of(query, regions)
        for count in range(1, len(own) + 1):
            found = [
                region
                for region in truth
                if _shared_area(own[:count], [region]) >= (share - 1e-9) * Polygon(region[2]).area
            ]
            false = sum(not _shared_area([spot], found) > 1e-9 for spot in own[:count])
            at = tally.starts[number] + count - 1
            assert (figures.recognised[at], figures.false_positives[at]) == (len(found), false)


@QUICK
@given(placed(), placed(), st.sampled_from([0.5, 1.0, 2.0]), st.sampled_from(list(Overlap)))
def test_what_always_holds(spots, regions, beta, overlap):
    tally = tally_of(spots, regions, PAGES)
    figures = compute_figures(tally, MeasureSettings(beta=beta, overlap=overlap))
    both = ~np.isnan(figures.precision) & ~np.isnan(figures.recall)
    low, high = np.sort([figures.precision[both], figures.recall[both]], axis=0)
    assert (figures.f[both] >= low - 1e-9).all()
    assert (figures.f[both] <= high + 1e-9).all()
    same_query = np.diff(tally.query) == 0
    assert not (np.diff(figures.recall)[same_query] < 0).any()
    assert not (np.diff(figures.recognised)[same_query] < 0).any()
    if overlap is Overlap.UNION:
        assert not (figures.recall > 1 + 1e-9).any()
        assert not (figures.precision > 1 + 1e-9).any()
    hits, retrieved = (
        figures.columns[f"average_precision_{name}"] for name in ("hits", "retrieved")
    )
    assert not (hits < retrieved - 1e-9).any()


@QUICK
@given(placed(1))
def test_a_run_that_is_the_truth_is_perfect(regions):
    columns = compute_figures(tally_of(regions, regions, PAGES)).columns
    for name in ("area_precision", "area_recall", "f", "average_precision_hits"):
        assert columns[name] == pytest.approx(np.ones(len(columns[name])))
    assert columns["fall_out"] == pytest.approx(np.zeros(len(columns["f"])), abs=1e-9)
    assert columns["recognition_rate"] == pytest.approx(np.full(len(columns["f"]), 100))
    assert not columns["false_positives"].any()


@QUICK
@given(placed(1), placed(1), st.randoms(use_true_random=False))
def test_the_order_of_equals_changes_only_what_lies_between(spots, regions, random):
    shuffled = list(spots)
    random.shuffle(shuffled)
    scores = [0.5] * len(spots)
    some, other = (
        compute_figures(tally_of(each, regions, PAGES, scores=scores)) for each in (spots, shuffled)
    )
    assert some.tally.run.tied.sum() == sum(
        len(_of(q, spots)) > 1 and len(_of(q, spots)) for q in "ab"
    )
    for name in ("area_precision", "area_recall", "f", "fall_out", "recognised", "false_positives"):
        np.testing.assert_allclose(some.columns[name], other.columns[name], atol=1e-9)


def _apart(rings: list[Placed]) -> list[Placed]:
    kept: list[Placed] = []
    for one in rings:
        others = [each for each in kept if each[:2] == one[:2]]
        if not any(Polygon(one[2]).intersects(Polygon(each[2])) for each in others):
            kept.append(one)
    return kept


@QUICK
@given(placed(1), placed(1))
def test_sum_is_union_where_nothing_overlaps(spots, regions):
    tally = tally_of(_apart(spots), _apart(regions), PAGES)
    union, printed = (compute_figures(tally, MeasureSettings(overlap=each)) for each in Overlap)
    for name in ("retrieved", "relevant", "truth", "precision", "recall", "fall_out", "f"):
        np.testing.assert_allclose(getattr(union, name), getattr(printed, name), atol=1e-9)


@QUICK
@given(placed(1), placed(1))
def test_cut_figures_are_those_of_a_shorter_run(spots, regions):
    tally = tally_of(spots, regions, PAGES, queries="ab")
    counts = np.diff(tally.starts) // 2
    kept = [each for query, count in zip(tally.queries, counts, strict=True)
            for each in _of(query, spots)[:count]]  # fmt: skip
    short = compute_figures(tally_of(kept, regions, PAGES, queries="ab"))
    assert isinstance(short.tally, Tally)
    for name, values in compute_figures(tally).at(counts).items():
        np.testing.assert_allclose(values, short.columns[name], atol=1e-9, err_msg=name)


@QUICK
@given(placed(), placed(least=1))
def test_mean_fall_out_rises_with_recall_and_ends_with_that_of_whole_lists(
    spots: list[Placed], regions: list[Placed]
) -> None:
    figures = compute_figures(tally_of(spots, regions, PAGES))
    curve = figures.curves.central("fall_out", np.linspace(0, 2, 21))
    known = curve.mean[~np.isnan(curve.mean)]
    assert (np.diff(known) >= -1e-12).all() and len(set(curve.count.tolist())) == 1
    takes_part = (figures.truth > 0) & (np.diff(figures.tally.starts) > 0)
    if takes_part.any():
        at_end = figures.at(np.diff(figures.tally.starts))["fall_out"][takes_part]
        assert known[-1] == pytest.approx(at_end.mean())
