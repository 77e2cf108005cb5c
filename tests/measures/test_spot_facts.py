"""What one spot did, by hand on squares: a spot half on its region, its copy, and one elsewhere."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from spotlab.geometry.polygon import Outlines
from spotlab.measures.cuts import covered_share, spot_facts
from spotlab.measures.figures import RunFigures, compute_figures
from spotlab.measures.matching import ErrorKind, classify_errors, list_errors
from spotlab.model import Page, Region, Run, Truth
from spotlab.studies.tally.tallying import tally


def box(left: float, top: float, right: float, bottom: float) -> tuple[tuple[float, float], ...]:
    return (left, top), (right, top), (right, bottom), (left, bottom)


@pytest.fixture
def figures() -> RunFigures:
    """Query a: truth 10 × 10 at 0; spots 10 × 10 at x = 5, again there, and far away; b: missed."""
    regions = (Region(box(0, 0, 10, 10), "a", "r1"), Region(box(50, 50, 60, 70), "b", "r2"))
    truth = Truth(Page(Path("page.png"), 100, 100), regions)
    spots = [box(5, 0, 15, 10), box(5, 0, 15, 10), box(80, 80, 90, 90)]
    run = Run.ordered("x", ["a"] * 3, ["page"] * 3, Outlines.of(spots), rank=np.array([1.0, 2, 3]))
    return compute_figures(tally(run, {"page": truth}, {"page": "page"}))


def test_the_first_spot(figures: RunFigures) -> None:
    facts = spot_facts(figures.tally, figures.precision, figures.recall, 0, 0)
    assert (facts.rank, facts.count) == (1, 3)
    assert (facts.area, facts.gained_area, facts.gained_true_area) == (100, 100, 50)
    assert facts.iou == pytest.approx(50 / 150)
    assert (facts.region_share, facts.spot_share) == (0.5, 0.5)
    assert facts.precision == (None, 0.5)
    assert facts.recall == (0.0, 0.5)


def test_a_copy_adds_nothing_and_one_elsewhere_has_no_region(figures: RunFigures) -> None:
    copy = spot_facts(figures.tally, figures.precision, figures.recall, 1)
    assert (copy.gained_area, copy.gained_true_area, copy.region) == (0, 0, 0)
    assert copy.precision == (0.5, 0.5)
    away = spot_facts(figures.tally, figures.precision, figures.recall, 2)
    assert (away.region, away.iou, away.region_share, away.spot_share) == (None, None, None, None)
    assert away.precision == (0.5, 0.25)


def test_what_of_a_region_is_covered_depends_on_the_cut(figures: RunFigures) -> None:
    assert covered_share(figures.tally, 0, np.array([3, 0])) == 0.5
    assert covered_share(figures.tally, 0, np.array([0, 0])) == 0.0
    assert covered_share(figures.tally, 1, np.array([3, 0])) == 0.0


def test_errors_in_columns_are_those_of_the_list(figures: RunFigures) -> None:
    errors = classify_errors(figures.tally, 0.5)
    columns = list_errors(errors)
    assert [(place.spot, place.region) for place in errors.worst] == [
        (None if spot < 0 else spot, None if region < 0 else region)
        for spot, region in zip(columns.spot.tolist(), columns.region.tolist(), strict=True)
    ]
    everything = columns.within(np.array([3, 0]))
    counts = columns.count(everything)
    assert (counts[ErrorKind.BADLY_PLACED], counts[ErrorKind.FALSE], counts[ErrorKind.MISSED]) == (
        2, 1, 1,
    )  # fmt: skip
    cut = columns.within(np.array([1, 0]))
    assert columns.count(cut)[ErrorKind.BADLY_PLACED] == 1
    assert columns.count(columns.within(np.array([3, 0]), query=1))[ErrorKind.MISSED] == 1
    assert len(columns.of_kinds(everything, [ErrorKind.FALSE])) == 1
