"""The index of a collection's words: where they are, and what they look like."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError
from spotlab.formats.truth.folder import PageEntry
from spotlab.model.items import Items
from spotlab.ranking.calibration import Calibration
from spotlab.representation import short_repr
from spotlab.spotting.page_entries import UnreadablePage
from spotlab.spotting.words.extraction.page_words import WordSettings, describe_box
from spotlab.spotting.words.overlaps import ItemOverlaps
from spotlab.spotting.words.projection import Projection
from spotlab.spotting.words.query import Box, WordQuery


@dataclass(frozen=True, eq=False)
class WordIndex:
    """The words of a collection, or what may be words, with what they look like.

    Attributes
    ----------
    items : Items
        In order of the pages; with texts where the boxes were given with texts.
    features : (N, D) float32
        Rows of length 1, or 0 where there is no ink.
    projection : Projection
        Makes features of raw descriptors.
    overlaps : ItemOverlaps
        Which items lie on each other.
    scale : Calibration
        Makes scores of the features' cosines.
    settings : WordSettings
    images : tuple of PageEntry
        The page of each name in ``items.pages``.
    given : bool
        Whether the boxes were given, not found.
    left_out : tuple of UnreadablePage
        Pages that could not be read.
    reused : int
        Number of pages that were in the cache already.
    """

    items: Items
    features: NDArray[np.float32]
    projection: Projection
    overlaps: ItemOverlaps
    scale: Calibration
    settings: WordSettings
    images: tuple[PageEntry, ...]
    given: bool = False
    left_out: tuple[UnreadablePage, ...] = ()
    reused: int = 0

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.items)

    @property
    def words(self) -> Items | None:
        """The items, if it is known what is written on them."""
        return self.items if any(self.items.texts) else None

    @cached_property
    def page_starts(self) -> NDArray[np.int64]:
        """(P + 1,) where the items of each page begin and end."""
        return np.searchsorted(self.items.page, np.arange(len(self.items.pages) + 1))

    def page_number(self, page: str) -> int:
        """Which of ``items.pages`` is the page of a query.

        Parameters
        ----------
        page : str
            Its name.

        Raises
        ------
        SpotlabError
            None is.
        """
        if page not in self.items.pages:
            raise SpotlabError(f"the page {page!r} of the query is not among the pages searched")
        return self.items.pages.index(page)

    def item_with(self, page: str, box: Box) -> int | None:
        """The item that has exactly this box; None where none has.

        Parameters
        ----------
        page : str
        box : (float, float, float, float)
            left, top, right, bottom in px.
        """
        number = self.page_number(page)
        start, stop = self.page_starts[number], self.page_starts[number + 1]
        same = (self.items.boxes[start:stop] == np.array(box)).all(axis=1)
        return int(start + same.argmax()) if same.any() else None

    def describe_drawn(self, page: str, box: Box) -> tuple[NDArray[np.float32], Box]:
        """Describe what is in a box on a page, without what leaves the box.

        Parameters
        ----------
        page : str
        box : (float, float, float, float)
            left, top, right, bottom in px.

        Returns
        -------
        feature : (k,) float32
        cleaned : (float, float, float, float)
            The box of what is left, in px.

        Raises
        ------
        SpotlabError
            The page is not in the index.
        BadInput
            The page's image cannot be read any more, or the box lies beside it.
        """
        entry = self.images[self.page_number(page)]
        raw, cleaned = describe_box(entry.image, entry.frame, box, self.settings)
        feature: NDArray[np.float32] = self.projection.apply(raw)[0]
        return feature, cleaned

    def describe(self, query: WordQuery) -> NDArray[np.float32]:
        """Describe the word in the box of a query as the items were described.

        Parameters
        ----------
        query : WordQuery

        Returns
        -------
        (k,) float32

        Raises
        ------
        SpotlabError
            The query has no box, or its page is not in the index.
        BadInput
            The page's image cannot be read any more.
        """
        if query.box is None:
            raise SpotlabError(f"where {query.text!r} is, is not known")
        item = self.item_with(query.page, query.box)
        if item is not None:
            feature: NDArray[np.float32] = self.features[item]
            return feature
        return self.describe_drawn(query.page, query.box)[0]
