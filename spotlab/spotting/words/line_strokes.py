"""Tell rulings and strokes from words by where their ink is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from spotlab.extras import cv2
from spotlab.imaging.reading.crops import WordCrops
from spotlab.spotting.words.word_index import WordIndex

BAND = 0.1  # of the height or the width of a picture
MOST = 0.7  # share of the ink in the fullest band above which it is a line; words have up to .5


def is_line(picture: NDArray[np.uint8]) -> bool:
    """Whether nearly all ink of a picture lies in a narrow band, as that of a ruling does.

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
        """Whether an item is no line; True where its page cannot be read.

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
