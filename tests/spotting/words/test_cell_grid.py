"""Strips of a page: every box in one of them, and few of them, however boxes lie."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spotlab.spotting.words.extraction.descriptor import CellGrid, strips

SPANS = st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 2500)), max_size=60)


def _grid(spans: list[tuple[int, int]]) -> CellGrid:
    top = np.array([start for start, _ in spans], np.int64).reshape(-1, 1)
    high = np.array([length for _, length in spans], np.int64).reshape(-1, 1)
    return CellGrid(top, top + high, top, top + 1, np.ones(len(spans)))


@given(SPANS)
def test_every_box_is_inside_one_strip(spans: list[tuple[int, int]]) -> None:
    grid = _grid(spans)
    found = list(strips(grid))
    rows = np.concatenate([np.zeros(0, np.int64), *(chosen for chosen, _, _ in found)])
    assert sorted(rows.tolist()) == list(range(len(spans)))
    for chosen, top, bottom in found:
        assert grid.top[chosen].min() == top
        assert grid.bottom[chosen].max() == bottom


@given(SPANS)
def test_rows_of_a_page_are_in_few_strips(spans: list[tuple[int, int]]) -> None:
    """Strips of boxes of about one height advance by half of theirs; heights are doublings."""
    covered = np.zeros(5501, np.int64)
    for _, top, bottom in strips(_grid(spans)):
        covered[top:bottom] += 1
    assert covered.max() <= 2 * 7


def test_columns_are_at_least_a_pixel_wide_where_there_is_one() -> None:
    edge = np.array([[4.2, 29.8]])
    grid = CellGrid.on_page(edge, edge, edge, edge, np.ones(1), (20, 30))
    assert grid.left.tolist() == [[4, 30]]
    assert grid.right.tolist() == [[5, 30]]
    assert grid.bottom.tolist() == [[4, 20]]
