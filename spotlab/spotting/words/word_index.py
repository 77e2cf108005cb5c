"""The index of a collection's words, and queries for it by example or text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from spotlab.errors import SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.geometry.boxes import pair_boxes
from spotlab.libraries import fuzz, process
from spotlab.model.ranked_list import Items
from spotlab.ranking.calibration import ScoreCalibration
from spotlab.representation import short_repr
from spotlab.spotting.page_entries import UnreadablePage
from spotlab.spotting.words.adaptation import adaptation_of
from spotlab.spotting.words.embedding.network import WordNetwork
from spotlab.spotting.words.embedding.page_description import describe_given, writing_turns
from spotlab.spotting.words.extraction.descriptor import TITLES, WordDescriptor
from spotlab.spotting.words.extraction.drawn_word import DrawnWord, describe_box
from spotlab.spotting.words.extraction.page_words import WordSettings
from spotlab.spotting.words.feature_space import FeatureSpace
from spotlab.spotting.words.learned_words import LearnedWords
from spotlab.spotting.words.scores import ItemOverlaps

_SIMILAR_TEXTS = 3


def plain_text(text: str) -> str:
    """Reduce a text to what counts when words are compared: letters and digits in lower case.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        A text without letters and digits, such as a dash, stays as it is.

    Examples
    --------
    >>> plain_text("Letters,"), plain_text("Winchester’s"), plain_text("—")
    ('letters', 'winchesters', '—')
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(sign for sign in folded if sign.isalnum()) or folded.strip()


def instances(words: Items, text: str) -> NDArray[np.int64]:
    """Find the words with a text, compared by `plain_text`.

    Parameters
    ----------
    words : Items
        With texts.
    text : str

    Returns
    -------
    (K,) int
        Numbers of items, rising; empty where there is none.

    Examples
    --------
    >>> words = Items(("a",), [0, 0], [[0, 0, 4, 9], [5, 0, 9, 9]], ("my", "Own,"))
    >>> instances(words, "own")
    array([1])
    """
    wanted = plain_text(text)
    numbers = [
        number
        for number, written in enumerate(words.texts)
        if written and plain_text(written) == wanted
    ]
    return np.array(numbers, np.int64)


def find_instances(words: Items, text: str) -> NDArray[np.int64]:
    """Find the words with a text, of which there has to be one.

    Parameters
    ----------
    words : Items
    text : str

    Returns
    -------
    (K,) int
        As of `instances`, K ≥ 1.

    Raises
    ------
    SpotlabError
        There is none; the message names the most similar texts.

    Examples
    --------
    >>> words = Items(("a",), [0, 0], [[0, 0, 4, 9], [5, 0, 9, 9]], ("my", "Own,"))
    >>> find_instances(words, "owns")
    Traceback (most recent call last):
        ...
    spotlab.errors.SpotlabError: the word 'owns' is written nowhere; there is 'own'
    """
    numbers = instances(words, text)
    if len(numbers):
        return numbers
    written = sorted({plain_text(known) for known in words.texts if known})
    wanted = plain_text(text)
    near = process.extract(
        wanted, written, scorer=fuzz.ratio, limit=_SIMILAR_TEXTS, score_cutoff=50
    )
    hint = "; there is " + ", ".join(repr(name) for name, _, _ in near) if near else ""
    nowhere = "no word has a text" if not written else f"the word {text!r} is written nowhere"
    raise SpotlabError(nowhere + hint)


Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class WordQuery:
    """A word to search for: a box on a page, or a text.

    A text is searched itself where a network describes the words; else by its first instance.

    Several boxes around the same word are one query: examples of it.

    Attributes
    ----------
    page : str
        Name of the page; empty where only the text is known.
    box : (float, float, float, float) or None
        left, top, right, bottom in px.
    text : str
        What is written there; empty where it is not known.
    more : tuple of (str, (float, float, float, float))
        Pages and boxes of further examples.
    label : str
        What the query is called; empty for its text, or else its place.
    typed : bool
        Search the text itself, wherever it is transcribed.

    Raises
    ------
    ValueError
        Neither box nor text, a box without area, or one without a page; a typed text with a box.
    """

    page: str = ""
    box: Box | None = None
    text: str = ""
    more: tuple[tuple[str, Box], ...] = ()
    label: str = ""
    typed: bool = False

    def __post_init__(self) -> None:
        if self.box is None and not self.text.strip():
            raise ValueError("a query is a box on a page or a text")
        if self.box is not None and not self.page:
            raise ValueError("a query's box is on a page")
        if self.typed and self.box is not None:
            raise ValueError("a query is a typed text or a box")
        if self.more and self.box is None:
            raise ValueError("a query with further examples has a box")
        for _, (left, top, right, bottom) in self.places:
            if not (left < right and top < bottom):
                raise ValueError("a query's box has an area")

    @property
    def places(self) -> tuple[tuple[str, Box], ...]:
        """Pages and boxes of all its examples; none where only the text is known.

        A box is left, top, right, bottom in px.

        Examples
        --------
        >>> WordQuery("a", (0, 0, 4, 9), more=(("b", (5, 0, 9, 9)),)).places
        (('a', (0, 0, 4, 9)), ('b', (5, 0, 9, 9)))
        """
        return () if self.box is None else ((self.page, self.box), *self.more)

    @property
    def name(self) -> str:
        """Its label, its text, or its page and box as left, top, width, height.

        Examples
        --------
        >>> WordQuery("270", (10, 20, 110, 60.5)).name, WordQuery(text="orders").name
        ('270:10,20,100,40.5', 'orders')
        """
        if self.label or self.text or self.box is None:
            return self.label or self.text
        left, top, right, bottom = self.box
        return f"{self.page}:{left:g},{top:g},{right - left:g},{bottom - top:g}"


def queries_of(words: Items, text: str, *, all_of_them: bool = False) -> tuple[WordQuery, ...]:
    """Make queries by example of a text: of its first instance, or of each.

    Parameters
    ----------
    words : Items
        With texts.
    text : str
    all_of_them : bool
        Of each instance.

    Raises
    ------
    SpotlabError
        It is written nowhere; the message names similar words.

    Examples
    --------
    >>> words = Items(("a",), [0, 0], [[0, 0, 4, 9], [5, 0, 9, 9]], ("my", "Own,"))
    >>> queries_of(words, "own")[0].box
    (5.0, 0.0, 9.0, 9.0)
    """
    instances = find_instances(words, text)
    return tuple(
        WordQuery(words.page_name(word), _box(words, word), words.text(word) or "")
        for word in (instances if all_of_them else instances[:1]).tolist()
    )


def join_examples(queries: Sequence[WordQuery], label: str = "") -> WordQuery:
    """Make one query of several boxes around the same word.

    Parameters
    ----------
    queries : sequence of WordQuery
        With boxes, one or more.
    label : str
        What the query is called.

    Returns
    -------
    WordQuery
        With the text of the first of them that has one.

    Raises
    ------
    ValueError
        There is none, or one has no box.

    Examples
    --------
    >>> one, other = WordQuery("a", (0, 0, 4, 9)), WordQuery("b", (5, 0, 9, 9), "own")
    >>> join_examples([one, other]).places
    (('a', (0, 0, 4, 9)), ('b', (5, 0, 9, 9)))
    """
    places = [place for query in queries for place in query.places]
    if not places or any(query.box is None for query in queries):
        raise ValueError("examples of a word are boxes on pages")
    (page, box), *more = dict.fromkeys(places)
    text = next((query.text for query in queries if query.text), "")
    return WordQuery(page, box, text, tuple(more), label)


def _box(words: Items, word: int) -> Box:
    left, top, right, bottom = words.boxes[word].tolist()
    return left, top, right, bottom


def locate_query(query: WordQuery, words: Items | None) -> WordQuery:
    """Give a query a box: its own, or that of the first instance of its text.

    Parameters
    ----------
    query : WordQuery
    words : Items or None
        With texts; None where these are not known.

    Raises
    ------
    SpotlabError
        Texts are not known, or the query's is not among them.

    Examples
    --------
    >>> words = Items(("a",), [0], [[5, 0, 9, 9]], ("Own,",))
    >>> locate_query(WordQuery(text="own"), words).box
    (5.0, 0.0, 9.0, 9.0)
    """
    if query.box is not None:
        return query
    if words is None:
        raise SpotlabError(
            f"where {query.text!r} is written is not known: words with texts are needed"
        )
    first = queries_of(words, query.text)[0]
    return WordQuery(first.page, first.box, query.text)


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
    scale : ScoreCalibration
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
    scale: ScoreCalibration
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
        """Return what the words are compared by; strokes alone where there is no network."""
        return WordDescriptor.STROKES if self.learned is None else self.settings.descriptor

    @property
    def compared_by(self) -> str:
        """Return what the words are compared by, and whether the network was adapted to their
        hand.
        """
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
        """Tell which of ``items.pages`` is the page of a query.

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
        """Tell how the word in a box runs: as the item with that box, or as one that it is drawn
        around.

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
