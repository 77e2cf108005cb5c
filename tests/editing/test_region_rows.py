"""Regions as rows: order by every column, filter by words; marks on labels and single regions."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from spotlab.editing.selection import RegionColumn, RegionMarks, RegionRow, list_regions
from spotlab.model import Contribution, Deed, Ignore, Region


def box(label: str, width: float, height: float, **more: object) -> Region:
    points = ((0, 0), (width, 0), (width, height), (0, height))
    return replace(Region(points, label), **more)  # type: ignore[arg-type]


ANNA = Contribution(Deed.DRAWN, "Anna", datetime(2026, 5, 2, tzinfo=UTC))
BORIS = Contribution(Deed.CHANGED, "boris", datetime(2026, 5, 1, tzinfo=UTC))
REGIONS = (
    box("sofa", 30, 10, comment="Behind the wall", history=(ANNA,)),
    box("", 10, 50, uncertain=True, history=(ANNA, BORIS)),
    box("Bed", 20, 20, ignore=Ignore.AREA),
    box("sofa", 5, 5, text="no smoking"),
)
ROWS = [
    RegionRow(number, region, hidden=number == 2, locked=number == 3)
    for number, region in enumerate(REGIONS, 1)
]


@pytest.mark.parametrize(
    ("column", "rising", "falling"),
    [
        (RegionColumn.NUMBER, [1, 2, 3, 4], [4, 3, 2, 1]),
        (RegionColumn.LABEL, [3, 1, 4, 2], [1, 4, 3, 2]),  # those without a label always last
        (RegionColumn.AREA, [4, 1, 3, 2], [2, 3, 1, 4]),
        (RegionColumn.SIZE, [4, 2, 3, 1], [1, 3, 2, 4]),
        (RegionColumn.MARKS, [3, 2, 1, 4], [2, 3, 1, 4]),
        (RegionColumn.COMMENT, [1, 2, 3, 4], [1, 2, 3, 4]),
        (RegionColumn.AUTHOR, [1, 2, 3, 4], [2, 1, 3, 4]),
        (RegionColumn.CHANGED, [2, 1, 3, 4], [1, 2, 3, 4]),
        (RegionColumn.HIDDEN, [1, 3, 4, 2], [2, 1, 3, 4]),
        (RegionColumn.LOCKED, [1, 2, 4, 3], [3, 1, 2, 4]),
    ],
)
def test_every_column_orders(column: RegionColumn, rising: list[int], falling: list[int]) -> None:
    assert [row.number for row in list_regions(ROWS, column=column)] == rising
    assert [row.number for row in list_regions(ROWS, column=column, falling=True)] == falling


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("SOFA", [1, 4]),
        ("sofa wall", [1]),
        ("unlabeled", [2]),
        ("uncertain", [2]),
        ("ignored", [3]),
        ("smoking", [4]),
        ("#3", [3]),
        ("Boris", [2]),
        ("lamp", []),
        ("  ", [1, 2, 3, 4]),
    ],
)
def test_words_filter(text: str, numbers: list[int]) -> None:
    assert [row.number for row in list_regions(ROWS, text)] == numbers


def test_a_region_s_own_mark_comes_before_its_label_s_until_the_label_changes() -> None:
    marks, (sofa, _, bed, other) = RegionMarks(), REGIONS
    marks.set_label("sofa", True)
    marks.set_regions([sofa], False)
    assert [marks.has(region) for region in (sofa, other, bed)] == [False, True, False]
    marks.set_label("sofa", True)
    assert marks.has(sofa)
    marks.rename("sofa", "couch")
    assert not marks.has(sofa) and marks.has(replace(sofa, label="couch"))
    marks.clear()
    assert not marks


def test_one_label_alone_is_left_out_and_others_can_join_it() -> None:
    marks, (sofa, unlabeled, bed, _) = RegionMarks(), REGIONS
    marks.set_only("sofa")
    assert [marks.has(region) for region in (sofa, unlabeled, bed)] == [False, True, True]
    assert marks.has_label("one that comes later")
    marks.set_label("Bed", False, ("", "sofa", "Bed", "sink"))
    assert [marks.has_label(name) for name in ("", "sofa", "Bed", "sink")] == [
        True, False, False, True,
    ]  # fmt: skip


def test_marks_are_of_a_page() -> None:
    marks, sofa = RegionMarks(), REGIONS[0]
    marks.use_page("one")
    marks.set_regions([sofa], True)
    marks.use_page("two")
    assert not marks.has(sofa)  # ids are unique on a page only
    marks.use_page("one")
    assert marks.has(sofa)
