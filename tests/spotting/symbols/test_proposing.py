"""Proposals: the rest of what is known is found, answers count, nothing comes back."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.arrays import Points
from spotlab.errors import Cancelled
from spotlab.geometry.polygon import Outlines
from spotlab.spotting.symbols.embedding.network import SIZE
from spotlab.spotting.symbols.engine.method import features_of_ink
from spotlab.spotting.symbols.proposals.candidate_classifier import (
    Proposal,
    classify_candidates,
    propose,
)
from spotlab.spotting.symbols.proposals.candidates import (
    OWN,
    appearance_length,
    candidate_hulls,
    describe_appearance,
    describe_regions,
    example_region,
    figures_count,
    find_candidates,
    is_box,
    snap_to_ink,
)
from spotlab.spotting.symbols.proposals.lesson import LabelledExamples, min_shown_score
from tests.spotting.symbols.proposed_scenes import Scene, box_of, overlap

NOTHING = Outlines.of([])


class House:
    """Two tables, one of them upright, two sinks and two beds, one of them mirrored."""

    def __init__(self) -> None:
        self.scene = Scene()
        self.tables = self.scene.table(40, 40), self.scene.table(200, 40, upright=True)
        self.sinks = self.scene.sink(40, 200), self.scene.sink(300, 300)
        self.beds = self.scene.bed(400, 60), self.scene.bed(500, 200, mirrored=True)
        self.first = (("table", self.tables[0]), ("sink", self.sinks[0]), ("bed", self.beds[0]))
        self.lessons = self.scene.taught(*self.first)
        self.taken = Outlines.of([outline for _, outline in self.first])
        self.rest = {"table": self.tables[1], "sink": self.sinks[1], "bed": self.beds[1]}


@pytest.fixture(scope="module")
def house() -> House:
    return House()


def hulled(points: Points) -> Points:
    """Not a box, so that proposals are hulls."""
    return np.vstack([points, points[:1] + np.array([0.0, 20.0])])


def at(found: tuple[Proposal, ...], outline: Points) -> list[Proposal]:
    return [each for each in found if overlap(each.outline, outline) > 0.4]


def test_the_rest_of_a_page_is_proposed_turned_and_mirrored_too(house: House) -> None:
    found = propose(house.scene.features, house.lessons, house.taken, name="one")
    shown = [each for each in found if each.score >= min_shown_score(house.lessons)]
    assert {each.label for each in shown} == set(house.rest)
    for label, outline in house.rest.items():
        best = at(tuple(shown), outline)
        assert [each.label for each in best] == [label]
        assert overlap(best[0].outline, outline) > 0.9
        assert best[0].page == "one"
        assert best[0].why == f"most like the {label} on one"
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)


def test_nothing_is_proposed_where_a_region_is(house: House) -> None:
    every = [*house.tables, *house.sinks, *house.beds]
    found = propose(house.scene.features, house.lessons, Outlines.of(every), name="one")
    assert all(not at(found, outline) for outline in every)
    assert at(propose(house.scene.features, house.lessons, NOTHING, name="one"), house.tables[0])


def test_only_the_wanted_labels_are_proposed(house: House) -> None:
    found = propose(house.scene.features, house.lessons, house.taken, ["sink"], name="one")
    assert {each.label for each in found} == {"sink"}
    assert propose(house.scene.features, house.lessons, house.taken, ["piano"]) == ()
    assert propose(house.scene.features, LabelledExamples(), house.taken) == ()


@pytest.mark.parametrize("name", ["\0", "sink\0", "sink"])
def test_labels_are_told_apart_to_the_last_character(house: House, name: str) -> None:
    taught = house.scene.taught((name, house.sinks[0]), ("table", house.tables[0]))
    found = propose(house.scene.features, taught, house.taken, [name], name="one")
    assert [each.label for each in at(found, house.sinks[1])] == [name]


def test_a_label_without_an_example_scores_nothing(house: House) -> None:
    scores, nearest = classify_candidates(house.scene.features, house.lessons, ["sink", "piano"])
    assert (scores[:, 0] > 0).all() and not scores[:, 1].any()
    assert (nearest[:, 1] == -1).all()


def test_how_symbols_look_on_other_pages_counts_not_how_many_there_are() -> None:
    def drawn(*radii: int) -> tuple[Scene, Points]:
        scene = Scene()
        sinks = [scene.sink(40 + 150 * at, 40, radius) for at, radius in enumerate(radii)]
        return scene, sinks[0]

    first, taught = drawn(20, 20)
    lessons = first.taught(("sink", taught), ("table", first.table(40, 300)))
    page, sink = drawn(10)
    alike, larger = (drawn(*radii)[0].features for radii in ((10, 10, 10, 10), (18, 16, 14, 12)))
    alone, beside_alike, beside_larger = (
        at(propose(page.features, lessons, NOTHING, name="two", others=others), sink)[0].score
        for others in ([], [alike], [larger])
    )
    assert beside_alike == pytest.approx(alone, abs=0.02)
    assert abs(beside_larger - alone) > 0.05


def test_what_was_rejected_never_comes_back_on_its_page(house: House) -> None:
    seen, lessons = house.scene.features, house.lessons
    for _ in range(40):  # reject whatever comes
        found = propose(seen, lessons, house.taken, ["sink"], name="one")
        if not found:
            break
        query = house.scene.query("sink", found[0].outline)
        before = {each.outline.tobytes() for each in lessons.all if not each.is_positive}
        assert found[0].outline.tobytes() not in before
        lessons = lessons.with_rejected("sink", query, "one", found[0].outline)
    assert not propose(seen, lessons, house.taken, ["sink"], name="one")


def test_rejecting_is_about_one_label_and_one_page(house: House) -> None:
    seen = house.scene.features
    outline = house.sinks[1]
    query = house.scene.query("table", outline)
    lessons = house.lessons.with_rejected("table", query, "one", outline)
    best = at(propose(seen, lessons, house.taken, name="one"), outline)
    assert [each.label for each in best] == ["sink"]


def test_what_looks_like_a_rejected_one_sinks() -> None:
    scene = Scene()
    known = scene.sink(40, 40)
    wrong, alike = scene.sink(300, 40, radius=17), scene.sink(300, 250, radius=17)
    seen, taken = scene.features, Outlines.of([known])
    lessons = scene.taught(("sink", known))

    def score(lessons: LabelledExamples) -> float:
        found = at(propose(seen, lessons, taken, name="p"), alike)
        return max((each.score for each in found), default=0)

    more = lessons.with_rejected("sink", scene.query("sink", wrong), "p", wrong)
    assert score(lessons) > 0.1
    assert score(more) < score(lessons) / 1.3


def test_more_lessons_do_not_make_a_proposal_like_an_accepted_one_vanish(house: House) -> None:
    seen, lessons = house.scene.features, house.lessons
    clutter = Scene()
    wrong = [clutter.bed(40, 40), clutter.bed(300, 40, mirrored=True)]
    for outline in wrong * 3:
        lessons = lessons.with_rejected("sink", clutter.query("sink", outline), "two", outline)
        lessons = lessons.with_accepted("bed", clutter.query("bed", outline), "two", outline)
        found = at(propose(seen, lessons, house.taken, name="one"), house.sinks[1])
        assert [each.label for each in found] == ["sink"]
        assert found[0].score >= min_shown_score(lessons)


def test_boxes_are_proposed_where_examples_are_boxes_hulls_elsewhere() -> None:
    scene = Scene()
    outlines = scene.sink(40, 40), scene.sink(300, 250)
    for kind, expected in ((outlines[0], True), (hulled(outlines[0]), False)):
        lessons = scene.taught(("sink", kind))
        found = at(propose(scene.features, lessons, Outlines.of([outlines[0]])), outlines[1])
        assert overlap(found[0].outline, outlines[1]) > 0.9
        if expected:
            assert is_box(found[0].outline)


def test_a_wide_box_is_about_the_symbol_in_it() -> None:
    scene = Scene()
    sink = scene.sink(100, 100)
    wide = box_of(92, 94, 88, 78)
    hull = example_region(scene.query("sink", wide)).hulls[0]
    inside = hull + wide.min(0) - scene.query("sink", wide).outline.min(0)
    assert overlap(inside, sink) > 0.95


def test_the_same_page_and_lessons_give_the_same_proposals_whatever_was_asked_before() -> None:
    one, other = House(), House()
    propose(other.scene.features, other.scene.taught(other.first[2]), NOTHING, name="one")
    seen = other.scene.features
    propose(seen, other.scene.taught(other.first[1]), NOTHING)
    first = propose(one.scene.features, one.lessons, one.taken, name="one")
    second = propose(seen, other.lessons, other.taken, name="one")
    assert [(each.label, each.score, each.outline.tobytes()) for each in first] == [
        (each.label, each.score, each.outline.tobytes()) for each in second
    ]


def test_symbols_that_share_lines_with_a_wall_are_candidates() -> None:
    scene = Scene()
    for y in (100, 104, 108):
        scene.line((10, y), (690, y))
    table = scene.table(200, 110)
    hulls = candidate_hulls(scene.features)
    assert max(overlap(hulls[number], table) for number in range(len(hulls))) > 0.9


def test_a_page_without_ink_has_no_candidates_and_a_speck_teaches_nothing() -> None:
    empty = Scene()
    assert len(find_candidates(empty.features)) == 0
    speck = box_of(10, 10, 2, 2)
    lessons = empty.taught(("speck", speck))
    assert propose(empty.features, lessons, NOTHING) == ()
    assert propose(House().scene.features, lessons, NOTHING) == ()


def test_a_search_can_be_cancelled(house: House) -> None:
    def stop(*_: object) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        propose(house.scene.features, house.lessons, NOTHING, progress=stop)


def test_snapping_takes_the_ink_of_a_symbol_of_its_own_and_leaves_one_that_is_connected() -> None:
    scene = Scene()
    sink = scene.sink(100, 100)
    rough = hulled(box_of(95, 96, 80, 72))
    assert overlap(snap_to_ink(rough, scene.ink), sink) == pytest.approx(1, abs=0.01)
    assert is_box(snap_to_ink(box_of(95, 96, 80, 72), scene.ink))
    scene.line((100, 130), (5, 130), (5, 480), (690, 480))
    assert snap_to_ink(rough, scene.ink).tolist() == rough.tolist()
    assert (
        snap_to_ink(box_of(600, 20, 30, 30), scene.ink).tolist() == box_of(600, 20, 30, 30).tolist()
    )


def test_the_more_was_rejected_of_late_the_surer_proposals_have_to_be(house: House) -> None:
    lessons = house.lessons
    at_first = min_shown_score(lessons)
    outline = house.sinks[1]
    query = house.scene.query("sink", outline)
    stricter = []
    for _ in range(3):
        lessons = lessons.with_rejected("sink", query, "two", outline)
        stricter.append(min_shown_score(lessons))
    assert at_first < stricter[0] < stricter[1] < stricter[2] < 1
    for _ in range(60):
        lessons = lessons.with_accepted("sink", query, "two", outline)
    assert min_shown_score(lessons) <= at_first  # and the label is often there several times


def test_the_rarer_several_regions_of_a_label_are_the_surer_proposals_have_to_be(
    house: House,
) -> None:
    outline, query = house.sinks[1], house.scene.query("sink", house.sinks[1])
    once = several = LabelledExamples()
    for number in range(6):
        once = once.with_accepted(f"label {number}", query, "one", outline)
        several = several.with_accepted("sink", query, "one", outline)
    assert min_shown_score(several) < 0.3 < 0.5 < min_shown_score(once)


@pytest.mark.parametrize("corner", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_ink_in_every_corner_of_a_box_is_described(corner: tuple[int, int]) -> None:
    ink = np.zeros((120, 90), np.bool_)
    top, left = (42, 96)[corner[0]], (12, 66)[corner[1]]
    ink[top : top + 10, left : left + 10] = True
    page = features_of_ink(ink, methods=[])
    box = Outlines.of([[(10.0, 40.0), (80.0, 40.0), (80.0, 110.0), (10.0, 110.0)]])
    region = describe_regions(page, box, np.array([OWN]))
    row = describe_appearance(page, region)[0]
    first = OWN + 1  # the experts, and openings of walls
    inside = (appearance_length() - first - SIZE - 1 - figures_count()) // 4
    assert row[first : first + inside].any()
