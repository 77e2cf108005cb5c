"""Bootstrap intervals: against resampling by brute force, pages really copied, and coverage."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.measures.area import ratio
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.intervals import (
    draw_weights,
    intervals_over_pages,
    intervals_over_queries,
    page_draws,
    percentile_interval,
    query_draws,
    weighted_means,
)
from spotlab.measures.measure import MeasureSettings, known_figures
from spotlab.measures.tally import Overlap
from tests.measures.tally_cases import Placed, box, tally_of

PAGES = ("p", "q", "r")
NAMES = [figure.name for figure in known_figures()]
REACHED = MeasureSettings(at_recall=0.1, at_precision=0.1)  # by the lists of these cases
BY_RANK = [name for name in NAMES if name.startswith("average_precision")]


def random_case(seed: int, pages=PAGES, spots=24, regions=10) -> tuple[list[Placed], list[Placed]]:
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


def copied(case, counts: np.ndarray) -> tuple[list[Placed], list[Placed], dict[str, float]]:
    """The same case with each page as often as counted; copies of a spot follow it at once."""
    names = {
        page: [f"{page}{copy}" for copy in range(int(count))]
        for page, count in zip(PAGES, counts, strict=True)
    }
    spots, regions = (
        [(query, copy, ring) for query, page, ring in placed for copy in names[page]]
        for placed in case
    )
    return spots, regions, {copy: 1600.0 for copies in names.values() for copy in copies}


def after_all_copies(figures: RunFigures) -> RunFigures:
    """The same figures, but copies of a spot share a rank: precision is that after all of them."""
    tally, precision = figures.tally, figures.precision.copy()
    for at in range(len(tally) - 2, -1, -1):
        same = tally.query[at] == tally.query[at + 1]
        names = [tally.pages[tally.page[place]][0] for place in (at, at + 1)]
        shape = tally.run.outlines
        rings = [shape[int(tally.spot[place])] for place in (at, at + 1)]
        if same and names[0] == names[1] and np.array_equal(*rings):
            precision[at] = precision[at + 1]
    return RunFigures(**{
        field: getattr(figures, field) for field in figures.__dataclass_fields__
    } | {"precision": precision})  # fmt: skip


@pytest.mark.parametrize("overlap", list(Overlap))
@pytest.mark.parametrize("seed", range(4))
def test_drawing_pages_is_copying_them(seed, overlap):
    case = random_case(seed)
    settings = MeasureSettings(overlap=overlap, iou=0.4)
    drawn = draw_weights(len(PAGES), 8, seed)
    found = page_draws(figures_on(case, settings=settings), 8, seed)
    for draw, counts in enumerate(drawn):
        spots, regions, pages = copied(case, counts)
        queries = ["a", "b", "c"]
        figures = compute_figures(tally_of(spots, regions, pages, queries), settings)
        figures = after_all_copies(figures)
        for name in NAMES:
            expected = figures.mean[name]
            expected = np.nan if expected is None else expected
            assert found[name][draw] == pytest.approx(expected, abs=1e-9, nan_ok=True), name


def test_each_page_once_gives_the_figures_themselves(monkeypatch):
    figures = figures_on(random_case(1))
    monkeypatch.setattr(
        "spotlab.measures.intervals.draw_weights", lambda count, draws, _: np.ones((draws, count))
    )
    for draws in (page_draws(figures, 2, 0), query_draws(figures, 2, 0)):
        for name in NAMES:
            assert draws[name] == pytest.approx([figures.mean[name]] * 2), name


def test_blocks_of_draws_change_nothing(monkeypatch):
    figures = figures_on(random_case(2))
    whole = page_draws(figures, 30, 0)
    monkeypatch.setattr("spotlab.measures.intervals.BLOCK", 50)
    for name, values in page_draws(figures, 30, 0).items():
        assert np.array_equal(values, whole[name], equal_nan=True)


def test_drawing_queries_by_brute_force():
    figures = figures_on(random_case(5), settings=REACHED)
    drawn = draw_weights(3, 40, 7)
    found = query_draws(figures, 40, 7)
    for name in NAMES:
        values = figures.columns[name]
        for draw, counts in enumerate(drawn.astype(int)):
            chosen = np.repeat(values, counts)
            chosen = chosen[~np.isnan(chosen)]
            expected = chosen.mean() if len(chosen) else np.nan
            assert found[name][draw] == pytest.approx(expected, nan_ok=True)
        low, high = np.nanquantile(found[name], [0.025, 0.975])
        got = intervals_over_queries(figures, 40, 7)[name]
        assert (got.low, got.high) == pytest.approx((low, high))


def test_undefined_draws_do_not_count_as_0():
    # query b has no truth on page p: draws of p alone leave its recall undefined
    regions = [("a", "p", box(0, 0, 10, 10)), ("b", "q", box(0, 0, 10, 10))]
    spots = [("a", "p", box(0, 0, 10, 10)), ("b", "q", box(0, 0, 10, 10))]
    figures = figures_on((spots, regions), ("p", "q"))
    found = intervals_over_pages(figures, 200)
    # in every draw recall is 1 for those that have truth there
    assert found["area_recall"].low == found["area_recall"].high == 1
    assert found["iou_precision"].low == 1
    # a query that is never searched: recall 0 there, precision undefined and left out
    alone = figures_on((spots[:1], regions), ("p", "q"))
    drawn = page_draws(alone, 200, 0)["area_precision"]
    assert set(drawn[~np.isnan(drawn)]) == {1.0}
    assert 0 < np.isnan(drawn).sum() < 200
    assert intervals_over_pages(alone, 200)["area_precision"].draws == (~np.isnan(drawn)).sum()
    assert intervals_over_queries(alone, 200)["area_precision"] is None  # defined for one query
    assert intervals_over_queries(alone, 200)["area_recall"].draws == 200


def test_a_seed_gives_the_same_again_and_another_others():
    figures = figures_on(random_case(0))
    for over in (intervals_over_queries, intervals_over_pages):
        assert over(figures, 100, 3) == over(figures, 100, 3)
        assert over(figures, 100, 3) != over(figures, 100, 4)


def test_the_order_of_the_input_changes_nothing():
    spots, regions = random_case(0)
    scores = np.arange(len(spots))[::-1]
    pages = dict.fromkeys(PAGES, 1600.0)
    mixed = np.random.default_rng(0).permutation(len(spots))
    first = tally_of(spots, regions, pages, scores=scores)
    second = tally_of([spots[place] for place in mixed], regions[::-1], pages, scores=scores[mixed])
    for over in (intervals_over_queries, intervals_over_pages):
        one, other = (over(compute_figures(each, REACHED), 100) for each in (first, second))
        for name in NAMES:
            ends = [(each[name].low, each[name].high) for each in (one, other)]
            assert ends[0] == pytest.approx(ends[1]), name


def test_one_query_or_page_has_no_interval():
    spots = [("a", "p", box(0, 0, 10, 10))]
    figures = figures_on((spots, spots), ("p",))
    assert intervals_over_queries(figures) == intervals_over_pages(figures) == dict.fromkeys(NAMES)
    two = figures_on((spots, spots), ("p", "q"))
    assert intervals_over_queries(two) == dict.fromkeys(NAMES)
    assert intervals_over_pages(two)["area_recall"] is not None


def test_nothing_at_all():
    figures = figures_on(([], []), ("p", "q"))
    assert (
        set(intervals_over_queries(figures).values())
        == set(intervals_over_pages(figures).values())
        == {None}
    )


def test_the_interval_covers_the_true_mean_about_as_often_as_it_says():
    random = np.random.default_rng(11)
    covered = 0
    for trial in range(300):
        values = random.exponential(1.0, 40)  # of mean 1, and skewed
        around = percentile_interval(weighted_means(values, draw_weights(40, 300, trial)))
        covered += around.low <= 1.0 <= around.high
    assert 0.88 <= covered / 300 <= 0.98


def test_a_higher_level_is_wider():
    figures = figures_on(random_case(3))
    narrow, wide = (intervals_over_pages(figures, 200, level=level)["f"] for level in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.high < wide.high


def test_weights_average_to_one_each():
    drawn = draw_weights(5, 4000, 0)
    assert drawn.mean(axis=0) == pytest.approx(np.ones(5), abs=0.07)
    assert ratio(drawn.var(axis=0), 1 - 1 / 5) == pytest.approx(np.ones(5), abs=0.12)
