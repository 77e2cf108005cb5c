"""Differences of two runs: exact p by hand, symmetry, and what chance alone gives."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.intervals import EXACT, compare_runs, paired_difference, randomisation_p
from spotlab.measures.measure import known_figures
from tests.measures.tally_cases import box, tally_of

NAMES = [figure.name for figure in known_figures()]
QUERIES = "abcdef"


def run_of(shift: float, seed: int = 0, pages=("p", "q", "r"), queries=QUERIES) -> RunFigures:
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
    assert randomisation_p(np.array(pairs)) == expected


@pytest.mark.parametrize("count", [EXACT, EXACT + 1])
def test_tossing_agrees_with_all_ways(count):
    pairs = np.random.default_rng(count).normal(0.4, 1, count)
    signs = np.array(list(product((-1, 1), repeat=count)))
    exact = (abs(signs @ pairs) >= abs(pairs.sum()) - 1e-12).mean()
    assert randomisation_p(pairs, 20_000) == pytest.approx(exact, abs=0.012)


def test_p_is_never_0():
    assert randomisation_p(np.ones(40), 999) == 1 / 1000
    assert randomisation_p(np.zeros(40), 999) == 1


@pytest.mark.parametrize("count", [8, 30])
def test_p_is_uniform_where_there_is_no_difference(count):
    random = np.random.default_rng(5)
    found = [randomisation_p(random.normal(0, 1, count), 400, trial) for trial in range(500)]
    for share in (0.1, 0.25, 0.5, 0.75):
        assert np.mean(np.array(found) <= share) == pytest.approx(share, abs=0.06)


def test_the_interval_of_a_difference_covers_it_about_as_often_as_it_says():
    random = np.random.default_rng(6)
    around = [paired_difference(random.normal(0.3, 1, 40), 300, trial) for trial in range(300)]
    assert 0.9 <= np.mean([each.low <= 0.3 <= each.high for each in around]) <= 0.98


def test_a_difference_by_hand():
    found = paired_difference(np.array([0.1, 0.3]))
    assert (found.value, found.low, found.high, found.p) == pytest.approx((0.2, 0.1, 0.3, 0.5))
    assert paired_difference(np.array([0.1])) is None
    assert paired_difference(np.array([])) is None


@pytest.mark.parametrize("over", ["queries", "pages"])
def test_the_other_way_round_is_the_mirror_image(over):
    one, other = run_of(1.0, 1), run_of(1.6, 2)
    there, back = compare_runs(one, other, over, 300), compare_runs(other, one, over, 300)
    for name in NAMES:
        assert there[name].value == pytest.approx(-back[name].value)
        assert there[name].low == pytest.approx(-back[name].high)
        assert there[name].p == back[name].p
    assert there["area_recall"].value == pytest.approx(
        one.mean["area_recall"] - other.mean["area_recall"]
    )


@pytest.mark.parametrize("over", ["queries", "pages"])
def test_a_run_does_not_differ_from_itself(over):
    run = run_of(1.0)
    for found in compare_runs(run, run, over, 100).values():
        assert (found.value, found.low, found.high, found.p) == (0, 0, 0, 1)


@pytest.mark.parametrize("over", ["queries", "pages"])
def test_a_much_better_run_is_better(over):
    found = compare_runs(run_of(0.5, 1), run_of(4.0, 2), over, 500)["area_recall"]
    assert 0 < found.low < found.value < found.high
    assert found.p < 0.05


def test_drawn_pages_are_the_same_for_both_runs():
    # pages differ much, runs by .1 of each: only with the same draws is the interval narrow
    def run(better: float) -> RunFigures:
        spots, regions, pages = [], [], {}
        for place, recall in enumerate((0.1, 0.3, 0.5, 0.7, 0.9)):
            regions.append(("a", f"p{place}", box(0, 0, 10, 10)))
            spots.append(("a", f"p{place}", box(0, 0, 10 * (recall + better), 10)))
            pages[f"p{place}"] = 1e4
        return compute_figures(tally_of(spots, regions, pages))

    found = compare_runs(run(0.1), run(0.0), "pages")["area_recall"]
    assert (found.value, found.low, found.high) == pytest.approx((0.1, 0.1, 0.1))
    assert found.p == pytest.approx(2 / 1001)


def test_only_queries_of_both_are_pairs():
    one, other = run_of(1.0, 1, queries="abc"), run_of(1.0, 1, queries="bcd")
    names = [1, 2], [0, 1]
    mine, theirs = (
        run.columns["area_recall"][places] for run, places in zip((one, other), names, strict=True)
    )
    found = compare_runs(one, other)["area_recall"]
    assert found.value == pytest.approx((mine - theirs).mean())
    assert found.p == randomisation_p(mine - theirs)


def test_undefined_figures_make_no_pair():
    regions = [(query, "p", box(0, 0, 10, 10)) for query in "abc"]
    pages = {"p": 1e4}
    one = compute_figures(tally_of([regions[0], regions[1]], regions, pages))
    other = compute_figures(tally_of([regions[1], regions[2]], regions, pages))
    found = compare_runs(one, other)
    assert found["area_precision"] is None  # both have b only
    assert found["area_recall"].p == 1  # +1, 0, -1


def test_over_pages_too_only_what_both_have_is_compared():
    pages = dict.fromkeys(("p", "q"), 1e4)
    regions = [(query, page, box(0, 0, 10, 10)) for query in "ab" for page in pages]
    half = [(query, page, box(5, 0, 15, 10)) for query, page, _ in regions]
    # the same on a; the second has nothing for b, so no precision that is worse than the first's
    one = compute_figures(tally_of([*regions[:2], *half[2:]], regions, pages))
    other = compute_figures(tally_of(regions[:2], regions, pages))
    found = compare_runs(one, other, "pages", 100)
    assert (found["area_precision"].value, found["area_precision"].p) == (0, 1)
    assert found["area_recall"].value == 0.25
    worse = compute_figures(tally_of(half, regions, pages))
    precision = compare_runs(worse, other, "pages", 100)["area_precision"]
    assert (precision.value, precision.low, precision.high) == (-0.5, -0.5, -0.5)
    strange = compute_figures(tally_of([*regions[:2], ("c", "p", box(0, 0, 5, 5))], regions, pages))
    assert compare_runs(one, strange, "pages", 100)["area_precision"].value == 0


def test_other_pages_or_one_cannot_be_compared():
    one, other = run_of(1.0), run_of(1.0, pages=("p", "q"))
    alone = run_of(1.0, pages=("p",))
    assert (
        compare_runs(one, other, "pages")
        == compare_runs(alone, alone, "pages")
        == dict.fromkeys(NAMES)
    )
    assert compare_runs(run_of(1.0, queries="ab"), run_of(1.0, queries="cd")) == dict.fromkeys(
        NAMES
    )


def test_a_seed_gives_the_same_again():
    one, other = (
        run_of(1.0, 1, queries="abcdefghijklmno"),
        run_of(1.1, 2, queries="abcdefghijklmno"),
    )
    for over in ("queries", "pages"):
        assert compare_runs(one, other, over, 200, 3) == compare_runs(one, other, over, 200, 3)
        assert compare_runs(one, other, over, 200, 3) != compare_runs(one, other, over, 200, 4)
