"""Words are read by a list of words; how sure that is depends on the list and on what is seen."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.errors import BadInput
from spotlab.resources import CHECKOUT
from spotlab.spotting.words.embedding.attributes import attributes_of, stored_attributes
from spotlab.spotting.words.embedding.characters import stored_characters
from spotlab.spotting.words.embedding.network import read_network
from spotlab.spotting.words.learned_words import LearnedWords
from spotlab.spotting.words.readings import ENGLISH, Lexicon, WordReader, read_lexicon
from tests.spotting.words.embedding.small_network import LEVELS, write_network
from tests.spotting.words.test_learned_words import spelled


@pytest.fixture(scope="module")
def learned(tmp_path_factory) -> LearnedWords:
    """What a network says that reads "orders", "company" and "zzqx"; twice the first."""
    network = read_network(write_network(tmp_path_factory.mktemp("read") / "words.onnx"))
    said = ["orders", "company", "zzqx"]
    shares = attributes_of(said, network.alphabet, LEVELS) * 0.9 + 0.05
    logs = np.stack([spelled(text, 0.9995) for text in said])
    return LearnedWords(
        network, stored_attributes(shares), stored_characters(logs), np.array([0, 1, 2, 0])
    )


def test_words_are_read_by_the_list(learned):
    reader = WordReader(learned, Lexicon.of({"Orders,": 3, "order": 9, "company": 1, "the": 50}))
    first, second, third, again = reader.read(range(4))
    assert (first.text, second.text) == ("Orders,", "company")
    assert first == again
    assert min(first.probability, second.probability) > 0.8
    assert third.probability < 0.5  # none of the list


def test_a_frequent_word_is_more_probable(learned):
    rare, frequent = (
        WordReader(learned, Lexicon.of({"orders": count, "the": 1000})).read([0])[0]
        for count in (1, 1000)
    )
    assert rare.text == frequent.text == "orders"
    assert 0 < rare.probability < frequent.probability <= 1


def test_words_that_are_alike_to_the_network_are_one(learned):
    lexicon = WordReader(learned, Lexicon.of({"The": 2, "the": 1, "—": 5})).lexicon
    assert lexicon.words == ("The",)
    with pytest.raises(ValueError, match="no word"):
        WordReader(learned, Lexicon.of({"—": 1}))


def test_lists_of_words_are_read(tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("the 300\norders\t100\n\nNew York,50\n")
    assert read_lexicon(file).words == ("the", "orders", "New York")
    file.write_text("the\norders\nof\n")
    ranked = read_lexicon(file)
    assert ranked.words == ("the", "orders", "of")
    assert ranked.share[0] / ranked.share[2] == pytest.approx(5 / 3, rel=1e-3)
    file.write_text("\n")
    with pytest.raises(BadInput, match="no words"):
        read_lexicon(file)
    with pytest.raises(BadInput, match="cannot be read"):
        read_lexicon(tmp_path / "missing.txt")


def test_the_words_that_are_shipped_can_be_read():
    lexicon = read_lexicon(CHECKOUT / "resources" / "models" / ENGLISH)
    assert len(lexicon) > 500
    assert lexicon.words[:3] == ("the", "of", "and")


def test_a_lexicon_has_words_and_shares():
    with pytest.raises(ValueError, match="how often"):
        Lexicon((), np.zeros(0))
    with pytest.raises(ValueError, match="how often"):
        Lexicon(("a",), np.zeros(1))
    assert Lexicon.of({"a": 1}).with_words({}).words == ("a",)
