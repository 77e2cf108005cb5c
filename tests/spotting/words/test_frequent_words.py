"""Words that are written often are suggested: long ones first, each place once, none twice."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np

from spotlab.model import Items
from spotlab.ranking.purge import ScoreCalibration
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.frequent import AlikeItems, frequent_words, is_line
from spotlab.spotting.words.word_index import ItemOverlaps, WordIndex

HIGH = 20


def index_of(words: list[tuple[int, float, float, float]]) -> WordIndex:
    """An index of boxes 20 px high: kind, left, top, width; items of one kind look alike."""
    kinds = np.array([word[0] for word in words])
    boxes = np.array([(x, y, x + width, y + HIGH) for _, x, y, width in words])
    items = Items(("page",), np.zeros(len(words), np.int64), boxes)
    features = np.eye(kinds.max() + 1, dtype=np.float32)[kinds]
    overlaps = ItemOverlaps.of(items)
    return WordIndex(
        items, features, None, overlaps, ScoreCalibration.none(), WordSettings(), ()  # type: ignore[arg-type]
    )  # fmt: skip


# two long words in three places each, one short one in five, one long one in two
WORDS = [
    *((0, 0, 50 * row, 90) for row in range(3)),
    *((1, 200, 50 * row, 60) for row in range(3)),
    *((2, 400, 50 * row, 15) for row in range(5)),
    *((3, 600, 50 * row, 120) for row in range(2)),
]


def test_long_words_that_are_there_often_come_first() -> None:
    index = index_of(WORDS)
    alike = AlikeItems.of(index)
    found = frequent_words(index, alike, np.ones(len(index), np.bool_))
    assert [sorted(each.places.tolist()) for each in found] == [[0, 1, 2], [3, 4, 5]]
    assert alike.counts(np.ones(len(index), np.bool_)).tolist() == [3] * 6 + [5] * 5 + [2] * 2


def test_parts_of_lines_with_several_words_are_no_frequent_word() -> None:
    index = index_of([(0, 0, 50 * row, 8 * HIGH) for row in range(5)])
    assert frequent_words(index, AlikeItems.of(index), np.ones(len(index), np.bool_)) == ()


def test_boxes_at_one_place_count_once() -> None:
    """Four candidates around one word are no frequent word."""
    doubled = [(0, 0, 0, 90), (0, 2, 0, 90), (0, 4, 0, 90), (0, 0, 2, 88), (0, 0, 90, 90)]
    index = index_of(doubled)
    found = frequent_words(index, AlikeItems.of(index), np.ones(len(doubled), np.bool_))
    assert found == ()


def test_a_line_is_left_out_and_what_comes_next_is_suggested() -> None:
    index = index_of(WORDS)
    seen: list[int] = []

    def is_word(item: int) -> bool:
        seen.append(item)
        return item > 2

    is_open = np.ones(len(index), np.bool_)
    found = frequent_words(index, AlikeItems.of(index), is_open, is_word=is_word)
    assert [sorted(each.places.tolist()) for each in found] == [[3, 4, 5]]
    assert is_open.all() and seen[0] < 3


def test_boxes_of_two_lines_and_parts_of_words_are_not_suggested() -> None:
    index = index_of([*WORDS, *((4, 800, 50 * row, 28) for row in range(9))])
    found = frequent_words(index, AlikeItems.of(index), np.ones(len(index), np.bool_))
    assert [sorted(each.places.tolist()) for each in found] == [[0, 1, 2], [3, 4, 5]]
    boxes = index.items.boxes.copy()
    boxes[:3, 3] += 1.5 * HIGH
    tall = replace(index, items=replace(index.items, boxes=boxes))
    found = frequent_words(tall, AlikeItems.of(tall), np.ones(len(index), np.bool_))
    assert [sorted(each.places.tolist()) for each in found] == [[3, 4, 5]]


def test_a_ruling_is_no_word_and_writing_is() -> None:
    page = np.full((60, 200), 235, np.uint8)
    cv2.putText(page, "orders", (10, 40), cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, 1.2, 30, 2)
    assert not is_line(page[5:55, 5:150])
    ruling = np.full((40, 200), 235, np.uint8)
    ruling[22:24] = 90
    ruling[:, 40:42] = 90
    assert is_line(ruling) and is_line(ruling.T.copy())
    assert is_line(np.full((9, 30), 200, np.uint8))


def test_what_is_transcribed_is_neither_suggested_nor_counted() -> None:
    index = index_of(WORDS)
    is_open = np.ones(len(index), np.bool_)
    is_open[0] = False
    found = frequent_words(index, AlikeItems.of(index), is_open)
    assert [sorted(each.places.tolist()) for each in found] == [[3, 4, 5]]
    assert not frequent_words(index, AlikeItems.of(index), np.zeros(len(index), np.bool_))


def test_what_says_nothing_is_not_suggested() -> None:
    index = index_of(WORDS)
    read = np.where(index.items.boxes[:, 0] == 0, 0, 5)  # nothing in the long words
    drawn = replace(index, learned=SimpleNamespace(letters=read))  # type: ignore[arg-type]
    found = frequent_words(drawn, AlikeItems.of(index), np.ones(len(index), np.bool_))
    assert [index.items.boxes[word.item, 0] for word in found] == [200]


def test_the_width_of_a_word_that_runs_up_the_page_is_its_height() -> None:
    index = index_of(WORDS)
    turned = replace(index, items=replace(index.items, boxes=index.items.boxes[:, [1, 0, 3, 2]]))
    upwards = replace(turned, turns=np.ones(len(index), np.int8))
    every = np.ones(len(index), np.bool_)
    alike = AlikeItems.of(index)
    assert [word.item for word in frequent_words(upwards, alike, every)] == [
        word.item for word in frequent_words(index, alike, every)
    ]
