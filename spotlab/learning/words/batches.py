"""Batches of written words with what they say, from this process or from one that writes ahead."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.learning.batches_ahead import Source, batches
from spotlab.learning.words.masks import Mask
from spotlab.learning.words.texts import LONG_S, LONGEST, Texts, Words
from spotlab.learning.words.writer import Writer
from spotlab.spotting.words.embedding.alphabet import Alphabet
from spotlab.spotting.words.embedding.attributes import attributes_of

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
LEVELS = (1, 2, 3, 4, 5)
LABEL = LONGEST + 2  # characters of a text that are learned


@dataclass(frozen=True, eq=False)
class Batch:
    """Words to learn from.

    Attributes
    ----------
    pictures : (N, 48, 160) uint8
    attributes : (N, A) uint8
        Of what each picture says.
    numbers : (N, L) uint8
        Characters of each text as 1, 2, … in the alphabet, then 0.
    """

    pictures: Mask
    attributes: NDArray[np.uint8]
    numbers: NDArray[np.uint8]


def labelled(pictures: Sequence[Mask], texts: Sequence[str]) -> Batch:
    """Make a batch of pictures whose texts are known.

    Parameters
    ----------
    pictures : sequence of (48, 160) uint8
    texts : sequence of str
        In characters of the alphabet.
    """
    alphabet = Alphabet(ALPHABET)
    numbers = np.zeros((len(texts), LABEL), np.uint8)
    for place, text in enumerate(texts):
        found = alphabet.numbers(text)[:LABEL]
        numbers[place, : len(found)] = found + 1
    attributes = attributes_of(texts, alphabet, LEVELS).astype(np.uint8)
    return Batch(np.stack(pictures), attributes, numbers)


class WrittenWords:
    """Batches of words that fonts write, each word twice.

    Parameters
    ----------
    fonts : sequence of Path
    words : Words
    size : int
        Words of a batch.
    seed : int
    """

    def __init__(self, fonts: Sequence[Path], words: Words, size: int, seed: int) -> None:
        self._writer, self._texts = Writer(fonts, seed), Texts(words, seed + 1)
        self._size = size

    def next(self) -> Batch:
        """The next batch."""
        alphabet = Alphabet(ALPHABET)
        words = [self._texts.word() for _ in range((self._size + 1) // 2)]
        drawn = [self._texts.dressed(word) for word in words * 2][: self._size]
        pictures = [self._writer.write(text) for text in drawn]
        return labelled(
            pictures, [alphabet.fold(text.replace(LONG_S, "ss"))[:LABEL] for text in drawn]
        )


def written_words(
    fonts: Sequence[Path], words: Words, size: int, seed: int, ahead: bool
) -> AbstractContextManager[Source]:
    """Write words, in a process of its own or not.

    Parameters
    ----------
    fonts : sequence of Path
    words : Words
    size : int
        Words of a batch.
    seed : int
        The same seed gives the same words in the same order.
    ahead : bool
        Write in another process while this one learns.
    """
    return batches(partial(WrittenWords, list(fonts), words, size, seed), ahead)
