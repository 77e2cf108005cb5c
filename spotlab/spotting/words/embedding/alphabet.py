"""The characters that a network knows, where they are in words, and texts in terms of them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

# letters that Unicode does not take apart, as writers and readers of old texts expect them
_SAME = str.maketrans(
    {
        "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l",
        "þ": "th", "ŋ": "n", "ꝛ": "r", "ꝑ": "p", "ꝓ": "p", "ꝗ": "q", "ꞇ": "t",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Alphabet:
    """The characters that a network tells apart.

    Attributes
    ----------
    characters : str
        Each one once, in the order of the network's outputs.

    Raises
    ------
    ValueError
        There is none, or one is there twice.
    """

    characters: str

    def __post_init__(self) -> None:
        if not self.characters or len(set(self.characters)) < len(self.characters):
            raise ValueError(f"an alphabet has each character once, unlike {self.characters!r}")

    def __len__(self) -> int:
        return len(self.characters)

    @cached_property
    def _number(self) -> dict[str, int]:
        return {character: number for number, character in enumerate(self.characters)}

    def fold(self, text: str) -> str:
        """Reduce a text to the characters of the alphabet.

        Capitals become small, the long s and ligatures become plain letters, and accents,
        punctuation and spaces go, except those that the alphabet has.

        Parameters
        ----------
        text : str

        Examples
        --------
        >>> letters = Alphabet("abcdefghijklmnopqrstuvwxyz0123456789")
        >>> letters.fold("Congreſs,"), letters.fold("Œuvre ﬁxé"), letters.fold("—")
        ('congress', 'oeuvrefixe', '')
        """
        kept = []
        for sign in unicodedata.normalize("NFKC", text):
            if sign in self._number:
                kept.append(sign)
                continue
            folded = sign.casefold()
            if all(part in self._number for part in folded):
                kept.append(folded)
                continue
            plain = unicodedata.normalize("NFKD", folded.translate(_SAME))
            kept += [part for part in plain if part in self._number]
        return "".join(kept)

    def numbers(self, text: str) -> NDArray[np.int64]:
        """Number the characters of a text, after folding it.

        Parameters
        ----------
        text : str

        Returns
        -------
        (L,) int
            From 0 on.

        Examples
        --------
        >>> Alphabet("abc").numbers("Cab!")
        array([2, 0, 1])
        """
        return np.array([self._number[sign] for sign in self.fold(text)], np.int64)


MOST = 9.0  # log-odds of the surest attribute: a probability of .9999
_STEPS = 127 / MOST
_ABSENT = -np.logaddexp(0, np.arange(256, dtype=np.uint8).view(np.int8) / _STEPS).astype(np.float32)


def attributes_of(
    texts: Sequence[str], alphabet: Alphabet, levels: Sequence[int]
) -> NDArray[np.float32]:
    """Make pyramidal histograms of characters (PHOC).

    Each level cuts a text into so many equal parts. An attribute is 1 where half of a character or
    more lies in a part.

    Parameters
    ----------
    texts : sequence of str
        N texts; they are folded first.
    alphabet : Alphabet
    levels : sequence of int
        Number of parts of each level.

    Returns
    -------
    (N, A) float32
        A is the sum of the levels × number of characters. Level by level, part by part; 0 for a
        text without any character of the alphabet.

    References
    ----------
    Almazán, Gordo, Fornés & Valveny (2014), "Word spotting and recognition with embedded
    attributes", IEEE PAMI 36(12), §3.1.

    Examples
    --------
    >>> attributes_of(["ab"], Alphabet("ab"), [1, 2]).tolist()
    [[1.0, 1.0, 1.0, 0.0, 0.0, 1.0]]
    """
    attributes = np.zeros((len(texts), sum(levels), len(alphabet)), np.float32)
    numbers = [alphabet.numbers(text) for text in texts]
    counts = np.array([len(number) for number in numbers], np.int64)
    for count in np.unique(counts[counts > 0]).tolist():
        rows = np.flatnonzero(counts == count)
        parts, characters = _lying_in(count, levels)
        said = np.stack([numbers[row] for row in rows.tolist()])
        attributes[rows[:, None], parts, said[:, characters]] = 1
    return attributes.reshape(len(texts), -1)


def _lying_in(count: int, levels: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of all pairs of a part and a character of so many, those where half of it or more lies."""
    pairs, first = [], 0
    for level in levels:
        # in parts of 1 / (level * count) all edges are whole numbers
        start, left = np.arange(count) * level, np.arange(level)[:, None] * count
        shared = np.minimum(start + level, left + count) - np.maximum(start, left)
        parts, characters = np.nonzero(2 * shared >= level)
        pairs.append((parts + first, characters))
        first += level
    parts, characters = (np.concatenate(each) for each in zip(*pairs, strict=True))
    return parts, characters


def stored_attributes(probabilities: ArrayLike) -> NDArray[np.int8]:
    """Store the probabilities of attributes as log-odds in one byte each.

    Parameters
    ----------
    probabilities : (N, A) float

    Returns
    -------
    (N, A) int8
        -127 to 127 for log-odds of -9 to 9.

    Examples
    --------
    >>> stored_attributes([[0.5, 1.0, 0.0]]).tolist()
    [[0, 127, -127]]
    """
    given = np.asarray(probabilities, np.float32)
    likely = np.clip(given, 1e-6, 1 - 1e-6)
    odds = np.log(likely) - np.log1p(-likely)
    return np.asarray(np.rint(np.clip(odds, -MOST, MOST) * _STEPS), np.int8)


def no_attribute_log_likelihood(stored: NDArray[np.int8]) -> NDArray[np.float32]:
    """Compute how likely words have no attribute at all.

    Parameters
    ----------
    stored : (N, A) int8
        Of words, as `stored_attributes` gives them.

    Returns
    -------
    (N,) float32
        Natural logarithms of probabilities, as if attributes were independent.

    Examples
    --------
    >>> no_attribute_log_likelihood(stored_attributes([[0.5, 0.5]])).astype(float).round(2)
    array([-1.39])
    """
    return np.asarray(_ABSENT.take(stored.view(np.uint8)).sum(axis=1), np.float32)


def attribute_log_likelihood(
    stored: NDArray[np.int8],
    wanted: NDArray[np.float32],
    none: NDArray[np.float32] | None = None,
) -> NDArray[np.float32]:
    """Compute how likely words have exactly the attributes of texts.

    Parameters
    ----------
    stored : (N, A) int8
        Of words, as `stored_attributes` gives them.
    wanted : (M, A) float32
        Of texts, as `attributes_of` gives them.
    none : (N,) float32, optional
        As of `no_attribute_log_likelihood`, where that is known.

    Returns
    -------
    (N, M) float32
        Natural logarithms of probabilities, as if attributes were independent.

    References
    ----------
    Rusakov, Rothacker, Mo & Fink (2018), "A probabilistic retrieval model for word spotting based
    on direct attribute prediction", ICFHR.

    Examples
    --------
    >>> found = stored_attributes([[0.9, 0.1]])
    >>> wanted = np.array([[1, 0], [1, 1]], np.float32)
    >>> attribute_log_likelihood(found, wanted).astype(float).round(1).tolist()
    [[-0.2, -2.4]]
    """
    if none is None:
        none = no_attribute_log_likelihood(stored)
    columns = np.flatnonzero(wanted.any(axis=0))  # few of a single text
    present = stored[:, columns].astype(np.float32) @ wanted[:, columns].T / np.float32(_STEPS)
    return np.asarray(present + none[:, None], np.float32)
