"""Characters along whole lines: what is read there, and how likely it is a text."""

from __future__ import annotations

import difflib

import numpy as np
import pytest

from spotlab.imaging.reading.pixels import read_page
from spotlab.imaging.reading.pyramid import darkness
from spotlab.resources import LETTERS, needed_model, sample_collection
from spotlab.spotting.words.embedding import character_kernels as kernels
from spotlab.spotting.words.embedding.characters import (
    NEVER,
    log_likelihoods,
    log_of_steps,
    stored_characters,
    text_paths,
)
from spotlab.spotting.words.embedding.line_characters import (
    describe_lines,
    reference_span_log_likelihoods,
    span_log_likelihoods,
)
from spotlab.spotting.words.embedding.network import SHIPPED, read_network
from spotlab.spotting.words.extraction.layout import WordInk, find_layout, word_ink
from spotlab.spotting.words.extraction.page_words import points_of_lines
from spotlab.studies.words.word_truth import read_words


def drawn(places: int, seed: int = 0) -> np.ndarray:
    raw = np.random.default_rng(seed).standard_normal((1, places, 37)) * 4
    return stored_characters(raw - np.log(np.exp(raw).sum(axis=2, keepdims=True)))[0]


@pytest.mark.parametrize("text", [[3], [3, 3], [5, 1, 1, 20, 7]])
def test_machine_code_and_numpy_agree_along_lines_of_any_length(text: list[int]) -> None:
    line = drawn(900)
    spans = np.array([[0, 2], [10, 50], [10, 51], [100, 900], [0, 40]])
    [path], _ = text_paths([np.array(text)])
    probability = np.exp(log_of_steps(40))
    slow = reference_span_log_likelihoods(line, probability, np.ones(900), spans, path)
    fast = kernels.span_log_likelihoods(line, probability, np.ones(900), spans, path)
    np.testing.assert_allclose(fast, slow, rtol=1e-9)


def test_a_part_of_a_line_is_read_as_a_word_of_as_many_places_is() -> None:
    line = drawn(40)
    text = np.array([5, 1, 1])
    [path], _ = text_paths([text])
    found = span_log_likelihoods(line, np.array([[0, 40], [4, 6]]), path, 40)
    assert found[0] == pytest.approx(log_likelihoods(line[None], [text])[0, 0])
    assert found[1] == NEVER  # there are too few places for three letters


def test_a_line_is_read_from_one_window_to_the_next() -> None:
    network = read_network(needed_model(SHIPPED))
    folder = sample_collection(LETTERS)
    words = read_words([folder])
    page = words.take(np.flatnonzero(words.page == 0))
    pixels = read_page(folder / "letter_001.jpg", 0)
    lines = points_of_lines(find_layout(word_ink(pixels, WordInk.NONE))).astype(np.float64)
    lines = lines[lines[:, 0] < 6]
    seen = describe_lines(network, darkness(pixels), lines, page.boxes)
    longest = max(float(np.ptp(lines[lines[:, 0] == at, 1])) for at in np.unique(lines[:, 0]))
    assert longest > 24 * lines[0, 3]  # several windows
    read, expected = [], []
    for word in np.flatnonzero(seen.span[:, 1] > seen.span[:, 0]).tolist():
        likeliest = seen.characters[slice(*seen.span[word])].argmin(axis=1)
        begins = (np.diff(likeliest, prepend=0) != 0) & (likeliest > 0)
        read.append("".join(network.alphabet.characters[at - 1] for at in likeliest[begins]))
        expected.append(network.alphabet.fold(page.texts[word] or ""))
    assert len(read) >= 25
    alike = [
        difflib.SequenceMatcher(None, *pair).ratio() for pair in zip(read, expected, strict=True)
    ]
    assert np.mean(alike) > 0.75
