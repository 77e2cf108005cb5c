"""The figures of several runs, computed at once, are those of each run by itself."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.geometry.outlines import Outlines
from spotlab.measures import figures_of_each as module
from spotlab.measures.figure_columns import names_of_sums
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.figures_of_each import figures_of_each
from spotlab.measures.settings import MeasureSettings
from spotlab.measures.tally import Overlap, Tally
from spotlab.model import Ignore, Run
from spotlab.studies.areas.tallying import tally
from tests.studies.test_edited_truth import run_of, truth

PAGES = ("one", "two", "three")


def tallied(random: np.random.Generator, runs: int) -> list[Tally]:
    truths = {name: truth(random, name) for name in PAGES}
    found = [run_of(random, int(random.integers(0, 40))) for _ in range(runs)]
    return [tally(run, truths, {name: name for name in PAGES}) for run in found]


def same(found: RunFigures, wanted: RunFigures) -> None:
    for column in fields(wanted):
        one, other = getattr(found, column.name), getattr(wanted, column.name)
        if isinstance(other, np.ndarray):
            assert one.dtype == other.dtype, column.name
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-9, err_msg=column.name)
        else:
            assert one is other
    np.testing.assert_array_equal(found.lists.right, wanted.lists.right)
    np.testing.assert_array_equal(found.lists.ignored, wanted.lists.ignored)
    np.testing.assert_array_equal(found.correct, wanted.correct)
    for name in names_of_sums():
        np.testing.assert_allclose(found.columns[name], wanted.columns[name], 1e-12, 1e-9)
    assert found.mean == pytest.approx(wanted.mean, nan_ok=True)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 5), st.sampled_from(Overlap))
def test_they_are_those_of_each_by_itself(seed: int, runs: int, overlap: Overlap) -> None:
    tallies, chosen = tallied(np.random.default_rng(seed), runs), MeasureSettings(overlap=overlap)
    each = figures_of_each(tallies, chosen)
    for found, one in zip(each, tallies, strict=True):
        same(found, compute_figures(one, chosen))


def test_many_lists_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def counted(whole: Tally, chosen: MeasureSettings) -> RunFigures:
        calls.append(len(whole))
        return compute_figures(whole, chosen)

    monkeypatch.setattr(module, "compute_figures", counted)
    tallies = tallied(np.random.default_rng(5), 9)
    figures_of_each(tallies, MeasureSettings())
    assert calls == [sum(map(len, tallies))]


def test_runs_of_other_pages_or_with_ignored_regions_are_looked_at_one_by_one() -> None:
    random = np.random.default_rng(4)
    truths = {name: truth(random, name) for name in PAGES}
    first, *others = truths["one"].regions
    off = replace(truths["one"], regions=(replace(first, ignore=Ignore.AREA), *others))
    run, pages = run_of(random, 40), {name: name for name in PAGES}
    chosen = MeasureSettings()
    tallies = [
        tally(run, truths, pages),
        tally(run, {**truths, "one": off}, pages),
        tally(run, {"two": truths["two"]}, {"two": "two"}),
        Tally.of(Run.ordered("nothing", [], [], Outlines.of([])), {}, []),
    ]
    for found, one in zip(figures_of_each(tallies, chosen), tallies, strict=True):
        same(found, compute_figures(one, chosen))
