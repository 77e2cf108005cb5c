"""Differences of two runs: exact p by hand, symmetry, and what chance alone gives."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.intervals import (
    EXACT,
    ComparedRun,
    compare_pairs,
    paired_differences,
)
from spotlab.measures.intervals import compare_runs as compare_all
from spotlab.measures.measure import known_figures
from tests.measures.tally_cases import box, tally_of

NAMES = [figure.name for figure in known_figures()]
QUERIES = "abcdef"
PAGES = ("p", "q", "r", "s", "t", "u")


def randomisation_p(pairs, draws: int = 1000, seed: int = 0) -> float:
    """The p of one difference."""
    return paired_differences(np.array(pairs)[:, None], draws, seed)[0].p


def compare_runs(first: RunFigures, second: RunFigures, over="queries", primary="area_recall"):
    """The differences of two runs."""
    _, found = compare_all([ComparedRun(first), ComparedRun(second)], primary, over)
    return found[0, 1]


def run_of(shift: float, seed: int = 0, pages=PAGES, queries=QUERIES) -> RunFigures:
    """Squares of 10 on every page and of every query, found about so many px beside."""
    random = np.random.default_rng(seed)
    spots, regions = [], []
    for place, query in enumerate(queries):
        for page in pages:
            left, beside = 20.0 * place, abs(shift + random.normal(0, 0.5))
            regions.append((query, page, box(left, 0, left + 10, 10)))
            spots.append((query, page, box(left + beside, 0, left + beside + 10, 10)))
    return compute_figures(tally_of(spots, regions, dict.fromkeys(pages, 1e4)))


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([0.1, 0.2, 0.3], 2 / 8),
        ([-0.1, -0.2, -0.3], 2 / 8),
        ([1.0] * 6, 2 / 64),
        ([1.0, -1.0], 1.0),
        ([3.0, 1.0], 2 / 4),
        ([3.0, -1.0], 4 / 4),
        ([4.0, 2.0, -1.0], 4 / 8),  # 5, and 7 with the sign of 1 turned, each with its mirror image
        ([0.0, 0.0, 0.0], 1.0),
        ([0.1 + 0.2, -0.3], 1.0),  # rounding makes no difference
        ([-0.8, -0.4, 0.0, -0.1], 4 / 16),  # nor here, where sums in another order are smaller
    ],
)
def test_exact_p(pairs, expected):
    assert randomisation_p(pairs) == expected


def by_signs(pairs) -> float:
    """The test as textbooks have it: the share of all signs with as large a sum."""
    signs = np.array(list(product((-1, 1), repeat=len(pairs))))
    return (abs(signs @ pairs) >= abs(pairs.sum()) - 1e-12).mean()


@pytest.mark.parametrize("count", [4, 12, 14, 16])
def test_p_is_that_of_all_signs(count):
    exact = 2**count <= EXACT
    for seed in range(4):
        pairs = np.random.default_rng(seed).normal(0.4, 1, count)
        found = randomisation_p(pairs, 1000 if exact else 20_000)
        assert found == pytest.approx(by_signs(pairs), abs=1e-12 if exact else 0.012)


def test_p_is_never_0():
    assert randomisation_p(np.ones(40), 1999) == 2 / 2000
    assert randomisation_p(np.zeros(40), 1999) == 1


@pytest.mark.parametrize("count", [8, 30])
def test_small_p_are_as_rare_as_they_say_where_there_is_no_difference(count):
    pairs = np.random.default_rng(5).normal(0, 1, (count, 1000))
    found = np.array([each.p for each in paired_differences(pairs, 1000)])
    for share in (0.01, 0.05, 0.1, 0.25):
        assert np.mean(found <= share) <= share + 3 * np.sqrt(share * (1 - share) / 1000)
    assert np.mean(found <= 0.25) > 0.2


@pytest.mark.parametrize("count", [6, 9, 12, 13, 36])
def test_an_interval_leaves_0_out_if_p_says_so(count):
    chance = np.random.default_rng(count)
    for pairs in (chance.normal(0.5, 1, (count, 200)), chance.exponential(1, (count, 200)) - 0.5):
        for each in paired_differences(pairs, 1999):
            without = each.interval.low > 0 or each.interval.high < 0
            assert without == (each.p <= 0.05)


def test_equal_pairs_do_not_hide_that_all_others_are_better():
    found = paired_differences(np.array([[1.0]] * 10 + [[0.0]] * 2), 1000)[0]
    assert found.p == 2 * 2**2 / 2**12  # whichever way the ten are swapped, or the two
    assert 0 < found.interval.low < 10 / 12 <= found.interval.high


def test_too_few_pairs_have_no_interval_and_no_small_p():
    for count in (2, 3, 4, 5):
        found = paired_differences(np.linspace(0.9, 1.0, count)[:, None], 1000)[0]
        assert found.interval is None and found.p == 2 / 2**count > 0.05
    assert paired_differences(np.array([[0.1]]), 1000) == [None]
    assert paired_differences(np.zeros((0, 1)), 1000) == [None]


def test_undefined_pairs_are_none():
    pairs = np.array([[0.1, np.nan], [0.2, 0.3], [0.4, 0.1], [0.1, 0.2], [0.3, np.nan], [0.2, 0.4]])
    both = paired_differences(pairs, 1000)
    alone = [paired_differences(column[~np.isnan(column)][:, None], 1000)[0] for column in pairs.T]
    assert both == alone and both[1].value == pytest.approx(0.25)


@pytest.mark.parametrize("runs", [2, 3, 5, 12])
def test_a_perfect_run_is_significantly_better_however_many_runs_there_are(runs):
    # 36 queries; the first run has 1 everywhere, all others have 0
    pairs = [{"f": np.full(36, -1.0)}] * (runs - 1)
    pairs += [{"f": np.zeros(36)}] * (runs * (runs - 1) // 2 - len(pairs))
    found = compare_pairs(pairs, "f", draws=200)
    assert all(each["f"].p_holm < 0.001 for each in found[: runs - 1])
    assert all(each["f"].p_holm == 1 for each in found[runs - 1 :])


@pytest.mark.slow
@pytest.mark.parametrize("runs", [3, 5, 12])
def test_any_false_call_is_rare(runs):
    chance, false, trials = np.random.default_rng(runs), 0, 300
    for trial in range(trials):
        values = chance.beta(0.7, 0.5, (runs, 20))  # alike, and skewed
        pairs = [{"f": values[one] - values[other]} for one, other in combinations(range(runs), 2)]
        found = compare_pairs(pairs, "f", draws=2000, seed=trial)
        false += any(each["f"].p_holm <= 0.05 for each in found)
    assert false / trials <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / trials)


def test_only_the_primary_figure_is_tested():
    found = compare_runs(run_of(0.5, 1), run_of(4.0, 2), primary="f")
    assert found["f"].p_holm == found["f"].p == 2 / 64
    assert {each.p for name, each in found.items() if each and name != "f"} == {None}


def test_units_are_queries_or_pages_where_there_are_enough():
    few, many = run_of(1.0, 1), run_of(1.2, 2)
    design, _ = compare_all([ComparedRun(few), ComparedRun(many)])
    assert (design.over, design.units, design.reason) == ("queries", 6, "")  # as many as pages
    pages = tuple(f"p{number}" for number in range(15))
    one, other = (ComparedRun(run_of(1.0, seed, pages, "ab")) for seed in (1, 2))
    design, found = compare_all([one, other])
    assert (design.over, design.units, design.tests) == ("pages", 15, 1)
    assert design.reason == "2 queries are too few for a p of .001"
    assert found[0, 1]["iou_precision"].p is not None
    chosen, _ = compare_all([one, other], over="queries")
    assert (chosen.over, chosen.units, chosen.reason) == ("queries", 2, "")


@pytest.mark.parametrize("over", ["queries", "pages"])
def test_the_other_way_round_is_the_mirror_image(over):
    one, other = run_of(1.0, 1), run_of(1.6, 2)
    there, back = compare_runs(one, other, over), compare_runs(other, one, over)
    for name in NAMES:
        if there[name] is None:  # no symbols of that size
            assert back[name] is None
            continue
        mirrored = -back[name]
        assert there[name].value == pytest.approx(mirrored.value)
        assert there[name].p == mirrored.p
        if mirrored.interval is not None:
            ends = [(each.interval.low, each.interval.high) for each in (there[name], mirrored)]
            assert ends[0] == pytest.approx(ends[1])
    recall = there["area_recall"]
    assert recall.value == pytest.approx(other.mean["area_recall"] - one.mean["area_recall"])
    assert recall.interval is not None and recall.p is not None


@pytest.mark.parametrize("over", ["queries", "pages"])
def test_a_run_does_not_differ_from_itself(over):
    run = run_of(1.0)
    for name, found in compare_runs(run, run, over).items():
        if found is None:  # no symbols of that size
            continue
        assert (found.value, found.interval) == (0, None)
        assert found.p == (1 if name == "area_recall" else None)


@pytest.mark.parametrize("over", ["queries", "pages"])
def test_a_much_better_run_is_better(over):
    found = compare_runs(run_of(4.0, 2), run_of(0.5, 1), over)["area_recall"]
    assert 0 < found.interval.low < found.value < found.interval.high
    assert found.p == 2 / 64


def test_pages_are_paired():
    # pages differ much, runs by about .1 of each: only as pairs is the interval narrow
    def run(better: float) -> RunFigures:
        spots, regions, pages = [], [], {}
        for place, recall in enumerate((0.1, 0.3, 0.5, 0.7, 0.85, 0.2)):
            regions.append(("a", f"p{place}", box(0, 0, 10, 10)))
            spots.append(("a", f"p{place}", box(0, 0, 10 * (recall + better), 10)))
            pages[f"p{place}"] = 1e4
            better += better / 10
        return compute_figures(tally_of(spots, regions, pages))

    found = compare_runs(run(0.0), run(0.1), "pages")["area_recall"]
    assert 0.0999 < found.interval.low < found.value < found.interval.high < 0.2


def test_only_queries_of_both_are_pairs():
    one, other = run_of(1.0, 1, queries="abc"), run_of(1.0, 1, queries="bcd")
    names = [1, 2], [0, 1]
    mine, theirs = (
        run.columns["area_recall"][places] for run, places in zip((one, other), names, strict=True)
    )
    found = compare_runs(one, other)["area_recall"]
    assert found.value == pytest.approx((theirs - mine).mean())
    assert found.p == randomisation_p(theirs - mine)


def test_undefined_figures_make_no_pair():
    regions = [(query, "p", box(0, 0, 10, 10)) for query in "abc"]
    pages = {"p": 1e4}
    one = compute_figures(tally_of([regions[0], regions[1]], regions, pages))
    other = compute_figures(tally_of([regions[1], regions[2]], regions, pages))
    found = compare_runs(one, other)
    assert found["area_precision"] is None  # both have b only
    assert found["area_recall"].p == 1  # -1, 0, +1


def test_over_pages_too_only_what_both_have_is_compared():
    pages = dict.fromkeys(PAGES, 1e4)
    regions = [(query, page, box(0, 0, 10, 10)) for query in "ab" for page in pages]
    half = [(query, page, box(5, 0, 15, 10)) for query, page, _ in regions]
    # the same on a; the second has nothing for b, so no precision that is worse than the first's
    one = compute_figures(tally_of([*regions[:6], *half[6:]], regions, pages))
    other = compute_figures(tally_of(regions[:6], regions, pages))
    found = compare_runs(one, other, "pages")
    assert (found["area_precision"].value, found["area_precision"].interval) == (0, None)
    assert found["area_recall"].value == -0.25
    worse = compute_figures(tally_of(half, regions, pages))
    assert compare_runs(worse, other, "pages")["area_precision"].value == 0.5
    strange = compute_figures(tally_of([*regions[:6], ("c", "p", box(0, 0, 5, 5))], regions, pages))
    assert compare_runs(one, strange, "pages")["area_precision"].value == 0


def test_other_pages_or_one_cannot_be_compared():
    one, other = run_of(1.0), run_of(1.0, pages=("p", "q"))
    alone = run_of(1.0, pages=("p",))
    nothing = dict.fromkeys(NAMES)
    assert compare_runs(one, other, "pages") == compare_runs(alone, alone, "pages") == nothing
    assert compare_runs(run_of(1.0, queries="ab"), run_of(1.0, queries="cd")) == nothing


def test_a_seed_gives_the_same_again():
    pairs = np.random.default_rng(1).normal(0.2, 1, (15, 1))
    assert paired_differences(pairs, 2000, 3) == paired_differences(pairs, 2000, 3)
