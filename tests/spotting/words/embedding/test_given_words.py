"""Words in given boxes are read along their writing, however tightly the boxes are drawn."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from scipy.special import expit

from spotlab.imaging.reading.pixels import read_page
from spotlab.imaging.reading.pyramid import darkness
from spotlab.model.ranked_list import Items
from spotlab.model.spelling import fold
from spotlab.resources import CHECKOUT, sample_collection
from spotlab.spotting.page_entries import page_entries
from spotlab.spotting.words.embedding.characters import MOST, log_of_steps
from spotlab.spotting.words.embedding.network import (
    SHIPPED,
    WordNetwork,
    describe_given,
    read_network,
    writing_turns,
)
from spotlab.spotting.words.extraction.descriptor import WordDescriptor
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.index import build_index
from spotlab.spotting.words.search import search
from spotlab.spotting.words.word_index import WordQuery
from spotlab.studies.words.word_truth import read_words

LETTERS = sample_collection("manuscript")
NETWORK = CHECKOUT / "resources" / "models" / SHIPPED
TURNS = {1: cv2.ROTATE_90_COUNTERCLOCKWISE, -1: cv2.ROTATE_90_CLOCKWISE}


pytestmark = pytest.mark.skipif(
    not NETWORK.is_file(), reason="the network of words is not installed"
)


@pytest.fixture(scope="module")
def network() -> WordNetwork:
    return read_network(NETWORK)


@pytest.fixture(scope="module")
def words() -> Items:
    known = read_words([LETTERS / "letter_001.xml"])
    return known.take(range(60))


@pytest.fixture(scope="module")
def grey() -> np.ndarray:
    return darkness(read_page(LETTERS / "letter_001.jpg", 0))


def turned(boxes: np.ndarray, turn: int, size: tuple[int, ...]) -> np.ndarray:
    """The boxes of a page of (height, width) after its writing was turned up (1) or down (-1)."""
    height, width = size
    left, top, right, bottom = boxes.T
    if turn == 1:
        return np.column_stack([top, width - right, bottom, width - left])
    return np.column_stack([height - bottom, left, height - top, right])


def test_words_of_a_page_with_level_lines_stay(network, grey, words):
    assert not writing_turns(network, grey, words.boxes).any()


@pytest.mark.parametrize("turn", [1, -1])
def test_words_that_run_up_or_down_are_turned(network, grey, words, turn):
    page = cv2.rotate(grey, TURNS[turn])
    long = np.array([len(fold(text or "")) >= 5 for text in words.texts])
    boxes = turned(words.boxes, turn, grey.shape)
    found = writing_turns(network, page, boxes)
    assert long.sum() > 15
    assert (found[long] == turn).mean() > 0.97
    assert set(found.tolist()) <= {0, turn}


def test_a_turned_word_is_described_as_a_level_one(network, grey, words):
    boxes = np.round(words.boxes)
    page = cv2.rotate(grey, TURNS[1])
    level = describe_given(network, grey, boxes)
    turns = writing_turns(network, page, turned(boxes, 1, grey.shape))
    upwards = describe_given(network, page, turned(boxes, 1, grey.shape), turns)
    np.testing.assert_array_equal(upwards.embedding[turns == 1], level.embedding[turns == 1])
    np.testing.assert_array_equal(upwards.characters[turns == 1], level.characters[turns == 1])


def test_a_word_that_runs_upwards_is_found_by_its_text(tmp_path, grey, words):
    path = tmp_path / "turned.png"
    cv2.imwrite(str(path), cv2.rotate(grey, TURNS[1]))
    boxes = Items(("turned",), words.page, turned(words.boxes, 1, grey.shape), tuple(words.texts))
    settings = WordSettings(descriptor=WordDescriptor.LEARNED, network=NETWORK)
    index = build_index(page_entries([path]), settings, boxes=boxes, cache=tmp_path / "cache")
    plain = [fold(text or "") for text in words.texts]
    text = max((each for each in set(plain) if len(each) >= 6), key=plain.count)
    found = search(index, WordQuery(text=text, typed=True))
    best = int(found.evidence.query.argmax())
    assert fold(found.items.text(best) or "") == text


def test_no_word(network, grey):
    assert len(describe_given(network, grey, np.empty((0, 4)))) == 0


def test_what_is_said_of_several_pictures_of_a_word_is_their_mean(network, grey, words):
    boxes = words.boxes[:20]
    one, other = (network.describe(grey, boxes, 0, [rows]) for rows in (3, -2))
    both = network.describe(grey, boxes, 0, (3, -2))
    mean = (one.embedding.astype(float) + other.embedding) / 2
    np.testing.assert_allclose(both.embedding, mean, atol=2e-2)
    likely = (expit(said.attributes * (MOST / 127)) for said in (one, other, both))
    np.testing.assert_allclose((next(likely) + next(likely)) / 2, next(likely), atol=0.02)
    shares = np.exp(log_of_steps(one.characters.shape[1]))
    said = (shares[one.characters] + shares[other.characters]) / 2
    np.testing.assert_allclose(shares[both.characters], said, rtol=0.1, atol=1e-4)
    assert np.abs(one.embedding.astype(float) - other.embedding).max() > 0.1
