"""What found words may say: proposals for the best of a query, and how they are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from spotlab.formats.lists.csv_list import WRITTEN_ONLY
from spotlab.model.ranked_list import Items
from spotlab.spotting.words.descriptors import WordDescriptor
from spotlab.spotting.words.look_alikes import LookAlikes
from spotlab.spotting.words.readings import Lexicon, Reading, WordReader, shipped_lexicon
from spotlab.spotting.words.search import WordSearch
from spotlab.spotting.words.word_index import WordIndex
from spotlab.studies.words.word_truth import frequent_texts

READ = 200  # of the best words of a query are read


def reader_of(
    index: WordIndex, words: Items | None, lexicon: Lexicon | None = None
) -> WordReader | None:
    """What reads words by a list of words, and by what is transcribed.

    Parameters
    ----------
    index : WordIndex
    words : Items or None
        What is written where; None where nobody says.
    lexicon : Lexicon, optional
        The words that may be written; by default the frequent ones that come with spotlab.

    Returns
    -------
    WordReader or None
        None without a network, or without a list of words.
    """
    lexicon = shipped_lexicon() if lexicon is None else lexicon
    if index.learned is None or lexicon is None:
        return None
    counted = {} if words is None else dict(frequent_texts(words))
    reader = WordReader(index.learned, lexicon.with_words(counted), LookAlikes.of(index))
    reader.read(range(min(len(index), 1)))  # prepares its list, so that no hover has to wait
    return reader


class ProposedReadings(Mapping[int, Reading]):
    """Readings of items, made when they are first asked for, so that a search need not wait.

    Parameters
    ----------
    reader : WordReader
    places : mapping of int to int
        The numbers in the index of the items that can be read, by item.
    """

    def __init__(self, reader: WordReader, places: Mapping[int, int]) -> None:
        self._reader, self._places = reader, places
        self._read: dict[int, Reading] = {}

    def __getitem__(self, item: int) -> Reading:
        """The reading of one item."""
        if item not in self._read:
            self._read[item] = self._reader.read([self._places[item]])[0]
        return self._read[item]

    def __iter__(self) -> Iterator[int]:
        """All items, which are read at once."""
        missing = [item for item in self._places if item not in self._read]
        made = self._reader.read([self._places[item] for item in missing])
        self._read.update(zip(missing, made, strict=True))
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def readings_of(reader: WordReader | None, found: WordSearch) -> Mapping[int, Reading]:
    """What the best of the items that were found may say, by item; nothing without a reader."""
    if reader is None:
        return {}
    best = np.argsort(-found.evidence.query, kind="stable")[:READ]
    places = found.places[best].tolist()
    return ProposedReadings(reader, dict(zip(best.tolist(), places, strict=True)))


def further_columns(
    readings: Mapping[int, Reading], descriptor: WordDescriptor | None, count: int
) -> dict[str, list[str]]:
    """Columns of a file of ranked lists: readings, how probable they are, the descriptor.

    Parameters
    ----------
    readings : mapping of int to Reading
        By item.
    descriptor : WordDescriptor or None
        What the words were compared by; None for lists of files.
    count : int
        How many items there are.

    Examples
    --------
    >>> further_columns({1: Reading("orders", 0.9312)}, WordDescriptor.LEARNED, 2)["probability"]
    ['', '0.931']
    """
    reading, probability, compared = WRITTEN_ONLY
    columns: dict[str, list[str]] = {}
    if readings:
        texts, shares = [""] * count, [""] * count
        for item, read in readings.items():
            texts[item], shares[item] = read.text, f"{read.probability:.3f}"
        columns = {reading: texts, probability: shares}
    if descriptor is not None:
        columns[compared] = [str(descriptor)] * count
    return columns
