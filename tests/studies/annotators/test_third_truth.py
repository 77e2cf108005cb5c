"""Two annotators of a page: what differs, κ and areas by hand, decisions and the third truth."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import box
from shapely.ops import unary_union

from spotlab.errors import BadInput, NotSaved, SpotlabError
from spotlab.formats.truth import page_xml
from spotlab.measures.agreement import cohen_kappa, match_regions
from spotlab.model import Contribution, Deed, Page, Region, Truth
from spotlab.studies.annotators import decisions
from spotlab.studies.annotators.decisions import (
    NAME,
    AnnotatorSide,
    Decision,
    DecisionFile,
    Outline,
    open_decisions,
    read_decisions,
    verdict_counts,
)
from spotlab.studies.annotators.differences import (
    DifferenceKind,
    RegionPair,
    compare_page,
    compare_regions,
    decided_region,
    third_path,
    write_page,
)
from tests.formats.page_files import assert_valid

PAGE = Page(Path("plan.png"), 100, 100)
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
DRAWN = (Contribution(Deed.DRAWN, "Anna", NOW),)


def region(label: str, left: float, top: float, width: float = 10, height: float = 10,
           id: str = "") -> Region:  # fmt: skip
    right, bottom = left + width, top + height
    points = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Region(points, label, id or f"r{left:g}_{top:g}", history=DRAWN)


MINE = Truth(PAGE, (region("sofa", 0, 0), region("bed", 20, 0), region("desk", 40, 0),
                    region("door", 0, 50)))  # fmt: skip
THEIRS = Truth(PAGE, (region("sofa", 0, 0, 10, 6), region("desk", 20, 0), region("lamp", 60, 0),
                      region("door", 0, 50)))  # fmt: skip


def test_differences_are_listed_by_disputed_area_and_figures_are_as_by_hand() -> None:
    found = compare_page(MINE, THEIRS)
    assert [(pair.kind.value, pair.disputed) for pair in found.differences.pairs] == [
        ("other label", 100),
        ("only mine", 100),
        ("only theirs", 100),
        ("other outline", 40),
        ("alike", 0),
    ]
    # (sofa, sofa), (bed, desk), (desk, –), (–, lamp), (door, door): p_o = 2/5; of 25 pairs of
    # marginals sofa 1·1, desk 1·1, – 1·1 and door 1·1 are equal, so p_e = 4/25
    assert found.differences.kappa == pytest.approx((2 / 5 - 4 / 25) / (1 - 4 / 25))
    assert found.iou_by_label == pytest.approx(
        {"bed": 0, "desk": 0, "door": 1, "lamp": 0, "sofa": 0.6}
    )
    assert found.iou == pytest.approx((60 + 100) / (100 + 100 + 200 + 100 + 100))
    assert found.differences.matched == 3


def test_kappa_is_undefined_where_chance_explains_all() -> None:
    assert math.isnan(cohen_kappa([])) and math.isnan(cohen_kappa([("a", "a"), ("a", "a")]))
    assert math.isnan(compare_regions([], []).kappa)
    assert cohen_kappa([("a", None), (None, "a")]) == -1


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.sampled_from("ab")),
                max_size=8), st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12),
                st.sampled_from("ab")), max_size=8))  # fmt: skip
def test_agreement_is_that_of_shapely_and_the_same_both_ways_round(
    one: list[tuple[int, int, str]], other: list[tuple[int, int, str]]
) -> None:
    sides = [
        Truth(
            PAGE, tuple(region(label, x, y, id=f"r{at}") for at, (x, y, label) in enumerate(side))
        )
        for side in (one, other)
    ]
    found, turned = compare_page(*sides), compare_page(*reversed(sides))
    assert found.differences.kappa == pytest.approx(turned.differences.kappa, nan_ok=True)
    assert found.iou == pytest.approx(turned.iou, nan_ok=True)
    for label, iou in found.iou_by_label.items():
        first, second = (
            unary_union([box(*r.bounds) for r in side.regions if r.label == label])
            for side in sides
        )
        whole = first.union(second).area
        assert iou == pytest.approx(first.intersection(second).area / whole)
    firsts = [pair.first.id for pair in found.differences.pairs if pair.first]
    assert sorted(firsts) == sorted(r.id for r in sides[0].regions)
    for pair in found.differences.pairs:
        if pair.first and pair.second:
            assert pair.iou >= 0.5


def test_regions_match_from_the_highest_iou_down() -> None:
    pairs, iou = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0.7, 0.6, 0.9, 0.8])
    assert match_regions(pairs, iou, 2).tolist() == [1, 0]
    assert match_regions(pairs, iou, 2, 0.65).tolist() == [-1, 0]


def pair(kind: DifferenceKind) -> RegionPair:
    found = compare_page(MINE, THEIRS).differences.pairs
    return next(each for each in found if each.kind is kind)


@pytest.fixture
def log(tmp_path: Path) -> DecisionFile:
    sides = [AnnotatorSide(name, tmp_path / name) for name in ("anna", "ben")]
    return open_decisions(tmp_path / "decided", *sides)


def decide(log: DecisionFile, about: RegionPair, verdict: Deed, **more: object) -> Decision:
    decision = Decision("plan", about.key, verdict, "Cleo", NOW, **more)  # type: ignore[arg-type]
    log.record("plan", about.key, decision, by=decision)
    return decision


def write(log: DecisionFile, mine: Truth = MINE) -> Truth:
    differences = compare_page(mine, THEIRS).differences
    path = third_path(log.folder, log.first.folder / "plan.xml")
    write_page(path, mine, differences, log.of_page("plan"), log.names, "Cleo", NOW)
    assert path == log.folder / "plan.xml"
    assert_valid(path.read_bytes())
    return page_xml.read(path)


def test_the_third_truth_holds_what_is_decided_and_who_decided(log: DecisionFile) -> None:
    decide(log, pair(DifferenceKind.LABEL), Deed.TAKEN)
    decide(log, pair(DifferenceKind.OUTLINE), Deed.MERGED, label="couch")
    decide(log, pair(DifferenceKind.ONLY_SECOND), Deed.KEPT)  # there is nothing
    found = {each.label: each for each in write(log).regions}
    assert set(found) == {"desk", "couch", "door"}
    last = {label: each.history[-1] for label, each in found.items()}
    assert (last["desk"].deed, last["desk"].author, last["desk"].source) == ("taken", "Cleo", "ben")
    assert (last["couch"].deed, last["couch"].source) == ("merged", "anna + ben")
    assert last["door"].deed == "agreed" and found["couch"].area == 100
    assert [entry.deed for entry in found["desk"].history] == ["drawn", "taken"]
    assert not write(log).page.checked
    decide(log, pair(DifferenceKind.ONLY_FIRST), Deed.UNDECIDED)
    undecided = next(each for each in write(log).regions if each.uncertain)
    assert undecided.area == 100 and undecided.history[-1].deed == "undecided"
    decide(log, pair(DifferenceKind.ONLY_FIRST), Deed.TAKEN)
    assert not any(each.uncertain for each in write(log).regions)
    assert write(log).page.checked


def test_decisions_are_read_again_taken_back_and_survive_a_torn_line(log: DecisionFile) -> None:
    first = decide(log, pair(DifferenceKind.LABEL), Deed.TAKEN)
    second = decide(log, pair(DifferenceKind.OUTLINE), Deed.MERGED, outline=Outline.COMMON)
    log.record("plan", first.pair, None, by=first)
    with (log.folder / NAME).open("ab") as file:
        file.write(b'{"page": "plan", "pa')
    again = read_decisions(log.folder)
    assert again.decisions == (second,) and again.first.name == "anna"
    assert again.first.folder.resolve() == log.first.folder.resolve()
    assert verdict_counts(again.decisions)["merged"] == 1
    decide(again, pair(DifferenceKind.LABEL), Deed.KEPT)
    assert len(read_decisions(log.folder).decisions) == 2


def test_a_decision_that_has_no_room_leaves_nothing_behind(
    log: DecisionFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    decide(log, pair(DifferenceKind.LABEL), Deed.TAKEN)
    before = (log.folder / NAME).read_bytes()
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(decisions.os, "write", lambda handle, line: write(handle, line[:7]))
        with pytest.raises(NotSaved, match="the disk is full"):
            decide(log, pair(DifferenceKind.OUTLINE), Deed.KEPT)
    assert (log.folder / NAME).read_bytes() == before
    decide(log, pair(DifferenceKind.OUTLINE), Deed.KEPT)
    assert len(read_decisions(log.folder).decisions) == 2


def test_a_pair_that_changes_is_open_again_and_its_old_region_goes(log: DecisionFile) -> None:
    decide(log, pair(DifferenceKind.ONLY_FIRST), Deed.KEPT)
    assert "desk" in {each.label for each in write(log).regions}
    changed = [
        replace(each, label="table") if each.label == "desk" else each for each in MINE.regions
    ]
    assert {each.label for each in write(log, replace(MINE, regions=tuple(changed))).regions} == {
        "door"
    }
    assert "desk" in {each.label for each in write(log).regions}  # it is as it was decided


def test_corrections_of_the_third_truth_by_hand_stay(log: DecisionFile) -> None:
    decide(log, pair(DifferenceKind.ONLY_FIRST), Deed.KEPT)
    truth = write(log)
    corrected = [replace(each, comment="moved") for each in truth.regions]
    own = region("plant", 80, 80)
    page_xml.write(replace(truth, regions=(*corrected, own)), log.folder / "plan.xml")
    decide(log, pair(DifferenceKind.LABEL), Deed.KEPT)
    found = write(log).regions
    assert sorted(each.comment for each in found) == ["", "", "moved", "moved"]
    assert "plant" in {each.label for each in found}


def test_merged_outlines() -> None:
    one, other = region("sofa", 0, 0), region("sofa", 5, 0)
    about = RegionPair(one, other, 1 / 3, DifferenceKind.OUTLINE, 100)
    areas = {}
    for outline in Outline:
        decision = Decision("plan", about.key, Deed.MERGED, "Cleo", NOW, "sofa", outline)
        merged = decided_region(about, decision, ("anna", "ben"), PAGE)
        areas[outline.value] = merged.area if merged else 0
    assert areas == {"hull": 150, "union": 150, "common": 50}
    with pytest.raises(SpotlabError, match="Only one"):
        decided_region(replace(about, second=None), decision, ("anna", "ben"), PAGE)


def test_neither_side_nor_foreign_truth_is_ever_written_to(log: DecisionFile) -> None:
    anna, ben = log.first, log.second
    anna.folder.mkdir()
    for folder in (anna.folder, anna.folder / "inside", ben.folder):
        with pytest.raises(BadInput, match="in the folder of"):
            open_decisions(folder, anna, ben)
    other = log.folder.parent / "other"
    other.mkdir()
    page_xml.write(MINE, other / "plan.xml")
    with pytest.raises(BadInput, match="truth files, but no decisions"):
        open_decisions(other, anna, ben)
    with pytest.raises(BadInput, match="between anna and ben"):
        open_decisions(log.folder, anna, AnnotatorSide("dora", ben.folder))
    assert open_decisions(log.folder, anna, ben).decisions == ()
