"""A truth edit changes tally, figures and errors as if everything were computed again."""

from __future__ import annotations

import gc
from dataclasses import fields, replace
from pathlib import Path
from weakref import ref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.geometry.polygon import Outlines
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.matching import Errors, classify_errors, list_errors
from spotlab.measures.measure import MeasureSettings
from spotlab.measures.tally import Overlap, Tally
from spotlab.model import Ignore, Page, Primitive, Region, Run, Truth
from spotlab.progress import silent
from spotlab.studies.evaluate.inspected_run import (
    InspectedRun,
    Judging,
    retally_page,
    tally_inspected_run,
)
from spotlab.studies.tally.truth import TruthSet

LABELS = ("bed", "door", "sink", "")
SIDE = 60
GRID = np.linspace(0, 1, 11)


def box(left: float, top: float, width: float, height: float) -> list[tuple[float, float]]:
    right, bottom = left + width, top + height
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def region(random: np.random.Generator, id: str) -> Region:
    corner, sides = random.integers(-5, SIDE, 2), random.integers(5, 25, 2)
    label = LABELS[random.integers(len(LABELS))]
    return Region(tuple(box(*corner.tolist(), *sides.tolist())), label, id)


def truth(random: np.random.Generator, page: str) -> Truth:
    regions = tuple(region(random, f"r{number}") for number in range(random.integers(1, 6)))
    return Truth(Page(Path(f"{page}.png"), SIDE, SIDE), regions)


def run_of(random: np.random.Generator, spots: int) -> Run:
    shapes = [
        box(*random.integers(-5, SIDE, 2).tolist(), *random.integers(4, 30, 2).tolist())
        for _ in range(spots)
    ]
    queries = [("bed", "door", "lamp")[at] for at in random.integers(0, 3, spots)]
    pages = [("one", "two", "three")[at] for at in random.integers(0, 3, spots)]
    score = random.random(spots)
    return Run.ordered("system", queries, pages, Outlines.of(shapes), score=score)


def edited(random: np.random.Generator, before: Truth) -> Truth:
    """Another truth: regions moved, labelled, removed, added, in another order."""
    regions = list(before.regions)
    for at in range(len(regions)):
        if random.random() < 0.4:
            regions[at] = region(random, regions[at].id)
    if regions and random.random() < 0.4:
        del regions[random.integers(len(regions))]
    if random.random() < 0.4:
        regions.insert(
            random.integers(len(regions) + 1), region(random, f"n{random.integers(1e9)}")
        )
    if random.random() < 0.2:
        regions.reverse()
    return replace(before, regions=tuple(regions))


def same_columns(
    found: Tally | RunFigures | Errors, wanted: Tally | RunFigures | Errors, left_out: set[str]
) -> None:
    for column in fields(wanted):
        if column.name in left_out:
            continue
        one, other = getattr(found, column.name), getattr(wanted, column.name)
        if isinstance(other, np.ndarray):
            assert one.dtype == other.dtype, column.name
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9, err_msg=column.name)
        else:
            assert one == other, column.name


def same(found: InspectedRun, wanted: InspectedRun) -> None:
    assert found.figures is not None and wanted.figures is not None
    assert found.tally is not None and wanted.tally is not None
    # a label that is gone stays a query, as when a page is tallied again
    whole = Tally.of(
        wanted.tally.run,
        dict(zip(wanted.tally.pages, wanted.tally.page_area.tolist(), strict=True)),
        wanted.tally.parts.values(),
        found.tally.queries,
    )
    figures = compute_figures(whole, found.figures.settings)
    same_columns(found.tally, whole, {"run", "parts"})
    same_columns(found.figures, figures, {"tally", "settings"})
    np.testing.assert_array_equal(found.figures.correct, figures.correct)
    np.testing.assert_array_equal(found.figures.judged, figures.judged)
    assert found.errors is not None
    errors = classify_errors(whole, found.figures.settings.iou)
    same_columns(found.errors, errors, {"tally"})
    np.testing.assert_array_equal(list_errors(found.errors).spot, list_errors(errors).spot)
    assert found.figures.mean == pytest.approx(figures.mean, nan_ok=True)
    for kind in ("precision", "fall_out", "f"):
        curve, wanted_curve = (each.curves.central(kind, GRID) for each in (found.figures, figures))
        np.testing.assert_array_equal(curve.mean, wanted_curve.mean)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(Overlap), st.booleans(), st.booleans())
def test_edits_in_a_row_give_what_everything_anew_gives(
    seed: int, overlap: Overlap, boxes: bool, with_errors: bool
) -> None:
    random = np.random.default_rng(seed)
    truths = {name: truth(random, name) for name in ("one", "two", "three")}
    runs = [run_of(random, int(random.integers(0, 40))) for _ in range(2)]
    judging = Judging(MeasureSettings(overlap=overlap), Primitive.BOX if boxes else None)

    def anew() -> list[InspectedRun]:
        known = TruthSet(truths, ())
        return [
            tally_inspected_run(InspectedRun("system", "", run), known, judging, silent)
            for run in runs
        ]

    inspected = anew()
    for _ in range(2):
        page = ("one", "two", "three")[random.integers(3)]
        after = edited(random, truths[page])
        for each in inspected:  # what is known is brought up to date
            assert each.figures is not None
            each.figures.curves.central("f", GRID)
            assert not with_errors or each.errors is not None
        inspected = retally_page(inspected, page, after, judging)
        truths[page] = after
        for found, wanted in zip(inspected, anew(), strict=True):
            same(found, wanted)


def test_an_edited_region_can_become_ignored() -> None:
    random = np.random.default_rng(2)
    truths = {name: truth(random, name) for name in ("one", "two", "three")}
    run, judging = run_of(random, 40), Judging()
    inspected = tally_inspected_run(
        InspectedRun("system", "", run), TruthSet(truths, ()), judging, silent
    )
    before = truths["one"]
    off = replace(before.regions[0], ignore=Ignore.AREA)
    after = replace(before, regions=(off, *before.regions[1:]))
    [found] = retally_page([inspected], "one", after, judging)
    anew = tally_inspected_run(
        InspectedRun("system", "", run), TruthSet({**truths, "one": after}, ()), judging, silent
    )
    assert found.figures is not None and anew.figures is not None
    assert found.figures.mean == anew.figures.mean


def test_figures_are_let_go_of_at_once() -> None:
    """Those before an edit may be large: they do not wait for cyclic garbage to be collected."""
    random = np.random.default_rng(3)
    truths = {name: truth(random, name) for name in ("one", "two", "three")}
    inspected = tally_inspected_run(
        InspectedRun("system", "", run_of(random, 40)), TruthSet(truths, ()), Judging(), silent
    )
    assert inspected.figures is not None
    assert len(inspected.figures.mean) == len(inspected.figures.columns)
    before = ref(inspected.figures)
    gc.disable()
    [inspected] = retally_page([inspected], "one", truth(random, "one"), Judging())
    gone = before() is None
    gc.enable()
    assert gone
