"""Copied regions arrive at the same place of other pages and in other windows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spotlab.editing.selection import Clipboard
from spotlab.errors import SpotlabError
from spotlab.model import Ignore, Page, Region
from tests.editing.operations_cases import PAGE, check, region_of, regions

SMALLER = Page(Path("small.png"), 60, 50)
SOFA = region_of((10, 10), (50, 10), (50, 40), label="sofa")


@given(st.lists(regions(), min_size=1, max_size=5))
def test_pasting_is_exact_apart_from_ids(many: list[Region]) -> None:
    copied = Clipboard.of(many, PAGE)
    again = Clipboard.from_text(copied.text())
    pasted = again.paste(PAGE)
    assert [replace(region, id="") for region in pasted] == [
        replace(region, id="") for region in many
    ]
    ids = {region.id for region in pasted}
    assert len(ids) == len(many) and not ids & {region.id for region in many}


def test_flags_and_texts_come_along() -> None:
    full = replace(SOFA, uncertain=True, ignore=Ignore.AREA, comment='a "b"', text="ü\n")
    (pasted,) = Clipboard.from_text(Clipboard.of([full], PAGE).text()).paste(PAGE)
    assert replace(pasted, id=full.id) == full


@given(st.lists(regions(), min_size=1, max_size=5))
def test_a_smaller_page_takes_what_fits_and_says_what_does_not(many: list[Region]) -> None:
    try:
        pasted = Clipboard.of(many, PAGE).paste(SMALLER)
    except SpotlabError as error:
        assert "larger than this page of 60 × 50 px" in str(error)
        return
    for before, after in zip(many, pasted, strict=True):
        check(after, SMALLER)
        assert after.area == before.area


def test_all_move_together_where_they_can() -> None:
    left, right = (
        region_of((100, 60), (110, 60), (110, 70)),
        region_of((130, 60), (140, 60), (140, 80)),
    )
    pasted = Clipboard.of([left, right], PAGE).paste(SMALLER)
    assert [region.bounds for region in pasted] == [(20, 30, 30, 40), (50, 30, 60, 50)]
    far = region_of((0, 0), (10, 0), (10, 10))
    pasted = Clipboard.of([far, right], PAGE).paste(SMALLER)
    assert [region.bounds for region in pasted] == [(0, 0, 10, 10), (50, 30, 60, 50)]


def test_a_step_aside_shows_copies_on_the_same_page() -> None:
    (pasted,) = Clipboard.of([SOFA], PAGE).paste(PAGE, (10, 10))
    assert pasted.bounds == (20, 20, 60, 50)


def test_nothing_to_copy() -> None:
    with pytest.raises(SpotlabError, match="nothing to copy"):
        Clipboard.of([], PAGE)


GOOD = json.loads(Clipboard.of([SOFA], PAGE).text())
REGION = GOOD["regions"][0]


@pytest.mark.parametrize(
    "text",
    [
        "", "hello", "[]", "null", "{}", "[" * 100_000, '{"kind": "spotlab regions"}',
        json.dumps({**GOOD, "version": 2}),
        json.dumps({**GOOD, "page": None}),
        json.dumps({**GOOD, "page": [1e999, 1]}),
        json.dumps({**GOOD, "regions": []}),
        json.dumps({**GOOD, "regions": 5}),
        json.dumps({**GOOD, "regions": [5]}),
        json.dumps({**GOOD, "regions": [{**REGION, "points": [[0, 0]]}]}),
        json.dumps({**GOOD, "regions": [{**REGION, "points": [[0, 0], [1e999, 1], [2, 2]]}]}),
        json.dumps({**GOOD, "regions": [{**REGION, "primitive": "spiral"}]}),
    ],
)  # fmt: skip
def test_other_texts_are_told_in_one_line(text: str) -> None:
    with pytest.raises(SpotlabError, match="clipboard") as told:
        Clipboard.from_text(text)
    assert "\n" not in str(told.value)
