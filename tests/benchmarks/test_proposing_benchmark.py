"""How long proposals take on a large page, with 40 examples of 20 labels."""

from __future__ import annotations

from typing import Any

import pytest

from spotlab.geometry.polygon import Outlines
from spotlab.spotting.symbols.engine.method import features_of_ink
from spotlab.spotting.symbols.engine.page_features import PageFeatures
from spotlab.spotting.symbols.proposals.candidate_classifier import propose
from spotlab.spotting.symbols.proposals.lesson import LabelledExamples
from tests.spotting.symbols.proposed_scenes import Points, Scene

NOTHING = Outlines.of([])


@pytest.fixture(scope="module")
def page() -> tuple[Scene, list[Points]]:
    """A page of 3215 × 2064 px with 200 symbols."""
    scene = Scene(3215, 2064)
    outlines = []
    for row in range(10):
        for column in range(20):
            place = 60 + 155 * column, 60 + 195 * row
            draw = (scene.table, scene.sink, scene.bed)[(row + column) % 3]
            outlines.append(draw(*place))
    return scene, outlines


@pytest.fixture(scope="module")
def lessons(page: tuple[Scene, list[Points]]) -> LabelledExamples:
    scene, outlines = page
    regions = [(f"label {number % 20}", outlines[number * 5]) for number in range(40)]
    return scene.taught(*regions)


def fresh(page: tuple[Scene, list[Points]]) -> PageFeatures:
    return features_of_ink(page[0].ink, [])


def test_first_proposals(
    benchmark: Any, page: tuple[Scene, list[Points]], lessons: LabelledExamples
) -> None:
    """Candidates are found and described, and compared with all examples."""
    found = benchmark.pedantic(
        lambda seen: propose(seen, lessons, NOTHING, name="one"),
        setup=lambda: ((fresh(page),), {}),
        rounds=5,
    )
    benchmark.extra_info["proposals"] = len(found)


def test_next_proposals(
    benchmark: Any, page: tuple[Scene, list[Points]], lessons: LabelledExamples
) -> None:
    """One more example is compared, all is scored again."""
    seen = fresh(page)
    propose(seen, lessons, NOTHING, name="one")
    scene, outlines = page

    def answered() -> tuple[tuple[LabelledExamples], dict[str, Any]]:
        query = scene.query("label 1", outlines[7])
        return (lessons.with_rejected("label 1", query, "one", outlines[7]),), {}

    benchmark.pedantic(
        lambda more: propose(seen, more, NOTHING, name="one"), setup=answered, rounds=10
    )
