"""Typed texts found along lines: words cut in two, and what boxes and lines say together."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from spotlab.errors import SpotlabError
from spotlab.model.ranked_list import Items
from spotlab.ranking.purge import HIT
from spotlab.spotting.words.embedding.characters import (
    Alphabet,
    attributes_of,
    stored_attributes,
    stored_characters,
)
from spotlab.spotting.words.line_hits import path_costs
from spotlab.spotting.words.readings import WordReading
from spotlab.spotting.words.search import make_lists, search
from spotlab.spotting.words.word_index import LearnedWords, WordIndex, WordQuery
from tests.spotting.words.word_indices import index_of

LETTERS = Alphabet("abcdefghijklmnopqrstuvwxyz")
LEVELS, PLACES = (1, 2), 24
SIZE, STEP = 5.0, 4.0  # px: small letters, and from one place to the next


def seen(text: str, count: int, sure: float = 0.99999) -> np.ndarray:
    """(count, 27) what is seen that reads a text, a blank after each letter; spaces are blanks."""
    shares = np.full((count, 1 + len(LETTERS)), (1 - sure) / len(LETTERS))
    shares[:, 0] = sure
    for at, letter in enumerate(text):
        if letter != " ":
            shares[2 * at + 1, 0] = (1 - sure) / len(LETTERS)
            shares[2 * at + 1, 1 + LETTERS.characters.index(letter)] = sure
    return np.log(shares)


def place(text: str, word: str) -> tuple[float, float]:
    """Where a word of a line begins and ends, with the room that people leave."""
    start = text.index(word)
    left, right = (2 * start + 1) * STEP, (2 * (start + len(word)) - 1) * STEP
    return left - 1.2 * SIZE, right + 1.2 * SIZE


def index_with(lines: list[str], boxed: list[list[str]]) -> WordIndex:
    """A page with these lines, on which boxes were found around these parts."""
    network: Any = SimpleNamespace(alphabet=LETTERS, levels=LEVELS, sizes=(1, PLACES))
    boxes, said, span, points, characters = [], [], [], [], []
    for number, (text, parts) in enumerate(zip(lines, boxed, strict=True)):
        count, middle = 2 * len(text) + 1, 100.0 + 60 * number
        x = np.arange(count) * STEP
        begin = sum(map(len, points))
        points.append(
            np.stack([np.full(count, number), x, np.full(count, middle), np.full(count, SIZE)], 1)
        )
        characters.append(stored_characters(seen(text, count)[None])[0])
        for part in parts:
            left, right = place(text, part)
            boxes.append((left, middle - 15, right, middle + 15))
            said.append(part.replace(" ", ""))
            span.append(begin + np.searchsorted(x, [left, right]))
    items = Items(("page",), np.zeros(len(boxes), np.int64), np.array(boxes))
    learned = LearnedWords(
        network,
        stored_attributes(attributes_of(said, LETTERS, LEVELS) * 0.9 + 0.05),
        stored_characters(np.stack([seen(text, PLACES) for text in said])),
        np.arange(len(boxes)),
        np.concatenate(characters),
        np.array(span),
        np.concatenate(points).astype(np.float32),
        np.array([0, sum(map(len, points))]),
    )
    return replace(index_of(items, np.eye(len(boxes))), learned=learned)


LINES = ["to alexandria with", "ad letters from"]
BOXED = [["to", "alexan", "dria", "with"], ["ad", "letters", "from"]]


def first_box(index: WordIndex, text: str) -> tuple[tuple[float, ...], float]:
    found = search(index, WordQuery(text=text, typed=True))
    (ranked,) = make_lists(found, ["ws"])
    return tuple(found.items.boxes[ranked.item[0]].tolist()), float(ranked.score[0])


def test_a_word_that_boxes_cut_in_two_is_found_along_its_line():
    index = index_with(LINES, BOXED)
    (left, top, right, bottom), score = first_box(index, "Alexandria")
    assert score >= HIT
    assert (left, right) == pytest.approx(place(LINES[0], "alexandria"), abs=0.1)
    assert (top, bottom) == (85, 115)


@pytest.mark.parametrize("pattern", ["alexand*", "*ndria", "alex*ria", "*xandr*"])
def test_a_pattern_that_boxes_cut_in_two_is_found_along_its_line_up_to_the_spaces(pattern):
    index = index_with(LINES, BOXED)
    (left, _, right, _), score = first_box(index, pattern)
    assert score >= HIT
    assert (left, right) == pytest.approx(place(LINES[0], "alexandria"), abs=0.1)


def test_a_star_reaches_over_no_space():
    index = index_with(LINES, BOXED)
    assert first_box(index, "le*rs")[1] >= HIT > first_box(index, "ad*rs")[1]


def test_a_box_that_says_the_word_stays_the_answer():
    index = index_with(LINES, BOXED)
    box, score = first_box(index, "letters")
    assert box == tuple(index.items.boxes[5].tolist())
    assert score >= HIT
    found = search(index, WordQuery(text="letters", typed=True))
    assert np.count_nonzero(found.evidence.found) == 1


def test_every_list_ranks_what_is_only_on_a_line():
    index = index_with(LINES, BOXED)
    found = search(index, WordQuery(text="alexandria", typed=True))
    place_of_hit = len(found.items) - 1
    for ranked in make_lists(found, ["ws", "qe", "cr", "ml", "ml_cr"]):
        assert place_of_hit in ranked.item.tolist()


def test_a_letter_between_two_boxes_that_reach_up_to_it_has_a_box_of_its_own():
    index = index_with(["ab c de"], [["ab", "de"]])
    letter = 7 * STEP  # its place
    boxes = np.array([(0, 85, letter - 1.4, 115), (letter + 1.4, 85, 60, 115)])
    found = search(
        replace(index, items=replace(index.items, boxes=boxes)), WordQuery(text="c", typed=True)
    )
    left, _, right, _ = found.items.boxes[-1].tolist()
    assert left < letter < right


def test_part_of_a_longer_word_is_no_sure_hit():
    assert first_box(index_with(LINES, BOXED), "lexan")[1] < HIT


def test_lines_of_any_length_have_the_costs_of_each_alone():
    random = np.random.default_rng(3)
    rows = random.integers(0, 200, (60, 5)).astype(np.uint8)
    starts, stops = np.array([0, 9, 40]), np.array([9, 40, 60])
    free, dear = np.zeros(60, np.int64), random.integers(0, 90, 60)
    for path, opening, over in (([2, 0, 2, 0, 4], free, free), ([-1, 2, 0, 4, -1, 2], dear, dear)):
        costs, begins = path_costs(rows, starts, stops, np.array(path), opening, over)
        for start, stop in zip(starts, stops, strict=True):
            here = slice(start, stop)
            own, begin = path_costs(
                rows[here], np.array([0]), np.array([stop - start]), np.array(path),
                opening[here], over[here],
            )  # fmt: skip
            np.testing.assert_array_equal(own, costs[here])
            np.testing.assert_array_equal(begin + start, begins[here])


def best_places(index: WordIndex, text: str) -> list[tuple[float, float]]:
    """Where the hits of a query begin, by line, best first."""
    found = search(index, WordQuery(text=text, typed=True))
    (ranked,) = make_lists(found, ["ws"])
    hits = ranked.item[ranked.score >= HIT]
    return [(round(box[0], 1), round(box[1], 1)) for box in found.items.boxes[hits].tolist()]


def test_a_phrase_is_found_where_its_words_follow_each_other():
    index = index_with(LINES, BOXED)
    (left, _, right, _), score = first_box(index, "letters from")
    assert score >= HIT
    assert (left, right) == pytest.approx(place(LINES[1], "letters from"), abs=0.1)
    assert best_places(index, "letters alexandria") == []


def test_words_with_or_are_all_found_and_with_and_on_one_page_only():
    index = index_with(LINES, BOXED)
    letters, with_ = best_places(index, "letters"), best_places(index, "with")
    assert len(letters) == len(with_) == 1
    assert sorted(best_places(index, "letters OR with")) == sorted(letters + with_)
    assert sorted(best_places(index, "letters AND with")) == sorted(letters + with_)
    assert best_places(index, "letters AND queen") == []
    assert sorted(best_places(index, "letters AND queen OR with")) == with_


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("AND letters", "missing before AND"),
        ("letters OR", "missing behind OR"),
        ("letters AND OR with", "missing between AND and OR"),
    ],
)
def test_a_query_without_a_word_beside_and_or_or_is_refused(text, problem):
    with pytest.raises(SpotlabError, match=problem):
        search(index_with(LINES, BOXED), WordQuery(text=text, typed=True))


class Reads:
    """Reads each word as the same text."""

    def __init__(self, text: str, probability: float) -> None:
        self._reading = WordReading(text, probability)

    def read(self, items: list[int]) -> list[WordReading]:
        return [self._reading for _ in items]


def test_what_is_surely_read_in_an_example_is_searched_too():
    index = index_with(LINES, BOXED)
    example = WordQuery("page", tuple(index.items.boxes[0].tolist()))
    scores = {}
    for share in (0.0, 1.0):
        reader: Any = Reads("letters", share)
        found = search(index, example, reader=reader)
        scores[share] = dict(zip(found.places.tolist(), found.evidence.query.tolist(), strict=True))
    assert scores[0.0] == pytest.approx(dict(enumerate([1.0, 0, 0, 0, 0, 0, 0])))
    assert max(scores[1.0], key=scores[1.0].__getitem__) in (0, 5)
    assert scores[1.0][5] > scores[0.0][5] + 0.3


def test_what_is_surely_read_in_an_example_is_found_along_lines_too():
    lines, boxed = ["the alexandria of", *LINES], [["the", "alexandria", "of"], *BOXED]
    index = index_with(lines, boxed)
    left, top, right, bottom = index.items.boxes[1].tolist()
    query = WordQuery("page", (left, top, right, bottom))

    def second(probability: float) -> tuple[float, float]:
        reader: Any = Reads("alexandria", probability)
        found = search(index, query, reader=reader)
        (ranked,) = make_lists(found, ["ws"])
        assert found.items.boxes[ranked.item[0]].tolist() == [left, top, right, bottom]
        places = found.items.boxes[ranked.item, :2].tolist()
        assert places.count([left, top]) == 1
        x, _, end, _ = found.items.boxes[ranked.item[1]].tolist()
        return x, end

    assert second(0.99) == pytest.approx(place(lines[1], "alexandria"), abs=0.1)
    assert second(0.3) != pytest.approx(place(lines[1], "alexandria"), abs=0.1)
