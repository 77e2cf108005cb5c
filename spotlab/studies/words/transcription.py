"""Judged words as a transcription: what comes into the truth, what is there, what is left to do."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import ceil, floor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spotlab.editing.collection_step import Arrival, CollectionStep, PlacedLabel, page_key
from spotlab.files import is_file
from spotlab.formats.collection.folder import PageEntry, common_folder
from spotlab.formats.lists.kept_lines import (
    NOWHERE,
    ListedQuery,
    Place,
    named_place,
    read_judgements,
    read_queries,
)
from spotlab.formats.page.foreign_shapes import box_points
from spotlab.formats.page.read import WORD_LABEL
from spotlab.formats.page.words import is_word
from spotlab.formats.truth import page_xml
from spotlab.geometry.polygon import BoxPairs, pair_boxes
from spotlab.model import Contribution, Deed, Items, LabelSet, Page, Primitive, Region, Truth
from spotlab.model.spelling import Spelling, fold, is_one_word
from spotlab.representation import short_repr
from spotlab.studies.words.word_truth import WORD_SEARCH

SAME_PLACE = 0.6  # share of the smaller box from which two words stand at one place
COVERED = 0.5  # share of an item that words cover from which it is transcribed


@dataclass(frozen=True)
class JudgedWord:
    """A place where a person has found a word.

    Attributes
    ----------
    text : str
    place : Place
    typed : bool
        The text is what was typed to find the word, which the page may spell otherwise.
    reading : str
        What the program reads there; empty where it reads nothing.
    """

    text: str
    place: Place
    typed: bool = False
    reading: str = ""

    @property
    def is_unknown(self) -> bool:
        """Tell whether a pattern, a phrase or several words found the word, so that nobody has
        said what it is.
        """
        return self.typed and not is_one_word(self.text)

    def as_written(self, known: Mapping[str, str]) -> JudgedWord:
        """The word as the pages spell it, where they or its reading say that.

        Capitals that were typed stay: pages have them at some places only.

        Parameters
        ----------
        known : mapping of str to str
            How texts are spelled, as of `usual_spellings`.

        Examples
        --------
        >>> place = ("a", 0.0, 0.0, 40.0, 20.0)
        >>> JudgedWord("legataire", place, True).as_written({"legataire": "légataire"}).text
        'légataire'
        >>> JudgedWord("legat*", place, True, "legatus").as_written({}).text
        'legatus'
        """
        if not self.typed:
            return self
        reading = self.reading if Spelling(self.text).matches(self.reading) else ""
        text = known.get(fold(reading if self.is_unknown else self.text), reading)
        if not text:
            return self
        has_capitals = self.text != self.text.lower()
        if has_capitals and text.casefold() == self.text.casefold():
            text = self.text
        return replace(self, text=text, typed=False)


@dataclass(frozen=True)
class TextDifference:
    """A place that stays as it is, as two say different things of it.

    Attributes
    ----------
    word : JudgedWord
    other : str
        What else is said to be written there.
    in_truth : bool
        Whether the truth says so; False: another judgement does.
    """

    word: JudgedWord
    other: str
    in_truth: bool

    @property
    def text(self) -> str:
        """In a line, for people."""
        page, left, top, *_ = self.word.place
        where = f"{page} at {left:.0f}, {top:.0f}"
        if self.in_truth:
            return f"{where}: the truth says “{self.other}”, you “{self.word.text}”"
        return f"{where}: judged as “{self.other}” and as “{self.word.text}”"


@dataclass(frozen=True)
class WordPlan:
    """Plan for adding judged words to the truth.

    Attributes
    ----------
    new : mapping of str to tuple of JudgedWord
        The words that come into the truth, by page.
    present : int
        How many the truth has already.
    differences : tuple of TextDifference
    unknown : int
        How many a pattern found, and nothing says what they are: they are left out.
    """

    new: Mapping[str, tuple[JudgedWord, ...]] = field(default_factory=dict)
    present: int = 0
    differences: tuple[TextDifference, ...] = ()
    unknown: int = 0

    __repr__ = short_repr

    @property
    def count(self) -> int:
        """Tell how many words come in."""
        return sum(map(len, self.new.values()))


def words_on_page(truth: Truth) -> list[Region]:
    """The words with texts of a page as it is: those of its file, and those that are regions.

    Parameters
    ----------
    truth : Truth
        As it is edited; its regions count more than what the file says of them.
    """
    words = [region for region in truth.regions if is_word(region)]
    if truth.source:
        path = truth.page.image
        own = {region.id for region in page_xml.parse(truth.source, path).regions}
        every = page_xml.parse(truth.source, path, words=True).regions
        words += [word for word in every if word.id not in own]
    return words


_EDGES = re.compile(r"^[^\w*]+|[^\w*]+$")


def usual_spellings(texts: Iterable[str | None]) -> dict[str, str]:
    """Find how each text is spelled most often, without the punctuation around it.

    Parameters
    ----------
    texts : iterable of str or None
        What is written on pages.

    Returns
    -------
    dict of str to str
        By folded text.

    Examples
    --------
    >>> usual_spellings(["légataire,", "légataire", "legataire", None])
    {'legataire': 'légataire'}
    """
    counts = Counter(_EDGES.sub("", text) for text in texts if text)
    usual: dict[str, str] = {}
    for text, _ in counts.most_common():
        if text:
            usual.setdefault(fold(text), text)
    return usual


def plan_words(
    judged: Sequence[JudgedWord], truths: Mapping[str, Truth], texts: Iterable[str | None] = ()
) -> WordPlan:
    """Find what comes into the truth: a word that stands there already stays as it is.

    What was typed is spelled as the pages spell it most often, else as it is read; a word that a
    pattern found is only written where one of them says it.

    Parameters
    ----------
    judged : sequence of JudgedWord
        Of several at one place the first counts.
    truths : mapping of str to Truth
        The pages, by name. Words on other pages are left out.
    texts : iterable of str or None
        What is written on further pages, which tells how words are spelled.
    """
    new: dict[str, tuple[JudgedWord, ...]] = {}
    present, unknown, differences = 0, 0, list[TextDifference]()
    on_pages = {page: words_on_page(truth) for page, truth in truths.items()}
    own = (part for words in on_pages.values() for word in words for part in word.text.split())
    usual = usual_spellings((*own, *texts))
    spelled = sorted((word.as_written(usual) for word in judged), key=lambda word: word.is_unknown)
    for page, known in on_pages.items():
        words = _distinct([word for word in spelled if word.place[0] == page], differences)
        coming = []
        for word, there in zip(words, _texts_at(words, known), strict=True):
            said = (part for text in there for part in (text, *text.split()))  # of a line, words
            if any(map(Spelling(word.text).matches, said)):
                present += 1
            elif not there and word.is_unknown:
                unknown += 1
            elif not there:
                coming.append(word)
            else:
                differences.append(TextDifference(word, there[0], True))
        if coming:
            new[page] = tuple(sorted(coming, key=lambda word: (word.place[2], word.place[1])))
    return WordPlan(new, present, tuple(differences), unknown)


def _distinct(words: Sequence[JudgedWord], differences: list[TextDifference]) -> list[JudgedWord]:
    """One word for each place; none where two texts are said to stand there."""
    boxes = _boxes(words)
    pairs = pair_boxes(boxes, boxes)
    same = _same_place(pairs) & (pairs.first < pairs.second)
    left_out: set[int] = set()
    for first, second in zip(pairs.first[same].tolist(), pairs.second[same].tolist(), strict=True):
        one, other = words[first], words[second]
        if not (Spelling(one.text).matches(other.text) or Spelling(other.text).matches(one.text)):
            differences.append(TextDifference(other, one.text, False))
            left_out.add(first)
        left_out.add(second)
    return [word for at, word in enumerate(words) if at not in left_out]


def _texts_at(words: Sequence[JudgedWord], known: Sequence[Region]) -> list[list[str]]:
    """For each word, what the truth says is written at its place, the best place first."""
    pairs = pair_boxes(_boxes(words), np.array([region.bounds for region in known]))
    texts: list[list[str]] = [[] for _ in words]
    same = np.flatnonzero(_same_place(pairs))
    for pair in same[np.argsort(-pairs.iou[same], kind="stable")].tolist():
        texts[pairs.first[pair]].append(known[pairs.second[pair]].text)
    return texts


def _same_place(pairs: BoxPairs) -> NDArray[np.bool_]:
    return np.asarray(pairs.share_of_smaller >= SAME_PLACE)


def _boxes(words: Sequence[JudgedWord]) -> NDArray[np.float64]:
    return np.array([word.place[1:] for word in words]).reshape(-1, 4)


def word_step(
    plan: WordPlan,
    pages: Mapping[str, Page],
    paths: Mapping[str, Path],
    folder: Path,
    labels: LabelSet,
    author: str,
    time: datetime,
) -> CollectionStep:
    """The step over the pages that writes the words of a plan into the truth.

    Parameters
    ----------
    plan : WordPlan
    pages : mapping of str to Page
        The page of each name that has no truth file yet.
    paths : mapping of str to Path
        The truth file of each page of the plan, by name.
    folder : Path
        The collection's, see `page_key`.
    labels : LabelSet
        The collection's; the label of words comes in if it is not there.
    author : str
    time : datetime
        With a time zone.
    """
    history = (Contribution(Deed.DRAWN, author, time, WORD_SEARCH),)
    known = WORD_LABEL in labels
    label = labels.with_label(WORD_LABEL)[WORD_LABEL]
    texts = sorted({word.text for words in plan.new.values() for word in words})
    what = f"“{texts[0]}”" if len(texts) == 1 else f"{plan.count:,} words"
    return CollectionStep(
        f"Write {what} into the truth",
        folder,
        {
            page_key(paths[page]): tuple(Arrival(_region(word, history)) for word in words)
            for page, words in plan.new.items()
        },
        (),
        () if known else (PlacedLabel(len(labels), label),),
        new={page_key(paths[name]): page for name, page in pages.items() if name in plan.new},
    )


def _region(word: JudgedWord, history: tuple[Contribution, ...]) -> Region:
    left, top, right, bottom = word.place[1:]
    # whole px, as PAGE has them: the region has to be the same when it is read again
    points = tuple(box_points(floor(left), floor(top), ceil(right), ceil(bottom)))
    return Region(points, WORD_LABEL, primitive=Primitive.BOX, text=word.text, history=history)


def covered_share(items: Items, words: Items) -> NDArray[np.float64]:
    """Find which share of each item transcribed words cover.

    Parameters
    ----------
    items : Items
        N places that look like words.
    words : Items
        Pages are matched by name; words that have no text count, too.

    Returns
    -------
    (N,) float
        In [0, 1]; what several words cover counts once for each of them, up to 1.

    Examples
    --------
    >>> words = Items(("a",), [0], [[0, 0, 40, 9]], ("my",))
    >>> covered_share(Items(("a", "b"), [0, 0, 1], [[0, 0, 80, 9], [50, 0, 90, 9], [0, 0, 4, 9]]),
    ...               words)
    array([0.5, 0. , 0. ])
    """
    share = np.zeros(len(items))
    for place, name in enumerate(items.pages):
        if name not in words.pages:
            continue
        own = np.flatnonzero(items.page == place)
        pairs = pair_boxes(items.boxes[own], words.boxes[words.page == words.pages.index(name)])
        np.add.at(share, own[pairs.first], pairs.shared / pairs.first_area)
    return np.minimum(share, 1.0)


_JUDGEMENTS, _QUERIES = "judgements.csv", "queries.csv"  # beside the pages


@dataclass(frozen=True, eq=False)
class KnownTexts:
    """Places on pages and what is written there.

    Attributes
    ----------
    transcribed : tuple of (str, Place)
        Texts of the ground truth, and where.
    judged : tuple of (str, Place)
        Texts of queries, where these were drawn or words were judged to be them.
    """

    transcribed: tuple[tuple[str, Place], ...] = ()
    judged: tuple[tuple[str, Place], ...] = ()

    __repr__ = short_repr

    def __len__(self) -> int:
        return len(self.transcribed) + len(self.judged)


def known_texts(entries: Sequence[PageEntry], words: Items | None) -> KnownTexts:
    """Collect the words whose texts are known.

    Parameters
    ----------
    entries : sequence of PageEntry
        The pages; queries and judgements are in the folder that has all of them.
    words : Items or None
        What the ground truth says; None where it says nothing.

    Raises
    ------
    BadInput
        The queries or judgements cannot be read.

    Examples
    --------
    >>> words = Items(("a",), [0], [[0, 0, 40, 20]], ("orders",))
    >>> known_texts([], words).transcribed
    (('orders', ('a', 0.0, 0.0, 40.0, 20.0)),)
    """
    folder = common_folder(entries)
    queries: tuple[ListedQuery, ...] = ()
    judged: Mapping[str, Mapping[Place, bool]] = {}
    if folder is not None and is_file(folder / _QUERIES):
        queries = read_queries(folder / _QUERIES).queries
    if folder is not None and is_file(folder / _JUDGEMENTS):
        judged = read_judgements(folder / _JUDGEMENTS).judged
    return texts_of(words, queries, judged)


def texts_of(
    words: Items | None,
    queries: Sequence[ListedQuery],
    judged: Mapping[str, Mapping[Place, bool]],
) -> KnownTexts:
    """Return what ground truth, queries and judgements say is written where.

    Parameters
    ----------
    words : Items or None
        Of the ground truth.
    queries : sequence of ListedQuery
    judged : mapping of str to mapping of Place to bool
        By name of the query.

    Examples
    --------
    >>> texts_of(None, [], {"orders": {("a", 0.0, 0.0, 40.0, 20.0): True}}).judged
    (('orders', ('a', 0.0, 0.0, 40.0, 20.0)),)
    """
    return KnownTexts(_transcribed(words), judged_texts(queries, judged))


def judged_texts(
    queries: Sequence[ListedQuery], judged: Mapping[str, Mapping[Place, bool]]
) -> tuple[tuple[str, Place], ...]:
    """Return what judgements say is written where: the texts of queries, at places judged to be
    them.

    Parameters
    ----------
    queries : sequence of ListedQuery
    judged : mapping of str to mapping of Place to bool
        By name of the query.

    Returns
    -------
    tuple of (str, Place)
        A place that is judged to be two texts is left out, and so is one that only a pattern
        found.

    Examples
    --------
    >>> place, other = ("a", 0.0, 0.0, 40.0, 20.0), ("a", 50.0, 0.0, 90.0, 20.0)
    >>> drawn = ListedQuery("orders", place)
    >>> judged_texts([drawn], {"orders": {other: True}, "the": {other: False}})
    (('orders', ('a', 0.0, 0.0, 40.0, 20.0)), ('orders', ('a', 50.0, 0.0, 90.0, 20.0)))
    """
    texts = {query.name: query.text for query in queries}
    found: dict[Place, dict[str, str]] = {}  # by folded text
    for query in queries:
        for place in (query.place, *query.examples):
            if query.text and place[1:] != NOWHERE:
                found.setdefault(place, {}).setdefault(fold(query.text), query.text)
    for name, places in judged.items():
        text = texts.get(name, "" if named_place(name) else name)
        for place, is_right in places.items():
            if text and is_right and place[1:] != NOWHERE and is_one_word(text):
                found.setdefault(place, {}).setdefault(fold(text), text)
    return tuple(
        (next(iter(said.values())), place) for place, said in found.items() if len(said) == 1
    )


def _transcribed(words: Items | None) -> tuple[tuple[str, Place], ...]:
    if words is None:
        return ()
    words = words.exact
    found = []
    for item in range(len(words)):
        text = words.text(item)
        if text and words.page[item] >= 0:
            left, top, right, bottom = words.boxes[item].tolist()
            found.append((text, (words.page_name(item), left, top, right, bottom)))
    return tuple(found)
