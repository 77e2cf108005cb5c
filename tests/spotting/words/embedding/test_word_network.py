"""A network is run in batches; files that are none are refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from spotlab.errors import BadInput
from spotlab.spotting.networks import metadata_of
from spotlab.spotting.words.embedding.characters import log_of_steps
from spotlab.spotting.words.embedding.network import (
    WordNetwork,
    cut_pictures,
    normalise_pictures,
    read_network,
)
from tests.spotting.words.embedding.small_network import (
    ALPHABET,
    LEVELS,
    PLACES,
    SIZE,
    write_network,
)


@pytest.fixture(scope="module")
def network(tmp_path_factory) -> WordNetwork:
    return read_network(write_network(tmp_path_factory.mktemp("network") / "words.onnx"))


@pytest.fixture(scope="module")
def page() -> np.ndarray:
    return np.random.default_rng(1).integers(0, 255, (120, 400)).astype(np.uint8)


def test_the_metadata_say_what_outputs_mean(network):
    assert network.alphabet.characters == ALPHABET
    assert network.levels == LEVELS
    assert network.sizes == (SIZE, PLACES)


def test_words_are_described_alike_alone_and_among_many(network, page):
    boxes = np.array([[10.0 * n, 5, 10 * n + 60 + n, 45] for n in range(35)])
    together = network.describe(page, boxes)
    assert together.embedding.shape == (35, SIZE)
    assert together.attributes.shape == (35, sum(LEVELS) * len(ALPHABET))
    assert together.characters.shape == (35, PLACES, 1 + len(ALPHABET))
    alone = network.describe(page, boxes[20:21])
    np.testing.assert_array_equal(alone.embedding[0], together.embedding[20])
    np.testing.assert_array_equal(alone.characters[0], together.characters[20])
    assert not np.array_equal(together.embedding[0], together.embedding[20])
    assert len(network.describe(page, np.empty((0, 4)))) == 0


def test_characters_are_probabilities_at_each_place(network, page):
    described = network.describe(page, [[10, 5, 90, 45]])
    shares = np.exp(log_of_steps(PLACES)[described.characters[0]]).sum(axis=1)
    assert shares == pytest.approx(np.ones(PLACES), abs=0.05)


def test_pictures_have_ink_whatever_the_paper():
    light = np.full((1, 48, 160), 240, np.uint8)
    light[:, 20:30, 40:120] = 100
    dark = (light // 2 + 20).astype(np.uint8)
    np.testing.assert_allclose(normalise_pictures(light), normalise_pictures(dark), atol=0.02)
    assert normalise_pictures(light)[0, 0, 25, 60] == pytest.approx(1)
    assert normalise_pictures(light)[0, 0, 5, 5] == 0


def test_narrow_words_are_padded_and_boxes_may_leave_the_page(page):
    narrow, beyond, beside = cut_pictures(
        page, [[10, 10, 50, 50], [-30, -10, 60, 30], [900, 900, 990, 930]]
    )
    assert len(np.unique(narrow[:, :40])) == 1  # paper
    assert len(np.unique(narrow[:, 70:90])) > 50
    assert beyond.std() > 0
    assert beside.shape == (48, 160)


def test_paper_in_a_box_beside_its_word_changes_nothing():
    page = np.full((60, 400), 200, np.uint8)
    page[20:40, 100:220:6] = 50
    page[20:40, 101:220:6] = 50
    tight, loose, looser = cut_pictures(
        page, [[100, 10, 218, 50], [95, 10, 240, 50], [60, 10, 250, 50]]
    )
    np.testing.assert_array_equal(tight, loose)
    np.testing.assert_array_equal(tight, looser)
    assert len(np.unique(tight[:, :8])) == 1  # paper on both sides, as it is around drawn words
    assert len(np.unique(tight[:, -8:])) == 1
    assert tight[:, 12:-12].std() > 30


def test_a_box_without_ink_is_a_picture_of_paper():
    [blank] = cut_pictures(np.full((60, 300), 180, np.uint8), [[10, 10, 130, 50]])
    assert np.unique(blank).tolist() == [180]


@pytest.mark.slow
@pytest.mark.parametrize(
    "content", [b"", b"no network at all", b"\x72\x06\x0a\x01a\x12", bytes(300)]
)
def test_other_files_are_refused(tmp_path, content):
    file = tmp_path / "other.onnx"
    file.write_bytes(content)
    with pytest.raises(BadInput, match="no network for words"):
        read_network(file)
    with pytest.raises(BadInput, match="cannot be read"):
        read_network(Path(tmp_path, "missing.onnx"))


def test_outputs_have_to_fit_the_alphabet(tmp_path):
    file = write_network(tmp_path / "words.onnx", levels=json.dumps([1, 2]))
    with pytest.raises(BadInput, match="do not fit"):
        read_network(file)
    assert metadata_of(file.read_bytes())["alphabet"] == ALPHABET
