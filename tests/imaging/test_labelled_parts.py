"""Parts, their boxes and areas are those that OpenCV finds."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from spotlab.imaging.outlines import label_parts


@given(
    arrays(np.bool_, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12)), st.booleans()
)
def test_parts_are_those_of_opencv(image: NDArray[np.bool_], diagonal: bool) -> None:
    labels, stats = label_parts(image, diagonal=diagonal)
    count, expected, facts, _ = cv2.connectedComponentsWithStats(
        image.view(np.uint8), connectivity=8 if diagonal else 4
    )
    assert np.array_equal(labels, expected)
    assert len(stats) == count and not stats[0].any()
    assert np.array_equal(stats[1:], facts[1:])


@pytest.mark.parametrize("diagonal", [False, True])
def test_what_is_not_0_belongs_to_parts_however_it_lies_in_memory(diagonal: bool) -> None:
    image = np.random.default_rng(0).choice(np.array([0, 0, 1, 255], np.uint8), (40, 60))
    for seen in (image, image.T, image[::2, ::-3]):
        labels, stats = label_parts(seen, diagonal=diagonal)
        expected, facts = label_parts(np.ascontiguousarray(seen > 0), diagonal=diagonal)
        assert np.array_equal(labels, expected) and np.array_equal(stats, facts)
        assert np.array_equal(labels > 0, seen > 0)
        assert stats[:, cv2.CC_STAT_AREA].sum() == (seen > 0).sum()
