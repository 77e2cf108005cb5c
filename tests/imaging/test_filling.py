"""Pixels inside outlines: against a test of every pixel's centre, united, shared and marked."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.geometry.polygon import Outlines, contains
from spotlab.imaging.outlines import Grid, fill, intersect, spans, unite

GRID = Grid(31, 23)


def rings(seed: int, number: int) -> Outlines:
    """Rings of any kind: they cross themselves, and reach beyond the raster."""
    random = np.random.default_rng(seed)
    return Outlines.of([
        random.uniform(-9, 40, (int(random.integers(3, 8)), 2)) for _ in range(number)
    ])  # fmt: skip


def inside(outlines: Outlines) -> np.ndarray:
    """(N, H, W) whether each ring holds the centre of each pixel."""
    return np.array([
        [[contains(outlines[n], x + 0.5, y + 0.5) for x in range(31)] for y in range(23)]
        for n in range(len(outlines))
    ])  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_pixels_are_inside_where_their_centres_are(seed: int) -> None:
    outlines = rings(seed, 5)
    groups = np.array([0, 1, 0, 2, 1])
    one, other = spans(outlines, groups, GRID), spans(outlines, np.zeros(5, int), GRID)
    of_ring = inside(outlines)
    of_group = np.array([of_ring[groups == group].any(axis=0) for group in range(3)])

    marked = fill(
        [
            unite(other),
            unite(one.ungrouped()),
            unite(one.of_group(1).ungrouped()),
            unite(intersect(one, spans(outlines.take([4, 3]), np.array([0, 1]), GRID)).ungrouped()),
        ],
        GRID,
    )
    assert np.array_equal(marked & 1 > 0, of_ring.any(axis=0))
    assert np.array_equal(marked & 2 > 0, of_ring.any(axis=0))
    assert np.array_equal(marked & 4 > 0, of_group[1])
    shared = (of_group[0] & of_ring[4]) | (of_group[1] & of_ring[3])
    assert np.array_equal(marked & 8 > 0, shared)


def test_rings_without_corners_or_area_hold_nothing() -> None:
    outlines = Outlines.of([[], [(3, 3)], [(1, 1), (9, 9)], [(1, 4), (9, 4), (20, 4)]])

    assert not len(spans(outlines, np.arange(4), GRID).start)
    assert not fill([unite(spans(Outlines.of([]), np.zeros(0, int), GRID))], GRID).any()
