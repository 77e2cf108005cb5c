"""Proposes what words say, from a list of words and what a network sees in them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import BadInput, SpotlabError, reason
from spotlab.formats.rows.text_files import read_text
from spotlab.model.spelling import fold
from spotlab.representation import short_repr
from spotlab.resources import models_ending, own_models
from spotlab.spotting.words.embedding.characters import (
    Alphabet,
    attribute_log_likelihood,
    attributes_of,
    log_likelihoods,
)
from spotlab.spotting.words.search import LookAlikes
from spotlab.spotting.words.word_index import LearnedWords

_LISTS = "-words.txt"  # behind the name of a language: a list of its words
_ENOUGH = 30  # transcribed words tell the language, and so many that are read
_TOLD = 160
_FREQUENT = 3000  # words of a list by which languages are told apart
_UNKNOWN_SHARE = 1e-7  # of a word that a list has not
_CANDIDATES = 24  # words of the list that are compared with the characters of each word
_BLOCK = 256  # words at a time
_LARGEST = 64 << 20  # bytes of a file of words
# Chosen on five pages of letters, 270 to 274 of George Washington's
_ATTRIBUTES = 0.1  # weight of what attributes say of a word, beside its characters
_PRIOR = 0.8  # weight of how often a word is written
_UNLISTED = -9.0  # log-probability that a word is none of the list, before it is seen
_CHARACTER = -2.5  # and of each of its characters as a network reads it alone
_SURENESS = 0.5  # by which log-likelihoods are multiplied: networks are too sure of what they see
_MOST = 1e12  # times that a word is counted
_LINE = re.compile(r"^(.*?)(?:[\t,; ]+(\d+(?:\.\d+)?))?$")


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words that may be written, and how often.

    Attributes
    ----------
    words : tuple of str
        Each once, the most frequent first.
    share : (N,) float
        Of all words written, above 0; sum 1.
    language : str
        As `languages` call it; "" of another list.
    left_out : tuple of str
        What is wrong with each list that could not be read when this one was chosen.

    Raises
    ------
    ValueError
        There is no word, or a share is not above 0.
    """

    words: tuple[str, ...]
    share: NDArray[np.float64]
    language: str = ""
    left_out: tuple[str, ...] = ()

    __repr__ = short_repr

    def __post_init__(self) -> None:
        if not self.words or len(self.words) != len(self.share) or not (self.share > 0).all():
            raise ValueError("a lexicon has words, and how often each of them is written")

    def __len__(self) -> int:
        return len(self.words)

    @classmethod
    def of(cls, counts: Mapping[str, float]) -> Lexicon:
        """Make a lexicon of counts.

        Parameters
        ----------
        counts : mapping of str to float
            Number of times that each word was counted; one more is added.

        Examples
        --------
        >>> Lexicon.of({"orders": 1, "the": 3}).share.round(2).tolist()
        [0.67, 0.33]
        """
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        share = np.array([count for _, count in ordered], np.float64) + 1
        return cls(tuple(word for word, _ in ordered), share / share.sum())

    def with_words(self, counts: Mapping[str, int]) -> Lexicon:
        """Add words that were counted on the pages themselves; these count half of all.

        Parameters
        ----------
        counts : mapping of str to int
            By text.

        Examples
        --------
        >>> lexicon = Lexicon.of({"the": 3}).with_words({"orders": 4})
        >>> lexicon.words, lexicon.share.tolist()
        (('orders', 'the'), [0.5, 0.5])
        """
        total = sum(counts.values())
        if not total:
            return self
        shares = {word: 0.5 * share for word, share in zip(self.words, self.share, strict=True)}
        for word, count in counts.items():
            shares[word] = shares.get(word, 0) + 0.5 * count / total
        ordered = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
        words, parts = zip(*ordered, strict=True)
        return replace(self, words=tuple(words), share=np.array(parts))


@dataclass(frozen=True)
class WordReading:
    """Possible reading of a word, with its probability.

    Attributes
    ----------
    text : str
    probability : float
        In [0, 1]: how sure the program is; of words that are in the list, about so many are right.
    """

    text: str
    probability: float


def read_lexicon(path: Path) -> Lexicon:
    """Read a list of words.

    Parameters
    ----------
    path : Path
        A word in each line, with how often it is written behind it, or the most frequent first.

    Raises
    ------
    BadInput
        It cannot be read, or has no words.
    """
    try:
        if path.stat().st_size > _LARGEST:
            raise BadInput(path, "it is too large for a list of words")
        lines = read_text(path).splitlines()
    except OSError as error:
        raise BadInput(path, f"cannot be read: {reason(error)}") from error
    counts: dict[str, float] = {}
    listed = [match for line in lines if line.strip() and (match := _LINE.match(line.strip()))]
    for rank, match in enumerate(listed):
        word, count = match.group(1).strip(), match.group(2)
        # without counts, by Zipf's law: half as often at twice the rank
        times = min(float(count), _MOST) if count else 1e5 / (rank + 3)
        if word:
            counts[word] = counts.get(word, 0) + times
    if not counts:
        raise BadInput(path, "it has no words", expected="a word in each line")
    return Lexicon.of(counts)


def languages() -> dict[str, Path]:
    """Find the lists of words by language: those that come with spotlab, and the user's.

    Files in `spotlab.resources.own_models` are named as these are, *greek-words.txt*.

    Examples
    --------
    >>> "volapük" in languages()
    False
    """
    return {file.name.removesuffix(_LISTS): file for file in models_ending(_LISTS)}


def lexicon_of(language: str) -> Lexicon:
    """Return the words of a language.

    Parameters
    ----------
    language : str
        One of `languages`.

    Raises
    ------
    SpotlabError
        There is no list of its words.

    Examples
    --------
    >>> lexicon_of("volapük")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    spotlab.errors.SpotlabError: there is no list of words of 'volapük'; there are ...
    """
    files = languages()
    if language not in files:
        raise SpotlabError(
            f"there is no list of words of {language!r}; there are {', '.join(files)}. "
            f"Lists of your own go to {own_models()}, named as greek{_LISTS}"
        )
    return _read_once(files[language], files[language].stat().st_mtime_ns)


def wanted_lexicon(path: Path | None, language: str) -> Lexicon | None:
    """Return the list of words that somebody wants; None where the pages decide.

    Parameters
    ----------
    path : Path or None
        A list of words; it goes before the language.
    language : str
        One of `languages`, or "".

    Raises
    ------
    SpotlabError
        There is no list of words of this language, or it cannot be read.
    """
    if path is not None:
        return read_lexicon(path)
    return lexicon_of(language) if language else None


@lru_cache(maxsize=8)
def _read_once(file: Path, _changed: int) -> Lexicon:
    return replace(read_lexicon(file), language=file.name.removesuffix(_LISTS))


def fitting_lexicon(learned: LearnedWords, counts: Mapping[str, int]) -> Lexicon | None:
    """Choose the list of words in the language of pages.

    Parameters
    ----------
    learned : LearnedWords
    counts : mapping of str to int
        The words that are transcribed on them. If these are few, what the network reads decides.

    Returns
    -------
    Lexicon or None
        None where there is no list in letters of the network. A list that cannot be read is left
        out and told.

    Raises
    ------
    BadInput
        No list can be read.
    """
    alphabet, fits, problems = learned.network.alphabet, [], []
    for language in languages():
        try:
            lexicon = lexicon_of(language)
        except BadInput as error:
            problems.append(error)
            continue
        if any(map(alphabet.fold, lexicon.words)):
            fits.append(lexicon)
    if problems and not fits:
        raise problems[0]
    best = _likeliest(learned, counts, fits)
    return best and replace(best, left_out=tuple(map(str, problems)))


def _likeliest(
    learned: LearnedWords, counts: Mapping[str, int], fits: Sequence[Lexicon]
) -> Lexicon | None:
    """The list that fits what is transcribed, or where that is little, what is read."""
    if len(fits) < 2:
        return next(iter(fits), None)
    if sum(counts.values()) >= _ENOUGH:
        return max(fits, key=lambda lexicon: _likelihood(lexicon, counts))
    long = np.flatnonzero(learned.letters > 2)
    some = long[np.linspace(0, len(long) - 1, min(_TOLD, len(long))).astype(np.int64)]
    if len(some) < _ENOUGH:
        return fits[0]
    return max(fits, key=lambda lexicon: _evidence(learned, lexicon, some))


def _evidence(learned: LearnedWords, lexicon: Lexicon, items: NDArray[np.int64]) -> float:
    """How likely items are frequent words of a language, or others."""
    often = replace(lexicon, words=lexicon.words[:_FREQUENT], share=lexicon.share[:_FREQUENT])
    return WordReader(learned, often).evidence(items)


def _likelihood(lexicon: Lexicon, counts: Mapping[str, int]) -> float:
    """Logarithm of how likely a list has these words."""
    share = {fold(word): part for word, part in zip(lexicon.words, lexicon.share, strict=True)}
    return sum(
        count * math.log(share.get(fold(text), _UNKNOWN_SHARE)) for text, count in counts.items()
    )


class WordReader:
    """Proposes readings of words.

    Parameters
    ----------
    learned : LearnedWords
    lexicon : Lexicon
    alike : LookAlikes, optional
        Which words look like which. A word is read by the mean of what the network says of it and
        of these; without it, each by itself.
    """

    def __init__(
        self, learned: LearnedWords, lexicon: Lexicon, alike: LookAlikes | None = None
    ) -> None:
        self._learned, self._alike = learned, alike
        self.lexicon = _readable(lexicon, learned.network.alphabet)
        self.words = len(learned.row)

    @cached_property
    def _wanted(self) -> NDArray[np.float32]:
        network = self._learned.network
        return attributes_of(self.lexicon.words, network.alphabet, network.levels)

    @cached_property
    def _numbers(self) -> list[NDArray[np.int64]]:
        return [self._learned.network.alphabet.numbers(word) for word in self.lexicon.words]

    def read(self, items: Iterable[int]) -> list[WordReading]:
        """Propose a reading of each of some items of the index.

        Parameters
        ----------
        items : iterable of int

        Returns
        -------
        list of WordReading
            The likeliest word of the list, and how probable it is among all others and none.
        """
        places = np.fromiter(items, np.int64)
        readings: list[WordReading] = []
        for start in range(0, len(places), _BLOCK):
            words, share, _ = self._read_block(places[start : start + _BLOCK])
            read = zip(words.tolist(), share.tolist(), strict=True)
            readings += [WordReading(self.lexicon.words[word], part) for word, part in read]
        return readings

    def evidence(self, items: NDArray[np.int64]) -> float:
        """Tell how likely items of the index are words of this list, or others.

        Parameters
        ----------
        items : (K,) int

        Returns
        -------
        float
            Sum of natural logarithms, by which lists can be compared.
        """
        return float(self._read_block(items)[2].sum())

    def _read_block(
        self, items: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """(n,) the likeliest words, how probable they are, and log-likelihoods of all."""
        learned, prior = self._learned, np.log(self.lexicon.share)
        beside, weight = items[:, None], np.ones((len(items), 1))
        if self._alike is not None:
            beside, weight = self._alike.beside(items)
        rows = learned.row[beside]
        together = np.einsum("nk,nka->na", weight, learned.attributes[rows])
        fits = attribute_log_likelihood(np.rint(together).astype(np.int8), self._wanted)
        count = min(_CANDIDATES, len(self.lexicon))
        first = np.argpartition(-(fits / 5 + prior), count - 1, axis=1)[:, :count]
        seen = self._seen(rows, weight, first)
        fitting = np.take_along_axis(fits, first, axis=1)
        whole = _SURENESS * (seen + _ATTRIBUTES * fitting + _PRIOR * prior[first])
        letters = np.array([len(number) for number in self._numbers])[first]
        alone = (weight * learned.best_path[rows]).sum(axis=1)
        unlisted = alone + _UNLISTED + _CHARACTER * letters.mean(axis=1)
        other = _SURENESS * unlisted
        top = np.maximum(whole.max(axis=1), other)
        total = np.exp(whole - top[:, None]).sum(axis=1) + np.exp(other - top)
        best = whole.argmax(axis=1)
        places = np.arange(len(items))
        probability = np.exp(whole[places, best] - top) / total
        return first[places, best], probability, np.log(total) + top

    def _seen(
        self, rows: NDArray[np.int64], weight: NDArray[np.float64], texts: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """(n, C) how likely C texts are by characters, in the mean of (n, K) descriptions."""
        word, beside = np.nonzero(weight)
        pairs = np.repeat(rows[word, beside], texts.shape[1]), texts[word].ravel()
        found = log_likelihoods(self._learned.characters, self._numbers, *pairs)
        found = found.reshape(len(word), -1) * weight[word, beside, None]
        return np.add.reduceat(found, np.searchsorted(word, np.arange(len(rows))), axis=0)


def _readable(lexicon: Lexicon, alphabet: Alphabet) -> Lexicon:
    """The words in letters of the alphabet; those alike in it are one."""
    shares: dict[str, tuple[str, float]] = {}
    for word, share in zip(lexicon.words, lexicon.share.tolist(), strict=True):
        folded = alphabet.fold(word)
        if folded and not alphabet.unknown(word):
            first, before = shares.get(folded, (word, 0.0))
            shares[folded] = first, before + share
    if not shares:
        raise ValueError("no word of the lexicon can be read by this network")
    words, parts = zip(*shares.values(), strict=True)
    return replace(lexicon, words=tuple(words), share=np.array(parts))
