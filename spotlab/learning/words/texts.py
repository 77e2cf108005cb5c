"""Texts to draw: words of a list, words of running text, numbers, words that do not exist."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LONG_S = "\ue000"  # a long and a round s: read as ss, drawn as fs
LONGEST = 20  # characters
_END = 26  # of a word, in the table of letters that follow each other
_NUMBERS, _INVENTED, _RUNNING = 0.04, 0.14, 0.36  # shares, each with the ones before


@dataclass(frozen=True)
class WordTexts:
    """Word lists from which texts are drawn.

    Attributes
    ----------
    known : tuple of str
        A list of words.
    running : tuple of str
        Words of running text, as often as they occur.
    """

    known: tuple[str, ...]
    running: tuple[str, ...] = ()


def words_of(listed: str, running: str = "") -> WordTexts:
    """Read a list of words and running text.

    Parameters
    ----------
    listed : str
        A word a line; words with other than the letters a to z are left out.
    running : str
        Any text.

    Examples
    --------
    >>> words_of("ab\\ncafé\\nQuixote", "To be, or not to be")
    WordTexts(known=('Quixote', 'ab'), running=('To', 'be', 'or', 'not', 'to', 'be'))
    """
    pattern = f"[A-Za-z]{{2,{LONGEST}}}"
    known = sorted({word for word in listed.split("\n") if re.fullmatch(pattern, word)})
    found = re.findall(rf"\b[A-Za-z]{{1,{LONGEST}}}\b", running)
    return WordTexts(tuple(known), tuple(found))


class Texts:
    """Draws texts by chance.

    Parameters
    ----------
    words : WordTexts
    seed : int
    """

    def __init__(self, words: WordTexts, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._words = words
        self._next = _following(words.known)

    def draw(self) -> str:
        """A text."""
        return self.dressed(self.word())

    def word(self) -> str:
        """A word as such, or a number."""
        random, kind = self._random, self._random.random()
        if kind < _NUMBERS:
            word = str(random.integers(10 ** int(random.integers(1, 5))))
            word += str(random.choice(["", "", "", "th", "st", "d"]))
        elif kind < _INVENTED:
            word = self._invented()
        elif kind < _RUNNING and self._words.running:
            word = self._one_of(self._words.running).lower()
        else:
            word = self._one_of(self._words.known)
        return word

    def dressed(self, word: str) -> str:
        """With capitals, an old s and punctuation, as words may have them.

        Parameters
        ----------
        word : str
        """
        random = self._random
        if "ss" in word and random.random() < 0.25:
            word = word.replace("ss", LONG_S, 1)
        if random.random() < 0.17:
            word = word[0].upper() + word[1:]
        elif random.random() < 0.04:
            word = word.upper()
        if random.random() < 0.14:
            word += str(random.choice(list(",.,.;:-=")))
        return '"' + word if random.random() < 0.02 else word

    def _one_of(self, words: Sequence[str]) -> str:
        return words[int(self._random.integers(len(words)))]

    def _invented(self) -> str:
        """A word of letters that follow each other in words."""
        first, second, word = _END, int(self._random.integers(26)), ""
        while len(word) < LONGEST and second != _END:
            word += chr(97 + second)
            third = int(np.searchsorted(self._next[first, second], self._random.random()))
            first, second = second, min(third, _END)
        return word or "a"


def _following(words: Sequence[str]) -> NDArray[np.float64]:
    """Tell how likely a letter and all before it in the alphabet follow two letters: (27, 27,
    27).
    """
    joined = " ".join(words).lower() + " "
    table = np.full((27, 27, 27), 0.02)
    code = np.array([_END if sign == " " else ord(sign) - 97 for sign in joined])
    np.add.at(table, (code[:-2], code[1:-1], code[2:]), 1)
    following: NDArray[np.float64] = np.cumsum(table, axis=2) / table.sum(axis=2, keepdims=True)
    return following
