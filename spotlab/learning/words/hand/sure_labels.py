"""Labels to learn from: texts that are known, and readings that are sure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.learning.words.hand.hand_words import HandWords
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.spotting.words.embedding.network import Described, WordNetwork
from spotlab.spotting.words.learned_words import LearnedWords
from spotlab.spotting.words.readings import Lexicon, WordReader

_SHORTEST = 2  # characters of a reading that is trusted
_BLOCK = 512  # words between two reports


@dataclass(frozen=True, eq=False)
class SureLabels:
    """Words with texts to learn from.

    Attributes
    ----------
    rows : (K,) int
        Which words, rising.
    texts : tuple of str
        What each of them says, folded to the network's alphabet.
    known : int
        How many of them were known; the others were read.
    """

    rows: NDArray[np.int64]
    texts: tuple[str, ...]
    known: int

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.rows)

    @classmethod
    def none(cls) -> SureLabels:
        """No words."""
        return cls(np.zeros(0, np.int64), (), 0)


def sure_labels(
    network: WordNetwork,
    described: Described,
    words: HandWords,
    lexicon: Lexicon,
    held_out: NDArray[np.int64],
    sureness: float,
    progress: Progress = silent,
) -> SureLabels:
    """Choose the words to learn from.

    Parameters
    ----------
    network : WordNetwork
    described : Described
        What it says of the N words.
    words : HandWords
        Those with texts are learned with these.
    lexicon : Lexicon
        Words that readings consist of.
    held_out : (H,) int
        Words that are not learned.
    sureness : float
        Probability in [0, 1] of a reading from which it is learned. Readings of single characters
        never are.
    progress : Progress

    References
    ----------
    Wolf & Fink (2022), "Self-training of handwritten word recognition for synthetic-to-real
    adaptation", ICPR.
    """
    fold = network.alphabet.fold
    is_open = np.ones(len(words), np.bool_)
    is_open[held_out] = False
    chosen = {
        row: folded
        for row, text in enumerate(words.texts)
        if is_open[row] and text and (folded := fold(text))
    }
    known = len(chosen)
    is_open[[row for row, text in enumerate(words.texts) if text]] = False
    rows = np.flatnonzero(is_open)
    learned = LearnedWords(
        network, described.attributes, described.characters, np.arange(len(words))
    )
    reader = WordReader(learned, lexicon)
    for start in range(0, len(rows), _BLOCK):
        progress(start, len(rows), "reading words")
        part = rows[start : start + _BLOCK].tolist()
        for row, reading in zip(part, reader.read(part), strict=True):
            text = fold(reading.text)
            if reading.probability >= sureness and len(text) >= _SHORTEST:
                chosen[row] = text
    ordered = sorted(chosen)
    return SureLabels(np.array(ordered, np.int64), tuple(chosen[row] for row in ordered), known)
