"""Intervals: against textbook values, pages really left out, and how often they hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from spotlab.errors import Cancelled
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.intervals import (
    FEWEST,
    GROUPS,
    UNITS,
    ComparedRun,
    interval_ends,
    intervals_over_pages,
    intervals_over_queries,
    mean_interval,
    page_columns,
    pseudo_values,
    weights_without_each,
)
from spotlab.measures.measure import MeasureSettings, known_figures
from spotlab.measures.tally import Overlap
from tests.measures.tally_cases import Placed, box, tally_of

PAGES = ("p", "q", "r", "s", "t", "u")
NAMES = [figure.name for figure in known_figures()]
REACHED = MeasureSettings(at_recall=0.1, at_precision=0.1)  # by the lists of these cases


def random_case(
    seed: int, pages=PAGES[:3], spots=24, regions=10
) -> tuple[list[Placed], list[Placed]]:
    """Boxes of three queries; the last has no truth on the first page."""
    random = np.random.default_rng(seed)

    def drawn(count):
        for _ in range(count):
            left, top = (float(value) for value in random.integers(0, 25, 2))
            right, bottom = (
                left + float(random.integers(3, 12)),
                top + float(random.integers(3, 12)),
            )
            yield (
                str(random.choice(["a", "b", "c"])),
                str(random.choice(pages)),
                box(left, top, right, bottom),
            )

    truth = [each for each in drawn(regions) if (each[0], each[1]) != ("c", "p")]
    near = [
        (query, page, [(x + 1, y) for x, y in ring]) for query, page, ring in truth[: regions // 2]
    ]
    found = [*drawn(spots), *near]
    return [found[place] for place in random.permutation(len(found))], truth


def figures_on(case, pages=PAGES, settings: MeasureSettings | None = None) -> RunFigures:
    """The figures of a case on pages of 40 × 40 px."""
    return compute_figures(tally_of(*case, dict.fromkeys(pages, 1600.0)), settings)


@pytest.mark.parametrize("overlap", list(Overlap))
@pytest.mark.parametrize("seed", range(4))
def test_leaving_a_page_out_is_evaluating_the_others(seed, overlap):
    spots, regions = random_case(seed, PAGES)
    settings = MeasureSettings(overlap=overlap, iou=0.4)
    columns = page_columns(figures_on((spots, regions), settings=settings))
    for row, without in enumerate([None, *PAGES]):
        there = [page for page in PAGES if page != without]
        kept = [[each for each in placed if each[1] in there] for placed in (spots, regions)]
        tallied = tally_of(*kept, dict.fromkeys(there, 1600.0), ["a", "b", "c"])
        figures = compute_figures(tallied, settings)
        for name in NAMES:
            expected = np.where(figures.in_truth, figures.columns[name], np.nan)
            found = columns[name][row]
            assert found == pytest.approx(expected, abs=1e-9, nan_ok=True), (name, without)


def test_blocks_change_nothing(monkeypatch):
    figures = figures_on(random_case(2, PAGES))
    whole = page_columns(figures)
    monkeypatch.setattr("spotlab.measures.intervals.BLOCK", 50)
    for name, values in page_columns(figures).items():
        assert np.array_equal(values, whole[name], equal_nan=True)


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30))
def test_pseudo_values_of_a_mean_are_the_values(values):
    weights = weights_without_each(len(values))
    means = weights @ np.array(values) / weights.sum(axis=1)
    assert pseudo_values(means, len(values)) == pytest.approx(values, abs=1e-6)


def test_more_units_are_left_out_in_groups():
    units = GROUPS * 2 + 50  # some groups have two units, others three
    weights = weights_without_each(units)
    assert weights.shape == (GROUPS + 1, units)
    assert (weights[1:] == 0).sum(axis=0).tolist() == [1] * units
    values = np.random.default_rng(1).normal(3, 1, units)
    found = pseudo_values(weights @ values / weights.sum(axis=1), units)
    assert found.mean() == pytest.approx(values.mean())
    error = found.std(ddof=1) / np.sqrt(GROUPS)  # of the mean, whichever way it is estimated
    assert error == pytest.approx(values.std(ddof=1) / np.sqrt(units), rel=0.25)


def student(values) -> tuple[float, float]:
    """Student's interval of 95 %."""
    return stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))


def test_without_skewness_it_is_student_s():
    values = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
    expected = student(values)
    found = mean_interval(values)
    assert (found.low, found.high, found.units) == (*map(pytest.approx, expected), 7)


def test_skewness_by_hand():
    # Hall (1992): T = t + a t² + a² t³ / 3 + b / n is ± the quantile of Student's at the ends
    values = np.array([0.0, 0.0, 0.1, 0.1, 0.2, 0.9])
    skewness = stats.skew(values, bias=False)
    reach = stats.t.ppf(0.975, 5) / np.sqrt(6)
    found = mean_interval(values)
    t = (values.mean() - found.high) / values.std(ddof=1)
    a, b = skewness / 3, skewness / 6
    assert t + a * t**2 + a**2 * t**3 / 3 + b / 6 == pytest.approx(-reach)
    assert found.low == pytest.approx(
        stats.t.interval(0.95, 5, values.mean(), stats.sem(values))[0]
    )


@given(
    st.lists(st.floats(-1, 1), min_size=FEWEST, max_size=20),
    st.floats(-5, 5),
    st.floats(0.01, 100),
)
def test_an_interval_follows_its_values(values, shift, scale):
    values = np.array(values)
    found = mean_interval(values)
    if found is None or values.std() < 1e-6:
        return
    assert found.low <= values.mean() <= found.high
    moved, turned = mean_interval(values * scale + shift), mean_interval(-values)
    assert (moved.low, moved.high) == pytest.approx(
        (found.low * scale + shift, found.high * scale + shift), rel=1e-6, abs=1e-6
    )
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low), abs=1e-9)


def test_many_means_at_once_are_single_ones():
    values = np.random.default_rng(4).exponential(size=(12, 30))
    values[np.random.default_rng(5).random(values.shape) < 0.4] = np.nan
    ends = interval_ends(values).T
    for column, (low, high) in zip(values.T, ends.tolist(), strict=True):
        alone = mean_interval(column[~np.isnan(column)])
        if alone is None:
            assert np.isnan(low)
        else:
            assert (low, high) == pytest.approx((alone.low, alone.high))


def test_too_few_or_alike_have_none():
    assert mean_interval(np.array([0.1, 0.2, 0.3, 0.4])) is None
    assert mean_interval(np.array([0.1, 0.2, 0.3, 0.4, np.nan])) is None
    assert mean_interval(np.full(36, 0.1 + 0.2)) is None
    assert mean_interval(np.array([])) is None


def test_an_interval_leaves_out_what_a_figure_cannot_be():
    regions = [(query, "p", box(0, 0, 10, 10)) for query in "abcdef"]
    spots = [*regions[:5], ("f", "p", box(0, 0, 2, 10))]
    found = intervals_over_queries(figures_on((spots, regions), ("p",)))["area_recall"]
    assert found.high == 1.0 and 0 <= found.low < 0.6


def test_undefined_is_not_0():
    # query b is never searched: its recall is 0, its precision undefined
    spots = [("a", page, box(0, 0, 10 + at, 10)) for at, page in enumerate(PAGES)]
    regions = [(query, page, box(0, 0, 10, 10)) for query in "ab" for page in PAGES]
    found = intervals_over_pages(figures_on((spots, regions)))
    assert 0.5 < found["area_precision"].low < found["area_precision"].high <= 1.0
    assert found["area_recall"] is None  # .5 without any of the pages
    assert intervals_over_queries(figures_on((spots, regions)))["area_recall"] is None


def test_the_order_of_the_input_changes_nothing():
    spots, regions = random_case(0, PAGES)
    scores = np.arange(len(spots))[::-1]
    pages = dict.fromkeys(PAGES, 1600.0)
    mixed = np.random.default_rng(0).permutation(len(spots))
    first = tally_of(spots, regions, pages, scores=scores)
    second = tally_of([spots[place] for place in mixed], regions[::-1], pages, scores=scores[mixed])
    one, other = (intervals_over_pages(compute_figures(each, REACHED)) for each in (first, second))
    assert any(one.values())
    for name in NAMES:
        ends = [each[name] and (each[name].low, each[name].high) for each in (one, other)]
        assert ends[0] == (ends[1] and pytest.approx(ends[1])), name


def test_nothing_at_all():
    figures = figures_on(([], []), PAGES)
    for found in (intervals_over_queries(figures), intervals_over_pages(figures)):
        assert found == dict.fromkeys(NAMES)


def test_a_higher_level_is_wider():
    figures = figures_on(random_case(3, PAGES))
    narrow, wide = (intervals_over_pages(figures, level=level)["f"] for level in (0.5, 0.99))
    assert wide.low <= narrow.low < narrow.high <= wide.high


CHOSEN = {  # the method was chosen on these …
    "normal": lambda chance, size: chance.normal(0.5, 1, size),
    "exponential": lambda chance, size: chance.exponential(0.5, size),
    "U-shaped shares": lambda chance, size: chance.beta(0.5, 0.5, size),
}
REPORTED = {  # … and not on these
    "gamma": lambda chance, size: chance.gamma(3, 1 / 6, size),
    "high shares": lambda chance, size: chance.beta(4, 4 / 3, size) - 0.25,
    "Laplace": lambda chance, size: chance.laplace(0.5, 1, size),
    "two groups": lambda chance, size: np.where(
        chance.random(size) < 0.7, chance.normal(0.2, 0.1, size), chance.normal(1.2, 0.3, size)
    ),
    "half-normal differences": lambda chance, size: (
        np.abs(chance.normal(0, 1, size)) - np.abs(chance.normal(0, 1, size)) + 0.5
    ),
}


OTHERWISE = "U-shaped shares", "Laplace", "two groups"  # neither normal nor just skewed


@pytest.mark.slow
@pytest.mark.parametrize("units", [6, 10, 20, 40])
@pytest.mark.parametrize("name", [*CHOSEN, *REPORTED])
def test_an_interval_holds_about_as_often_as_it_says(name, units):
    draw = (CHOSEN | REPORTED)[name]
    low, high = interval_ends(draw(np.random.default_rng(units), (units, 20_000)))
    held = ((low <= 0.5) & (high >= 0.5)).mean()
    least, most = (0.88, 0.99) if name in OTHERWISE else (0.93, 0.97)
    assert least <= held <= most, held


@pytest.mark.parametrize("units", [3, 5])
def test_too_few_units_have_no_interval(units):
    assert np.isnan(interval_ends(np.random.default_rng(0).normal(0, 1, (units, 9)))).all()


def test_an_interval_over_pages_holds_about_as_often_as_it_says():
    # pages of one collection: recall differs between pages, and so does their area
    chance, held, trials = np.random.default_rng(9), 0, 300
    for _ in range(trials):
        area = chance.exponential(1, 12) + 0.2
        share = chance.beta(2, 1, 12)
        weights = weights_without_each(12)
        recall = (weights @ (area * share)) / (weights @ area)
        found = mean_interval(pseudo_values(recall, 12))
        held += found.low <= 2 / 3 <= found.high
    assert 0.9 <= held / trials <= 0.99


@pytest.mark.parametrize("over", UNITS)
def test_intervals_are_told_of_and_can_be_cancelled(over):
    told = []

    def cancel(done, total, doing):
        told.append(doing)
        if doing == "Computing intervals" and done == 2:
            raise Cancelled

    run = ComparedRun(figures_on(random_case(3, PAGES)))
    with pytest.raises(Cancelled):
        run.intervals(over, cancel)
    assert told.count("Computing intervals") == 3
    assert run.intervals(over) == run.intervals(over, lambda *_: None)


def test_a_figure_that_may_exceed_1_has_its_value_inside_its_interval():
    # each region is found by several spots: AveP of eq. 2 is above 1
    truth = [(query, page, box(0, 0, 10, 10)) for query in "abcdefgh" for page in PAGES]
    spots = [each for at, each in enumerate(truth) for _ in range(2 + at % 3)]
    figures = compute_figures(tally_of(spots, truth, dict.fromkeys(PAGES, 1e4)))
    name = "average_precision_relevant"
    for over in UNITS:
        found = ComparedRun(figures).intervals(over)[name]
        assert found is None or 1 < found.low <= figures.mean[name] <= found.high
    assert found is not None
