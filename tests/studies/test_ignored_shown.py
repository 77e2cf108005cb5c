"""Ignored regions on the page, in the confusion table and in comparisons: as the tally has them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from spotlab.imaging.overlay import AreaKind, ComparedKind
from spotlab.measures.confusion import confuse
from spotlab.measures.cuts import CutRun
from spotlab.measures.figures import compute_figures
from spotlab.measures.matching import ErrorKind, average_precision_at_iou, classify_errors
from spotlab.measures.tide import MAIN_KINDS, TideKind, tide_errors
from spotlab.studies.compare.comparison import compare_page
from spotlab.studies.tally.label_areas import label_areas
from spotlab.studies.tally.page_view import area_sums, page_spots
from tests.studies.ignored_cases import (
    QUICK,
    REGIONS,
    SIDE,
    SPOTS,
    Placed,
    tally_of,
    truth_of,
)


@QUICK
@given(SPOTS, REGIONS)
def test_what_the_page_shows_is_what_the_tally_measures(
    spots: list[Placed], regions: list[Placed]
) -> None:
    tallied = tally_of(spots, regions)
    counts = np.diff(tallied.starts)
    sums = compute_figures(tallied).sums
    for number, query in enumerate(tallied.queries):
        kinds = dict.fromkeys(AreaKind, 0.0)
        for page in "pq":
            truth = truth_of(page, regions)
            areas = page_spots(tallied, page, query, counts).areas(truth.regions, (SIDE, SIDE))
            for kind, area in area_sums(areas, (SIDE, SIDE)).painted.items():
                kinds[kind] += area
        retrieved = kinds[AreaKind.FOUND] + kinds[AreaKind.OTHER_LABEL] + kinds[AreaKind.FALSE]
        assert kinds[AreaKind.FOUND] == pytest.approx(sums.relevant[number], abs=1e-6)
        assert retrieved == pytest.approx(sums.retrieved[number], abs=1e-6)
        assert kinds[AreaKind.FOUND] + kinds[AreaKind.MISSED] == pytest.approx(
            sums.truth[number], abs=1e-6
        )
        assert kinds[AreaKind.IGNORED] == pytest.approx(2 * SIDE**2 - sums.pages[number], abs=1e-6)


@QUICK
@given(SPOTS, REGIONS)
def test_the_confusion_table_leaves_ignored_area_and_spots_out(
    spots: list[Placed], regions: list[Placed]
) -> None:
    tallied = tally_of(spots, regions)
    sums, errors = compute_figures(tallied).sums, classify_errors(tallied)
    areas = label_areas(tallied, {page: truth_of(page, regions) for page in "pq"})
    table = confuse(errors, areas)
    queries = len(tallied.queries)
    assert table.area is not None
    np.testing.assert_allclose(table.area[:queries].sum(axis=1), sums.retrieved, atol=1e-6)
    np.testing.assert_allclose(np.diag(table.area[:queries, :queries]), sums.relevant, atol=1e-6)
    missed = np.maximum(sums.truth - sums.relevant, 0)
    np.testing.assert_allclose(table.area[queries, :queries], missed, atol=1e-6)
    judged = np.diff(tallied.starts) - errors.count(ErrorKind.IGNORED)
    assert table.spots[:queries].sum(axis=1).tolist() == judged.tolist()
    tide = tide_errors(tallied)
    kinds = sum(tide.count(kind) for kind in MAIN_KINDS if kind is not TideKind.MISSED)
    right = errors.count(ErrorKind.CORRECT)
    assert (kinds + right).tolist() == judged.tolist()
    np.testing.assert_allclose(
        tide.average_precision[sums.symbols > 0],
        average_precision_at_iou(tallied)[sums.symbols > 0],
        atol=0.011,  # ten of tidecv's recalls differ by rounding
    )


@pytest.mark.slow
@QUICK
@given(SPOTS, SPOTS, REGIONS)
def test_compared_areas_are_without_ignored_area(
    spots: list[Placed], others: list[Placed], regions: list[Placed]
) -> None:
    runs = []
    for name, some in (("first", spots), ("second", others)):
        figures = compute_figures(tally_of(some, regions))
        runs.append(CutRun(name, figures, np.diff(figures.tally.starts)))
    found = dict.fromkeys(ComparedKind, 0.0)
    for page in "pq":
        compared = compare_page(*runs, page, truth_of(page, regions))
        for kind, area in compared.sums().items():
            found[kind] += area
    for run, only in zip(runs, (ComparedKind.FIRST, ComparedKind.SECOND), strict=True):
        relevant = run.figures.sums.relevant.sum()
        assert found[ComparedKind.BOTH] + found[only] == pytest.approx(relevant, abs=1e-6)
    false = runs[0].figures.sums.outside.sum()
    kinds = (ComparedKind.FALSE_BOTH, ComparedKind.FALSE_FIRST)
    assert sum(found[kind] for kind in kinds) == pytest.approx(false, abs=1e-6)
