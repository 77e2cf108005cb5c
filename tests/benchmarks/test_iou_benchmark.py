"""Matching a million pairs of spots and regions."""

from __future__ import annotations

from typing import Any

import numpy as np

from spotlab.measures.matching import match_pairs


def test_match_a_million_pairs(benchmark: Any) -> None:
    random = np.random.default_rng(0)
    spot = np.repeat(np.arange(500_000), 2)
    region = spot // 4 * 2 + np.tile([0, 1], 500_000)  # four spots want the same two regions
    iou = random.uniform(0.5, 1, len(spot))
    found = benchmark.pedantic(
        lambda: match_pairs(spot, region, iou, 500_000, 250_000), rounds=5, warmup_rounds=1
    )
    assert (found >= 0).sum() == 250_000
