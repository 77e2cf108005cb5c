"""What the plots show is computed right, without a window."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.gui.inspect.curves.curve_head import CurveChoice, drawn_of, means_csv, points_csv
from spotlab.gui.inspect.curves.curves import point_tip, undefined_note
from spotlab.gui.inspect.state.run_cuts import CurveView
from spotlab.gui.kit.plots.curve_items import CONTRAST, contrast, extent_of, nearest_point, readable
from spotlab.gui.kit.plots.curve_plot import (
    STEPS,
    printed_score,
    rank_keeping,
    score_keeping,
    score_steps,
    step_of_score,
)
from spotlab.gui.kit.plots.polylines import KINDS, Polylines, polylines
from spotlab.gui.kit.theme import DARK, LIGHT, Colours
from spotlab.measures.figures import RunFigures
from spotlab.report.colours import RUN_COLOURS, RunStyle
from spotlab.studies.evaluate.cuts import FiguresAtCut, mean_curve, place_of_spot
from tests.gui.inspect.inspected import first_run, inspected, second_run


@pytest.fixture(scope="module")
def figures() -> RunFigures:
    found = first_run().figures
    assert found is not None
    return found


def place(figures: RunFigures, query: str, rank: int) -> int:
    tally = figures.tally
    return int(tally.starts[tally.queries.index(query)]) + rank - 1


def test_a_querys_curve_has_a_point_for_every_spot(figures: RunFigures) -> None:
    line = polylines(figures, "precision", "sofa")
    assert line.x == pytest.approx([0, 0.5, 0.5, 1])
    assert line.y == pytest.approx([1, 1, 0.5, 2 / 3])
    first = place(figures, "sofa", 1)
    assert line.spot.tolist() == [first, first, first + 1, first + 2]
    fall_out = polylines(figures, "fall_out", "sofa")
    outside = 5000 / (1_000_000 - 10_000)
    assert fall_out.y == pytest.approx([0, 0, outside, outside])


def test_f_of_one_query_is_a_curve_between_its_ranks(figures: RunFigures) -> None:
    line = polylines(figures, "f", "sofa")
    ranks = [line.y[line.spot == place(figures, "sofa", rank)][-1] for rank in (1, 2, 3)]
    assert ranks == pytest.approx([2 / 3, 0.5, 0.8])
    grid = np.array([0.1, 0.25, 0.4, 0.6, 0.75, 0.9])
    drawn = np.interp(grid, line.x, line.y)
    precision = np.where(grid < 0.5, 1, 2 / 3)  # of the first rank that reaches the recall
    assert drawn == pytest.approx(2 * precision * grid / (precision + grid), abs=1e-3)
    assert (np.diff(line.x) >= 0).all() and (np.diff(line.spot) >= 0).all()


def test_queries_without_truth_or_spots_have_no_curve(figures: RunFigures) -> None:
    assert [len(polylines(figures, kind)) for kind in KINDS] == [2, 2, 2]
    for query in ("ghost", "lamp", "unheard of"):
        assert len(polylines(figures, "precision", query)) == 0
    x, y = polylines(figures, "precision").joined()
    assert np.isnan(x).tolist() == np.isnan(y).tolist()
    assert np.isnan(x).sum() == 1  # between bed and sofa


@given(
    st.lists(st.lists(st.floats(0, 1), min_size=1, max_size=300), min_size=1, max_size=4),
    st.integers(8, 40),
    st.floats(0, 0.5),
    st.floats(0.05, 0.5),
)
def test_thinned_curves_keep_all_that_stands_out(
    rows: list[list[float]], columns: int, low: float, width: float
) -> None:
    random = np.random.default_rng(len(rows))
    x = np.concatenate([np.sort(random.random(len(row))) for row in rows])
    starts = np.cumsum([0, *map(len, rows)])
    lines = Polylines(x, np.concatenate(rows), np.arange(len(x)), starts)
    high = low + width
    thin_x, thin_y = lines.thinned(low, high, columns)
    assert np.isnan(thin_x).sum() == len(rows) - 1
    assert len(thin_x) <= max(2 * columns, 4 * len(rows) * (columns + 2)) + len(rows)

    def heights(x: np.ndarray, y: np.ndarray) -> dict[int, tuple[float, float]]:
        there = (x >= low) & (x < high)
        column = np.floor((x[there] - low) * (columns / (high - low))).astype(int)
        return {
            at: (y[there][column == at].min(), y[there][column == at].max()) for at in set(column)
        }

    assert heights(thin_x, thin_y) == heights(lines.x, lines.y)
    pieces = np.split(thin_x, np.flatnonzero(np.isnan(thin_x)))
    for number, piece in enumerate(pieces):
        known = piece[~np.isnan(piece)]
        whole = lines.x[starts[number] : starts[number + 1]]
        assert (np.diff(known) >= 0).all()
        if len(lines.x) > 2 * columns:  # beyond the range, only the nearest point on either side
            outside = [whole[whole < low][-1:], whole[whole > high][:1]]
            assert (
                known[(known < low) | (known > high)].tolist() == np.concatenate(outside).tolist()
            )


def test_a_line_that_goes_on_beyond_the_range_leaves_it_as_it_goes() -> None:
    rank = np.arange(1.0, 2041.0)
    falling = Polylines(rank, 1 - rank / 2040, np.arange(2040), np.array([0, 2040]))
    x, y = falling.thinned(0.0, 120.0, 800)
    assert (x.max(), y[-1]) == (121.0, pytest.approx(1 - 121 / 2040))
    steps = np.diff(y)
    assert steps.min() == pytest.approx(-1 / 2040)  # no vertical line at the edge


def test_the_nearest_point_is_that_of_the_nearest_segment() -> None:
    lines = Polylines(
        np.array([0.0, 1.0, 0.0, 1.0]), np.array([0.0, 0.0, 1.0, 1.0]), np.arange(4),
        np.array([0, 2, 4]),
    )  # fmt: skip
    assert nearest_point(lines, (0.9, 0.3), (0.1, 0.1)) == (1, pytest.approx(3))
    assert nearest_point(lines, (0.2, 0.9), (0.1, 0.1)) == (2, pytest.approx(1))
    # no segment leads from the end of one curve to the begin of the next
    found = nearest_point(lines, (0.5, 0.5), (0.1, 0.1))
    assert found is not None and found[1] == pytest.approx(5)
    assert nearest_point(lines.alone(1), (0.9, 0.3), (0.1, 0.1)) == (1, pytest.approx(7))


def test_the_mean_counts_queries_with_truth_that_were_never_searched(figures: RunFigures) -> None:
    curve = mean_curve(figures, "precision")
    # sofa 1 up to .5, then 2/3; bed 1 up to .5, then missed: 0; lamp always 0
    assert curve.y[curve.x < 0.5] == pytest.approx(2 / 3)
    assert curve.y[curve.x > 0.51] == pytest.approx(2 / 9)
    assert (curve.count == 3).all()
    ring_x, ring_y = curve.band()
    assert ring_x[0] == ring_x[-1] and (ring_y >= 0).all()


def test_by_threshold_a_list_of_nothing_has_no_precision(figures: RunFigures) -> None:
    curve = mean_curve(figures, "precision", "threshold")
    assert curve.x[-1] == pytest.approx((1 + 0.5 + 0) / 3)
    assert curve.y[-1] == pytest.approx((2 / 3 + 1) / 2)
    assert curve.count.tolist() == [2] * len(curve.x)


def test_where_all_stand_at_a_cut(figures: RunFigures) -> None:
    counts = np.array([min(2, n) for n in np.diff(figures.tally.starts)])
    sofa = FiguresAtCut(figures, counts).of("sofa")
    assert sofa["area_precision"] == pytest.approx(0.5)
    assert sofa["area_recall"] == pytest.approx(0.5)
    assert sofa["false_positives"] == 2  # half of the sofa is not recognised
    everyone = FiguresAtCut(figures, counts).of(None)
    assert everyone["area_precision"] == pytest.approx((0.5 + 1) / 2)  # neither lamp nor ghost
    assert everyone["area_recall"] == pytest.approx((0.5 + 0.5 + 0) / 3)  # not the ghost's
    nothing = FiguresAtCut(figures, np.zeros_like(counts)).of("sofa")
    assert nothing["area_precision"] is None and nothing["area_recall"] == 0
    assert set(FiguresAtCut(figures, counts).of("unheard of").values()) == {None}
    assert place_of_spot(figures, "f", place(figures, "sofa", 2)) == pytest.approx((0.5, 0.5))
    assert place_of_spot(figures, "f", place(figures, "ghost", 1)) is None


def test_only_the_current_run_has_thin_curves_where_there_are_many() -> None:
    spots = [(f"q{number}", 0.5, [(0, 0), (9, 0), (9, 9)]) for number in range(30)]
    runs = [(run.colour, run.figures) for run in (inspected("a", "#000000", spots),
                                                  inspected("b", "#000000", spots))]  # fmt: skip
    known = [(RunStyle(colour), figures) for colour, figures in runs if figures is not None]
    few = drawn_of(known[:1], "f", None, CurveChoice())
    many = drawn_of(known, "f", None, CurveChoice())
    assert few[0].lines is not None
    assert many[0].lines is not None and many[1].lines is None
    assert drawn_of(known, "f", None, CurveChoice(queries=False))[0].lines is None
    one = drawn_of(known, "f", "q3", CurveChoice(queries=False))
    assert all(each.bold and each.mean is None and each.lines is not None for each in one)


def test_all_that_is_drawn_is_in_sight(figures: RunFigures) -> None:
    shown = drawn_of([(RunStyle("#000000"), figures)], "fall_out", None, CurveChoice(band=False))
    assert extent_of(shown, 0.0) == (1.0, pytest.approx(5000 / 990_000))
    assert extent_of([], 0.0) == (1.0, 1.0)
    drawn = drawn_of([(RunStyle("#000000"), figures)], "f", None, CurveChoice())
    assert extent_of(drawn, 1.0) == (1, 1)


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=40), st.integers(0, 45))
def test_cuts_turn_into_each_other(scores: list[float], kept: int) -> None:
    values = np.array(scores)
    at = score_keeping(values, kept)
    if at is None:
        assert kept >= len(values)
    else:
        assert (values > at).sum() <= max(0, kept - 1) < max(1, (values >= at).sum())
        assert kept or not (values >= at).any()
    steps = score_steps(values)
    assert len(steps) == STEPS + 1
    assert steps[0] == values.max() and steps[-1] == values.min()
    for step in (0, 300, STEPS):
        assert steps[step_of_score(steps, steps[step])] == steps[step]


@given(st.floats(-1e6, 1e6), st.integers(1, 10))
def test_a_printed_score_keeps_what_the_score_keeps(score: float, digits: int) -> None:
    printed = printed_score(score, digits)
    assert score - 10.0**-digits * (1 + 1e-6) <= printed <= score
    assert printed_score(printed, digits) == printed


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6), st.integers(0, 40))
def test_a_rank_keeps_about_as_many(lengths: list[int], kept: int) -> None:
    rank = rank_keeping(np.array(lengths), kept)
    totals = [sum(min(n, length) for length in lengths) for n in range(11)]
    if rank is None:
        assert kept >= sum(lengths)
    else:
        assert abs(totals[rank] - kept) == min(abs(total - kept) for total in totals)


def test_what_is_undefined_is_said(figures: RunFigures) -> None:
    def said(query: str | None) -> str:
        return undefined_note([("first", figures)], query)

    assert said(None) == (
        "Left out of the curves: 1 query without truth, where recall is undefined."
    )
    assert "no truth for “ghost”" in said("ghost")
    assert "Nothing is retrieved for “lamp”" in said("lamp")
    assert said("sofa") == ""
    other = second_run().figures
    assert other is not None
    both = undefined_note([("first", figures), ("second", other)], "ghost")
    assert both.splitlines()[1].startswith("second: “ghost” is not among")
    three = [("first", figures), ("second", other), ("third", figures)]
    assert undefined_note(three, "ghost").splitlines()[0].startswith("first, third: There is no")
    assert undefined_note(three[::2], "ghost").startswith("All runs: There is no truth")


def test_a_point_says_what_it_is(figures: RunFigures) -> None:
    tip = point_tip(figures, place(figures, "sofa", 2), "a<b")
    for part in ("sofa", "a&lt;b", "rank 2", "score 0.6", "P .500", "R .500", "F .500"):
        assert part in tip


def test_tables_are_of_all_that_is_drawn(figures: RunFigures) -> None:
    lines = points_csv([("first", figures)], None).splitlines()
    assert lines[0] == "run,query,rank,page,score,recall,precision,fall_out,f"
    assert len(lines) == 6
    assert "first,sofa,2,plan,0.6,0.5,0.5,0.005050505050505051,0.5" in lines
    assert any(line.startswith("first,ghost,1,plan,0.7,,0.0,") for line in lines)  # undefined
    assert len(points_csv([("first", figures)], "bed").splitlines()) == 2
    means = means_csv([("first", figures)], "recall", CurveView.AREAS).splitlines()
    assert means[0] == "run,curve,recall,mean,deviation,queries"
    assert means[1].startswith("first,precision,0.0,0.66666")


@pytest.mark.parametrize("colour", RUN_COLOURS)
@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_runs_colour_is_seen_on_every_theme(colour: str, theme: Colours) -> None:
    for behind in (theme.base, theme.window):
        assert contrast(readable(colour, behind), behind) >= CONTRAST
