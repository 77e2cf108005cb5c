"""Likelihoods of texts given the characters that a network recognises along words."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.arrays import Floats, Ints
from spotlab.geometry.compiled import machine_code
from spotlab.spotting.words.embedding.alphabet import Alphabet
from spotlab.spotting.words.embedding.machine_code import CHARACTERS

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


WILDCARD = "*"  # any characters, or none
_ANY = -1


def pattern_path(pattern: str, alphabet: Alphabet) -> Ints:
    """Make the path of a pattern through a network's characters.

    Parameters
    ----------
    pattern : str
        A text in which * stands for any characters, or none.
    alphabet : Alphabet

    Returns
    -------
    (S,) int
        0 for nothing, 1 + number for a character, and -1 for any characters.

    Examples
    --------
    >>> pattern_path("Ca*", Alphabet("abc")).tolist()
    [0, 3, 0, 1, -1]
    """
    codes: list[int] = []
    for part in _PARTS.findall(pattern):
        if part[0] == "*":
            codes += [] if codes[-1:] == [_ANY] else [_ANY]
            continue
        for letter in (alphabet.numbers(part) + 1).tolist():
            codes += [letter] if codes[-1:] == [_ANY] else [0, letter]
    if codes[-1:] != [_ANY]:
        codes.append(0)
    return np.array(codes, np.int64)


def pattern_costs(stored: NDArray[np.uint8], path: Ints) -> Floats:
    """Compute how much less likely the best way to read a pattern is than nothing would be.

    Parameters
    ----------
    stored : (N, T, 1 + C) uint8
        As `stored_characters` gives them.
    path : (S,) int
        As of `pattern_path`.

    Returns
    -------
    (N,) float
        Natural logarithms of the probability of the best way to read it, 0 or less. Any characters
        count as the likeliest ones; where both sides of them are the same character, they may be
        that character's own stroke.

    Examples
    --------
    >>> places = np.repeat([[0.1, 0.8, 0.1], [0.1, 0.1, 0.8]], 20, axis=0)
    >>> stored = stored_characters(np.log([places]))  # ab
    >>> letters = Alphabet("ab")
    >>> [float(pattern_costs(stored, pattern_path(each, letters))[0].round(1))
    ...  for each in ("a*", "ab", "b*")]
    [-10.0, -10.0, -12.1]
    """
    if CHARACTERS.is_stored() or (machine_code.is_installed() and CHARACTERS.compile_ahead()):
        from spotlab.spotting.words.embedding import character_kernels as kernels  # noqa: PLC0415

        costs = kernels.pattern_costs(stored, path).astype(np.float64)
    else:
        costs = reference_pattern_costs(stored, path)
    step = float(log_of_steps(stored.shape[1])[1])
    return np.maximum(costs * step, NEVER)


def reference_pattern_costs(stored: NDArray[np.uint8], path: Ints) -> Floats:
    """`pattern_costs` in steps, by numpy, where numba is missing.

    Parameters
    ----------
    stored : (N, T, 1 + C) uint8
    path : (S,) int

    Returns
    -------
    (N,) float
        Infinite where a word has too few places.

    Examples
    --------
    In steps of `log_of_steps`, where a is likely at all forty places:

    >>> stored = stored_characters(np.log(np.tile([0.1, 0.8, 0.1], (1, 40, 1))))
    >>> [reference_pattern_costs(stored, pattern_path(each, Alphabet("ab"))).item()
    ...  for each in ("a", "b")]
    [160.0, 1480.0]
    """
    gaps = (0, _ANY)
    jumps = np.zeros(len(path), np.bool_)
    for state in range(2, len(path)):
        skips = path[state - 1] in gaps and path[state] != 0
        same = path[state] == path[state - 2]
        jumps[state] = skips and not same
    sums = np.full((len(stored), len(path)), np.inf)
    for place in range(stored.shape[1]):
        rows = stored[:, place].astype(np.float64)
        cost = rows[:, np.maximum(path, 0)]
        cost[:, path == _ANY] = rows.min(axis=1, keepdims=True)
        best = sums.copy()
        if place:
            best[:, 1:] = np.minimum(best[:, 1:], sums[:, :-1])
            skipped = np.where(jumps[2:], sums[:, :-2], np.inf)
            best[:, 2:] = np.minimum(best[:, 2:], skipped)
        else:
            best[:, : 2 if path[0] in gaps else 1] = 0
        sums = best + cost
    last = 2 if len(path) > 1 and path[-1] in gaps else 1
    return np.asarray(sums[:, -last:].min(axis=1))


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
