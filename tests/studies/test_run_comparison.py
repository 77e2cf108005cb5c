"""What changes between two runs: figures with intervals, symbols and false spots, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from spotlab.formats.runs.format import ReadRun
from spotlab.imaging.overlay import ComparedKind
from spotlab.measures.comparison import label_changes, mean_changes, page_changes
from spotlab.measures.cuts import CutRun
from spotlab.measures.intervals import ComparedRun, compare_runs, mean_interval
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.tally import Overlap
from spotlab.model.run import QueryModel
from spotlab.studies.compare.comparison import (
    CHANGES,
    ChangeKind,
    compare_figures,
    compare_two_runs,
)
from spotlab.studies.evaluate.evaluate import evaluate
from spotlab.studies.tally.truth import TruthSet
from tests.lab.parts.test_evaluate_parts import square
from tests.measures.tally_cases import box
from tests.studies.compared import cut_run, truths_of

SOFA, SMALL, BED, LAMP = (
    box(0, 0, 20, 20),
    box(40, 0, 50, 10),
    box(0, 50, 40, 90),
    box(70, 70, 80, 80),
)
FAR, AWAY = box(60, 0, 90, 10), box(60, 20, 90, 30)
REGIONS = [
    ("sofa", "one", SOFA),
    ("sofa", "one", SMALL),
    ("bed", "one", BED),
    ("sofa", "two", SOFA),
    ("lamp", "two", LAMP),
]
TRUTHS = truths_of(REGIONS, ["one", "two"])
BEFORE = [
    ("sofa", "one", SOFA),  # both find it
    ("sofa", "one", FAR),  # false; B does not have it
    ("bed", "one", box(0, 50, 40, 58)),  # a fifth of the bed
    ("sofa", "two", SOFA),  # B loses it
    ("lamp", "two", AWAY),  # false in both
]
AFTER = [
    ("sofa", "one", SOFA),
    ("sofa", "one", SMALL),  # gained
    ("bed", "one", box(0, 50, 40, 86)),  # nine tenths: gained
    ("bed", "two", FAR),  # false, new
    ("lamp", "two", AWAY),
]


def test_symbols_and_false_spots_gained_and_lost():
    first, second = cut_run("A", BEFORE, TRUTHS), cut_run("B", AFTER, TRUTHS)
    changes = compare_two_runs(first, second, TRUTHS).changes
    told = [
        (CHANGES[kind], changes.query[at], changes.page_name(at), round(changes.area[at]))
        for at, kind in enumerate(changes.kind)
    ]
    assert told == [
        (ChangeKind.GAINED, "bed", "one", 1120),
        (ChangeKind.LOST, "sofa", "two", 400),
        (ChangeKind.FALSE_GAINED, "bed", "two", 300),
        (ChangeKind.FALSE_LOST, "sofa", "one", 300),
        (ChangeKind.GAINED, "sofa", "one", 100),
    ]
    assert changes.count() == {
        ChangeKind.GAINED: 2, ChangeKind.LOST: 1,
        ChangeKind.FALSE_GAINED: 1, ChangeKind.FALSE_LOST: 1,
    }  # fmt: skip
    assert changes.count("bed")[ChangeKind.GAINED] == 1
    assert changes.region_id(0) == "r2" and changes.region_id(2) is None
    bed = changes.region[0]
    assert first.symbols.covered[bed] == 320 and second.symbols.covered[bed] == 1440
    assert first.symbols.iou[bed] == pytest.approx(0.2)
    assert second.symbols.iou[bed] == pytest.approx(0.9)
    assert first.tally.rank[changes.first_spot[0]] == 1
    assert changes.second_spot[1] == -1  # nothing of B is on the lost sofa


def test_a_cut_counts_for_both_runs():
    first = cut_run("A", BEFORE, TRUTHS, keep=1)
    second = cut_run("B", AFTER, TRUTHS, keep=1)
    found = compare_two_runs(first, second, TRUTHS)
    assert found.changes.count() == {
        ChangeKind.GAINED: 1, ChangeKind.LOST: 0,
        ChangeKind.FALSE_GAINED: 0, ChangeKind.FALSE_LOST: 0,
    }  # fmt: skip
    assert found.areas[ComparedKind.NEITHER] == 100 + 160 + 400 + 100


def test_a_symbol_may_be_matched_and_not_recognised():
    """Recognised by neither; the IoU rises from .4 to .6: it is gained all the same."""
    truths = truths_of([("bed", "one", box(0, 0, 100, 10))], ["one"])
    settings = MeasureSettings(recognised=0.9)
    first, second = (
        cut_run(name, [("bed", "one", box(0, 0, width, 10))], truths, settings)
        for name, width in (("A", 40), ("B", 60))
    )
    symbols = compare_figures(first, second).symbols
    assert symbols.count()[ChangeKind.GAINED] == 1 and symbols.area.tolist() == [200.0]
    assert not second.symbols.recognised.any() and second.symbols.matched.all()


def test_an_unlabelled_region_is_nobody_s():
    truths = truths_of([("", "one", SOFA), ("bed", "one", BED)], ["one"])
    first, second = cut_run("A", [], truths), cut_run("B", [("bed", "one", BED)], truths)
    assert compare_figures(first, second).symbols.query == ("bed",)


@pytest.mark.parametrize("overlap", list(Overlap))
def test_means_are_those_of_the_comparison_of_runs(overlap):
    settings = MeasureSettings(overlap, beta=2.0)
    first, second = (
        cut_run(name, spots, TRUTHS, settings) for name, spots in (("A", BEFORE), ("B", AFTER))
    )
    _, found = compare_runs([ComparedRun(first.figures), ComparedRun(second.figures)], draws=200)
    for name, change in mean_changes(first, second).items():
        assert change.difference == found[0, 1][name]
        assert change.value == pytest.approx(found[0, 1][name].value)


def test_labels_are_compared_over_the_same_pages():
    names = [f"p{number}" for number in range(6)]
    regions = [("sofa", page, square(0, 0, 10 + at)) for at, page in enumerate(names)]
    truths = truths_of(regions, names)
    shifted = [
        [("sofa", page, square(beside * (1 + at / 4), 0, 10)) for at, page in enumerate(names)]
        for beside in (1, 2)
    ]
    first, second = (
        cut_run(name, spots, truths) for name, spots in zip("AB", shifted, strict=True)
    )
    changed = label_changes(first, second)

    def f(run: CutRun, there: list[int]) -> float:
        relevant, retrieved, truth = (
            cell[0, there].sum()
            for cell in (run.cells.relevant, run.cells.retrieved, run.cells.truth)
        )
        return 2 * relevant / (retrieved + truth)

    every = list(range(6))
    change = f(second, every) - f(first, every)
    without = [[place for place in every if place != left] for left in every]
    values = [6 * change - 5 * (f(second, there) - f(first, there)) for there in without]
    expected = mean_interval(np.array(values) + change - np.mean(values))
    assert changed.interval("f", 0) == pytest.approx((expected.low, expected.high))
    assert changed.change("f")[0] == pytest.approx(change)


def test_pages_are_compared_over_the_same_labels():
    first, second = cut_run("A", BEFORE, TRUTHS), cut_run("B", AFTER, TRUTHS)
    changed = page_changes(first, second)
    assert changed.names == ("one", "two")
    sofa, bed = (500, 700, 400), (1600, 320, 320)  # truth, retrieved, relevant of A on page one
    f_before = 2 * (sofa[2] + bed[2]) / (sofa[0] + bed[0] + sofa[1] + bed[1])
    f_after = 2 * (500 + 1440) / (500 + 1600 + 500 + 1440)
    assert changed.before["f"][0] == pytest.approx(f_before)
    assert changed.after["f"][0] == pytest.approx(f_after)
    assert changed.interval("f", 0) is None  # two labels are too few
    only = page_changes(first, second, "lamp")
    assert np.isnan(only.change("f")[0]) and only.change("f")[1] == 0


def test_a_page_of_enough_labels_has_an_interval():
    labels = "abcdefg"
    regions = [(label, "one", square(12 * at, 0, 10)) for at, label in enumerate(labels)]
    truths = truths_of(regions, ["one"])
    first, second = (
        cut_run(
            name, [(label, "one", square(12 * at, beside + at % 3 * beside / 4, 10))
                   for at, label in enumerate(labels)], truths
        )
        for name, beside in (("A", 4), ("B", 2))
    )  # fmt: skip
    low, high = page_changes(first, second).interval("f", 0)
    assert 0 < low < page_changes(first, second).change("f")[0] < high


def test_one_page_gives_labels_no_interval():
    truths = truths_of(REGIONS[:3], ["one"])
    first, second = cut_run("A", BEFORE[:2], truths), cut_run("B", AFTER[:2], truths)
    changed = label_changes(first, second)
    assert changed.interval("f", 0) is None
    assert np.isnan(changed.change("area_precision")[0])  # of beds neither run retrieves any
    assert changed.change("area_recall")[0] == 0


def test_runs_against_other_truth_are_not_compared():
    other = truths_of(REGIONS[:4], ["one", "two"])
    with pytest.raises(ValueError, match="same truth"):
        compare_figures(cut_run("A", BEFORE, TRUTHS), cut_run("B", AFTER, other))
    strict = MeasureSettings(iou=0.75)
    with pytest.raises(ValueError, match="same settings"):
        compare_figures(cut_run("A", BEFORE, TRUTHS), cut_run("B", AFTER, TRUTHS, strict))


def test_what_either_run_was_made_from_is_ignored_for_both():
    """A takes its query from the sofa of page two: B neither gains nor loses it."""
    model = QueryModel("sofa", "two", tuple((float(x), float(y)) for x, y in SOFA))
    runs = [
        replace(cut_run(name, spots, TRUTHS).tally.run, models=models)
        for name, spots, models in (("A", BEFORE, (model,)), ("B", AFTER, ()))
    ]
    read = [ReadRun(run, (), ()) for run in runs]
    compared = evaluate(TruthSet(TRUTHS), read, draws=0).compared
    changes = compared.changes
    assert [(name, changes.page_name(at)) for at, name in enumerate(changes.query)] == [
        ("bed", "one"), ("bed", "two"), ("sofa", "one"), ("sofa", "one"),
    ]  # fmt: skip
    assert compared.pages["two"].sums("sofa")[ComparedKind.FIRST] == 0
    counted = evaluate(TruthSet(TRUTHS), read, models="count", draws=0).compared
    assert counted.pages["two"].sums("sofa")[ComparedKind.FIRST] == 400
