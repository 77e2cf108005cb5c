"""1,000 contours described, beside OpenCV's own seven invariants in a plain loop."""

from __future__ import annotations

import time

import cv2
import numpy as np
import pytest

from spotlab.geometry.polygon import Outlines
from spotlab.spotting.symbols.drawing.contours import Primitives
from spotlab.spotting.symbols.voting.descriptor import descriptors

COUNT = 1_000


def contours() -> Outlines:
    """Holes between random lines, 100 to 500 px long."""
    rng = np.random.default_rng(0)
    found: list[np.ndarray] = []
    while len(found) < COUNT:
        page = np.zeros((400, 400), np.uint8)
        for ends in rng.integers(0, 400, (14, 4)).tolist():
            cv2.line(page, (ends[0], ends[1]), (ends[2], ends[3]), 1, 3)
        rings, tree = cv2.findContours(page, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        holes = [ring[:, 0] for ring, links in zip(rings, tree[0], strict=True) if links[3] >= 0]
        found += [ring for ring in holes if 100 <= len(ring) <= 500]
    return Outlines.of(found[:COUNT])


def loop(rings: Outlines) -> np.ndarray:
    return np.array(
        [
            cv2.HuMoments(cv2.moments(rings[i].astype(np.float32).reshape(-1, 1, 2))).ravel()
            for i in range(len(rings))
        ]
    )


@pytest.mark.parametrize("name", ["a", "b", "c", "d"])
def test_a_page_of_contours(benchmark, name: str) -> None:
    rings = contours()
    started = time.process_time()
    peer = loop(rings)
    beside = time.process_time() - started

    def describe() -> np.ndarray:
        # nothing that was worked out before
        return descriptors()[name].describe(Primitives(rings, np.zeros(len(rings), np.int64)))

    found = benchmark.pedantic(describe, rounds=5, iterations=1, warmup_rounds=1)
    assert len(found) == len(peer) == COUNT and np.isfinite(found).all()
    started = time.process_time()
    describe()
    benchmark.extra_info["points per contour"] = round(len(rings.points) / COUNT)
    benchmark.extra_info["times OpenCV's loop for Hu"] = round(
        (time.process_time() - started) / beside, 2
    )


def test_opencv_s_loop(benchmark) -> None:
    rings = contours()
    benchmark.pedantic(loop, (rings,), rounds=5, iterations=1, warmup_rounds=1)
