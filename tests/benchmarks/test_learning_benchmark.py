"""How well proposals learn from labelled regions, on drawings of exercises not learned from.

Each exercise of hdBPMN is left out in turn; the pages of the others are the lessons, then three of
them. Proposals of all pages are pooled by their probability.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from spotlab.geometry.polygon import Outlines
from spotlab.model import Truth
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.methods.learned_regions import THOROUGH
from spotlab.spotting.symbols.proposals.aligned import find_hypotheses
from spotlab.spotting.symbols.proposals.lesson import (
    Lesson,
    best_of_each_place,
    judge_against,
    lesson_of_truth,
    make_lesson,
)
from spotlab.spotting.symbols.proposals.region_learner import (
    QUICK,
    Effort,
    RegionLearner,
    learn_regions,
    likely_share,
)
from spotlab.spotting.symbols.search.index import features_of_page
from spotlab.studies.tally.truth import read_truths
from tests.benchmarks.sizes import FULL, full_only, sized
from tests.conftest import SHARED_DATA

FRAMES = ("participant", "lane")  # pools and lanes hold other symbols
REGIONS = sized(5000, 1500)
ON_PAGE = "ex05_writer0042"


@dataclass(frozen=True, eq=False)
class Drawing:
    """A page and its lesson."""

    page: PageFeatures
    lesson: Lesson


@dataclass(frozen=True)
class Answer:
    """A proposal: its label and probability, whether it and whether its place is right."""

    label: str
    score: float
    right: bool
    place: bool
    likely: bool


@pytest.fixture(scope="module")
def truths() -> dict[str, Truth]:
    if not SHARED_DATA.is_dir():
        pytest.skip("the real data beside the checkout (../shared/data) is not here")
    folders = [SHARED_DATA / name / "annotations" for name in ("hdbpmn_symbols", "hdbpmn_more")]
    return dict(read_truths(folders).truths)


@pytest.fixture(scope="module")
def drawings(
    truths: dict[str, Truth], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Drawing]:
    cache = tmp_path_factory.mktemp("features")
    made = {}
    names = sorted(truths) if FULL else sorted({*sorted(truths)[::6], ON_PAGE})
    for name in names:
        page = features_of_page(page_entries([truths[name].page.image])[0], cache=cache)
        lesson = lesson_of_truth(page, truths[name], name, keeps_page=len(made) % 8 == 0)
        made[name] = Drawing(page, lesson)
    return made


def propose_on(drawing: Drawing, learner: RegionLearner) -> list[Answer]:
    chances = learner.probabilities(drawing.page)
    boxes = find_hypotheses(drawing.page, learner.aligned).boxes
    chosen = best_of_each_place(boxes, chances, 0.01)
    labels = [learner.labels[number] for number in chances[chosen].argmax(1).tolist()]
    scores = chances[chosen].max(1)
    seen = replace(drawing.lesson, boxes=boxes)
    right = judge_against(seen, chosen, labels)
    blind = replace(seen, names=("any",) * len(seen.names))
    places = judge_against(blind, chosen, ["any"] * len(labels))
    likely = scores >= likely_share(scores.tolist())
    return [
        Answer(*each)
        for each in zip(labels, scores.tolist(), right.tolist(), places.tolist(), likely.tolist(),
                        strict=True)
    ]  # fmt: skip


def average_precision(answers: Sequence[Answer], right: str, total: int) -> float:
    hits = np.array([getattr(each, right) for each in sorted(answers, key=lambda a: -a.score)])
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float((precision * hits).sum() / total)


def figures(answers: Sequence[Answer], symbols: Counter[str]) -> dict[str, float]:
    total = symbols.total()
    by_label = {
        label: average_precision([each for each in answers if each.label == label], "right", count)
        for label, count in symbols.items()
        if count > 1  # what is drawn once cannot be learned from another exercise
    }
    likely = [each for each in answers if each.likely]
    return {
        "mAP": float(np.mean(list(by_label.values()))),
        "class-blind AP": average_precision(answers, "place", total),
        "likely: right": sum(each.right for each in likely) / max(len(likely), 1),
        "likely: share of all symbols": sum(each.right for each in likely) / total,
        **{f"AP {label}": value for label, value in by_label.items()},
    }


@full_only
@pytest.mark.parametrize("effort", [QUICK, THOROUGH], ids=["find similar", "method f"])
@pytest.mark.parametrize("pages", [None, 3], ids=["all other exercises", "three pages"])
@pytest.mark.parametrize("left_out", [FRAMES, ()], ids=["without pools and lanes", "all labels"])
def test_an_exercise_that_was_not_learned_from(
    benchmark: Any,
    drawings: dict[str, Drawing],
    pages: int | None,
    left_out: tuple[str, ...],
    effort: Effort,
) -> None:
    def measure() -> dict[str, float]:
        answers: list[Answer] = []
        for exercise in sorted({name[:4] for name in drawings}):
            known = [name for name in drawings if name[:4] != exercise]
            if pages is not None:
                known = np.random.default_rng(0).permutation(known)[:pages].tolist()
            lessons = [drawings[name].lesson for name in known]
            learner = learn_regions(lessons, effort=effort)
            assert learner is not None
            for name in (name for name in drawings if name[:4] == exercise):
                answers += propose_on(drawings[name], learner)
        symbols = Counter(name for each in drawings.values() for name in each.lesson.names)
        kept = Counter({name: count for name, count in symbols.items() if name not in left_out})
        return figures([each for each in answers if each.label not in left_out], kept)

    found = benchmark.pedantic(measure, rounds=1)
    benchmark.extra_info.update({name: round(value, 3) for name, value in found.items()})
    if pages is None:
        assert found["likely: right"] > 0.85 and found["likely: share of all symbols"] > 0.45
        assert found["mAP"] > 0.55


def test_learning_from_many_regions(benchmark: Any, drawings: dict[str, Drawing]) -> None:
    lessons: list[Lesson] = []
    count = 0
    while count < REGIONS:
        for drawing in drawings.values():
            lessons.append(replace(drawing.lesson, page=f"page {len(lessons)}"))
            count += len(drawing.lesson.names)
    benchmark.pedantic(learn_regions, (lessons,), rounds=3)
    benchmark.extra_info["regions"] = count


def test_an_answer_on_a_page(
    benchmark: Any, truths: dict[str, Truth], drawings: dict[str, Drawing]
) -> None:
    """One more region of the page is known: its lesson, the equations, all candidates' scores."""
    name = ON_PAGE
    learner = learn_regions([each.lesson for key, each in drawings.items() if key[:4] != "ex05"])
    assert learner is not None
    page: PageFeatures = features_of_page(page_entries([truths[name].page.image])[0])
    regions = [region for region in truths[name].regions if region.label]
    learner.probabilities(page)

    def learn(count: int) -> np.ndarray:
        own = Outlines.of([region.array for region in regions[:count]])
        names = [region.label for region in regions[:count]]
        known = learner.with_lesson(make_lesson(page, name, own, names, complete=False))
        return known.probabilities(page)

    learn(20)
    benchmark.pedantic(learn, (20,), rounds=10)
