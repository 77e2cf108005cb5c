"""Hit tests, painting and edits with 20,000 regions."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spotlab.editing.operations import move
from spotlab.editing.region_index import RegionIndex, hit
from spotlab.editing.validate import validate
from spotlab.geometry.polygon import convex_hull
from spotlab.model import Page, Region, Truth

PAGE = Page(Path("plan.png"), 10_000, 10_000)
PLACES = np.random.default_rng(1).uniform(0, 10_000, (1000, 2)).tolist()


def regions(number: int = 20_000) -> list[Region]:
    """Hulls of some 60 px, a few of them as large as rooms."""
    rng = np.random.default_rng(0)
    sizes = rng.choice([60, 60, 60, 60, 900], number)
    corners = rng.uniform(0, 1, (number, 2)) * (10_000 - sizes)[:, None]
    hulls = [
        convex_hull(np.round(corner + rng.uniform(0, size, (12, 2))))
        for corner, size in zip(corners, sizes, strict=True)
    ]
    return [Region(tuple(map(tuple, hull.tolist())), "sofa") for hull in hulls]


@pytest.fixture(scope="module")
def many() -> list[Region]:
    return regions()


def test_hit(benchmark: Any, many: list[Region]) -> None:
    index, turn = RegionIndex(many), count()

    def run() -> None:
        hit(index, *PLACES[next(turn) % len(PLACES)], 5, [many[0].id])

    benchmark(run)


def test_hit_after_an_edit(benchmark: Any, many: list[Region]) -> None:
    index, turn = RegionIndex(many), count()

    def run() -> None:
        number = next(turn)
        index.put([move(index.get(many[number % 500].id) or many[0], 1, 1, PAGE)])
        index.remove([many[500 + number % 500].id])
        index.put([replace(many[500 + number % 500])])
        hit(index, *PLACES[number % len(PLACES)], 5, [many[0].id])

    benchmark(run)


@pytest.mark.parametrize("side", [1000, 3000, 10_000])
def test_visible(benchmark: Any, many: list[Region], side: int) -> None:
    index = RegionIndex(many)
    benchmark(index.visible, (0, 0, side, side))


def test_rubber_band(benchmark: Any, many: list[Region]) -> None:
    benchmark(RegionIndex(many).in_box, (2000, 2000, 8000, 8000))


def test_build(benchmark: Any, many: list[Region]) -> None:
    benchmark(RegionIndex, many)


def test_validate(benchmark: Any) -> None:
    def fresh() -> tuple[tuple[Truth, tuple[int, int]], dict[str, Any]]:
        return (Truth(PAGE, tuple(regions())), (10_000, 10_000)), {}

    benchmark.pedantic(validate, setup=fresh, rounds=3)
