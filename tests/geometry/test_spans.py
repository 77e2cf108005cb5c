"""Spans of numbers are those that one would count."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spotlab.geometry.polygon import concatenate_ranges


@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 6)), max_size=12))
def test_spans_are_counted_one_after_the_other(spans: list[tuple[int, int]]) -> None:
    starts, counts = np.array(spans, np.int64).reshape(-1, 2).T
    expected = [number for start, count in spans for number in range(start, start + count)]
    assert concatenate_ranges(starts, counts).tolist() == expected
