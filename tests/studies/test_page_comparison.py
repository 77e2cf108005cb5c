"""The areas that only one of two runs found, against unions of polygons made by shapely."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Polygon, box, union_all

from spotlab.imaging.overlay import ComparedKind, OverlayRaster, compared_kinds
from spotlab.model import Primitive
from spotlab.model.region import Ignore
from spotlab.studies.compare.comparison import compare_page, compared_areas, painted_areas
from tests.measures.tally_cases import box as ring_of
from tests.studies.compared import Placed, cut_run, truths_of

SIDE = 100
NAMES = ("sofa", "bed", "lamp")


@st.composite
def placed(draw: st.DrawFn, most: int = 7) -> list[Placed]:
    """Convex polygons on one page, some of which reach beyond it."""
    found = []
    for _ in range(draw(st.integers(0, most))):
        number = st.integers(-20, 110)
        x, y = draw(number), draw(number)
        width, height = draw(st.integers(5, 60)), draw(st.integers(5, 60))
        corners = [(x, y), (x + width, y + height // 3), (x + width // 2, y + height)]
        found.append((draw(st.sampled_from(NAMES)), "page", corners))
    return found


def united(things: list[Placed], name: str) -> Polygon:
    page = box(0, 0, SIDE, SIDE)
    shape = union_all([Polygon(ring) for query, _, ring in things if query == name]) & page
    return shape.buffer(0)  # without lines, along which a triangle only touches the page


@settings(max_examples=60, deadline=None)
@given(placed(), placed(), placed(), st.sampled_from([None, 1, 2]))
def test_areas_are_those_of_shapely(regions, before, after, keep):
    truths = truths_of(regions, ["page"], SIDE)
    first, second = (cut_run(name, spots, truths, keep=keep)
                     for name, spots in (("A", before), ("B", after)))  # fmt: skip
    compared = compare_page(first, second, "page", truths["page"])
    for query in compared.queries:
        a, b = (
            united([spot for spot in spots if spot[0] == query][:keep], query)
            for spots in (before, after)
        )
        truth = united(regions, query)
        expected = {
            ComparedKind.FIRST: (truth & a) - b,
            ComparedKind.SECOND: (truth & b) - a,
            ComparedKind.BOTH: truth & a & b,
            ComparedKind.NEITHER: truth - a - b,
            ComparedKind.FALSE_FIRST: a - b - truth,
            ComparedKind.FALSE_SECOND: b - a - truth,
            ComparedKind.FALSE_BOTH: (a & b) - truth,
        }
        sums = compared.sums(query)
        assert sums == pytest.approx({kind: shape.area for kind, shape in expected.items()},
                                     abs=1e-6)  # fmt: skip
    sums = compared.sums()
    assert compared.first_lost.sum() == pytest.approx(sums[ComparedKind.FALSE_FIRST], abs=1e-6)
    assert compared.second_gained.sum() == pytest.approx(sums[ComparedKind.FALSE_SECOND], abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(placed(), placed(), placed(), placed(3))
def test_ignored_area_is_of_no_kind(regions, before, after, ignored):
    truths = truths_of(regions, ["page"], SIDE)
    off = tuple(
        replace(
            region, id=f"i{number}", ignore=Ignore.AREA, label="" if number % 2 else region.label
        )
        for number, region in enumerate(truths_of(ignored, ["page"], SIDE)["page"].regions)
    )
    truths["page"] = replace(truths["page"], regions=(*truths["page"].regions, *off))
    first, second = cut_run("A", before, truths), cut_run("B", after, truths)
    compared = compare_page(first, second, "page", truths["page"])
    for query in compared.queries:
        left_out = union_all([Polygon(each.points) for each in off if each.label in ("", query)])
        a, b, truth = (
            (united(things, query) - left_out).buffer(0) for things in (before, after, regions)
        )
        sums = compared.sums(query)
        expected = {
            ComparedKind.FIRST: (truth & a) - b,
            ComparedKind.NEITHER: truth - a - b,
            ComparedKind.FALSE_SECOND: b - a - truth,
        }
        for kind, shape in expected.items():
            assert sums[kind] == pytest.approx(shape.area, abs=1e-5)


@settings(max_examples=40, deadline=None)
@given(placed(), placed(), placed(), st.sampled_from([None, *NAMES]))
def test_painted_areas_are_those_of_pixels_and_of_sums(regions, before, after, query):
    """Each place is one kind; of one query they are its sums; pixels at four times agree."""
    truths = truths_of(regions, ["page"], SIDE)
    first, second = cut_run("A", before, truths), cut_run("B", after, truths)
    areas = compared_areas(first, second, "page", truths["page"], query)
    painted = painted_areas(areas)
    if query is not None and query in compare_page(first, second, "page", truths["page"]).queries:
        sums = compare_page(first, second, "page", truths["page"]).sums(query)
        assert painted == pytest.approx(sums, abs=1e-5)
    scale = 4
    raster = OverlayRaster((scale, 0, 0, scale, 0, 0), scale * SIDE, scale * SIDE)
    counts = np.bincount(compared_kinds(areas, raster).ravel(), minlength=len(ComparedKind))
    for kind, area in painted.items():
        edges = 12  # px², of small areas: pixels count by their centres
        assert abs(counts[kind] / scale**2 - area) <= 0.005 * area + edges


@settings(max_examples=25, deadline=None)
@given(placed(), placed(), placed())
def test_the_other_way_round_the_kinds_change_places(regions, before, after):
    truths = truths_of(regions, ["page"], SIDE)
    first, second = cut_run("A", before, truths), cut_run("B", after, truths)
    there = compare_page(first, second, "page", truths["page"]).sums()
    back = compare_page(second, first, "page", truths["page"]).sums()
    swapped = {
        ComparedKind.FIRST: ComparedKind.SECOND, ComparedKind.SECOND: ComparedKind.FIRST,
        ComparedKind.FALSE_FIRST: ComparedKind.FALSE_SECOND,
        ComparedKind.FALSE_SECOND: ComparedKind.FALSE_FIRST,
    }  # fmt: skip
    for kind, area in there.items():
        assert back[swapped.get(kind, kind)] == pytest.approx(area, abs=1e-6)


def test_outlines_are_converted_as_for_the_tally():
    """A triangle becomes its box: half of the truth is found by A, all of it by B."""
    truths = truths_of([("bed", "page", ring_of(0, 0, 40, 40))], ["page"])
    first = cut_run("A", [("bed", "page", ring_of(0, 0, 20, 40))], truths)
    second = cut_run("B", [("bed", "page", [(0, 0), (40, 0), (40, 40)])], truths)
    drawn = compare_page(first, second, "page", truths["page"]).sums()
    assert drawn[ComparedKind.BOTH] == pytest.approx(200)
    from_boxes = compare_page(first, second, "page", truths["page"], Primitive.BOX)
    assert from_boxes.second_gained.tolist() == [0.0]


def test_a_page_without_anything_has_no_area():
    truths = truths_of([], ["page", "other"])
    first = cut_run("A", [("bed", "other", ring_of(0, 0, 20, 40))], truths)
    second = cut_run("B", [], truths)
    compared = compare_page(first, second, "page", truths["page"])
    assert not any(compared.sums().values()) and not len(compared.first_spot)
    assert compared.sums("unheard of") == compared.sums()
    assert np.isclose(
        compare_page(first, second, "other", truths["other"]).sums()[ComparedKind.FALSE_FIRST], 800
    )
