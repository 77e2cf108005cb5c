"""The pyramid of tiles: every level is the average of the one below, and thin lines stay."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.imaging.reading.pyramid import TILE, Pyramid


@pytest.mark.parametrize("shape", [(1, 1), (512, 512), (700, 1301), (1025, 3), (2047, 1023, 3)])
def test_the_pyramid_averages(shape):
    random = np.random.default_rng(0)
    page = random.integers(0, 256, shape, np.uint8)
    pyramid = Pyramid(page)
    level = page
    for number in range(pyramid.levels):
        height, width = level.shape[:2]
        for row in range(-(-height // TILE)):
            for column in range(-(-width // TILE)):
                tile = pyramid.tile(number, column, row)
                part = level[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE]
                assert tile.shape == part.shape and tile.flags.c_contiguous
                assert np.abs(tile.astype(int) - part).max() <= number
        assert pyramid.tile(number, 99, 0).size == 0
        padding = [(0, height % 2), (0, width % 2)] + [(0, 0)] * (page.ndim - 2)
        padded = np.pad(level.astype(float), padding, mode="edge")
        quads = padded[::2, ::2], padded[1::2, ::2], padded[::2, 1::2], padded[1::2, 1::2]
        level = np.rint(np.mean(quads, axis=0)).astype(np.uint8)
    last = pyramid.levels - 1
    assert pyramid.tile(last, 1, 0).size == pyramid.tile(last, 0, 1).size == 0  # one tile is all


def test_thin_lines_stay_visible_at_fit_zoom():
    """Visible: darker than paper by 1 % of the range, at every place along the line.

    That is what a dark grey on white can still be told by; a line that is one px wide at 1/16 keeps
    6 % of its darkness.
    """
    random = np.random.default_rng(3)
    width, height = 9500, 6700
    page = np.full((height, width), 255, np.uint8)
    rows = random.choice(height // 40, 80, replace=False) * 40 + random.integers(0, 20, 80)
    columns = random.choice(width // 40, 80, replace=False) * 40 + random.integers(0, 20, 80)
    page[rows] = 0
    page[:, columns] = 0
    pyramid = Pyramid(page)
    shown = next(number for number in range(pyramid.levels) if width / 2**number < 1200)
    size = [-(-side // 2**shown) for side in (width, height)]
    tiles = [
        [pyramid.tile(shown, column, row) for column in range(-(-size[0] // TILE))]
        for row in range(-(-size[1] // TILE))
    ]
    small = np.block(tiles)
    factor = 2**shown
    paper = np.delete(np.delete(small, rows // factor, axis=0), columns // factor, axis=1).min()
    seen = [(small[row // factor] <= paper - 3).all() for row in rows]
    seen += [(small[:, column // factor] <= paper - 3).all() for column in columns]
    assert np.mean(seen) >= 0.99


def test_a_page_of_two_tiles_height_has_one_smaller_level() -> None:
    assert Pyramid(np.zeros((2 * TILE, 3), np.uint8)).levels == 2
    assert Pyramid(np.zeros((2 * TILE + 1, 3), np.uint8)).levels == 3
