"""How long a query takes with all its lists, drawn or typed: 15 pages of 1,500 candidates each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from spotlab.model.ranked_list import Items
from spotlab.ranking.fusion import fusions
from spotlab.ranking.purge import ScoreCalibration
from spotlab.spotting.words.embedding.characters import (
    attributes_of,
    stored_attributes,
    stored_characters,
)
from spotlab.spotting.words.embedding.network import read_network
from spotlab.spotting.words.readings import lexicon_of
from spotlab.spotting.words.search import make_lists, search
from spotlab.spotting.words.word_index import LearnedWords, WordIndex, WordQuery, fit_scale
from tests.spotting.words.word_indices import index_of

PAGES, WORDS, CANDIDATES, DIMENSIONS = 15, 250, 6, 96
KINDS = 1999
MODELS = Path(__file__).parents[2] / "resources" / "models"
LARGEST_SHARE = 0.05  # of all words: "the"
LISTS = ["ws", "qe", "cr", "ml", "ml_cr"]


@pytest.fixture(scope="module")
def index() -> WordIndex:
    """Words as often as in English, each with six candidates that lie on each other."""
    random = np.random.default_rng(0)
    kind = kinds(random)
    centre = random.normal(size=(KINDS, DIMENSIONS))
    word = np.repeat(np.arange(PAGES * WORDS), CANDIDATES)
    rows = centre[kind][word] + random.normal(size=(len(word), DIMENSIONS)) * 0.6
    inner = word % WORDS
    shift = random.integers(0, 12, (len(word), 2))
    left, top = 200 * (inner % 8) + shift[:, 0], 100 * (inner // 8) + shift[:, 1]
    boxes = np.stack([left, top, left + 160, top + 60], axis=1)
    names = tuple(f"page {number}" for number in range(PAGES))
    made = index_of(Items(names, word // WORDS, boxes), rows)
    scale = fit_scale(made.features, made.overlaps)
    assert scale.source == "neighbours"
    return replace(made, scale=scale)


def kinds(random: np.random.Generator) -> NDArray[np.int64]:
    """(PAGES * WORDS,) which word each is."""
    share = LARGEST_SHARE / np.arange(1, KINDS + 1)
    return random.choice(KINDS, PAGES * WORDS, p=share / share.sum())


@pytest.fixture(scope="module")
def read(index: WordIndex) -> WordIndex:
    """The same, read by the network that comes with spotlab: as frequent English words."""
    network, lexicon = read_network(MODELS / "words.onnx"), lexicon_of("english")
    longest = network.sizes[1] // 2
    words = [word for word in lexicon.words if 4 <= len(word) <= longest and word.isalpha()]
    random = np.random.default_rng(0)
    texts = [words[kind] for kind in kinds(random).tolist()]
    logs = random.normal(-7, 1, (len(texts), network.sizes[1], 1 + len(network.alphabet)))
    logs[:, :, 0] = -0.1
    for row, text in enumerate(texts):
        places = 2 * np.arange(len(text)) + 1
        logs[row, places, 0] = -3
        logs[row, places, 1 + network.alphabet.numbers(text)] = -0.5
    said = attributes_of(texts, network.alphabet, network.levels) * 0.9 + 0.05
    learned = LearnedWords(
        network,
        np.repeat(stored_attributes(said), CANDIDATES, axis=0),
        np.repeat(stored_characters(logs), CANDIDATES, axis=0),
        np.arange(len(index)),
    )
    return replace(index, learned=learned)


def frequent_query(index: WordIndex) -> WordQuery:
    """The word that finds most: of the most frequent kind."""
    raw = index.features[:: 40 * CANDIDATES] @ index.features.T
    best = int((raw >= index.scale.invert(0.7)).sum(axis=1).argmax()) * 40 * CANDIDATES
    left, top, right, bottom = index.items.boxes[best].tolist()
    return WordQuery(index.items.page_name(best), (left, top, right, bottom))


@pytest.mark.parametrize("lists", [LISTS, sorted(fusions())], ids=["the paper's", "all"])
def test_query_with_lists(benchmark: Any, index: WordIndex, lists: list[str]) -> None:
    query = frequent_query(index)

    def look() -> int:
        return len(make_lists(search(index, query), lists)[0])

    assert benchmark(look) > 50
    found = search(index, query)
    benchmark.extra_info.update(
        candidates=len(index), found=len(found.items), expanded=len(found.expanded)
    )


def test_typed_text(benchmark: Any, read: WordIndex) -> None:
    query = WordQuery(text="that", typed=True)

    def look() -> int:
        return len(make_lists(search(read, query), LISTS)[0])

    assert benchmark(look) > 50
    found = search(read, query)
    benchmark.extra_info.update(
        candidates=len(read), hits=int((found.evidence.query >= found.tau).sum())
    )


def test_looser_query(benchmark: Any, index: WordIndex) -> None:
    query = frequent_query(index)
    benchmark(lambda: make_lists(search(index, query, tau=0.6, tight=0.7), LISTS))
    found = search(index, query, tau=0.6, tight=0.7)
    benchmark.extra_info.update(found=len(found.items), expanded=len(found.expanded))


def test_calibrating(benchmark: Any, index: WordIndex) -> None:
    found = benchmark.pedantic(fit_scale, (index.features, index.overlaps), rounds=3)
    assert isinstance(found, ScoreCalibration)
