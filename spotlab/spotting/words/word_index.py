"""The index of a collection's words: where they are, and what they look like."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.geometry.boxes import pair_boxes
from spotlab.model.ranked_list import Items
from spotlab.ranking.calibration import Calibration
from spotlab.representation import short_repr
from spotlab.spotting.page_entries import UnreadablePage
from spotlab.spotting.words.adaptation import adaptation_of
from spotlab.spotting.words.descriptors import TITLES, WordDescriptor
from spotlab.spotting.words.embedding.given_words import describe_given, writing_turns
from spotlab.spotting.words.embedding.network import WordNetwork
from spotlab.spotting.words.extraction.drawn_word import DrawnWord, describe_box
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.feature_space import FeatureSpace
from spotlab.spotting.words.learned_words import LearnedWords
from spotlab.spotting.words.overlaps import ItemOverlaps
from spotlab.spotting.words.query import Box, WordQuery

_ROOM = np.array([-0.09, -0.06, 0.09, 0.06])  # heights around tight boxes, as people leave it
_AROUND = 0.25  # intersection over union from which a tall box is drawn around a turned item


@dataclass(frozen=True, eq=False)
class WordIndex:
    """The words of a collection, or what may be words, with what they look like.

    Attributes
    ----------
    items : Items
        In order of the pages; with texts where the boxes were given with texts.
    features : (N, D) float32
        Rows of length 1, or 0 where there is no ink.
    space : FeatureSpace
        Makes features of what words look like.
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
    learned : LearnedWords or None
        What a network says of the words; None where only strokes are compared.
    apart : (N,) float32
        How far each item is from the ink beside it; see `WordCandidates`. 1 for all where left out.
    turns : (N,) int8
        Quarter turns clockwise that make each item run from left to right; see `PageWords`. 0 for
        all where left out.
    """

    items: Items
    features: NDArray[np.float32]
    space: FeatureSpace
    overlaps: ItemOverlaps
    scale: Calibration
    settings: WordSettings
    images: tuple[PageEntry, ...]
    given: bool = False
    left_out: tuple[UnreadablePage, ...] = ()
    reused: int = 0
    learned: LearnedWords | None = None
    apart: NDArray[np.float32] = field(default_factory=lambda: np.ones(1, np.float32))
    turns: NDArray[np.int8] = field(default_factory=lambda: np.zeros(1, np.int8))

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.items)

    @property
    def descriptor(self) -> WordDescriptor:
        """What the words are compared by; strokes alone where there is no network."""
        return WordDescriptor.STROKES if self.learned is None else self.settings.descriptor

    @property
    def compared_by(self) -> str:
        """What the words are compared by, and whether the network was adapted to their hand."""
        title = TITLES[self.descriptor].lower()
        metadata = {} if self.learned is None else self.learned.network.metadata
        adaptation = adaptation_of(metadata)
        return title if adaptation is None else f"{title} ({adaptation.told})"

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
        here = self.on_page(number)
        same = (self.items.boxes[here] == np.array(box)).all(axis=1)
        return int(here.start + same.argmax()) if same.any() else None

    def text_scores(self, text: str) -> NDArray[np.float64]:
        """Compute the scores of all items against a typed text.

        Parameters
        ----------
        text : str
            * stands for any characters.

        Returns
        -------
        (N,) float
            On the common scale.

        Raises
        ------
        SpotlabError
            The words are compared by strokes alone, or the network knows none of the characters.
        """
        if self.learned is None:
            raise SpotlabError(
                f"{text!r} is typed, but only strokes are compared: choose a learned descriptor"
            )
        return self.learned.text_scores(text, self.apart)

    def describe_drawn(self, page: str, box: Box) -> tuple[NDArray[np.float32], Box, int]:
        """Describe what is in a box on a page, without what leaves the box.

        Where words run up or down the page, the network says whether it is one of them.

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
        turn : int
            Quarter turns clockwise that make it run from left to right.

        Raises
        ------
        SpotlabError
            The page is not in the index.
        BadInput
            The page's image cannot be read any more, or the box lies beside it.
        """
        number = self.page_number(page)
        entry = self.images[number]
        drawn = describe_box(entry.image, entry.frame, box, self.settings)
        if self.learned is None:
            return self.space.apply(drawn.raw, None)[0], drawn.cleaned, 0
        network, ways = self.learned.network, self.turns_of(self.on_page(number))
        turn = int(writing_turns(network, drawn.grey, drawn.inside)[0]) if ways.any() else 0
        turn = turn if turn in ways else 0
        if turn:
            drawn = describe_box(entry.image, entry.frame, box, self.settings, turn)
        feature: NDArray[np.float32] = self.space.apply(drawn.raw, _embedding(network, drawn))[0]
        return feature, drawn.cleaned, turn

    def turns_of(self, items: NDArray[np.int64] | slice) -> NDArray[np.int8]:
        """The turns of some items.

        Parameters
        ----------
        items : (K,) int, or slice

        Returns
        -------
        (K,) int8
        """
        return np.broadcast_to(self.turns, len(self))[items]

    def turn_at(self, page: str, box: Box) -> int:
        """How the word in a box runs: as the item with that box, or as one that it is drawn around.

        Only boxes that are taller than wide are drawn around words that run up or down.

        Parameters
        ----------
        page : str
        box : (float, float, float, float)
            left, top, right, bottom in px.

        Returns
        -------
        int
            Quarter turns clockwise that make it run from left to right.

        Raises
        ------
        SpotlabError
            The page is not in the index.
        """
        here = self.on_page(self.page_number(page))
        turned = here.start + np.flatnonzero(self.turns_of(here))
        if not len(turned):
            return 0
        same = self.item_with(page, box)
        if same is not None:
            return int(self.turns_of(slice(None))[same])
        left, top, right, bottom = box
        pairs = pair_boxes([box], self.items.boxes[turned])
        if bottom - top < right - left or not (pairs.iou >= _AROUND).any():
            return 0
        return int(self.turns_of(turned)[pairs.second[pairs.iou.argmax()]])

    def on_page(self, number: int) -> slice:
        """The items of a page.

        Parameters
        ----------
        number : int
            Of the page.
        """
        return slice(int(self.page_starts[number]), int(self.page_starts[number + 1]))

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


def _embedding(network: WordNetwork, drawn: DrawnWord) -> NDArray[np.float32]:
    """(1, E) what a network says of a word that was drawn around."""
    room = (drawn.inside[:, 3:] - drawn.inside[:, 1:2]) * _ROOM
    boxes = drawn.inside + room
    said = describe_given(network, drawn.grey, boxes, writing_turns(network, drawn.grey, boxes))
    return np.asarray(said.embedding.astype(np.float32))
