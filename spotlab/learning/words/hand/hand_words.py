"""Words of a collection that a network is adapted to, cut out of their pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.learning.words.paper import Mask
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.spotting.words.embedding.network import (
    HEIGHT,
    WIDTH,
    Described,
    WordNetwork,
    cut_pictures,
)
from spotlab.spotting.words.readings import Lexicon, WordReader
from spotlab.spotting.words.word_index import LearnedWords

AROUND = 0.5  # heights of a word around it that are cut out with it


@dataclass(frozen=True, eq=False)
class HandWords:
    """Words of a collection.

    Attributes
    ----------
    cuts : tuple of (h, w) uint8
        The part of the page around each of N words.
    boxes : (N, 4) float
        left, top, right, bottom of each word in its cut, px.
    texts : tuple of str or None
        What words say; None where that is not known.
    """

    cuts: tuple[Mask, ...]
    boxes: NDArray[np.float64]
    texts: tuple[str | None, ...]

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if not len(self.cuts) == len(self.boxes) == len(self.texts):
            raise ValueError("each word has a cut, a box and a text or None")

    def __len__(self) -> int:
        return len(self.cuts)

    @classmethod
    def joined(cls, parts: Sequence[HandWords]) -> HandWords:
        """Put words of several pages together.

        Parameters
        ----------
        parts : sequence of HandWords
        """
        boxes = [part.boxes for part in parts]
        return cls(
            tuple(cut for part in parts for cut in part.cuts),
            np.concatenate([np.zeros((0, 4)), *boxes]),
            tuple(text for part in parts for text in part.texts),
        )

    def describe(self, network: WordNetwork) -> Described:
        """Return what a network says of them.

        Parameters
        ----------
        network : WordNetwork
        """
        return network.describe_pictures(self.pictures())

    def pictures(self) -> Mask:
        """The words in the network's size.

        Returns
        -------
        (N, 48, 160) uint8
        """
        made = np.zeros((len(self), HEIGHT, WIDTH), np.uint8)
        for number, (cut, box) in enumerate(zip(self.cuts, self.boxes, strict=True)):
            made[number] = cut_pictures(cut, box)[0]
        return made


def cut_words(
    grey: Mask,
    boxes: NDArray[np.float64],
    texts: Sequence[str | None] | None = None,
    turns: ArrayLike = 0,
) -> HandWords:
    """Cut words out of a page, with what is around them.

    Parameters
    ----------
    grey : (H, W) uint8
        The page.
    boxes : (N, 4) float
        left, top, right, bottom in px.
    texts : sequence of str or None, optional
        What the words say, where that is known.
    turns : int or (N,) int
        Quarter turns clockwise that make each word run from left to right.

    Examples
    --------
    >>> page = np.full((60, 300), 200, np.uint8)
    >>> words = cut_words(page, np.array([[100.0, 20.0, 150.0, 40.0]]), ["orders"])
    >>> words.cuts[0].shape, words.boxes.tolist()
    ((40, 70), [[10.0, 10.0, 60.0, 30.0]])
    >>> words = cut_words(page, np.array([[100.0, 10.0, 110.0, 50.0]]), ["orders"], turns=1)
    >>> words.cuts[0].shape, words.boxes.tolist()
    ((50, 60), [[10.0, 20.0, 50.0, 30.0]])
    """
    cuts, moved = [], []
    quarters = np.broadcast_to(np.asarray(turns), len(boxes)).tolist()
    for (left, top, right, bottom), quarter in zip(boxes.tolist(), quarters, strict=True):
        pad = int(AROUND * max(bottom - top, 2.0))
        first, above = int(max(left - pad, 0)), int(max(top - pad, 0))
        first, above = min(first, grey.shape[1] - 1), min(above, grey.shape[0] - 1)
        end, below = max(int(right) + pad, first + 2), max(int(bottom) + pad, above + 2)
        cut = grey[above:below, first:end]
        box = (left - first, top - above, right - first, bottom - above)
        for _ in range(quarter % 4):
            box = (len(cut) - box[3], box[0], len(cut) - box[1], box[2])
            cut = np.rot90(cut, -1)
        cuts.append(cut.copy())
        moved.append(box)
    corners = np.array(moved, np.float64).reshape(-1, 4)
    return HandWords(tuple(cuts), corners, tuple(texts or [None] * len(cuts)))


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
