"""The index of a collection's words, and queries for it by example or text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from spotlab.errors import SpotlabError
from spotlab.formats.collection.folder import PageEntry
from spotlab.geometry.polygon import concatenate_ranges, pair_boxes
from spotlab.libraries import fuzz, process
from spotlab.model.ranked_list import Items
from spotlab.model.spelling import Spelling, alternatives_of, fold, literal
from spotlab.ranking.fusion import FeatureScores, ItemScores
from spotlab.ranking.purge import SCALE, ScoreCalibration, sample_scores
from spotlab.representation import short_repr
from spotlab.spotting.page_entries import UnreadablePage
from spotlab.spotting.words.embedding.characters import (
    attribute_log_likelihood,
    attributes_of,
    characters_read,
    log_of_steps,
    no_attribute_log_likelihood,
    text_path,
)
from spotlab.spotting.words.embedding.line_characters import (
    Spaces,
    find_spaces,
    span_log_likelihoods,
)
from spotlab.spotting.words.embedding.network import (
    PageDescription,
    WordNetwork,
    describe_given,
    no_letters,
    writing_turns,
)
from spotlab.spotting.words.extraction.descriptor import TITLES, WordDescriptor
from spotlab.spotting.words.extraction.page_words import DrawnWord, WordSettings, describe_box
from spotlab.spotting.words.feature_space import FeatureSpace, adaptation_of

# log-likelihood a character that a word says a text: at random, as likely as not, surely, at best;
# chosen on five pages of letters
TYPED = ScoreCalibration(np.array([-8.0, -1.7, -1.15, 0.0]), np.array(SCALE), "letters")
PATTERN = ScoreCalibration(np.array([-2.6, -0.24, 0.27, 1.8]), np.array(SCALE), "letters")
APART = 1.0  # log-likelihood a character that a word loses with ink beside it; chosen there, too
IN_LINE = 0.3  # weight of what is read in the line next to what is read in the word's box
UNLIKE = -8.0  # the least that counts of it
# log-likelihood a character of what is read on pages as sure as those, and how much more a text is
# less likely where less is, and at most; chosen on two pages in Gothic French and one in Gothic
# Latin, too
SURE, UNSURE, MOST_UNSURE = -0.48, 2.2, 1.2
# of a pattern, chosen on the pages of letters
IN_LINE_OF_PATTERN = 0.45
LETTER, LETTERS = 0.14, 8  # log-likelihood that each of so many characters adds: few are anywhere
NO_SPACE = 0.2  # weight of how unlikely a space is at an end of it
OFF_LINE = 0.25  # log-likelihood that a word loses that is on no line
ATTRIBUTES = 0.05  # weight of the attributes' log-likelihood next to that of the characters


@dataclass(frozen=True, eq=False)
class LearnedWords:
    """Descriptions of N words computed by a network.

    Attributes
    ----------
    network : WordNetwork
    attributes : (M, A) int8
        Of M different words, as of `Described`.
    characters : (M, T, 1 + C) uint8
    row : (N,) int
        Which of them describes each word.
    line : (P, 1 + C) uint8
        The characters along the lines of all pages.
    span : (N, 2) int
        The part of them where each word is; nothing where it is on no line.
    points : (P, 4) float32
        Where each of them is, as of `LineCharacters`; each line of all pages has its own number.
    begin : (pages + 1,) int64
        Where the characters of each page begin, and the last ones end.
    """

    network: WordNetwork
    attributes: NDArray[np.int8]
    characters: NDArray[np.uint8]
    row: NDArray[np.int64]
    line: NDArray[np.uint8] = field(default_factory=lambda: np.zeros((0, 0), np.uint8))
    span: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 2), np.int64))
    points: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 4), np.float32))
    begin: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, np.int64))

    __repr__ = short_repr

    @classmethod
    def of(cls, network: WordNetwork, pages: Sequence[PageDescription]) -> LearnedWords:
        """Put the words of pages together.

        Parameters
        ----------
        network : WordNetwork
        pages : sequence of PageDescription
            One or more.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> from spotlab.spotting.words.embedding.network import Described
        >>> said = Described(np.zeros((2, 4)), np.zeros((2, 5)), np.zeros((2, 6, 7)))
        >>> page = PageDescription(said, np.array([0, 1, 1]))
        >>> LearnedWords.of(SimpleNamespace(), [page, page]).row.tolist()
        [0, 1, 1, 2, 3, 3]
        """
        starts = np.cumsum([0, *(len(page.described) for page in pages)])
        begin = np.cumsum([0, *(len(page.line) for page in pages)])
        spans = [
            page.span + start if len(page.span) else np.zeros((len(page), 2), np.int64)
            for page, start in zip(pages, begin[:-1].tolist(), strict=True)
        ]
        lines = [page.line for page in pages if len(page.line)]
        points, numbered = [np.zeros((0, 4), np.float32)], 0
        for page in pages:
            points.append(page.points + np.array([numbered, 0, 0, 0], np.float32))
            numbered = int(points[-1][:, 0].max(initial=numbered - 1)) + 1
        return cls(
            network,
            np.concatenate([page.described.attributes for page in pages]),
            np.concatenate([page.described.characters for page in pages]),
            np.concatenate(
                [page.row + start for page, start in zip(pages, starts[:-1], strict=True)]
            ),
            np.concatenate(lines) if lines else np.zeros((0, 0), np.uint8),
            np.concatenate(spans),
            np.concatenate(points),
            begin,
        )

    @cached_property
    def best_path(self) -> NDArray[np.float64]:
        """(M,) log-probability of the likeliest characters along each word."""
        steps = log_of_steps(self.characters.shape[1])
        return np.asarray(steps[self.characters.min(axis=2)].sum(axis=1))

    @cached_property
    def letters(self) -> NDArray[np.int64]:
        """(N,) how many characters are read in each word; few in what is drawn."""
        return characters_read(self.characters)[self.row]

    @cached_property
    def _no_attribute(self) -> NDArray[np.float32]:
        """(M,) how likely each word has no attribute: the same for all texts."""
        return no_attribute_log_likelihood(self.attributes)

    def text_scores(self, text: str, apart: ArrayLike = 1.0) -> NDArray[np.float64]:
        """Compute the scores of all words against a typed text.

        Parameters
        ----------
        text : str
            It is folded to the network's alphabet first. * stands for any characters: ``orde*``.
        apart : (N,) float
            How far each word is from the ink beside it, from 0 to 1: what is close to other ink is
            rather a part of a word.

        Returns
        -------
        (N,) float
            On the common scale of scores: words with `spotlab.ranking.purge.HIT` are as
            likely to say the text as not.

        Raises
        ------
        SpotlabError
            The network does not know all of its letters.
        """
        likely = self._with_lines(self.log_likelihood(text)[self.row], text)
        likely = likely + self.unsure - APART * (1 - np.asarray(apart, np.float64))
        if not Spelling(text).is_pattern:
            return TYPED.apply(likely)
        letters = len(self.network.alphabet.fold(text))
        return PATTERN.apply(likely + LETTER * min(letters, LETTERS))

    @cached_property
    def unsure(self) -> float:
        """Log-likelihood a character that texts lose as these pages are in an unusual hand."""
        long = self.letters > 2
        read = self.best_path[self.row[long]] / (self.letters[long] + 1)
        less = SURE - float(np.median(read)) if len(read) else 0.0
        return min(UNSURE * max(less, 0), MOST_UNSURE)

    @cached_property
    def _spans(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Words on lines, the different parts of lines that they are on, and which is whose."""
        words = np.flatnonzero(self.span[:, 1] > self.span[:, 0] + 1)
        spans, which = np.unique(self.span[words], axis=0, return_inverse=True)
        return words, spans, which.reshape(-1)

    def _with_lines(self, likely: NDArray[np.float64], text: str) -> NDArray[np.float64]:
        """(N,) the log-likelihoods, together with what is read at the words' places in lines."""
        words, spans, which = self._spans
        if not len(words):
            return likely
        network, over = self.network, self.spaces.over
        path = text_path(text, network.alphabet)
        seen = span_log_likelihoods(self.line, spans, path, network.sizes[1], over)
        seen = np.maximum(seen / (len(network.alphabet.fold(text)) + 1), UNLIKE)
        together = likely.copy()
        is_pattern = Spelling(text).is_pattern
        weight = IN_LINE_OF_PATTERN if is_pattern else IN_LINE
        together[words] = (1 - weight) * likely[words] + weight * seen[which]
        if is_pattern:  # which has no end of its own
            ends = self.spaces.before[spans[:, 0]] + self.spaces.behind[spans[:, 1] - 1]
            lost = np.full(len(likely), OFF_LINE)
            lost[words] = NO_SPACE * np.minimum(ends, -UNLIKE)[which]
            together -= lost
        return together

    @cached_property
    def spaces(self) -> Spaces:
        """Where between characters along lines spaces may be."""
        return find_spaces(self.line, self.points, self.span)

    def log_likelihood(self, text: str) -> NDArray[np.float64]:
        """Tell how likely each word says a text, for each of the text's characters.

        Parameters
        ----------
        text : str
            As of `text_scores`.

        Returns
        -------
        (M,) float
            Natural logarithms.

        Raises
        ------
        SpotlabError
            The network does not know all of its letters.
        """
        network = self.network
        folded = network.alphabet.fold(text)
        if not folded or network.alphabet.unknown(text):
            raise no_letters(text, network.alphabet)
        rows, places = self.characters.shape[:2]
        starts = np.arange(0, rows * places, places)
        found = span_log_likelihoods(
            self.characters.reshape(rows * places, -1), np.stack([starts, starts + places], 1),
            text_path(text, network.alphabet), places,
        )  # fmt: skip
        if not Spelling(text).is_pattern:  # else where characters are is not known
            wanted = attributes_of([text], network.alphabet, network.levels)
            fits = attribute_log_likelihood(self.attributes, wanted, self._no_attribute)
            found = found + ATTRIBUTES * fits[:, 0]
        return np.asarray(found / (len(folded) + 1))


MIN_SHARE = 0.25  # of the smaller box; items that share less are neighbours in a line


@dataclass(frozen=True, eq=False)
class ItemOverlaps:
    """For each of N items, those that lie on it.

    Attributes
    ----------
    starts : (N + 1,) int
        Where each item's others begin and end.
    other : (P,) int32
    share : (P,) float32
        Of the smaller box's area; `MIN_SHARE` or more.
    """

    starts: NDArray[np.int64]
    other: NDArray[np.int32]
    share: NDArray[np.float32]

    __repr__ = short_repr

    @classmethod
    def of(cls, items: Items) -> ItemOverlaps:
        """Find the overlaps of items.

        Parameters
        ----------
        items : Items
            In order of their pages.
        """
        counts = np.zeros(len(items), np.int64)
        others, shares = [], []
        bounds = np.searchsorted(items.page, np.arange(len(items.pages) + 1))
        for start, stop in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            pairs = pair_boxes(items.boxes[start:stop], items.boxes[start:stop])
            share = pairs.share_of_smaller
            kept = (share >= MIN_SHARE) & (pairs.first != pairs.second)
            counts[start:stop] = np.bincount(pairs.first[kept], minlength=stop - start)
            others.append((start + pairs.second[kept]).astype(np.int32))
            shares.append(share[kept].astype(np.float32))
        return cls(
            np.concatenate([[0], np.cumsum(counts)]),
            np.concatenate(others) if others else np.empty(0, np.int32),
            np.concatenate(shares) if shares else np.empty(0, np.float32),
        )

    def best(
        self, places: NDArray[np.int64], scores: NDArray[np.float64], overlap: float
    ) -> NDArray[np.int64]:
        """Find, for each of some items, the best one that it lies on and that is kept.

        From the best score down, an item is kept unless it lies on one that is; one that is kept
        has itself. Equal scores keep their order.

        Parameters
        ----------
        places : (K,) int
            Of the items, rising.
        scores : (K,) float
        overlap : float
            Share of the smaller box from which two items lie on each other, `MIN_SHARE` or more;
            above 1 none do.

        Returns
        -------
        (K,) int
            Positions among the K.

        Examples
        --------
        >>> items = Items(("page",), [0, 0, 0], [[0, 0, 9, 9], [1, 0, 9, 9], [20, 0, 29, 9]])
        >>> scores = np.array([0.5, 0.9, 0.7])
        >>> ItemOverlaps.of(items).best(np.arange(3), scores, overlap=0.5).tolist()
        [1, 1, 2]
        """
        count = len(places)
        rank = np.empty(count, np.int64)
        rank[np.argsort(-scores, kind="stable")] = np.arange(count)
        better, worse = self._pairs(places, overlap)
        in_order = rank[better] < rank[worse]
        better, worse = better[in_order], worse[in_order]
        open_ones = np.ones(count, np.bool_)
        kept = np.zeros(count, np.bool_)
        live = np.arange(len(better))
        while open_ones.any():
            # who has no better open neighbour is kept, whatever becomes of the others
            blocked = np.zeros(count, np.bool_)
            blocked[worse[live]] = True
            kept |= open_ones & ~blocked
            open_ones &= blocked
            open_ones[worse[live[kept[better[live]]]]] = False
            live = live[open_ones[better[live]] & open_ones[worse[live]]]
        owner = np.arange(count)
        decisive = np.flatnonzero(kept[better])
        decisive = decisive[np.argsort(-rank[better[decisive]], kind="stable")]
        owner[worse[decisive]] = better[decisive]  # the best comes last and stays
        return owner

    def _pairs(
        self, places: NDArray[np.int64], overlap: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Pairs of positions among some items that lie on each other, both ways."""
        counts = self.starts[places + 1] - self.starts[places]
        first = np.repeat(np.arange(len(places)), counts)
        entry = concatenate_ranges(self.starts[places], counts)
        entry_kept = self.share[entry] >= overlap
        first, entry = first[entry_kept], entry[entry_kept]
        position = np.full(len(self.starts) - 1, -1, np.int64)
        position[places] = np.arange(len(places))
        second = position[self.other[entry]]
        both = second >= 0
        return first[both], second[both]


def fit_scale(features: NDArray[np.float32], overlaps: ItemOverlaps) -> ScoreCalibration:
    """Fit the scale of a collection, without truth: by how similar its words are by chance.

    Parameters
    ----------
    features : (N, D) float32
        Rows of length 1.
    overlaps : ItemOverlaps
        Which of them lie on each other, and so are no neighbours.

    Returns
    -------
    ScoreCalibration
        Leaves cosines as they are where words are too few, or all alike.

    Examples
    --------
    >>> from spotlab.model.ranked_list import Items
    >>> items = Items(("page",), [0, 0], [[0, 0, 4, 9], [5, 0, 9, 9]])
    >>> fit_scale(np.eye(2, dtype=np.float32), ItemOverlaps.of(items)).apply(np.array([0.5]))
    array([0.5])
    """

    def elsewhere(items: NDArray[np.int64]) -> NDArray[np.bool_]:
        apart = np.ones((len(items), len(features)), np.bool_)
        for row, item in enumerate(items.tolist()):
            apart[row, overlaps.other[overlaps.starts[item] : overlaps.starts[item + 1]]] = False
        return apart

    background, neighbours = sample_scores(FeatureScores(features), elsewhere=elsewhere)
    try:
        return ScoreCalibration.fit_background(background, neighbours)
    except ValueError:
        return ScoreCalibration.none()


@dataclass(frozen=True, eq=False)
class CalibratedScores:
    """Cosines of descriptors on a common scale, computed when they are asked for.

    Attributes
    ----------
    features : (N, D) float32
        Rows of length 1.
    scale : ScoreCalibration
    """

    features: NDArray[np.float32]
    scale: ScoreCalibration

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.features)

    def rows(self, items: NDArray[np.int64]) -> NDArray[np.float64]:
        """Compute the scores of some items with all.

        Parameters
        ----------
        items : (K,) int

        Returns
        -------
        (K, N) float
        """
        raw = self.features[items] @ self.features.T
        return self.scale.apply(raw)

    def among(self, items: NDArray[np.int64]) -> ItemScores:
        """Restrict the scores to some items.

        Parameters
        ----------
        items : (K,) int

        Returns
        -------
        ItemScores
            Of shape (K, K).
        """
        return CalibratedScores(self.features[items], self.scale)


_SIMILAR_TEXTS = 3


def instances(words: Items, text: str) -> NDArray[np.int64]:
    """Find the words with a text, or of a query; see `spotlab.model.spelling.parse_query`.

    Of words with AND between, those on pages that have all of them.

    Parameters
    ----------
    words : Items
        With texts; to find a phrase, with phrases among them.
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
    found = np.zeros(len(words), np.bool_)
    for phrases in alternatives_of(text):
        each = np.array([_has_text(words, Spelling(phrase)) for phrase in phrases], np.bool_)
        pages = [set(words.page[own].tolist()) for own in each]
        found |= each.any(axis=0) & np.isin(words.page, list(set.intersection(*pages)))
    return np.flatnonzero(found)


def _has_text(words: Items, wanted: Spelling) -> list[bool]:
    known = words.texts or (None,) * len(words)
    return [written is not None and written != "" and wanted.matches(written) for written in known]


def find_instances(words: Items, text: str) -> NDArray[np.int64]:
    """Find the words with a text whose boxes are known, of which there has to be one.

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
    numbers = numbers[words.line[numbers] < 0]
    if len(numbers):
        return numbers
    written = sorted({fold(known) for known in words.exact.texts if known})
    wanted = fold(text)
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
        WordQuery(words.page_name(word), _box(words, word), literal(words.text(word) or ""))
        for word in (instances if all_of_them else instances[:1]).tolist()
    )


def _box(words: Items, word: int) -> Box:
    return tuple(words.boxes[word].tolist())


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
    boxes = drawn.inside + (drawn.inside[:, 3:] - drawn.inside[:, 1:2]) * _ROOM
    said = describe_given(network, drawn.grey, boxes, writing_turns(network, drawn.grey, boxes))
    return np.asarray(said.embedding.astype(np.float32))
