"""Descriptors of written words: what they must not see, what they must, and degenerate boxes."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from spotlab.spotting.words.extraction.descriptor import (
    LENGTH,
    describe,
    describe_with_changes,
    prepare_channels,
)
from spotlab.spotting.words.extraction.layout import word_ink
from spotlab.spotting.words.feature_space import Projection
from tests.formats.written_pages import write, written_page, written_words


def _page_with(word: str, left: int = 120, line: int = 435, around: bool = False):
    page = written_page(7)
    page[line - 150 : line + 150] = 255
    box = np.array(write(page, word, left, line), float)
    if around:  # tails of the line above and heads of the line below, beside the box
        cv2.line(page, (left, line - 110), (left + 40, int(box[1]) - 3), 0, 3)
        cv2.line(page, (left + 80, int(box[3]) + 3), (left + 60, line + 110), 0, 3)
    return page, box + np.array([-5, -5, 5, 5])


def _raw(page: np.ndarray, box: np.ndarray) -> np.ndarray:
    return describe(word_ink(page), box[None])[0]


def _other() -> float:
    """How alike two words are that are not the same."""
    return float(_raw(*_page_with("captain")) @ _raw(*_page_with("regiment")))


def test_moved_words_look_the_same() -> None:
    here, there = _raw(*_page_with("captain")), _raw(*_page_with("captain", 311, 452))
    assert here @ there > 0.97
    assert 1 - here @ there < (1 - _other()) / 2


@pytest.mark.slow
@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_larger_words_look_the_same(scale: float) -> None:
    page, box = _page_with("captain")
    other = cv2.resize(page, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    alike = float(_raw(page, box) @ _raw(other, box * scale))
    assert alike > 0.95
    assert alike > _other() + 0.03


def test_strokes_of_other_lines_are_not_seen() -> None:
    alone, crowded = _raw(*_page_with("captain")), _raw(*_page_with("captain", around=True))
    assert alone @ crowded > 0.96


def test_room_around_a_word_does_not_count() -> None:
    page, box = _page_with("captain")
    assert _raw(page, box) @ _raw(page, box + np.array([-12, -12, 12, 12])) > 0.97


def test_degenerate_boxes() -> None:
    page, box = _page_with("captain")
    height, width = page.shape
    boxes = np.array(
        [
            [2, 2, 30, 30],  # without ink
            [-500, -500, -100, -100],  # beyond the page
            [width + 10, height + 10, width + 90, height + 60],
            [box[0], box[1], box[0], box[3]],  # without area
            [-1e5, -1e5, 1e5, 1e5],
            box,
        ]
    )
    rows = describe(word_ink(page), boxes)
    assert rows.shape == (6, LENGTH)
    assert np.isfinite(rows).all()
    assert not rows[:3].any()
    lengths = np.linalg.norm(rows, axis=1)
    assert lengths[4:] == pytest.approx(1, abs=1e-5)
    assert describe(word_ink(page), np.empty((0, 4))).shape == (0, LENGTH)


def test_one_pixel_of_ink_and_blank_pages() -> None:
    ink = np.zeros((80, 120), np.float32)
    assert not describe(ink, [[0, 0, 120, 80]]).any()
    ink[40, 60] = 1
    assert np.isfinite(describe(ink, [[0, 0, 120, 80], [59, 39, 62, 42]])).all()


def test_a_box_is_described_alike_alone_and_among_many() -> None:
    page, boxes, _ = written_words()
    channels = prepare_channels(word_ink(page))
    many = np.tile(boxes, (120, 1))
    rows = describe(channels, many)
    assert len(many) > 2048
    assert np.array_equal(rows[-1], describe(channels, boxes[-1])[0])


def test_changes_are_what_disturbances_change() -> None:
    page, boxes, _ = written_words()
    channels = prepare_channels(word_ink(page))
    rows, changes = describe_with_changes(channels, boxes)
    assert np.array_equal(rows, describe(channels, boxes))
    assert np.array_equal(changes, describe_with_changes(channels, boxes)[1])
    first, second = np.split(changes, 2)
    assert not np.array_equal(first, second)
    for disturbed in (rows + first, rows + second):
        alike = (disturbed * rows).sum(axis=1)
        assert 0.7 < np.median(alike) < 0.999
    none = describe_with_changes(channels, np.empty((0, 4)))
    assert [part.shape for part in none] == [(0, LENGTH), (0, LENGTH)]


def test_boxes_of_any_height_are_described_alike_alone_and_together() -> None:
    page, boxes, _ = written_words()
    channels = prepare_channels(word_ink(np.tile(page, (4, 1))))
    random = np.random.default_rng(5)
    corner = random.uniform(0, 200, (40, 2))
    high = np.concatenate([corner, corner + random.uniform(20, 900, (40, 2))], axis=1)
    together = describe(channels, np.concatenate([boxes, high]))
    alone = [describe(channels, box)[0] for box in (*boxes, *high)]
    assert np.array_equal(together, alone)


def test_discriminants_discount_what_disturbances_change() -> None:
    random = np.random.default_rng(3)
    word = np.repeat(random.normal(size=(40, 10)), 5, axis=0)
    rows = np.concatenate([word, 3 * random.normal(size=(200, 6))], axis=1).astype(np.float32)
    moves = np.zeros((300, 16), np.float32)
    moves[:, 10:] = 3 * random.normal(size=(300, 6))

    def right(projection: Projection) -> float:
        seen = projection.apply(rows)
        alike = seen @ seen.T
        np.fill_diagonal(alike, -2)
        return float((alike.argmax(axis=1) // 5 == np.arange(200) // 5).mean())

    assert right(Projection.fit(rows, moves, 10)) > 0.8
    assert right(Projection.fit(rows, dimensions=10)) < 0.6


def test_a_projection_gives_unit_rows() -> None:
    rows = np.random.default_rng(0).random((30, 20)).astype(np.float32)
    rows[4] = 0
    projection = Projection.fit(rows, rows[:9] - rows[9:18])
    assert np.linalg.norm(projection.apply(rows), axis=1) == pytest.approx(
        (np.arange(30) != 4).astype(float), abs=1e-5
    )


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_words_project_all_the_same(count: int) -> None:
    rows = np.random.default_rng(0).random((count, 20)).astype(np.float32)
    seen = Projection.fit(rows, np.zeros((0, 20), np.float32)).apply(rows)
    assert seen.shape[0] == count
    assert np.isfinite(seen).all()


def test_few_rows_are_projected_as_the_same_rows_twice() -> None:
    random = np.random.default_rng(8)
    rows = random.normal(size=(40, 120)) * np.linspace(3, 0.1, 120)
    rows = rows.astype(np.float32)
    few = Projection.fit(rows, dimensions=20).apply(rows)
    many = Projection.fit(np.concatenate([rows] * 2), dimensions=20).apply(rows)
    assert few.shape == (40, 20)
    assert few @ few.T == pytest.approx(many @ many.T, abs=1e-4)
