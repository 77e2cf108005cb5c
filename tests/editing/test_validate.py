"""What a careful colleague would remark on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from spotlab.editing.region_index import duplicates
from spotlab.editing.validate import FindingKind, Severity, TruthFinding, similar_labels, validate
from spotlab.geometry.polygon import even_odd_geometry
from spotlab.model import Page, Primitive, Region, Truth
from tests.editing.operations_cases import PAGE, region_of, regions

ERROR, WARNING = Severity.ERROR, Severity.WARNING
SIZE = (PAGE.width, PAGE.height)
BED = [(10, 10), (50, 10), (50, 40), (10, 40)]


def look(*many: Region, size: tuple[int, int] | None = SIZE) -> list[TruthFinding]:
    return validate(Truth(PAGE, many), size)


def one(region: Region) -> TruthFinding:
    (found,) = look(region)
    assert found.region == region.id
    assert "\n" not in found.message
    return found


def bed(*points: tuple[float, float], primitive: Primitive = Primitive.POLYGON) -> Region:
    return region_of(*(points or BED), primitive=primitive, label="bed")


def test_good_truth_has_nothing_to_remark() -> None:
    keyhole = bed(*BED, BED[0], (20, 20), (20, 30), (30, 30), (30, 20), (20, 20))
    touching = bed((100, 100), (120, 100), (120, 120), (140, 120), (140, 140), (120, 140), (120, 120), (100, 120))  # fmt: skip  # noqa: E501
    assert look(keyhole, touching) == []
    assert look() == []


@pytest.mark.parametrize(
    ("region", "severity", "kind", "says"),
    [
        (bed((-3, 10), (50, 10), (50, 40)), ERROR, FindingKind.OUTSIDE,
         "3 px beyond the page's left"),
        (bed((150, 100), (209, 100), (209, 170)), ERROR, FindingKind.OUTSIDE,
         "9 px beyond the page's right edge and 10 px beyond the page's bottom edge"),
        (bed((10, 10), (50, 50), (50, 10), (10, 50)), ERROR, FindingKind.CROSSING, "near (30, 30)"),
        (bed(*BED, *BED, *BED), ERROR, FindingKind.CROSSING, "crosses itself"),
        (bed(*BED, *BED), ERROR, FindingKind.NO_AREA, "encloses no area"),
        (bed((10, 10), (50, 10), (30, 10)), ERROR, FindingKind.NO_AREA, "'bed' at (30, 10)"),
        (bed((10, 10), (50, 10), (30, 20), (50, 40), (10, 40), primitive=Primitive.HULL),
         ERROR, FindingKind.NOT_CONVEX, "its hull is 300 px² larger"),
        (bed((10, 10), (13, 10), (13, 14), (10, 14)), WARNING, FindingKind.TINY, "only 12 px²"),
        (bed((10, 10), (90, 50), (90, 52), (10, 12)), WARNING, FindingKind.TINY,
         "only 1.8 px wide"),
        (bed((10, 10), (50.5, 10), (50, 40)), WARNING, FindingKind.NOT_WHOLE, "not whole pixels"),
        (region_of(*BED), WARNING, FindingKind.UNLABELED, "without a label at (30, 25)"),
    ],
)  # fmt: skip
def test_one_thing_at_a_time(
    region: Region, severity: Severity, kind: FindingKind, says: str
) -> None:
    found = one(region)
    assert (found.severity, found.kind) == (severity, kind)
    assert says in found.message


def test_the_image() -> None:
    (missing,) = look(size=None)
    assert (missing.kind, missing.region) == (FindingKind.IMAGE_MISSING, None)
    assert "plan.png is missing" in missing.message
    (other,) = look(size=(160, 200))
    assert other.message == (
        "the image plan.png is 160 × 200 px, but the truth is for 200 × 160 px"
    )


def test_the_same_region_twice() -> None:
    turned = bed(*BED[2:], *BED[:2])
    backwards = bed(*BED[::-1])
    first, second = look(bed(), turned, backwards)
    assert (first.region, second.region) == (turned.id, backwards.id)
    assert {first.severity, second.severity} == {Severity.ERROR}
    assert "same outline as 'bed' at (30, 25)" in first.message
    sofa = replace(turned, label="sofa")
    (found,) = look(bed(), sofa)
    assert (found.severity, found.kind) == (Severity.WARNING, FindingKind.DUPLICATE)
    assert found.message == "'sofa' at (30, 25) has the same outline as 'bed' at (30, 25)"


def test_nearly_the_same_region_twice() -> None:
    wider = bed((10, 10), (51, 10), (51, 40), (10, 40))  # 40/41 = .976
    (found,) = look(bed(), wider)
    assert found.kind is FindingKind.DUPLICATE and "97.6%" in found.message
    much_wider = bed((10, 10), (53, 10), (53, 40), (10, 40))  # 40/43 = .93
    assert look(bed(), much_wider) == []


@pytest.mark.slow
@given(st.lists(regions(), max_size=8), st.floats(0.05, 0.99))
def test_duplicates_are_those_of_all_pairs(many: list[Region], least: float) -> None:
    shapes = [even_odd_geometry(region.array) for region in many]
    expected = {}
    for later in range(len(many)):
        values = [
            shapely.intersection(shapes[earlier], shapes[later]).area
            / shapely.union(shapes[earlier], shapes[later]).area
            for earlier in range(later)
        ]
        if values and max(values) >= least + 1e-9:
            expected[many[later].id] = max(values)
    found = {found.region.id: found.iou for found in duplicates(many, least + 1e-9)}
    # of equal outlines only the first is compared with the others
    assert found.keys() >= {
        region.id for region in many if region.id in expected and expected[region.id] == 1
    }
    for id, iou in found.items():
        assert expected[id] == pytest.approx(iou)
    assert found.keys() == expected.keys()


def test_labels_that_may_be_misspelt() -> None:
    labels = ["sofa"] * 5 + ["Sofa", "so fa", "soffa", "sink", "sink", "desk"]
    many = [
        Region(((x * 10, 0), (x * 10 + 8, 0), (x * 10 + 8, 9)), label)
        for x, label in enumerate(labels)
    ]
    found = look(*many)
    assert [(finding.region, finding.kind) for finding in found] == [
        (region.id, FindingKind.LABEL) for region in many[5:8]
    ]
    assert (
        "'so fa' at" in found[1].message
        and "may be a misspelling of 'sofa' (5 regions)" in found[1].message
    )


@pytest.mark.parametrize(
    ("counts", "found"),
    [
        ({"chair": 9, "chiar": 1}, {"chiar": "chair"}),  # neighbours exchanged
        ({"chair": 9, "chairs": 1}, {"chairs": "chair"}),
        ({"chair": 1, "chairs": 1}, {}),
        ({"bed": 9, "bad": 1}, {}),  # too short to tell
        ({"bed": 9, "BED": 1}, {"BED": "bed"}),
        ({"Bed": 2, "bed": 2}, {"bed": "Bed"}),
        ({"door 1": 9, "door 2": 1}, {}),
        ({"night-table": 9, "night table": 2, "nighttable": 1},
         {"night table": "night-table", "nighttable": "night-table"}),
        ({"sofa": 3, "sofas": 2, "sofass": 1}, {"sofas": "sofa", "sofass": "sofas"}),
        ({"?": 3, "!": 1}, {}),
        ({}, {}),
    ],
)  # fmt: skip
def test_similar_labels(counts: dict[str, int], found: dict[str, str]) -> None:
    assert similar_labels(counts) == found


@pytest.mark.slow
def test_twenty_thousand_regions_are_compared() -> None:
    rng = np.random.default_rng(0)
    corners = rng.integers(0, 9000, (20_000, 2))
    many = tuple(
        region_of(*((x + dx, y + dy) for dx, dy in BED), label="bed") for x, y in corners.tolist()
    )
    page = Page(Path("large.png"), 9500, 9500)
    # quadratic work would take hours
    found = validate(Truth(page, many), (9500, 9500))
    twice = {finding.region for finding in found if finding.kind is FindingKind.DUPLICATE}
    assert len(twice) >= 20_000 - len(np.unique(corners, axis=0))
