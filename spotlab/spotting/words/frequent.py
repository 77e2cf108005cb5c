"""Words that are written often, found without knowing what any of them says."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.reading.pixels import WordCrops
from spotlab.progress import Progress, silent
from spotlab.representation import short_repr
from spotlab.spotting.words.word_index import ItemOverlaps, WordIndex

ALIKE = 0.85  # score from which two items are taken for the same word
RELATED = 0.7  # score from which an item is not suggested beside another one
LEAST = 3  # places of a word that is suggested
LOW = 0.85  # of the median height: an item's height to be a word, not a stroke
TALL = 2.2  # of it: an item's height from which it holds two lines
NARROW, WIDE = 1.5, 6.0  # of it: an item's width to be a word, and the most that it counts
LONGEST = 8.0  # of it: an item's width from which it holds several words
LETTERS = 3  # that are read in a word
OVERLAP = 0.5  # share of the smaller box from which two items stand at one place
_ROWS = 1024
_ROUNDING = 1e-5  # of a cosine in float32


@dataclass(frozen=True, eq=False)
class FrequentWord:
    """A word that looks alike in several places.

    Attributes
    ----------
    item : int
        The item that most others are like.
    places : (K,) int
        Items that look like it, itself included, that stand at different places.
    """

    item: int
    places: NDArray[np.int64]

    __repr__ = short_repr


@dataclass(frozen=True, eq=False)
class AlikeItems:
    """For each of N items, those that look like it.

    Attributes
    ----------
    starts : (N + 1,) int
        Where each item's others begin and end.
    other : (P,) int32
    score : (P,) float32
        `RELATED` or more.
    """

    starts: NDArray[np.int64]
    other: NDArray[np.int32]
    score: NDArray[np.float32]

    __repr__ = short_repr

    @classmethod
    def of(cls, index: WordIndex, progress: Progress = silent) -> AlikeItems:
        """Compare all items of an index with each other.

        Parameters
        ----------
        index : WordIndex
            With N items; takes time in proportion to N².
        progress : Progress
        """
        features, count = index.features, len(index)
        least = float(index.scale.invert(RELATED)) - _ROUNDING
        counts, others, scores = np.zeros(count, np.int64), [], []
        for start in range(0, count, _ROWS):
            progress(start, count, "comparing words")
            cosines = features[start : start + _ROWS] @ features.T
            row, other = np.nonzero(cosines >= least)
            score = index.scale.apply(cosines[row, other].astype(np.float64))
            kept = score >= RELATED
            counts[start : start + _ROWS] = np.bincount(row[kept], minlength=len(cosines))
            others.append(other[kept].astype(np.int32))
            scores.append(score[kept].astype(np.float32))
        return cls(
            np.concatenate([[0], np.cumsum(counts)]),
            np.concatenate(others) if others else np.empty(0, np.int32),
            np.concatenate(scores) if scores else np.empty(0, np.float32),
        )

    def like(self, item: int, least: float) -> NDArray[np.int64]:
        """Find the items that look like one.

        Parameters
        ----------
        item : int
        least : float
            Score from which an item looks like it, `RELATED` or more.

        Returns
        -------
        (K,) int
            Rising; the item itself is one of them.

        Examples
        --------
        >>> alike = AlikeItems(np.array([0, 2, 3]), np.array([0, 1, 1]), np.array([1, 0.8, 1]))
        >>> alike.like(0, 0.7), alike.like(0, 0.9)
        (array([0, 1]), array([0]))
        """
        part = slice(self.starts[item], self.starts[item + 1])
        like: NDArray[np.int64] = self.other[part][self.score[part] >= least].astype(np.int64)
        return like

    def counts(self, is_open: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Count the open items that look like each item, those at one place each for itself.

        Parameters
        ----------
        is_open : (N,) bool

        Returns
        -------
        (N,) int

        Examples
        --------
        >>> alike = AlikeItems(np.array([0, 2, 3]), np.array([0, 1, 1]), np.array([1, 0.9, 1]))
        >>> alike.counts(np.array([True, False]))
        array([1, 0])
        """
        alike = (self.score >= ALIKE) & is_open[self.other]
        total = np.concatenate([[0], np.cumsum(alike)])
        return np.asarray(total[self.starts[1:]] - total[self.starts[:-1]], np.int64)


def frequent_words(
    index: WordIndex,
    alike: AlikeItems,
    is_open: NDArray[np.bool_],
    count: int = 12,
    is_word: Callable[[int], bool] = lambda item: True,
) -> tuple[FrequentWord, ...]:
    """Suggest words to search next: long ones, of which there are many.

    Each is the item with the largest number of places times its width, among those that are left
    and in which the network reads something. An item that is so wide that it holds several words is
    none. What looks like it, even less, or lies on that, is not suggested any more.

    Parameters
    ----------
    index : WordIndex
        With N items.
    alike : AlikeItems
        Of these items.
    is_open : (N,) bool
        Which items may be suggested, and count: those that are not transcribed.
    count : int
        Suggest at most this many.
    is_word : callable
        Whether an item that would be suggested looks like a word, see `WordLooks`.

    Returns
    -------
    tuple of FrequentWord
        The one that promises most first; each with `LEAST` places or more.
    """
    is_open = is_open.copy()
    if not is_open.any():
        return ()
    if index.learned is not None:
        is_open &= index.learned.letters >= LETTERS
    sides = index.items.boxes[:, 2:] - index.items.boxes[:, :2]
    upwards = index.turns_of(slice(None)) != 0
    width, height = np.where(upwards[:, None], sides[:, ::-1], sides).T
    usual = np.median(height)
    relative = width / usual
    tall = (height >= LOW * usual) & (height < TALL * usual)
    weight = np.minimum(relative, WIDE) * (relative >= NARROW) * (relative < LONGEST) * tall
    promise = alike.counts(is_open) * weight * is_open
    heap = [(-promise[item], item) for item in np.flatnonzero(promise > 0).tolist()]
    heapq.heapify(heap)
    found: list[FrequentWord] = []
    while heap and len(found) < count:
        bound, item = heapq.heappop(heap)
        if not is_open[item]:
            continue
        places = _places(index, alike, item, is_open)
        value = float(len(places) * weight[item])
        if len(places) < LEAST:
            continue
        if heap and value < -heap[0][0] and value < -bound:
            heapq.heappush(heap, (-value, item))  # another one may be better
            continue
        if not is_word(item):
            is_open[item] = False
            continue
        found.append(FrequentWord(item, places))
        related = alike.like(item, RELATED)
        is_open[related] = False
        is_open[lying_on(index.overlaps, related)] = False
    return tuple(found)


def lying_on(overlaps: ItemOverlaps, items: NDArray[np.int64]) -> NDArray[np.int64]:
    """(K,) the items that share much of their place with one of these, in no order.

    Parameters
    ----------
    overlaps : ItemOverlaps
    items : (M,) int

    Examples
    --------
    >>> from spotlab.model.ranked_list import Items
    >>> items = Items(("page",), [0, 0, 0], [[0, 0, 9, 9], [1, 0, 9, 9], [20, 0, 29, 9]])
    >>> lying_on(ItemOverlaps.of(items), np.array([0]))
    array([1])
    """
    if not len(items):
        return np.empty(0, np.int64)
    parts = [slice(overlaps.starts[item], overlaps.starts[item + 1]) for item in items.tolist()]
    others = [overlaps.other[part][overlaps.share[part] >= OVERLAP] for part in parts]
    return np.unique(np.concatenate(others)).astype(np.int64)


def _places(
    index: WordIndex, alike: AlikeItems, item: int, is_open: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """The open items that look like one, the best at each place."""
    part = slice(alike.starts[item], alike.starts[item + 1])
    others, scores = alike.other[part].astype(np.int64), alike.score[part]
    kept = (scores >= ALIKE) & is_open[others]
    others = others[kept]
    best = index.overlaps.best(others, scores[kept].astype(np.float64), OVERLAP)
    places: NDArray[np.int64] = others[best == np.arange(len(others))]
    return places


BAND = 0.1  # of the height or the width of a picture
MOST = 0.7  # share of the ink in the fullest band above which it is a line; words have up to .5


def is_line(picture: NDArray[np.uint8]) -> bool:
    """Tell whether nearly all ink of a picture lies in a narrow band, as that of a ruling does.

    Parameters
    ----------
    picture : (h, w) uint8
        Grey, ink dark.

    Returns
    -------
    bool
        True also for a picture without ink.

    Notes
    -----
    The band holds a tenth of the rows or of the columns. The limit was chosen on pages 270 to 274
    of George Washington, where the words to suggest have .22 to .49 of their ink in it.

    Examples
    --------
    >>> picture = np.full((20, 60), 255, np.uint8)
    >>> picture[10] = 0
    >>> is_line(picture)
    True
    >>> picture[2:18:4, 4:56:5] = 0
    >>> picture[2:18, 10:50:8] = 0
    >>> is_line(picture)
    False
    """
    if picture.min() == picture.max():
        return True
    ink = picture <= cv2.threshold(picture, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[0]
    return max(_fullest(ink.sum(axis=axis)) for axis in (0, 1)) > MOST * int(ink.sum())


def _fullest(ink: NDArray[np.int64]) -> int:
    """The most ink of a band."""
    wide = max(1, round(BAND * len(ink)))
    sums = np.concatenate([[0], np.cumsum(ink)])
    return int((sums[wide:] - sums[:-wide]).max())


class WordLooks:
    """Looks at the pictures of items, and remembers which are words.

    Parameters
    ----------
    index : WordIndex
    """

    def __init__(self, index: WordIndex) -> None:
        self._items = index.items
        named = zip(index.items.pages, index.images, strict=False)
        self._crops = WordCrops({name: (entry.image, entry.frame) for name, entry in named})
        self._known: dict[int, bool] = {}

    def is_word(self, item: int) -> bool:
        """Tell whether an item is no line; True where its page cannot be read.

        Parameters
        ----------
        item : int
            Of the index.

        Returns
        -------
        bool
        """
        if item not in self._known:
            picture = self._crops.crop(self._items, item)
            self._known[item] = picture is None or not is_line(picture)
        return self._known[item]
