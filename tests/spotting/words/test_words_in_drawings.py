"""Words in diagrams and plans: in frames, and up the page; pages of text are left as they are."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from spotlab.geometry.polygon import pair_boxes
from spotlab.model.ranked_list import Items
from spotlab.resources import CHECKOUT
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.words.embedding.network import SHIPPED
from spotlab.spotting.words.extraction.descriptor import WordDescriptor
from spotlab.spotting.words.extraction.layout import find_layout, without_drawings, word_ink
from spotlab.spotting.words.extraction.page_words import (
    PageWords,
    WordSettings,
    extract_words,
    turned_boxes,
)
from spotlab.spotting.words.index import build_index
from spotlab.spotting.words.search import search
from spotlab.spotting.words.word_index import WordQuery
from tests.formats.written_pages import WORDS, write, written_page

ROOM = np.array([-6, -6, 8, 12])  # as people leave around words
NETWORK = CHECKOUT / "resources" / "models" / SHIPPED
UNIT = 24.0  # px that small letters are high there


def drawn_diagram(slope: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Tasks of two words each in frames that arrows join, and the boxes of the words."""
    page, boxes = np.full((2200, 1300), 255, np.uint8), []
    for row in range(3):
        for column in range(2):
            left, top = 120 + 600 * column, 90 + 300 * row
            corners = ((-35, -60), (340, -60 + slope), (340, 130 + slope), (-35, 130))
            frame = np.array([(left + x, top + y) for x, y in corners])
            cv2.polylines(page, [frame], True, 0, 3)
            cv2.arrowedLine(page, (left + 360, top + 40), (left + 540, top + 20), 0, 3)
            for number in range(2):
                word = WORDS[(row * 3 + column + 4 * number) % len(WORDS)]
                boxes.append(write(page, word, left, top + 80 * number))
    return page, np.array(boxes, np.float64)


def turned(boxes: np.ndarray, height: int) -> np.ndarray:
    """Where boxes are on a page that is turned anticlockwise by a quarter, before a ``height``."""
    left, top, right, bottom = boxes.T
    return np.stack([top, height - right, bottom, height - left], axis=1)


def found(words: PageWords, boxes: np.ndarray, turn: int) -> float:
    pairs = pair_boxes(words.boxes[words.turns == turn], boxes + ROOM)
    return len(np.unique(pairs.second[pairs.iou >= 0.5])) / len(boxes)


@pytest.mark.slow
@pytest.mark.parametrize("slope", [0, 12])
def test_words_in_frames_are_found(slope: int) -> None:
    page, boxes = drawn_diagram(slope)
    assert found(extract_words(page, WordSettings()), boxes, 0) > 0.85


def test_words_that_run_up_a_diagram_are_found() -> None:
    page, boxes = drawn_diagram(12)
    below, side = 1200, 500
    page[below:, :side] = np.rot90(page[:side, : len(page) - below])  # the first task once more
    words = extract_words(page, WordSettings())
    upwards = turned(boxes[:2], len(page) - below) + np.array([0, below, 0, below])
    assert found(words, upwards, 1) == 1
    assert found(words, boxes, 0) > 0.85
    assert {0, 1} == set(words.turns.tolist())


@pytest.mark.parametrize("turn", [1, -1])
def test_given_words_look_alike_whichever_way_they_run(turn: int) -> None:
    page, boxes = drawn_diagram()
    below, side = 1200, 500
    part = page[:side, : len(page) - below]
    page[below:, :side] = np.rot90(part, turn)
    also = turned_boxes(boxes[:2] + ROOM, part.shape, -turn) + np.array([0, below, 0, below])
    given = np.concatenate([also, boxes + ROOM])
    turns = np.array([turn, turn] + [0] * len(boxes))
    words = extract_words(page, WordSettings(), given, turns)
    np.testing.assert_array_equal(words.boxes, given)
    np.testing.assert_array_equal(words.turns, turns)
    raw = words.raw.astype(np.float64)
    raw /= np.linalg.norm(raw, axis=1, keepdims=True)
    alike = raw @ raw.T
    np.testing.assert_array_less(0.97, alike[[0, 1], [2, 3]])
    level = extract_words(page, WordSettings(), given).raw.astype(np.float64)  # turns not known
    level /= np.linalg.norm(level, axis=1, keepdims=True)
    assert (level @ level.T)[[0, 1], [2, 3]].max() < 0.9


def test_no_given_word() -> None:
    words = extract_words(drawn_diagram()[0], WordSettings(), np.empty((0, 4)))
    assert len(words) == len(words.turns) == 0


def test_a_page_of_text_is_left_as_it_is() -> None:
    page = written_page()
    cv2.line(page, (90, 140), (1000, 143), 0, 2)  # underlined
    layout = find_layout(word_ink(page))
    assert layout.is_text and layout.written is layout.strokes
    assert not extract_words(page, WordSettings()).turns.any()


def test_a_diagram_is_no_text() -> None:
    page = drawn_diagram()[0]
    layout = find_layout(word_ink(page))
    assert not layout.is_text
    assert 0 < layout.written.sum() < layout.strokes.sum()
    assert (layout.written <= layout.strokes).all()


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_frames_and_arrows_go_and_words_stay(scale: float) -> None:
    page, boxes = drawn_diagram(8)
    page = cv2.resize(page, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    strokes = (page < 128).astype(np.uint8)
    written = without_drawings(strokes, UNIT * scale)
    in_words = np.zeros_like(strokes)
    for left, top, right, bottom in np.round(boxes * scale).astype(int).tolist():
        in_words[top : bottom + 1, left : right + 1] = 1
    drawn, words = strokes & ~in_words & 1, strokes & in_words
    assert (written & drawn).sum() < 0.25 * drawn.sum()  # arrows
    assert (written & words).sum() > 0.95 * words.sum()


def test_words_in_capitals_are_found_on_a_plan() -> None:
    page, boxes = np.full((1400, 1500), 255, np.uint8), []
    for number, room in enumerate(("KITCHEN", "HALL", "BEDROOM", "STUDY", "ENTRANCE", "BATH")):
        left, top = 60 + 460 * (number % 3), 60 + 640 * (number // 3)
        cv2.rectangle(page, (left, top), (left + 440, top + 600), 0, 8)
        alone = np.full_like(page, 255)
        place = (left + 90, top + 300)
        cv2.putText(alone, room, place, cv2.FONT_HERSHEY_SIMPLEX, 1.6, 0, 3)
        np.minimum(page, alone, out=page)
        down, across = np.nonzero(alone == 0)
        boxes.append((across.min(), down.min(), across.max() + 1, down.max() + 1))
    words = extract_words(page, WordSettings())
    pairs = pair_boxes(words.boxes[words.turns == 0], np.array(boxes) + ROOM)
    assert len(np.unique(pairs.second[pairs.iou >= 0.5])) == len(boxes)


def test_a_part_of_a_word_has_ink_close_beside_it() -> None:
    page, _ = drawn_diagram()
    one = write(page, "captain", 600, 1300)
    other = write(page, "money", one[2] + 12, 1300)  # both may be one word
    words = extract_words(page, WordSettings())
    whole = (one[0], min(one[1], other[1]), other[2], max(one[3], other[3]))
    pairs = pair_boxes(words.boxes[words.turns == 0], np.array([one, other, whole]) + ROOM)
    apart = []
    for place in range(3):
        own = np.flatnonzero(pairs.second == place)
        best = own[pairs.iou[own].argmax()]
        assert pairs.iou[best] > 0.6
        apart.append(words.apart[words.turns == 0][pairs.first[best]])
    assert 0.5 < apart[0] < 0.8 and 0.5 < apart[1] < 0.8 and apart[2] == 1


def test_nothing_is_drawn_on_a_blank_page() -> None:
    blank = np.zeros((90, 120), np.uint8)
    assert not without_drawings(blank, 8.0).any()


@pytest.mark.slow
@pytest.mark.skipif(not NETWORK.is_file(), reason="the network of words is not installed")
def test_an_index_finds_words_that_run_up_a_diagram_typed_and_by_example(tmp_path: Path) -> None:
    page, boxes = drawn_diagram()
    below, side = 1200, 500
    page[below:, :side] = np.rot90(page[:side, : len(page) - below])
    path = tmp_path / "diagram.png"
    cv2.imwrite(str(path), page)
    index = build_index([path], WordSettings(network=NETWORK), cache=tmp_path / "cache")
    orders = turned(boxes[:1], len(page) - below) + np.array([0, below, 0, below]) + ROOM
    typed = search(index, WordQuery(text=WORDS[0], typed=True))
    best = typed.items.take(np.argsort(-typed.evidence.query)[:3])
    assert pair_boxes(best.boxes, orders).iou.max(initial=0) >= 0.5
    level = WordQuery("diagram", tuple((boxes[0] + ROOM).tolist()))
    upwards = WordQuery("diagram", tuple(orders[0].tolist()))
    for query, other in ((level, orders), (upwards, boxes[:1] + ROOM)):
        found_by = search(index, query)
        best = found_by.items.take(np.argsort(-found_by.evidence.query)[:4])
        assert pair_boxes(best.boxes, other).iou.max(initial=0) >= 0.5


@pytest.mark.slow
@pytest.mark.skipif(not NETWORK.is_file(), reason="the network of words is not installed")
@pytest.mark.parametrize("turn", [1, -1])
def test_an_index_of_given_words_knows_how_they_run(tmp_path: Path, turn: int) -> None:
    page, boxes = drawn_diagram()
    below, side = 1000, 500
    part = page[:side, : len(page) - below]
    page[below:, :side] = np.rot90(part, turn)
    also = turned_boxes(boxes[:4] + ROOM, part.shape, -turn) + np.array([0, below, 0, below])
    path = tmp_path / "diagram.png"
    cv2.imwrite(str(path), page)
    boxes = np.concatenate([boxes[:8] + ROOM, also])
    given = Items(("diagram",), np.zeros(len(boxes), int), boxes)
    settings, cache = WordSettings(network=NETWORK), tmp_path / "cache"
    for _ in range(2):  # made, and read from its files
        index = build_index(page_entries([path]), settings, boxes=given, cache=cache)
        assert index.turns.tolist() == [0] * 8 + [turn] * 4
    left, top, right, bottom = boxes[10].tolist()  # winchester
    drawn = (left - 5, top - 4, right + 3, bottom + 5)
    assert index.turn_at("diagram", drawn) == turn
    wide, high = right - left, bottom - top
    loose = (left - 0.6 * wide, top - 0.2 * high, right + 0.6 * wide, bottom + 0.2 * high)
    assert index.turn_at("diagram", loose) == turn
    across = (left - high, top, right + high, bottom)
    assert index.turn_at("diagram", across) == 0
    found_by = search(index, WordQuery("diagram", drawn))
    assert set(np.argsort(-found_by.evidence.query)[:2].tolist()) == {2, 10}
    strokes = WordSettings(descriptor=WordDescriptor.STROKES)
    assert not build_index(page_entries([path]), strokes, boxes=given, cache=cache).turns.any()
