"""A collection of the size that is published: projects, few symbols a page, further kinds."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from spotlab.lab.draw.collection import symbol_kinds
from spotlab.lab.draw.floorplans import labels, make_page
from spotlab.lab.draw.plans.options import (
    PAPER,
    FloorPlanOptions,
    choose,
    project_of,
    wanted_symbols,
)
from spotlab.lab.draw.plans.scene import Scene, compose

PAGES = 42


def composed(number: int, seed: int, options: FloorPlanOptions) -> Scene:
    """A page's strokes, before they become pixels."""
    key = np.random.SeedSequence(seed, spawn_key=(number,))
    design = np.random.default_rng(key).spawn(3)[0]
    wanted = wanted_symbols(number, seed, options.symbols) if options.symbols else None
    return compose(options, design, project_of(number, seed, options), wanted)


def symbols(scene: Scene) -> list[str]:
    return [mark.label for mark in scene.marks if mark.label]


@pytest.mark.parametrize("seed", [101, 102, 103])
def test_pages_of_a_collection_have_the_published_numbers_of_symbols(seed: int) -> None:
    counts = [wanted_symbols(number, seed, PAPER.symbols) for number in range(PAGES)]
    assert 305 <= sum(counts) <= 385  # 344, a page 7.3 to 9.2
    assert min(counts) <= 1 and 22 <= max(counts) <= 40  # 28
    assert len(set(counts)) > 15


@pytest.mark.slow
def test_the_collection_has_38_classes_on_several_pages_each() -> None:
    found = [Counter(symbols(composed(number, 102, PAPER))) for number in range(PAGES)]
    assert [page.total() for page in found] == [
        wanted_symbols(number, 102, PAPER.symbols) for number in range(PAGES)
    ]
    assert sum(page.total() for page in found) == 344
    pages = Counter(label for page in found for label in page)
    assert pages.keys() == symbol_kinds().keys() and len(pages) == 38
    assert min(pages.values()) >= 3
    assert {label.name for label in labels(PAPER)} == set(pages)


def test_pages_of_a_project_are_drawn_alike_and_all_share_one_library() -> None:
    hands = [project_of(number, 101, PAPER) for number in range(PAGES)]
    assert all(hand is not None for hand in hands)
    manners = [(hand.walls, hand.doors, hand.windows) for hand in hands if hand]
    assert manners[:4] * 10 + manners[:2] == manners
    assert len({hand.walls for hand in hands if hand}) == 4
    assert len({id(hand.drawings["sofa"]) for hand in hands if hand}) == 1
    assert project_of(0, 101, FloorPlanOptions()) is None
    other = project_of(0, 102, PAPER)
    assert other and hands[0] and other.drawings != hands[0].drawings


def test_seldom_symbols_stay_and_no_kind_crowds_out_the_others() -> None:
    there = ["chair"] * 20 + ["sofa"] * 2 + ["car", "desk"]
    chosen = [there[place] for place in choose(there, 4, np.random.default_rng(5))]
    assert sorted(chosen) == ["car", "chair", "desk", "sofa"]
    assert len(choose(there, 1, np.random.default_rng(5))) == 1
    assert choose(there, 0, np.random.default_rng(5)) == set()
    assert choose(there, 99, np.random.default_rng(5)) == set(range(len(there)))


@pytest.mark.slow
def test_further_kinds_are_only_where_they_are_asked_for() -> None:
    full = replace(PAPER, symbols=0.0, projects=0)
    with_them = Counter(label for n in range(6) for label in symbols(composed(n, 3, full)))
    usual = replace(full, further=False)
    without = Counter(label for n in range(6) for label in symbols(composed(n, 3, usual)))
    assert with_them["dressing table"] and with_them["filing cabinet"]
    assert not without["dressing table"] and not without["filing cabinet"]


def test_regions_are_those_of_the_symbols_that_stay() -> None:
    small = replace(PAPER, width=900, height=700)
    number = next(n for n in range(PAGES) if wanted_symbols(n, 101, small.symbols) > 5)
    page, truth = make_page(number, 101, small)
    assert len(truth.regions) == wanted_symbols(number, 101, small.symbols)
    assert (page < 128).any()
