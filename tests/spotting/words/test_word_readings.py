"""Words are read by a list of words; how sure that is depends on the list and on what is seen."""

from __future__ import annotations

import numpy as np
import pytest

from spotlab.errors import BadInput, SpotlabError
from spotlab.model.ranked_list import Items
from spotlab.model.spelling import letters_of
from spotlab.ranking.purge import ScoreCalibration
from spotlab.resources import MODELS, own_models
from spotlab.spotting.words.embedding.characters import (
    attributes_of,
    stored_attributes,
    stored_characters,
)
from spotlab.spotting.words.embedding.network import read_network
from spotlab.spotting.words.readings import (
    Lexicon,
    WordReader,
    fitting_lexicon,
    languages,
    lexicon_of,
    read_lexicon,
)
from spotlab.spotting.words.search import LookAlikes
from spotlab.spotting.words.word_index import ItemOverlaps, LearnedWords
from tests.spotting.words.embedding.small_network import LEVELS, write_network
from tests.spotting.words.test_learned_words import spelled


@pytest.fixture
def shipped(monkeypatch) -> None:
    monkeypatch.delenv(MODELS)


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


def test_a_word_is_read_by_what_looks_like_it(learned):
    lexicon = Lexicon.of({"orders": 3, "company": 3})
    alone = WordReader(learned, lexicon).read([2])[0]
    features = np.eye(4, dtype=np.float32)
    features[2] = features[1]  # what cannot be read looks just like "company"
    together = WordReader(learned, lexicon, look_alikes(features)).read(range(4))
    assert together[2].text == together[1].text == "company"
    assert alone.probability < together[2].probability < together[0].probability
    assert together[0] == WordReader(learned, lexicon).read([0])[0]  # nothing looks like it


def test_what_lies_on_a_word_or_is_less_than_a_hit_says_nothing_of_it():
    features = np.array([[1, 0], [1, 0], [0.6, 0.8], [0, 0]], np.float32)
    alike = look_alikes(features, [[0, 0, 9, 9], [1, 0, 9, 9], [20, 0, 29, 9], [40, 0, 49, 9]])
    places, weight = alike.beside(np.arange(4))
    assert places[:, 0].tolist() == [0, 1, 2, 3]
    assert weight[:, 0].tolist() == [1, 1, 1, 1]
    assert not weight[:, 1:].any()
    (only,) = look_alikes(features[:1]).beside(np.array([0]))[1].tolist()
    assert only == [1.0]


def look_alikes(features: np.ndarray, boxes: list[list[int]] | None = None) -> LookAlikes:
    boxes = boxes or [[20 * at, 0, 20 * at + 9, 9] for at in range(len(features))]
    items = Items(("page",), [0] * len(boxes), boxes)
    return LookAlikes(features, ScoreCalibration.none(), ItemOverlaps.of(items))


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


def test_the_words_that_are_shipped_can_be_read(shipped):
    lexicon = lexicon_of("english")
    assert len(lexicon) > 500
    assert lexicon.words[:3] == ("the", "of", "and")


def test_a_list_of_ones_own_is_found_by_the_name_of_its_file(shipped):
    assert set(languages()) == {"english", "french", "german", "latin"}
    with pytest.raises(SpotlabError, match="english, french, german, latin"):
        lexicon_of("greek")
    own_models().mkdir(parents=True)
    (own_models() / "greek-words.txt").write_text("λόγος 9\nκαί 90\n", "utf-8")
    (own_models() / "latin-words.txt").write_text("dominus\n", "utf-8")
    assert lexicon_of("greek").words == ("καί", "λόγος")
    assert lexicon_of("latin").words == ("dominus",)  # instead of the one that comes with spotlab


SAID = {
    "french": "testament maison notaire toujours enfants aussi premier comme leur avec",
    "german": "nicht haben wieder zwischen Mutter nichts unser sollte durch wollen",
    "latin": "gratia omnibus corpus semper uirtus habet nomine rerum quibus tamen",
}


@pytest.mark.parametrize("language", SAID)
def test_the_language_is_told_by_what_is_read_or_transcribed(shipped, learned, language):
    said = SAID[language].split() * 3
    logs = np.stack([spelled(letters_of(text), 0.999) for text in said])
    shares = attributes_of(said, learned.network.alphabet, LEVELS) * 0.9 + 0.05
    seen = LearnedWords(
        learned.network, stored_attributes(shares), stored_characters(logs), np.arange(len(said))
    )
    assert fitting_lexicon(seen, {}).language == language
    assert fitting_lexicon(learned, dict.fromkeys(said, 9)).language == language


def test_a_list_of_words_that_cannot_be_read_is_left_out_by_name(shipped, learned):
    own_models().mkdir(parents=True, exist_ok=True)
    broken = own_models() / "volapük-words.txt"
    broken.write_text("\n", "utf-8")
    chosen = fitting_lexicon(learned, dict.fromkeys(SAID["french"].split(), 9))
    assert chosen.language == "french"
    (problem,) = chosen.with_words({"mot": 2}).left_out
    assert str(broken) in problem


def test_a_lexicon_has_words_and_shares():
    with pytest.raises(ValueError, match="how often"):
        Lexicon((), np.zeros(0))
    with pytest.raises(ValueError, match="how often"):
        Lexicon(("a",), np.zeros(1))
    assert Lexicon.of({"a": 1}).with_words({}).words == ("a",)
