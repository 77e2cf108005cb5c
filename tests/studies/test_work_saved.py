"""The simulated person: what is accepted, rejected and drawn is counted as by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from spotlab.model import Page, Region, Truth
from spotlab.spotting.symbols.engine.method import features_of_model
from spotlab.spotting.symbols.engine.page_features import PageFeatures, crop_model
from spotlab.spotting.symbols.proposals.candidate_classifier import Proposal
from spotlab.spotting.symbols.proposals.lesson import LabelledExamples
from spotlab.studies.symbols import work_saved as module
from spotlab.studies.symbols.work_saved import PageWork, WorkSaved, simulate_work
from tests.spotting.symbols.proposed_scenes import Points, Scene, box_of


def truth_of(name: str, *regions: tuple[str, Points]) -> Truth:
    made = tuple(
        Region(tuple(map(tuple, outline.tolist())), label, id=f"r{number}")
        for number, (label, outline) in enumerate(regions)
    )
    return Truth(Page(Path(f"{name}.png"), 700, 500), made)


def two_pages() -> tuple[list[Truth], Callable[[Truth], PageFeatures]]:
    one, two = Scene(), Scene()
    first = truth_of(
        "one",
        ("sink", one.sink(40, 40)),
        ("sink", one.sink(300, 40)),
        ("", one.table(40, 300)),
        ("sink", one.sink(300, 300)),
    )
    second = truth_of("two", ("bed", two.bed(40, 40)), ("sink", two.sink(400, 300)))
    seen = {"one": one.features, "two": two.features}
    return [first, second], lambda truth: seen[truth.page.name]


def test_what_is_like_a_known_region_is_accepted_and_the_rest_drawn() -> None:
    truths, see = two_pages()
    work = simulate_work(truths, see)
    # the first sink is drawn, the other two are proposed then; the second page's is at once
    assert [(each.symbols, each.drawn, each.accepted) for each in work.pages] == [
        (3, 1, 2),
        (2, 1, 1),
    ]
    assert [each.close for each in work.pages] == [2, 1]
    assert work.share == pytest.approx(3 / 5)
    assert work.mean_overlap is not None
    assert work.mean_overlap > 0.95
    assert simulate_work(truths, see) == work


def test_on_unseen_pages_nothing_is_drawn() -> None:
    truths, see = two_pages()
    work = simulate_work(truths[1:], see, examples_of(truths[0], see), draw=False)
    assert (work.pages[0].accepted, work.pages[0].drawn, work.pages[0].symbols) == (1, 0, 2)
    assert simulate_work(truths[1:], see, draw=False).pages == (PageWork("two", 2),)


def examples_of(truth: Truth, see: Callable[[Truth], PageFeatures]) -> LabelledExamples:
    """Every labelled region of a page as a positive example."""
    examples, ink = LabelledExamples(), see(truth).ink
    for region in truth.regions:
        if region.label:
            query = features_of_model(crop_model(region.label, ink, region.array), [])
            examples = examples.with_accepted(region.label, query, truth.page.name, region.array)
    return examples


def scripted(
    monkeypatch: pytest.MonkeyPatch, *proposals: tuple[str, Points, float]
) -> list[LabelledExamples]:
    """Let these be proposed, each until it was answered; gives the examples of each time."""
    asked: list[LabelledExamples] = []

    def propose(
        page: PageFeatures,
        examples: LabelledExamples,
        taken: object,
        *,
        name: str,
        learner: object,
    ) -> tuple[Proposal, ...]:
        del page, taken, learner
        asked.append(examples)
        known = {each.outline.tobytes() for each in examples.all}
        return tuple(
            Proposal(name, label, outline, score)
            for label, outline, score in proposals
            if outline.tobytes() not in known
        )

    monkeypatch.setattr(module, "propose", propose)
    monkeypatch.setattr(module, "default_min_score", lambda *_: 0.5)
    monkeypatch.setattr(module, "snap_to_ink", lambda outline, _: outline)
    return asked


def test_answers_are_counted_as_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = Scene()
    truth = truth_of(
        "p",
        ("a", box_of(0, 0, 10, 10)),
        ("a", box_of(100, 0, 10, 10)),
        ("b", box_of(200, 0, 10, 10)),
        ("b", box_of(300, 0, 10, 10)),
    )
    asked = scripted(
        monkeypatch,
        ("a", box_of(0, 0, 10, 10), 0.9),  # exact
        ("a", box_of(0, 0, 10, 9.9), 0.8),  # of the same again: rejected
        ("a", box_of(100, 0, 10, 6), 0.7),  # IoU 0.6: accepted, not close
        ("a", box_of(200, 0, 10, 10), 0.6),  # of another label: rejected
        ("b", box_of(300, 0, 10, 4), 0.55),  # IoU 0.4: rejected
        ("b", box_of(200, 0, 10, 10), 0.4),  # not worth showing
    )
    work = simulate_work([truth], lambda _: empty.features)
    page = work.pages[0]
    assert (page.symbols, page.accepted, page.rejected, page.drawn, page.close) == (4, 2, 3, 2, 1)
    assert page.overlap == pytest.approx(1.6)
    assert work.share == 0.5
    assert work.close_share == 0.25
    assert work.false_per_accepted == 1.5
    assert work.mean_overlap == pytest.approx(0.8)
    assert [len(each) for each in asked] == list(range(8))
    assert [each.is_positive for each in work.examples.all] == [
        True,
        False,
        True,
        False,
        False,
        True,
        True,
    ]


def test_without_learning_rejected_ones_are_no_lessons_and_do_not_come_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    empty = Scene()
    truth = truth_of("p", ("a", box_of(0, 0, 10, 10)))
    scripted(monkeypatch, ("a", box_of(50, 0, 10, 10), 0.9), ("a", box_of(50, 1, 10, 10), 0.8))
    work = simulate_work([truth], lambda _: empty.features, learn=False)
    assert (work.pages[0].rejected, work.pages[0].drawn) == (1, 1)
    assert all(each.is_positive for each in work.examples.all)


def test_what_is_undefined_is_null() -> None:
    nothing = WorkSaved((PageWork("p", 0),))
    assert json.loads(json.dumps(nothing.as_json()))["share"] is None
    assert nothing.false_per_accepted is None and nothing.mean_overlap is None
    some = WorkSaved((PageWork("p", 4, 3, 1, 1, 2, 2.5), PageWork("q", 2, 1, 1, 1, 1, 1.0)))
    assert some.share == pytest.approx(4 / 6)
    assert some.mean_overlap == pytest.approx(3.5 / 4)
    assert np.isclose(some.as_json()["false_per_accepted"], 0.5)
