"""An index with a network: its files, its features, and texts that are typed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from spotlab.errors import BadInput, SpotlabError
from spotlab.model.ranked_list import Items
from spotlab.ranking.purge import HIT, TIGHT, ScoreCalibration
from spotlab.spotting.words import index as indexing
from spotlab.spotting.words.embedding.characters import (
    attributes_of,
    stored_attributes,
    stored_characters,
)
from spotlab.spotting.words.embedding.network import read_network
from spotlab.spotting.words.extraction.descriptor import DEFINITIONS, TITLES, WordDescriptor
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.index import build_index
from spotlab.spotting.words.search import make_lists, search
from spotlab.spotting.words.word_index import LearnedWords, WordIndex, WordQuery
from tests.spotting.cached_pages import DAMAGES, damaged, note_opened
from tests.spotting.words.embedding.small_network import ALPHABET, LEVELS, PLACES, write_network
from tests.spotting.words.word_pages import write_pages


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("learned")


@pytest.fixture(scope="module")
def words(folder) -> Items:
    return write_pages(folder / "pages")


@pytest.fixture(scope="module")
def settings(folder) -> WordSettings:
    return WordSettings(network=write_network(folder / "words.onnx"))


@pytest.fixture(scope="module")
def built(folder, words, settings) -> tuple[WordIndex, Path]:
    """An index, and one of its files: other networks write theirs beside it later."""
    index = build_index([folder / "pages"], settings, cache=folder / "cache")
    return index, sorted((folder / "cache").rglob("*.described"))[0]


@pytest.fixture(scope="module")
def index(built) -> WordIndex:
    return built[0]


def spelled(text: str, sure: float = 0.995) -> np.ndarray:
    """(T, 1 + C) what a network says that reads this text."""
    shares = np.full((PLACES, 1 + len(ALPHABET)), (1 - sure) / len(ALPHABET))
    shares[:, 0] = sure
    for place, letter in enumerate(text):
        shares[2 * place + 1] = (1 - sure) / len(ALPHABET)
        shares[2 * place + 1, 1 + ALPHABET.index(letter)] = sure
    return np.log(shares)


def reading(index: WordIndex, texts: list[str]) -> WordIndex:
    """An index whose network has read these texts, one after the other and again.

    What it has read alike looks alike.
    """
    assert index.learned is not None
    said = [texts[at % len(texts)] for at in range(len(index))]
    looks = np.eye(len(texts), dtype=np.float32)[np.arange(len(index)) % len(texts)]
    logs = np.stack([spelled(text) for text in said])
    learned = LearnedWords(
        index.learned.network,
        stored_attributes(attributes_of(said, index.learned.network.alphabet, LEVELS) * 0.9 + 0.05),
        stored_characters(logs),
        np.arange(len(index)),
    )
    return replace(index, learned=learned, features=looks)


def test_both_descriptors_count_in_the_features(index, folder, settings):
    assert index.descriptor is WordDescriptor.BOTH
    np.testing.assert_allclose(np.linalg.norm(index.features, axis=1), 1, atol=1e-5)
    single = {}
    for descriptor in (WordDescriptor.STROKES, WordDescriptor.LEARNED):
        own = replace(settings, descriptor=descriptor)
        made = build_index([folder / "pages"], own, cache=folder / "cache")
        assert made.reused == 3  # the pages' files are shared
        assert made.descriptor is descriptor
        single[descriptor] = made.features @ made.features.T
    share = index.space.share
    mean = (1 - share) * single[WordDescriptor.STROKES] + share * single[WordDescriptor.LEARNED]
    np.testing.assert_allclose(index.features @ index.features.T, mean, atol=1e-5)


def test_another_network_describes_the_pages_anew(index, folder, settings, tmp_path, monkeypatch):
    seen = note_opened(indexing, monkeypatch)
    build_index([folder / "pages"], settings, cache=folder / "cache")
    assert seen == []
    other = replace(settings, network=write_network(tmp_path / "other.onnx", seed=1))
    made = build_index([folder / "pages"], other, cache=folder / "cache")
    assert seen == ["page_1", "page_2", "page_3"]
    assert np.array_equal(made.items.boxes, index.items.boxes)
    assert not np.allclose(made.features, index.features)


@pytest.mark.slow
def test_two_processes_make_the_same_index(index, folder, settings, tmp_path):
    parallel = build_index([folder / "pages"], settings, cache=tmp_path, jobs=2)
    assert np.array_equal(parallel.features, index.features)
    assert np.array_equal(parallel.learned.characters, index.learned.characters)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_description_is_made_anew(built, damage, folder, settings, monkeypatch):
    index, target = built
    content = target.read_bytes()
    target.write_bytes(damaged(content, damage))
    seen = note_opened(indexing, monkeypatch)
    again = build_index([folder / "pages"], settings, cache=folder / "cache")
    assert len(seen) == 1
    assert target.read_bytes() == content
    assert np.array_equal(again.features, index.features)


def test_without_a_network_strokes_are_compared_unless_only_learned_ones_are_wanted(
    folder, monkeypatch
):
    monkeypatch.setattr(indexing, "shipped_network", lambda: None)
    plain = build_index([folder / "pages"], cache=folder / "cache")
    assert plain.descriptor is WordDescriptor.STROKES
    with pytest.raises(SpotlabError, match="only strokes are compared"):
        search(plain, WordQuery(text="orders", typed=True))
    learned = WordSettings(descriptor=WordDescriptor.LEARNED)
    with pytest.raises(SpotlabError, match="needs a network"):
        build_index([folder / "pages"], learned, cache=folder / "cache")
    missing = WordSettings(network=folder / "missing.onnx")
    with pytest.raises(BadInput, match=r"missing\.onnx"):
        build_index([folder / "pages"], missing, cache=folder / "cache")


def test_a_typed_text_finds_the_words_that_say_it(index):
    known = reading(index, ["orders", "company", "order"])
    found = search(known, WordQuery(text="Orders,", typed=True))
    says = [place % 3 for place in found.places.tolist()]
    (ws, cr) = make_lists(found, ("ws", "cr"))
    order = [says[item] for item in ws.item.tolist()]
    count = order.count(0)
    assert set(order[:count]) == {0}
    assert ws.score[count - 1] >= TIGHT
    company = [score for item, score in zip(order, ws.score.tolist(), strict=True) if item == 1]
    assert company
    assert max(company) < HIT
    assert found.own is None
    assert found.used == ()
    assert len(cr)


def test_a_typed_text_finds_a_word_that_looks_like_those_that_say_it(index):
    given = replace(index, given=True, scale=ScoreCalibration.none())  # nothing is left out
    known = reading(given, ["orders", "company", "ordera"])
    alone = search(known, WordQuery(text="orders", typed=True)).evidence.query
    looks = known.features.copy()
    looks[2] = looks[0]  # misread: it says "ordera", but looks like all that say "orders"
    beside = search(replace(known, features=looks), WordQuery(text="orders", typed=True))
    scores = beside.evidence.query
    assert scores[2] > scores[5] + 0.05
    assert scores[2] > alone[2] + 0.05
    assert scores[5] == alone[5]  # all that look like it say the same


def test_a_star_stands_for_any_letters(index):
    known = reading(index, ["orders", "company", "order", "reorder"])
    for text, right in (("orde*", {0, 2}), ("*order*", {0, 2, 3}), ("*er", {2, 3}), ("order", {2})):
        scores = known.text_scores(text)
        says = np.arange(len(known)) % 4
        assert {int(each) for each in says[scores >= TIGHT]} == right, text
    with pytest.raises(SpotlabError, match="no letter"):
        known.text_scores("—*")


def test_words_in_a_hand_that_is_hard_to_read_are_hits_as_those_in_an_easy_one(index):
    read = reading(index, ["orders", "company"])
    learned = read.learned
    rows = learned.characters.astype(np.int64)
    faint = np.minimum(rows + 5, 255).astype(np.uint8)
    hard = replace(read, learned=replace(learned, characters=faint))
    says = np.arange(len(read)) % 2 == 0
    for known in (read, hard):
        scores = search(known, WordQuery(text="orders", typed=True), overlap=2.0).evidence.query
        assert scores[says].min() >= HIT > scores[~says].max()
    assert hard.learned.unsure > read.learned.unsure == 0


def test_a_word_close_to_other_ink_is_rather_a_part_of_one(index):
    read = reading(index, ["orders"])
    (alone,) = set(read.text_scores("orders").tolist())
    apart = np.linspace(0, 1, len(read)).astype(np.float32)
    scores = replace(read, apart=apart).text_scores("orders")
    assert scores[-1] == alone
    assert (np.diff(scores) > 0).all()


def test_a_typed_text_has_no_box():
    with pytest.raises(ValueError, match="typed text or a box"):
        WordQuery("page", (0, 0, 9, 9), "orders", typed=True)


def test_drawn_boxes_are_described_as_given_ones(folder, words, settings):
    index = build_index([folder / "pages"], settings, boxes=words, cache=folder / "cache")
    for word in (0, 7, 17):
        left, top, right, bottom = words.boxes[word].tolist()
        drawn = index.describe(
            WordQuery(words.page_name(word), (left - 6, top - 4, right + 5, bottom + 3))
        )
        nearest = int((index.features @ drawn).argmax())
        assert words.texts[nearest] == words.texts[word]


def test_every_descriptor_has_a_title_and_a_definition():
    assert set(TITLES) == set(DEFINITIONS) == set(WordDescriptor)


def test_networks_are_read_once(settings):
    assert read_network(settings.network) is read_network(settings.network)
