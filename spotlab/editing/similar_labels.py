"""Labels that look like another one misspelt."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from spotlab.libraries import DamerauLevenshtein

SHORTEST = 4  # letters; shorter words with one letter changed are mostly other words
_DIGITS = re.compile(r"\d+")
_BETWEEN = re.compile(r"[\W_]+")


def similar_labels(counts: Mapping[str, int]) -> dict[str, str]:
    """For each label that may be misspelt the more frequent one that may be meant.

    Two labels are alike when they differ in case, spaces or punctuation only, or by one letter
    added, left out, changed or exchanged with its neighbour (one typo; from 4 letters on). Labels
    that differ in their numbers ("chair 1", "chair 2") are not. Of two equally frequent ones that
    differ by a typo none is held for wrong; by case, the later one in the alphabet.

    Parameters
    ----------
    counts : mapping of str to int
        How many regions carry each label.

    Examples
    --------
    >>> similar_labels({"sofa": 9, "Sofa": 1, "soffa": 1, "sink": 3, "chair1": 2, "chair2": 1})
    {'Sofa': 'sofa', 'soffa': 'sofa'}
    """
    spellings = {label: _plain(label) for label in counts}
    near = _neighbours(set(spellings.values()))
    by_spelling: dict[str, list[str]] = defaultdict(list)
    for label, spelling in spellings.items():
        by_spelling[spelling].append(label)
    found = {}
    for label, spelling in spellings.items():
        rank = _rank(label, counts)
        same = [other for other in by_spelling[spelling] if _rank(other, counts) > rank]
        typos = [
            other
            for word in near.get(spelling, ())
            for other in by_spelling[word]
            if counts[other] > counts[label]
        ]
        meant = same or typos
        if meant:
            found[label] = max(meant, key=lambda other: _rank(other, counts))
    return found


def _rank(label: str, counts: Mapping[str, int]) -> tuple[int, tuple[int, ...]]:
    return counts[label], tuple(-ord(letter) for letter in label)


def _plain(label: str) -> str:
    """Without case, spaces and punctuation; itself where nothing else is in it."""
    return _BETWEEN.sub("", label.casefold()) or label


def _neighbours(words: set[str]) -> dict[str, set[str]]:
    """The words one typo away from each, found by what both become with a letter left out."""
    sharing: dict[str, list[str]] = defaultdict(list)
    for word in words:
        if len(word) >= SHORTEST:
            for key in {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}:
                sharing[key].append(word)
    near: dict[str, set[str]] = defaultdict(set)
    for group in sharing.values():
        for word in group:
            for other in group:
                if other != word and _one_typo(word, other):
                    near[word].add(other)
    return near


def _one_typo(word: str, other: str) -> bool:
    if _DIGITS.findall(word) != _DIGITS.findall(other):
        return False
    return DamerauLevenshtein.distance(word, other, score_cutoff=1) <= 1
