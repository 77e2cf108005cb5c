"""How long alignment takes to see a page of the paper's size and to search it; what it keeps."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest

from spotlab.imaging.ink import Ink, binarise
from spotlab.imaging.stroke_outline import pen_width
from spotlab.lab.draw.floorplans import make_page
from spotlab.lab.draw.plans.options import FloorPlanOptions
from spotlab.spotting.symbols.drawing.contours import find_primitives
from spotlab.spotting.symbols.engine.method import features_of_ink, features_of_model
from spotlab.spotting.symbols.engine.page_features import PageFeatures, QueryFeatures, crop_model
from spotlab.spotting.symbols.methods.alignment import METHOD

GAPS = FloorPlanOptions(projects=4, gaps=4)  # 3215 × 2064 px
SEED = 31


def page_ink(number: int) -> Ink:
    return binarise(make_page(number, SEED, GAPS)[0])


@pytest.fixture(scope="module")
def page() -> PageFeatures:
    return features_of_ink(page_ink(0), [METHOD])


@pytest.fixture(scope="module")
def queries() -> list[QueryFeatures]:
    pixels, truth = make_page(4, SEED, GAPS)
    ink = binarise(pixels)
    models = {}
    for region in truth.regions:
        models.setdefault(region.label, crop_model(region.label, ink, region.points))
    return [features_of_model(model, [METHOD]) for model in models.values()]


def test_a_query_on_a_page(benchmark, page: PageFeatures, queries: list[QueryFeatures]) -> None:
    times = []
    for query in queries:
        METHOD.spot(page, query)  # what is made once
        before = time.thread_time()
        METHOD.spot(page, query)
        times.append(1000 * (time.thread_time() - before))
    turn = itertools.cycle(queries)
    benchmark(lambda: METHOD.spot(page, next(turn)))
    benchmark.extra_info["queries"] = len(queries)
    benchmark.extra_info["mean_processor_ms"] = float(np.mean(times))
    benchmark.extra_info["median_processor_ms"] = float(np.median(times))
    benchmark.extra_info["worst_processor_ms"] = float(np.max(times))


def test_seeing_a_page(benchmark) -> None:
    ink = page_ink(0)
    pen = pen_width(ink)
    primitives = find_primitives(ink, pen)
    kept = benchmark.pedantic(METHOD.extract, (ink, primitives, pen), rounds=5)
    benchmark.extra_info["primitives"] = len(primitives)
    benchmark.extra_info["bytes_a_page"] = sum(array.nbytes for array in kept.values())


def test_seeing_a_very_large_page(benchmark) -> None:
    ink = np.tile(page_ink(0), (4, 3))[:6750, :9500]
    primitives = find_primitives(ink[:100, :100], 4.0)
    kept = benchmark.pedantic(METHOD.extract, (ink, primitives, 4.0), rounds=2)
    benchmark.extra_info["bytes_a_page"] = sum(array.nbytes for array in kept.values())
