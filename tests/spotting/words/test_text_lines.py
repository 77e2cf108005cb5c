"""Lines of running text are found and cut into words; labels are no running text."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.geometry.polygon import pair_boxes
from spotlab.spotting.words.extraction.layout import (
    Layout,
    TextLine,
    find_layout,
    running_lines,
    smear_along,
    word_ink,
)
from tests.formats.written_pages import WORDS, write
from tests.spotting.words.word_pages import candidates_of

LINES = (150, 240, 330, 420)  # base lines in px
CLOSE = 58  # px between base lines of a book
SMALL = 13  # px from there up to the middle of small letters
ROOM = np.array([-6, -6, 8, 12])  # as people leave around words


def _page(per_line: int, apart: int, slope: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """A page of lines of words, and the words' boxes."""
    random = np.random.default_rng(0)
    page, boxes = np.full((560, 2400), 255, np.uint8), []
    for line in LINES:
        left = 60
        for word in random.choice(WORDS, per_line).tolist():
            boxes.append(write(page, word, left, line + round(slope * left)))
            left = boxes[-1][2] + apart
    return page, np.array(boxes, np.float64)


def _lines(page: np.ndarray) -> tuple[Layout, list[TextLine]]:
    layout = find_layout(word_ink(page))
    return layout, running_lines(layout.strokes, smear_along(layout.strokes))


@pytest.mark.parametrize("slope", [0.0, 0.02, -0.02])
def test_the_middle_of_each_line_is_followed(slope: float) -> None:
    layout, lines = _lines(_page(8, 40, slope)[0])
    assert len(lines) == len(LINES)
    for line, base in zip(lines, LINES, strict=True):
        columns = (line.left + np.arange(len(line))) / layout.scale
        off = line.middle / layout.scale - (base - SMALL + slope * columns)
        assert np.abs(off).mean() < 6


def test_words_far_from_each_other_are_no_running_text() -> None:
    assert _lines(_page(3, 400)[0])[1] == []


def test_a_short_end_of_a_line_is_part_of_it() -> None:
    page, boxes = _page(6, 40)
    left = write(page, "money", int(boxes[11, 2]) + 120, LINES[1])[0]  # behind the second line
    layout, lines = _lines(page)
    assert len(lines) == len(LINES) + 1
    assert any(abs(line.left / layout.scale - left) < 12 for line in lines)


def test_each_word_of_running_text_is_among_few_candidates_in_one_line() -> None:
    page, boxes = _page(8, 40)
    found = candidates_of(word_ink(page)).boxes
    pairs = pair_boxes(found, boxes + ROOM)
    assert np.isin(np.arange(len(boxes)), pairs.second[pairs.iou >= 0.6]).all()
    assert len(found) < 8 * len(boxes)
    assert (found[:, 3] - found[:, 1] < 1.2 * (LINES[1] - LINES[0])).all()


def test_the_same_words_are_found_where_boxes_are_drawn_tightly() -> None:
    page, boxes = _page(8, 40)
    pairs = pair_boxes(candidates_of(word_ink(page)).boxes, boxes)
    assert np.isin(np.arange(len(boxes)), pairs.second[pairs.iou >= 0.5]).all()


def _book() -> tuple[np.ndarray, np.ndarray]:
    """A page of close lines, of which the last has two words; and the words' boxes."""
    random = np.random.default_rng(4)
    page, boxes = np.full((700, 2400), 255, np.uint8), []
    for number in range(8):
        left = 60
        for word in random.choice(WORDS, 8 if number < 7 else 2).tolist():
            boxes.append(write(page, word, left, 150 + CLOSE * number))
            left = boxes[-1][2] + 40
    return page, np.array(boxes, np.float64)


def test_the_short_last_line_of_a_paragraph_is_found_where_lines_are_close() -> None:
    page, boxes = _book()
    layout, lines = _lines(page)
    assert len(lines) == 8
    base = lines[-1].middle.mean() / layout.scale + SMALL
    assert base == pytest.approx(150 + 7 * CLOSE, abs=6)
    pairs = pair_boxes(candidates_of(word_ink(page)).boxes, boxes)
    assert np.isin(np.arange(len(boxes)), pairs.second[pairs.iou >= 0.5]).all()


def test_boxes_do_not_reach_into_the_next_line_where_lines_are_close() -> None:
    page, boxes = _book()
    found = candidates_of(word_ink(page)).boxes
    pairs = pair_boxes(found, boxes)
    of_word, word = (side[pairs.iou >= 0.5] for side in (pairs.first, pairs.second))
    ink = boxes[word, 3] - boxes[word, 1]
    high = found[of_word, 3] - found[of_word, 1]
    assert (high <= np.maximum(ink, CLOSE) + 4).all()


def test_narrow_columns_of_close_lines_are_running_text() -> None:
    page, boxes = np.full((1000, 1500), 255, np.uint8), []
    for number in range(12):
        for column in (60, 800):
            for word, right in (("order", 0), ("letter", 165)):
                boxes.append(write(page, word, column + right, 150 + CLOSE * number))
    layout, lines = _lines(page)
    assert layout.is_text
    assert len(lines) == 24
    found = candidates_of(word_ink(page))
    pairs = pair_boxes(found.boxes, np.array(boxes, np.float64))
    assert np.isin(np.arange(len(boxes)), pairs.second[pairs.iou >= 0.5]).all()
    high = found.boxes[:, 3] - found.boxes[:, 1]
    assert high.max() < 2 * CLOSE
    assert (found.seen[:, 3] - found.seen[:, 1] > high).all()  # networks look at more room


def test_what_is_beside_a_line_is_told_by_its_columns_and_rows() -> None:
    line = TextLine(10, np.linspace(20.0, 30.0, 100))
    points = np.array([[9.0, 20], [10, 24], [10, 26], [109.9, 34], [110, 30]])
    assert line.is_beside(points, 5.0).tolist() == [False, True, False, True, False]


def test_gaps_beside_are_those_to_the_nearest_ink() -> None:
    random = np.random.default_rng(3)
    strokes = np.zeros((30, 200), np.uint8)
    strokes[random.integers(12, 18, 40), random.integers(0, 200, 40)] = 1
    line = TextLine(20, np.full(150, 15.0))
    ink = [column for column in range(20, 170) if strokes[:, column].any()]
    spans = np.sort(random.integers(20, 170, (60, 2)), axis=1)
    for (left, right), gaps in zip(spans, line.gaps_beside(spans, strokes), strict=True):
        own = [column for column in ink if left <= column < right]
        before = [own[0] - column - 1 for column in ink if own and column < own[0]]
        after = [column - own[-1] - 1 for column in ink if own and column > own[-1]]
        least = np.inf if own else 0
        assert gaps.tolist() == [min(before, default=least), min(after, default=least)]


def test_whole_words_are_farther_from_other_ink_than_their_halves() -> None:
    page, halves = np.full((560, 2400), 255, np.uint8), []
    for line in LINES:
        left = 60
        while left < 2000:
            for part, apart in (("ser", 9), ("geant", 45)):
                halves.append(write(page, part, left, line))
                left = halves[-1][2] + apart
    boxes = np.array(halves, np.float64)
    wholes = np.concatenate([boxes[::2, :2], boxes[1::2, 2:]], axis=1)
    found = candidates_of(word_ink(page))
    apart = []
    for sought in (boxes, wholes):
        pairs = pair_boxes(found.boxes, sought + ROOM)
        apart.append(found.apart[np.unique(pairs.first[pairs.iou >= 0.65])])
        assert len(apart[-1]) > 0.4 * len(sought)
    assert apart[0].max() < 0.6
    assert apart[1].min() == 1


def test_where_no_text_runs_nothing_is_close_to_other_ink() -> None:
    found = candidates_of(word_ink(_page(3, 400)[0]))
    assert len(found) and (found.apart == 1).all()
