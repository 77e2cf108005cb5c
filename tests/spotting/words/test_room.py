"""Boxes have the room that people leave around ink, but not so much that tight truth is missed."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from spotlab.spotting.words.extraction.candidates import ON_LINES, USUAL, with_room
from spotlab.spotting.words.extraction.layout import HEIGHT

Sides = st.tuples(st.floats(1, 300), st.floats(1, 60))
Reach = st.tuples(*[st.floats(0, 20)] * 2)


def _area(boxes: np.ndarray) -> np.ndarray:
    return (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)


@given(
    st.lists(st.tuples(Sides, Reach), min_size=1, max_size=9), st.sampled_from([USUAL, ON_LINES])
)
def test_boxes_hold_their_ink_and_are_no_larger_than_may_be(
    drawn: list[tuple[tuple[float, float], tuple[float, float]]], room: np.ndarray
) -> None:
    sides, reach = np.array(drawn).transpose(1, 0, 2)
    corner = np.full_like(sides, 70.0)
    ink = np.hstack([corner, corner + sides])
    held = ink + np.hstack([[[0, -1]] * reach[:, :1], [[0, 1]] * reach[:, 1:]])
    boxes = with_room(ink, held, room)
    assert (boxes[:, :2] <= ink[:, :2]).all() and (boxes[:, 2:] >= ink[:, 2:]).all()
    share = _area(ink) / _area(boxes)
    assert (share >= 1 / 1.75 - 1e-9).all()  # intersection over union with truth around the ink
    whole = held + room * HEIGHT
    is_whole = np.isclose(boxes, whole).all(axis=1)
    assert np.array_equal(is_whole, _area(whole) <= 1.75 * _area(ink) * (1 + 1e-9))
    assert np.allclose(share[~is_whole], 1 / 1.75)  # no smaller than need be, either


def test_no_ink_has_no_boxes() -> None:
    none = np.empty((0, 4))
    assert with_room(none, none, USUAL).shape == (0, 4)
