"""Figures at every threshold, by cutting the run there for real, and what is looked up in them."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from spotlab.measures.cuts import operating_points
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.tally import Overlap
from spotlab.studies.evaluate.cuts import BEST_F, CutRule, FiguresAtCut, ListCut, parse_rule
from tests.measures.tally_cases import box, tally_of
from tests.measures.test_intervals import random_case

PAGES = {"p": 1600.0, "q": 1600.0, "r": 1600.0}


def random_figures(seed: int, overlap: Overlap = Overlap.UNION) -> RunFigures:
    """A run with equal scores, spots without score, scores that rise along the list."""
    spots, regions = random_case(seed)
    random = np.random.default_rng(seed)
    scores = random.integers(0, 9, len(spots)) / 8
    scores[random.random(len(spots)) < 0.1] = np.nan
    truth = [*regions, ("silent", "p", box(30, 30, 35, 35))]
    ranks = None if seed % 2 else np.arange(len(spots)) + 1.0
    scores = np.nan_to_num(scores) if ranks is None else scores
    tally = tally_of(spots, truth, PAGES, ["a", "b", "c", "silent"], scores, ranks)
    return compute_figures(tally, MeasureSettings(overlap=overlap, beta=1 + seed % 2))


@pytest.mark.parametrize("overlap", list(Overlap))
@pytest.mark.parametrize("by", ["rank", "score"])
@pytest.mark.parametrize("seed", range(6))
def test_every_threshold_is_that_of_the_run_cut_there(seed, by, overlap):
    figures = random_figures(seed, overlap)
    for query in (None, "a", "silent"):
        points = operating_points(figures, by, query)
        assert query == "silent" or len(points.value) > 2
        for place, value in enumerate(points.value.tolist()):
            counts = ListCut(by, value).counts(figures.tally)
            there = FiguresAtCut(figures, counts).of(query)
            expected = [there[name] for name in ("area_precision", "area_recall", "f")]
            found = [values[place] for values in (points.precision, points.recall, points.f)]
            expected = [np.nan if each is None else each for each in expected]
            assert found == pytest.approx(expected, abs=1e-12, nan_ok=True), (query, value)


@pytest.mark.parametrize("by", ["rank", "score"])
@pytest.mark.parametrize("seed", range(4))
def test_pooled_points_are_those_of_all_areas_together(seed, by):
    figures = random_figures(seed)
    points = operating_points(figures, by, pooled=True)
    own, beta = figures.in_truth, figures.settings.beta
    for place, value in enumerate(points.value.tolist()):
        sums = figures.sums_at(ListCut(by, value).counts(figures.tally))
        retrieved, relevant, truth = (
            float(each[own].sum()) for each in (sums.retrieved, sums.relevant, sums.truth)
        )
        precision = relevant / retrieved if retrieved else np.nan
        f = (1 + beta**2) * relevant / (beta**2 * truth + retrieved)
        found = points.precision[place], points.recall[place], points.f[place]
        assert found == pytest.approx((precision, relevant / truth, f), nan_ok=True)


@pytest.mark.parametrize("seed", range(6))
def test_rules_find_what_trying_every_cut_finds(seed):
    figures = random_figures(seed)
    tally = figures.tally
    scores = np.unique(tally.score[~np.isnan(tally.score)])[::-1]
    cuts = {
        "rank": [ListCut("rank", rank) for rank in range(int(tally.rank.max()) + 1)],
        "score": [ListCut("score", 2.0), *(ListCut("score", float(score)) for score in scores)],
    }
    for by, tried in cuts.items():
        every = [FiguresAtCut(figures, cut.counts(tally)).of(None) for cut in tried]

        def figures_at(cut: ListCut) -> tuple[float | None, ...]:
            there = FiguresAtCut(figures, cut.counts(tally)).of(None)
            return there["f"], there["area_recall"], there["area_precision"]

        best = BEST_F.cut_of(figures, by)
        assert figures_at(best)[0] == pytest.approx(max(there["f"] for there in every))
        level = sorted(there["area_recall"] for there in every)[len(every) // 2]
        recall = figures_at(CutRule("recall", level).cut_of(figures, by))[1]
        assert recall == pytest.approx(level)  # what some cut has, the rule finds
        defined = [there for there in every if there["area_precision"] is not None]
        level = sorted(there["area_precision"] for there in defined)[len(defined) // 2]
        most = max(there["area_recall"] for there in defined if there["area_precision"] >= level)
        found = figures_at(CutRule("precision", level).cut_of(figures, by))
        assert found[1] == pytest.approx(most) and found[2] >= level - 1e-9
        assert CutRule("recall", 1.0).cut_of(figures, by) is None  # "silent" is never found


@pytest.mark.parametrize("overlap", list(Overlap))
@pytest.mark.parametrize("by", ["rank", "score"])
def test_spots_may_be_looked_at_in_parts_of_any_length(monkeypatch, by, overlap):
    figures = random_figures(4, overlap)
    names = [None, *figures.tally.queries]
    whole = [operating_points(figures, by, name) for name in names]
    for length in (1, 2, 3, 7):
        monkeypatch.setattr("spotlab.measures.cuts.AT_ONCE", length)
        anew = compute_figures(figures.tally, figures.settings)
        for name, wanted in zip(names, whole, strict=True):
            found = operating_points(anew, by, name)
            for column in ("value", "precision", "recall", "f"):
                np.testing.assert_array_equal(getattr(found, column), getattr(wanted, column))


def test_by_hand():
    # 200 px² of truth; after each spot P = 1, 1/2, 160/260 and R = .5, .5, .8
    spots = [
        ("a", "p", box(*place)) for place in ((0, 0, 10, 10), (0, 20, 10, 30), (10, 0, 16, 10))
    ]
    tally = tally_of(spots, [("a", "p", box(0, 0, 20, 10))], PAGES, scores=[0.9, 0.8, 0.7])
    figures = compute_figures(tally)
    points = operating_points(figures, "score")
    assert points.value[1:].tolist() == [0.9, 0.8, 0.7] and points.value[0] > 0.9
    assert points.f.tolist() == pytest.approx([0, 2 / 3, 1 / 2, 320 / 460])
    assert BEST_F.cut_of(figures) == ListCut("score", 0.7)
    assert BEST_F.cut_of(figures, "rank") == ListCut("rank", 3)
    assert CutRule("recall", 0.5).cut_of(figures) == ListCut("score", 0.9)
    assert CutRule("precision", 0.6).cut_of(figures) == ListCut("score", 0.7)
    assert CutRule("precision", 0.7).cut_of(figures) == ListCut("score", 0.9)
    assert CutRule("recall", 0.81).cut_of(figures) is None


def test_a_run_without_scores_is_cut_at_ranks():
    spots = [("a", "p", box(0, 0, 10, 10)), ("a", "p", box(0, 20, 10, 30))]
    tally = tally_of(spots, spots[:1], PAGES, scores=[np.nan, np.nan], ranks=[1, 2])
    assert BEST_F.cut_of(compute_figures(tally)) == ListCut("rank", 1)


def test_nothing_retrieved_and_no_truth():
    silent = compute_figures(tally_of([], [("a", "p", box(0, 0, 5, 5))], PAGES))
    assert BEST_F.cut_of(silent) == ListCut("rank", 0)  # F is 0 there, and nowhere else defined
    assert CutRule("recall", 0.1).cut_of(silent) is CutRule("precision", 0.1).cut_of(silent) is None
    alien = compute_figures(tally_of([("a", "p", box(0, 0, 5, 5))], [], PAGES))
    assert BEST_F.cut_of(alien) is None  # the truth has no query
    assert BEST_F.cut_of(silent, query="unknown") is None


def test_points_are_forgotten_with_their_figures():
    figures = random_figures(0)
    assert operating_points(figures) is operating_points(figures)
    there = weakref.ref(figures)
    del figures
    gc.collect()
    assert there() is None


@pytest.mark.parametrize(
    "text", ["", "best", "best-f=1", "rank", "rank=1.5", "rank=-1", "recall=0", "recall=nan",
             "precision=1.2", "score=high"]
)  # fmt: skip
def test_what_is_no_rule_is_refused(text):
    with pytest.raises(ValueError, match=r"cut|rule|value|rank|share|number"):
        parse_rule(text)


def test_rules_are_named():
    assert parse_rule("rank=20") == CutRule("rank", 20)
    assert parse_rule("score=-.5") == CutRule("score", -0.5)
