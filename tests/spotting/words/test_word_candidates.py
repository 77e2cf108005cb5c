"""Candidates on written pages: words are among them at any size; nothing is where nothing is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import ndimage

from spotlab.geometry.polygon import pair_boxes
from spotlab.spotting.words.extraction.candidates import LabelledInk
from spotlab.spotting.words.extraction.layout import word_ink
from tests.formats.written_pages import written_page, written_words
from tests.spotting.words.word_pages import candidates_of

ROOM = np.array([-6, -6, 8, 12])  # as people leave around words


def _found(found: np.ndarray, words: np.ndarray) -> float:
    pairs = pair_boxes(found, words)
    return len(np.unique(pairs.second[pairs.iou >= 0.5])) / len(words)


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_words_are_among_the_candidates(scale: float) -> None:
    page, boxes, _ = written_words()
    page = cv2.resize(page, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = candidates_of(word_ink(page)).boxes
    assert _found(found, (boxes + ROOM) * scale) > 0.9
    assert len(found) < 40 * len(boxes)


def test_candidates_lie_on_the_page_and_have_area() -> None:
    page = written_page()[100:700, 80:900]
    found = candidates_of(word_ink(page)).boxes
    assert (found[:, :2] >= 0).all()
    assert (found[:, 2] <= page.shape[1] + 1e-6).all()
    assert (found[:, 3] <= page.shape[0] + 1e-6).all()
    assert (found[:, :2] < found[:, 2:]).all()
    assert len(np.unique(found, axis=0)) == len(found)


@pytest.mark.parametrize("shape", [(1, 1), (3, 200), (200, 3), (200, 300)])
def test_nothing_on_blank_pages(shape: tuple[int, int]) -> None:
    assert candidates_of(np.zeros(shape, np.float32)).boxes.shape == (0, 4)


def test_one_pixel_is_no_word() -> None:
    ink = np.zeros((200, 300), np.float32)
    ink[90, 90] = 1
    assert candidates_of(ink).boxes.shape == (0, 4)


def test_a_border_is_no_word() -> None:
    page, boxes, _ = written_words()
    page[:, :50] = 0
    page[:40] = 0
    found = candidates_of(word_ink(page)).boxes
    assert (found[:, 2] > 80).all()
    assert _found(found, boxes + ROOM) > 0.85


@given(
    arrays(np.uint8, array_shapes(min_dims=2, max_dims=2, max_side=9), elements=st.integers(0, 1)),
    st.integers(0, 3),
)
def test_blobs_have_the_boxes_of_their_ink(strokes: np.ndarray, seed: int) -> None:
    """Also where ink reaches both sides of a page, and where a blob has none."""
    labels = np.random.default_rng(seed).integers(0, 4, strokes.shape).astype(np.int32)
    expected = [
        (across.start, down.start, across.stop, down.stop)
        for down, across in filter(None, ndimage.find_objects(labels * strokes))
    ]
    boxes = LabelledInk(strokes).boxes(labels)
    np.testing.assert_array_equal(boxes, np.reshape(expected, (-1, 4)))
