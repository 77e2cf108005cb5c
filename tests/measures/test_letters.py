"""Compact letters against an independent computation: every group, by trying all of them."""

from __future__ import annotations

import re
from itertools import chain, combinations

import numpy as np
import pytest

from spotlab.measures.significance import compact_groups, compact_letters


def groups_by_trying(differs: np.ndarray) -> list[tuple[int, ...]]:
    """All sets of which no two members differ and that no further one fits into."""
    places = range(len(differs))
    every = chain.from_iterable(combinations(places, size) for size in range(1, len(differs) + 1))
    alike = [
        set(group) for group in every
        if not any(differs[one, other] for one, other in combinations(group, 2))
    ]  # fmt: skip
    return sorted(
        tuple(sorted(group)) for group in alike if not any(group < larger for larger in alike)
    )


@pytest.mark.parametrize("seed", range(40))
def test_groups_are_those_found_by_trying(seed: int) -> None:
    random = np.random.default_rng(seed)
    runs = int(random.integers(1, 9))
    half = np.triu(random.random((runs, runs)) < random.random(), 1)
    differs = half | half.T
    assert compact_groups(differs) == groups_by_trying(differs)


def names(letters: str) -> list[str]:
    return re.findall(r"[a-z]\d*", letters)


@pytest.mark.parametrize("seed", range(40))
def test_two_share_a_letter_unless_they_differ(seed: int) -> None:
    random = np.random.default_rng(100 + seed)
    runs = int(random.integers(2, 30 if seed % 10 == 0 else 8))
    p = np.triu(random.random((runs, runs)) ** 3, 1)
    p = p + p.T
    values = random.random(runs)
    letters = compact_letters(values, p)
    assert "a" in names(letters[int(values.argmax())])
    for one, other in combinations(range(runs), 2):
        shared = set(names(letters[one])) & set(names(letters[other]))
        assert bool(shared) == (p[one, other] >= 0.05)


def test_what_is_not_tested_is_not_shown_to_differ() -> None:
    p = np.array([[np.nan, np.nan], [np.nan, np.nan]])
    assert compact_letters(np.array([0.1, np.nan]), p) == ["a", "a"]
