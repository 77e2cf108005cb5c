"""How long a query takes on a page that was seen, for each method; how similar ones are found."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from spotlab.imaging.ink import Ink, binarise
from spotlab.lab.draw.floorplans import make_page
from spotlab.lab.draw.plans.options import FloorPlanOptions
from spotlab.spotting.symbols.engine.method import (
    SpottingMethod,
    features_of_ink,
    features_of_model,
)
from spotlab.spotting.symbols.engine.page_features import PageFeatures, QueryFeatures, crop_model
from spotlab.spotting.symbols.methods import spotting_methods
from spotlab.spotting.symbols.voting.descriptor import descriptors
from spotlab.spotting.symbols.voting.relational import MAX_PRIMITIVES, Relational

PAPER = FloorPlanOptions(projects=4, further=True)  # pages of the paper's size, 3215 × 2064 px
SEED, PAGES = 31, 2
Pairs = tuple[NDArray[Any], NDArray[Any]]


@dataclass(frozen=True)
class Plans:
    """Pages, and query models of all that is on another."""

    pages: list[PageFeatures]
    queries: list[QueryFeatures]


@pytest.fixture(scope="module")
def plans() -> Plans:
    every = list(spotting_methods().values())
    pages = [
        features_of_ink(binarise(make_page(number, SEED, PAPER)[0]), every)
        for number in range(PAGES)
    ]
    pixels, truth = make_page(40, SEED, PAPER)
    ink, models = binarise(pixels), {}
    for region in truth.regions:
        models.setdefault(region.label, crop_model(region.label, ink, region.points))
    return Plans(pages, [features_of_model(model, every) for model in models.values()])


def milliseconds(
    pages: list[PageFeatures], queries: list[QueryFeatures], method: SpottingMethod
) -> list[float]:
    """Processor time of each query on each page, what a page needs once not counted."""
    found = []
    for page in pages:
        method.spot(page, queries[0])
        for query in queries:
            before = time.thread_time()
            method.spot(page, query)
            found.append(1000 * (time.thread_time() - before))
    return found


@pytest.mark.parametrize("name", sorted(spotting_methods()))
def test_spotting(benchmark: Any, plans: Plans, name: str) -> None:
    """A page a query."""
    method = spotting_methods()[name]
    each = milliseconds(plans.pages, plans.queries, method)
    benchmark.extra_info |= {
        "ms_a_page_and_query": float(np.mean(each)),
        "ms_95_percent": float(np.percentile(each, 95)),
        "ms_slowest": max(each),
        "queries": len(plans.queries),
        "primitives_a_page": float(np.mean([len(page.primitives) for page in plans.pages])),
        "primitives_a_query": float(np.mean([len(q.features.primitives) for q in plans.queries])),
    }
    benchmark(lambda: [method.spot(plans.pages[0], query) for query in plans.queries])


@pytest.mark.parametrize("name", ["a", "b", "c", "d"])
def test_preparing_a_page(benchmark: Any, plans: Plans, name: str) -> None:
    """What the first query of a page takes: all pairs sorted by how they lie."""
    page, query, method = plans.pages[0], plans.queries[0], spotting_methods()[name]

    def first() -> None:
        anew = PageFeatures(page.size, page.pen, page.primitives, page.arrays)
        method.spot(anew, query)

    benchmark(first)


def lettered() -> Ink:
    """A page of nothing but 1,000 letters."""
    ink, random = np.zeros((1040, 1080), np.uint8), np.random.default_rng(0)
    for row in range(25):
        text = "".join(random.choice(list("ABDOPQRabdeo0689"), 40).tolist())
        cv2.putText(ink, text, (20, 40 + row * 40), cv2.FONT_HERSHEY_SIMPLEX, 1, 1, 2)
    return ink > 0


def repeated() -> Ink:
    """A page of 484 squares that are all the same."""
    ink = np.zeros((920, 920), np.uint8)
    for x, y in itertools.product(range(20, 900, 40), repeat=2):
        cv2.rectangle(ink, (x, y), (x + 30, y + 30), 1, 3)
    return ink > 0


@pytest.mark.parametrize("page", [lettered, repeated])
@pytest.mark.parametrize("side", [80, 170, 600])
def test_the_worst(benchmark: Any, page: Callable[[], Ink], side: int) -> None:
    """The roughest descriptor where everything looks alike; queries of few and of many contours."""
    method, ink = spotting_methods()["a"], page()
    seen = features_of_ink(ink, [method])
    box = [(10, 10), (10 + side, 10), (10 + side, 10 + side), (10, 10 + side)]
    query = features_of_model(crop_model("part", ink, box), [method])
    each = milliseconds([seen], [query] * 3, method)
    benchmark.extra_info |= {
        "ms": min(each),
        "primitives": len(seen.primitives),
        "of_the_query": len(query.features.primitives),
        "found": len(method.spot(seen, query)),
    }
    benchmark(method.spot, seen, query)


# -- which primitives are similar: three ways to the same answer


class Grid:
    """Hashes the first three features, as the paper's index hashes its feature vectors."""

    def __init__(self, features: NDArray[np.float64], radius: float) -> None:
        self.features, self.radius = features, radius
        places = np.floor(features[:, :3] / radius).astype(np.int64)
        self.low = places.min(0) - 1
        self.spans = places.max(0) - self.low + 2
        keys = self._keys(places)
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]

    def _keys(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        x, y, z = np.clip(places - self.low, 0, self.spans - 1).T
        return np.asarray((x * self.spans[1] + y) * self.spans[2] + z)

    def near(self, wanted: NDArray[np.float64]) -> Pairs:
        places = np.floor(wanted[:, :3] / self.radius).astype(np.int64)
        around = np.array(list(itertools.product((-1, 0, 1), repeat=3)))
        keys = [np.unique(self._keys(place + around)) for place in places]
        which = np.repeat(np.arange(len(wanted)), [len(each) for each in keys])
        begin = np.searchsorted(self.keys, np.concatenate(keys))
        count = np.searchsorted(self.keys, np.concatenate(keys), "right") - begin
        rows = np.arange(count.sum()) + np.repeat(begin - np.cumsum(count) + count, count)
        which, rows = np.repeat(which, count), self.order[rows]
        far = np.linalg.norm(wanted[which] - self.features[rows], axis=1)
        return which[far <= self.radius], rows[far <= self.radius]


def by_grid(features: NDArray[np.float64], radius: float) -> Callable[[Any], Pairs]:
    return Grid(features, radius).near


def by_tree(features: NDArray[np.float64], radius: float) -> Callable[[Any], Pairs]:
    tree = cKDTree(features)

    def near(wanted: NDArray[np.float64]) -> Pairs:
        found = cKDTree(wanted).sparse_distance_matrix(tree, radius, output_type="ndarray")
        return found["i"], found["j"]

    return near


def by_all(features: NDArray[np.float64], radius: float) -> Callable[[Any], Pairs]:
    def near(wanted: NDArray[np.float64]) -> Pairs:
        first, second = np.nonzero(cdist(wanted, features) <= radius)
        return first, second

    return near


@pytest.mark.parametrize("way", [by_all, by_tree, by_grid])
@pytest.mark.parametrize("times", [1, 10])
@pytest.mark.parametrize("name", sorted(descriptors()))
def test_similar_primitives(
    benchmark: Any, plans: Plans, name: str, times: int, way: Callable[..., Any]
) -> None:
    """The primitives of a page that look like a query's, on a page as large or ten times that."""
    radius = descriptors()[name].radius
    features = np.tile(plans.pages[0].arrays[name]["features"], (times, 1))
    wanted = max(plans.queries, key=lambda query: len(query.features.primitives))
    rows = wanted.features.arrays[name]["features"][:MAX_PRIMITIVES]
    near = way(features, radius)
    expected = set(zip(*(each.tolist() for each in by_all(features, radius)(rows)), strict=True))
    found = benchmark(near, rows)
    assert set(zip(*(each.tolist() for each in found), strict=True)) == expected
    benchmark.extra_info |= {"primitives": len(features), "similar": len(expected)}
    assert isinstance(spotting_methods()[name], Relational)
