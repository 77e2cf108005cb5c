"""Scores between boxes that another program found, described as the words of an index are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError
from spotlab.formats.collection.page_names import pages_among
from spotlab.imaging.reading.pixels import read_page
from spotlab.imaging.reading.pyramid import Pixels, darkness
from spotlab.model.ranked_list import Items
from spotlab.progress import Progress, silent, track
from spotlab.ranking.fusion import ItemScores, PartialScores
from spotlab.representation import short_repr
from spotlab.spotting.words.embedding.network import describe_page, writing_turns
from spotlab.spotting.words.extraction.page_words import extract_words
from spotlab.spotting.words.word_index import CalibratedScores, WordIndex

_Key = tuple[str, float, float, float, float]


@dataclass(frozen=True, eq=False)
class BoxScores:
    """Descriptors of boxes on the pages of an index.

    Attributes
    ----------
    index : WordIndex
        Its space and its scale are used.
    row : dict of (page, left, top, right, bottom) to int
        Where the descriptor of each box is.
    features : (N, D) float32
        Rows of length 1.
    """

    index: WordIndex
    row: dict[_Key, int]
    features: NDArray[np.float32]

    __repr__ = short_repr

    @classmethod
    def of(cls, index: WordIndex, boxes: Iterable[Items], progress: Progress = silent) -> BoxScores:
        """Describe boxes, each page's together; those that the index has need no look at the page.

        Parameters
        ----------
        index : WordIndex
        boxes : iterable of Items
            Those on other pages, or without a place, have no scores.
        progress : Progress

        Raises
        ------
        Cancelled
            From ``progress``.
        """
        names = index.items.pages
        row = dict(zip(_keys(index.items, names), range(len(index)), strict=True))
        wanted: dict[int, dict[_Key, None]] = {}
        for items in boxes:
            for key in _keys(items, names):
                if key not in row and key[0] in names:
                    wanted.setdefault(names.index(key[0]), {})[key] = None
        features = [index.features]
        count = len(index)
        for page in track(sorted(wanted), progress, "describing boxes"):
            keys = list(wanted[page])
            described = _described(index, page, np.array([key[1:] for key in keys]))
            if described is not None:
                row |= {key: count + at for at, key in enumerate(keys)}
                features.append(described)
                count += len(keys)
        return cls(index, row, np.concatenate(features))

    def among(self, items: Items) -> ItemScores:
        """The scores of some of the boxes with each other; NaN for an item without a descriptor.

        Parameters
        ----------
        items : Items
            N items.
        """
        rows = np.array([self.row.get(key, -1) for key in _keys(items, self.index.items.pages)])
        rows = rows.astype(np.int64)
        scores = CalibratedScores(self.features[np.maximum(rows, 0)], self.index.scale)
        known = rows >= 0
        return scores if known.all() else PartialScores(scores, known)

    def known(self, items: Items) -> int:
        """Count the items that have a descriptor.

        Parameters
        ----------
        items : Items
            N items.

        Returns
        -------
        int
            At most N.
        """
        return sum(key in self.row for key in _keys(items, self.index.items.pages))


def _keys(items: Items, names: tuple[str, ...]) -> list[_Key]:
    """Page and box of each item; the page as the index calls it."""
    pages = pages_among(items.pages, names)
    return [
        (pages[page] if page >= 0 else "", *box)
        for page, box in zip(items.page.tolist(), items.boxes.tolist(), strict=True)
    ]


def _described(
    index: WordIndex, page: int, boxes: NDArray[np.float64]
) -> NDArray[np.float32] | None:
    """(N, D) what boxes on a page look like; None where the page cannot be read any more."""
    entry = index.images[page]
    try:
        pixels = read_page(entry.image, entry.frame)
    except SpotlabError:
        return None
    if index.learned is None:
        return index.space.apply(_strokes(index, pixels, boxes, 0))
    network, grey = index.learned.network, darkness(pixels)
    turns = writing_turns(network, grey, boxes)
    said = describe_page(network, grey, boxes, turns, given=index.given)
    embedding = said.described.embedding[said.row].astype(np.float32)
    return index.space.apply(_strokes(index, pixels, boxes, turns), embedding)


def _strokes(
    index: WordIndex, pixels: Pixels, boxes: NDArray[np.float64], turns: NDArray[np.int64] | int
) -> NDArray[np.float32]:
    return extract_words(pixels, index.settings, boxes, turns).raw.astype(np.float32)
