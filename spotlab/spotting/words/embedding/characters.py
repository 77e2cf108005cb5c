"""Likelihoods of texts given the characters that a network recognises along words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.compiled import machine_code
from spotlab.model.spelling import letters_of, signs_of
from spotlab.spotting.words.embedding.machine_code import CHARACTERS


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

    @cached_property
    def letters(self) -> str:
        """Return the characters that are letters."""
        return "".join(sign for sign in self.characters if sign.isalpha())

    @cached_property
    def runs_left(self) -> bool:
        """Tell whether it is written from right to left."""
        return any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in self.letters)

    def unknown(self, text: str) -> str:
        """Find the letters of a text that the alphabet has not, each once.

        Parameters
        ----------
        text : str

        Examples
        --------
        >>> letters = Alphabet("abcdefghijklmnopqrstuvwxyz0123456789")
        >>> letters.unknown("Légataire, 12"), letters.unknown("μῆνιν")
        ('', 'μηνι')
        """
        letters = letters_of(text, kept=self._number)
        return "".join(dict.fromkeys(sign for sign in letters if sign not in self._number))

    def merging(self, text: str) -> str:
        """Tell which signs of abbreviation in a text are read as plain letters; "" if none is.

        Parameters
        ----------
        text : str

        Examples
        --------
        >>> Alphabet("abp").merging("ꝑ").partition(":")[0], Alphabet("abpꝑ").merging("ꝑ")
        ('searched “ꝑ” as “p”', '')
        """
        signs = [sign for sign in signs_of(text) if sign not in self._number]
        read = ", ".join(f"“{sign}” as “{letters_of(sign)}”" for sign in signs)
        told = "the network for words does not tell them apart, the ground truth does"
        return f"searched {read}: {told}" if signs else ""

    def fold(self, text: str) -> str:
        """Reduce a text to the characters of the alphabet.

        They become the letters of `spotlab.model.spelling.letters_of`, but for those that the
        alphabet has itself.

        Parameters
        ----------
        text : str

        Examples
        --------
        >>> letters = Alphabet("abcdefghijklmnopqrstuvwxyz0123456789")
        >>> letters.fold("Congreſs,"), letters.fold("Œuvre ﬁxé"), letters.fold("—")
        ('congress', 'oeuvrefixe', '')
        """
        letters = letters_of(text, kept=self._number)
        return "".join(letter for letter in letters if letter in self._number)

    def numbers(self, text: str) -> NDArray[np.int64]:
        """Number the characters of a text, after folding it.

        Parameters
        ----------
        text : str

        Returns
        -------
        (L,) int
            From 0 on, as they stand on a page from left to right.

        Examples
        --------
        >>> Alphabet("abc").numbers("Cab!")
        array([2, 0, 1])
        """
        found = np.array([self._number[sign] for sign in self.fold(text)], np.int64)
        return found[::-1] if self.runs_left else found


MOST = 9.0  # log-odds of the surest attribute: a probability of .9999
_KEPT_STEPS = 127 / MOST
_ABSENT = -np.logaddexp(0, np.arange(256, dtype=np.uint8).view(np.int8) / _KEPT_STEPS).astype(
    np.float32
)


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
    return np.asarray(np.rint(np.clip(odds, -MOST, MOST) * _KEPT_STEPS), np.int8)


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
    present = stored[:, columns].astype(np.float32) @ wanted[:, columns].T / np.float32(_KEPT_STEPS)
    return np.asarray(present + none[:, None], np.float32)


_SMALLEST = 680.0  # nats below 0 that a product along a whole word can have in double precision
_STEPS = 16.0  # of a stored logarithm per nat; more where there are many places along a word
_BLOCK = 4096  # words at a time, so that they stay in the processor's cache
_PARTS = re.compile(r"\*+|[^*]+")
NEVER = -1e4  # of a text that has more characters than the network has places


def log_of_steps(places: int) -> Floats:
    """The logarithms that a byte stands for, for a network with so many places along a word.

    Parameters
    ----------
    places : int

    Returns
    -------
    (256,) float
        Natural logarithms of probabilities, from 0 on falling.
    """
    return -np.arange(256) / max(_STEPS, 255 * places / _SMALLEST)


def stored_characters(log_probabilities: ArrayLike) -> NDArray[np.uint8]:
    """Store the probabilities of characters in one byte each.

    Parameters
    ----------
    log_probabilities : (N, T, 1 + C) float
        Natural logarithms, at T places along each word; of no character first.

    Returns
    -------
    (N, T, 1 + C) uint8
        Numbers of the logarithms in `log_of_steps`.

    Examples
    --------
    >>> stored_characters(np.log([[[1.0, 0.5]]])).tolist()
    [[[0, 11]]]
    """
    given = np.asarray(log_probabilities, np.float32)
    step = -log_of_steps(given.shape[1])[1]
    return np.asarray(np.rint(np.clip(-given / np.float32(step), 0, 255)), np.uint8)


def characters_read(stored: NDArray[np.uint8]) -> Ints:
    """Count the characters that are the likeliest somewhere along each word.

    Parameters
    ----------
    stored : (N, T, 1 + C) uint8
        As `stored_characters` gives them.

    Returns
    -------
    (N,) int

    Examples
    --------
    Of no character, a and b, first a is the likeliest, and then b:

    >>> characters_read(stored_characters(np.log([[[0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]])))
    array([2])
    """
    likeliest = stored.argmin(axis=2)
    begins = np.diff(likeliest, axis=1, prepend=0) != 0
    return np.asarray((begins & (likeliest > 0)).sum(axis=1))


def text_paths(texts: Sequence[NDArray[np.int64]]) -> tuple[Ints, Ints]:
    """Paths of texts through a network's characters: each character, and nothing in between.

    Parameters
    ----------
    texts : sequence of (L,) int
        Numbers of characters in the alphabet.

    Returns
    -------
    paths : (M, S) int
        0 for nothing, 1 + number for a character; padded by 0.
    lengths : (M,) int
        2 L + 1.

    Examples
    --------
    >>> text_paths([np.array([4, 2])])
    (array([[0, 5, 0, 3, 0]]), array([5]))
    """
    lengths = np.array([2 * len(text) + 1 for text in texts], np.int64)
    paths = np.zeros((len(texts), int(lengths.max(initial=1))), np.int64)
    for row, text in enumerate(texts):
        paths[row, 1 : 2 * len(text) : 2] = text + 1
    return paths, lengths


def log_likelihoods(
    stored: NDArray[np.uint8],
    texts: Sequence[NDArray[np.int64]],
    words: Ints | None = None,
    which: Ints | None = None,
) -> Floats:
    """Compute how likely texts are what words say, summed over all ways to read them.

    Parameters
    ----------
    stored : (N, T, 1 + C) uint8
        As `stored_characters` gives them.
    texts : sequence of (L,) int
        M texts as numbers of characters in the alphabet.
    words, which : (P,) int, optional
        Compare only these pairs of a word and a text.

    Returns
    -------
    (N, M) float, or (P,) float
        Natural logarithms of probabilities; `NEVER` where a text is too long to be read.

    References
    ----------
    Graves, Fernández, Gomez & Schmidhuber (2006), "Connectionist temporal classification", ICML,
    §4.1.

    Examples
    --------
    At forty places, a is likely in the first half and b in the second, so that "ab" is likelier
    than "ba":

    >>> places = np.repeat([[0.1, 0.8, 0.1], [0.1, 0.1, 0.8]], 20, axis=0)
    >>> stored = stored_characters(np.log([places]))
    >>> log_likelihoods(stored, [np.array([0, 1]), np.array([1, 0])]).round().tolist()
    [[-9.0, -49.0]]
    """
    paths, lengths = text_paths(texts)
    is_grid = words is None or which is None
    if words is None or which is None:
        words = np.tile(np.arange(len(stored)), len(texts))
        which = np.repeat(np.arange(len(texts)), len(stored))
    probability = np.exp(log_of_steps(stored.shape[1] if stored.ndim > 1 else 1))
    if CHARACTERS.is_stored() or (machine_code.is_installed() and CHARACTERS.compile_ahead()):
        # importing it imports numba
        from spotlab.spotting.words.embedding import character_kernels as kernels  # noqa: PLC0415

        found = kernels.log_likelihoods(stored, probability, words, paths, lengths, which)
    else:
        found = reference_log_likelihoods(stored, probability, words, paths, lengths, which)
    found = np.maximum(found, NEVER)
    return found.reshape(len(texts), len(stored)).T if is_grid else found


ANY = -1  # any characters, in the path of a text


def text_path(text: str, alphabet: Alphabet) -> Ints:
    """Make the path of a text or pattern through a network's characters.

    Parameters
    ----------
    text : str
        * stands for any characters, or none.
    alphabet : Alphabet

    Returns
    -------
    (S,) int
        0 for nothing, 1 + number for a character, and `ANY` for any characters.

    Examples
    --------
    >>> text_path("Ca", Alphabet("abc")).tolist(), text_path("Ca*", Alphabet("abc")).tolist()
    ([0, 3, 0, 1, 0], [0, 3, 0, 1, -1])
    >>> text_path("שב*", Alphabet("אבש")).tolist()
    [-1, 2, 0, 3, 0]
    """
    codes: list[int] = []
    parts = _PARTS.findall(text)
    for part in parts[::-1] if alphabet.runs_left else parts:
        if part[0] == "*":
            codes += [] if codes[-1:] == [ANY] else [ANY]
            continue
        for letter in (alphabet.numbers(part) + 1).tolist():
            codes += [letter] if codes[-1:] == [ANY] else [0, letter]
    if codes[-1:] != [ANY]:
        codes.append(0)
    return np.array(codes, np.int64)


def leaps_of(path: Ints) -> Ints:
    """Find the places of a path that may follow the last but one.

    Parameters
    ----------
    path : (S,) int
        As of `text_path`; a character that is there twice needs something between.

    Examples
    --------
    >>> leaps_of(np.array([0, 5, 0, 5, 0, 3, ANY])).tolist()
    [5]
    """
    between = (path[1:-1] <= 0) & (path[2:] != 0) & (path[2:] != path[:-2])
    return np.flatnonzero(between) + 2


def reference_log_likelihoods(
    stored: NDArray[np.uint8], probability: Floats, words: Ints, paths: Ints, lengths: Ints,
    texts: Ints,
) -> Floats:  # fmt: skip
    """`log_likelihoods` of pairs by numpy, where numba is missing.

    Parameters
    ----------
    stored : (N, T, 1 + C) uint8
    probability : (256,) float
        Of each byte.
    words, texts : (P,) int
    paths : (M, S) int
    lengths : (M,) int
        As of `text_paths`.

    Returns
    -------
    (P,) float
        -inf where a text is too long to be read.

    Examples
    --------
    Where a is likely at all forty places, "a" is likelier than "b":

    >>> stored = stored_characters(np.log(np.tile([0.1, 0.8, 0.1], (1, 40, 1))))
    >>> probability, words = np.exp(log_of_steps(40)), np.zeros(2, np.int64)
    >>> paths, lengths = text_paths([np.array([0]), np.array([1])])
    >>> reference_log_likelihoods(
    ...     stored, probability, words, paths, lengths, np.arange(2)).round().tolist()
    [-10.0, -86.0]
    """
    result = np.full(len(words), -np.inf)
    for text in np.unique(texts).tolist():
        path = paths[text, : lengths[text]]
        jumps = np.zeros(len(path))
        jumps[3::2] = path[3::2] != path[1:-2:2]
        of_text = np.flatnonzero(texts == text)
        for start in range(0, len(of_text), _BLOCK):
            rows = of_text[start : start + _BLOCK]
            result[rows] = _of_one_text(stored[words[rows]], probability, path, jumps)
    return result


def _of_one_text(
    stored: NDArray[np.uint8], probability: Floats, path: Ints, jumps: Floats
) -> Floats:
    sums = np.zeros((len(path), len(stored)))
    sums[:2] = probability[stored[:, 0, path[:2]]].T
    for place in range(1, stored.shape[1]):
        arrived = sums.copy()
        arrived[1:] += sums[:-1]
        arrived[2:] += sums[:-2] * jumps[2:, None]
        sums = arrived * probability[stored[:, place, path]].T
    whole = sums[-2:].sum(axis=0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(whole))
