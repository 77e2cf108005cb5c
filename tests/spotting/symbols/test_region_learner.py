"""What all labelled regions of a collection teach: learned, left out again, and proposed."""

from __future__ import annotations

import time

import numpy as np
import pytest

from spotlab.geometry.polygon import Outlines
from spotlab.spotting.symbols.engine.method import features_of_model
from spotlab.spotting.symbols.engine.page_features import PageFeatures, crop_model
from spotlab.spotting.symbols.proposals.candidate_classifier import (
    default_min_score,
    propose,
)
from spotlab.spotting.symbols.proposals.candidates import find_candidates
from spotlab.spotting.symbols.proposals.lesson import (
    SHOWS,
    LabelledExamples,
    Lesson,
    SymbolSizes,
    best_of_each_place,
    judge_against,
    make_lesson,
    measure_sizes,
    min_shown_score,
)
from spotlab.spotting.symbols.proposals.region_learner import (
    Calibration,
    Judged,
    RegionLearner,
    calibrate,
    learn_regions,
    likely_share,
)
from tests.spotting.symbols.proposed_scenes import Points, Scene, overlap

NOTHING = Outlines.of([])
Drawn = tuple[PageFeatures, list[tuple[str, Points]]]


def drawn(number: int) -> Drawn:
    """A page with two symbols of each kind, and lines that are none."""
    scene = Scene()
    right, down = 7 * number, 3 * number
    regions = [
        ("sink", scene.sink(40 + right, 40 + down)),
        ("sink", scene.sink(300 - right, 300 + down)),
        ("table", scene.table(300, 40 + down)),
        ("table", scene.table(500 - right, 200)),
        ("bed", scene.bed(40 + right, 200 + down)),
        ("bed", scene.bed(500, 350 + down, mirrored=number % 2 == 1)),
    ]
    scene.line((20, 480), (680, 480), (680, 20))
    scene.line((620, 60), (660, 60), (640, 90), (620, 60))
    return scene.features, regions


def lesson(page: Drawn, name: str, **given: object) -> Lesson:
    outlines = Outlines.of([outline for _, outline in page[1]])
    labels = [label for label, _ in page[1]]
    return make_lesson(page[0], name, outlines, labels, **given)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def pages() -> list[Drawn]:
    return [drawn(number) for number in range(5)]


@pytest.fixture(scope="module")
def lessons(pages: list[Drawn]) -> list[Lesson]:
    return [lesson(page, f"page {number}") for number, page in enumerate(pages)]


@pytest.fixture(scope="module")
def learner(lessons: list[Lesson]) -> RegionLearner:
    learned = learn_regions(lessons[:4])
    assert learned is not None
    return learned


def test_a_lesson_has_the_regions_and_what_shows_or_misses_them(pages: list[Drawn]) -> None:
    page = pages[0]
    whole, partial = lesson(page, "p"), lesson(page, "p", complete=False)
    assert whole.labels[:6] == ("sink", "sink", "table", "table", "bed", "bed")
    for box, label in zip(whole.boxes[6:], whole.labels[6:], strict=True):
        ring = np.array([box[:2], (box[2], box[1]), box[2:], (box[0], box[3])])
        fits = {name: overlap(ring, outline) for name, outline in page[1]}
        best = max(overlap(ring, outline) for _, outline in page[1])
        assert (best >= SHOWS - 1e-6) == bool(label), (box, label, fits)
    # elsewhere there may be regions that nobody has labelled yet
    assert 0 < partial.labels.count("") < whole.labels.count("")
    wrong = Outlines.of([[(618, 58), (662, 58), (662, 92), (618, 92)]])
    told = lesson(page, "p", complete=False, rejected=wrong)
    assert told.labels.count("") > partial.labels.count("")


def test_regions_of_an_unseen_page_are_proposed_and_nothing_else(
    pages: list[Drawn], learner: RegionLearner
) -> None:
    page, regions = pages[4]
    assert learner.labels == ("bed", "sink", "table") and learner.counts["bed"] == 8
    proposals = propose(page, LabelledExamples(), NOTHING, name="page 4", learner=learner)
    least = default_min_score(proposals, LabelledExamples(), learner)
    shown = [each for each in proposals if each.score >= least]
    assert sorted(each.label for each in shown) == sorted(label for label, _ in regions)
    for each in shown:
        fits = [overlap(each.outline, outline) for label, outline in regions if label == each.label]
        assert max(fits) > 0.7
        assert each.why == "learned from 8 regions"
    first = regions[0][1]
    rest = propose(page, LabelledExamples(), Outlines.of([first]), learner=learner)
    assert not any(overlap(each.outline, first) > 0.5 for each in rest)
    only = propose(page, LabelledExamples(), NOTHING, ["bed"], learner=learner)
    assert {each.label for each in only} == {"bed"}


def test_a_new_label_is_as_likely_beside_labels_that_were_learned(pages: list[Drawn]) -> None:
    others = [(page, [each for each in regions if each[0] != "bed"]) for page, regions in pages[:4]]
    learner = learn_regions([lesson(page, f"page {n}") for n, page in enumerate(others)])
    page, regions = pages[0]
    bed = next(outline for label, outline in regions if label == "bed")
    query = features_of_model(crop_model("bed", page.ink, bed), [])
    examples = LabelledExamples().with_accepted("bed", query, "page 0", bed)
    alone = propose(pages[4][0], examples, NOTHING)
    beside = propose(pages[4][0], examples, NOTHING, learner=learner)
    likely = {each.outline.tobytes(): each.score for each in beside if each.label == "bed"}
    both = [
        (each.score, likely[each.outline.tobytes()])
        for each in alone
        if each.outline.tobytes() in likely
    ]
    assert both
    even = min_shown_score(examples)  # of comparison: as likely right as wrong
    for by_comparison, probability in both:
        odds = by_comparison / (1 - by_comparison) * (1 - even) / even
        assert abs(odds / (1 + odds) - probability) < 1e-6


def test_a_lesson_replaces_what_its_page_taught(
    pages: list[Drawn], lessons: list[Lesson], learner: RegionLearner
) -> None:
    page = pages[4][0]
    before = learner.probabilities(page)
    again = learner.with_lesson(lessons[0]).probabilities(page)
    # hard background no longer weighs more, so that it is not exactly the same
    assert np.abs(again - before).max() < 0.2
    nothing = make_lesson(pages[0][0], "page 0", NOTHING, [], complete=False)
    without = learner.with_lesson(nothing)
    assert np.abs(without.probabilities(page) - before).max() > 1e-4
    assert np.array_equal(learner.probabilities(page), before)


def test_a_rejected_proposal_is_less_likely_at_once(
    pages: list[Drawn], learner: RegionLearner
) -> None:
    page, regions = pages[4]
    boxes = find_candidates(page).boxes
    wrong = regions[4][1]
    at = int(np.abs(boxes - [*wrong.min(0), *wrong.max(0)]).sum(1).argmin())
    bed = learner.labels.index("bed")
    start = time.perf_counter()
    told = make_lesson(page, "page 4", NOTHING, [], rejected=Outlines.of([wrong]), complete=False)
    after = learner.with_lesson(told).probabilities(page)[at, bed]
    assert time.perf_counter() - start < 1
    assert after < learner.probabilities(page)[at, bed] - 0.1


def test_too_little_teaches_nothing(lessons: list[Lesson]) -> None:
    assert learn_regions([]) is None
    assert learn_regions(lessons[:1]) is None  # no label has three regions
    two = learn_regions(lessons[:2])
    assert two is not None and two.labels == ("bed", "sink", "table")


def test_what_is_at_one_place_is_chosen_once(lessons: list[Lesson]) -> None:
    boxes = np.array([[0, 0, 10, 10], [1, 0, 10, 10], [2, 2, 6, 6], [20, 0, 30, 10.0]])
    scores = np.array([[0.5, 0.1], [0.9, 0], [0, 0.8], [0.01, 0]])
    # the third is a part of the second, but of another label and much smaller
    assert best_of_each_place(boxes, scores).tolist() == [1, 2]
    taught = lessons[0]
    twice = np.array([0, 0, 1])
    assert judge_against(taught, twice, ["sink"] * 3).tolist() == [True, False, True]
    assert judge_against(taught, np.array([0]), ["bed"]).tolist() == [False]


def test_probabilities_are_the_share_that_was_right() -> None:
    draw = np.random.default_rng(3)
    scores = draw.random((4000, 1))
    right = draw.random(4000) < 1 / (1 + np.exp(4 - 8 * scores[:, 0]))
    ones, none = np.ones(4000), np.zeros((4000, 1))
    fitted = calibrate([Judged(scores, none, right, ones, none)], 1)
    chances = fitted.probabilities(scores, none, none)[:, 0]
    for low in (0.1, 0.4, 0.7):
        inside = (chances >= low) & (chances < low + 0.2)
        assert abs(chances[inside].mean() - right[inside].mean()) < 0.06
    # nothing judged: the usual ones; what was always wrong never makes higher scores less likely
    assert np.array_equal(calibrate([], 2).weights[0], calibrate([], 1).weights[0])
    bad = calibrate([Judged(scores, none, scores[:, 0] < 0.5, ones, none)], 1)
    assert (bad.weights[:, 1:] >= 0).all()


@pytest.mark.parametrize("seed", range(8))
def test_probabilities_are_the_share_that_was_right_however_much_proposals_stand_for(
    seed: int,
) -> None:
    """Far from the usual probabilities, and each proposal stands for hundreds."""
    draw = np.random.default_rng(seed)
    scores, none = draw.normal(1, 1.5, (120, 1)), np.zeros((120, 1))
    right = draw.random(120) < 1 / (1 + np.exp(2 - scores[:, 0]))
    stand = draw.gamma(1, 200, 120)
    fitted = calibrate([Judged(scores, none, right, stand, none)], 1)
    chances = fitted.probabilities(scores, none, none)[:, 0]
    assert np.average(chances, weights=stand) == pytest.approx(
        np.average(right, weights=stand), abs=0.02
    )


def test_a_label_behind_another_one_is_unlikely() -> None:
    model, none = Calibration(np.array([[-3.0, 6.0, 2.0, 0.3, 0.5]])), np.zeros((1, 2))
    [[first, second]] = model.probabilities(np.array([[0.9, 0.8]]), none, none)
    # by hand: -3 + 5.4 + 0.2 and -3 + 4.8 - 0.2
    assert first == pytest.approx(1 / (1 + np.exp(-2.6)))
    assert second == pytest.approx(1 / (1 + np.exp(-1.6)))


def test_nine_of_ten_are_expected_right() -> None:
    scores = [0.99, 0.4, 0.97, 0.93, 0.85]
    least = likely_share(scores)
    kept = [score for score in scores if score >= least]
    assert np.mean(kept) >= 0.9 and least == 0.85


def test_sizes_are_measured_apart_from_the_scale_of_pages(lessons: list[Lesson]) -> None:
    sizes = measure_sizes(lessons, ["bed", "sink"])
    # a bed is 125 × 75 px, a sink 75 × 69, the page 700 × 500
    difference = np.log(125 * 75) / 2 - np.log(75 * 69) / 2
    assert sizes.means[0] - sizes.means[1] == pytest.approx(difference, abs=0.02)
    model = SymbolSizes(np.array([-3.0, -2.0]), np.array([0.2, 0.2]), 0.5)
    # three sure ones say that the page is drawn at half the size
    scores = np.array([[1, 0], [1, 0], [0, 1], [0, 0.0]])
    half = np.log(0.5)
    misfits = model.misfits(np.array([-3 + half, -3 + half, -2 + half, -3]), scores)
    assert misfits[:3].min(1).max() < 1e-9
    assert misfits[3, 0] == pytest.approx(half**2 / (0.2**2 + 0.25 / 3))
    huge = model.misfits(np.array([0.0]), np.zeros((1, 2)))
    assert huge.max() == pytest.approx(9 / 0.29, abs=0.1) or huge.max() == 16.0
