"""George Washington's pages: words that one person has framed and another one has outlined."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import shapely
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from spotlab.formats.runs import ReadRun
from spotlab.model import Region, Truth
from spotlab.studies.annotators.agreement import AnnotatorStudy, measure_annotators
from spotlab.studies.annotators.differences import AnnotatorAgreement, compare_collections
from spotlab.studies.tally.truth import TruthSet
from tests.studies.test_evaluate_real import boxes, polygons

PAGES = 4


@pytest.fixture
def study(shared_data: Path) -> AnnotatorStudy:
    return studied(shared_data / "gw20_words")


@cache
def studied(folder: Path) -> AnnotatorStudy:
    """Both annotators, and the frames once more as a run; words whatever is written there."""
    drawn = dict(list(polygons(folder, labelled=False).items())[:PAGES])
    framed = boxes(folder, labelled=False).run
    frames = {}
    for name, truth in drawn.items():
        here = np.flatnonzero(np.array(framed.pages)[framed.page] == name).tolist()
        regions = [
            Region(tuple(map(tuple, framed.outlines[at].tolist())), "word", f"b{at}") for at in here
        ]
        frames[name] = Truth(truth.page, tuple(regions))
    return measure_annotators(
        {"frames": TruthSet(frames), "outlines": TruthSet(drawn)}, [ReadRun(framed)]
    )


def test_annotators_agree_as_far_as_one_is_a_run_against_the_other(study: AnnotatorStudy) -> None:
    one, other = study.pair(0, 1), study.pair(1, 0)
    assert one is not None
    assert other is not None
    precision, recall = one.pooled("precision"), one.pooled("recall")
    assert (precision, recall) == pytest.approx((0.95, 0.81), abs=0.03)
    assert (other.pooled("recall"), other.pooled("precision")) == pytest.approx((precision, recall))
    assert one.pooled("f") == pytest.approx(other.pooled("f"))


def test_one_of_the_annotators_is_a_run_that_is_half_right_by_definition(
    study: AnnotatorStudy,
) -> None:
    """Its own truth gives 1, the other one's what the two agree on."""
    figures, pair = study.runs[0].figures.pooled(), study.pair(0, 1)
    assert pair is not None
    precision, recall = pair.pooled("precision"), pair.pooled("recall")
    assert figures["mean_precision"] == pytest.approx((1 + precision) / 2)
    assert figures["mean_recall"] == pytest.approx((1 + recall) / 2)
    assert figures["expected_precision"] == pytest.approx((1 + precision) / 2)
    assert figures["precision_spread"] == pytest.approx((1 - precision) / 2)
    assert figures["any_precision"] == pytest.approx(1)
    assert figures["every_recall"] == pytest.approx(1)
    assert figures["every_precision"] == pytest.approx(precision)


def test_agreement_and_all_that_is_marked_add_up(study: AnnotatorStudy) -> None:
    """A(T₁ ∪ T₂) + A(T₁ ∩ T₂) = A(T₁) + A(T₂), though these are outlines that trip GEOS."""
    figures = study.runs[0].figures
    every, marked = figures.every.truth.sum(), figures.any.truth.sum()
    assert every + marked == pytest.approx(sum(own.truth.sum() for own in figures.own), rel=1e-9)
    assert 2 * figures.expected.truth.sum() == pytest.approx(every + marked, rel=1e-9)


def test_regions_match_as_in_the_largest_matching_and_iou_follows_from_f(
    study: AnnotatorStudy,
) -> None:
    frames, outlines = study.annotated.truths
    found = compare_collections(frames, outlines)
    assert isinstance(found, AnnotatorAgreement)
    pair = study.pair(0, 1)
    assert pair is not None
    f = pair.pooled("f")
    assert found.iou == pytest.approx(f / (2 - f))
    for name, page in found.pages.items():
        shapes = [
            [shapely.make_valid(shapely.Polygon(region.points)) for region in truth[name].regions]
            for truth in (frames, outlines)
        ]
        near = shapely.STRtree(shapes[1]).query(shapes[0])
        one, other = np.array(shapes[0])[near[0]], np.array(shapes[1])[near[1]]
        shared = shapely.area(shapely.intersection(one, other))
        able = shared / (shapely.area(one) + shapely.area(other) - shared) >= 0.5
        graph = csr_array((np.ones(int(able.sum())), tuple(near[:, able])), tuple(map(len, shapes)))
        largest = maximum_bipartite_matching(graph, perm_type="column")
        assert page.matched == pytest.approx((largest >= 0).sum(), abs=1)
    assert found.differences.kappa < 0  # all are words, and nobody can agree on what is not drawn
