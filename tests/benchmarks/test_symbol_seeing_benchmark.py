"""How long a page of 3,215 × 2,064 px takes to be seen, and what mending adds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from spotlab.imaging.ink import binarise_evened
from spotlab.imaging.reading.pyramid import Pixels
from spotlab.imaging.stroke_outline import pen_width
from spotlab.lab.draw.floorplans import make_page
from spotlab.lab.draw.plans.options import WORN
from spotlab.spotting.symbols.drawing.contours import find_primitives
from spotlab.spotting.symbols.engine.method import extract_features
from spotlab.spotting.symbols.methods import spotting_methods


@pytest.fixture(scope="module")
def page() -> Pixels:
    return make_page(0, 100, replace(WORN, touching=0.35))[0]


@pytest.mark.parametrize("mend", [False, True])
def test_primitives(benchmark: Any, page: Pixels, mend: bool) -> None:
    ink = binarise_evened(page)
    pen = pen_width(ink)
    found = benchmark(find_primitives, ink, pen, mend)
    benchmark.extra_info["primitives"] = len(found)
    benchmark.extra_info["of each level"] = np.bincount(found.level).tolist()


def test_ink_and_pen(benchmark: Any, page: Pixels) -> None:
    benchmark(lambda: pen_width(binarise_evened(page)))


def test_whole_index_of_a_page(benchmark: Any, page: Pixels) -> None:
    every = list(spotting_methods().values())
    extract_features(page, every)  # compiles what has to be compiled
    seen = benchmark.pedantic(extract_features, (page, every), rounds=5)
    benchmark.extra_info["primitives"] = len(seen.primitives)
    benchmark.extra_info["bytes"] = sum(
        array.nbytes for arrays in seen.arrays.values() for array in arrays.values()
    )
