"""Texts are folded, their attributes made, and their likelihoods are sums over all ways to read."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spotlab.spotting.words.embedding.characters import (
    ANY,
    NEVER,
    Alphabet,
    attribute_log_likelihood,
    attributes_of,
    log_likelihoods,
    log_of_steps,
    reference_log_likelihoods,
    stored_attributes,
    stored_characters,
    text_path,
    text_paths,
)
from spotlab.spotting.words.embedding.line_characters import (
    reference_span_log_likelihoods,
    span_log_likelihoods,
)

LATIN = Alphabet("abcdefghijklmnopqrstuvwxyz0123456789")


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Orders,", "orders"), ("Congreſs", "congress"), ("ﬁﬂ", "fifl"), ("naïve", "naive"),
        ("Straße", "strasse"), ("Œdipus", "oedipus"), ("Ærø", "aero"), ("7th.", "7th"),
        ("½", "12"), ("—", ""), ("İstanbul", "istanbul"),
    ],
)  # fmt: skip
def test_texts_are_folded(text, folded):
    assert LATIN.fold(text) == folded


def test_an_alphabet_may_keep_capitals_and_accents():
    own = Alphabet("abcABCäß-")
    assert own.fold("Aä-Cß ba") == "Aä-Cßba"
    assert own.fold("BÄ") == "Bä"


def test_an_alphabet_has_each_character_once():
    with pytest.raises(ValueError, match="once"):
        Alphabet("aba")


def slow_attributes(text: str, letters: str, levels) -> np.ndarray:
    rows = []
    for level in levels:
        for part in range(level):
            row = np.zeros(len(letters))
            for place, letter in enumerate(text):
                start, end = place / len(text), (place + 1) / len(text)
                shared = min(end, (part + 1) / level) - max(start, part / level)
                if shared / (end - start) >= 0.5 - 1e-9:
                    row[letters.index(letter)] = 1
            rows.append(row)
    return np.concatenate(rows)


@given(st.lists(st.text("abc", max_size=9), min_size=1, max_size=3))
@settings(max_examples=30, deadline=None)
def test_attributes_are_those_of_the_definition(texts):
    made = attributes_of(texts, Alphabet("abc"), (1, 2, 3, 5))
    for row, text in zip(made, texts, strict=True):
        np.testing.assert_array_equal(row, slow_attributes(text, "abc", (1, 2, 3, 5)))


def test_the_likelihood_of_attributes_is_a_product():
    random = np.random.default_rng(0)
    shares = random.uniform(0.02, 0.98, (4, 6))
    wanted = random.integers(0, 2, (3, 6)).astype(np.float32)
    found = attribute_log_likelihood(stored_attributes(shares), wanted)
    each = np.where(wanted[None] == 1, shares[:, None], 1 - shares[:, None])
    np.testing.assert_allclose(found, np.log(each).sum(axis=2), atol=0.15)


def brute_force(logs: np.ndarray, text: list[int]) -> float:
    """Sum over all strings of characters and nothings that collapse to the text."""
    whole = 0.0
    for path in product(range(logs.shape[1]), repeat=len(logs)):
        merged = [sign for at, sign in enumerate(path) if not at or sign != path[at - 1]]
        if [sign - 1 for sign in merged if sign] == text:
            whole += float(np.exp(sum(logs[at, sign] for at, sign in enumerate(path))))
    return np.log(whole) if whole else -np.inf


@pytest.mark.parametrize("text", [[], [0], [0, 0], [0, 1], [1, 0, 1], [1, 1, 0], [0, 1, 0, 1, 0]])
def test_the_likelihood_of_characters_is_that_of_all_ways_to_read(text):
    raw = np.random.default_rng(len(text)).standard_normal((2, 5, 3))
    stored = stored_characters(raw - np.log(np.exp(raw).sum(axis=2, keepdims=True)))
    logs = log_of_steps(5)[stored]
    found = log_likelihoods(stored, [np.array(text, np.int64)])[:, 0]
    expected = [max(brute_force(each, text), NEVER) for each in logs]
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_a_text_that_is_too_long_is_never_read():
    stored = np.zeros((1, 3, 3), np.uint8)
    assert log_likelihoods(stored, [np.array([0, 1, 0, 1])])[0, 0] == NEVER


def test_machine_code_and_numpy_agree_on_pairs():
    random = np.random.default_rng(3)
    raw = random.standard_normal((30, 40, 37)) * 4
    stored = stored_characters(raw - np.log(np.exp(raw).sum(axis=2, keepdims=True)))
    texts = [random.integers(0, 36, length) for length in (1, 5, 5, 12, 19)]
    words, which = random.integers(0, 30, 60), random.integers(0, 5, 60)
    found = log_likelihoods(stored, texts, words, which)
    paths, lengths = text_paths(texts)
    slow = reference_log_likelihoods(stored, np.exp(log_of_steps(40)), words, paths, lengths, which)
    np.testing.assert_allclose(found, slow, rtol=1e-9)
    np.testing.assert_allclose(log_likelihoods(stored, texts)[words, which], found, rtol=1e-12)


def brute_force_pattern(logs: np.ndarray, over: np.ndarray, path: list[int]) -> float:
    """Sum over all ways along the states of a path; any characters cost what they cost."""
    gaps, last = (0, ANY), len(path) - 1
    whole = 0.0
    for states in product(range(len(path)), repeat=len(logs)):
        begins = states[0] == 0 or (states[0] == 1 and path[0] in gaps)
        ends = states[-1] == last or (states[-1] == last - 1 and path[last] in gaps)
        steps = all(
            0 <= now - before <= 1
            or (now - before == 2 and path[now - 1] in gaps and path[now] not in (0, path[before]))
            for before, now in pairwise(states)
        )
        if begins and ends and steps:
            seen = zip(states, logs, over, strict=True)
            whole += np.exp(sum(-o if path[s] == ANY else row[path[s]] for s, row, o in seen))
    return float(np.log(whole)) if whole else -np.inf


@pytest.mark.parametrize("pattern", ["a*", "*a", "a*b", "ab", "*ab*", "*", "aa*", "a*a"])
def test_stars_count_neither_for_a_text_nor_against_it_but_for_spaces(pattern):
    random = np.random.default_rng(len(pattern))
    rows = random.integers(0, 99, (9, 3)).astype(np.uint8)
    path, spans = text_path(pattern, Alphabet("ab")), np.array([[0, 4], [3, 7], [4, 9]])
    for over in (np.zeros(9), random.uniform(0, 3, 9)):
        found = span_log_likelihoods(rows, spans, path, 5, over)
        logs = log_of_steps(5)[rows]
        slow = [brute_force_pattern(logs[a:b], over[a:b], path.tolist()) for a, b in spans]
        np.testing.assert_allclose(found, np.maximum(slow, NEVER), rtol=1e-9)
        probability = np.exp(log_of_steps(5))
        plain = reference_span_log_likelihoods(rows, probability, np.exp(-over), spans, path)
        np.testing.assert_allclose(plain, slow, rtol=1e-9)
