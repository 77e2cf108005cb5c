"""Curves of many points: few are looked at to draw them, before and after an edit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spotlab.geometry.polygon import Outlines
from spotlab.gui.kit.plots import polylines as lines_of
from spotlab.gui.kit.plots.polylines import KINDS, Polylines, polylines
from spotlab.measures.figures import compute_figures
from spotlab.model import Page, Region, Run, Truth
from spotlab.progress import silent
from spotlab.studies.evaluate.inspected_run import (
    InspectedRun,
    Judging,
    retally_page,
    tally_inspected_run,
)
from spotlab.studies.tally.truth import TruthSet

SQUARE = ((10, 10), (50, 10), (50, 50), (10, 50))


def moved(by: float) -> tuple[tuple[float, float], ...]:
    return tuple((x + by, y) for x, y in SQUARE)


def test_few_points_draw_the_same_where_recall_is_wide() -> None:
    random = np.random.default_rng(1)
    x = np.sort(np.round(random.random((2, 300_000)), 4), axis=1)
    y = random.random(x.shape)
    many = Polylines(x.ravel(), y.ravel(), np.arange(x.size), np.array([0, 300_000, 600_000]))
    assert many.finest is not None
    assert len(many.finest.x) < x.size / 5
    drawn = many.thinned(0.0, 1.0, 512)
    exact = replace(many)
    vars(exact)["finest"] = None
    # each column of the screen reaches from the same lowest to the same highest value
    for both in zip(
        *(_extents(each) for each in (drawn, exact.thinned(0.0, 1.0, 512))), strict=True
    ):
        np.testing.assert_allclose(*both)
    near = many.thinned(0.4, 0.41, 512)  # all points, where one looks closely
    np.testing.assert_array_equal(near, exact.thinned(0.4, 0.41, 512))


def _extents(drawn: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    x, y = drawn
    there = ~np.isnan(x)
    column = np.minimum((x[there] * 512).astype(int), 511)
    low, high = np.full(512, np.inf), np.full(512, -np.inf)
    np.minimum.at(low, column, y[there])
    np.maximum.at(high, column, y[there])
    return low, high


def test_sums_that_pass_recall_1_are_not_thinned_before() -> None:
    x = np.linspace(0, 3, 200_000)
    assert Polylines(x, x, np.arange(len(x)), np.array([0, len(x)])).finest is None


@pytest.mark.parametrize("few", [False, True])
def test_an_edit_moves_the_curves_as_if_all_were_made_anew(
    monkeypatch: pytest.MonkeyPatch, few: bool
) -> None:
    monkeypatch.setattr(lines_of, "MANY", 10 if few else 10_000)
    random = np.random.default_rng(3)
    spots = [moved(by) for by in random.uniform(-9, 60, 400)]
    queries = [("bed", "door", "lamp")[at] for at in random.integers(0, 3, len(spots))]
    run = Run.ordered(
        "system", queries, ["one"] * len(spots), Outlines.of(spots), score=random.random(len(spots))
    )
    regions = (Region(SQUARE, "bed", "r1"), Region(moved(45), "door", "r2"))
    before = Truth(Page(Path("one.png"), 120, 60), regions)
    judging, truths = Judging(), TruthSet({"one": before}, ())
    first = tally_inspected_run(InspectedRun("system", "", run), truths, judging, silent)
    assert first.figures is not None
    old = {kind: (polylines(first.figures, kind), polylines(first.figures, kind).finest)
           for kind in KINDS}  # fmt: skip
    after = replace(before, regions=(replace(regions[0], points=moved(7)), regions[1]))
    [second] = retally_page([first], "one", after, judging)
    assert second.figures is not None and second.tally is not None
    anew = compute_figures(second.tally)
    for kind in KINDS:
        found, wanted = polylines(second.figures, kind), polylines(anew, kind)
        for column in ("x", "y", "spot", "starts"):
            np.testing.assert_allclose(getattr(found, column), getattr(wanted, column), 1e-9, 1e-9)
        assert (found.finest is None) == (wanted.finest is None) == (old[kind][1] is None)
        if found.finest is not None and wanted.finest is not None:
            np.testing.assert_allclose(found.finest.x, wanted.finest.x, 1e-9, 1e-9)
            np.testing.assert_allclose(found.finest.y, wanted.finest.y, 1e-9, 1e-9)
            np.testing.assert_array_equal(found.finest.starts, wanted.finest.starts)
